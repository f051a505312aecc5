"""Explorer: walks through a program as it would run, for every answer of its inputs, and writes down what it sees."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.said import say
from openpendant.scene import Collision, CollisionWorld, Scene

from .actions import Repeat, SetOutput, Tool, Wait, WaitInput
from .alternatives import Context, find_alternatives
from .booking import Book
from .corners import reaches
from .expressions import evaluate
from .looking import ChainLook, LegLook, look_at_chain, near_of
from .planning import Chain
from .program import Program
from .report import Finding, Near, Report, StartReport
from .sequence import Cut, Fault, Item, LoopPass, Passing, Sequencer, Unmade
from .setting import Setting, Settings
from .starting import Firsts, why_start_matters
from .tooling import closed_tools, tool_time_s, work_tool
from .visits import Visits
from .walking import Ask, Leaf, Round
from .wiring import step_fault

__all__ = ["Explorer", "Options"]

Array = NDArray[np.float64]

MOST_PATHS = 64
MOST_STEPS = 20_000
SAME_DIGITS = 7
"""Joints that agree to so many digits (radians, metres) are the same place: a loop that comes back there repeats."""


@dataclass(frozen=True)
class Options:
    """What a check is to look at."""

    inputs: dict[str, bool]
    alternatives: bool = True
    start_at: str | None = None
    """The id of the step to begin with."""


@dataclass(eq=False)
class _State:
    """How things stand on one way through the program."""

    scene: Scene
    q: dict[str, Array]
    signals: dict[str, bool]
    closed: set[str] = field(default_factory=set[str])
    override: float = 1.0
    time_s: float = 0.0
    marks: list[tuple[int, Round]] = field(default_factory=list[tuple[int, Round]])
    """Rounds of loops that began after so many moves of the chain under way."""
    rounds: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    seen: dict[object, int] = field(default_factory=dict[object, int])
    """How everything stood when rounds of loops without a number began, and how much was done by then."""
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
        self.book = Book(program, programs)
        self.notes: list[str] = []
        self.unchecked: list[str] = []
        self.contexts: dict[tuple[str, str], Context] = {}
        self.firsts: Firsts = {}
        self.visits = Visits()
        self._settings = Settings(scene, programs)
        self._worlds: dict[object, CollisionWorld] = {}
        self._looks: dict[object, ChainLook] = {}
        self._reaches: dict[object, Array] = {}
        self._answered: set[object] = set()
        self._waiting: list[tuple[bool, ...]] = []

    def report(self, fingerprint: str) -> Report:
        """Return what was found."""
        start = self._start()
        first = self._walk((), main=True) if start is None else _State(self.scene, self.q_start, self.signals)
        paths = 1
        while self._waiting and start is None:
            if paths >= MOST_PATHS:
                self.unchecked.append(f"not checked beyond {MOST_PATHS} combinations of inputs")
                break
            self._walk(self._waiting.pop(), main=False)
            paths += 1
        if self.options.alternatives:
            for key in list(self.contexts)[:3]:
                self.book.entries[key].alternatives = find_alternatives(self.contexts[key])
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

    def _start(self) -> str | None:
        """Return why the arms cannot even stand where they start, or None."""
        if self.world is None:
            return None
        for key, q in self.q_start.items():
            found = self.world.check_path(q[None], key, others=self._others(self.q_start, key))
            if isinstance(found, Collision):
                return say("check.at_start", contact=found.said)
        return None

    def _walk(self, forced: tuple[bool, ...], *, main: bool) -> _State:
        state = _State(self.scene, dict(self.q_start), dict(self.signals), closed_tools(self.scene))
        self.book.main = main
        taken: list[bool] = []

        def answers(ask: Ask, variables: Mapping[str, float]) -> bool:
            return self._answer(state, ask, variables, forced, taken)

        sequencer = Sequencer(self._settings, lambda setting: state.q[setting.key], answers)
        try:
            for item in sequencer.sequence(self.program, start_at=self.options.start_at, most_steps=MOST_STEPS):
                if isinstance(item, LoopPass) and self._comes_back(state, item):
                    break
                state.override = sequencer.override
                self._take(state, item)
        except InputError as error:
            self._program_fails(error)
        return state

    def _take(self, state: _State, item: Item) -> None:
        """Let one item of the sequence happen."""
        match item:
            case Chain():
                self._chain(state, item)
            case Leaf():
                state.worked += item.rests
                self._leaf(state, item)
            case Passing(leaf=leaf):
                self._leaf(state, leaf)
            case Ask():
                self._lacks_wire(Leaf(item.step, item.program))
            case Unmade():
                self._unmade(state, item)
            case Cut():
                self.unchecked.append(
                    f"not checked beyond {MOST_STEPS} executed steps, {state.time_s:.0f} s after the start"
                )
            case Fault(error=error, chain=chain):
                if chain is not None:
                    self._chain(state, chain)
                self._program_fails(error)
            case LoopPass():
                pass

    def _program_fails(self, error: InputError) -> None:
        self.book.program_fails(Finding(kind="endless", message=str(error), fails=True))

    def _comes_back(self, state: _State, item: LoopPass) -> bool:
        """Begin a round of a loop; return whether everything stands as before at the begin of an earlier one."""
        turn = item.turn
        if turn.endless:
            if turn.number > 0:
                state.scene = state.scene.restored()
            state.marks.append((item.waiting, turn))
        if item.waiting:
            return False
        self._mark(state, [state.time_s])
        return self._repeats(state, turn)

    def _repeats(self, state: _State, turn: Round) -> bool:
        """Return whether everything stands as it did before at this loop: all that follows has been checked then."""
        if isinstance(turn.step, Repeat) and turn.step.times is not None:
            return False
        here = (turn.program, turn.step.id, turn.memory, self._standing(state))
        # A loop in which nothing happens is found by `walk`.
        return state.seen.setdefault(here, state.worked) < state.worked

    def _standing(self, state: _State) -> object:
        """Return how arms, parts, tools and signals stand, for comparing."""
        joints = tuple((np.round(q, SAME_DIGITS) + 0.0).tobytes() for q in state.q.values())
        signals = tuple(sorted(state.signals.items()))
        return (joints, self._token(state.scene), signals, frozenset(state.closed), state.override)

    def _answer(
        self,
        state: _State,
        ask: Ask,
        variables: Mapping[str, float],
        forced: tuple[bool, ...],
        taken: list[bool],
    ) -> bool:
        """Return what a condition is taken to be; the other answer waits for its turn."""
        holds = bool(evaluate(ask.expression, {**state.signals, **variables}))
        if not ask.signals & self.inputs:
            return holds
        choice = forced[len(taken)] if len(taken) < len(forced) else holds
        here = (ask.program, ask.step.id, ask.memory, self._standing(state))
        self._answered.add((here, choice))
        if len(taken) >= len(forced) and (here, not choice) not in self._answered:
            self._answered.add((here, not choice))
            self._waiting.append((*taken, not choice))
        taken.append(choice)
        return choice

    def _leaf(self, state: _State, leaf: Leaf) -> None:
        """Look at a step that does not move the arm."""
        if self._lacks_wire(leaf):
            return
        match leaf.step:
            case Wait(seconds=seconds):
                state.time_s += seconds
                self.book.add(leaf, LegLook(seconds), self._settings.of(leaf.program).key)
            case Tool():
                self._tool(state, leaf)
            case SetOutput(signal=signal, value=value):
                state.signals[signal] = value
                self.book.add(leaf, LegLook())
            case WaitInput(signal=signal, value=value):
                state.signals[signal] = value
                self.notes.append("the time that inputs are waited for is not counted")
                self.book.add(leaf, LegLook())
            case _:
                self.book.add(leaf, LegLook())

    def _lacks_wire(self, leaf: Leaf) -> bool:
        """Return whether a step uses a signal that its robot does not have, and write that down."""
        fault = step_fault(self.scene, self.programs[leaf.program], leaf.step, needs_port=False)
        if fault:
            self.book.add(leaf, LegLook(findings=[Finding(kind="wiring", message=fault, fails=True)]))
        return bool(fault)

    def _unmade(self, state: _State, item: Unmade) -> None:
        """Write down a move whose end cannot be reached."""
        state.worked += 1
        kind = "limit" if item.why.kind == "limit" else "unreachable"
        finding = Finding(kind=kind, message=item.why.reason, fails=True, fraction=1.0, joint=item.why.joint)
        self.book.add(item.leaf, LegLook(findings=[finding]))
        self._remember(state, item.leaf, state.q[item.setting.key])

    def _chain(self, state: _State, chain: Chain) -> None:
        """Look at a chain; after a move that cannot be made, at the rest of it as if the move had been made."""
        setting = chain.setting
        state.worked += len(chain.legs)
        self.firsts.setdefault(setting.key, (setting, chain.legs[0].leaf, chain.legs[0]))
        left = chain
        while left.legs:
            legs = left.legs
            look = self._look(state, left, self._others(state.q, setting.key))
            if look.trajectory is not None:
                made = left if look.blocked_at is None else Chain(setting, left.q_start, legs[: look.blocked_at])
                self.visits.add(made, look.trajectory, state.time_s, main=self.book.main)
            ends = [state.time_s]
            for leg, found in zip(legs, look.legs, strict=False):
                ends.append(ends[-1] + found.duration_s)
                self.book.add(leg.leaf, found, setting.key)
                if any(finding.fails for finding in found.findings):
                    place = legs.index(leg)
                    self._remember(state, leg.leaf, state.q[setting.key] if place == 0 else legs[place - 1].q_guess)
            self._mark(state, ends)
            state.time_s = ends[-1]
            state.q[setting.key] = look.q_end
            left = Chain(setting, look.q_end, legs[len(look.legs) :], chain.stopped_by)

    def _look(self, state: _State, chain: Chain, others: dict[str, Array]) -> ChainLook:
        world = self._world_of(state.scene)
        token = self._token(state.scene)
        key = (chain.key(), chain.stopped_by, token, tuple((name, q.tobytes()) for name, q in others.items()))
        found = self._looks.get(key)
        if found is None:
            reach = np.ones(chain.setting.placed.kinematics.dof)
            if world is not None:
                reach_key = (chain.setting.key, token)
                if reach_key not in self._reaches:
                    self._reaches[reach_key] = reaches(world, chain.setting.placed)
                reach = self._reaches[reach_key]
            found = self._looks[key] = look_at_chain(chain, world, others, reach, self.margin)
        return found

    def _mark(self, state: _State, ends: list[float]) -> None:
        for after, turn in state.marks:
            state.rounds.setdefault(turn.step.id, []).append(ends[min(after, len(ends) - 1)])
        state.marks.clear()

    def _tool(self, state: _State, leaf: Leaf) -> None:
        step, setting = leaf.step, self._settings.of(leaf.program)
        key = setting.key
        if not isinstance(step, Tool):
            return
        look = LegLook()
        closes = step.state == "close"
        if closes != (key in state.closed):
            (state.closed.add if closes else state.closed.discard)(key)
            world = self._world_of(state.scene)
            if world is not None:
                worked = work_tool(world, setting.placed, state.q[key], step.state)
                look.duration_s = worked.duration_s
                state.scene = worked.scene
                if closes and setting.placed.fingers and worked.taken is None:
                    look.findings.append(Finding(kind="tool", message=say("check.closes_on_nothing"), fails=False))
                look.saw(self._stands(state, setting, look))
            else:
                look.duration_s = tool_time_s(setting.placed, step.state, 0.0, setting.placed.travel_m)
        else:
            look.duration_s = tool_time_s(setting.placed, step.state, 0.0, 0.0)
        state.time_s += look.duration_s
        self.book.add(leaf, look, key)

    def _stands(self, state: _State, setting: Setting, look: LegLook) -> Near | None:
        """Return what is near after the fingers have moved; says so where they would touch something."""
        world = self._world_of(state.scene)
        if world is None:
            return None
        q = state.q[setting.key]
        found = world.check_path(q[None], setting.key, others=self._others(state.q, setting.key) or None)
        near = near_of(found.nearest)
        if isinstance(found, Collision):
            message = say("check.tool_so", contact=found.said)
            look.findings.append(Finding(kind="collision", message=message, fails=True, near=near))
        return near

    def _remember(self, state: _State, leaf: Leaf, q: Array) -> None:
        setting = self._settings.of(leaf.program)
        world = self._world_of(state.scene)
        others = self._others(state.q, setting.key)
        reach = np.ones(len(q)) if world is None else reaches(world, setting.placed)
        context = Context(setting, leaf, q, state.override, world, others, reach, self.margin)
        self.contexts.setdefault((leaf.program, leaf.step.id), context)

    def _world_of(self, scene: Scene) -> CollisionWorld | None:
        if self.world is None or scene is self.scene:
            return self.world
        token = self._token(scene)
        if token not in self._worlds:
            self._worlds[token] = self.world.for_scene(scene)
        return self._worlds[token]

    def _token(self, scene: Scene) -> object:
        """Return what tells two scenes of the cell apart."""
        return (
            tuple(sorted((name, T.tobytes()) for name, T in scene.poses.items())),
            tuple(sorted((name, held.arm, held.T_flange_part.tobytes()) for name, held in scene.carried.items())),
            tuple(sorted(scene.openings.items())),
        )

    def _others(self, q: Mapping[str, Array], key: str) -> dict[str, Array]:
        return {other: joints for other, joints in q.items() if other != key}
