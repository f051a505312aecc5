"""What must hold in a program beyond its types: ids, references, words, and numbers that can be."""

import math
import re
from collections.abc import Collection, Iterator

from openpendant.documents import DocumentFault
from openpendant.errors import InputError
from openpendant.kinematics import Arm
from openpendant.robots import load
from openpendant.said import Said, join, name_hint, say, unknown_name
from openpendant.scene import Cell
from openpendant.scene.document import WORLD, joint_faults, pose_faults, seconds_faults, unknown_in_cell

from .actions import (
    Action,
    Call,
    GoTo,
    If,
    InlinePoint,
    MoveAxis,
    Offset,
    PickPart,
    PlacePart,
    Repeat,
    SetOutput,
    SetVariable,
    SpeedOverride,
    Target,
    Value,
    Wait,
    WaitInput,
    While,
)
from .expressions import WORDS, check_expression, parse_expression
from .program import Program
from .references import called_by
from .speed_zone_text import parse_speed, parse_zone
from .tree import all_steps, slots_of

NAME = re.compile(r"\w[\w\-]{0,62}")
ID = re.compile(r"[A-Za-z0-9_\-]{1,32}")
VARIABLE = re.compile(r"[A-Za-z_]\w{0,31}")
LONGEST_WAIT_S = 86_400.0
FARTHEST_M = 50.0
NEAREST_M, FARTHEST_APPROACH_M = 0.001, 2.0
"""How far an approach or retreat goes."""
WIDEST_M = 1.0
MOST_ROUNDS = 1_000_000
DEEPEST = 32


def find_program_fault(program: Program, cell: Cell, programs: Collection[str] | None = None) -> DocumentFault | None:
    """Return the first fault of a program in its cell, or None.

    Args:
        program: Of the cell.
        cell: Without fault.
        programs: Names of the cell's programs, for calls; None: calls are not checked.
    """
    return next(_faults(program, cell, programs), None)


def find_call_fault(program: Program, programs: dict[str, Program]) -> DocumentFault | None:
    """Return a fault where programs call each other in a ring, or one is missing."""

    def down(name: str, trail: tuple[str, ...]) -> tuple[str, ...] | None:
        if name in trail:
            return (*trail, name)
        for called in sorted(called_by(programs[name])) if name in programs else ():
            ring = down(called, (*trail, name))
            if ring is not None:
                return ring
        return None

    for pointer, step in all_steps(program):
        if not isinstance(step, Call):
            continue
        if step.program != program.name and step.program not in programs:
            return DocumentFault(f"{pointer}/program", unknown_name("program", step.program, programs))
        ring = down(step.program, (program.name,))
        if ring is not None:
            return DocumentFault(f"{pointer}/program", say("check.ring", ring=join(ring, "list.calls")))
    return None


def _faults(program: Program, cell: Cell, programs: Collection[str] | None) -> Iterator[DocumentFault]:
    if not NAME.fullmatch(program.name):
        yield DocumentFault("/name", say("fault.program_name", name=program.name))
    owner = next((robot for robot in cell.robots if robot.name == program.robot), None)
    if owner is None:
        names = [robot.name for robot in cell.robots]
        yield DocumentFault("/robot", unknown_in_cell("robot", program.robot, names))
        return
    arms = load(owner.model).arms
    if not arms:
        yield DocumentFault("/robot", say("fault.armless", model=owner.model))
        return
    if program.arm and program.arm not in arms:
        hint = name_hint(program.arm, arms)
        yield DocumentFault("/arm", say("fault.no_arm", model=owner.model, arm=program.arm, hint=hint))
        return
    yield from _variables(program, cell)
    arm = arms[program.arm] if program.arm else next(iter(arms.values()))
    rules = _StepRules(program, cell, arm, owner.model, programs)
    seen: dict[str, str] = {}
    for pointer, step in all_steps(program):
        if not ID.fullmatch(step.id):
            yield DocumentFault(f"{pointer}/id", say("fault.step_id", step=step.id))
        if step.id in seen:
            yield DocumentFault(f"{pointer}/id", say("fault.step_twice", step=step.id, other=seen[step.id]))
        seen[step.id] = pointer
        if slots_of(step) and pointer.count("/steps") + pointer.count("/otherwise") > DEEPEST:
            yield DocumentFault(pointer, say("fault.deep", most=DEEPEST))
        for fault in rules.faults(step):
            yield fault.under(pointer)


def _variables(program: Program, cell: Cell) -> Iterator[DocumentFault]:
    signals = {signal.name for signal in cell.signals}
    for name, value in program.variables.items():
        pointer = f"/variables/{name}"
        if not VARIABLE.fullmatch(name) or name in WORDS:
            yield DocumentFault(pointer, say("fault.variable_name", name=name))
        if name in signals:
            yield DocumentFault(pointer, say("fault.variable_signal", name=name))
        if not math.isfinite(value):
            yield DocumentFault(pointer, say("fault.variable_start", value=str(value), name=name))


class _StepRules:
    """What must hold in the steps of one program."""

    def __init__(self, program: Program, cell: Cell, arm: Arm, model: str, programs: Collection[str] | None) -> None:
        self.arm = arm
        self.model = model
        self.program = program
        self.programs = programs
        self.frames = {WORLD, *(frame.name for frame in cell.frames), *(robot.name for robot in cell.robots)}
        self.points = {point.name for point in cell.points}
        self.parts = {item.name for item in cell.objects if item.graspable}
        self.tools = {tool.name for tool in cell.tools}
        self.inputs = {signal.name for signal in cell.signals if signal.kind == "in"}
        self.outputs = {signal.name for signal in cell.signals if signal.kind == "out"}

    def faults(self, step: Action) -> Iterator[DocumentFault]:
        match step:
            case GoTo():
                yield from self._go_to(step)
            case MoveAxis(q=q, speed=speed, zone=zone):
                yield from joint_faults(self.arm, self.model, q, "/q")
                yield from _describe_speed_zone(speed, zone)
            case PickPart() | PlacePart():
                yield from self._handling(step)
            case Wait(seconds=seconds):
                yield from seconds_faults(seconds, "/seconds", LONGEST_WAIT_S)
            case SetOutput(signal=signal):
                yield from _known(signal, self.outputs, "output", "/signal")
            case WaitInput(signal=signal, timeout_s=timeout):
                yield from _known(signal, self.inputs, "input", "/signal")
                if timeout is not None:
                    yield from seconds_faults(timeout, "/timeout_s", LONGEST_WAIT_S)
            case SpeedOverride(percent=percent):
                if not 0.0 < percent <= 100.0:
                    yield DocumentFault("/percent", say("fault.percent", share_percent=percent))
            case SetVariable(name=name, value=value):
                if name not in self.program.variables:
                    hint = name_hint(name, self.program.variables)
                    yield DocumentFault("/name", say("fault.no_variable", name=name, hint=hint))
                yield from self._value(value, "/value")
            case Repeat(times=times):
                if times is not None and not 0 <= times <= MOST_ROUNDS:
                    yield DocumentFault("/times", say("fault.rounds", times=times, most=MOST_ROUNDS))
            case If(condition=condition) | While(condition=condition):
                yield from self._expression(condition, "truth", "/condition")
            case Call(program=called):
                if self.programs is not None:
                    yield from _known(called, self.programs, "program", "/program")
            case _:
                pass

    def _go_to(self, step: GoTo) -> Iterator[DocumentFault]:
        yield from self._target(step.to, "/to")
        if (step.via is not None) != (step.how == "arc"):
            arc = step.how == "arc"
            yield DocumentFault("/via", say("fault.arc_via") if arc else say("fault.no_arc", how=step.how))
        if step.via is not None:
            yield from self._target(step.via, "/via")
        if step.tool:
            yield from _known(step.tool, self.tools, "tool", "/tool")
        yield from self._offset(step.offset)
        yield from _describe_speed_zone(step.speed, step.zone)

    def _handling(self, step: PickPart | PlacePart) -> Iterator[DocumentFault]:
        if step.part:
            yield from _known(step.part, self.parts, "part", "/part")
        elif step.at is None:
            yield DocumentFault("/at", say("fault.handling_where"))
        if step.at is not None:
            yield from self._target(step.at, "/at")
        yield from self._offset(step.offset)
        distances = [("/approach_m", step.approach_m), ("/retreat_m", step.retreat_m)]
        for pointer, value in distances:
            if not NEAREST_M <= value <= FARTHEST_APPROACH_M:
                yield _length(pointer, value, NEAREST_M, FARTHEST_APPROACH_M)
        if isinstance(step, PickPart) and step.opening_m is not None and not 0.0 <= step.opening_m <= WIDEST_M:
            yield _length("/opening_m", step.opening_m, 0.0, WIDEST_M)
        yield from _describe_speed_zone(step.speed, step.zone)
        try:
            parse_speed(step.slowly)
        except InputError as error:
            yield DocumentFault("/slowly", error.said)

    def _offset(self, offset: Offset | None) -> Iterator[DocumentFault]:
        for index, value in enumerate(() if offset is None else offset.by):
            yield from self._value(value, f"/offset/by/{index}", FARTHEST_M)

    def _target(self, target: Target, pointer: str) -> Iterator[DocumentFault]:
        if not isinstance(target, InlinePoint):
            yield from _known(target, self.points, "point", pointer)
            return
        yield from _known(target.frame, self.frames, "frame", f"{pointer}/frame")
        yield from pose_faults(target.pose, f"{pointer}/pose")
        if target.q is not None:
            yield from joint_faults(self.arm, self.model, target.q, f"{pointer}/q")

    def _value(self, value: Value, pointer: str, largest: float = 1e12) -> Iterator[DocumentFault]:
        if isinstance(value, str):
            yield from self._expression(value, "number", pointer)
        elif not -largest <= value <= largest:
            yield DocumentFault(pointer, _out_of_range(value, largest))

    def _expression(self, text: str, kind: str, pointer: str) -> Iterator[DocumentFault]:
        try:
            found = check_expression(parse_expression(text), self.program.variables, self.inputs | self.outputs)
        except InputError as error:
            yield DocumentFault(pointer, error.said)
            return
        if found != kind:
            code = "fault.wants_number" if kind == "number" else "fault.wants_truth"
            yield DocumentFault(pointer, say(code, text=text))


def _describe_speed_zone(speed: str, zone: str) -> Iterator[DocumentFault]:
    for pointer, text, parse in (("/speed", speed, parse_speed), ("/zone", zone, parse_zone)):
        try:
            parse(text)
        except InputError as error:
            yield DocumentFault(pointer, error.said)


def _length(pointer: str, value: float, least: float, most: float) -> DocumentFault:
    return DocumentFault(pointer, say("fault.length", value_m=value, least_m=least, most_m=most))


def _out_of_range(value: float, largest: float) -> Said:
    return say("fault.number", value=f"{value:g}", least=f"{-largest:g}", most=f"{largest:g}")


def _known(name: str, known: Collection[str], kind: str, pointer: str) -> Iterator[DocumentFault]:
    if name not in known:
        yield DocumentFault(pointer, unknown_in_cell(kind, name, known))
