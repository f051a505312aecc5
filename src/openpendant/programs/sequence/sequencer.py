"""Sequencer: a program as it is carried out, from one rest of an arm to the next.

Check, run, simulation, cycle time and export consume the same sequence, so what was checked is what moves. Where a
chain of moves ends is decided here and nowhere else. An arm comes to rest

- after a move whose zone is `fine`, and after every move while single steps are made;
- before a step that needs the arm at rest, and before a condition on signals;
- before a move of another arm, for another tool, or out of reach;
- before another round of a loop without an end, and at the end of the program;
- before a step with a breakpoint.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.kinematics import Unreachable
from openpendant.programs.document import GoTo, MoveAxis, PickPart, PlacePart, Program, SpeedOverride
from openpendant.said import say

from .chains import Leg, MoveChain, plan_step
from .picks import plain_turns
from .program_arm import ProgramArm, ProgramArms
from .step_order import Breaks, BreakTurn, LoopRound, SignalCondition, SignalTest, StepTurn, Turn, walk
from .walk_place import Resumption

Array = NDArray[np.float64]
BACK_SPEED = "20%"
"""Of the joints on their way back to where a run was interrupted."""


@dataclass(frozen=True, slots=True)
class Passing:
    """A step without a duration between two moves of a chain; `MoveChain.after` holds it too, for its turn."""

    leaf: StepTurn


@dataclass(frozen=True, slots=True)
class LoopPass:
    """Another round of a loop begins."""

    turn: LoopRound
    waiting: int
    """Moves of the chain under way: it is planned when its last move is known. 0: the arm is at rest."""


@dataclass(frozen=True, slots=True)
class Unmade:
    """A move whose end cannot be reached; the arm rests where the move before it ends."""

    leaf: StepTurn
    setting: ProgramArm
    why: Unreachable


@dataclass(frozen=True, slots=True)
class Cut:
    """The largest number of steps is reached; at most one more chain follows."""


@dataclass(frozen=True, slots=True)
class SequenceFault:
    """The program goes wrong, and its sequence ends; the arm rests after the moves before the fault."""

    error: InputError


Item = MoveChain | StepTurn | Passing | SignalCondition | LoopPass | BreakTurn | Unmade | Cut | SequenceFault
"""One item of a sequence. The arm rests before and after a `MoveChain` or `StepTurn`; a `StepTurn` never moves it."""


@dataclass(eq=False, slots=True)
class _Joined:
    """The moves of the chain under way, and the steps without a duration after each of them."""

    legs: list[Leg] = field(default_factory=list[Leg])
    after: list[list[StepTurn]] = field(default_factory=list[list[StepTurn]])
    skipped: int = 0
    """Plain steps of the first pick or place that were made before."""


class Sequencer:
    """Makes sequences of programs for one consumer, which carries out each item before it asks for the next."""

    def __init__(
        self,
        settings: ProgramArms,
        joints: Callable[[ProgramArm], Array],
        test: SignalTest,
        *,
        alone: Callable[[], bool] = lambda: False,
        breaks: Breaks | None = None,
        places: bool = False,
    ) -> None:
        """Begin with the speed override at 1.

        Args:
            settings: Of the programs.
            joints: Returns the joints (n,) of an arm that is at rest, radians.
            test: Says whether a condition on signals holds now.
            alone: Returns whether every move ends in a rest, whatever its zone, because single steps are made.
            breaks: Returns whether a step has a breakpoint, by program and id; None: none has.
            places: Whether turns have their places.
        """
        self.override = 1.0
        """Speed override of the next move, 0 to 1; it outlasts a sequence."""
        self._settings, self._joints, self._test, self._alone = settings, joints, test, alone
        self._breaks, self._places = breaks, places

    def sequence(
        self, program: Program, *, start_at: str | Resumption | None = None, most_steps: int | None = None
    ) -> Iterator[Item]:
        """Yield what a program does, in order. Errors of the program come as a `SequenceFault`.

        Args:
            program: One of the settings' programs.
            start_at: The id of the step to begin with; loops around it are in their first round. Or where a run was
                interrupted: the arm goes back there first.
            most_steps: Steps, rounds and conditions after which it is cut off; None: it may be endless.
        """
        joined = _Joined()
        begin = start_at.place if isinstance(start_at, Resumption) else start_at
        turns = walk(
            program, self._settings.programs, self._test, start_at=begin, breaks=self._breaks, places=self._places
        )
        try:
            if isinstance(start_at, Resumption):
                self.override, joined.skipped = start_at.override, start_at.place.part
                yield from self._go_back(joined, start_at)
            for number, turn in enumerate(turns, 1):
                if most_steps is not None and number > most_steps:
                    yield Cut()
                    break
                yield from self._turn(joined, turn)
            yield from self._end_chain(joined, say("rest.program_ends"))
        except InputError as error:
            yield from self._end_chain(joined, say("rest.program_ends"))
            yield SequenceFault(error)

    def _go_back(self, joined: _Joined, to: Resumption) -> Iterator[Item]:
        """Bring the arm back to where its run was interrupted; the move counts as part of the step there."""
        place, q = to.place, to.q_back
        if q is not None:
            back = MoveAxis(id=place.step, q=q, speed=BACK_SPEED)
            yield from self._turn(joined, StepTurn(back, place.program, place=place))

    def _turn(self, joined: _Joined, turn: Turn) -> Iterator[Item]:
        if isinstance(turn, BreakTurn):
            yield from self._end_chain(joined, say("rest.breakpoint"))
            yield turn
        elif isinstance(turn, SignalCondition):
            yield from self._end_chain(joined, say("rest.condition"))
            yield turn
        elif isinstance(turn, LoopRound):
            if turn.endless and turn.number > 0:
                yield from self._end_chain(joined, say("rest.another_round"))
            yield LoopPass(turn, len(joined.legs))
        elif isinstance(turn.step, PickPart | PlacePart):
            skipped, joined.skipped = joined.skipped, 0
            for one in islice(plain_turns(self._settings.of(turn.program), turn), skipped, None):
                yield from self._turn(joined, one)
        elif turn.moves:
            yield from self._move(joined, turn)
        else:
            if turn.rests:
                yield from self._end_chain(joined, say("rest.step"))
            if isinstance(turn.step, SpeedOverride):
                self.override = turn.step.percent / 100.0
            if joined.legs:
                joined.after[-1].append(turn)
                yield Passing(turn)
            else:
                yield turn

    def _move(self, joined: _Joined, leaf: StepTurn) -> Iterator[Item]:
        setting = self._settings.of(leaf.program)
        if joined.legs:
            last = joined.legs[-1]
            if self._settings.of(last.leaf.program).key != setting.key:
                yield from self._end_chain(joined, say("rest.another_arm"))
            elif isinstance(leaf.step, GoTo) and leaf.step.tool != last.tool:
                yield from self._end_chain(joined, say("rest.another_tool"))
        q_now = joined.legs[-1].q_guess if joined.legs else self._joints(setting)
        leg = plan_step(setting, leaf, q_now, self.override)
        if isinstance(leg, Unreachable):
            yield from self._end_chain(joined, say("check.next_blocked"))
            yield Unmade(leaf, setting, leg)
            return
        joined.legs.append(leg)
        joined.after.append([])
        if leg.move.zone.fine or self._alone():
            yield from self._end_chain(joined, say("rest.single"))

    def _end_chain(self, joined: _Joined, reason: str) -> Iterator[MoveChain]:
        """Yield the chain under way, if there is one; `reason` is why the zone of its last move is not used."""
        legs, after = tuple(joined.legs), tuple(tuple(leaves) for leaves in joined.after)
        if not legs:
            return
        joined.legs.clear()
        joined.after.clear()
        setting = self._settings.of(legs[0].leaf.program)
        stopped_by = "" if legs[-1].move.zone.fine else reason
        yield MoveChain(setting, self._joints(setting), legs, stopped_by, after)
