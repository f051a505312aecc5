"""WalkPlace: where a walk through a program is, so that it can continue there; Resumption: where a run continues."""

from collections.abc import Mapping
from dataclasses import dataclass

from openpendant.programs.document import Action, Call, PickPart, PlacePart, Program, Repeat, While, slots_of


@dataclass(frozen=True, slots=True)
class WalkFrame:
    """Where a walk is in one program."""

    program: str
    step: str
    """The id of the step whose turn it is; in a program that waits for another one, of its call."""
    rounds: tuple[tuple[str, int], ...] = ()
    """Rounds of the loops around the step, from 0, by the ids of the loops; the outermost first."""
    variables: tuple[tuple[str, float], ...] = ()
    """Of this program, as they are before the step."""


@dataclass(frozen=True, slots=True)
class WalkPlace:
    """Where a walk is: in its program, and in those that are called there."""

    frames: tuple[WalkFrame, ...]
    """The walk's own program first."""
    part: int = 0
    """Of a pick or place: which of its plain steps it is, from 0."""

    @property
    def step(self) -> str:
        """The id of the step, in the innermost program."""
        return self.frames[-1].step

    @property
    def program(self) -> str:
        """The innermost program."""
        return self.frames[-1].program

    @property
    def variables(self) -> dict[str, float]:
        """Those of the innermost program."""
        return dict(self.frames[-1].variables)


@dataclass(frozen=True, slots=True)
class Resumption:
    """Where a run continues that was stopped."""

    place: WalkPlace
    q_back: tuple[float, ...] | None = None
    """(n,): joints to which the arm goes back first, radians (metres where a joint slides); None: it stands there."""
    override: float = 1.0
    """Speed override of the program at that place, 0 to 1."""


def place_fits(place: WalkPlace, programs: Mapping[str, Program]) -> bool:
    """Return whether a walk can still continue at a place: after an edit, its steps may have gone."""
    outer: Action | None = None
    for frame in place.frames:
        program = programs.get(frame.program)
        if program is None or {name for name, _ in frame.variables} != set(program.variables):
            return False
        if outer is not None and not (isinstance(outer, Call) and outer.program == frame.program):
            return False
        around = _steps_around(program.steps, frame.step)
        if around is None or not all(step.enabled for step in around):
            return False
        loops = {step.id: step for step in around if isinstance(step, Repeat | While)}
        if {loop for loop, _ in frame.rounds} - loops.keys():
            return False
        for loop, number in frame.rounds:
            step = loops[loop]
            if isinstance(step, Repeat) and step.times is not None and number >= step.times:
                return False
        outer = around[-1]
    return place.part == 0 or isinstance(outer, PickPart | PlacePart)


def _steps_around(steps: tuple[Action, ...], step_id: str) -> list[Action] | None:
    """Return the steps around a step, and it; None: there is none of that id."""
    for step in steps:
        if step.id == step_id:
            return [step]
        for slot in slots_of(step):
            found = _steps_around(getattr(step, slot), step_id)
            if found is not None:
                return [step, *found]
    return None
