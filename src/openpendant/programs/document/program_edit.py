"""edit_program: apply a command to a program; gives the new program and the inverse command. Pure."""

import re
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from openpendant.documents import edit_in_turn, set_field, typed
from openpendant.errors import InputError, UnknownNameError
from openpendant.said import Said, say

from .actions import Action, Step
from .commands import (
    DuplicateStep,
    EditStep,
    EnableStep,
    InsertStep,
    MoveStep,
    ProgramBatch,
    ProgramCommand,
    RemoveStep,
    ReplaceStep,
    SetProgram,
)
from .picks import tool_states
from .program import Program
from .tree import Place, all_steps, find_step, map_inside, map_steps, slots_of, steps_at, with_steps_at

NUMBERED = re.compile(r"s(\d+)")
OWN_FIELDS = ("title", "notes", "robot", "arm", "variables")


@dataclass(frozen=True, slots=True)
class ProgramEdit:
    """What a command made of a program."""

    program: Program
    inverse: ProgramCommand
    touched: tuple[str, ...]
    """Ids of the steps that were changed; empty text: the program's own fields."""


def edit_program(program: Program, command: ProgramCommand) -> ProgramEdit:
    """Return the program after a command, and the command that takes it back.

    Whether the program still fits its cell is another question: see `find_program_fault`.

    Raises:
        InputError: The command does not fit the program; names the step, field and value.
        UnknownNameError: No step has that id.
    """
    match command:
        case InsertStep(action=action, at=at):
            return _insert(program, action, at)
        case RemoveStep(id=step_id):
            return _remove(program, step_id)
        case MoveStep(id=step_id, to=to):
            return _move(program, step_id, to)
        case DuplicateStep(id=step_id):
            place, step = find_step(program, step_id)
            after = Place(place.parent, place.slot, cast(int, place.index) + 1)
            return _put(program, _with_new_ids(step, program), after)
        case EnableStep(id=step_id, enabled=enabled):
            _, step = find_step(program, step_id)
            changed = _at(program, step_id, msgspec.structs.replace(step, enabled=enabled))
            return ProgramEdit(changed, EnableStep(id=step_id, enabled=step.enabled), (step_id,))
        case EditStep(id=step_id, field=field, value=value):
            return _edit(program, step_id, field, value)
        case ReplaceStep(id=step_id, action=action):
            return _replace(program, step_id, action)
        case SetProgram(field=field, value=value):
            return _set(program, field, value)
        case ProgramBatch(commands=commands, title=title):
            return _batch(program, commands, title)


def next_tool_state(program: Program, at: Place) -> str:
    """Return what a Tool step at that place shall do: the opposite of the one before it; the first opens."""
    before: str | None = None
    target = steps_at(program, at.parent, at.slot)
    following = target[at.index].id if at.index is not None and at.index < len(target) else None
    inside = at.parent
    seen_parent = not inside
    for _, step in all_steps(program):
        if step.id == following and (seen_parent or not inside):
            break
        seen_parent = seen_parent or step.id == inside
        if states := tool_states(step):
            before = states[-1]
        if following is None and inside and target and step.id == target[-1].id:
            break
    return "close" if before == "open" else "open"


def _insert(program: Program, action: Any, at: Place) -> ProgramEdit:
    values = msgspec.to_builtins(action)
    if isinstance(values, dict):
        fields = dict(cast(dict[str, Any], values))
        if fields.get("do") == "tool" and not fields.get("state"):
            fields["state"] = next_tool_state(program, at)
        values = fields
    return _put(program, _numbered(_typed(values), program), at)


def _put(program: Program, step: Action, at: Place) -> ProgramEdit:
    steps = steps_at(program, at.parent, at.slot)
    index = len(steps) if at.index is None else at.index
    if not 0 <= index <= len(steps):
        raise InputError(_no_place(at.parent, index, len(steps)))
    after = with_steps_at(program, at.parent, at.slot, (*steps[:index], step, *steps[index:]))
    _check_ids(after)
    return ProgramEdit(after, RemoveStep(id=step.id), tuple(_ids(step)))


def _remove(program: Program, step_id: str) -> ProgramEdit:
    place, step = find_step(program, step_id)
    steps = steps_at(program, place.parent, place.slot)
    index = cast(int, place.index)
    after = with_steps_at(program, place.parent, place.slot, (*steps[:index], *steps[index + 1 :]))
    return ProgramEdit(after, InsertStep(action=step, at=place), tuple(_ids(step)))


def _move(program: Program, step_id: str, to: Place) -> ProgramEdit:
    place, step = find_step(program, step_id)
    if to.parent in _ids(step):
        raise InputError(say("edit.into_itself", step=step_id))
    taken = _remove(program, step_id).program
    put = _put(taken, step, to)
    return ProgramEdit(put.program, MoveStep(id=step_id, to=place), (step_id,))


def _edit(program: Program, step_id: str, field: str, value: Any) -> ProgramEdit:
    _, step = find_step(program, step_id)
    first = field.split("/")[0]
    known = [f.name for f in msgspec.structs.fields(type(step)) if f.name != "id"]
    if first not in known:
        raise UnknownNameError(say("kind.field_of_step", step=step_id), first, known)
    first, old, fields = set_field(step, field, value, f"{step_id}/{field}")
    if fields[first] is None:
        del fields[first]
    after = _at(program, step_id, _typed(fields))
    _check_ids(after)
    return ProgramEdit(after, EditStep(id=step_id, field=first, value=old), (step_id,))


def _replace(program: Program, step_id: str, action: Any) -> ProgramEdit:
    _, step = find_step(program, step_id)
    values = msgspec.to_builtins(action)
    other = _typed({**values, "id": step_id} if isinstance(values, dict) else values)
    bare = _at(program, step_id, msgspec.structs.replace(step, **dict.fromkeys(slots_of(step), ())))
    after = _at(bare, step_id, _numbered(other, bare))
    _check_ids(after)
    return ProgramEdit(after, ReplaceStep(id=step_id, action=step), (step_id,))


def _set(program: Program, field: str, value: Any) -> ProgramEdit:
    if field not in OWN_FIELDS:
        raise UnknownNameError(say("kind.field_of_program"), field, OWN_FIELDS)
    old = getattr(program, field)
    try:
        _, _, values = set_field(program, field, value, field)
        after = typed(values, Program, "program")
    except InputError as error:
        raise InputError(say("edit.program_field", field=field, value=repr(value), why=error.said)) from None
    return ProgramEdit(after, SetProgram(field=field, value=old), ("",))


def _batch(program: Program, commands: tuple[ProgramCommand, ...], title: str) -> ProgramEdit:
    after, inverses, touched = edit_in_turn(program, commands, _step)
    return ProgramEdit(after, ProgramBatch(commands=inverses, title=title), touched)


def _step(program: Program, command: ProgramCommand) -> tuple[Program, ProgramEdit]:
    done = edit_program(program, command)
    return done.program, done


def _no_place(parent: str, index: int, most: int) -> Said:
    if parent:
        return say("edit.step_place", index=index, parent=parent, most=most)
    return say("edit.program_place", index=index, most=most)


def _at(program: Program, step_id: str, step: Action) -> Program:
    return map_steps(program, lambda old: step if old.id == step_id else old)


def _typed(values: Any) -> Action:
    return cast(Action, typed(values, cast(type[Any], Action), "action"))


def _ids(step: Action) -> list[str]:
    found = [step.id]
    for slot in slots_of(step):
        inner: tuple[Action, ...] = getattr(step, slot)
        for one in inner:
            found += _ids(one)
    return found


def _check_ids(program: Program) -> None:
    seen: set[str] = set()
    for _, step in all_steps(program):
        if step.id in seen:
            raise InputError(say("edit.step_taken", step=step.id, program=program.name))
        seen.add(step.id)


def _next_number(program: Program) -> int:
    numbers = [int(found[1]) for _, step in all_steps(program) if (found := NUMBERED.fullmatch(step.id))]
    return max(numbers, default=0) + 1


def with_ids(program: Program) -> Program:
    """Return the program with an id for every step that has none."""
    counter = iter(range(_next_number(program), 1_000_000))

    def give(one: Action) -> Action:
        return one if one.id else msgspec.structs.replace(one, id=f"s{next(counter)}")

    return program if all(step.id for _, step in all_steps(program)) else map_steps(program, give)


def _numbered(step: Action, program: Program) -> Action:
    """Return the step with an id for itself and all inside it that have none."""
    number = max([_next_number(program), *(int(f[1]) + 1 for i in _ids(step) if (f := NUMBERED.fullmatch(i)))])
    counter = iter(range(number, number + 100_000))

    def give(one: Action) -> Action:
        return one if one.id else msgspec.structs.replace(one, id=f"s{next(counter)}")

    return map_inside(give(step), give)


def _with_new_ids(step: Action, program: Program) -> Action:
    def forget(one: Step) -> Any:
        return msgspec.structs.replace(one, id="")

    return _numbered(map_inside(forget(step), forget), program)
