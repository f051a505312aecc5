"""ControllerLog: what has happened on a controller, with ABB's numbers and titles."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Level = Literal[1, 2, 3]
"""Information, warning, error."""
KEPT = 1000
"""Entries; the oldest goes first."""
STATES = {
    "motoroff": (10010, "Motors OFF state"),
    "motoron": (10011, "Motors ON state"),
    "guardstop": (10012, "Safety guard stop state"),
    "emergencystop": (10013, "Emergency stop state"),
    "MANR": (10015, "Manual mode selected"),
    "MANF": (10015, "Manual mode selected"),
    "AUTO": (10017, "Automatic mode confirmed"),
}
"""Number and title, by state and mode (ABB, Operating manual Trouble shooting IRC5, "Event log messages")."""
COLLISION = (50204, "Motion supervision")
POINTER_RESET = (10002, "Program pointer has been reset")
STOPPED = (10125, "Program stopped")
STARTED = (10151, "Program started")
WRITTEN_BY_PROGRAM = 80001, 80002, 80003
"""Errors, warnings and information that a program writes (ErrWrite)."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry.

    Attributes:
        number: Counts from 1.
        time_s: Of the controller's clock, since it came up.
        level: Information, warning or error.
        code: ABB's number.
        title: Of that number.
        text: What it says beyond.
        arguments: Values in it.
    """

    number: int
    time_s: float
    level: Level
    code: int
    title: str
    text: str = ""
    arguments: tuple[str, ...] = ()


class ControllerLog:
    """The newest entries."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Begin empty; `clock` returns seconds of the controller."""
        self._clock = clock
        self._entries: deque[LogEntry] = deque(maxlen=KEPT)
        self.count = 0
        """How many there were, over all."""

    def write(self, level: Level, code: int, title: str, text: str = "", arguments: tuple[str, ...] = ()) -> None:
        """Add an entry."""
        self.count += 1
        self._entries.append(LogEntry(self.count, self._clock(), level, code, title, text, arguments))

    def newest_first(self) -> tuple[LogEntry, ...]:
        """Return all that are kept."""
        return tuple(reversed(self._entries))

    def since(self, number: int) -> tuple[LogEntry, ...]:
        """Return those after an entry, the oldest first."""
        return tuple(one for one in self._entries if one.number > number)
