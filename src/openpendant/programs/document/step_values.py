"""Values of the steps of a program: what an edit has left behind, to be compared with what is there now."""

import msgspec

from openpendant.documents import Key

from .actions import Action
from .program import Program
from .tree import all_steps, slots_of

StepValue = Action | tuple[str, str, str, str, tuple[tuple[str, float], ...]]
"""A step without what is inside it; of the program itself its title, notes, robot, arm and variables."""


def step_values(program: Program, keys: tuple[Key, ...]) -> dict[Key, StepValue | None]:
    """Return what the steps of a program are now, by their ids, empty for the program itself; None: gone."""
    wanted = {key[0] for key in keys}
    found: dict[Key, StepValue | None] = dict.fromkeys(keys)
    for _, step in all_steps(program):
        if step.id in wanted:
            found[(step.id,)] = msgspec.structs.replace(step, **dict.fromkeys(slots_of(step), ()))
    if ("",) in found:
        own = (program.title, program.notes, program.robot, program.arm, tuple(program.variables.items()))
        found[("",)] = own
    return found
