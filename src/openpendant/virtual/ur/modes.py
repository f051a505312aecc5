"""The modes and states of a controller, with the numbers they have on the wire (RTDE guide, primary interface)."""

from enum import IntEnum


class RobotMode(IntEnum):
    """How far the arm is on its way from off to moving."""

    NO_CONTROLLER = -1
    DISCONNECTED = 0
    CONFIRM_SAFETY = 1
    BOOTING = 2
    POWER_OFF = 3
    POWER_ON = 4
    IDLE = 5
    BACKDRIVE = 6
    RUNNING = 7
    UPDATING_FIRMWARE = 8


class JointMode(IntEnum):
    """The state of one joint's drive."""

    BACKDRIVE = 237
    POWER_OFF = 238
    BOOTING = 247
    VIOLATION = 251
    FAULT = 252
    RUNNING = 253
    IDLE = 255


class ToolMode(IntEnum):
    """The state of the tool's board."""

    NOT_RESPONDING = 245
    RUNNING = 253
    IDLE = 255


class SafetyMode(IntEnum):
    """What the safety system says."""

    NORMAL = 1
    REDUCED = 2
    PROTECTIVE_STOP = 3
    RECOVERY = 4
    SAFEGUARD_STOP = 5
    SYSTEM_EMERGENCY_STOP = 6
    ROBOT_EMERGENCY_STOP = 7
    VIOLATION = 8
    FAULT = 9


class RuntimeState(IntEnum):
    """What the running program does."""

    STOPPING = 0
    STOPPED = 1
    PLAYING = 2
    PAUSING = 3
    PAUSED = 4
    RESUMING = 5


class RobotStatusBit(IntEnum):
    """Bits of `robot_status_bits`, counted from the lowest."""

    POWER_ON = 0
    PROGRAM_RUNNING = 1
    TEACH_BUTTON = 2
    POWER_BUTTON = 3


class SafetyStatusBit(IntEnum):
    """Bits of `safety_status_bits`, counted from the lowest."""

    NORMAL_MODE = 0
    REDUCED_MODE = 1
    PROTECTIVE_STOPPED = 2
    RECOVERY_MODE = 3
    SAFEGUARD_STOPPED = 4
    SYSTEM_EMERGENCY_STOPPED = 5
    ROBOT_EMERGENCY_STOPPED = 6
    EMERGENCY_STOPPED = 7
    VIOLATION = 8
    FAULT = 9
    STOPPED_DUE_TO_SAFETY = 10
