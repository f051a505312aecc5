"""Messages of a controller to its pendant and to clients of the primary interface."""

from collections import deque
from dataclasses import dataclass

KEPT = 1000
"""Messages that are not drained are dropped, the oldest first."""


@dataclass(frozen=True)
class Text:
    """What `textmsg` and the log say (robot message type 0)."""

    tick: int
    text: str


@dataclass(frozen=True)
class ErrorCode:
    """A numbered report such as C153A0 (robot message type 6)."""

    tick: int
    code: int
    argument: int
    level: int
    """0 info, 1 warning (a protective stop, too), 2 violation, 3 fault."""
    text: str

    @property
    def title(self) -> str:
        """As the pendant prints it."""
        return f"C{self.code}A{self.argument}"


@dataclass(frozen=True)
class Key:
    """A change in the running of programs (robot message type 7), e.g. PROGRAM_XXX_STARTED."""

    tick: int
    code: int
    argument: int
    title: str
    text: str


@dataclass(frozen=True)
class RuntimeException:
    """An error in a running or arriving script (robot message type 10)."""

    tick: int
    line: int
    column: int
    text: str
    key: str = ""
    """What clients are sent instead of the words, as `compile_error_name_not_found:foo:`; empty: the words."""


@dataclass(frozen=True)
class Note:
    """Messages for the pendant only: a call was accepted and changes nothing."""

    tick: int
    text: str


@dataclass(frozen=True)
class Popup:
    """A window on the pendant (robot message type 2)."""

    tick: int
    request: int
    """Number of the popup, to confirm it by."""
    title: str
    text: str
    warning: bool
    error: bool
    blocking: bool


@dataclass(frozen=True)
class SafetyModeChange:
    """The safety system is in another mode (robot message type 5)."""

    tick: int
    code: int
    argument: int
    safety_mode: int


@dataclass(frozen=True)
class ProgramLabel:
    """Which program runs (robot message type 1)."""

    tick: int
    program: int
    text: str


UrMessage = Text | Note | ErrorCode | Key | RuntimeException | Popup | SafetyModeChange | ProgramLabel


class MessageLog:
    """Collects messages until they are drained, and keeps the latest for people to read."""

    def __init__(self) -> None:
        self._waiting: deque[UrMessage] = deque(maxlen=KEPT)
        self.recent: deque[UrMessage] = deque(maxlen=100)

    def add(self, message: UrMessage) -> None:
        """Take one more message."""
        self._waiting.append(message)
        self.recent.append(message)

    def drain(self) -> tuple[UrMessage, ...]:
        """Return all since the last call, in order."""
        if not self._waiting:
            return ()
        found = tuple(self._waiting)
        self._waiting.clear()
        return found
