"""CellProject: a cell's folder that is being edited: the cell and its programs, which follow its renames."""

import contextlib
from collections.abc import Collection
from pathlib import Path

from openpendant.documents import Applied, Refused
from openpendant.errors import CellFileError, UnknownNameError
from openpendant.said import say
from openpendant.scene import Cell, CellDocument, CellEdit, Command, demo_names, load_cell, load_demo
from openpendant.scene.demo_cells import FOLDER as DEMO_FOLDER
from openpendant.scene.document import CELL_FILE

from .files import FOLDER, read_programs, write_program
from .program import Program
from .program_document import ProgramDocument
from .project_state import ProjectState, add_program_to, edit_cell_of, remove_program_from, renames_in
from .validation import find_call_fault


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
                raise fault.in_program(name)
        document.edit_with(self._edit_cell)

    def _cell(self) -> Cell:
        return self.document.cell

    def _names(self) -> Collection[str]:
        return self._opening or self.programs

    @property
    def cell(self) -> Cell:
        """The cell as it is now."""
        return self.document.cell

    @property
    def state(self) -> ProjectState:
        """Cell and programs as they are now; the state itself never changes."""
        return ProjectState(self.cell, self.all_programs())

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
        add_program_to(self.state, program)
        document = ProgramDocument(program, self._cell, self._names)
        document.saved_version = -1
        self.programs[program.name] = document
        self._gone.discard(program.name)
        return document

    def remove_program(self, name: str) -> ProgramDocument:
        """Take a program out and return it.

        Raises:
            InputError: Another program calls it.
            UnknownNameError: There is none of that name.
        """
        document = self.program(name)
        remove_program_from(self.state, name)
        del self.programs[name]
        self._gone.add(name)
        return document

    def apply(self, command: Command, author: str = "") -> Command:
        """Apply a command to the cell; programs follow what it renames.

        Raises:
            InputError: The command does not fit, or a program still needs what would go; nothing has changed then.
            UnknownNameError: Nothing in the cell has that name.
        """
        return self.document.apply(command, author)

    def undo(self, author: str = "") -> Applied[Command] | Refused:
        """Take back the author's last edit of the cell; programs follow."""
        return self.document.undo(author)

    def redo(self, author: str = "") -> Applied[Command] | Refused:
        """Do again what the author has undone last in the cell; programs follow."""
        return self.document.redo(author)

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
                raise CellFileError(path, "", say("file.changed"))
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

    def _edit_cell(self, cell: Cell, command: Command) -> CellEdit:
        """Return what a command makes of the cell; programs follow what it renames."""
        _, done = edit_cell_of(ProjectState(cell, self.all_programs()), command)
        for old, new in renames_in(command):
            for document in self.programs.values():
                document.follow_rename(old, new)
        return done


def open_project(folder: Path | str) -> CellProject:
    """Return the cell and programs in a folder, or those of a demo cell.

    Args:
        folder: With a `cell.json`, or the name of a demo cell: a copy of it that has no folder until it is saved.

    Raises:
        CellFileError: A file cannot be read or used; names the file, the place in it and the value.
    """
    if not (Path(folder) / CELL_FILE).is_file() and folder in demo_names():
        demo = load_demo(str(folder))
        return CellProject(demo, read_programs(DEMO_FOLDER / str(folder), demo.cell))
    document = load_cell(folder)
    programs = read_programs(Path(folder), document.cell)
    return CellProject(document, programs)._loaded()  # pyright: ignore[reportPrivateUsage]


def _read(path: Path) -> bytes | None:
    with contextlib.suppress(OSError):
        return path.read_bytes()
    return None
