"""Edits of a project as pure functions: the state after, what takes it back, and which things it has touched."""

from typing import Any, cast

from openpendant.documents import DoneEdit, Key, as_json, typed
from openpendant.programs import Program
from openpendant.programs.document import (
    ProjectState,
    StepValue,
    add_program_to,
    edit_cell_of,
    edit_program_of,
    remove_program_from,
    rename_in_command,
    rename_in_value,
    rename_references,
    renames_in,
    step_values,
)
from openpendant.said import say
from openpendant.scene.document import CellValue, cell_values, describe_cell_key

from .edits import AddProgram, EditCell, EditGroup, EditProgram, ProjectEdit, RemoveProgram

CELL, PROGRAM = "cell", "program"
Value = CellValue | StepValue | Program
"""What is remembered of a thing of the cell, of a step or a program's own fields, of a whole program.

Their keys: (CELL, name), (PROGRAM, program, step), (PROGRAM, program).
"""


def edit_state(state: ProjectState, edit: ProjectEdit) -> tuple[ProjectState, DoneEdit[ProjectEdit]]:
    """Return the state after an edit, and what takes it back.

    Raises:
        InputError: It does not fit.
        UnknownNameError: It names a thing, step or program that is not there.
    """
    match edit:
        case EditCell(command=command):
            after, cell_edit = edit_cell_of(state, command)
            touched = tuple((CELL, name) for name in cell_edit.touched)
            return after, DoneEdit(EditCell(command=cell_edit.inverse), touched)
        case EditProgram(program=name, command=command):
            after, program_edit = edit_program_of(state, name, command)
            touched = tuple((PROGRAM, name, step) for step in program_edit.touched)
            return after, DoneEdit(EditProgram(program=name, command=program_edit.inverse), touched)
        case AddProgram(program=values):
            program = _typed(values)
            return add_program_to(state, program), DoneEdit(RemoveProgram(name=program.name), (_whole(program.name),))
        case RemoveProgram(name=name):
            after, program = remove_program_from(state, name)
            return after, DoneEdit(AddProgram(program=program), (_whole(name),))
        case EditGroup(edits=edits, title=title):
            return _edit_in_turn(state, edits, title)


def _edit_in_turn(
    state: ProjectState, edits: tuple[ProjectEdit, ...], title: str
) -> tuple[ProjectState, DoneEdit[ProjectEdit]]:
    inverses: list[ProjectEdit] = []
    touched: dict[Key, None] = {}
    for edit in edits:
        state, done = edit_state(state, edit)
        inverses.append(done.inverse)
        touched.update(dict.fromkeys(done.touched))
    return state, DoneEdit(EditGroup(edits=tuple(reversed(inverses)), title=title), tuple(touched))


def values_of(state: ProjectState, keys: tuple[Key, ...]) -> dict[Key, Value | None]:
    """Return what things of a project are now, by their keys; None: gone."""
    found: dict[Key, Value | None] = {}
    in_cell = tuple(key[1:] for key in keys if key[0] == CELL)
    found.update({(CELL, *key): value for key, value in cell_values(state.cell, in_cell).items()})
    for name in dict.fromkeys(key[1] for key in keys if key[0] == PROGRAM):
        program = state.programs.get(name)
        whole, steps = _whole(name), tuple(key[2:] for key in keys if key[:2] == (PROGRAM, name) and len(key) > 2)
        if whole in keys:
            found[whole] = program
        values = dict.fromkeys(steps) if program is None else step_values(program, steps)
        found.update({(*whole, *key): value for key, value in values.items()})
    return found


def describe_key(key: Key) -> str:
    """Return a thing of a project as text."""
    kind, name, *step = key
    if kind == CELL:
        return describe_cell_key((name,))
    if any(step):
        return say("thing.step_of", step=step[0], program=name)
    return say("thing.program_named", name=name)


def renames_of(edit: ProjectEdit) -> list[tuple[str, str]]:
    """Return the old and new names of what an edit renames in the cell, in order."""
    match edit:
        case EditCell(command=command):
            return renames_in(command)
        case EditGroup(edits=edits):
            return [pair for one in edits for pair in renames_of(one)]
        case _:
            return []


class FollowedRename:
    """Follows a thing of the cell to its new name in what is remembered of programs.

    Of the cell itself nothing follows: an author who has moved something that another one renamed gets a message.
    """

    def __init__(self, state: ProjectState, old: str, new: str) -> None:
        """Follow from `old` to `new`; the programs of `state` have done so already."""
        self._programs, self._old, self._new = state.programs, old, new

    def in_edit(self, edit: ProjectEdit) -> ProjectEdit:
        """Return an edit that still fits."""
        match edit:
            case EditProgram(program=name, command=command):
                followed = rename_in_command(command, self._old, self._new, self._program(name))
                return EditProgram(program=name, command=followed)
            case AddProgram(program=program) if isinstance(program, Program):
                return AddProgram(program=rename_references(program, self._old, self._new))
            case EditGroup(edits=edits, title=title):
                return EditGroup(edits=tuple(self.in_edit(one) for one in edits), title=title)
            case _:
                return edit

    def in_value(self, key: Key, value: Value) -> Value:
        """Return what a thing would be now."""
        if key[0] == CELL:
            return value
        if isinstance(value, Program):
            return rename_references(value, self._old, self._new)
        return rename_in_value(cast(StepValue, value), self._old, self._new, self._program(key[1]))

    def _program(self, name: str) -> Program:
        # One that is removed has no variables that the name could be meant for.
        return self._programs.get(name) or Program(name=name, robot="")


def _whole(name: str) -> Key:
    return (PROGRAM, name)


def _typed(program: Any) -> Program:
    return program if isinstance(program, Program) else typed(as_json(program), Program, "program")
