"""ProgramDocument: a program that is being edited, with undo for each author."""

from collections.abc import Callable, Collection

from openpendant.documents import Applied, DoneEdit, History, Key, Refused
from openpendant.said import say
from openpendant.scene import Cell

from .commands import ProgramCommand
from .program import Program
from .program_edit import edit_program
from .project_state import check_program_fits
from .references import rename_references
from .renames import rename_in_command, rename_in_value
from .step_values import StepValue, step_values
from .titles import title_of


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
        self._history: History[ProgramCommand, StepValue] = History(
            self._perform, self._values, title_of, _describe_key
        )
        self._followed = 0
        """How often it has followed a rename; that is not an edit, but another version."""
        self.saved_version = 0

    @property
    def version(self) -> int:
        """Grows by one with every edit, undo and redo, and every rename that it follows."""
        return self._history.version + self._followed

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

        This is not an edit of a person: undo does not revert it, and the undo history follows the rename.
        """
        changed = rename_references(self.program, old, new)
        here = changed != self.program

        def in_command(command: ProgramCommand) -> ProgramCommand:
            return rename_in_command(command, old, new, changed)

        def in_value(_: Key, value: StepValue) -> StepValue:
            return rename_in_value(value, old, new, changed)

        self._history.rewrite(in_command, in_value)
        if here:
            self.program = changed
            self._followed += 1
        return here

    def _perform(self, command: ProgramCommand) -> DoneEdit[ProgramCommand]:
        done = edit_program(self.program, command)
        self._check(done.program)
        self.program = done.program
        return DoneEdit(done.inverse, tuple((step,) for step in done.touched))

    def _check(self, program: Program) -> None:
        check_program_fits(program, self._cell(), None if self._programs is None else self._programs())

    def _values(self, keys: tuple[Key, ...]) -> dict[Key, StepValue | None]:
        return step_values(self.program, keys)


def _describe_key(key: Key) -> str:
    return say("thing.step", step=key[0]) if key[0] else say("thing.program")
