"""Journal: every edit since the last save in one file, so that a killed process loses nothing it had answered for.

The first line holds the whole project as it was saved, and the digest of its files; then one line for each edit,
undo and redo. A line is written with one system call: a killed process leaves whole lines, a pulled plug at most
one broken one at the end.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from openpendant.errors import CellFileError
from openpendant.programs import Program
from openpendant.programs.reading import FOLDER
from openpendant.scene import Cell, write_atomic
from openpendant.scene.reading import CELL_FILE

from .edits import ProjectEdit

__all__ = ["Entry", "Journal", "Left", "digest_of", "read_journal"]

OWN_FOLDER = ".openpendant"
JOURNAL_FILE = "journal.jsonl"


class _Head(msgspec.Struct, kw_only=True):
    """The first line."""

    base: str
    seq: int
    cell: Cell
    programs: dict[str, Program]


class Entry(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A line: an edit, or an undo or redo of its author, or that a save begins which leads to these files."""

    author: str = ""
    edit: ProjectEdit | None = None
    back: Literal["undo", "redo", ""] = ""
    saving: str = ""


@dataclass(frozen=True, eq=False)
class Left:
    """What a journal holds that was left behind."""

    base: str
    seq: int
    cell: Cell
    programs: Mapping[str, Program]
    entries: tuple[Entry, ...]

    @property
    def saving(self) -> bool:
        """Whether the process ended in the middle of a save."""
        return bool(self.entries) and bool(self.entries[-1].saving)


_entry = msgspec.json.Decoder(Entry)
_head = msgspec.json.Decoder(_Head)
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
    """The journal of one open project. Not for two processes at once."""

    def __init__(self, folder: Path) -> None:
        """Belong to the project in `folder`; `start` begins to write."""
        self.path = folder / OWN_FOLDER / JOURNAL_FILE
        self._file = -1
        self._unsynced = False

    def start(self, base: str, seq: int, cell: Cell, programs: Mapping[str, Program]) -> None:
        """Begin anew from a saved state; what was in the journal is gone at once, never half.

        Raises:
            CellFileError: The folder cannot be written to.
        """
        self.close()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        ignore = self.path.parent / ".gitignore"
        if not ignore.exists():
            write_atomic(ignore, b"*\n")
        head = _Head(base=base, seq=seq, cell=cell, programs=dict(programs))
        write_atomic(self.path, _encode(head) + b"\n")
        self._open()

    def go_on(self) -> None:
        """Write on after what is there."""
        self.close()
        self._open()

    def add(self, entry: Entry) -> None:
        """Write a line.

        Raises:
            CellFileError: The disk is full, or the file is not open.
        """
        try:
            os.write(self._file, _encode(entry) + b"\n")
        except OSError as error:
            raise CellFileError(self.path, "", f"cannot be written: {error.strerror}") from None
        self._unsynced = True

    def sync(self) -> None:
        """Make sure that what was written outlives a power cut; cheap where nothing was."""
        if self._unsynced and self._file >= 0:
            os.fsync(self._file)
            self._unsynced = False

    def set_aside(self) -> Path:
        """Keep the journal under another name, since it does not fit the files any more; return where."""
        self.close()
        aside = self.path.with_name(f"unsaved-{time.strftime('%Y%m%d-%H%M%S')}.jsonl")
        self.path.replace(aside)
        return aside

    def close(self) -> None:
        """End writing."""
        if self._file >= 0:
            self.sync()
            os.close(self._file)
            self._file = -1

    def _open(self) -> None:
        try:
            self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        except OSError as error:
            raise CellFileError(self.path, "", f"cannot be written: {error.strerror}") from None


def read_journal(folder: Path) -> Left | None:
    """Return what a journal holds; None where there is none, or nothing that can be read.

    A broken line ends it: what comes after was not written whole.
    """
    try:
        lines = (folder / OWN_FOLDER / JOURNAL_FILE).read_bytes().split(b"\n")
        head = _head.decode(lines[0])
    except (OSError, msgspec.DecodeError):
        return None
    entries: list[Entry] = []
    for line in lines[1:]:
        if not line:
            continue
        try:
            entries.append(_entry.decode(line))
        except msgspec.DecodeError:
            break
    return Left(head.base, head.seq, head.cell, head.programs, tuple(entries))
