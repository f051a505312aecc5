"""What the robot sends while it is guided: its joints and its pose, measured and planned."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from openpendant.protocols.egm import (
    EgmCartesian,
    EgmClock,
    EgmFeedBack,
    EgmHeader,
    EgmMessageType,
    EgmMotionState,
    EgmMotorState,
    EgmPlanned,
    EgmPose,
    EgmQuaternion,
    EgmRapidState,
    EgmRobot,
    encode_message,
)
from openpendant.spatial import inverse, quaternion_from_matrix

from .frames import frame_of, frame_of_tool, frame_of_wobj
from .guidance_settings import GuidanceSettings
from .unit import SIX, MechanicalUnit

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RobotMoment:
    """What a message says beside joints and poses.

    Attributes:
        sequence: Number of the message.
        time_s: Of the controller's clock.
        motors: Whether they are on.
        guided: Whether the sensor leads the arm.
        rapid: Whether programs run.
        converged: Whether the arm is where the sensor wants it.
    """

    sequence: int
    time_s: float
    motors: bool
    guided: bool
    rapid: bool
    converged: bool


def robot_message(unit: MechanicalUnit, settings: GuidanceSettings, moment: RobotMoment) -> bytes:
    """Return the datagram of a moment."""
    arm = unit.arm
    milliseconds = round(1000.0 * moment.time_s)
    seconds, rest = divmod(1000 * milliseconds, 1_000_000)
    time = EgmClock(seconds, rest)
    robot = EgmRobot(
        EgmHeader(moment.sequence, milliseconds, EgmMessageType.DATA),
        EgmFeedBack(*_place(unit, settings, arm.plant.q), time),
        EgmPlanned(*_place(unit, settings, arm.mover.target), time),
        EgmMotorState.ON if moment.motors else EgmMotorState.OFF,
        EgmMotionState.RUNNING if moment.guided else EgmMotionState.STOPPED,
        moment.converged,
        rapid=EgmRapidState.RUNNING if moment.rapid else EgmRapidState.STOPPED,
    )
    return encode_message(robot)


def _place(
    unit: MechanicalUnit, settings: GuidanceSettings, q: Array
) -> tuple[tuple[float, ...], EgmPose, tuple[float, ...]]:
    """Return the joints of the first six axes, the pose, and axis 7 as the first external one."""
    degrees = tuple(np.degrees(q).tolist())
    return degrees[:SIX], _pose(unit, settings, q), degrees[SIX:]


@lru_cache(maxsize=64)
def _frames(settings: GuidanceSettings) -> tuple[Array, Array]:
    """Return the base in the frame of the poses, and the tool in the controller's flange."""
    T_frame = frame_of_wobj(settings.wobj)
    if settings.kind != "path":
        # Where a path is corrected, the frame of the sensor moves with the tool.
        T_frame = T_frame @ frame_of(settings.frame)
    return inverse(T_frame), frame_of_tool(settings.tool)


def _pose(unit: MechanicalUnit, settings: GuidanceSettings, q: Array) -> EgmPose:
    T_frame_base, T_flange_tool = _frames(settings)
    flange = unit.arm.model.T_flange_controller
    T = T_frame_base @ unit.arm.model.arm.fk(q, check_limits=False) @ flange @ T_flange_tool
    x, y, z = (1000.0 * T[:3, 3]).tolist()
    u0, u1, u2, u3 = quaternion_from_matrix(T[:3, :3]).tolist()
    return EgmPose(EgmCartesian(x, y, z), EgmQuaternion(u0, u1, u2, u3))
