"""CellDocument: a cell that is being edited, with undo for each author, and the folder it is kept in."""

import contextlib
from pathlib import Path
from typing import cast

from openpendant.errors import CellFileError, InputError

from .cell import SECTIONS, Cell, CellItem
from .checking import find_fault
from .commands import Add, Batch, Command, Rename, SetField
from .editing import edit
from .files import read_text_bytes
from .history import Applied, Done, History, Refused
from .reading import CELL_FILE, decode_cell, write_cell

__all__ = ["CellDocument", "load_cell"]

State = CellItem | tuple[str, str, str]
"""What is remembered of a thing; of the cell itself its name, title and notes."""


class CellDocument:
    """A cell that is being edited. The cells themselves never change: each edit makes another."""

    def __init__(self, cell: Cell, folder: Path | str | None = None) -> None:
        """Start with a cell and an empty history.

        Args:
            cell: Must be without fault.
            folder: Where it is saved; None: nowhere yet.

        Raises:
            InputError: The cell has a fault; names place and value.
        """
        fault = find_fault(cell)
        if fault is not None:
            raise InputError(f"{fault.pointer}: {fault.message}")
        self.cell = cell
        self.folder = None if folder is None else Path(folder)
        self._history: History[Command, State] = History(self._perform, self._state_of, say, "the cell")
        self._saved_version = -1
        self._on_disk: bytes | None = None

    @property
    def version(self) -> int:
        """Grows by one with every edit, undo and redo."""
        return self._history.version

    @property
    def is_saved(self) -> bool:
        """True while nothing has changed since the last load or save."""
        return self._saved_version == self.version

    def apply(self, command: Command, author: str = "") -> Command:
        """Apply a command and return its inverse. What the author had undone can no longer be redone.

        Raises:
            InputError: The command does not fit or would leave a fault; nothing has changed then.
            UnknownNameError: Nothing in the cell has that name.
        """
        return self._history.apply(command, author)

    def undo(self, author: str = "") -> Applied[Command] | Refused:
        """Take back the author's last edit, unless somebody has changed the same things since."""
        return self._history.undo(author)

    def redo(self, author: str = "") -> Applied[Command] | Refused:
        """Do again what the author has undone last, unless somebody has changed the same things since."""
        return self._history.redo(author)

    def can_undo(self, author: str = "") -> bool:
        """Return whether the author has anything to undo."""
        return self._history.can_undo(author)

    def can_redo(self, author: str = "") -> bool:
        """Return whether the author has anything to redo."""
        return self._history.can_redo(author)

    def save(self, folder: Path | str | None = None, *, overwrite: bool = False) -> Path:
        """Write `cell.json`, whole or not at all, and return its path.

        Args:
            folder: Another folder than before; it becomes the document's.
            overwrite: Also where the file was changed by somebody else since it was read.

        Raises:
            CellFileError: It cannot be written, or was changed by somebody else.
            InputError: The document has no folder yet.
        """
        target = self.folder if folder is None else Path(folder)
        if target is None:
            raise InputError("this cell has no folder yet; say where to save it")
        if target == self.folder and not overwrite and self.changed_outside():
            raise CellFileError(target / CELL_FILE, "", "was changed by somebody else since it was read; not saved")
        self._on_disk = write_cell(target, self.cell)
        self.folder = target
        self._saved_version = self.version
        return target / CELL_FILE

    def changed_outside(self) -> bool:
        """Return whether the file is no longer what this document last read or wrote."""
        if self.folder is None or self._on_disk is None:
            return False
        with contextlib.suppress(OSError):
            return (self.folder / CELL_FILE).read_bytes() != self._on_disk
        return False

    def _loaded(self, data: bytes) -> "CellDocument":
        self._on_disk = data
        self._saved_version = self.version
        return self

    def _perform(self, command: Command) -> Done[Command]:
        done = edit(self.cell, command)
        self.cell = done.cell
        return Done(done.inverse, done.touched)

    def _state_of(self, names: tuple[str, ...]) -> dict[str, State | None]:
        wanted = set(names)
        found: dict[str, State | None] = dict.fromkeys(names)
        for section in SECTIONS:
            items: tuple[CellItem, ...] = getattr(self.cell, section)
            for item in items:
                if item.name in wanted:
                    found[item.name] = item
        if "" in wanted:
            found[""] = (self.cell.name, self.cell.title, self.cell.notes)
        return found


def load_cell(folder: Path | str) -> CellDocument:
    """Return the document of the cell in a folder.

    Raises:
        CellFileError: The file cannot be read or used; names the file, the place in it and the value.
    """
    path = Path(folder) / CELL_FILE
    data = read_text_bytes(path)
    return CellDocument(decode_cell(data, path), folder)._loaded(data)  # pyright: ignore[reportPrivateUsage]


def say(command: Command) -> str:
    """Return a command in a few words, as in 'move table'."""
    match command:
        case Batch(commands=commands, title=title):
            return title or f"{len(commands)} edits"
        case Rename(name=name, new_name=new_name):
            return f"rename {name} to {new_name}"
        case SetField(name=name, field=field):
            return f"set {field} of {name or 'the cell'}"
        case Add(item=item):
            return f"add {getattr(item, 'name', None) or cast(dict[str, str], item).get('name', '')}"
        case _:
            return f"{type(command).__name__.lower()} {command.name}"
