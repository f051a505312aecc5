"""The messages of Externally Guided Motion, field by field, with the numbers of ABB's egm.proto.

Where software versions differ, both layouts are read: RobotWare 6 sends forces as field 1 of EgmMeasuredForce, later
software has a flag there and the forces in field 2. Fields that came later are None where they were not sent.
"""

# ruff: noqa: RUF009 - what declares a field returns a dataclasses.field

from dataclasses import dataclass
from enum import IntEnum

from .fields import (
    boolean,
    boxed_doubles,
    boxed_enumerator,
    decode_message,
    double,
    doubles,
    enumerator,
    integer,
    message,
)

Doubles = tuple[float, ...]


class EgmMessageType(IntEnum):
    """What a message is for."""

    UNDEFINED = 0
    COMMAND = 1
    DATA = 2
    CORRECTION = 3
    PATH_CORRECTION = 4


class EgmMotorState(IntEnum):
    """Whether the motors are on."""

    UNDEFINED = 0
    ON = 1
    OFF = 2


class EgmMotionState(IntEnum):
    """Whether the robot is guided (in egm.proto: MCI state)."""

    UNDEFINED = 0
    ERROR = 1
    STOPPED = 2
    RUNNING = 3


class EgmRapidState(IntEnum):
    """Whether RAPID runs."""

    UNDEFINED = 0
    STOPPED = 1
    RUNNING = 2


@dataclass(frozen=True, slots=True)
class EgmHeader:
    """Sequence number, milliseconds of the sender's clock, and what the message is for."""

    sequence: int | None = integer(1, 32)
    time_ms: int | None = integer(2, 32)
    type: EgmMessageType | None = enumerator(3, EgmMessageType)


@dataclass(frozen=True, slots=True)
class EgmCartesian:
    """Millimetres."""

    x: float = double(1, required=True)
    y: float = double(2, required=True)
    z: float = double(3, required=True)


@dataclass(frozen=True, slots=True)
class EgmQuaternion:
    """w, x, y and z."""

    u0: float = double(1, required=True)
    u1: float = double(2, required=True)
    u2: float = double(3, required=True)
    u3: float = double(4, required=True)


@dataclass(frozen=True, slots=True)
class EgmEuler:
    """Degrees about x, y and z."""

    x: float = double(1, required=True)
    y: float = double(2, required=True)
    z: float = double(3, required=True)


@dataclass(frozen=True, slots=True)
class EgmClock:
    """Seconds and microseconds."""

    seconds: int = integer(1, 64, required=True)
    microseconds: int = integer(2, 64, required=True)


@dataclass(frozen=True, slots=True)
class EgmPose:
    """A pose; a sensor may send angles in place of the quaternion."""

    position: EgmCartesian | None = message(1, EgmCartesian)
    orientation: EgmQuaternion | None = message(2, EgmQuaternion)
    euler: EgmEuler | None = message(3, EgmEuler)


@dataclass(frozen=True, slots=True)
class EgmPlanned:
    """Where the robot is meant to be. Joints in degrees; the seventh joint of an arm is its first external one."""

    joints: Doubles | None = boxed_doubles(1)
    pose: EgmPose | None = message(2, EgmPose)
    external_joints: Doubles | None = boxed_doubles(3)
    time: EgmClock | None = message(4, EgmClock)


@dataclass(frozen=True, slots=True)
class EgmFeedBack:
    """Where the robot is; as `EgmPlanned`."""

    joints: Doubles | None = boxed_doubles(1)
    pose: EgmPose | None = message(2, EgmPose)
    external_joints: Doubles | None = boxed_doubles(3)
    time: EgmClock | None = message(4, EgmClock)


@dataclass(frozen=True, slots=True)
class EgmSpeedRef:
    """Speeds to move with: degrees/s of joints; of the tool mm/s and degrees/s."""

    joints: Doubles | None = boxed_doubles(1)
    tool: Doubles | None = boxed_doubles(2)
    external_joints: Doubles | None = boxed_doubles(3)


@dataclass(frozen=True, slots=True)
class EgmPathCorr:
    """How far from the path, in coordinates of the path, and how many ms ago that was measured."""

    position: EgmCartesian = message(1, EgmCartesian, required=True)
    age_ms: int = integer(2, 32, required=True)


@dataclass(frozen=True, slots=True)
class EgmMeasuredForce:
    """Forces in N and torques in Nm, in the layout of the sender's software."""

    active: bool | None = boolean(1)
    force: Doubles = doubles(2)
    force_rw6: Doubles = doubles(1)
    """In the layout of RobotWare 6; the two others are empty then."""

    @property
    def values(self) -> Doubles:
        """The forces, whichever layout they came in; none where the sensor of the robot is off."""
        return () if self.active is False else self.force or self.force_rw6


@dataclass(frozen=True, slots=True)
class EgmCollisionInfo:
    """What the supervision of collisions sees."""

    triggered: bool | None = boolean(1)
    quota: Doubles = doubles(2)


@dataclass(frozen=True, slots=True)
class EgmRapidData:
    """Values for a RAPID program, or of it."""

    flag: bool | None = boolean(1)
    numbers: Doubles = doubles(2)


@dataclass(frozen=True, slots=True)
class EgmRobot:
    """What a robot sends."""

    header: EgmHeader | None = message(1, EgmHeader)
    feed_back: EgmFeedBack | None = message(2, EgmFeedBack)
    planned: EgmPlanned | None = message(3, EgmPlanned)
    motors: EgmMotorState | None = boxed_enumerator(4, EgmMotorState)
    motion: EgmMotionState | None = boxed_enumerator(5, EgmMotionState)
    converged: bool | None = boolean(6)
    test_signals: Doubles | None = boxed_doubles(7)
    rapid: EgmRapidState | None = boxed_enumerator(8, EgmRapidState)
    force: EgmMeasuredForce | None = message(9, EgmMeasuredForce)
    utilization: float | None = double(10)
    move_index: int | None = integer(11, 32)
    collision: EgmCollisionInfo | None = message(12, EgmCollisionInfo)
    rapid_data: EgmRapidData | None = message(13, EgmRapidData)


@dataclass(frozen=True, slots=True)
class EgmSensor:
    """Where a sensor wants the robot."""

    header: EgmHeader | None = message(1, EgmHeader)
    planned: EgmPlanned | None = message(2, EgmPlanned)
    speed: EgmSpeedRef | None = message(3, EgmSpeedRef)
    rapid_data: EgmRapidData | None = message(4, EgmRapidData)


@dataclass(frozen=True, slots=True)
class EgmSensorPathCorr:
    """How a sensor corrects a path."""

    header: EgmHeader | None = message(1, EgmHeader)
    correction: EgmPathCorr | None = message(2, EgmPathCorr)


@dataclass(frozen=True, slots=True)
class EgmJoints:
    """Of a feedback or a plan: the joints alone, in degrees."""

    joints: Doubles | None = boxed_doubles(1)
    external_joints: Doubles | None = boxed_doubles(3)


@dataclass(frozen=True, slots=True)
class EgmRobotJoints:
    """What a robot sends, without poses: what guidance by joints needs, in a part of the time."""

    header: EgmHeader | None = message(1, EgmHeader)
    feed_back: EgmJoints | None = message(2, EgmJoints)
    planned: EgmJoints | None = message(3, EgmJoints)
    motors: EgmMotorState | None = boxed_enumerator(4, EgmMotorState)
    motion: EgmMotionState | None = boxed_enumerator(5, EgmMotionState)


def decode_robot_joints(data: bytes) -> EgmRobotJoints:
    """Read the joints in a datagram of a robot.

    Raises:
        ProtocolError: It is none; says why.
    """
    return decode_message(EgmRobotJoints, data)


def decode_robot(data: bytes) -> EgmRobot:
    """Read a datagram of a robot.

    Raises:
        ProtocolError: It is none; says why.
    """
    return decode_message(EgmRobot, data)


def decode_sensor(data: bytes) -> EgmSensor | EgmSensorPathCorr:
    """Read a datagram of a sensor; its header says which message it is.

    Raises:
        ProtocolError: It is none; says why.
    """
    # A path correction has other fields under the same numbers, so the header has to be read first, by itself.
    header = decode_message(_Headed, data).header
    if header is not None and header.type is EgmMessageType.PATH_CORRECTION:
        return decode_message(EgmSensorPathCorr, data)
    return decode_message(EgmSensor, data)


@dataclass(frozen=True, slots=True)
class _Headed:
    header: EgmHeader | None = message(1, EgmHeader)
