"""The tree of errors that OpenPendant raises on misuse, broken files and broken links, with the rooms that raise each.

    OpenPendantError
    ├── InputError              most rooms: a value is not allowed; the message names it and what is allowed
    │   ├── UnknownNameError        most rooms: no such robot, arm, frame, ...; suggests the nearest names
    │   │   └── UnknownThereError       client: a server knows no such name; the message is the server's own
    │   ├── TakenNameError          robots: something else has that name already
    │   └── ProjectInUseError       projects: another process has the project open
    ├── RobotFileError          robots, shapes: a robot's file cannot be used; names file, line and element
    ├── CellFileError           documents, scene, programs, projects: a cell's file cannot be used; names file and place
    ├── ControllerRefusal       virtual: a virtual controller does not do something now; says what would have to be so
    │   ├── NotMaster               virtual: another client may change it, or the operator has not agreed
    │   └── NotThere                virtual: what a client names does not exist on the controller
    ├── ControllerError         controllers, runtime, server, virtual, compat: a robot or its controller refuses
    │   ├── LinkError               controllers, virtual, client, compat, testing: no reply, or the connection is lost
    │   └── StoppedError            runtime: a stop came after the request, which is void now
    ├── LeaseError              runtime: another client controls the robot
    ├── BusError                runtime: the bus of a cell cannot be reached, or no reply comes on it
    ├── WorkerDied              pool: a worker process ended before it replied
    ├── ProtocolError           protocols, compat: a peer sent bytes that break its protocol
    ├── RapidError              dialects: a module cannot be used; names file, line, column and the log's number
    ├── RapidFailure            dialects, virtual: a running task fails, as on its controller
    ├── RwsFailure              protocols, virtual: a request is refused, with status and return code
    ├── ScriptError             dialects, virtual: a script cannot be used; names line and column
    └── ScriptFailure           dialects, virtual: a running script fails, as on its controller

Expected outcomes (an unreachable point, a collision) are values, not errors.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from .said import Said, Value, say, unknown_name


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
        """What is wrong, as "limit.joint"; empty: there is only the message."""
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
        super().__init__(unknown_name(kind, name, self.known, most=None))

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
        if line is None:
            super().__init__(say("file.fault", path=str(path), why=message))
        else:
            super().__init__(say("file.fault_line", path=str(path), line=line, why=message))

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
        if pointer:
            super().__init__(say("file.fault_at", path=str(path), pointer=pointer, why=message))
        else:
            super().__init__(say("file.fault", path=str(path), why=message))

    def __reduce__(self) -> tuple[type, tuple[Path, str, str]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return type(self), (self.path, self.pointer, self.fault)


class ControllerError(OpenPendantError):
    """A robot or its controller refuses or fails. Carries the controller's own text where it has one."""


class LinkError(ControllerError):
    """An address does not reply, or the connection to it is lost."""
