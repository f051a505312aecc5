"""History: undo and redo for each author, past edits whose things somebody has changed since.

Documents never change, each edit makes another. So that is all there is to remember of an edit: what takes it back, and
what each thing that it has touched was afterwards. It is taken back where these things are still what it left behind;
otherwise somebody has changed them, the reason says who, and the edit before it is taken back instead.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from openpendant.errors import InputError
from openpendant.said import say

LONGEST_HISTORY = 1000
Command = TypeVar("Command")
State = TypeVar("State")
Key = tuple[str, ...]
"""Of a thing, outermost name first: one whose key begins with another's is inside that one."""


@dataclass(frozen=True, slots=True)
class Applied(Generic[Command]):
    """An undo or redo that was done; `command` is what was applied, for others to follow."""

    command: Command
    skipped: tuple[str, ...] = ()
    """Why newer edits could not be taken back, the newest first; they can no longer be."""


@dataclass(frozen=True, slots=True)
class Refused:
    """An undo or redo that was not done, and why. Nothing has changed."""

    reason: str


@dataclass(frozen=True, slots=True)
class DoneEdit(Generic[Command]):
    """An edit that has taken place: the command that takes it back, and the keys of what it has touched."""

    inverse: Command
    touched: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class _Change(Generic[Command, State]):
    """One edit in the history: who made it, how it is taken back, and what it left behind."""

    author: str
    title: str
    inverse: Command
    left: Mapping[Key, State | None]
    """What each touched thing was right after the edit; None: gone."""
    number: int


@dataclass(slots=True)
class _Stacks(Generic[Command, State]):
    """What one author can undo and redo; the newest last."""

    undo: list[_Change[Command, State]] = field(default_factory=list["_Change[Command, State]"])
    redo: list[_Change[Command, State]] = field(default_factory=list["_Change[Command, State]"])


class History(Generic[Command, State]):
    """Applies commands to a document and remembers how to take them back."""

    def __init__(
        self,
        perform: Callable[[Command], DoneEdit[Command]],
        states: Callable[[tuple[Key, ...]], Mapping[Key, State | None]],
        title: Callable[[Command], str],
        what: Callable[[Key], str],
        who: Callable[[str], str] = str,
    ) -> None:
        """Start empty.

        Args:
            perform: Puts another document in place of the present one, or raises InputError and changes nothing.
            states: What things with these keys are now; None: gone.
            title: A command in a few words.
            what: Describes the thing with a key.
            who: The name of an author for people; empty: not known.
        """
        self.version = 0
        """Grows by one with every edit, undo and redo."""
        self._perform = perform
        self._states = states
        self._title = title
        self._what = what
        self._who = who
        self._stacks: dict[str, _Stacks[Command, State]] = {}
        self._recent: list[_Change[Command, State]] = []

    def apply(self, command: Command, author: str = "") -> Command:
        """Apply a command and return its inverse. What the author had undone can no longer be redone.

        Raises:
            InputError: The command does not fit; nothing has changed then.
        """
        change = self._make(command, author, self._title(command))
        stacks = self._of(author)
        stacks.redo.clear()
        stacks.undo.append(change)
        del stacks.undo[:-LONGEST_HISTORY]
        return change.inverse

    def undo(self, author: str = "") -> Applied[Command] | Refused:
        """Take back the author's last edit whose things are as it left them; newer ones are skipped and forgotten."""
        stacks = self._of(author)
        if not stacks.undo:
            return Refused(say("edit.nothing_to_undo"))
        return self._revert(stacks.undo, stacks.redo, author, "edit.cannot_undo_that")

    def redo(self, author: str = "") -> Applied[Command] | Refused:
        """Do again what the author has undone last; what somebody has changed since is skipped and forgotten."""
        stacks = self._of(author)
        if not stacks.redo:
            return Refused(say("edit.nothing_to_redo"))
        return self._revert(stacks.redo, stacks.undo, author, "edit.cannot_redo_that")

    def titles(self, author: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what the author can undo and redo, as text; the next one last."""
        stacks = self._stacks.get(author, _Stacks[Command, State]())
        return tuple(change.title for change in stacks.undo), tuple(change.title for change in stacks.redo)

    def can_undo(self, author: str = "") -> bool:
        """Return whether the author has anything to undo."""
        return bool(author in self._stacks and self._stacks[author].undo)

    def can_redo(self, author: str = "") -> bool:
        """Return whether the author has anything to redo."""
        return bool(author in self._stacks and self._stacks[author].redo)

    def rewrite(self, command: Callable[[Command], Command], state: Callable[[Key, State], State]) -> None:
        """Change what is remembered, as when a name that it speaks of has changed elsewhere."""

        def changed(change: _Change[Command, State]) -> _Change[Command, State]:
            left = {key: None if kept is None else state(key, kept) for key, kept in change.left.items()}
            return replace(change, inverse=command(change.inverse), left=left)

        self._recent[:] = [changed(change) for change in self._recent]
        for stacks in self._stacks.values():
            stacks.undo[:] = [changed(change) for change in stacks.undo]
            stacks.redo[:] = [changed(change) for change in stacks.redo]

    def _of(self, author: str) -> _Stacks[Command, State]:
        return self._stacks.setdefault(author, _Stacks())

    def _make(self, command: Command, author: str, title: str) -> _Change[Command, State]:
        done = self._perform(command)
        self.version += 1
        change = _Change(author, title, done.inverse, self._states(done.touched), self.version)
        self._recent.append(change)
        del self._recent[:-LONGEST_HISTORY]
        return change

    def _revert(
        self, source: list[_Change[Command, State]], target: list[_Change[Command, State]], author: str, refusal: str
    ) -> Applied[Command] | Refused:
        """Take back the last change of `source` that can be; `refusal` is the code of why one cannot.

        Where none can be, nothing changes: what stands in the way may still be undone by whoever did it.
        """
        skipped: list[str] = []
        for change in reversed(source):
            taken = self._taken_back(change, author)
            if isinstance(taken, _Change):
                del source[-1 - len(skipped) :]
                target.append(taken)
                return Applied(change.inverse, tuple(skipped))
            skipped.append(say(refusal, edit=change.title, why=taken))
        return Refused(skipped[0])

    def _taken_back(self, change: _Change[Command, State], author: str) -> _Change[Command, State] | str:
        """Take one change back, or return why that is not possible."""
        reason = self._why_not(change)
        if reason is not None:
            return reason
        try:
            return self._make(change.inverse, author, change.title)
        except InputError as error:
            return error.said

    def _why_not(self, change: _Change[Command, State]) -> str | None:
        """Return why an edit cannot be taken back: one of its things is no longer what it left behind."""
        now = self._states(tuple(change.left))
        for key, left in change.left.items():
            if now[key] != left:
                return self._changed_since(change.number, key, gone=now[key] is None)
        return None

    def _changed_since(self, number: int, key: Key, *, gone: bool) -> str:
        what = self._what(key)
        for later in reversed(self._recent):
            if later.number > number and any(_overlap(key, other) for other in later.left):
                who = self._who(later.author) or say("who.somebody_else")
                code = "edit.removed_by" if gone else "edit.changed_by"
                return say(code, what=what, name=who, edit=later.title)
        return say("edit.removed" if gone else "edit.changed", what=what)


def _overlap(a: Key, b: Key) -> bool:
    return a[: len(b)] == b[: len(a)]
