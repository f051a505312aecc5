"""OpenProject: a shared project in its folder, with journal, autosave and an eye on changes from outside."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from openpendant.errors import CellFileError, InputError
from openpendant.programs import CellProject, Program, open_project, write_program
from openpendant.programs.reading import FOLDER
from openpendant.scene import Cell, CellDocument, Refused, write_cell

from .edits import ProjectEdit
from .journal import OWN_FOLDER, Entry, Journal, Left, Unreadable, digest_of, read_journal
from .lock import ProjectLock
from .patches import Patch
from .shared import SharedProject

__all__ = ["OpenProject", "PendingSave", "Recovery"]


@dataclass(frozen=True, slots=True)
class Recovery:
    """What was done about edits that an earlier process had not saved."""

    kind: Literal["restored", "set aside"]
    edits: int
    message: str
    """For the person."""


Programs = Mapping[str, Program]


class PendingSave:
    """A save that has begun: the project as it was then. `write` may be called in another thread."""

    def __init__(
        self, folder: Path, journal: Journal, seq: int, cell: Cell, programs: dict[str, Program], on_disk: Programs
    ) -> None:
        """Save this state into `folder`, where `on_disk` was saved last."""
        self.seq, self.cell, self.programs = seq, cell, programs
        self.digest = ""
        """Of the files, once they are written."""
        self.prepared: Path | None = None
        """The journal that goes with them, once they are written."""
        self._folder, self._journal, self._on_disk = folder, journal, on_disk

    def write(self, expected: str | None) -> None:
        """Write the files, each whole or not at all.

        Args:
            expected: What the digest of the files must still be; None: whatever it is.

        Raises:
            CellFileError: A file cannot be written, or was changed outside.
        """
        if expected is not None and digest_of(self._folder) != expected:
            raise CellFileError(self._folder, "", "was changed outside since it was read; not saved")
        self._journal.add(Entry(saving="begun"))
        self._journal.sync()
        write_cell(self._folder, self.cell)
        for name, program in self.programs.items():
            # Documents never change, each edit makes another: the same object means the same file.
            if expected is None or self._on_disk.get(name) is not program:
                write_program(self._folder, program, self.cell, self.programs)
        for name in self._on_disk.keys() - self.programs.keys():
            (self._folder / FOLDER / f"{name}.json").unlink(missing_ok=True)
        self.digest = digest_of(self._folder)
        self.prepared = self._journal.prepare(self.digest, self.seq, self.cell, self.programs)


class OpenProject:
    """A project that is open. One process has it open at a time, by a lock in its folder."""

    def __init__(self, folder: Path | str) -> None:
        """Open the project in `folder`, with the unsaved edits of an earlier process that was killed.

        Raises:
            CellFileError: A file cannot be read or used; names the file, the place in it and the value.
            ProjectInUseError: Another process has it open.
        """
        self.folder = Path(folder)
        self.recovery: Recovery | None = None
        self.fault = ""
        """Why the newest edits are in memory alone; empty: the journal has them all."""
        self._journal = Journal(self.folder)
        self._since: list[Entry] | None = None
        """What was written to the journal since a save has begun; None: none has."""
        try:
            self._lock = ProjectLock(self.folder / OWN_FOLDER)
        except OSError as error:
            raise CellFileError(self.folder, "", f"cannot be written: {error.strerror}") from None
        try:
            self._begin()
        except BaseException:
            self._lock.release()
            raise

    def _begin(self) -> None:
        self._digest = digest_of(self.folder)
        left = read_journal(self.folder)
        if isinstance(left, Unreadable):
            aside = self._journal.set_aside()
            self.recovery = Recovery("set aside", 0, f"a journal that this version cannot read is kept in {aside.name}")
            left = None
        if left is not None and left.entries and (left.base == self._digest or left.saving):
            self.shared = self._restore(left)
            return
        if left is not None and left.entries:
            aside = self._journal.set_aside()
            self.recovery = Recovery(
                "set aside",
                len(left.entries),
                f"{_count(left)} from before the files were changed outside are kept in {aside.name}",
            )
        self.shared = SharedProject(open_project(self.folder), 0 if left is None else left.seq + len(left.entries))
        self._on_disk: Programs = dict(self.shared.programs)
        self._start()
        self._saved_seq = self.shared.seq

    @property
    def is_saved(self) -> bool:
        """Whether the files hold everything."""
        return self.shared.seq == self._saved_seq

    def apply(self, edit: ProjectEdit, author: str = "") -> Patch:
        """Make an edit, and write it to the journal before it is answered for; `fault` says where that fails.

        Raises:
            InputError: It does not fit; nothing has changed then.
        """
        patch = self.shared.apply(edit, author)
        self._note(Entry(author=author, edit=edit))
        return patch

    def undo(self, author: str = "") -> Patch | Refused:
        """Take back the author's last edit."""
        done = self.shared.undo(author)
        if isinstance(done, Patch):
            self._note(Entry(author=author, back="undo"))
        return done

    def redo(self, author: str = "") -> Patch | Refused:
        """Do again what the author has undone last."""
        done = self.shared.redo(author)
        if isinstance(done, Patch):
            self._note(Entry(author=author, back="redo"))
        return done

    def sync(self) -> None:
        """Make sure that edits outlive a power cut; to be called about every second, in whatever thread.

        Raises:
            CellFileError: The disk says that it could not.
        """
        self._journal.sync()

    def save(self, *, overwrite: bool = False) -> None:
        """Write the files, each whole or not at all; a process that is killed meanwhile finishes when it starts again.

        Raises:
            CellFileError: A file cannot be written, or was changed outside and `overwrite` is not set.
        """
        pending = self.begin_save()
        try:
            pending.write(None if overwrite else self._digest)
        except BaseException:
            self.end_save(None)
            raise
        self.end_save(pending)

    def begin_save(self) -> PendingSave:
        """Begin to save the project as it is now; `PendingSave.write` writes it, `end_save` ends it."""
        self._since = []
        shared = self.shared
        return PendingSave(
            self.folder, self._journal, shared.seq, shared.cell, dict(shared.programs), dict(self._on_disk)
        )

    @property
    def digest(self) -> str:
        """What the digest of the files was when they were last read or written here."""
        return self._digest

    def end_save(self, pending: PendingSave | None) -> None:
        """End a save: the files hold what it says, and the journal what has come since. None: it has failed.

        Raises:
            CellFileError: The journal cannot be written.
        """
        since, self._since = self._since or [], None
        if pending is None or pending.prepared is None:
            return
        self._digest, self._saved_seq, self._on_disk = pending.digest, pending.seq, pending.programs
        self._journal.replace(pending.prepared, since)
        self.fault = ""

    def reload(self, project: CellProject | None = None) -> None:
        """Take the files as they are now. What was not saved is set aside; nobody can undo what was before.

        Args:
            project: What the files hold, where they were read already.

        Raises:
            CellFileError: A file cannot be read or used; then everything stays as it was.
        """
        project = open_project(self.folder) if project is None else project
        left = read_journal(self.folder)
        self.recovery = None
        if isinstance(left, Left) and left.entries:
            aside = self._journal.set_aside()
            self.recovery = Recovery("set aside", len(left.entries), f"{_count(left)} are kept in {aside.name}")
        self.shared = SharedProject(project, self.shared.seq + 1)
        self._on_disk = dict(self.shared.programs)
        self._start()
        self.fault = ""
        self._saved_seq = self.shared.seq

    def changed_outside(self) -> bool:
        """Return whether the files are no longer what this project last read or wrote, as after `git checkout`."""
        return digest_of(self.folder) != self._digest

    def close(self) -> None:
        """End; what is not saved stays in the journal."""
        self._journal.close()
        self._lock.release()

    def _note(self, entry: Entry) -> None:
        """Write a line to the journal; after one that failed the whole is written, since a gap cannot be repeated."""
        try:
            if self.fault:
                self._write_whole()
            else:
                self._journal.add(entry)
        except CellFileError as error:
            self.fault = str(error)
        else:
            self.fault = ""
        if self._since is not None:
            self._since.append(entry)

    def _write_whole(self) -> None:
        shared = self.shared
        prepared = self._journal.prepare(self._digest, shared.seq, shared.cell, shared.programs, (Entry(),))
        self._journal.replace(prepared)
        self.fault = ""

    def _start(self) -> None:
        self._digest = digest_of(self.folder)
        self._journal.start(self._digest, self.shared.seq, self.shared.cell, self.shared.programs)

    def _restore(self, left: Left) -> SharedProject:
        """Return the project with the edits that were left; a save that was begun is brought to its end."""
        try:
            project = CellProject(CellDocument(left.cell, self.folder), dict(left.programs))
        except InputError as error:
            raise CellFileError(self._journal.path, "", f"cannot be used: {error}; remove it to go on") from None
        shared = SharedProject(project, left.seq)
        made = read = 0
        for entry in left.entries:
            if not _repeat(shared, entry):
                break
            read += 1
            made += not entry.saving
        self.shared = shared
        self._saved_seq = -1
        self._on_disk = dict(left.programs)
        self.recovery = Recovery("restored", made, f"{_edits(made)} that had not been saved are back")
        lost = len(left.entries) - read + left.unread
        if lost:
            aside = self._journal.keep_copy()
            words = f"{self.recovery.message}; {lost} that this version cannot read are kept in {aside.name}"
            self.recovery = Recovery("restored", made, words)
        self._journal.go_on(left.sizes[read])
        if left.saving:
            self.save(overwrite=True)
        return shared


def _repeat(shared: SharedProject, entry: Entry) -> bool:
    """Make an edit of a journal again; return False where it does not fit, which ends the journal."""
    try:
        if entry.edit is not None:
            shared.apply(entry.edit, entry.author)
            return True
    except InputError:
        return False
    if entry.back:
        done = shared.undo(entry.author) if entry.back == "undo" else shared.redo(entry.author)
        return isinstance(done, Patch)
    return True


def _count(left: Left) -> str:
    return _edits(sum(not entry.saving for entry in left.entries))


def _edits(count: int) -> str:
    return f"{count} edit{'s' * (count != 1)}"
