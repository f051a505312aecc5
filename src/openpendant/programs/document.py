"""ProgramDocument: a program that is being edited, with undo for each author."""

from collections.abc import Callable, Collection
from typing import cast

import msgspec

from openpendant.errors import InputError
from openpendant.scene import Applied, Cell, Done, History, Refused

from .actions import Action
from .commands import InsertStep, ProgramBatch, ProgramCommand, ReplaceStep, SetProgram
from .editing import edit_program
from .faults import find_program_fault
from .program import Program
from .references import rename_in_step, rename_references
from .tree import all_steps, map_inside, slots_of

__all__ = ["ProgramDocument"]

State = Action | tuple[str, str, str, str, tuple[tuple[str, float], ...]]
"""What is remembered of a step (without what is inside it); of the program itself its own fields."""


class ProgramDocument:
    """A program that is being edited. The programs themselves never change: each edit makes another."""

    def __init__(
        self, program: Program, cell: Callable[[], Cell], programs: Callable[[], Collection[str]] | None = None
    ) -> None:
        """Start with a program and an empty history.

        Args:
            program: Must be without fault.
            cell: Gives the cell as it is now, which every edit is checked against.
            programs: Gives the names of the cell's programs, for calls; None: calls are not checked.

        Raises:
            InputError: The program has a fault; names place and value.
        """
        self.program = program
        self._cell = cell
        self._programs = programs
        self._check(program)
        self._history: History[ProgramCommand, State] = History(self._perform, self._state_of, say, "the program")
        self.saved_version = 0

    @property
    def version(self) -> int:
        """Grows by one with every edit, undo and redo."""
        return self._history.version

    @property
    def is_saved(self) -> bool:
        """True while nothing has changed since the last load or save."""
        return self.saved_version == self.version

    def apply(self, command: ProgramCommand, author: str = "") -> ProgramCommand:
        """Apply a command and return its inverse. What the author had undone can no longer be redone.

        Raises:
            InputError: The command does not fit or would leave a fault; nothing has changed then.
            UnknownNameError: No step has that id.
        """
        return self._history.apply(command, author)

    def undo(self, author: str = "") -> Applied[ProgramCommand] | Refused:
        """Take back the author's last edit, unless somebody has changed the same steps since."""
        return self._history.undo(author)

    def redo(self, author: str = "") -> Applied[ProgramCommand] | Refused:
        """Do again what the author has undone last, unless somebody has changed the same steps since."""
        return self._history.redo(author)

    def can_undo(self, author: str = "") -> bool:
        """Return whether the author has anything to undo."""
        return self._history.can_undo(author)

    def can_redo(self, author: str = "") -> bool:
        """Return whether the author has anything to redo."""
        return self._history.can_redo(author)

    def follow_rename(self, old: str, new: str) -> bool:
        """Follow a thing of the cell, or a called program, to its new name; return whether anything has changed.

        This is no edit of anybody: nobody's undo takes it back, and what can be undone follows too.
        """
        changed = rename_references(self.program, old, new)
        here = changed != self.program
        self.program = changed

        def in_step(step: Action) -> Action:
            def one(inner: Action) -> Action:
                return rename_in_step(inner, old, new, changed)

            return one(map_inside(step, one))

        def in_state(state: State) -> State:
            if isinstance(state, tuple):
                title, notes, robot, arm, variables = state
                return title, notes, new if robot == old else robot, arm, variables
            return in_step(state)

        def in_command(command: ProgramCommand) -> ProgramCommand:
            match command:
                case ProgramBatch(commands=commands):
                    return msgspec.structs.replace(command, commands=tuple(map(in_command, commands)))
                case InsertStep(action=action) | ReplaceStep(action=action) if isinstance(action, msgspec.Struct):
                    return msgspec.structs.replace(command, action=in_step(cast(Action, action)))
                case SetProgram(field="robot", value=value) if value == old:
                    return msgspec.structs.replace(command, value=new)
                case _:
                    return command

        self._history.rewrite(in_command, in_state)
        return here

    def _perform(self, command: ProgramCommand) -> Done[ProgramCommand]:
        done = edit_program(self.program, command)
        self._check(done.program)
        self.program = done.program
        return Done(done.inverse, done.touched)

    def _check(self, program: Program) -> None:
        fault = find_program_fault(program, self._cell(), None if self._programs is None else self._programs())
        if fault is not None:
            raise InputError(f"program {program.name}{fault.pointer}: {fault.message}")

    def _state_of(self, ids: tuple[str, ...]) -> dict[str, State | None]:
        wanted = set(ids)
        found: dict[str, State | None] = dict.fromkeys(ids)
        for _, step in all_steps(self.program):
            if step.id in wanted:
                found[step.id] = msgspec.structs.replace(step, **dict.fromkeys(slots_of(step), ()))
        if "" in wanted:
            p = self.program
            found[""] = (p.title, p.notes, p.robot, p.arm, tuple(p.variables.items()))
        return found


def say(command: ProgramCommand) -> str:
    """Return a command in a few words, as in 'remove step s3'."""
    match command:
        case ProgramBatch(commands=commands, title=title):
            return title or f"{len(commands)} edits"
        case SetProgram(field=field):
            return f"set {field} of the program"
        case InsertStep(action=action):
            values = msgspec.to_builtins(action)
            return f"insert step {values.get('id', '')}".rstrip()
        case _:
            return f"{type(command).__name__.removesuffix('Step').lower()} step {command.id}"
