"""What must hold in a program beyond its types: ids, references, words, and numbers that can be."""

import math
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches

from openpendant.errors import InputError
from openpendant.kinematics import Arm
from openpendant.robots import load
from openpendant.said import say
from openpendant.scene import Cell, Fault
from openpendant.scene.cell import WORLD
from openpendant.spatial import QUATERNION_TOLERANCE

from .actions import (
    Action,
    Call,
    GoTo,
    If,
    InlinePoint,
    MoveAxis,
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
from .tree import all_steps, slots_of
from .words import parse_speed, parse_zone

__all__ = ["find_call_fault", "find_program_fault"]

NAME = re.compile(r"\w[\w\-]{0,62}")
ID = re.compile(r"[A-Za-z0-9_\-]{1,32}")
VARIABLE = re.compile(r"[A-Za-z_]\w{0,31}")
LONGEST_WAIT_S = 86_400.0
FARTHEST_M = 50.0
MOST_ROUNDS = 1_000_000
DEEPEST = 32


def find_program_fault(program: Program, cell: Cell, programs: Collection[str] | None = None) -> Fault | None:
    """Return the first fault of a program in its cell, or None.

    Args:
        program: Of the cell.
        cell: Without fault.
        programs: Names of the cell's programs, for calls; None: calls are not looked at.
    """
    return next(_faults(program, cell, programs), None)


def find_call_fault(program: Program, programs: dict[str, Program]) -> Fault | None:
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
            return Fault(f"{pointer}/program", f"no program named {step.program!r}{_hint(step.program, programs)}")
        ring = down(step.program, (program.name,))
        if ring is not None:
            return Fault(f"{pointer}/program", say("check.ring", ring=" calls ".join(ring)))
    return None


def _faults(program: Program, cell: Cell, programs: Collection[str] | None) -> Iterator[Fault]:
    if not NAME.fullmatch(program.name):
        yield Fault(
            "/name",
            f"{program.name!r} cannot be the name of a program: allowed are 1 to 63 letters, digits, '_' and '-'",
        )
    owner = next((robot for robot in cell.robots if robot.name == program.robot), None)
    if owner is None:
        names = [robot.name for robot in cell.robots]
        yield Fault("/robot", f"no robot named {program.robot!r} in this cell{_hint(program.robot, names)}")
        return
    arms = load(owner.model).arms
    if not arms:
        yield Fault("/robot", f"{owner.model} has no arm, and a program moves one")
        return
    if program.arm and program.arm not in arms:
        yield Fault("/arm", f"{owner.model} has no arm named {program.arm!r}{_hint(program.arm, arms)}")
        return
    yield from _variables(program, cell)
    look = _Look(program, cell, arms[program.arm] if program.arm else next(iter(arms.values())), programs)
    seen: dict[str, str] = {}
    for pointer, step in all_steps(program):
        if not ID.fullmatch(step.id):
            yield Fault(f"{pointer}/id", f"{step.id!r} is no id; allowed are 1 to 32 letters, digits, '_' and '-'")
        if step.id in seen:
            yield Fault(f"{pointer}/id", f"{step.id!r} is also the id of {seen[step.id]}; ids must differ")
        seen[step.id] = pointer
        if slots_of(step) and pointer.count("/steps") + pointer.count("/otherwise") > DEEPEST:
            yield Fault(pointer, f"steps stand in each other more than {DEEPEST} deep")
        for fault in look.faults(step):
            yield fault.under(pointer)


def _variables(program: Program, cell: Cell) -> Iterator[Fault]:
    signals = {signal.name for signal in cell.signals}
    for name, value in program.variables.items():
        pointer = f"/variables/{name}"
        if not VARIABLE.fullmatch(name) or name in WORDS:
            yield Fault(
                pointer, f"{name!r} cannot be a variable: allowed is a word of up to 32 letters, digits and '_'"
            )
        if name in signals:
            yield Fault(pointer, f"{name!r} is also the name of a signal; names must differ")
        if not math.isfinite(value):
            yield Fault(pointer, f"{value} is no start for {name!r}; it must be a finite number")


class _Look:
    """Looks at the steps of one program."""

    def __init__(self, program: Program, cell: Cell, arm: Arm, programs: Collection[str] | None) -> None:
        self.arm = arm
        self.program = program
        self.programs = programs
        self.frames = {WORLD, *(frame.name for frame in cell.frames), *(robot.name for robot in cell.robots)}
        self.points = {point.name for point in cell.points}
        self.tools = {tool.name for tool in cell.tools}
        self.inputs = {signal.name for signal in cell.signals if signal.kind == "in"}
        self.outputs = {signal.name for signal in cell.signals if signal.kind == "out"}

    def faults(self, step: Action) -> Iterator[Fault]:
        match step:
            case GoTo():
                yield from self._go_to(step)
            case MoveAxis(q=q, speed=speed, zone=zone):
                yield from self._joints(q, "/q")
                yield from _words(speed, zone)
            case Wait(seconds=seconds):
                yield from _between(seconds, 0.0, LONGEST_WAIT_S, "s", "/seconds")
            case SetOutput(signal=signal):
                yield from _known(signal, self.outputs, "output", "/signal")
            case WaitInput(signal=signal, timeout_s=timeout):
                yield from _known(signal, self.inputs, "input", "/signal")
                if timeout is not None:
                    yield from _between(timeout, 0.0, LONGEST_WAIT_S, "s", "/timeout_s")
            case SpeedOverride(percent=percent):
                if not 0.0 < percent <= 100.0:
                    yield Fault("/percent", f"{percent:g} %; allowed is above 0 up to 100")
            case SetVariable(name=name, value=value):
                yield from _known(name, self.program.variables, "variable", "/name")
                yield from self._value(value, "/value")
            case Repeat(times=times):
                if times is not None and not 0 <= times <= MOST_ROUNDS:
                    yield Fault("/times", f"{times}; allowed is 0 to {MOST_ROUNDS}, or null for ever")
            case If(condition=condition) | While(condition=condition):
                yield from self._expression(condition, "truth", "/condition")
            case Call(program=called):
                if self.programs is not None:
                    yield from _known(called, self.programs, "program", "/program")
            case _:
                pass

    def _go_to(self, step: GoTo) -> Iterator[Fault]:
        yield from self._target(step.to, "/to")
        if (step.via is not None) != (step.how == "arc"):
            message = (
                "an arc needs a point on its way" if step.how == "arc" else f"only an arc has one, not a {step.how}"
            )
            yield Fault("/via", message)
        if step.via is not None:
            yield from self._target(step.via, "/via")
        if step.tool:
            yield from _known(step.tool, self.tools, "tool", "/tool")
        if step.offset is not None:
            for index, value in enumerate(step.offset.by):
                yield from self._value(value, f"/offset/by/{index}", FARTHEST_M)
        yield from _words(step.speed, step.zone)

    def _target(self, target: Target, pointer: str) -> Iterator[Fault]:
        if not isinstance(target, InlinePoint):
            yield from _known(target, self.points, "point", pointer)
            return
        yield from _known(target.frame, self.frames, "frame", f"{pointer}/frame")
        for index, value in enumerate(target.pose.xyz):
            yield from _between(value, -FARTHEST_M, FARTHEST_M, "m", f"{pointer}/pose/xyz/{index}")
        norm = math.sqrt(sum(value * value for value in target.pose.wxyz))
        if not abs(norm - 1.0) <= QUATERNION_TOLERANCE:
            message = f"{list(target.pose.wxyz)} has norm {norm:.8g}; a unit quaternion (w, x, y, z) has norm 1"
            yield Fault(f"{pointer}/pose/wxyz", message)
        if target.q is not None:
            yield from self._joints(target.q, f"{pointer}/q")

    def _joints(self, q: tuple[float, ...], pointer: str) -> Iterator[Fault]:
        if len(q) != self.arm.dof:
            yield Fault(pointer, f"{len(q)} joints; arm {self.arm.name!r} has {self.arm.dof}")
            return
        for index, value in enumerate(q):
            low, high = float(self.arm.limits_lower[index]), float(self.arm.limits_upper[index])
            if not low - 1e-9 <= value <= high + 1e-9 or math.isinf(value):
                degrees = f"; it looks like degrees: write {math.radians(value):.6g}" if abs(value) > 7.0 else ""
                title = self.arm.joint_titles[index]
                message = f"{title} is {value:g} rad; its limits are {low:.4g} to {high:.4g}{degrees}"
                yield Fault(f"{pointer}/{index}", message)

    def _value(self, value: Value, pointer: str, largest: float = 1e12) -> Iterator[Fault]:
        if isinstance(value, str):
            yield from self._expression(value, "number", pointer)
        else:
            yield from _between(value, -largest, largest, "", pointer)

    def _expression(self, text: str, kind: str, pointer: str) -> Iterator[Fault]:
        try:
            found = check_expression(parse_expression(text), self.program.variables, self.inputs | self.outputs)
        except InputError as error:
            yield Fault(pointer, str(error))
            return
        if found != kind:
            yield Fault(pointer, f"{text!r} is a {found}; here stands a {kind}")


def _words(speed: str, zone: str) -> Iterator[Fault]:
    for pointer, text, parse in (("/speed", speed, parse_speed), ("/zone", zone, parse_zone)):
        try:
            parse(text)
        except InputError as error:
            yield Fault(pointer, str(error))


def _between(value: float, low: float, high: float, unit: str, pointer: str) -> Iterator[Fault]:
    if not low <= value <= high:
        space = f" {unit}" if unit else ""
        millimetres = f"; it looks like millimetres: write {value / 1000:g}" if unit == "m" and value > high else ""
        yield Fault(pointer, f"{value:g}{space} cannot be; allowed is {low:g} to {high:g}{space}{millimetres}")


def _known(name: str, known: Collection[str], kind: str, pointer: str) -> Iterator[Fault]:
    if name not in known:
        yield Fault(pointer, f"no {kind} named {name!r} in this cell{_hint(name, known)}")


def _hint(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    if close:
        return f". Did you mean {' or '.join(close)}?"
    return f". Known: {', '.join(sorted(known)[:12]) or 'none'}."
