"""What can go wrong with a script: before it runs (ScriptError) and while it runs (ScriptFailure, RuntimeErrorReport)."""

from collections.abc import Callable
from dataclasses import dataclass

from openpendant.errors import OpenPendantError

__all__ = ["RuntimeErrorReport", "ScriptError", "ScriptFailure"]


class ScriptError(OpenPendantError):
    """A script cannot be used. Carries where the fault is.

    Attributes:
        line: Line of the script, from 1.
        column: Column in that line, from 1.
        fault: What is wrong, without the place.
        name: Name of the script or file.
    """

    def __init__(self, line: int, column: int, message: str, name: str = "script") -> None:
        """Say what is wrong at `line` and `column` (both from 1) of the script `name`."""
        self.line = line
        self.column = column
        self.fault = message
        self.name = name
        super().__init__(f"{name}, line {line}, column {column}: {message}")

    def __reduce__(self) -> tuple[Callable[..., "ScriptError"], tuple[int, int, str, str]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return type(self), (self.line, self.column, self.fault, self.name)


class ScriptFailure(OpenPendantError):  # noqa: N818 - not a fault of ours: the running script fails
    """Raised by a builtin to stop the program with a runtime error; the message goes to the pendant."""


@dataclass(frozen=True, slots=True)
class RuntimeErrorReport:
    """Why a running program failed.

    Attributes:
        line: Line of the script, from 1.
        message: In the controller's words.
        thread: Name of the thread, empty for the main program.
    """

    line: int
    message: str
    thread: str = ""
