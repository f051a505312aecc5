"""History: undo and redo for each author, refused where somebody has changed the same things since."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from openpendant.errors import InputError
from openpendant.said import say

__all__ = ["Applied", "Done", "History", "Refused"]

LONGEST_HISTORY = 1000
Command = TypeVar("Command")
State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Applied(Generic[Command]):
    """An undo or redo that was done; `command` is what was applied, for others to follow."""

    command: Command


@dataclass(frozen=True, slots=True)
class Refused:
    """An undo or redo that was not done, and why. Nothing has changed."""

    reason: str


@dataclass(frozen=True, slots=True)
class Done(Generic[Command]):
    """An edit that has taken place: the command that takes it back, and the names of what it has touched."""

    inverse: Command
    touched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Change(Generic[Command, State]):
    """One edit in the history: who made it, how it is taken back, and what it left behind."""

    author: str
    command: Command
    inverse: Command
    left: Mapping[str, State | None]
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
        perform: Callable[[Command], Done[Command]],
        states: Callable[[tuple[str, ...]], Mapping[str, State | None]],
        say: Callable[[Command], str],
        whole: str,
    ) -> None:
        """Start empty.

        Args:
            perform: Changes the document, or raises InputError and changes nothing.
            states: What things of these names are now; None: gone.
            say: A command in a few words.
            whole: What the document itself is called, which has the empty name.
        """
        self.version = 0
        """Grows by one with every edit, undo and redo."""
        self._perform = perform
        self._states = states
        self._say = say
        self._whole = whole
        self._stacks: dict[str, _Stacks[Command, State]] = {}
        self._recent: list[_Change[Command, State]] = []

    def apply(self, command: Command, author: str = "") -> Command:
        """Apply a command and return its inverse. What the author had undone can no longer be redone.

        Raises:
            InputError: The command does not fit; nothing has changed then.
        """
        change = self._take(command, author)
        stacks = self._of(author)
        stacks.redo.clear()
        stacks.undo.append(change)
        del stacks.undo[:-LONGEST_HISTORY]
        return change.inverse

    def undo(self, author: str = "") -> Applied[Command] | Refused:
        """Take back the author's last edit, unless somebody has changed the same things since."""
        stacks = self._of(author)
        return self._back(stacks.undo, stacks.redo, author, "undo")

    def redo(self, author: str = "") -> Applied[Command] | Refused:
        """Do again what the author has undone last, unless somebody has changed the same things since."""
        stacks = self._of(author)
        return self._back(stacks.redo, stacks.undo, author, "redo")

    def can_undo(self, author: str = "") -> bool:
        """Return whether the author has anything to undo."""
        return bool(author in self._stacks and self._stacks[author].undo)

    def can_redo(self, author: str = "") -> bool:
        """Return whether the author has anything to redo."""
        return bool(author in self._stacks and self._stacks[author].redo)

    def rewrite(self, command: Callable[[Command], Command], state: Callable[[State], State]) -> None:
        """Change what is remembered, as when a name that it speaks of has changed elsewhere; counts as a version."""
        self.version += 1

        def changed(change: _Change[Command, State]) -> _Change[Command, State]:
            left = {name: None if kept is None else state(kept) for name, kept in change.left.items()}
            return replace(change, command=command(change.command), inverse=command(change.inverse), left=left)

        self._recent[:] = [changed(change) for change in self._recent]
        for stacks in self._stacks.values():
            stacks.undo[:] = [changed(change) for change in stacks.undo]
            stacks.redo[:] = [changed(change) for change in stacks.redo]

    def _of(self, author: str) -> _Stacks[Command, State]:
        return self._stacks.setdefault(author, _Stacks())

    def _take(self, command: Command, author: str) -> _Change[Command, State]:
        done = self._perform(command)
        self.version += 1
        change = _Change(author, command, done.inverse, self._states(done.touched), self.version)
        self._recent.append(change)
        del self._recent[:-LONGEST_HISTORY]
        return change

    def _back(
        self, source: list[_Change[Command, State]], target: list[_Change[Command, State]], author: str, word: str
    ) -> Applied[Command] | Refused:
        if not source:
            return Refused(say("edit.nothing_to_undo" if word == "undo" else "edit.nothing_to_redo"))
        change = source[-1]
        reason = self._why_not(change)
        if reason is None:
            try:
                taken = self._take(change.inverse, author)
            except InputError as error:
                reason = error.said
            else:
                source.pop()
                target.append(taken)
                return Applied(change.inverse)
        code = "edit.cannot_undo_that" if word == "undo" else "edit.cannot_redo_that"
        return Refused(say(code, edit=self._say(change.command), why=reason))

    def _why_not(self, change: _Change[Command, State]) -> str | None:
        """Return why an edit cannot be taken back: one of its things is no longer what it left behind."""
        now = self._states(tuple(change.left))
        for name, left in change.left.items():
            if now[name] != left:
                later = next((c for c in reversed(self._recent) if name in c.left and c.number > change.number), None)
                what = f"{name!r}" if name else self._whole
                gone = now[name] is None
                if later is None:
                    return say("edit.removed" if gone else "edit.changed", what=what)
                code = "edit.removed_by" if gone else "edit.changed_by"
                who = later.author or "somebody else"
                return say(code, what=what, name=who, edit=self._say(later.command))
        return None
