"""CellDocument: a cell that is being edited, with undo for each author, and the folder it is kept in."""

import contextlib
from collections.abc import Callable
from pathlib import Path

from openpendant.documents import Applied, DoneEdit, History, Key, Refused, read_text_bytes
from openpendant.errors import CellFileError, InputError
from openpendant.said import say

from .cell import Cell
from .cell_edit import CellEdit, edit
from .cell_values import CellValue, cell_values, describe_cell_key
from .commands import Command
from .files import CELL_FILE, decode_cell, write_cell
from .titles import title_of
from .validation import find_fault

EditFunction = Callable[[Cell, Command], CellEdit]
"""Returns what a command makes of a cell, or raises InputError."""


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
            raise fault.in_item()
        self.cell = cell
        self.folder = None if folder is None else Path(folder)
        self._history: History[Command, CellValue] = History(self._perform, self._values, title_of, describe_cell_key)
        self._edit: EditFunction = edit
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

    def edit_with(self, edit: EditFunction) -> None:
        """Have commands performed by another function, which looks at more than the cell, as its programs."""
        self._edit = edit

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
            raise InputError(say("edit.no_folder"))
        if target == self.folder and not overwrite and self.changed_outside():
            raise CellFileError(target / CELL_FILE, "", say("file.changed"))
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

    def _perform(self, command: Command) -> DoneEdit[Command]:
        done = self._edit(self.cell, command)
        self.cell = done.cell
        return DoneEdit(done.inverse, tuple((name,) for name in done.touched))

    def _values(self, keys: tuple[Key, ...]) -> dict[Key, CellValue | None]:
        return cell_values(self.cell, keys)


def load_cell(folder: Path | str) -> CellDocument:
    """Return the document of the cell in a folder.

    Raises:
        CellFileError: The file cannot be read or used; names the file, the place in it and the value.
    """
    path = Path(folder) / CELL_FILE
    data = read_text_bytes(path)
    return CellDocument(decode_cell(data, path), folder)._loaded(data)  # pyright: ignore[reportPrivateUsage]
