"""SharedProject: one project that several people edit at once, with undo for each of them over all of it."""

from collections.abc import Callable

from openpendant.documents import DoneEdit, History, Key, Refused
from openpendant.programs import CellProject, Program
from openpendant.programs.document import ProjectState
from openpendant.said import say
from openpendant.scene import Cell

from .edits import ProjectEdit, title_of_edit
from .patches import Patch, find_changes
from .state_edits import FollowedRename, Value, describe_key, edit_state, renames_of, values_of


class SharedProject:
    """A project, the numbered patches that its copies follow, and each person's undo and redo."""

    def __init__(self, project: CellProject, seq: int = 0, who: Callable[[str], str] = str) -> None:
        """Share a project.

        Args:
            project: As it is now.
            seq: The number of its newest patch.
            who: The name of an author, for people; empty: not known.
        """
        self.seq = seq
        self._state = project.state
        self._history: History[ProjectEdit, Value] = History(
            self._perform, self._values, title_of_edit, describe_key, who
        )
        self._listeners: list[Callable[[Patch], None]] = []

    @property
    def cell(self) -> Cell:
        """The cell as it is now."""
        return self._state.cell

    @property
    def programs(self) -> dict[str, Program]:
        """The programs as they are now, by name."""
        return dict(self._state.programs)

    def listen(self, listener: Callable[[Patch], None]) -> Callable[[], None]:
        """Call `listener` with every patch from now on; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def apply(self, edit: ProjectEdit, author: str = "") -> Patch:
        """Make an edit and return what it has changed. What the author had undone can no longer be redone.

        Raises:
            InputError: It does not fit; nothing has changed then.
            UnknownNameError: It names a thing, step or program that is not there.
        """
        before = self._state
        self._history.apply(edit, author)
        return self._make_patch(author, title_of_edit(edit), before)

    def undo(self, author: str = "") -> Patch | Refused:
        """Take back the author's last edit whose things are as it left them; the patch says why others are skipped."""
        before = self._state
        done = self._history.undo(author)
        if isinstance(done, Refused):
            return done
        return self._make_patch(author, say("title.undo", edit=self.history(author)[1][-1]), before, done.skipped)

    def redo(self, author: str = "") -> Patch | Refused:
        """Do again what the author has undone last; what cannot be is skipped, and the patch says why."""
        before = self._state
        done = self._history.redo(author)
        if isinstance(done, Refused):
            return done
        return self._make_patch(author, say("title.redo", edit=self.history(author)[0][-1]), before, done.skipped)

    def history(self, author: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what the author can undo and redo, as text; the next one last."""
        return self._history.titles(author)

    def _perform(self, edit: ProjectEdit) -> DoneEdit[ProjectEdit]:
        self._state, done = edit_state(self._state, edit)
        for old, new in renames_of(edit):
            rename = FollowedRename(self._state, old, new)
            self._history.rewrite(rename.in_edit, rename.in_value)
        return done

    def _values(self, keys: tuple[Key, ...]) -> dict[Key, Value | None]:
        return values_of(self._state, keys)

    def _make_patch(self, author: str, title: str, before: ProjectState, skipped: tuple[str, ...] = ()) -> Patch:
        self.seq += 1
        old, new = (before.cell, before.programs), (self.cell, self.programs)
        patch = find_changes(self.seq, author, title, old, new, skipped)
        for listener in tuple(self._listeners):
            listener(patch)
        return patch
