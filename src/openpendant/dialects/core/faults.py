"""What can go wrong with a program: a fault in its text, and a failure while it runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class SourceFault(Exception):  # noqa: N818 - the languages' own errors end in Error
    """Mixed into the error that a language raises of a text. Carries where the fault is.

    Attributes:
        line: Line of the program, from 1.
        column: Column in that line, from 1.
        fault: What is wrong, without the place.
        name: Name of the program or file.
    """

    def __init__(self, line: int, column: int, message: str, name: str) -> None:
        """Say what is wrong at `line` and `column` of the program `name`."""
        self.line = line
        self.column = column
        self.fault = message
        self.name = name
        super().__init__(f"{name}, line {line}, column {column}: {message}")

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return type(self), (self.line, self.column, self.fault, self.name)


@dataclass(frozen=True, slots=True)
class RunReport:
    """Why a running program failed.

    Attributes:
        line: Line of the program, from 1.
        message: In the controller's words where they are known.
        thread: Name of the thread or task, empty for the main program.
    """

    line: int
    message: str
    thread: str = ""
