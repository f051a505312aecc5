"""What can go wrong with a RAPID program: before it runs (RapidError) and while it runs (RapidFailure)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from openpendant.dialects.core import SourceFault
from openpendant.errors import OpenPendantError

from .error_numbers import ERROR_NUMBERS
from .events import EXECUTION, SYNTAX, EventKind


class RapidError(SourceFault, OpenPendantError):
    """A module cannot be used. Carries where the fault is, and its class and number in the event log.

    Attributes:
        line: Line of the file, from 1.
        column: Column in that line, from 1.
        fault: What is wrong, without the place.
        name: Name of the file or module.
        kind: Class and number in the event log.
    """

    def __init__(self, line: int, column: int, message: str, name: str = "module", kind: EventKind = SYNTAX) -> None:
        """Say what is wrong at `line` and `column` (both from 1) of the file `name`."""
        self.kind = kind
        super().__init__(line, column, message, name)

    def __reduce__(self) -> tuple[Callable[..., "RapidError"], tuple[Any, ...]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return type(self), (self.line, self.column, self.fault, self.name, self.kind)


class RapidFailure(OpenPendantError):  # noqa: N818 - not a fault of ours: the running program fails
    """Raised by an instruction or function to fail as on the controller: error handlers of the program see it.

    Attributes:
        error: Name of the error, as "ERR_SOCK_TIMEOUT"; empty: no handler can recover, the program stops.
        number: Value of ERRNO in handlers.
        kind: Class and number in the event log, where no handler recovers.
    """

    def __init__(self, error: str, message: str = "", *, number: int = 0, kind: EventKind = EXECUTION) -> None:
        """Fail with an error of the language; `number` only for those that a program has booked."""
        self.error = error
        self.number = number or ERROR_NUMBERS.get(error, 0)
        self.kind = kind
        super().__init__(message or error)


@dataclass(frozen=True, slots=True)
class RapidProblem:
    """A fault that a check has found.

    Attributes:
        file: Name of the file or module.
        line: From 1.
        column: From 1.
        kind: Class and number in the event log.
        message: What is wrong.
    """

    file: str
    line: int
    column: int
    kind: EventKind
    message: str

    def __str__(self) -> str:
        """Return it in one line."""
        return f"{self.file}:{self.line}:{self.column}: {self.kind.number} {self.kind.title}: {self.message}"


@dataclass(frozen=True, slots=True)
class RapidReport:
    """Why a task stopped with an error.

    Attributes:
        task: Name of the task.
        module: Name of the module.
        routine: Name of the routine.
        line: Line of the module's file, from 1.
        error: Name of the error, as "ERR_DIVZERO"; empty where it has none.
        kind: Class and number in the event log.
        message: English text.
        number: Value of ERRNO; 0: it has none.
    """

    task: str
    module: str
    routine: str
    line: int
    error: str
    kind: EventKind
    message: str
    number: int = 0

    @property
    def text(self) -> str:
        """What the event log says below the title: the place, the message, and name and number of the error."""
        named = f" ({self.error or 'ERRNO'} = {self.number})" if self.number else ""
        return f"{self.task}/{self.module}/{self.routine}, line {self.line}: {self.message}{named}"

    def __str__(self) -> str:
        """Return it in one line."""
        place = f"{self.task}/{self.module}/{self.routine}, line {self.line}"
        return f"{self.kind.number} {self.kind.title}: {place}: {self.message}"
