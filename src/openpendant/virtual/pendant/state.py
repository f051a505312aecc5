"""PendantState: all that a pendant shows, whatever its maker."""

import math

import msgspec


class JointRow(msgspec.Struct, frozen=True):
    """One joint; radians and radians per second, or metres; amperes, degrees Celsius; None: not reported."""

    name: str
    target: float
    actual: float
    speed: float
    current: float | None = None
    temperature: float | None = None
    mode: str | None = None
    unit: str = "rad"
    """"rad" or "m"."""
    lower: float = -math.tau
    upper: float = math.tau


class PoseRow(msgspec.Struct, frozen=True):
    """One number of a pose, in the maker's own words: "X", in "mm", with one digit."""

    name: str
    value: float
    unit: str
    digits: int


class ArmRow(msgspec.Struct, frozen=True):
    """One arm.

    Attributes:
        name: Empty where it is the only one.
        joints: In the maker's order.
        frame: What the pose is, as "Tool in base".
        pose: As the maker's pendant shows it; empty: it shows none.
    """

    name: str
    joints: tuple[JointRow, ...]
    frame: str = ""
    pose: tuple[PoseRow, ...] = ()


class SignalRow(msgspec.Struct, frozen=True):
    """One digital signal: its name in orders, what is written on it, and whether it is on."""

    name: str
    label: str
    on: bool


class Chip(msgspec.Struct, frozen=True):
    """One word about the controller. `level` is "run", "warn", "stop" or "off"."""

    name: str
    title: str
    text: str
    level: str


class StepRow(msgspec.Struct, frozen=True):
    """One step from switched off to ready."""

    title: str
    done: bool
    busy: bool = False


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


class TerminalKey(msgspec.Struct, frozen=True):
    """A key under the terminal: what is written on it, and the line that it types."""

    title: str
    text: str


class PopupWindow(msgspec.Struct, frozen=True):
    """A window that waits for an answer."""

    title: str
    text: str
    level: str
    blocking: bool


class PendantState(msgspec.Struct, frozen=True, kw_only=True):
    """What the pendant shows. `mains` is "on", "booting" or "off"; while it is not on, the rest is as it was last.

    Attributes:
        model: As `openpendant virtual` calls it.
        address: Where its ports are.
        version: Of the controller's software; empty: not reported.
        mains: Of the controller.
        time_s: Its own time.
        robot_mode: In the maker's words.
        safety: In the maker's words; "NORMAL" where nothing is wrong.
        program_state: "STOPPED", "PLAYING" or "PAUSED".
        program: That is loaded; empty: none.
        programs: That can be loaded.
        line: Of the program that runs; 0: none.
        remote: Whether clients may operate it.
        emergency: Whether its emergency stop is pressed.
        freedrive: Whether somebody moves it by hand.
        speed_slider: 0 to 1.
        chips: The state in a few words.
        steps: From switched off to ready.
        arms: Each with its joints.
        inputs: Digital ones.
        outputs: Digital ones.
        terminal: Lines of its terminal, the newest last; None: it has none.
        keys: That answer what is asked at the terminal.
        keypad: Whether a number is asked there.
        popup: The window in front.
        messages: Newest lines of its log.
        faults: That last.
        late_p99_us: How late its ticks begin.
        buttons: Every button: None where it can be pressed now, else why not in a sentence.
        offered: Buttons of the section "robot" that belong to this state; others are hidden.
        next: The button that a person will want next; empty: none.
    """

    model: str
    address: str
    mains: str
    time_s: float
    robot_mode: str
    safety: str
    program_state: str
    messages: tuple[MessageRow, ...]
    faults: tuple[str, ...]
    late_p99_us: float
    buttons: dict[str, str | None]
    version: str = ""
    program: str = ""
    programs: tuple[str, ...] = ()
    line: int = 0
    remote: bool = True
    emergency: bool = False
    freedrive: bool = False
    speed_slider: float = 1.0
    chips: tuple[Chip, ...] = ()
    steps: tuple[StepRow, ...] = ()
    arms: tuple[ArmRow, ...] = ()
    inputs: tuple[SignalRow, ...] = ()
    outputs: tuple[SignalRow, ...] = ()
    terminal: tuple[str, ...] | None = None
    keys: tuple[TerminalKey, ...] = ()
    keypad: bool = False
    popup: PopupWindow | None = None
    offered: tuple[str, ...] = ()
    next: str = ""
