"""What a program refers to by name, and how it follows when a thing of the cell is renamed."""

from typing import Any

import msgspec

from openpendant.errors import InputError

from .actions import (
    Action,
    Call,
    GoTo,
    If,
    InlinePoint,
    Offset,
    PickPart,
    PlacePart,
    SetOutput,
    SetVariable,
    Target,
    Value,
    WaitInput,
    While,
)
from .expressions import names_in, parse_expression, rename_in
from .program import Program
from .tree import all_steps, map_steps


def references_of(program: Program) -> dict[str, tuple[str, ...]]:
    """Return the names of the cell's things that the program needs, each with the ids of the steps that do.

    The program's own robot is there too, with no step where only the head names it.
    """
    found: dict[str, list[str]] = {program.robot: []}
    for _, step in all_steps(program):
        for name in _named_by(step, program):
            found.setdefault(name, []).append(step.id)
    return {name: tuple(ids) for name, ids in found.items()}


def called_by(program: Program) -> frozenset[str]:
    """Return the names of the programs that a program calls."""
    return frozenset(step.program for _, step in all_steps(program) if isinstance(step, Call))


def deciding_variables(program: Program) -> frozenset[str]:
    """Return the variables on whose values the steps of a program depend.

    Those in conditions and offsets, and those from which they are computed; one that only counts pieces is not there.
    """
    needed: set[str] = set()
    sets: list[tuple[str, set[str]]] = []
    for _, step in all_steps(program):
        for text in _expressions(step):
            names = set(names_in(parse_expression(text))) & set(program.variables)
            if isinstance(step, SetVariable):
                sets.append((step.name, names))
            else:
                needed |= names
    while more := set[str]().union(*(names for name, names in sets if name in needed)) - needed:
        needed |= more
    return frozenset(needed)


def signals_in(step: Action, program: Program) -> set[str]:
    """Return the names that a step sets, waits for or asks in conditions: signals of the cell, where there are such."""
    return _named_by(step, program) if not isinstance(step, GoTo | PickPart | PlacePart) else set()


def _named_by(step: Action, program: Program) -> set[str]:
    names: set[str] = set()
    for field in _targets(step):
        names.add(field.frame if isinstance(field, InlinePoint) else field)
    match step:
        case GoTo(tool=tool) if tool:
            names.add(tool)
        case PickPart(part=part) | PlacePart(part=part) if part:
            names.add(part)
        case SetOutput(signal=signal) | WaitInput(signal=signal):
            names.add(signal)
        case _:
            pass
    for text in _expressions(step):
        try:
            names |= names_in(parse_expression(text)) - set(program.variables)
        except InputError:
            continue
    return names - {"world"}


def _targets(step: Action) -> list[Target]:
    if isinstance(step, PickPart | PlacePart):
        return [] if step.at is None else [step.at]
    if not isinstance(step, GoTo):
        return []
    return [step.to] if step.via is None else [step.to, step.via]


def _expressions(step: Action) -> list[str]:
    match step:
        case If(condition=condition) | While(condition=condition):
            return [condition]
        case SetVariable(value=str(value)):
            return [value]
        case GoTo(offset=offset) | PickPart(offset=offset) | PlacePart(offset=offset):
            return [] if offset is None else [value for value in offset.by if isinstance(value, str)]
        case _:
            return []


def rename_references(program: Program, old: str, new: str) -> Program:
    """Return the program with the name of a thing of the cell, or of a called program, changed wherever it stands."""

    def change(step: Action) -> Action:
        return rename_in_step(step, old, new, program)

    program = map_steps(program, change)
    return msgspec.structs.replace(program, robot=new) if program.robot == old else program


def rename_in_step(step: Action, old: str, new: str, program: Program) -> Action:
    """Return one step with a name changed; not what is inside it."""
    changes: dict[str, Any] = {}
    match step:
        case GoTo(to=to, via=via, tool=tool, offset=offset):
            changes["to"] = _target_renamed(to, old, new)
            if via is not None:
                changes["via"] = _target_renamed(via, old, new)
            if tool == old:
                changes["tool"] = new
            changes["offset"] = _offset_renamed(offset, old, new, program)
        case PickPart(part=part, at=at, offset=offset) | PlacePart(part=part, at=at, offset=offset):
            changes["part"] = new if part == old else part
            changes["at"] = None if at is None else _target_renamed(at, old, new)
            changes["offset"] = _offset_renamed(offset, old, new, program)
        case SetOutput(signal=signal) | WaitInput(signal=signal) if signal == old:
            changes["signal"] = new
        case Call(program=called) if called == old:
            changes["program"] = new
        case If(condition=condition) | While(condition=condition) if old not in program.variables:
            changes["condition"] = rename_in(condition, old, new)
        case SetVariable(value=value) if old not in program.variables:
            changes["value"] = _value_renamed(value, old, new)
        case _:
            return step
    return msgspec.structs.replace(step, **changes)


def _target_renamed(target: Target, old: str, new: str) -> Target:
    if isinstance(target, InlinePoint):
        return msgspec.structs.replace(target, frame=new) if target.frame == old else target
    return new if target == old else target


def _offset_renamed(offset: Offset | None, old: str, new: str, program: Program) -> Offset | None:
    if offset is None or old in program.variables:
        return offset
    x, y, z = (_value_renamed(value, old, new) for value in offset.by)
    return msgspec.structs.replace(offset, by=(x, y, z))


def _value_renamed(value: Value, old: str, new: str) -> Value:
    return rename_in(value, old, new) if isinstance(value, str) else value
