"""The cranes' language, one command a line:

go Q1 Q2 SPEED     both joints of the task's boom together; radians, and the peak of the faster joint in rad/s
wait SECONDS
set PORT 0|1
until PORT 0|1     wait for an input
meet               wait until all tasks that meet have come here
say WORDS          open a window, and wait until somebody has answered it
# WORDS            nothing
"""

from dataclasses import dataclass

DIALECT = "crane"
ARGUMENTS = {"go": 3, "wait": 1, "set": 2, "until": 2, "meet": 0}


class CraneScriptError(Exception):
    """A line that cannot be run; names it."""


@dataclass(frozen=True)
class Line:
    """A command and its words."""

    command: str
    words: tuple[str, ...]

    @property
    def numbers(self) -> tuple[float, ...]:
        return tuple(float(word) for word in self.words)


def parse(text: str) -> tuple[Line, ...]:
    """Return the commands of a program; raises CraneScriptError."""
    found: list[Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        command, *words = line.split() or ["#"]
        if command not in ("#", "say") and len(words) != ARGUMENTS.get(command, -1):
            raise CraneScriptError(f"line {number}: {line!r} is no command")
        try:
            found.append(Line(command, tuple(words)))
            if command in ("go", "wait") and found[-1].numbers[-1] <= 0.0:
                raise CraneScriptError(f"line {number}: speed or time must be above 0")
        except ValueError:
            raise CraneScriptError(f"line {number}: {line!r} needs numbers") from None
    return tuple(found)
