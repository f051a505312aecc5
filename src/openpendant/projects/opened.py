"""OpenProject: a shared project in its folder, with journal, autosave and an eye on changes from outside."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from openpendant.errors import CellFileError, InputError
from openpendant.programs import CellProject, open_project
from openpendant.scene import CellDocument, Refused

from .edits import ProjectEdit
from .journal import Entry, Journal, Left, digest_of, read_journal
from .patches import Patch
from .shared import SharedProject

__all__ = ["OpenProject", "Recovery"]


@dataclass(frozen=True, slots=True)
class Recovery:
    """What was done about edits that an earlier process had not saved."""

    kind: Literal["restored", "set aside"]
    edits: int
    message: str
    """For the person."""


class OpenProject:
    """A project that is open. One process has it open at a time; the server sees to that."""

    def __init__(self, folder: Path | str) -> None:
        """Open the project in `folder`, with the unsaved edits of an earlier process that was killed.

        Raises:
            CellFileError: A file cannot be read or used; names the file, the place in it and the value.
        """
        self.folder = Path(folder)
        self.recovery: Recovery | None = None
        self._journal = Journal(self.folder)
        self._digest = digest_of(self.folder)
        left = read_journal(self.folder)
        if left is not None and left.entries and (left.base == self._digest or left.saving):
            self.shared = self._restore(left)
        else:
            if left is not None and left.entries:
                aside = self._journal.set_aside()
                self.recovery = Recovery(
                    "set aside",
                    len(left.entries),
                    f"{_count(left)} from before the files were changed outside are kept in {aside.name}",
                )
            self.shared = SharedProject(open_project(self.folder), 0 if left is None else left.seq + len(left.entries))
            self._start()
            self._saved_seq = self.shared.seq

    @property
    def is_saved(self) -> bool:
        """Whether the files hold everything."""
        return self.shared.seq == self._saved_seq

    def apply(self, edit: ProjectEdit, author: str = "") -> Patch:
        """Make an edit, and write it to the journal before it is answered for.

        Raises:
            InputError: It does not fit; nothing has changed then.
            CellFileError: The journal cannot be written; the edit holds, but a save is needed.
        """
        patch = self.shared.apply(edit, author)
        self._journal.add(Entry(author=author, edit=edit))
        return patch

    def undo(self, author: str = "") -> Patch | Refused:
        """Take back the author's last edit."""
        done = self.shared.undo(author)
        if isinstance(done, Patch):
            self._journal.add(Entry(author=author, back="undo"))
        return done

    def redo(self, author: str = "") -> Patch | Refused:
        """Do again what the author has undone last."""
        done = self.shared.redo(author)
        if isinstance(done, Patch):
            self._journal.add(Entry(author=author, back="redo"))
        return done

    def sync(self) -> None:
        """Make sure that edits outlive a power cut; to be called about every second."""
        self._journal.sync()

    def save(self, *, overwrite: bool = False) -> None:
        """Write the files, each whole or not at all; a process that is killed meanwhile finishes when it starts again.

        Raises:
            CellFileError: A file cannot be written, or was changed outside and `overwrite` is not set.
        """
        if not overwrite and self.changed_outside():
            raise CellFileError(self.folder, "", "was changed outside since it was read; not saved")
        self._journal.add(Entry(saving="begun"))
        self._journal.sync()
        self.shared.project.save(self.folder, overwrite=True)
        self._start()
        self._saved_seq = self.shared.seq

    def reload(self) -> None:
        """Take the files as they are now. What was not saved is set aside; nobody can undo what was before.

        Raises:
            CellFileError: A file cannot be read or used; then everything stays as it was.
        """
        project = open_project(self.folder)
        left = read_journal(self.folder)
        self.recovery = None
        if left is not None and left.entries:
            aside = self._journal.set_aside()
            self.recovery = Recovery("set aside", len(left.entries), f"{_count(left)} are kept in {aside.name}")
        self.shared = SharedProject(project, self.shared.seq + 1)
        self._start()
        self._saved_seq = self.shared.seq

    def changed_outside(self) -> bool:
        """Return whether the files are no longer what this project last read or wrote, as after `git checkout`."""
        return digest_of(self.folder) != self._digest

    def close(self) -> None:
        """End; what is not saved stays in the journal."""
        self._journal.close()

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
        made = 0
        for entry in left.entries:
            if not _repeat(shared, entry):
                break
            made += not entry.saving
        self.shared = shared
        self._saved_seq = -1
        self.recovery = Recovery("restored", made, f"{_count(left)} that had not been saved are back")
        if left.saving:
            shared.project.save(self.folder, overwrite=True)
            self._start()
            self._saved_seq = shared.seq
        else:
            self._journal.go_on()
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
    edits = sum(not entry.saving for entry in left.entries)
    return f"{edits} edit{'s' * (edits != 1)}"
