"""PendantState: all that a pendant shows, and which of its buttons can be pressed."""

import msgspec

from .orders import BUTTONS

__all__ = ["JointRow", "MessageRow", "PendantState", "PopupWindow", "button_reasons"]

JOINT_NAMES = ("Base", "Shoulder", "Elbow", "Wrist 1", "Wrist 2", "Wrist 3")
HEALTHY = ("NORMAL", "REDUCED")
CONTROLS = (*BUTTONS, "load", "freedrive", "speed")


class JointRow(msgspec.Struct, frozen=True):
    """One joint; radians, radians per second, amperes, degrees Celsius."""

    name: str
    target: float
    actual: float
    speed: float
    current: float
    temperature: float
    mode: str


class MessageRow(msgspec.Struct, frozen=True):
    """One line of the log.

    Attributes:
        number: Counts up from 1, over reboots too.
        time_s: Controller time.
        level: "info", "warning" or "error".
        text: What it says.
    """

    number: int
    time_s: float
    level: str
    text: str


class PopupWindow(msgspec.Struct, frozen=True):
    """A window that waits for an answer."""

    title: str
    text: str
    level: str
    blocking: bool


class PendantState(msgspec.Struct, frozen=True):
    """What the pendant shows. `mains` is "on", "booting" or "off"; while it is not on, the rest is as it was last.

    `buttons` has every button: None where it can be pressed now, else why not in a sentence.
    """

    model: str
    address: str
    version: str
    mains: str
    time_s: float
    robot_mode: str
    safety: str
    program_state: str
    program: str
    programs: tuple[str, ...]
    line: int
    remote: bool
    emergency: bool
    freedrive: bool
    speed_slider: float
    speed_scaling: float
    joints: tuple[JointRow, ...]
    tcp_pose: tuple[float, ...]
    tcp_force: tuple[float, ...]
    digital_in: int
    digital_out: int
    popup: PopupWindow | None
    messages: tuple[MessageRow, ...]
    faults: tuple[str, ...]
    late_p99_us: float
    buttons: dict[str, str | None]


def button_reasons(
    mains: str, mode: str, safety: str, program_state: str, program: str, *, emergency: bool, popup: bool
) -> dict[str, str | None]:
    """Return for every button why it cannot be pressed now, or None where it can."""
    if mains != "on":
        off = "The controller is booting." if mains == "booting" else "The controller is switched off."
        reasons: dict[str, str | None] = dict.fromkeys(CONTROLS, off)
        return reasons | {"switch_on": None if mains == "off" else off}
    pressed = "Pull out the emergency stop first." if emergency else None
    unsafe = pressed
    if unsafe is None and safety not in HEALTHY:
        unsafe = {
            "PROTECTIVE_STOP": "Unlock the protective stop first.",
            "VIOLATION": "Restart the safety system first.",
            "FAULT": "Restart the safety system first.",
        }.get(safety, f"The safety system says {safety.replace('_', ' ').lower()}.")
    running = mode in ("RUNNING", "BACKDRIVE")
    busy = program_state in ("PLAYING", "PAUSED")
    not_running = None if running else "Initialise the robot first: release its brakes."
    return {
        "switch_on": "It is on.",
        "power_on": unsafe or (None if mode == "POWER_OFF" else "The robot has power."),
        "brake_release": unsafe or (None if not running else "The brakes are released."),
        "power_off": "The robot has no power." if mode == "POWER_OFF" else None,
        "load": "Stop the program first." if busy else None,
        "play": unsafe
        or not_running
        or ("The program is running." if program_state == "PLAYING" else None)
        or (None if program else "Load a program first."),
        "pause": None if program_state == "PLAYING" else "No program is running.",
        "stop": None if busy else "No program is running.",
        "continue": None if popup else "No window is open.",
        "stop_popup": None if popup else "No window is open.",
        "emergency_stop": "It is pressed." if emergency else None,
        "emergency_reset": None if emergency else "It is not pressed.",
        "unlock": None if safety == "PROTECTIVE_STOP" else "There is no protective stop.",
        "restart_safety": pressed
        or (None if safety in ("VIOLATION", "FAULT") else "The safety system needs no restart."),
        "freedrive": unsafe or not_running or ("Stop the program first." if program_state == "PLAYING" else None),
        "speed": None,
        "shut_down": None,
    }
