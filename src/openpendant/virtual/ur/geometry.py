"""Geometry: the arm as the controller computes with it, built from the DH table of this specimen."""

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm, Chain
from openpendant.motion import JointLimits, StopLimits
from openpendant.virtual.arm import SMOOTHING_S, ArmModel, brakes_at_once, no_load

from .model import UrModel

Array = NDArray[np.float64]

JOINT_TITLES = ("Base", "Shoulder", "Elbow", "Wrist 1", "Wrist 2", "Wrist 3")
JERK_TIME_S = 0.03
"""Full acceleration is reached in this time."""
GUARD_RAD_S2 = 12.0
"""Deceleration with which a joint must still come to rest before its limit of position."""


def build_arm(model: UrModel, dh: Array | None = None) -> Arm:
    """Return the arm in the controller's own base and tool flange.

    Args:
        model: The arm.
        dh: (6, 4) a, d, alpha, offset of theta; default: the calibrated table.
    """
    table = model.dh() if dh is None else dh
    W_here, T_flange = _axes(table)
    W_drawn, _ = _axes(model.nominal_dh())
    # Nearly parallel axes are calibrated by sliding frames far along them (metres that cancel). A frame may slide
    # along its own axis without changing the arm, so each goes to where the drawing has it.
    for W, drawn in zip(W_here, W_drawn, strict=True):
        axis = W[:3, 2]
        W[:3, 3] += axis * float(axis @ (drawn[:3, 3] - W[:3, 3]))
    T_parent_joint: list[Array] = []
    T = np.eye(4)
    for W in W_here:
        T_parent_joint.append(np.linalg.inv(T) @ W)
        T = W
    lower, upper = _limits(model)
    chain = Chain(
        names=tuple(title.lower().replace(" ", "_") for title in JOINT_TITLES),
        order=np.arange(6, dtype=np.int64),
        T_parent_joint=np.array(T_parent_joint),
        axis=np.tile([0.0, 0.0, 1.0], (6, 1)),
        prismatic=np.zeros(6, dtype=np.bool_),
        T_last_flange=np.linalg.inv(T) @ T_flange,
        lower=lower,
        upper=upper,
    )
    return Arm(model.name, chain, base="base", flange="tool_flange", joint_titles=JOINT_TITLES)


def build_limits(model: UrModel) -> JointLimits:
    """Return the limits of planned moves."""
    lower, upper = _limits(model)
    acceleration = np.array(model.acceleration)
    stop = StopLimits(np.array(model.stop), np.full(6, SMOOTHING_S))
    return JointLimits(lower, upper, np.array(model.velocity), acceleration, acceleration / JERK_TIME_S, stop)


def build_model(model: UrModel) -> ArmModel:
    """Return what moves: the arm with all its limits. What it weighs is in the kernel that measures."""
    return ArmModel(
        build_arm(model),
        build_limits(model),
        supervised=np.array(model.supervised),
        hardest=np.array(model.hardest),
        guard=GUARD_RAD_S2,
        brake=brakes_at_once(6),
        load=no_load(6),
    )


def _limits(model: UrModel) -> tuple[Array, Array]:
    endless = np.array(model.endless)
    return np.where(endless, -np.inf, model.lower), np.where(endless, np.inf, model.upper)


def _axes(dh: Array) -> tuple[list[Array], Array]:
    """Return the frame of each joint axis in the base with all joints at zero (z is the axis), and the flange."""
    frames: list[Array] = []
    T = np.eye(4)
    for a, d, alpha, theta in dh:
        frames.append(T @ _link(0.0, 0.0, 0.0, theta))
        T = T @ _link(a, d, alpha, theta)
    return frames, T


def _link(a: float, d: float, alpha: float, theta: float) -> Array:
    ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    return np.array(
        [[ct, -st * ca, st * sa, a * ct], [st, ct * ca, -ct * sa, a * st], [0.0, sa, ca, d], [0.0, 0.0, 0.0, 1.0]]
    )
