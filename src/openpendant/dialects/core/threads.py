"""Threads of a program: Python generators that are stepped, and the budget that they count on."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any


class Meter:
    """What generated code counts on.

    Attributes:
        left: Steps that the thread may still make now; below zero it gives back its time.
        deepest: Calls of a function by itself that are allowed.
    """

    __slots__ = ("deepest", "left")

    def __init__(self, deepest: int) -> None:
        """Start without a budget."""
        self.left = 0
        self.deepest = deepest


@dataclass(eq=False, slots=True)
class SteppedThread:
    """A running thread; `behind` counts the frames in a row in which its share was not enough."""

    handle: int
    name: str
    body: Generator[None, None, Any]
    behind: int = 0
    critical: bool = False
    alive: bool = True


def share_of(budget: int, threads: int, smallest: int) -> int:
    """Return the steps that each of some threads may make in a frame."""
    return max(budget // threads, smallest)


def line_of_thread(body: Any, code_name: str, lines: Sequence[int]) -> int:
    """Return the line of the program at which a suspended generator is; 0: it is over, or has not begun.

    Args:
        body: The generator; those that it waits for are followed as long as they are generated code.
        code_name: File name that marks generated code.
        lines: Line of the program for each line of generated code.
    """
    line = 0
    while body is not None and getattr(body, "gi_frame", None) is not None:
        if body.gi_code.co_filename != code_name:
            break
        line = lines[int(body.gi_frame.f_lineno)]
        body = body.gi_yieldfrom
    return line


def line_of_trace(trace: TracebackType | None, code_name: str, lines: Sequence[int]) -> int:
    """Return the innermost line of the program in a traceback; 0: none."""
    line = 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == code_name:
            line = lines[trace.tb_lineno]
        trace = trace.tb_next
    return line
