"""Explorer: walks through a program as it would run, for every answer of its inputs, and writes down what it sees."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.programs.document import Program, Repeat, SetOutput, Tool, Wait, WaitInput, evaluate
from openpendant.programs.sequence import (
    BreakTurn,
    ClosedTools,
    Cut,
    Item,
    LoopPass,
    LoopRound,
    MoveChain,
    Passing,
    ProgramArms,
    Resumption,
    SequenceFault,
    Sequencer,
    SignalCondition,
    StepTurn,
    Unmade,
    find_grip_fault,
    find_hold_fault,
    named_tcps,
    plain_steps_of,
    step_fault,
    tool_time_s,
    work_tool,
)
from openpendant.said import say
from openpendant.scene import Collision, CollisionWorld, Scene

from .alternatives import Context, find_alternatives
from .chain_check import ChainFindings, MoveFindings, check_chain
from .corner_check import reaches
from .handling_offer import find_handling_offer, with_offer
from .report import Finding, Near, Report, StartReport
from .start_dependence import Firsts, why_start_matters
from .step_results import StepResults
from .touch import NOTHING, MayTouch, may_touch_in_chain, may_touch_when_open, world_with
from .trace import Trace

Array = NDArray[np.float64]

MOST_PATHS = 64
MOST_STEPS = 20_000
SAME_DIGITS = 7
"""Joints and parts that agree to this many digits (radians, metres) are in the same place: a loop that comes back there
repeats."""


@dataclass(frozen=True)
class Options:
    """What a check is to look at."""

    inputs: dict[str, bool]
    alternatives: bool = True
    start_at: str | Resumption | None = None
    """The id of the step to begin with, in the first round; or where a run was interrupted."""
    loop: bool = False
    """Whether the program begins again, with its parts put back, when it ends."""
    progress: Callable[[], None] | None = None
    """Called at every step; None: not reported."""


@dataclass(eq=False)
class _State:
    """The state of arms, parts and signals along one execution of the program."""

    scene: Scene
    q: dict[str, Array]
    signals: dict[str, bool]
    closed: ClosedTools
    override: float = 1.0
    time_s: float = 0.0
    marks: list[tuple[int, LoopRound]] = field(default_factory=list[tuple[int, LoopRound]])
    """Rounds of loops, by the number of moves of the present chain after which they began."""
    rounds: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    seen: dict[object, int] = field(default_factory=dict[object, int])
    """How everything stood when rounds of loops without a number, or of the program, began, and how much was done by
    then."""
    worked: int = 0
    """Steps that moved, waited or worked a tool."""


class Explorer:
    """Looks at one program."""

    def __init__(
        self,
        scene: Scene,
        program: Program,
        programs: Mapping[str, Program],
        q_start: dict[str, Array],
        world: CollisionWorld | None,
        options: Options,
    ) -> None:
        """Get ready; raises InputError where an arm of a program is missing."""
        self.scene, self.program, self.programs = scene, program, programs
        self.q_start, self.world, self.options = q_start, world, options
        self.inputs = {signal.name for signal in scene.cell.signals if signal.kind == "in"}
        self.signals = {signal.name: signal.initial for signal in scene.cell.signals} | options.inputs
        self.margin = max((item.margin_m for item in scene.cell.objects), default=0.0)
        self.notes: list[str] = []
        self.unchecked: list[str] = []
        self.contexts: dict[tuple[str, str], Context] = {}
        self.firsts: Firsts = {}
        self.visits = Trace()
        self._settings = ProgramArms(scene, programs)
        self.book = StepResults(program, programs, lambda name, step: plain_steps_of(self._settings.of(name), step))
        self._tcps = named_tcps(scene, program, programs)
        self._worlds: dict[object, CollisionWorld] = {}
        self._checked: dict[object, ChainFindings] = {}
        self._reaches: dict[object, Array] = {}
        self._answered: set[object] = set()
        self._waiting: list[tuple[bool, ...]] = []

    def report(self, fingerprint: str) -> Report:
        """Return what was found."""
        start = self._start()
        first = self._walk((), main=True) if start is None else self._begin()
        paths = 1
        while self._waiting and start is None:
            if paths >= MOST_PATHS:
                self.unchecked.append(say("check.most_paths", most=MOST_PATHS))
                break
            self._walk(self._waiting.pop(), main=False)
            paths += 1
        if self.options.alternatives:
            for key in list(self.contexts)[:3]:
                self.book.entries[key].alternatives = find_alternatives(self.contexts[key])
            self._offer_handling()
        reason = start or why_start_matters(self.firsts, self.q_start, self.world)
        q = {key: tuple(float(value) for value in joints) for key, joints in self.q_start.items()}
        rounds = next((times for times in first.rounds.values() if len(times) > 1), None)
        steps = self.book.steps()
        failing = self.book.first_failing
        return Report(
            cell=self.scene.cell.name,
            program=self.program.name,
            clear=start is None and failing is None and not self.unchecked,
            first_failing=None if failing is None else failing[1],
            first_failing_in="" if failing is None else failing[0],
            first_failing_round=self.book.failing_round,
            duration_s=first.time_s if rounds is None else rounds[1],
            cycle_s=None if rounds is None else rounds[-1] - rounds[-2],
            length_m=self.book.length_m,
            clearance=self.book.nearest,
            start=StartReport(q=q, depends=bool(reason), reason=reason),
            busy_s=self.book.busy_s,
            steps=steps,
            paths=paths,
            notes=tuple(dict.fromkeys(self.notes)),
            unchecked=tuple(dict.fromkeys(self.unchecked)),
            fingerprint=fingerprint,
        )

    def _offer_handling(self) -> None:
        """Where the tool touches a part at the first step that fails, offer to pick or place it."""
        failing = self.book.first_failing
        if failing is None or self.world is None or not self.program.steps:
            return
        entry, program = self.book.entries[failing], self.programs[failing[0]]
        finding = next((one for one in entry.findings.values() if one.fails), None)
        if finding is None:
            return
        offer = find_handling_offer(self._settings.of(program.name), program, failing[1], finding)
        if offer is None:
            return
        changed = with_offer(program, offer)
        main = changed if changed.name == self.program.name else self.program
        options = replace(self.options, alternatives=False)
        again = Explorer(self.scene, main, {**self.programs, changed.name: changed}, self.q_start, self.world, options)
        again.report("")
        if not again.fails((changed.name, offer.instead_of[0])):
            entry.alternatives = (offer, *entry.alternatives)

    def fails(self, key: tuple[str, str]) -> bool:
        """Return whether a step, by program and id, has failed."""
        entry = self.book.entries.get(key)
        return entry is None or any(one.fails for one in entry.findings.values())

    def _start(self) -> str | None:
        """Return why the arms cannot even stand where they start, or None."""
        if self.world is None:
            return None
        for key, q in self.q_start.items():
            found = self.world.check_path(q[None], key, others=self._others(self.q_start, key))
            if isinstance(found, Collision):
                return say("check.at_start", contact=found.said)
        return None

    def _begin(self) -> _State:
        return _State(self.scene, dict(self.q_start), dict(self.signals), ClosedTools(self.scene))

    def _walk(self, forced: tuple[bool, ...], *, main: bool) -> _State:
        state = self._begin()
        self.book.main = main
        taken: list[bool] = []

        def holds(condition: SignalCondition, variables: Mapping[str, float]) -> bool:
            return self._decide(state, condition, variables, forced, taken)

        sequencer = Sequencer(self._settings, lambda setting: state.q[setting.key], holds)
        try:
            for item in self._rounds(state, sequencer):
                if isinstance(item, LoopPass) and self._begin_round(state, item):
                    break
                state.override = sequencer.override
                self._accept(state, item)
        except InputError as error:
            self._program_fails(error)
        return state

    def _rounds(self, state: _State, sequencer: Sequencer) -> Iterator[Item]:
        """Yield what a run does; of one that loops, round after round until one begins as an earlier one did."""
        at, over = self.options.start_at, False
        self.book.round = 0
        while not over:
            self.book.round += 1
            state.rounds.setdefault("", []).append(state.time_s)
            if at is None and not self._is_new(state):
                return
            for item in sequencer.sequence(self.program, start_at=at, most_steps=MOST_STEPS):
                over = over or isinstance(item, Cut | SequenceFault)
                yield item
            if not self.options.loop:
                return
            at, state.scene = None, state.scene.restored()

    def _is_new(self, state: _State) -> bool:
        """Return whether no whole round of the program has begun with everything as it stands now."""
        here = ("", self._standing(state))
        if here in state.seen:
            return False
        if state.worked > MOST_STEPS:
            self._accept(state, Cut())
            return False
        state.seen[here] = state.worked
        return True

    def _accept(self, state: _State, item: Item) -> None:
        """Let one item of the sequence happen."""
        if self.options.progress is not None:
            self.options.progress()
        match item:
            case MoveChain():
                self._chain(state, item)
            case StepTurn():
                state.worked += item.rests
                self._leaf(state, item)
            case Passing(leaf=leaf):
                self._leaf(state, leaf)
            case SignalCondition():
                self._lacks_wire(StepTurn(item.step, item.program))
            case Unmade():
                self._unmade(state, item)
            case Cut():
                self.unchecked.append(say("check.most_steps", most=MOST_STEPS, after_s=state.time_s))
            case SequenceFault(error=error):
                self._program_fails(error)
            case LoopPass() | BreakTurn():
                pass

    def _program_fails(self, error: InputError) -> None:
        self.book.program_fails(Finding(kind="endless", message=error.said, fails=True))

    def _begin_round(self, state: _State, item: LoopPass) -> bool:
        """Begin a round of a loop; return whether everything stands as before at the begin of an earlier one."""
        turn = item.turn
        if turn.endless:
            # Parts stay where the round before has left them: beside a real robot they are not put back.
            state.marks.append((item.waiting, turn))
        if item.waiting:
            return False
        self._mark(state, [state.time_s])
        return self._repeats(state, turn)

    def _repeats(self, state: _State, turn: LoopRound) -> bool:
        """Return whether everything stands as it did before at this loop: all that follows has been checked then."""
        if isinstance(turn.step, Repeat) and turn.step.times is not None:
            return False
        here = (turn.program, turn.step.id, turn.memory, self._standing(state))
        # A loop in which nothing happens is found by `walk`.
        return state.seen.setdefault(here, state.worked) < state.worked

    def _standing(self, state: _State) -> object:
        """Return how arms, parts, tools and signals stand, for comparing."""
        joints = tuple(_rounded(q) for q in state.q.values())
        signals = tuple(sorted(state.signals.items()))
        return (joints, self._token(state.scene), signals, state.closed.arms, state.override)

    def _decide(
        self,
        state: _State,
        condition: SignalCondition,
        variables: Mapping[str, float],
        forced: tuple[bool, ...],
        taken: list[bool],
    ) -> bool:
        """Return what a condition is taken to be; the other answer waits for its turn."""
        holds = bool(evaluate(condition.expression, {**state.signals, **variables}))
        if not condition.signals & self.inputs:
            return holds
        choice = forced[len(taken)] if len(taken) < len(forced) else holds
        here = (condition.program, condition.step.id, condition.memory, self._standing(state))
        self._answered.add((here, choice))
        if len(taken) >= len(forced) and (here, not choice) not in self._answered:
            self._answered.add((here, not choice))
            self._waiting.append((*taken, not choice))
        taken.append(choice)
        return choice

    def _leaf(self, state: _State, leaf: StepTurn) -> None:
        """Look at a step that does not move the arm."""
        if self._lacks_wire(leaf):
            return
        match leaf.step:
            case Wait(seconds=seconds):
                state.time_s += seconds
                self.book.add(leaf, MoveFindings(seconds), self._settings.of(leaf.program).key)
            case Tool():
                self._tool(state, leaf)
            case SetOutput(signal=signal, value=value):
                state.signals[signal] = value
                self.book.add(leaf, MoveFindings())
            case WaitInput(signal=signal, value=value):
                state.signals[signal] = value
                self.notes.append(say("check.inputs_not_counted"))
                self.book.add(leaf, MoveFindings())
            case _:
                self.book.add(leaf, MoveFindings())

    def _lacks_wire(self, leaf: StepTurn) -> bool:
        """Return whether a step uses a signal that its robot does not have, and write that down."""
        fault = step_fault(self.scene, self.programs[leaf.program], leaf.step, needs_port=False)
        if fault:
            self.book.add(leaf, MoveFindings(findings=[Finding(kind="wiring", message=fault, fails=True)]))
        return bool(fault)

    def _unmade(self, state: _State, item: Unmade) -> None:
        """Write down a move whose end cannot be reached."""
        state.worked += 1
        kind = "limit" if item.why.kind == "limit" else "unreachable"
        finding = Finding(kind=kind, message=item.why.reason, fails=True, fraction=1.0, joint=item.why.joint)
        self.book.add(item.leaf, MoveFindings(findings=[finding]))
        self._remember(state, item.leaf, state.q[item.setting.key])

    def _chain(self, state: _State, chain: MoveChain) -> None:
        """Check a chain; after a move that cannot be executed, check the rest as if the move had been made."""
        setting = chain.setting
        state.worked += len(chain.legs)
        self.firsts.setdefault(setting.key, (setting, chain.legs[0].leaf, chain.legs[0]))
        left = chain
        while left.legs:
            legs = left.legs
            result = self._check_chain(state, left, self._others(state.q, setting.key))
            if result.trajectory is not None:
                made = (
                    left if result.blocked_at is None else MoveChain(setting, left.q_start, legs[: result.blocked_at])
                )
                self.visits.add(made, result.trajectory, state.time_s, main=self.book.main)
            ends = [state.time_s]
            for leg, found in zip(legs, result.legs, strict=False):
                ends.append(ends[-1] + found.duration_s)
                self.book.add(leg.leaf, found, setting.key)
                if any(finding.fails for finding in found.findings):
                    place = legs.index(leg)
                    self._remember(state, leg.leaf, state.q[setting.key] if place == 0 else legs[place - 1].q_guess)
            self._mark(state, ends)
            state.time_s = ends[-1]
            state.q[setting.key] = result.q_end
            left = MoveChain(setting, result.q_end, legs[len(result.legs) :], chain.stopped_by)

    def _check_chain(self, state: _State, chain: MoveChain, others: dict[str, Array]) -> ChainFindings:
        world = self._world_of(state.scene)
        token = self._token(state.scene)
        wholes = tuple(leg.leaf.step.id for leg in chain.legs if leg.leaf.whole is not None)
        key = (chain.key(), chain.stopped_by, wholes, token, tuple((name, q.tobytes()) for name, q in others.items()))
        found = self._checked.get(key)
        if found is None:
            reach = np.ones(chain.setting.placed.kinematics.dof)
            if world is not None:
                reach_key = (chain.setting.key, token)
                if reach_key not in self._reaches:
                    self._reaches[reach_key] = reaches(world, chain.setting.placed)
                reach = self._reaches[reach_key]
            tcps = self._tcps.get(chain.setting.key, ())
            worlds = self._worlds_of_moves(chain, world, token)
            found = self._checked[key] = check_chain(chain, world, others, reach, self.margin, tcps, worlds)
        return found

    def _worlds_of_moves(
        self, chain: MoveChain, world: CollisionWorld | None, token: object
    ) -> dict[int, CollisionWorld]:
        """Return worlds of moves on which something may touch, by the number of the move."""
        if world is None or all(leg.leaf.whole is None for leg in chain.legs):
            return {}
        allowed = may_touch_in_chain(chain, world)
        return {move: self._touching(world, token, what) for move, what in allowed.items()}

    def _touching(self, world: CollisionWorld, token: object, allowed: MayTouch) -> CollisionWorld:
        key = (token, allowed)
        if key not in self._worlds:
            self._worlds[key] = world_with(world, allowed)
        return self._worlds[key]

    def _mark(self, state: _State, ends: list[float]) -> None:
        for after, turn in state.marks:
            state.rounds.setdefault(turn.step.id, []).append(ends[min(after, len(ends) - 1)])
        state.marks.clear()

    def _tool(self, state: _State, leaf: StepTurn) -> None:
        step, setting = leaf.step, self._settings.of(leaf.program)
        key = setting.key
        if not isinstance(step, Tool):
            return
        result = MoveFindings()
        closes = step.state == "close"
        wrong = None if self.world is None else find_hold_fault(leaf, state.scene.in_hand(key))
        if state.closed.change(key, step.state):
            world = self._world_of(state.scene)
            if world is not None:
                worked = work_tool(world, setting.placed, state.q[key], step.state)
                result.duration_s = worked.duration_s
                state.scene = worked.scene
                wrong = wrong or find_grip_fault(leaf, setting.placed, worked)
                if wrong is None and closes and setting.placed.fingers and worked.taken is None:
                    result.findings.append(Finding(kind="tool", message=say("check.closes_on_nothing"), fails=False))
                result.note_near(self._stands(state, leaf, result))
            else:
                result.duration_s = tool_time_s(setting.placed, step.state, 0.0, setting.placed.travel_m)
        else:
            result.duration_s = tool_time_s(setting.placed, step.state, 0.0, 0.0)
        if wrong is not None:
            result.findings.insert(0, Finding(kind="tool", message=wrong, fails=True))
        state.time_s += result.duration_s
        self.book.add(leaf, result, key)

    def _stands(self, state: _State, leaf: StepTurn, result: MoveFindings) -> Near | None:
        """Return what is near after the fingers have moved; says so where they would touch something."""
        setting, world = self._settings.of(leaf.program), self._world_of(state.scene)
        if world is None:
            return None
        q = state.q[setting.key]
        allowed = may_touch_when_open(leaf, world, setting.key, q)
        if allowed != NOTHING:
            world = self._touching(world, self._token(state.scene), allowed)
        found = world.check_path(q[None], setting.key, others=self._others(state.q, setting.key) or None)
        near = Near.of(found.nearest)
        if isinstance(found, Collision):
            message = say("check.tool_so", contact=found.said)
            result.findings.append(Finding(kind="collision", message=message, fails=True, near=near))
        return near

    def _remember(self, state: _State, leaf: StepTurn, q: Array) -> None:
        if leaf.whole is not None:
            # Another way to make one of its moves is not another way to pick.
            return
        setting = self._settings.of(leaf.program)
        world = self._world_of(state.scene)
        others = self._others(state.q, setting.key)
        reach = np.ones(len(q)) if world is None else reaches(world, setting.placed)
        tcps = self._tcps.get(setting.key, ())
        context = Context(setting, leaf, q, state.override, world, others, reach, self.margin, tcps)
        self.contexts.setdefault((leaf.program, leaf.step.id), context)

    def _world_of(self, scene: Scene) -> CollisionWorld | None:
        if self.world is None or scene is self.scene:
            return self.world
        token = self._token(scene)
        if token not in self._worlds:
            self._worlds[token] = self.world.for_scene(scene)
        return self._worlds[token]

    def _token(self, scene: Scene) -> object:
        """Return a key that differs for different scenes of the cell."""
        return (
            tuple(sorted((name, _rounded(T)) for name, T in scene.poses.items())),
            tuple(sorted((name, held.arm, _rounded(held.T_flange_part)) for name, held in scene.carried.items())),
            tuple(sorted(scene.openings.items())),
        )

    def _others(self, q: Mapping[str, Array], key: str) -> dict[str, Array]:
        return {other: joints for other, joints in q.items() if other != key}


def _rounded(values: Array) -> bytes:
    return (np.round(values, SAME_DIGITS) + 0.0).tobytes()
