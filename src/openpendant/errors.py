"""The tree of errors that OpenPendant raises on misuse and broken files.

    OpenPendantError
    ├── InputError          a value is not allowed; the message names it and what is allowed
    │   ├── UnknownNameError    no such robot, arm, frame, ...; suggests the nearest names
    │   └── TakenNameError      something else has that name already
    ├── RobotFileError      a robot's file cannot be used; names file, line and element
    ├── CellFileError       a cell's file cannot be used; names file, place in it and value
    └── ControllerError     a robot's controller refuses; in its own words where it has some
        └── LinkError           no controller answers, or the talk with it broke off

What can be expected (an unreachable point, a collision) is a value, not an error.
"""

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

from openpendant.said import Said, Value, kind_word, say

__all__ = [
    "CellFileError",
    "ControllerError",
    "InputError",
    "LinkError",
    "OpenPendantError",
    "RobotFileError",
    "TakenNameError",
    "UnknownNameError",
]


class OpenPendantError(Exception):
    """Base of every error that OpenPendant raises on purpose.

    Raised with a plain sentence, or with one that has a code (`openpendant.said.say`) where a page may show it.
    """

    @property
    def said(self) -> str:
        """The message, as `str(error)`; a `Said` where it has a code."""
        return self.args[0] if self.args and isinstance(self.args[0], Said) else str(self)

    @property
    def code(self) -> str:
        """What is wrong, as "limit.joint"; empty: only the message tells."""
        said = self.said
        return said.code if isinstance(said, Said) else ""

    @property
    def values(self) -> Mapping[str, Value]:
        """The values in the message, by name; numbers in the unit that the name says."""
        said = self.said
        return said.values if isinstance(said, Said) else {}


class InputError(OpenPendantError, ValueError):
    """A value is not allowed. The message names the value and what is allowed."""


class UnknownNameError(InputError, KeyError):
    """Something was asked for by a name that does not exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        """Say which `kind` of thing is unknown, and suggest the nearest known names."""
        self.kind = kind
        self.name = name
        self.known = tuple(sorted(known))
        close = get_close_matches(name, self.known, n=3, cutoff=0.5)
        words, listed = kind_word(kind), ", ".join(self.known) or "none"
        if close:
            super().__init__(say("name.unknown_near", kind=words, name=name, close=" or ".join(close)))
        else:
            super().__init__(say("name.unknown", kind=words, name=name, known=listed))

    def __reduce__(self) -> tuple[type, tuple[str, str, tuple[str, ...]]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return type(self), (self.kind, self.name, self.known)

    def __str__(self) -> str:
        """Return the message itself; KeyError would print its repr."""
        return str(self.args[0])


class TakenNameError(InputError):
    """Something else has that name already."""

    def __init__(self, name: str, message: str, *, is_fixed: bool = False) -> None:
        """Say what has the name `name`; `is_fixed` where that can not be replaced."""
        self.name = name
        self.is_fixed = is_fixed
        super().__init__(message)

    def __reduce__(self) -> tuple[Callable[..., "TakenNameError"], tuple[str, str, bool]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return _rebuild_taken_name_error, (self.name, self.said, self.is_fixed)


def _rebuild_taken_name_error(name: str, message: str, is_fixed: bool) -> TakenNameError:
    return TakenNameError(name, message, is_fixed=is_fixed)


class RobotFileError(OpenPendantError):
    """A robot's file cannot be used. Carries where in the file the fault is."""

    def __init__(self, path: Path | str, message: str, *, line: int | None = None) -> None:
        """Say what is wrong in `path`, at `line` where it is known."""
        self.path = Path(path)
        self.line = line
        self.fault = message
        super().__init__(f"{path}{'' if line is None else f', line {line}'}: {message}")

    def __reduce__(self) -> tuple[Callable[..., "RobotFileError"], tuple[Path, str, int | None]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return _rebuild_robot_file_error, (self.path, self.fault, self.line)


def _rebuild_robot_file_error(path: Path, message: str, line: int | None) -> RobotFileError:
    return RobotFileError(path, message, line=line)


class CellFileError(OpenPendantError):
    """A file of a cell cannot be used. Carries where in the file the fault is."""

    def __init__(self, path: Path | str, pointer: str, message: str) -> None:
        """Say what is wrong in `path` at `pointer` (JSON pointer as /objects/3/pose; empty: the whole file)."""
        self.path = Path(path)
        self.pointer = pointer
        self.fault = message
        super().__init__(f"{path}{f': {pointer}' if pointer else ''}: {message}")

    def __reduce__(self) -> tuple[type, tuple[Path, str, str]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return type(self), (self.path, self.pointer, self.fault)


class ControllerError(OpenPendantError):
    """A robot's controller does not do what it was told. Carries the controller's own words where it has some."""


class LinkError(ControllerError):
    """No controller answers at an address, or the talk with it broke off."""
