"""Journal: every edit since the last save in one file, so that a killed process loses nothing it had answered for.

The first line holds the whole project as it was saved, and the digest of its files; then one line for each edit,
undo and redo. A line is whole or not there: what a full disk cuts short is taken back, and a pulled plug leaves at
most one broken line at the end.
"""

import contextlib
import hashlib
import os
import shutil
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from openpendant.documents import not_written, write_atomic
from openpendant.errors import CellFileError
from openpendant.programs import Program
from openpendant.programs.document import FOLDER
from openpendant.scene import Cell
from openpendant.scene.document import CELL_FILE

from .edits import ProjectEdit

OWN_FOLDER = ".openpendant"
JOURNAL_FILE = "journal.jsonl"
NEXT_FILE, RELOADED_FILE = "next-journal.jsonl", "reloaded-journal.jsonl"
"""Journals that are prepared: two, since either may be written while the other one is."""


class _JournalHead(msgspec.Struct, kw_only=True):
    """The first line."""

    base: str
    seq: int
    cell: Cell
    programs: dict[str, Program]


class JournalEntry(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A line: an edit, or an undo or redo of its author, or that a save begins.

    A line with nothing in it says that the head holds more than the files do.
    """

    author: str = ""
    edit: ProjectEdit | None = None
    back: Literal["undo", "redo", ""] = ""
    saving: str = ""


@dataclass(frozen=True, eq=False)
class LeftJournal:
    """What a journal holds that was left behind."""

    base: str
    seq: int
    cell: Cell
    programs: Mapping[str, Program]
    entries: tuple[JournalEntry, ...]
    sizes: tuple[int, ...]
    """Bytes of the file up to the end of the head, and of each entry; a last one that lacks its end counts as whole."""
    unread: int
    """Lines after those that cannot be read, beside a broken last one."""

    @property
    def saving(self) -> bool:
        """Whether a save was begun: the files may be anything between what they were and what they should be."""
        return any(entry.saving for entry in self.entries)


@dataclass(frozen=True)
class Unreadable:
    """A journal that this version cannot read."""


_entry = msgspec.json.Decoder(JournalEntry)
_head = msgspec.json.Decoder(_JournalHead)
_encode = msgspec.json.Encoder(order="deterministic").encode


def digest_of(folder: Path) -> str:
    """Return a digest of the files of a project; it changes when any of them does."""
    found = hashlib.sha256()
    for path in (folder / CELL_FILE, *sorted((folder / FOLDER).glob("*.json"))):
        with contextlib.suppress(OSError):
            data = path.read_bytes()
            found.update(f"{path.name} {len(data)}\n".encode())
            found.update(data)
    return found.hexdigest()


class Journal:
    """The journal of one open project. Not for two processes at once.

    `add`, `sync` and `prepare` may be called in any thread; everything else belongs to one.
    """

    def __init__(self, folder: Path) -> None:
        """Belong to the project in `folder`; `start` begins to write."""
        self.path = folder / OWN_FOLDER / JOURNAL_FILE
        self._file = -1
        self._size = 0
        """Bytes of whole lines."""
        self._unsynced = False
        self._one = threading.Lock()

    def start(self, base: str, seq: int, cell: Cell, programs: Mapping[str, Program]) -> None:
        """Begin again from a saved state; what was in the journal is gone at once, never half.

        Raises:
            CellFileError: The folder cannot be written to.
        """
        self.replace(self.prepare(base, seq, cell, programs))

    def prepare(
        self,
        base: str,
        seq: int,
        cell: Cell,
        programs: Mapping[str, Program],
        entries: Iterable[JournalEntry] = (),
        *,
        beside: str = NEXT_FILE,
    ) -> Path:
        """Write a journal beside the present one, in a file of that name, for `replace`; return where.

        Raises:
            CellFileError: The folder cannot be written to.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise not_written(self.path, error) from None
        ignore = self.path.parent / ".gitignore"
        if not ignore.exists():
            write_atomic(ignore, b"*\n")
        head = _JournalHead(base=base, seq=seq, cell=cell, programs=dict(programs))
        path = self.path.with_name(beside)
        write_atomic(path, b"\n".join((_encode(head), *map(_encode, entries))) + b"\n")
        return path

    def replace(self, prepared: Path, entries: Iterable[JournalEntry] = ()) -> None:
        """Continue in a journal that was prepared, with what has happened since.

        Raises:
            CellFileError: It cannot be written; the present journal then stays.
        """
        data = b"".join(_encode(entry) + b"\n" for entry in entries)
        try:
            if data:
                with prepared.open("ab") as file:
                    file.write(data)
            prepared.replace(self.path)
        except OSError as error:
            raise not_written(self.path, error) from None
        with self._one:
            self._shut()
            self._open()
            self._unsynced = bool(data)

    def append_after(self, size: int) -> None:
        """Write on after the first `size` bytes of what is there; what comes after them is dropped.

        A last line that was cut before its end gets it, so that the next one does not run on in it.

        Raises:
            CellFileError: It cannot be written.
        """
        self.close()
        self._open()
        cut = self._size < size
        self._size = size
        if not cut:
            self._drop_last()
            return
        try:
            os.write(self._file, b"\n")
        except OSError as error:
            raise not_written(self.path, error) from None
        self._unsynced = True

    def add(self, entry: JournalEntry) -> None:
        """Write a line, whole or not at all.

        Raises:
            CellFileError: The disk is full, or the file is not open.
        """
        data = memoryview(_encode(entry) + b"\n")
        with self._one:
            try:
                if os.fstat(self._file).st_size != self._size:
                    os.ftruncate(self._file, self._size)
                written = 0
                while written < len(data):
                    written += os.write(self._file, data[written:])
            except OSError as error:
                self._drop_last()
                raise not_written(self.path, error) from None
            self._size += len(data)
            self._unsynced = True

    def sync(self) -> None:
        """Make sure that what was written outlives a power cut; cheap where nothing was.

        Raises:
            CellFileError: The disk says that it could not.
        """
        with self._one:
            if not self._unsynced or self._file < 0:
                return
            self._unsynced = False
            file = os.dup(self._file)
        try:
            os.fsync(file)
        except OSError as error:
            self._unsynced = True
            raise not_written(self.path, error) from None
        finally:
            os.close(file)

    def lines_after(self, size: int) -> int:
        """Return how many lines have come after the first `size` bytes."""
        try:
            with self.path.open("rb") as file:
                file.seek(size)
                return file.read().count(b"\n")
        except OSError:
            return 0

    def set_aside(self) -> Path:
        """Keep the journal under another name, since it does not fit the files any more; return where."""
        self.close()
        aside = self._free_name()
        self.path.replace(aside)
        return aside

    def keep_copy(self) -> Path:
        """Keep a copy of the journal as it is; return where."""
        aside = self._free_name()
        shutil.copyfile(self.path, aside)
        return aside

    def close(self) -> None:
        """End writing."""
        with contextlib.suppress(CellFileError):
            self.sync()
        with self._one:
            self._shut()

    def _shut(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _drop_last(self) -> None:
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, self._size)

    def _free_name(self) -> Path:
        name, number = f"unsaved-{time.strftime('%Y%m%d-%H%M%S')}", 2
        aside = self.path.with_name(f"{name}.jsonl")
        while aside.exists():
            aside, number = self.path.with_name(f"{name}-{number}.jsonl"), number + 1
        return aside

    def _open(self) -> None:
        try:
            self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            self._size = os.fstat(self._file).st_size
        except OSError as error:
            raise not_written(self.path, error) from None


def read_journal(folder: Path) -> LeftJournal | Unreadable | None:
    """Return what a journal holds; None if there is none, or nothing in it.

    A line that cannot be read ends it: edits after it may rest on what it says.
    """
    try:
        data = (folder / OWN_FOLDER / JOURNAL_FILE).read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        return Unreadable()
    if not data.strip():
        return None
    lines = data.split(b"\n")
    try:
        head = _head.decode(lines[0])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return Unreadable()
    entries: list[JournalEntry] = []
    end = len(lines[0]) + 1
    sizes = [end]
    rest = lines[1:]
    for number, line in enumerate(rest):
        end += len(line) + 1
        try:
            if line:
                entries.append(_entry.decode(line))
                sizes.append(end)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            # The last line has no end where it was cut short; every other one was written whole.
            unread = sum(1 for one in rest[number:-1] if one)
            return LeftJournal(head.base, head.seq, head.cell, head.programs, tuple(entries), tuple(sizes), unread)
    return LeftJournal(head.base, head.seq, head.cell, head.programs, tuple(entries), tuple(sizes), 0)
