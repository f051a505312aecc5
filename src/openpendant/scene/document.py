"""CellDocument: a cell that is being edited, with undo for each author, and the folder it is kept in."""

import contextlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from openpendant.errors import CellFileError, InputError

from .cell import SECTIONS, Cell, CellItem
from .checking import find_fault
from .commands import Add, Batch, Command, Rename, SetField
from .editing import Edit, edit
from .files import read_text_bytes
from .reading import CELL_FILE, decode_cell, write_cell

__all__ = ["Applied", "CellDocument", "Refused", "load_cell"]

LONGEST_HISTORY = 1000


@dataclass(frozen=True, slots=True)
class Applied:
    """An undo or redo that was done; `command` is what was applied, for others to follow."""

    command: Command


@dataclass(frozen=True, slots=True)
class Refused:
    """An undo or redo that was not done, and why. Nothing has changed."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Change:
    """One edit in the history: who made it, how it is taken back, and what it left behind."""

    author: str
    command: Command
    inverse: Command
    left: dict[str, CellItem | tuple[str, str, str] | None]
    """What each touched thing was right after the edit; None: gone."""
    number: int


@dataclass(slots=True)
class _Stacks:
    """What one author can undo and redo; the newest last."""

    undo: list[_Change] = field(default_factory=list["_Change"])
    redo: list[_Change] = field(default_factory=list["_Change"])


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
        self.version = 0
        """Grows by one with every edit, undo and redo."""
        self._saved_version = -1
        self._on_disk: bytes | None = None
        self._stacks: dict[str, _Stacks] = {}
        self._recent: list[_Change] = []

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
        done = edit(self.cell, command)
        stacks = self._stacks.setdefault(author, _Stacks())
        stacks.redo.clear()
        stacks.undo.append(self._take(done, command, author))
        del stacks.undo[:-LONGEST_HISTORY]
        return done.inverse

    def undo(self, author: str = "") -> Applied | Refused:
        """Take back the author's last edit, unless somebody has changed the same things since."""
        stacks = self._stacks.setdefault(author, _Stacks())
        return self._back(stacks.undo, stacks.redo, author, "undo")

    def redo(self, author: str = "") -> Applied | Refused:
        """Do again what the author has undone last, unless somebody has changed the same things since."""
        stacks = self._stacks.setdefault(author, _Stacks())
        return self._back(stacks.redo, stacks.undo, author, "redo")

    def can_undo(self, author: str = "") -> bool:
        """Return whether the author has anything to undo."""
        return bool(author in self._stacks and self._stacks[author].undo)

    def can_redo(self, author: str = "") -> bool:
        """Return whether the author has anything to redo."""
        return bool(author in self._stacks and self._stacks[author].redo)

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

    def _take(self, done: Edit, command: Command, author: str) -> _Change:
        self.cell = done.cell
        self.version += 1
        change = _Change(author, command, done.inverse, self._state_of(done.touched), self.version)
        self._recent.append(change)
        del self._recent[:-LONGEST_HISTORY]
        return change

    def _back(self, source: list[_Change], target: list[_Change], author: str, word: str) -> Applied | Refused:
        if not source:
            return Refused(f"there is nothing to {word}")
        change = source[-1]
        reason = self._why_not(change)
        if reason is None:
            try:
                done = edit(self.cell, change.inverse)
            except InputError as error:
                reason = str(error)
            else:
                source.pop()
                target.append(self._take(done, change.inverse, author))
                return Applied(change.inverse)
        return Refused(f"cannot {word} {say(change.command)}: {reason}")

    def _why_not(self, change: _Change) -> str | None:
        """Return why an edit cannot be taken back: one of its things is no longer what it left behind."""
        now = self._state_of(tuple(change.left))
        for name, left in change.left.items():
            if now[name] != left:
                later = next((c for c in reversed(self._recent) if name in c.left and c.number > change.number), None)
                who = f" by {later.author or 'somebody else'} ({say(later.command)})" if later is not None else ""
                what = f"{name!r}" if name else "the cell"
                return f"{what} was {'removed or renamed' if now[name] is None else 'changed'} since{who}"
        return None

    def _state_of(self, names: tuple[str, ...]) -> dict[str, CellItem | tuple[str, str, str] | None]:
        wanted = set(names)
        found: dict[str, CellItem | tuple[str, str, str] | None] = dict.fromkeys(names)
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
