"""How edits that were made before a thing of the cell was renamed follow it to its new name, so that they still fit."""

from typing import Any, cast

import msgspec

from .actions import Action
from .commands import InsertStep, ProgramBatch, ProgramCommand, ReplaceStep, SetProgram
from .program import Program
from .references import rename_in_step
from .step_values import StepValue
from .tree import map_inside


def rename_in_command(command: ProgramCommand, old: str, new: str, program: Program) -> ProgramCommand:
    """Return a command to a program with the name of a thing of the cell changed wherever it stands."""
    match command:
        case ProgramBatch(commands=commands):
            inner = tuple(rename_in_command(one, old, new, program) for one in commands)
            return msgspec.structs.replace(command, commands=inner)
        case InsertStep(action=action) | ReplaceStep(action=action) if isinstance(action, msgspec.Struct):
            return msgspec.structs.replace(command, action=_with_inside(cast(Action, action), old, new, program))
        case SetProgram(field="robot", value=value) if value == old:
            return msgspec.structs.replace(command, value=new)
        case _:
            return command


def rename_in_value(value: StepValue, old: str, new: str, program: Program) -> StepValue:
    """Return what is remembered of a step, or of the program itself, with the name changed."""
    if isinstance(value, tuple):
        title, notes, robot, arm, variables = value
        return title, notes, new if robot == old else robot, arm, variables
    return _with_inside(value, old, new, program)


def _with_inside(step: Action, old: str, new: str, program: Program) -> Any:
    def one(inner: Action) -> Action:
        return rename_in_step(inner, old, new, program)

    return one(map_inside(step, one))
