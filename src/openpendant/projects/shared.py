"""SharedProject: one project that several people edit at once, with undo for each of them over all of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec

from openpendant.errors import InputError
from openpendant.programs import CellProject, Program, ProgramDocument
from openpendant.said import say
from openpendant.scene import Cell, CellDocument, Refused

from .edits import AddProgram, EditCell, EditProgram, ProjectEdit, RemoveProgram, Together, say_edit
from .patches import Patch, find_changes

__all__ = ["SharedProject"]

LONGEST_HISTORY = 1000


@dataclass(frozen=True, slots=True)
class _CellStep:
    """An edit of the cell; its document knows how to take it back."""


@dataclass(frozen=True, slots=True)
class _ProgramStep:
    """An edit of a program; its document knows how to take it back."""

    program: str


@dataclass(frozen=True, slots=True)
class _Added:
    """A program that was added, as it was then."""

    program: Program


@dataclass(frozen=True, slots=True)
class _Removed:
    """A program that was taken out, with its own history."""

    document: ProgramDocument


_Step = _CellStep | _ProgramStep | _Added | _Removed


@dataclass(frozen=True, slots=True)
class _Entry:
    """One thing that a person did, which one undo takes back."""

    title: str
    steps: tuple[_Step, ...]


@dataclass(slots=True)
class _Timeline:
    """What one person can undo and redo; the newest last."""

    undo: list[_Entry] = field(default_factory=list["_Entry"])
    redo: list[_Entry] = field(default_factory=list["_Entry"])


class SharedProject:
    """A project, the numbered patches that its copies follow, and each person's undo and redo."""

    def __init__(self, project: CellProject, seq: int = 0) -> None:
        """Share a project; `seq` is the number of its newest patch."""
        self.project = project
        self.seq = seq
        self._timelines: dict[str, _Timeline] = {}
        self._listeners: list[Callable[[Patch], None]] = []

    @property
    def cell(self) -> Cell:
        """The cell as it is now."""
        return self.project.cell

    @property
    def programs(self) -> dict[str, Program]:
        """The programs as they are now, by name."""
        return self.project.all_programs()

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
        before = (self.cell, self.programs)
        steps = self._do(edit, author)
        timeline = self._of(author)
        timeline.redo.clear()
        timeline.undo.append(_Entry(say_edit(edit), steps))
        del timeline.undo[:-LONGEST_HISTORY]
        return self._tell(author, say_edit(edit), before)

    def undo(self, author: str = "") -> Patch | Refused:
        """Take back the author's last edit, unless somebody has changed the same things since."""
        timeline = self._of(author)
        return self._back(timeline.undo, timeline.redo, author, "undo")

    def redo(self, author: str = "") -> Patch | Refused:
        """Do again what the author has undone last, unless somebody has changed the same things since."""
        timeline = self._of(author)
        return self._back(timeline.redo, timeline.undo, author, "redo")

    def history(self, author: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what the author can undo and redo, in words; the next one last."""
        timeline = self._of(author)
        return tuple(entry.title for entry in timeline.undo), tuple(entry.title for entry in timeline.redo)

    def _of(self, author: str) -> _Timeline:
        return self._timelines.setdefault(author, _Timeline())

    def _do(self, edit: ProjectEdit, author: str) -> tuple[_Step, ...]:
        match edit:
            case EditCell(command=command):
                self.project.apply(command, author)
                return (_CellStep(),)
            case EditProgram(program=name, command=command):
                self.project.program(name).apply(command, author)
                return (_ProgramStep(name),)
            case AddProgram(program=program):
                made = _typed(program)
                self.project.add_program(made)
                return (_Added(made),)
            case RemoveProgram(name=name):
                return (_Removed(self.project.remove_program(name)),)
            case Together(edits=edits):
                return self._do_all(edits, author)

    def _do_all(self, edits: tuple[ProjectEdit, ...], author: str) -> tuple[_Step, ...]:
        # First on a copy, so that nothing, not even what can be redone, changes where one of them does not fit.
        trial = SharedProject(CellProject(CellDocument(self.cell), self.programs))
        for edit in edits:
            trial._do(edit, author)
        return tuple(step for edit in edits for step in self._do(edit, author))

    def _back(self, source: list[_Entry], target: list[_Entry], author: str, word: str) -> Patch | Refused:
        if not source:
            return Refused(say("edit.nothing_to_undo" if word == "undo" else "edit.nothing_to_redo"))
        before = (self.cell, self.programs)
        entry = source[-1]
        done: list[_Step] = []
        for step in reversed(entry.steps):
            taken = self._take_back(step, author, word)
            if isinstance(taken, Refused):
                for one in reversed(done):
                    self._take_back(one, author, "redo" if word == "undo" else "undo")
                return taken
            done.append(taken)
        source.pop()
        target.append(_Entry(entry.title, tuple(done)))
        return self._tell(author, f"{word} {entry.title}", before)

    def _take_back(self, step: _Step, author: str, word: str = "undo") -> _Step | Refused:
        """Take one step back, or do it again; return the step that leads the other way."""
        match step:
            case _CellStep():
                done = self.project.undo(author) if word == "undo" else self.project.redo(author)
                return done if isinstance(done, Refused) else step
            case _ProgramStep(program=name):
                if name not in self.project.programs:
                    return _cannot(word, say("edit.program_removed", name=name))
                document = self.project.program(name)
                done = document.undo(author) if word == "undo" else document.redo(author)
                return done if isinstance(done, Refused) else step
            case _Added(program=program):
                if self.programs.get(program.name) != program:
                    return _cannot(word, say("edit.program_changed", name=program.name))
                return self._try(lambda: _Removed(self.project.remove_program(program.name)), word)
            case _Removed(document=document):
                return self._try(lambda: _Added(self.project.put_back(document).program), word)

    def _try(self, act: Callable[[], _Step], word: str) -> _Step | Refused:
        try:
            return act()
        except InputError as error:
            return _cannot(word, error.said)

    def _tell(self, author: str, title: str, before: tuple[Cell, Mapping[str, Program]]) -> Patch:
        self.seq += 1
        patch = find_changes(self.seq, author, title, before, (self.cell, self.programs))
        for listener in tuple(self._listeners):
            listener(patch)
        return patch


def _cannot(word: str, why: str) -> Refused:
    return Refused(say("edit.cannot_undo" if word == "undo" else "edit.cannot_redo", why=why))


def _typed(program: Any) -> Program:
    if isinstance(program, Program):
        return program
    try:
        return msgspec.convert(cast(object, program), type=Program)
    except msgspec.ValidationError as error:
        raise InputError(f"this is no program: {error}") from None
