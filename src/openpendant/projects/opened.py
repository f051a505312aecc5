"""OpenProject: a shared project in its folder, with journal, autosave and an eye on changes from outside."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from openpendant.documents import Refused, not_written
from openpendant.errors import CellFileError, InputError
from openpendant.programs import CellProject, Program, open_project, write_program
from openpendant.programs.document import FOLDER
from openpendant.said import say
from openpendant.scene import Cell, CellDocument, write_cell

from .edits import ProjectEdit
from .journal import OWN_FOLDER, RELOADED_FILE, Journal, JournalEntry, LeftJournal, Unreadable, digest_of, read_journal
from .lock import ProjectLock
from .patches import Patch
from .shared import SharedProject


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
            raise CellFileError(self._folder, "", say("file.changed_outside"))
        self._journal.add(JournalEntry(saving="begun"))
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


class PendingReload:
    """The files as they are now, to be taken instead of what is open. `read` may be called in another thread."""

    def __init__(self, folder: Path, journal: Journal, seq: int) -> None:
        """Read `folder`; the newest patch of what is open has the number `seq`."""
        self.project: CellProject | None = None
        """What they hold, once they are read."""
        self.prepared: Path | None = None
        """The journal that goes with them."""
        self.digest = ""
        self.left: LeftJournal | None = None
        """What was not saved by then."""
        self._folder, self._journal, self._seq = folder, journal, seq

    def read(self) -> None:
        """Read the files, and write the journal that goes with them.

        Raises:
            CellFileError: A file cannot be read or used, or the journal cannot be written.
        """
        self.digest = digest_of(self._folder)
        project = open_project(self._folder)
        left = read_journal(self._folder)
        self.left = left if isinstance(left, LeftJournal) else None
        # Edits that come meanwhile are set aside too. A crash may then repeat numbers: whoever enters gets the whole.
        self.prepared = self._journal.prepare(
            self.digest, self._seq + 1, project.cell, project.all_programs(), beside=RELOADED_FILE
        )
        self._journal.sync()
        self.project = project


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
        self.name_of: Callable[[str], str] = str
        """The name of an author for people; empty: not known."""
        self.fault = ""
        """Why the newest edits are in memory alone; empty: the journal has them all."""
        self._journal = Journal(self.folder)
        self._since: list[JournalEntry] | None = None
        """What was written to the journal since a save has begun; None: none has."""
        try:
            self._lock = ProjectLock(self.folder / OWN_FOLDER)
        except OSError as error:
            raise not_written(self.folder, error) from None
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
            self.recovery = Recovery("set aside", 0, say("project.aside_unreadable", file=aside.name))
            left = None
        if left is not None and left.entries and (left.base == self._digest or left.saving):
            self.shared = self._restore(left)
            return
        if left is not None and left.entries:
            aside = self._journal.set_aside()
            words = say("project.aside_changed", count=_count(left), file=aside.name)
            self.recovery = Recovery("set aside", len(left.entries), words)
        self.shared = self._share(open_project(self.folder), 0 if left is None else left.seq + len(left.entries))
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
        self._note(JournalEntry(author=author, edit=edit))
        return patch

    def undo(self, author: str = "") -> Patch | Refused:
        """Take back the author's last edit."""
        done = self.shared.undo(author)
        if isinstance(done, Patch):
            self._note(JournalEntry(author=author, back="undo"))
        return done

    def redo(self, author: str = "") -> Patch | Refused:
        """Do again what the author has undone last."""
        done = self.shared.redo(author)
        if isinstance(done, Patch):
            self._note(JournalEntry(author=author, back="redo"))
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

    def reload(self) -> None:
        """Take the files as they are now. What was not saved is set aside; earlier edits can no longer be undone.

        Raises:
            CellFileError: A file cannot be read or used; then everything stays as it was.
        """
        pending = self.begin_reload()
        pending.read()
        self.end_reload(pending)

    def begin_reload(self) -> PendingReload:
        """Begin to reload; `PendingReload.read` reads the files, `end_reload` ends it. Not during a save."""
        return PendingReload(self.folder, self._journal, self.shared.seq)

    def end_reload(self, pending: PendingReload) -> None:
        """Take what was read. What was not saved, also since it was read, is set aside.

        Raises:
            CellFileError: The journal cannot be written.
        """
        if pending.project is None or pending.prepared is None:
            return
        left, self.recovery = pending.left, None
        since = 0 if left is None else self._journal.lines_after(left.sizes[-1])
        if left is not None and (left.entries or since):
            edits = sum(not entry.saving for entry in left.entries) + since
            aside = self._journal.set_aside()
            words = say("project.aside", count=edits, file=aside.name)
            self.recovery = Recovery("set aside", edits, words)
        self.shared = self._share(pending.project, self.shared.seq + 1)
        self._on_disk = dict(self.shared.programs)
        self._digest = pending.digest
        self._journal.replace(pending.prepared)
        self.fault = ""
        self._saved_seq = self.shared.seq

    def changed_outside(self) -> bool:
        """Return whether the files are no longer what this project last read or wrote, as after `git checkout`."""
        return digest_of(self.folder) != self._digest

    def close(self) -> None:
        """End; what is not saved stays in the journal."""
        self._journal.close()
        self._lock.release()

    def _note(self, entry: JournalEntry) -> None:
        """Write a line to the journal; after one that failed the whole is written, since a gap cannot be repeated."""
        try:
            if self.fault:
                self._write_files()
            else:
                self._journal.add(entry)
        except CellFileError as error:
            self.fault = error.said
        else:
            self.fault = ""
        if self._since is not None:
            self._since.append(entry)

    def _share(self, project: CellProject, seq: int) -> SharedProject:
        return SharedProject(project, seq, lambda author: self.name_of(author))

    def _write_files(self) -> None:
        shared = self.shared
        prepared = self._journal.prepare(self._digest, shared.seq, shared.cell, shared.programs, (JournalEntry(),))
        self._journal.replace(prepared)
        self.fault = ""

    def _start(self) -> None:
        self._digest = digest_of(self.folder)
        self._journal.start(self._digest, self.shared.seq, self.shared.cell, self.shared.programs)

    def _restore(self, left: LeftJournal) -> SharedProject:
        """Return the project with the edits that were left; a save that was begun is brought to its end."""
        try:
            project = CellProject(CellDocument(left.cell, self.folder), dict(left.programs))
        except InputError as error:
            why = say("project.journal_unusable", why=error.said)
            raise CellFileError(self._journal.path, "", why) from None
        shared = self._share(project, left.seq)
        made = read = 0
        for entry in left.entries:
            if not _repeat(shared, entry):
                break
            read += 1
            made += not entry.saving
        self.shared = shared
        self._saved_seq = -1
        self._on_disk = dict(left.programs)
        words = say("project.restored_one") if made == 1 else say("project.restored", count=made)
        self.recovery = Recovery("restored", made, words)
        lost = len(left.entries) - read + left.unread
        if lost:
            aside = self._journal.keep_copy()
            words = say("project.restored_in_part", restored=words, count=lost, file=aside.name)
            self.recovery = Recovery("restored", made, words)
        self._journal.append_after(left.sizes[read])
        if left.saving:
            self.save(overwrite=True)
        return shared


def _repeat(shared: SharedProject, entry: JournalEntry) -> bool:
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


def _count(left: LeftJournal) -> int:
    return sum(not entry.saving for entry in left.entries)
