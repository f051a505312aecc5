"""Robot state (message type 16): sub-packages, each a record of its fields in wire order.

Layouts of PolyScope 5.10 and later (Client interfaces, "Robot state message"). A message carries several
sub-packages in any order; those that change rarely (kinematics, configuration) come with the first message
of a connection and after a change. Angles in radians, lengths in metres, temperatures in degrees Celsius.
"""

from dataclasses import dataclass, fields
from typing import ClassVar, Self

from .framer import encode_message
from .layout import FieldValue, Layout

Vector3 = tuple[float, float, float]
Vector6 = tuple[float, float, float, float, float, float]
Words6 = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class StatePackage:
    """A sub-package of the robot state."""

    TYPE: ClassVar[int]
    LAYOUT: ClassVar[Layout]

    def encode(self) -> bytes:
        """Return the whole sub-package: int32 size, uint8 type, fields. Raises InputError on a bad value."""
        return encode_message(self.TYPE, self.LAYOUT.pack(type(self).__name__, self._values()))

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Read the bytes after the 5-byte header. Raises ProtocolError when there are too few."""
        return cls(*cls.LAYOUT.unpack(cls.__name__, payload))

    def _values(self) -> tuple[FieldValue, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True)
class RobotModeInfo(StatePackage):
    """What the robot is doing as a whole. `timestamp_us`: controller time in microseconds."""

    timestamp_us: int
    real_robot_connected: bool
    real_robot_enabled: bool
    power_on: bool
    emergency_stopped: bool
    protective_stopped: bool
    program_running: bool
    program_paused: bool
    robot_mode: int
    control_mode: int
    target_speed_fraction: float
    speed_scaling: float
    target_speed_fraction_limit: float
    reserved: int = 0
    TYPE: ClassVar[int] = 0
    LAYOUT: ClassVar[Layout] = Layout("Q", *"???????", "B", "B", "d", "d", "d", "B")


@dataclass(frozen=True, slots=True)
class JointData(StatePackage):
    """The six joints; each field is a vector over the joints. `micro_temperature` is out of use."""

    q_actual: Vector6
    q_target: Vector6
    qd_actual: Vector6
    current: Vector6
    voltage: Vector6
    motor_temperature: Vector6
    micro_temperature: Vector6
    mode: Words6
    TYPE: ClassVar[int] = 1
    LAYOUT: ClassVar[Layout] = Layout(("6d", "6d", "6d", "6f", "6f", "6f", "6f", "6B"))


@dataclass(frozen=True, slots=True)
class ToolData(StatePackage):
    """The tool flange's inputs and supply."""

    analog_input_range: tuple[int, int]
    analog_input: tuple[float, float]
    voltage_48v: float
    output_voltage: int
    current: float
    temperature: float
    mode: int
    TYPE: ClassVar[int] = 2
    LAYOUT: ClassVar[Layout] = Layout("2B", "2d", "f", "B", "f", "f", "B")


@dataclass(frozen=True, slots=True)
class CartesianInfo(StatePackage):
    """The tool in the base frame and the tool's offset from the flange: position and rotation vector."""

    tcp_pose: Vector6
    tcp_offset: Vector6
    TYPE: ClassVar[int] = 4
    LAYOUT: ClassVar[Layout] = Layout("6d", "6d")


@dataclass(frozen=True, slots=True)
class KinematicsInfo(StatePackage):
    """Calibrated Denavit-Hartenberg parameters of this very arm."""

    checksum: Words6
    dh_theta: Vector6
    dh_a: Vector6
    dh_d: Vector6
    dh_alpha: Vector6
    calibration_status: int
    TYPE: ClassVar[int] = 5
    LAYOUT: ClassVar[Layout] = Layout("6I", "6d", "6d", "6d", "6d", "I")


@dataclass(frozen=True, slots=True)
class ConfigurationInfo(StatePackage):
    """Limits, defaults and nominal Denavit-Hartenberg parameters of the arm's model."""

    joint_min: Vector6
    joint_max: Vector6
    joint_max_speed: Vector6
    joint_max_acceleration: Vector6
    default_joint_speed: float
    default_joint_acceleration: float
    default_tool_speed: float
    default_tool_acceleration: float
    equivalent_radius: float
    dh_a: Vector6
    dh_d: Vector6
    dh_alpha: Vector6
    dh_theta: Vector6
    masterboard_version: int
    controller_box_type: int
    robot_type: int
    robot_sub_type: int
    TYPE: ClassVar[int] = 6
    LAYOUT: ClassVar[Layout] = Layout(
        ("6d", "6d"), ("6d", "6d"), "d", "d", "d", "d", "d", "6d", "6d", "6d", "6d", "I", "I", "I", "I"
    )


@dataclass(frozen=True, slots=True)
class ForceModeInfo(StatePackage):
    """The wrench of force mode (N, Nm) and how freely the arm can move."""

    wrench: Vector6
    robot_dexterity: float
    TYPE: ClassVar[int] = 7
    LAYOUT: ClassVar[Layout] = Layout("6d", "d")


@dataclass(frozen=True, slots=True)
class AdditionalInfo(StatePackage):
    """Buttons of the teach pendant."""

    teach_button: int
    freedrive_enabled: bool
    io_freedrive_enabled: bool
    reserved: int = 0
    TYPE: ClassVar[int] = 8
    LAYOUT: ClassVar[Layout] = Layout("B", "?", "?", "B")


@dataclass(frozen=True, slots=True)
class CalibrationInfo(StatePackage):
    """Six numbers for the maker's own software."""

    values: Vector6
    TYPE: ClassVar[int] = 9
    LAYOUT: ClassVar[Layout] = Layout("6d")


@dataclass(frozen=True, slots=True)
class SafetyInfo(StatePackage):
    """For the maker's own software: checksum of the safety configuration, modes, and the elbow's place."""

    checksum: int
    safety_mode: int
    reserved: int
    elbow: Vector3
    elbow_radius: float
    TYPE: ClassVar[int] = 10
    LAYOUT: ClassVar[Layout] = Layout("I", "B", "B", "3d", "d")


@dataclass(frozen=True, slots=True)
class ToolCommunicationInfo(StatePackage):
    """The serial line of the tool flange."""

    enabled: bool
    baud_rate: int
    parity: int
    stop_bits: int
    rx_idle_chars: float
    tx_idle_chars: float
    TYPE: ClassVar[int] = 11
    LAYOUT: ClassVar[Layout] = Layout("?", "I", "I", "I", "f", "f")


@dataclass(frozen=True, slots=True)
class ToolModeInfo(StatePackage):
    """How the tool flange's outputs are wired."""

    output_mode: int
    digital_output_mode: tuple[int, int]
    TYPE: ClassVar[int] = 12
    LAYOUT: ClassVar[Layout] = Layout("B", "2B")


@dataclass(frozen=True, slots=True)
class SingularityInfo(StatePackage):
    """How near the arm is to a singularity, and to which."""

    severity: int
    kind: int
    TYPE: ClassVar[int] = 13
    LAYOUT: ClassVar[Layout] = Layout("B", "B")


@dataclass(frozen=True, slots=True)
class UnknownPackage:
    """A sub-package of a type that is not listed here."""

    type: int
    payload: bytes

    def encode(self) -> bytes:
        """Return the whole sub-package."""
        return encode_message(self.type, self.payload)
