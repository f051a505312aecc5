"""walk: the order in which the steps of a program come, one after another; what every `sequence` is made from."""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field

from openpendant.errors import InputError, UnknownNameError
from openpendant.programs.document import (
    Action,
    Call,
    Comment,
    Expression,
    GoTo,
    Group,
    If,
    MoveAxis,
    Offset,
    PickPart,
    PlacePart,
    Program,
    Repeat,
    SetVariable,
    Tool,
    Value,
    Wait,
    WaitInput,
    While,
    deciding_variables,
    evaluate,
    find_step,
    names_in,
    parse_expression,
    slots_of,
)
from openpendant.said import say

from .walk_place import WalkFrame, WalkPlace

MOST_IDLE = 10_000
"""This many steps in a row that take no time count as an endless loop."""
Offs = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class StepTurn:
    """A step whose turn it is."""

    step: Action
    program: str
    offset: Offs = (0.0, 0.0, 0.0)
    """Of a GoTo with an offset: what it is worth now, metres."""
    value: float = 0.0
    """Of a SetVariable: what it is worth now."""
    whole: PickPart | PlacePart | None = None
    """The pick or place that the step is a part of."""
    place: WalkPlace | None = field(default=None, compare=False)
    """Where the walk is; None: places are not asked for."""

    @property
    def id(self) -> str:
        """The id of the program's step that it belongs to."""
        return self.step.id if self.whole is None else self.whole.id

    @property
    def moves(self) -> bool:
        """Whether the arm moves."""
        return isinstance(self.step, GoTo | MoveAxis)

    @property
    def rests(self) -> bool:
        """Whether the arm must be at rest for it."""
        return isinstance(self.step, Wait | Tool | WaitInput)


@dataclass(frozen=True, slots=True)
class SignalCondition:
    """A condition on signals: the arm comes to rest, then they are looked at, and the answer is given back."""

    step: Action
    program: str
    expression: Expression
    signals: frozenset[str]
    memory: tuple[object, ...] = ()
    """As of a `LoopRound`."""


@dataclass(frozen=True, slots=True)
class LoopRound:
    """Another round of a loop begins."""

    step: Action
    program: str
    number: int
    """From 0."""
    memory: tuple[object, ...] = ()
    """What the program itself remembers here: variables that decide something, and how often counted loops around
    this one have gone round, and the step that a walk which begins in its middle has not come to yet. The same memory
    with the same arms, parts and signals leads to the same steps again."""
    place: WalkPlace | None = field(default=None, compare=False)
    """As of a `StepTurn`."""

    @property
    def endless(self) -> bool:
        """Whether the loop has neither a number of rounds nor a condition."""
        return isinstance(self.step, Repeat) and self.step.times is None


@dataclass(frozen=True, slots=True)
class BreakTurn:
    """A step comes next that has a breakpoint."""

    step: str
    """Its id."""
    program: str
    place: WalkPlace | None = field(default=None, compare=False)
    """As of a `StepTurn`."""


Turn = StepTurn | SignalCondition | LoopRound | BreakTurn
"""What comes next on a walk."""
SignalTest = Callable[[SignalCondition, Mapping[str, float]], bool]
"""From a question and the variables to whether the condition holds."""
Breaks = Callable[[str, str], bool]
"""Whether a step has a breakpoint now, by its program and id."""


@dataclass(slots=True)
class _Frame:
    """Where a walk is in one program."""

    program: str
    variables: dict[str, float]
    step: str = ""
    rounds: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(slots=True)
class _Walk:
    """Where a walk is."""

    programs: Mapping[str, Program]
    test: SignalTest
    breaks: Breaks | None = None
    places: bool = False
    idle: int = 0
    frames: list[_Frame] = field(default_factory=list[_Frame])
    """Of the programs that are under way, the innermost last."""
    variables: dict[str, float] = field(default_factory=dict[str, float])
    """Of the program whose turn it is."""
    deciding: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """By program: its variables on whose values its steps depend."""
    calls: list[tuple[object, ...]] = field(default_factory=list[tuple[object, ...]])
    """What the programs remember that wait for the called one to end."""
    counts: list[int] = field(default_factory=list[int])
    """Rounds of the counted loops that are under way, the outermost first."""

    def place(self) -> WalkPlace | None:
        """Return where it is, where places are asked for."""
        if not self.places:
            return None
        return WalkPlace(
            tuple(
                WalkFrame(one.program, one.step, tuple(one.rounds.items()), tuple(one.variables.items()))
                for one in self.frames
            )
        )

    def memory(self, program: Program) -> tuple[object, ...]:
        """Return what decides how the walk continues, beside arms, parts and signals."""
        if program.name not in self.deciding:
            self.deciding[program.name] = deciding_variables(program)
        own = self.deciding[program.name]
        values = tuple(sorted((name, value) for name, value in self.variables.items() if name in own))
        return (*self.calls, tuple(self.counts), values)


def walk(
    program: Program,
    programs: Mapping[str, Program],
    test: SignalTest,
    *,
    start_at: str | WalkPlace | None = None,
    breaks: Breaks | None = None,
    places: bool = False,
) -> Iterator[Turn]:
    """Yield the steps of a program in the order in which they come.

    After a `SignalCondition` the answer is wanted when the next step is asked for, so whoever walks can first let the
    arm come to rest. Conditions on variables alone are decided on the way.

    Args:
        program: What to walk through.
        programs: Others by name, for calls.
        test: Says whether a condition on signals holds now.
        start_at: The id of the step to begin with; loops around it are in their first round. Or the place at which an
            earlier walk was, with the rounds and variables that it had.
        breaks: Says whether a step has a breakpoint, when its turn comes; None: none has.
        places: Whether turns have their places.

    Raises:
        UnknownNameError: No step has the id `start_at`, or a called program is missing.
        InputError: An expression cannot be worked out, or a loop neither moves nor waits nor ends.
    """
    if isinstance(start_at, str):
        find_step(program, start_at)
        start_at = WalkPlace((WalkFrame(program.name, start_at, (), tuple(program.variables.items())),))
    frames = () if start_at is None else start_at.frames
    for frame in frames:
        find_step(programs.get(frame.program, program), frame.step)
    yield from _program(_Walk(programs, test, breaks, places), program, frames)


def _program(state: _Walk, program: Program, frames: tuple[WalkFrame, ...] = ()) -> Iterator[Turn]:
    outer = state.variables
    state.variables = dict(frames[0].variables if frames else program.variables)
    state.frames.append(_Frame(program.name, state.variables))
    start = _Start(frames[0].step, dict(frames[0].rounds), frames[1:]) if frames else _Start(None)
    yield from _steps(state, program, program.steps, start)
    state.frames.pop()
    state.variables = outer


def _call(state: _Walk, program: Program, step: Call, start: "_Start") -> Iterator[Turn]:
    if step.program not in state.programs:
        raise UnknownNameError("program", step.program, state.programs)
    state.calls.append((step.id, *state.memory(program)))
    counts, state.counts = state.counts, []
    inner, start.inner = start.inner, ()
    yield from _program(state, state.programs[step.program], inner)
    state.counts = counts
    state.calls.pop()


@dataclass(slots=True)
class _Start:
    """The step that a walk begins with in a program; None once it has begun."""

    at: str | None
    rounds: dict[str, int] = field(default_factory=dict[str, int])
    """The rounds in which loops around that step are, by their ids; each counts once."""
    inner: tuple[WalkFrame, ...] = ()
    """Where it begins in the programs that are called there."""


def _steps(state: _Walk, program: Program, steps: tuple[Action, ...], start: _Start) -> Iterator[Turn]:
    for step in steps:
        if start.at is not None:
            if step.id == start.at:
                start.at = None
            elif not _contains(step, start.at):
                continue
        if not step.enabled:
            continue
        state.frames[-1].step = step.id
        if start.at is None and state.breaks is not None and state.breaks(program.name, step.id):
            yield BreakTurn(step.id, program.name, state.place())
        yield from _step(state, program, step, start)


def _step(state: _Walk, program: Program, step: Action, start: _Start) -> Iterator[Turn]:
    state.idle += 1
    if state.idle > MOST_IDLE:
        raise InputError(say("check.in_idle_loop", step=step.id, program=program.name))
    match step:
        case Group(steps=steps):
            yield from _steps(state, program, steps, start)
        case Repeat(times=times, steps=steps):
            number = start.rounds.pop(step.id, 0)
            if times is not None:
                state.counts.append(number)
            while times is None or number < times:
                _tick(state, step, program)
                if times is not None:
                    state.counts[-1] = number
                yield _round(state, program, step, number, start)
                yield from _steps(state, program, steps, start)
                number += 1
            state.counts.pop()  # Only a counted loop comes here.
            state.frames[-1].rounds.pop(step.id, None)
        case While(steps=steps):
            number = start.rounds.pop(step.id, 0)
            while start.at is not None or (yield from _decide(state, program, step)):
                _tick(state, step, program)
                yield _round(state, program, step, number, start)
                yield from _steps(state, program, steps, start)
                number += 1
                state.frames[-1].step = step.id
            state.frames[-1].rounds.pop(step.id, None)
        case If(steps=steps, otherwise=otherwise):
            if start.at is not None:
                yield from _steps(state, program, steps if _any_contains(steps, start.at) else otherwise, start)
            else:
                yield from _steps(
                    state, program, steps if (yield from _decide(state, program, step)) else otherwise, start
                )
        case Call():
            yield from _call(state, program, step, start)
        case SetVariable(name=name, value=value):
            place = state.place()
            state.variables[name] = _value(state, value)
            yield StepTurn(step, program.name, value=state.variables[name], place=place)
        case (
            GoTo(offset=Offset(by=(x, y, z)))
            | PickPart(offset=Offset(by=(x, y, z)))
            | PlacePart(offset=Offset(by=(x, y, z)))
        ):
            state.idle = 0
            offset = (_value(state, x), _value(state, y), _value(state, z))
            yield StepTurn(step, program.name, offset, place=state.place())
        case Comment():
            pass
        case _:
            if isinstance(step, GoTo | MoveAxis | Wait | WaitInput | Tool | PickPart | PlacePart):
                state.idle = 0
            yield StepTurn(step, program.name, place=state.place())


def _round(state: _Walk, program: Program, step: Repeat | While, number: int, start: _Start) -> LoopRound:
    """Return the round of a loop that begins."""
    frame = state.frames[-1]
    frame.step, frame.rounds[step.id] = step.id, number
    memory = (*state.memory(program), start.at)
    return LoopRound(step, program.name, number, memory, state.place())


def _tick(state: _Walk, step: Action, program: Program) -> None:
    state.idle += 1
    if state.idle > MOST_IDLE:
        raise InputError(say("check.idle_loop", step=step.id, program=program.name))


def _decide(state: _Walk, program: Program, step: If | While) -> Generator[Turn, None, bool]:
    """Return whether a condition holds; a condition over signals is yielded to the caller first."""
    expression = parse_expression(step.condition)
    asked = names_in(expression) - state.variables.keys()
    if not asked:
        return bool(evaluate(expression, state.variables))
    condition = SignalCondition(step, program.name, expression, asked, state.memory(program))
    yield condition
    return state.test(condition, state.variables)


def _value(state: _Walk, value: Value) -> float:
    return float(evaluate(parse_expression(value), state.variables)) if isinstance(value, str) else float(value)


def _contains(step: Action, step_id: str) -> bool:
    return any(_any_contains(getattr(step, slot), step_id) for slot in slots_of(step))


def _any_contains(steps: tuple[Action, ...], step_id: str) -> bool:
    return any(step.id == step_id or _contains(step, step_id) for step in steps)
