"""A controller's configuration as words of a command line: signals, tools, background tasks, where EGM goes."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from openpendant.dialects.rapid import parse_data, value_like
from openpendant.errors import InputError, OpenPendantError
from openpendant.virtual.wire import Peer

from .frames import frame_of_tool
from .refusal import ControllerRefusal
from .setup import TaskSetup
from .signals import SignalKind, SignalSetup, SignalTable
from .unit import TOOL0

KINDS: tuple[SignalKind, ...] = get_args(SignalKind)
LONGEST_NAME = 32
HIGHEST_PORT = 65535


def parse_signals(text: str) -> tuple[SignalSetup, ...]:
    """Return signals: `doGrip:DO,diReady:DI=1`.

    Raises:
        InputError: One of them is none, or two have one name.
    """
    found: dict[str, SignalSetup] = {}
    kinds: dict[str, SignalKind] = {one: one for one in KINDS}
    for word in filter(None, (one.strip() for one in text.split(","))):
        name, colon, rest = word.partition(":")
        kind, equals, value = rest.partition("=")
        known = kinds.get(kind.strip().upper())
        if not colon or known is None:
            raise InputError(
                f"signal {word[:80]!r}; write NAME:KIND or NAME:KIND=VALUE, KIND one of {', '.join(KINDS)}"
            )
        _check_name("signal", name)
        if name.lower() in found:
            raise InputError(f"signal {name} is given twice")
        made = SignalSetup(name, known, _number(value, word) if equals else 0.0)
        try:
            SignalTable((made,)).write(name, made.value)
        except ControllerRefusal as why:
            raise InputError(str(why)) from None
        found[name.lower()] = made
    return tuple(found.values())


def parse_tools(text: str, units: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return tooldata by mechanical unit and name: `ROB_1/gripper=[TRUE,[[0,0,125],[1,0,0,0]],[…]];…`.

    Args:
        text: Tools with semicolons between.
        units: Of the controller; where there is one, tools need not name it.

    Raises:
        InputError: One of them is none; says what is wrong.
    """
    found: dict[str, dict[str, Any]] = {}
    for word in filter(None, (one.strip() for one in text.split(";"))):
        where, equals, data = word.partition("=")
        unit, slash, name = where.strip().rpartition("/")
        unit = unit if slash else units[0]
        if not equals or unit not in units or (not slash and len(units) > 1):
            raise InputError(f"tool {word[:80]!r}; write UNIT/NAME=TOOLDATA, UNIT one of {', '.join(units)}")
        _check_name("tool", name)
        found.setdefault(unit, {})[name] = _tooldata(name, data)
    return found


def parse_tasks(text: str) -> tuple[TaskSetup, ...]:
    """Return tasks that run in the background, by their names with commas between.

    Raises:
        InputError: One is not a name.
    """
    names = [one.strip() for one in text.split(",") if one.strip()]
    for name in names:
        _check_name("task", name)
    return tuple(TaskSetup(name) for name in names)


def parse_peer(text: str, usual: Peer) -> Peer:
    """Return where messages of guided motion go: `127.0.0.1:6510`, one of the two, or nothing.

    Raises:
        InputError: It is no address.
    """
    host, colon, port = text.strip().rpartition(":")
    if not colon:
        host, port = ("", text.strip()) if text.strip().isdigit() else (text.strip(), str(usual[1]))
    if not port.isdigit() or not 0 < int(port) < HIGHEST_PORT or any(one.isspace() for one in host):
        raise InputError(f"--egm {text[:80]!r}; write an address, a port from 1 to {HIGHEST_PORT - 1}, or ADDRESS:PORT")
    return host or usual[0], int(port)


def modules_by_task(text: str, tasks: tuple[str, ...]) -> Mapping[str, list[str]]:
    """Return files of modules by task: `pick.mod,T_ROB_R:right.mod`; without a task they are for the first one.

    Raises:
        InputError: There is no such task.
    """
    found: dict[str, list[str]] = {}
    for word in filter(None, (one.strip() for one in text.split(","))):
        task, colon, file = word.partition(":")
        if colon and task not in tasks:
            raise InputError(f"--program {word[:80]!r}: no task {task[:40]!r}; known: {', '.join(tasks)}")
        found.setdefault(task if colon else tasks[0], []).append(file if colon else word)
    return found


def _tooldata(name: str, text: str) -> Any:
    try:
        value = value_like(parse_data(text.strip()), TOOL0)
        if value is not None:
            frame_of_tool(value)
    except OpenPendantError as why:
        raise InputError(f"tool {name}: {why}") from None
    if value is None:
        raise InputError(f"tool {name}: {text[:80]!r} is not tooldata")
    return value


def _check_name(what: str, name: str) -> None:
    if not (name.isascii() and name.isidentifier() and name[0].isalpha() and len(name) <= LONGEST_NAME):
        raise InputError(
            f"{what} {name[:40]!r}; use up to {LONGEST_NAME} letters, digits and underscores, a letter first"
        )


def _number(text: str, word: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"signal {word[:80]!r}: {text[:40]!r} is not a number") from None
