"""Calibration: a tool's working point from touches of one point, a work object from three points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.said import say
from openpendant.spatial import check_transform, make_transform

Array = NDArray[np.float64]

FEWEST_TOUCHES = 4
SMALLEST_SPREAD = 0.02
"""Least singular value, divided by the square root of the touches, at which three coordinates are known: the flange
must have turned by about 10° in two directions."""
SHORTEST_M = 0.005
SMALLEST_SINE = 0.05
"""The third point must be off the x axis by about 3°."""


@dataclass(frozen=True, slots=True, eq=False)
class TcpFit:
    """A working point that fits touches, and how well."""

    xyz: Array
    """(3,): the TCP in the flange, metres."""
    point: Array
    """(3,): the touched point in the frame of the given poses."""
    residuals: Array
    """(N,): how far each touch misses that point, metres."""
    rms: float
    """Root mean square of the residuals."""
    uncertainty: float
    """How far the TCP may be off if every touch is off by 1 mm, metres: the spread of the directions."""

    @property
    def worst(self) -> float:
        """The greatest residual, metres."""
        return float(self.residuals.max())


@dataclass(frozen=True, slots=True, eq=False)
class FrameFit:
    """A frame through three points, and how well they fix it."""

    T: Array
    """(4, 4): the frame, where the points are given."""
    x_length: float
    """Between origin and the point on x, metres."""
    y_length: float
    """Between the x axis and the third point, metres."""
    uncertainty: float
    """How far the frame may be turned if every point is off by 1 mm, radians."""
    height_residuals: Array
    """(K,): how far further points of the xy plane miss it, metres; empty where none were given."""


def tcp_from_touches(T_base_flange: Sequence[ArrayLike]) -> TcpFit:
    """Return the working point of a tool that has touched one fixed point in several orientations.

    Least squares over R_i · tcp + p_i = point for all touches i.

    Args:
        T_base_flange: Four or more (4, 4) poses of the flange, the tip on the same point each time.

    Raises:
        InputError: Fewer than four poses, or the flange was turned too little or only about one axis, so that
            a coordinate cannot be known; says which.
    """
    poses = np.array([check_transform(T, f"touch {i + 1}") for i, T in enumerate(T_base_flange)])
    if len(poses) < FEWEST_TOUCHES:
        raise InputError(say("calibration.few", count=len(poses), least=FEWEST_TOUCHES))
    count = len(poses)
    A = np.zeros((3 * count, 6))
    A[:, :3] = poses[:, :3, :3].reshape(-1, 3)
    A[:, 3:] = np.tile(-np.eye(3), (count, 1))
    b = -poses[:, :3, 3].reshape(-1)
    # Without the point, the remainder is the spread of the orientations.
    turned = (poses[:, :3, :3] - poses[:, :3, :3].mean(axis=0)).reshape(-1, 3)
    _, spread, directions = np.linalg.svd(turned, full_matrices=False)
    spread = spread / math.sqrt(count)
    if spread[2] < SMALLEST_SPREAD:
        if spread[0] < SMALLEST_SPREAD:
            raise InputError(say("calibration.same"))
        axis = ", ".join(f"{value:.2f}" for value in directions[2])
        raise InputError(say("calibration.one_axis", axis=axis))
    solution: Array = np.asarray(np.linalg.lstsq(A, b, rcond=None)[0], dtype=np.float64)
    misses: Array = np.asarray(np.linalg.norm((A @ solution - b).reshape(-1, 3), axis=1), dtype=np.float64)
    rms = float(np.sqrt(np.mean(misses**2)))
    uncertainty = 0.001 * float(np.linalg.norm(1.0 / spread)) / math.sqrt(count)
    return TcpFit(_frozen(solution[:3]), _frozen(solution[3:]), _frozen(misses), rms, uncertainty)


def frame_from_three_points(
    origin: ArrayLike, on_x: ArrayLike, in_xy: ArrayLike, further: Sequence[ArrayLike] = ()
) -> FrameFit:
    """Return the work object whose origin, x axis and xy plane three touched points fix.

    Args:
        origin: (3,) where it starts.
        on_x: (3,) a point on its positive x axis.
        in_xy: (3,) a point of its xy plane, on the side of positive y.
        further: More points of the xy plane, to see how flat it is.

    Raises:
        InputError: Points are nearer than 5 mm to each other or lie on one line; says which.
    """
    o, a, b = _point(origin, "origin"), _point(on_x, "on_x"), _point(in_xy, "in_xy")
    x_length = float(np.linalg.norm(a - o))
    if x_length < SHORTEST_M:
        raise InputError(say("calibration.near", apart_mm=x_length * 1000))
    e_x = (a - o) / x_length
    across = (b - o) - e_x * float((b - o) @ e_x)
    y_length = float(np.linalg.norm(across))
    if y_length < SHORTEST_M or y_length < SMALLEST_SINE * float(np.linalg.norm(b - o)):
        raise InputError(say("calibration.one_line", off_mm=y_length * 1000))
    e_y = across / y_length
    e_z = np.cross(e_x, e_y)
    heights = np.array([(_point(p, f"further point {i + 1}") - o) @ e_z for i, p in enumerate(further)])
    uncertainty = 0.001 * math.hypot(math.sqrt(2.0) / x_length, math.sqrt(2.0) / y_length)
    T = make_transform(np.column_stack([e_x, e_y, e_z]), o)
    return FrameFit(_frozen(T), x_length, y_length, uncertainty, _frozen(heights.reshape(-1)))


def _point(value: ArrayLike, name: str) -> Array:
    try:
        point = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(say("calibration.point", point=name, value=repr(value))) from None
    if point.shape != (3,) or not np.isfinite(point).all():
        raise InputError(say("calibration.point", point=name, value=str(point.tolist())))
    return point


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array
