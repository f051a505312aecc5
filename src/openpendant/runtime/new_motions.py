"""New motions: what a command asks an arm to do, checked against where the arm is and what it can do."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import Capabilities
from openpendant.errors import ControllerError, InputError
from openpendant.gate import Gate
from openpendant.messages import bus
from openpendant.motion import Trajectory
from openpendant.said import say

from .arm_executor import ArmExecutor
from .bus_codec import decode_trajectory
from .motions import JOIN_S, ApproachMotion, PathMotion, PathTop

Array = NDArray[np.float64]

START_RAD = 0.01
"""A path must begin as near as this to where the arm rests."""
LEAST_PACE = 1e-4
"""The least override of a path: the least of a run, and below that what keeps a fast tool to reduced speed."""
WITHIN = 1.0 + 1e-3
SAMPLE_S = 0.005
"""Between the samples of the speeds of tool and elbow along a path."""


def path_motion(command: bus.Follow, drive: ArmExecutor, capabilities: Capabilities, gate: Gate) -> PathMotion:
    """Return the motion along a trajectory.

    Raises:
        InputError: The trajectory does not fit the arm or breaks its limits, or the pace is out of range.
        ControllerError: The arm is not where it starts.
    """
    check_pace(command.pace)
    trajectory = decode_trajectory(command.trajectory)
    limits = drive.parts.limits
    if trajectory.dof != limits.dof:
        raise InputError(say("robot.path_joints", count=trajectory.dof, arm=drive.parts.name, dof=limits.dof))
    trajectory = replace(trajectory, limits=limits)
    worst = trajectory.worst_ratios()
    if not all(ratio <= WITHIN for ratio in worst):
        raise InputError(say("robot.path_limits", arm=drive.parts.name, ratios=str(worst)))
    check_start(drive, trajectory.q_start)
    top = _top(drive, trajectory, gate)
    return PathMotion(trajectory, drive.q_rest, capabilities.tick_ns, command.pace, top)


def approach_motion(command: bus.Approach, drive: ArmExecutor, capabilities: Capabilities) -> ApproachMotion:
    """Return the motion towards joints.

    Raises:
        InputError: Joints, gain, exponent or tolerance are not allowed.
    """
    q = drive.parts.kinematics.check_q(command.q)
    for name, value in (("gain", command.gain), ("tolerance_rad", command.tolerance_rad)):
        if not 0.0 < value < np.inf:
            raise InputError(f"{name} is {value}; it must be a positive number")
    if not 0.1 <= command.exponent <= 2.0:
        raise InputError(f"exponent is {command.exponent}; allowed: 0.1 to 2")
    return ApproachMotion(
        drive.q_rest,
        q,
        drive.parts.limits,
        capabilities.tick_ns * 1e-9,
        gain=command.gain,
        exponent=command.exponent,
        tolerance=command.tolerance_rad,
    )


def check_pace(pace: float) -> None:
    """Raise InputError if an override is out of range."""
    if not LEAST_PACE <= pace <= 1.0:
        raise InputError(say("robot.pace", pace=pace, least=f"{LEAST_PACE:g}"))


def check_start(drive: ArmExecutor, q_start: Array) -> None:
    """Raise ControllerError if the arm is not where its path starts."""
    away = np.abs(drive.q_measured - q_start) if q_start.shape == drive.q_measured.shape else np.array([np.inf])
    if not float(away.max()) <= START_RAD:
        joint = int(away.argmax()) + 1
        raise ControllerError(
            say("robot.path_start", away_rad=away.max(), joint=joint, arm=drive.parts.name, most_rad=START_RAD)
        )


def _top(drive: ArmExecutor, trajectory: Trajectory, gate: Gate) -> PathTop:
    """Return how fast tool and elbow get along a trajectory, and may get from where the arm rests."""
    name = drive.parts.name
    along = trajectory.sample(SAMPLE_S)
    lead = (1.5 / JOIN_S * np.abs(drive.q_rest - trajectory.q_start))[None, :]
    return PathTop(
        gate.speeds_along(name, along.q, along.qd),
        SAMPLE_S,
        gate.speed_limit(name, drive.q_rest),
        float(gate.speeds_along(name, along.q[:1], lead)[0]),
    )
