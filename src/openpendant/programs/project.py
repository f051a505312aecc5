"""CellProject: a cell's folder that is being edited: the cell and its programs, which follow its renames."""

import contextlib
from collections.abc import Callable, Collection
from pathlib import Path

from openpendant.errors import CellFileError, InputError, UnknownNameError
from openpendant.scene import (
    Applied,
    Batch,
    Cell,
    CellDocument,
    Command,
    Refused,
    Remove,
    Rename,
    edit,
    load_cell,
)

from .document import ProgramDocument
from .faults import find_call_fault, find_program_fault
from .program import Program
from .reading import FOLDER, read_programs, write_program
from .references import called_by, references_of, rename_references

__all__ = ["CellProject", "open_project"]

Way = Callable[[str], Applied[Command] | Refused]
"""Undo or redo of a document, for an author."""


class CellProject:
    """A cell and its programs. Whatever is renamed in the cell keeps its place in the programs."""

    def __init__(self, document: CellDocument, programs: dict[str, Program] | None = None) -> None:
        """Start with a cell and programs that have no fault.

        Raises:
            InputError: A program has a fault; names it, place and value.
        """
        self.document = document
        self.programs: dict[str, ProgramDocument] = {}
        self._on_disk: dict[str, bytes] = {}
        self._gone: set[str] = set()
        known = {} if programs is None else dict(programs)
        self._opening: Collection[str] = tuple(known)
        """Programs that are being opened: each may call those that are not there yet."""
        for name, program in known.items():
            self.programs[name] = ProgramDocument(program, self._cell, self._names)
        self._opening = ()
        for name, program in known.items():
            fault = find_call_fault(program, known)
            if fault is not None:
                raise InputError(f"program {name}{fault.pointer}: {fault.message}")

    def _cell(self) -> Cell:
        return self.document.cell

    def _names(self) -> Collection[str]:
        return self._opening or self.programs

    @property
    def cell(self) -> Cell:
        """The cell as it is now."""
        return self.document.cell

    def program(self, name: str) -> ProgramDocument:
        """Return the document of a program.

        Raises:
            UnknownNameError: There is none of that name.
        """
        if name not in self.programs:
            raise UnknownNameError("program in this cell", name, self.programs)
        return self.programs[name]

    def all_programs(self) -> dict[str, Program]:
        """Return the programs as they are now, by name."""
        return {name: document.program for name, document in self.programs.items()}

    def add_program(self, program: Program) -> ProgramDocument:
        """Add a program.

        Raises:
            InputError: Its name is taken, or it has a fault.
        """
        if program.name in self.programs:
            raise InputError(f"there is already a program named {program.name!r}; names must differ")
        programs = {**self.all_programs(), program.name: program}
        fault = find_program_fault(program, self.cell, programs) or find_call_fault(program, programs)
        if fault is not None:
            raise InputError(f"program {program.name}{fault.pointer}: {fault.message}")
        document = ProgramDocument(program, self._cell, self._names)
        return self._take_in(document)

    def put_back(self, document: ProgramDocument) -> ProgramDocument:
        """Put a program back that was taken out, with all that can be undone in it.

        Raises:
            InputError: Its name is taken by now, or it no longer fits the cell.
        """
        self.add_program(document.program)
        return self._take_in(document)

    def _take_in(self, document: ProgramDocument) -> ProgramDocument:
        document.saved_version = -1
        self.programs[document.program.name] = document
        self._gone.discard(document.program.name)
        return document

    def remove_program(self, name: str) -> ProgramDocument:
        """Take a program out and return it.

        Raises:
            InputError: Another program calls it.
            UnknownNameError: There is none of that name.
        """
        document = self.program(name)
        callers = [other for other, one in self.all_programs().items() if other != name and name in called_by(one)]
        if callers:
            raise InputError(f"program {name!r} cannot be removed: still called by {', '.join(map(repr, callers))}")
        del self.programs[name]
        self._gone.add(name)
        return document

    def apply(self, command: Command, author: str = "") -> Command:
        """Apply a command to the cell; programs follow what it renames.

        Raises:
            InputError: The command does not fit, or a program still needs what would go; nothing has changed then.
            UnknownNameError: Nothing in the cell has that name.
        """
        self._check_needed(command)
        inverse = self.document.apply(command, author)
        self._follow(command)
        return inverse

    def undo(self, author: str = "") -> Applied[Command] | Refused:
        """Take back the author's last edit of the cell; programs follow."""
        return self._back(self.document.undo, self.document.redo, author)

    def redo(self, author: str = "") -> Applied[Command] | Refused:
        """Do again what the author has undone last in the cell; programs follow."""
        return self._back(self.document.redo, self.document.undo, author)

    def save(self, folder: Path | str | None = None, *, overwrite: bool = False) -> Path:
        """Write the cell and its programs, each file whole or not at all; return the folder.

        Raises:
            CellFileError: A file cannot be written, or was changed by somebody else.
            InputError: The project has no folder yet.
        """
        before = self.document.folder
        target = self.document.save(folder, overwrite=overwrite).parent
        same = before is not None and before == target
        for name, document in self.programs.items():
            path = target / FOLDER / f"{name}.json"
            if same and document.is_saved and path.exists():
                continue
            if same and not overwrite and name in self._on_disk and _read(path) not in (None, self._on_disk[name]):
                raise CellFileError(path, "", "was changed by somebody else since it was read; not saved")
            self._on_disk[name] = write_program(target, document.program, self.cell, self.all_programs())
            document.saved_version = document.version
        for name in self._gone if same else ():
            (target / FOLDER / f"{name}.json").unlink(missing_ok=True)
        self._gone.clear()
        return target

    def _loaded(self) -> "CellProject":
        if self.document.folder is not None:
            for name in self.programs:
                self._on_disk[name] = _read(self.document.folder / FOLDER / f"{name}.json") or b""
        return self

    def _check_needed(self, command: Command) -> None:
        """Raise where a program would be left with a fault, before anything has changed."""
        after = edit(self.cell, command).cell
        renames = _renames(command)
        for name, program in self.all_programs().items():
            for old, new in renames:
                if old in references_of(program) and new in program.variables:
                    raise InputError(f"{new!r} is a variable of program {name}; names must differ")
                program = rename_references(program, old, new)
            fault = find_program_fault(program, after, self.programs)
            if fault is not None:
                verb = f"{command.name!r} cannot be removed" if isinstance(command, Remove) else "this cannot be done"
                raise InputError(f"{verb}: program {name}{fault.pointer}: {fault.message}")

    def _follow(self, command: Command) -> None:
        for old, new in _renames(command):
            for document in self.programs.values():
                document.follow_rename(old, new)

    def _back(self, step: Way, back: Way, author: str) -> Applied[Command] | Refused:
        done = step(author)
        if isinstance(done, Refused):
            return done
        self._follow(done.command)
        for name, program in self.all_programs().items():
            fault = find_program_fault(program, self.cell, self.programs)
            if fault is not None:
                returned = back(author)
                if isinstance(returned, Applied):
                    self._follow(returned.command)
                return Refused(f"cannot be done: program {name}{fault.pointer}: {fault.message}")
        return done


def open_project(folder: Path | str) -> CellProject:
    """Return the project of a cell's folder.

    Raises:
        CellFileError: A file cannot be read or used; names the file, the place in it and the value.
    """
    document = load_cell(folder)
    programs = read_programs(Path(folder), document.cell)
    return CellProject(document, programs)._loaded()  # pyright: ignore[reportPrivateUsage]


def _renames(command: Command) -> list[tuple[str, str]]:
    match command:
        case Rename(name=old, new_name=new):
            return [(old, new)]
        case Batch(commands=commands):
            return [pair for one in commands for pair in _renames(one)]
        case _:
            return []


def _read(path: Path) -> bytes | None:
    with contextlib.suppress(OSError):
        return path.read_bytes()
    return None
