"""What all exporters share: the program with its visits, lines with indents, numbers, expressions."""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import ToolStroke
from openpendant.errors import InputError
from openpendant.kinematics import Unreachable
from openpendant.programs.check import Trace, TracedMove, trace_program
from openpendant.programs.document import (
    Action,
    BinaryExpression,
    Expression,
    GoTo,
    InlinePoint,
    MoveAxis,
    NameExpression,
    NumberExpression,
    Program,
    Target,
    TruthExpression,
    UnaryExpression,
    Value,
    WaitInput,
    called_by,
    parse_expression,
    parse_speed,
    signals_in,
    tool_states,
)
from openpendant.programs.sequence import (
    ProgramArm,
    StepTurn,
    active_steps,
    find_program_arm,
    plan_step,
    step_fault,
    tool_stroke,
)
from openpendant.robots import port_rules
from openpendant.said import say
from openpendant.scene import Cell, CellTool, PlacedArm, Scene
from openpendant.spatial import inverse
from openpendant.version import __version__

Array = NDArray[np.float64]
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""What ends a line, a file or a string somewhere."""
BINDS = {"or": 1, "and": 2, "<": 3, "<=": 3, ">": 3, ">=": 3, "=": 3, "!=": 3, "+": 4, "-": 4, "*": 5, "/": 5}


@dataclass(frozen=True)
class Style:
    """The words of a language for expressions."""

    words: Mapping[str, str]
    """For those of ours that are called otherwise."""
    true: str
    false: str


@dataclass(eq=False)
class Lines:
    """Text that grows line by line."""

    step: str = "    "
    depth: int = 0
    text: list[str] = field(default_factory=list[str])

    def add(self, line: str = "") -> None:
        """Add a line at the present depth; it stays one line whatever names are in it."""
        self.text.append(f"{self.step * self.depth}{CONTROL.sub(' ', line)}".rstrip())

    def note(self, mark: str, text: str) -> None:
        """Add what a person wrote as comments: each of its lines behind the mark of the language."""
        for line in text.splitlines() or [""]:
            self.add(f"{mark} {line}")

    def inside(self) -> "Lines":
        """Return the same text, one deeper."""
        return Lines(self.step, self.depth + 1, self.text)

    def __str__(self) -> str:
        """Return all of it."""
        return "\n".join(self.text) + "\n"


@dataclass(frozen=True, eq=False)
class Source:
    """A program that is to be exported, all that it calls, and where they go."""

    cell: Cell
    scene: Scene
    program: Program
    programs: tuple[Program, ...]
    """Those that it calls, each after those that it calls itself; without the program."""
    setting: ProgramArm
    visits: Trace

    @property
    def all(self) -> tuple[Program, ...]:
        """The program and those that it calls."""
        return (*self.programs, self.program)

    def visit(self, program: Program, step: Action) -> TracedMove:
        """Return the first turn of a move; one whose turn never comes, as it would be from the start."""
        found = self.visits.first.get((program.name, step.id))
        if found is not None:
            return found
        q = self.setting.placed.q_start
        leg = plan_step(self.setting, StepTurn(step, program.name), q, 1.0)
        if isinstance(leg, Unreachable):
            raise InputError(say("wiring.not_exported", step=step.id, program=program.name, why=leg.reason))
        return TracedMove(leg, q, leg.q_guess, stops=True)

    def turns(self, program: Program, step: Action) -> tuple[TracedMove, ...]:
        """Return all turns of a move that differ: in a loop it may come from elsewhere the second time."""
        return tuple(self.visits.turns.get((program.name, step.id), ())) or (self.visit(program, step),)

    def tool(self, name: str) -> tuple[str, Array, float, tuple[float, float, float]]:
        """Return name, TCP, mass (kg) and centre of gravity (m) of a tool; of the carried one for ''.

        Both are given in what the vendor's controller calls the flange.
        """
        placed = self.setting.placed
        own = placed.tool if not name else next(t for t in self.cell.tools if t.name == name)
        return tool_of_arm(placed, own, self.setting.T_flange_tool(name))

    def T_controller_base(self) -> Array:
        """Return the arm's base in the frame in which the vendor's controller gives poses."""
        placed = self.setting.placed
        base = placed.model.arm_facts(placed.arm).controller_base
        return inverse(placed.kinematics.bases[base]) if base else np.eye(4)

    def T_controller_frame(self, frame: str) -> Array:
        """Return a frame of the cell in the controller's base."""
        return self.T_controller_base() @ inverse(self.setting.placed.T_world_base) @ self.scene.frames[frame]

    def frame_of(self, target: Target) -> str:
        """Return the frame in which a point is given."""
        return target.frame if isinstance(target, InlinePoint) else self.setting.point(target)[0]

    def ports(self, convention: str, *, own_tool: bool = False) -> dict[str, str]:
        """Return the port of every signal that the program and those that it calls use, its tool's included.

        Args:
            convention: Whose words the ports must be, as in the facts of a robot.
            own_tool: Whether the language works a tool by itself where it is not wired.

        Raises:
            InputError: A signal or the tool is not wired, or its port is not in those words; says what to do.
        """
        rules = port_rules(convention)
        signals = {signal.name: signal for signal in self.cell.signals}
        ports: dict[str, str] = {}
        for program in self.all:
            for step in active_steps(program.steps):
                if own_tool and (states := tool_states(step)) and all(self.stroke(one) is None for one in states):
                    continue
                fault = step_fault(self.scene, program, step, needs_port=True)
                for name in () if fault else sorted(self._signals_of(program, step) & set(signals)):
                    ports[name] = signals[name].port
                    fault = fault or rules.fault(signals[name].kind, signals[name].port)
                if fault:
                    raise InputError(say("wiring.not_exported", step=step.id, program=program.name, why=fault))
        return ports

    def stroke(self, state: Literal["open", "close"]) -> ToolStroke | None:
        """Return how the tool is opened or closed; None: it is not wired."""
        return tool_stroke(self.setting.placed, state)

    def late_tool(self, state: str, signal: str, stroke: ToolStroke) -> str:
        """Return what a program says when an input does not confirm that the tool has opened or closed."""
        tool = self.setting.placed.tool
        name = "the tool" if tool is None else f"tool {tool.name}"
        return f"{name} did not {state}: {signal} did not come within {stroke.timeout_s:g} s"

    def strokes(self) -> tuple[tuple[str, ToolStroke], ...]:
        """Return how the tool is opened and closed, as far as the programs do so and it is wired."""
        steps = [step for program in self.all for step in active_steps(program.steps)]
        used = {state: self.stroke(state) for step in steps for state in tool_states(step)}
        return tuple((state, stroke) for state, stroke in used.items() if stroke is not None)

    def _signals_of(self, program: Program, step: Action) -> set[str]:
        states = tool_states(step)
        if not states:
            return signals_in(step, program)
        strokes = [stroke for state in states if (stroke := self.stroke(state)) is not None]
        return {name for stroke in strokes for name, _ in (*stroke.outputs, *stroke.inputs)}


def open_source(
    cell: Cell, program: Program, programs: Mapping[str, Program] | None, folder: Path | str | None
) -> Source:
    """Return a program made ready for export.

    Raises:
        InputError: A move cannot be executed, or a called program is for another arm.
    """
    (source,) = open_sources(cell, program, programs, folder)
    return source


def open_sources(
    cell: Cell,
    program: Program,
    programs: Mapping[str, Program] | None,
    folder: Path | str | None,
    *,
    arms: Collection[str] = (),
) -> tuple[Source, ...]:
    """Return a program made ready for export: a source for each arm that it moves, that of its own arm first.

    Args:
        cell: Without fault.
        program: Of the cell.
        programs: Others by name, for calls.
        folder: The cell's folder.
        arms: Those that a program of the same robot may call programs for.

    Raises:
        InputError: A move cannot be executed, or a called program is for another arm that has no program of its own.
    """
    known = {**(programs or {}), program.name: program}
    visits = trace_program(cell, program, programs=known, folder=folder)
    scene = Scene(cell, None if folder is None else Path(folder))
    setting = find_program_arm(scene, program)
    called: dict[str, list[Program]] = {setting.key: []}
    settings = {setting.key: setting}

    def collect(one: Program) -> None:
        for name in sorted(called_by(one)):
            other = known[name]
            if any(other in some for some in called.values()):
                continue
            own = find_program_arm(scene, other)
            with_it = own.placed.robot == setting.placed.robot and {own.placed.arm, setting.placed.arm} <= set(arms)
            if own.key != setting.key and not with_it:
                raise InputError(say("export.other_arm", program=one.name, called=name, other=own.key, arm=setting.key))
            collect(other)
            settings.setdefault(own.key, own)
            called.setdefault(own.key, []).append(other)

    collect(program)
    called[setting.key].append(program)
    return tuple(Source(cell, scene, some[-1], tuple(some[:-1]), settings[key], visits) for key, some in called.items())


def ascii_text(text: object) -> str:
    """Return text without letters that old controllers cannot read."""
    plain = str(text).replace("°", " deg").replace("…", "...").replace("–", "-").replace("ß", "ss")
    return unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()


def quoted(text: str) -> str:
    """Return text as a string of a vendor's language, which can hold neither quotes nor backslashes."""
    plain = CONTROL.sub(" ", ascii_text(text)).replace('"', "'").replace("\\", "/")
    return f'"{plain}"'


def heading(source: Source) -> list[str]:
    """Return the lines that stand above every export, as comments."""
    title = source.program.title or source.program.name
    lines = [*(title.splitlines() or [""]), *source.program.notes.splitlines()]
    lines.append(f"{source.setting.placed.model.title}, cell {source.cell.name}, program {source.program.name}.")
    lines.append(f"Written by OpenPendant {__version__}.")
    return lines


def late_input(step: WaitInput) -> str:
    """Return what a program says when an input does not come in time: the words of a streamed run."""
    return say("run.did_not_come", step=step.id, signal=step.signal, within_s=step.timeout_s or 0.0)


def title_of(target: Target) -> str:
    """Return what a point is called; one without a name gets a numbered one."""
    return "point" if isinstance(target, InlinePoint) else target


def key_of(target: Target) -> object:
    """Return a key that differs for different points."""
    return (target.frame, target.pose.xyz, target.pose.wxyz) if isinstance(target, InlinePoint) else target


def write_expression(expression: Expression, style: Style, name_of: Callable[[str], str], binds: int = 0) -> str:
    """Return an expression in a vendor's words."""
    match expression:
        case NumberExpression(value):
            return number(value, 6)
        case TruthExpression(value):
            return style.true if value else style.false
        case NameExpression(name):
            return name_of(name)
        case UnaryExpression(word, of):
            if word == "not":
                return f"{style.words.get('not', 'not')} ({write_expression(of, style, name_of)})"
            return f"-{write_expression(of, style, name_of, 6)}"
        case BinaryExpression(kind, left, right):
            own = BINDS[kind]
            sides = write_expression(left, style, name_of, own), write_expression(right, style, name_of, own + 1)
            text = f"{sides[0]} {style.words.get(kind, kind)} {sides[1]}"
            return f"({text})" if own < binds else text


def tool_of_arm(
    placed: PlacedArm, own: CellTool | None, T_flange_tool: Array
) -> tuple[str, Array, float, tuple[float, float, float]]:
    """Return name, TCP, mass (kg) and centre of gravity (m) of a tool, in what the vendor's controller calls flange.

    Args:
        placed: The arm.
        own: A tool of the cell; None: that of the catalogue which the arm carries, if it does.
        T_flange_tool: TCP of a tool of the cell.
    """
    name, T_flange_tool, mass, com = _tool_on_flange(placed, own, T_flange_tool)
    if not placed.model.arm_facts(placed.arm).controller_flange:
        return name, T_flange_tool, mass, com
    T = inverse(placed.model.T_flange_controller(placed.arm))
    x, y, z = (T[:3, :3] @ np.array(com) + T[:3, 3]).tolist()
    return name, T @ T_flange_tool, mass, (x, y, z)


def _tool_on_flange(
    placed: PlacedArm, own: CellTool | None, T_flange_tool: Array
) -> tuple[str, Array, float, tuple[float, float, float]]:
    if own is not None:
        mass, com = own.mass_kg, own.com_m
        facts = placed.model.tool(placed.arm)
        if not mass and own.catalogue and facts is not None:
            mass, com = facts.mass_kg + sum(f.mass_kg for f in facts.fingers), facts.com_m
        return own.name, T_flange_tool, mass, com
    facts = placed.model.tool(placed.arm) if placed.tool_links else None
    if facts is None:
        return "flange", np.eye(4), 0.0, (0.0, 0.0, 0.0)
    return facts.name, placed.T_flange_tcp, facts.mass_kg + sum(f.mass_kg for f in facts.fingers), facts.com_m


def number(value: float, digits: int) -> str:
    """Return a number without exponent, trailing zeros, or a minus before zero."""
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def least_speed_share(source: Source, program: Program, step: GoTo | MoveAxis) -> float:
    """Return at how much of its fastest pace a joint move keeps to its speed at every turn, above 0 to 1."""
    return min(speed_share(source, turn, step) for turn in source.turns(program, step))


def speed_share(source: Source, visit: TracedMove, step: GoTo | MoveAxis) -> float:
    """Return how much of its fastest pace a turn of a joint move is made at, above 0 to 1.

    At 1 the joint that needs longest goes at its largest velocity. A move of no length may come from anywhere, so its
    share keeps the tool to its speed with all joints at theirs and the arm stretched.
    """
    speed = parse_speed(step.speed)
    arm, velocity = source.setting.placed.kinematics, source.setting.limits.velocity
    way = visit.q - visit.q_before
    shortest_s = float(np.max(np.abs(way) / velocity))
    if shortest_s < 1e-9:
        fastest = float(_levers(source.setting, visit.leg.tool) @ velocity)
        return max(min(speed.joint_fraction, speed.tool_m_s / fastest), 1e-4)
    share = speed.joint_fraction
    if np.isfinite(speed.tool_m_s) or np.isfinite(speed.turn_rad_s):
        x = np.linspace(0.0, 1.0, 65)[:, None]
        T = arm.fk(visit.q_before + x * way, check_limits=False) @ source.setting.T_flange_tool(visit.leg.tool)
        metres = float(np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1).max()) * 64.0
        chord = np.linalg.norm(np.diff(T[:, :3, :3], axis=0), axis=(1, 2)) / np.sqrt(8.0)
        radians = float((2.0 * np.arcsin(np.minimum(chord, 1.0))).max()) * 64.0
        needed_s = max(metres / speed.tool_m_s, radians / speed.turn_rad_s, 1e-12)
        share = min(share, shortest_s / needed_s)
    return max(share, 1e-4)


def _levers(setting: ProgramArm, tool: str) -> Array:
    """Return the farthest that the tool's point can be from each joint, in the order of q, metres; 1: it slides."""
    chain = setting.placed.kinematics.chain
    after = float(np.linalg.norm((chain.T_last_flange @ setting.T_flange_tool(tool))[:3, 3]))
    levers = np.ones(chain.dof)
    for index in range(chain.dof - 1, -1, -1):
        if not chain.prismatic[index]:
            levers[chain.order[index]] = after
        after += float(np.linalg.norm(chain.T_parent_joint[index][:3, 3]))
    return levers


def write_value(value: Value, write: Callable[[Expression], str], scale: float = 1.0, digits: int = 3) -> str:
    """Return a number or an expression, times `scale`, in a vendor's words."""
    if not isinstance(value, str):
        return number(value * scale, digits)
    return write(_scaled(parse_expression(value), scale))


def _scaled(expression: Expression, scale: float) -> Expression:
    """Return an expression times a number, as people would write it."""
    if scale == 1.0:
        return expression
    match expression:
        case NumberExpression(value):
            return NumberExpression(round(value * scale, 9))
        case UnaryExpression("-", of):
            return UnaryExpression("-", _scaled(of, scale))
        case BinaryExpression("+" | "-" as word, left, right):
            return BinaryExpression(word, _scaled(left, scale), _scaled(right, scale))
        case BinaryExpression("*", NumberExpression() | UnaryExpression("-", NumberExpression()) as left, right):
            return BinaryExpression("*", _scaled(left, scale), right)
        case BinaryExpression("*", left, NumberExpression() as right):
            return BinaryExpression("*", left, _scaled(right, scale))
        case BinaryExpression("/", left, right):
            return BinaryExpression("/", _scaled(left, scale), right)
        case TruthExpression():
            return expression
        case NameExpression() | BinaryExpression() | UnaryExpression():
            return BinaryExpression("*", NumberExpression(scale), expression)
