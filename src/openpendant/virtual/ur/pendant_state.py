"""UrPendantState: all that the pendant shows, its words and rows, and which of its buttons can be pressed."""

from openpendant.virtual.pendant import (
    Chip,
    JointRow,
    LayoutButton,
    PageLayout,
    PendantState,
    PoseRow,
    SignalRow,
    StepRow,
    buttons_while_off,
)

from .orders import BUTTONS

JOINT_NAMES = ("Base", "Shoulder", "Elbow", "Wrist 1", "Wrist 2", "Wrist 3")
HEALTHY = ("NORMAL", "REDUCED")
CONTROLS = (*BUTTONS, "load", "freedrive", "speed", "protective_stop")
MODE_WORDS = {
    "POWER_OFF": "power off",
    "POWER_ON": "powering on",
    "IDLE": "brakes closed",
    "RUNNING": "running",
    "BACKDRIVE": "backdrive",
    "BOOTING": "booting",
}
MODE_LEVELS = {"RUNNING": "run", "POWER_OFF": "off"}
PROGRAM_LEVELS = {"PLAYING": "run", "PAUSED": "warn"}
NEXT = {"POWER_OFF": "power_on", "IDLE": "brake_release"}
POSE = (
    *((name, 1e3, "mm", 1) for name in ("X", "Y", "Z")),
    *((name, 1.0, "rad", 3) for name in ("RX", "RY", "RZ")),
)
SHOWN_SIGNALS = 8
PAGE_BUTTONS = (
    LayoutButton("switch_on", "Switch on", "robot"),
    LayoutButton("power_on", "Power on", "robot"),
    LayoutButton("brake_release", "Initialise", "robot"),
    LayoutButton("power_off", "Power off", "robot"),
    LayoutButton("unlock", "Unlock protective stop", "robot"),
    LayoutButton("restart_safety", "Restart safety", "robot"),
    LayoutButton("play", "Play", "program", primary=True),
    LayoutButton("pause", "Pause", "program"),
    LayoutButton("stop", "Stop", "program"),
    LayoutButton("stop_popup", "Stop program", "window"),
    LayoutButton("continue", "Continue", "window", primary=True),
    LayoutButton("shut_down", "Shut down", "test"),
)


def page_layout(model: str, tick_ns: int) -> PageLayout:
    """Return what the page of a model is made of."""
    return PageLayout(
        title=model.upper().removesuffix("E") + ("e" if model.endswith("e") else ""),
        buttons=PAGE_BUTTONS,
        tick_ns=tick_ns,
        stop=("emergency_stop", "emergency_reset"),
        programs="No programs yet. Start with --programs FOLDER, or send a script to port 30001.",
        speed=True,
        by_hand=True,
        protective_stop=True,
        remote=True,
    )


def chips_of(mains: str, mode: str, safety: str, program_state: str, *, remote: bool) -> tuple[Chip, ...]:
    """Return the state in a few words."""
    on = mains == "on"
    robot = MODE_WORDS.get(mode, mode) if on else "booting" if mains == "booting" else "switched off"
    return (
        Chip("robot", "Robot", robot, MODE_LEVELS.get(mode, "warn") if on else "off"),
        Chip(
            "safety",
            "Safety",
            safety.replace("_", " ").lower() if on else "–",
            "off" if not on else "run" if safety in HEALTHY else "stop",
        ),
        Chip(
            "program",
            "Program",
            program_state.lower() if on else "–",
            PROGRAM_LEVELS.get(program_state, "off") if on else "off",
        ),
        Chip("control", "Control", "remote" if remote else "local", "off"),
    )


def steps_of(mains: str, mode: str) -> tuple[StepRow, ...]:
    """Return the progress from switched off to running."""
    on = mains == "on"
    return (
        StepRow("On", on, mains == "booting"),
        StepRow("Power", on and mode not in ("POWER_OFF", "BOOTING"), mode == "POWER_ON"),
        StepRow("Running", on and mode == "RUNNING"),
    )


def offered_in(mains: str, safety: str) -> tuple[str, ...]:
    """Return the buttons of the robot that belong to its state."""
    if mains != "on":
        return ("switch_on",)
    repair = {"PROTECTIVE_STOP": ("unlock",), "VIOLATION": ("restart_safety",), "FAULT": ("restart_safety",)}
    return ("power_on", "brake_release", "power_off", *repair.get(safety, ()))


def pose_rows(pose: tuple[float, ...]) -> tuple[PoseRow, ...]:
    """Return the pose of the tool as the maker's pendant shows it."""
    return tuple(
        PoseRow(name, value * scale, unit, digits)
        for value, (name, scale, unit, digits) in zip(pose, POSE, strict=True)
    )


def signal_rows(bits: int) -> tuple[SignalRow, ...]:
    """Return the standard digital signals in these bits."""
    return tuple(SignalRow(f"standard_digital_{n}", str(n), bits >> n & 1 == 1) for n in range(SHOWN_SIGNALS))


class UrPendantState(PendantState, frozen=True, kw_only=True):
    """What the pendant shows, and the same in the maker's own terms.

    Attributes:
        speed_scaling: What is left of the speed that programs ask for.
        joints: Of the arm.
        tcp_pose: p[x, y, z, rx, ry, rz] of the tool in base, metres and radians.
        tcp_force: Newtons and newton metres in base axes.
        digital_in: Bits of all digital inputs.
        digital_out: Bits of all digital outputs.
    """

    speed_scaling: float
    joints: tuple[JointRow, ...]
    tcp_pose: tuple[float, ...]
    tcp_force: tuple[float, ...]
    digital_in: int
    digital_out: int


def button_reasons(
    mains: str, mode: str, safety: str, program_state: str, program: str, *, emergency: bool, popup: bool
) -> dict[str, str | None]:
    """Return for every button why it cannot be pressed now, or None where it can."""
    if mains != "on":
        return buttons_while_off(mains, CONTROLS)
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
    freedrive = unsafe or not_running or ("Stop the program first." if program_state == "PLAYING" else None)
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
        "freedrive": freedrive,
        "protective_stop": None if freedrive is None or mode == "RUNNING" else "The robot is not running.",
        "speed": None,
        "shut_down": None,
    }
