"""Crossings: trajectories and arrays as messages of the bus, and back."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.messages import bus
from openpendant.motion import JointLimits, Span, StopLimits, Trajectory
from openpendant.scene import Carried, Scene
from openpendant.spatial import check_transform

LIMITS = ("lower", "upper", "velocity", "acceleration", "jerk")
STOPS = ("deceleration", "rise_s")


def encode_matrix(values: NDArray[Any]) -> bus.Matrix:
    """Return an array as shape and bytes of float64."""
    return values.shape, np.ascontiguousarray(values, dtype=np.float64).tobytes()


def decode_matrix(message: bus.Matrix, name: str) -> NDArray[np.float64]:
    """Return the array of a message.

    Raises:
        InputError: Shape and bytes do not fit; names which.
    """
    shape, raw = message
    count = int(np.prod(shape)) if shape else 1
    if any(length < 0 for length in shape) or len(raw) != 8 * count:
        raise InputError(f"{name} has shape {shape} and {len(raw)} bytes; that needs {8 * count}")
    return np.frombuffer(raw, dtype=np.float64).reshape(shape).copy()


def encode_trajectory(trajectory: Trajectory) -> bus.TrajectoryMessage:
    """Return a trajectory as a message; how its corners were rounded stays behind."""
    limits: list[bus.Matrix] = [encode_matrix(getattr(trajectory.limits, name)) for name in LIMITS]
    limits += [encode_matrix(getattr(trajectory.limits.stop, name)) for name in STOPS]
    return bus.TrajectoryMessage(
        limits=tuple(limits),
        knots=encode_matrix(trajectory.knots),
        cells=encode_matrix(trajectory.cells),
        breaks=encode_matrix(trajectory.breaks),
        law=encode_matrix(trajectory.law),
        owner=encode_matrix(trajectory.owner),
        spans=tuple((span.move, span.start_s, span.end_s) for span in trajectory.spans),
        way_m=encode_matrix(trajectory.way_m),
        way_rate=encode_matrix(trajectory.way_rate),
    )


def decode_trajectory(message: bus.TrajectoryMessage) -> Trajectory:
    """Return the trajectory of a message.

    Raises:
        InputError: Its arrays do not belong together, or are not finite.
    """
    names = LIMITS + STOPS
    if len(message.limits) != len(names):
        raise InputError(f"a trajectory has {len(names)} rows of limits, not {len(message.limits)}")
    rows = [decode_matrix(row, name) for row, name in zip(message.limits, names, strict=True)]
    lower, upper, velocity, acceleration, jerk, deceleration, rise_s = rows
    limits = JointLimits(lower, upper, velocity, acceleration, jerk, StopLimits(deceleration, rise_s))
    knots, cells = decode_matrix(message.knots, "knots"), decode_matrix(message.cells, "cells")
    breaks, law = decode_matrix(message.breaks, "breaks"), decode_matrix(message.law, "law")
    owner = decode_matrix(message.owner, "owner")
    way_m, way_rate = decode_matrix(message.way_m, "way_m"), decode_matrix(message.way_rate, "way_rate")
    count, pieces = len(cells) if cells.ndim == 3 else -1, len(law) if law.ndim == 2 else -1
    fits = (
        count > 0
        and cells.shape == (count, 6, limits.dof)
        and knots.shape == (count + 1,)
        and owner.shape == (count,)
        and way_m.shape == (count + 1,)
        and way_rate.shape == (count, 2)
        and pieces > 0
        and law.shape == (pieces, 4)
        and breaks.shape == (pieces + 1,)
    )
    if not fits:
        raise InputError(f"the arrays of a trajectory do not match: cells {cells.shape}, law {law.shape}")
    if not all(np.isfinite(part).all() for part in (knots, cells, breaks, law, way_m, way_rate)):
        raise InputError("a trajectory has values that are not finite")
    if (np.diff(knots) < 0.0).any() or (np.diff(breaks) < 0.0).any():
        raise InputError("the knots and breaks of a trajectory must not decrease")
    return Trajectory(
        limits=limits,
        knots=knots,
        cells=cells,
        breaks=breaks,
        law=law,
        owner=owner.astype(np.int64),
        spans=tuple(Span(move, start_s, end_s, None) for move, start_s, end_s in message.spans),
        way_m=way_m,
        way_rate=way_rate,
    )


def encode_scene(scene: Scene, holder: str) -> bus.Arrange:
    """Return what has changed in a scene since the cell's document, as a command."""
    carried = {
        part: bus.CarriedMessage(
            arm=held.arm, T_flange_part=encode_matrix(held.T_flange_part), resting_on=held.resting_on
        )
        for part, held in scene.carried.items()
    }
    poses = {part: encode_matrix(T) for part, T in scene.poses.items()}
    return bus.Arrange(holder=holder, poses=poses, carried=carried, openings=dict(scene.openings))


def decode_scene(message: bus.Arrange, scene: Scene) -> Scene:
    """Return the scene of the cell that a command describes.

    Raises:
        InputError: An object or arm that the cell does not have, or what is not a pose.
    """
    for part in (*message.poses, *message.carried):
        scene.T_world(part)
    carried = {
        part: Carried(scene.arm(held.arm).key, _pose(held.T_flange_part, part), held.resting_on)
        for part, held in message.carried.items()
    }
    poses = {part: _pose(T, part) for part, T in message.poses.items()}
    openings = {scene.arm(arm).key: opening for arm, opening in message.openings.items()}
    return replace(scene, poses=poses, carried=carried, openings=openings)


def _pose(message: bus.Matrix, name: str) -> NDArray[np.float64]:
    T = check_transform(decode_matrix(message, f"pose of {name}"), f"pose of {name}").copy()
    T.setflags(write=False)
    return T
