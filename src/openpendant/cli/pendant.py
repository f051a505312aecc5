"""`openpendant pendant`: the pendant of a virtual controller in the terminal, as a screen or one command at a time."""

import json
import math
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .joints import JsonOption

if TYPE_CHECKING:
    from rich.console import Group

    from openpendant.makers import VirtualMaker
    from openpendant.virtual.launch import VirtualControl

POLL_EVERY_S = 0.1
SHOWN_MESSAGES = 8
SHOWN_LINES = 8
ORDERS = (
    "state, load NAME, speed PERCENT, type TEXT, protective-stop, fault KIND [SECONDS], and every button, such as "
    "emergency-stop"
)
OTHER_KEYS = "flq+-"
"""Order names that are not buttons."""
PAD = "0123456789.-"
BACKSPACE, ENTER = "\x7f\x08", "\r\n"
NO_BUTTONS = ("load", "freedrive", "speed", "protective_stop")
"""Orders of their own, of which the state says beside its buttons whether they can be given."""


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("pendant")(pendant)


def pendant(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Address of a virtual controller.")] = "127.0.0.2",
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ORDER [VALUE]]", help=f"Send one command instead of opening the screen: {ORDERS}."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Operate a virtual controller: power, brakes, program, popups, emergency stop, speed, freedrive."""
    from openpendant.virtual.launch import VirtualControl

    control = VirtualControl(address)
    try:
        if words:
            obey(control, [word.strip() for word in words], as_json=as_json)
        elif as_json or not sys.stdin.isatty():
            obey(control, ["state"], as_json=as_json)
        else:
            Screen(control).run()
    finally:
        control.disconnect()


def obey(control: "VirtualControl", words: list[str], *, as_json: bool) -> None:
    """Carry out one order and print the state after it; raises InputError on an invalid order."""
    from openpendant.errors import InputError

    match words:
        case ["state"]:
            pass
        case ["load", name]:
            control.control("load", program=name)
        case ["speed", percent]:
            control.control("speed", fraction=number(percent) / 100.0)
        case ["type", *words]:
            control.control("type", text=" ".join(words))
        case ["protective-stop"]:
            control.control("protective_stop")
        case ["fault", kind]:
            control.fault(kind)
        case ["fault", kind, seconds]:
            control.fault(kind, seconds=number(seconds))
        case [word]:
            maker = virtual_maker(control.state())
            button = word.replace("-", "_")
            control.press(button if maker is None else maker.words.get(word, button))
        case _:
            raise InputError(f"{' '.join(words)!r} is not a command; known: {ORDERS}")
    state = control.state()
    if as_json:
        print(json.dumps(state))
        return
    from .screen import console

    console().print(picture(state, ""))


def virtual_maker(state: dict[str, Any]) -> "VirtualMaker | None":
    """Return the maker of the controller that shows this; None: a stranger, whose buttons are called as they are."""
    from openpendant.errors import UnknownNameError
    from openpendant.makers import maker_of_virtual

    try:
        return maker_of_virtual(str(state.get("model", ""))).virtual
    except UnknownNameError:
        return None


def keys_of(state: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Return button and words by key: as the maker has them, for others a letter of their name that is free."""
    maker = virtual_maker(state)
    known: Mapping[str, tuple[str, str]] = {} if maker is None else maker.keys
    keys = {key: (button, words) for button, (key, words) in known.items() if button in state["buttons"]}
    for button in state["buttons"]:
        free = (one for one in f"{button}{button.upper()}" if one.isalpha() and one not in {*keys, *OTHER_KEYS})
        key = "" if button in known or button in NO_BUTTONS else next(free, "")
        if key:
            keys[key] = (button, button.replace("_", " "))
    return keys


def number(text: str) -> float:
    """Return a number; raises InputError on other words."""
    from openpendant.errors import InputError

    try:
        return float(text)
    except ValueError:
        raise InputError(f"{text!r} is not a number") from None


class Screen:
    """The pendant as a screen: it follows the controller, and every key is a button."""

    def __init__(self, control: "VirtualControl") -> None:
        """Show and operate `control`."""
        self._control = control
        self._note = ""
        self._typed = ""
        self._state: dict[str, Any] = control.state()
        self._actions: dict[str, Callable[[], object]] = {
            key: lambda button=button: control.press(button) for key, (button, _) in keys_of(self._state).items()
        }
        self._actions |= {
            "f": lambda: control.control("freedrive", held=True),
            "+": lambda: self._speed(0.1),
            "-": lambda: self._speed(-0.1),
            "l": self._load_next,
        }

    def run(self) -> None:
        """Follow until q is pressed."""
        import select
        import termios
        import tty

        from rich.live import Live

        from .screen import console

        before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        try:
            with Live(picture(self._state, ""), console=console(), auto_refresh=False, screen=True) as live:
                while True:
                    readable, _, _ = select.select([sys.stdin], [], [], POLL_EVERY_S)
                    # Past the stream's own buffer, where keys would wait that select does not see.
                    keys = os.read(sys.stdin.fileno(), 64).decode(errors="replace") if readable else ""
                    for key in keys:
                        if key == "q":
                            return
                        if not self._press_key(key):
                            self._press(key)
                    self._state = self._control.state()
                    if not self._state["keypad"]:
                        self._typed = ""
                    live.update(picture(self._state, self._note, self._typed), refresh=True)
        except KeyboardInterrupt:
            return
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)

    def _press_key(self, key: str) -> bool:
        """Take a key as part of the answer to what is asked at the controller's terminal; return whether it is."""
        if any(one["text"] == key for one in self._state["keys"]):
            self._do(lambda: self._control.control("type", text=key))
        elif self._state["keypad"] and key in PAD:
            self._typed += key
        elif self._state["keypad"] and key in BACKSPACE:
            self._typed = self._typed[:-1]
        elif self._state["keypad"] and key in ENTER and self._typed:
            self._do(lambda text=self._typed: self._control.control("type", text=text))
            self._typed = ""
        else:
            return False
        return True

    def _press(self, key: str) -> None:
        if key in self._actions:
            self._do(self._actions[key])

    def _do(self, action: Callable[[], object]) -> None:
        from openpendant.errors import ControllerError, LinkError

        try:
            action()
            self._note = ""
        except LinkError:
            raise
        except ControllerError as error:
            self._note = str(error)

    def _speed(self, step: float) -> None:
        self._control.control("speed", fraction=min(max(self._state["speed_slider"] + step, 0.0), 1.0))

    def _load_next(self) -> None:
        names: list[str] = self._state["programs"]
        if not names:
            self._note = "There is no program to load; start the controller with --programs FOLDER."
            return
        here = names.index(self._state["program"]) + 1 if self._state["program"] in names else 0
        self._control.control("load", program=names[here % len(names)])


def picture(state: dict[str, Any], note: str, typed: str = "") -> "Group":
    """Return what the pendant shows."""
    from rich.console import Group
    from rich.markup import escape
    from rich.text import Text

    from .screen import facts_table, heading, row_table

    facts = facts_table()
    healthy = state["safety"] in ("NORMAL", "REDUCED")
    mains = "" if state["mains"] == "on" else f"  [bold yellow]{state['mains']}[/]"
    facts.add_row("robot", escape(state["robot_mode"].replace("_", " ").lower()) + mains)
    facts.add_row("safety", f"[{'green' if healthy else 'bold red'}]{state['safety'].replace('_', ' ').lower()}[/]")
    facts.add_row("program", escape(f"{state['program_state'].lower()}  {state['program'] or 'none loaded'}"))
    facts.add_row("control", "remote" if state["remote"] else "local")
    facts.add_row("speed", f"{state['speed_slider']:.0%}")
    if state["faults"]:
        facts.add_row("faults", f"[yellow]{', '.join(state['faults'])}[/]")
    joints = row_table("joint", "position °", "target °", "speed °/s", "current A", right=("position °", "target °"))
    for arm in state["arms"]:
        for joint in arm["joints"]:
            scale, unit = (1e3, " mm") if joint["unit"] == "m" else (math.degrees(1.0), "")
            joints.add_row(
                escape(f"{arm['name']} {joint['name']}{unit}".strip()),
                f"{joint['actual'] * scale:.2f}",
                f"{joint['target'] * scale:.2f}",
                f"{joint['speed'] * scale:.1f}",
                "" if joint["current"] is None else f"{joint['current']:.2f}",
            )
    log = facts_table()
    for message in state["messages"][-SHOWN_MESSAGES:]:
        style = {"error": "red", "warning": "yellow"}.get(message["level"], "")
        log.add_row(f"{message['time_s']:.2f} s", Text(message["text"], style))
    popup = state["popup"]
    window = f"[bold reverse] {escape(popup['title'] or 'Message')} [/] {escape(popup['text'])}" if popup else ""
    terminal = "\n".join(escape(line) for line in (state["terminal"] or ())[-SHOWN_LINES:])
    asked = "  ".join(f"[bold]{escape(one['text'])}[/] {escape(one['title'])}" for one in state["keys"])
    if state["keypad"]:
        asked = f"number: [bold]{escape(typed)}▏[/]  Enter answers"
    free = ((key, words) for key, (button, words) in keys_of(state).items() if state["buttons"][button] is None)
    keys = "  ".join(f"[bold]{key}[/] {words}" for key, words in free)
    return Group(
        heading(state["model"], f"{state['address']}  {state['time_s']:.1f} s"),
        facts,
        joints,
        log if state["messages"] else Text("nothing has happened yet", "dim"),
        *(one for one in (window, terminal, asked) if one),
        f"[dim]{keys}  [bold]l[/] load next  [bold]f[/] hold: freedrive  [bold]+ -[/] speed  [bold]q[/] quit[/]",
        Text(note, "yellow"),
    )
