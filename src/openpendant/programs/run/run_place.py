"""RunPlace: where a run is in its program, its variables there, its breakpoints, and what continuing there takes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.programs.document import GoTo, MoveAxis, SetVariable
from openpendant.programs.sequence import BreakTurn, LoopRound, MoveChain, Resumption, StepTurn, WalkPlace

Array = NDArray[np.float64]
Breakpoints = frozenset[tuple[str, str]]
"""Steps before which a run pauses, by program and id."""


@dataclass(frozen=True, eq=False, slots=True)
class Interruption:
    """Where a run was when it ended before its end."""

    place: WalkPlace
    arm: str
    """The arm (robot/arm) of the program whose step it was."""
    q_back: Array | None
    """(n,): joints from which the step is made again, radians (metres where a joint slides); None: from where the arm
    came to rest, along what is left of it."""
    override: float

    def resumption(self, q_rest: Array, q_now: Array, near: float) -> Resumption:
        """Return how a run continues there.

        Args:
            q_rest: Joints (n,) with which the arm came to rest, radians (metres where a joint slides).
            q_now: Those with which it rests now.
            near: Joints no further away than this count as the same.
        """
        q = q_rest if self.q_back is None else self.q_back
        there = float(np.abs(q - q_now).max()) <= near
        return Resumption(self.place, None if there else tuple(q.tolist()), self.override)


class RunPlace:
    """Follows a run from step to step."""

    def __init__(self) -> None:
        """Before its first step."""
        self.breakpoints: Breakpoints = frozenset()
        self.step = ("", "")
        """Program and id of the step whose turn it is."""
        self._begin = ""
        self._back: tuple[float, ...] | None = None
        self._place: WalkPlace | None = None
        self._arm = ""
        self._q_back: Array | None = None
        self._variables: dict[str, float] = {}

    @property
    def variables(self) -> dict[str, float]:
        """Those of the program whose step it is, as they are by now."""
        return self._variables

    def start(self, at: str | Resumption | None) -> None:
        """Begin; a breakpoint of the very step that it begins with does not count."""
        self._place, self._q_back, self._variables = None, None, {}
        resumes = isinstance(at, Resumption)
        self._begin, self._back = (at.place.step, at.q_back) if resumes else (at or "", None)

    def breaks(self, program: str, step: str) -> bool:
        """Return whether a step has a breakpoint."""
        return (program, step) in self.breakpoints

    def pauses(self, turn: BreakTurn) -> bool:
        """Return whether a run pauses before a step that had a breakpoint when the way to it was planned."""
        first, self._begin = self._begin, ""
        return turn.step != first and self.breaks(turn.program, turn.step)

    def reach(self, turn: StepTurn | LoopRound | BreakTurn, arm: str, q_back: Array | None = None) -> None:
        """Note whose turn it is.

        Args:
            turn: The step, round or breakpoint.
            arm: The arm (robot/arm) of its program.
            q_back: As for `Interruption`.
        """
        if turn.place is None:
            return
        step = turn.step if isinstance(turn, StepTurn) else None
        if self._back is not None and isinstance(step, MoveAxis) and step.q == self._back:
            # On the way back to where it was interrupted: from there the step continues.
            q_back = np.array(self._back)
        else:
            self._begin, self._back = "", None
        self._place, self._arm, self._q_back = turn.place, arm, q_back
        self._variables = turn.place.variables
        self.step = (turn.place.program, turn.place.step)

    def set_variable(self, turn: StepTurn) -> None:
        """Note the new value of a variable."""
        if turn.place is not None and isinstance(turn.step, SetVariable):
            self._variables = {**turn.place.variables, turn.step.name: turn.value}

    def interruption(self, override: float) -> Interruption | None:
        """Return where it is, to continue there; None: no step has begun."""
        return None if self._place is None else Interruption(self._place, self._arm, self._q_back, override)


def leg_begin(chain: MoveChain, leg: int, q: Array) -> Array | None:
    """Return the joints from which a move of a chain is made again after a stop in it.

    What is left of a line or of a joint move is one too; an arc has a point on its way, and is made again as a whole.

    Args:
        chain: The chain.
        leg: Which of its moves.
        q: Joints (n,) with which that move begins, radians (metres where a joint slides).
    """
    step = chain.legs[leg].leaf.step
    return q if isinstance(step, GoTo) and step.how == "arc" else None
