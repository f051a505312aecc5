"""The tree of steps: walking through it and putting others in place. Pure: programs never change."""

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from openpendant.errors import UnknownNameError
from openpendant.said import say

from .actions import Action, Group, If, Repeat, While
from .program import Program

Slot = Literal["steps", "otherwise"]


class Place(msgspec.Struct, frozen=True):
    """Where a step stands: in which step (empty: the program itself), in which of its lists, at which index."""

    parent: str = ""
    slot: Slot = "steps"
    index: int | None = None
    """None: at the end."""


def slots_of(action: Action) -> tuple[Slot, ...]:
    """Return which lists of steps an action has."""
    match action:
        case If():
            return ("steps", "otherwise")
        case Group() | Repeat() | While():
            return ("steps",)
        case _:
            return ()


def all_steps(program: Program) -> Iterator[tuple[str, Action]]:
    """Yield every step with its JSON pointer, outer before inner, in order."""
    yield from _below(program.steps, "/steps")


def _below(steps: tuple[Action, ...], pointer: str) -> Iterator[tuple[str, Action]]:
    for index, step in enumerate(steps):
        here = f"{pointer}/{index}"
        yield here, step
        for slot in slots_of(step):
            inner: tuple[Action, ...] = getattr(step, slot)
            yield from _below(inner, f"{here}/{slot}")


def find_step(program: Program, step_id: str) -> tuple[Place, Action]:
    """Return a step and where it stands.

    Raises:
        UnknownNameError: No step has that id.
    """
    found = _find(program.steps, step_id, "", "steps")
    if found is None:
        raise UnknownNameError(
            say("kind.step_of", program=program.name), step_id, (s.id for _, s in all_steps(program))
        )
    return found


def _find(steps: tuple[Action, ...], step_id: str, parent: str, slot: Slot) -> tuple[Place, Action] | None:
    for index, step in enumerate(steps):
        if step.id == step_id:
            return Place(parent, slot, index), step
        for inner in slots_of(step):
            found = _find(getattr(step, inner), step_id, step.id, inner)
            if found is not None:
                return found
    return None


def steps_at(program: Program, parent: str, slot: Slot) -> tuple[Action, ...]:
    """Return one list of steps.

    Raises:
        UnknownNameError: No step has that id, or it has no such list.
    """
    if not parent:
        if slot != "steps":
            raise UnknownNameError(say("kind.list_of_program"), slot, ("steps",))
        return program.steps
    _, step = find_step(program, parent)
    if slot not in slots_of(step):
        raise UnknownNameError(say("kind.list_of_step", step=parent), slot, slots_of(step))
    return getattr(step, slot)


def with_steps_at(program: Program, parent: str, slot: Slot, steps: tuple[Action, ...]) -> Program:
    """Return the program with another list of steps at that place; raises as `steps_at`."""
    steps_at(program, parent, slot)
    if not parent:
        return msgspec.structs.replace(program, steps=steps)

    def put(step: Action) -> Action:
        return msgspec.structs.replace(step, **{slot: steps}) if step.id == parent else step

    return map_steps(program, put)


def map_steps(program: Program, change: Callable[[Action], Action]) -> Program:
    """Return the program with every step changed, inner before outer."""
    return msgspec.structs.replace(program, steps=_mapped(program.steps, change))


def _mapped(steps: tuple[Action, ...], change: Callable[[Action], Action]) -> tuple[Action, ...]:
    return tuple(change(map_inside(step, change)) for step in steps)


def map_inside(step: Action, change: Callable[[Action], Action]) -> Action:
    """Return the step with everything inside it changed, but not itself."""
    slots = slots_of(step)
    if not slots:
        return step
    return msgspec.structs.replace(step, **{slot: _mapped(getattr(step, slot), change) for slot in slots})
