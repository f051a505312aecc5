"""URScript: a program for Universal Robots.

Points are poses in frames of the cell; joint moves reach them with the solution nearest to the joints that were
planned. Blend radii are cut so that two never overlap, which the controller would refuse.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import VendorText
from openpendant.dialects.urscript import catalogue
from openpendant.motion import MoveArc
from openpendant.programs.check import TracedMove
from openpendant.programs.document import (
    Action,
    GoTo,
    MoveAxis,
    Program,
    SpeedOverride,
    Target,
    WaitInput,
    all_steps,
    parse_speed,
    parse_zone,
)
from openpendant.scene import Cell, transform_of
from openpendant.spatial import (
    matrix_from_rotation_vector,
    rotation_vector_from_matrix,
    ur_from_transform,
)

from .namer import Namer
from .program_writer import ProgramWriter, Statements
from .source import (
    Lines,
    Source,
    Style,
    ascii_text,
    heading,
    key_of,
    late_input,
    number,
    open_source,
    quoted,
    speed_share,
    title_of,
    write_value,
)
from .urscript_speed import JOINT_SPEED_WORDS, write_joint_speed

Array = NDArray[np.float64]

RESERVED = (
    "and break continue def elif else end enter_critical exit_critical false for global if halt in join kill "
    "local not or return run sec sleep sync thread true while xor movej movel movec movep p q a v r t tool base "
    "open_tool close_tool"
)
"""Words of the language and of this export."""
LINE_ACCELERATION = 1.2
"""URScript's own default, m/s²."""
SHARE_OF_WAY = 0.49
"""A blend uses less than half of the shorter way beside it, so that two never meet."""
SMALLEST_BLEND_M = 0.0005
IN_FRAME = 1e-9
NO_WAY_RAD = 1e-3
"""A joint move planned over less than this is too short to derive its speed from another start."""


def export_urscript(
    cell: Cell, program: Program, *, programs: Mapping[str, Program] | None = None, folder: Path | str | None = None
) -> tuple[VendorText, ...]:
    """Return a program as one URScript file; programs that it calls are functions inside it.

    Raises:
        InputError: A move cannot be executed, or a called program is for another arm.
    """
    return (_Script(open_source(cell, program, programs, folder)).text(),)


class _Script(ProgramWriter):
    """Writes one script."""

    style = Style({"=": "=="}, "True", "False")
    statements = Statements(
        comment="#",
        wait="sleep({})",
        assign="{} = {}",
        call="{}()",
        loop="while {}:",
        end_loop="end",
        condition="if {}:",
        otherwise="else:",
        end_condition="end",
    )

    def __init__(self, source: Source) -> None:
        # A variable would hide the controller's own function of that name.
        super().__init__(source, Namer(40, " ".join((RESERVED, JOINT_SPEED_WORDS, *catalogue()))))
        steps = [step for program in source.all for _, step in all_steps(program)]
        self.other_tools = any(isinstance(step, GoTo) and step.tool for step in steps)
        self.tool: str | None = None
        """The tool whose TCP is in force in the text just written; None: not known."""
        self.override = self.names.fresh("speed") if any(isinstance(step, SpeedOverride) for step in steps) else ""
        self.name = self.names.name(source.program.name, "program")
        self.frames: dict[str, str] = {}
        self.points: dict[object, str] = {}
        self.near: dict[str, tuple[str, str]] = {}
        """By point: the name of the joints that it is first reached with, and their text."""
        self.data: list[str] = []
        self.ports = source.ports("ur")
        """The port of each signal, as `tool_out_0`."""
        self.signals = {name: self.names.name(name, "signal") for name in self.ports}
        self.name_variables()
        self.joint_speed = ""
        """The function that finds the speed of a move from where the arm stands; empty: none needs it."""
        acceleration = float(source.setting.limits.acceleration.min())
        self.a_joint, self.a_line = self.names.fresh("a_joint"), self.names.fresh("a_line")
        self.accelerations = [
            f"{self.a_joint} = {number(acceleration, 3)}  # rad/s^2",
            f"{self.a_line} = {number(LINE_ACCELERATION, 3)}  # m/s^2",
        ]

    def text(self) -> VendorText:
        """Return the whole script."""
        bodies = {program.name: self._body(program) for program in self.source.all}
        out = Lines("  ")
        for line in heading(self.source):
            out.add(f"# {line}")
        out.add(f"def {self.name}():")
        head = out.inside()
        self._tool_data(head)
        head.add()
        for line in self.accelerations:
            head.add(line)
        for name, port in self.ports.items():
            head.add(f"{self.signals[name]} = {port.rpartition('_')[2]}  # {port}")
        if self.data:
            head.add()
            head.add("# Poses p[x, y, z, rx, ry, rz] in metres and radians; joints in radians.")
            for line in self.data:
                head.add(line)
        self._tool_functions(head)
        if self.joint_speed:
            write_joint_speed(head, self.joint_speed)
        for program in self.source.programs:
            head.add()
            head.add(f"def {self.names.name(program.name, 'program')}():")
            self._paste(head.inside(), bodies[program.name])
            head.add("end")
        head.add()
        self._paste(head, bodies[self.source.program.name])
        out.add("end")
        return VendorText("urscript", f"{self.name}.script", ascii_text(out))

    def _paste(self, out: Lines, body: list[str]) -> None:
        for line in body:
            out.add(line)

    def _tool_data(self, head: Lines, tool: str = "") -> None:
        _, T, mass, com = self.source.tool(tool)
        head.add(f"set_tcp({_pose(T)})")
        if mass:
            head.add(f"set_payload({number(mass, 3)}, [{', '.join(number(value, 4) for value in com)}])")

    def _tool_functions(self, head: Lines) -> None:
        for state, stroke in self.source.strokes():
            head.add()
            head.add(f"def {state}_tool():")
            inside = head.inside()
            for name, value in stroke.outputs:
                inside.add(f"{self._setter(name)}, {value})")
            if stroke.inputs:
                waits = {
                    f"{self.read_signal(name)} != {value}": self.source.late_tool(state, name, stroke)
                    for name, value in stroke.inputs
                }
                self._wait_until(inside, waits, stroke.timeout_s)
            else:
                inside.add(f"sleep({number(stroke.time_s, 3)})")
            head.add("end")

    def _body(self, program: Program) -> list[str]:
        out = Lines("  ")
        self.tool = "" if program is self.source.program else None
        if program is self.source.program and self.override:
            out.add(f"global {self.override} = 1.0")
        for variable, value in program.variables.items():
            out.add(f"{self.variables[program.name, variable]} = {number(value, 6)}")
        self.write_steps(out, program, program.steps)
        if _does_nothing(out.text):
            out.add("sync()")
        return out.text

    def write_steps(self, out: Lines, program: Program, steps: tuple[Action, ...]) -> None:
        """Write steps one below the other; a block without a statement gives the controller its time."""
        before = len(out.text)
        super().write_steps(out, program, steps)
        if out.depth and _does_nothing(out.text[before:]):
            out.add("sync()")

    def forget(self) -> None:
        """Take no tool for known."""
        self.tool = None

    def work_tool(self, out: Lines, state: Literal["open", "close"]) -> None:
        """Call the function that does it."""
        out.add(f"{state}_tool()")

    def set_output(self, out: Lines, signal: str, value: bool) -> None:
        """Set it by its port."""
        out.add(f"{self._setter(signal)}, {value})")

    def wait_input(self, out: Lines, step: WaitInput) -> None:
        """Wait; see `_wait_until`."""
        waits = f"{self.read_signal(step.signal)} != {step.value}"
        self._wait_until(out, {waits: late_input(step)}, step.timeout_s)

    def set_override(self, out: Lines, percent: float) -> None:
        """Keep it in a variable that every speed is multiplied with."""
        out.add(f"{self.override} = {number(percent / 100.0, 4)}")

    def count_loop(self, out: Lines, program: Program, times: int, steps: tuple[Action, ...]) -> None:
        """Count in a variable: URScript has no other loop than while."""
        counter = self.names.fresh("i")
        out.add(f"{counter} = 0")
        out.add(f"while {counter} < {times}:")
        self.write_block(out, program, steps)
        out.inside().add(f"{counter} = {counter} + 1")
        out.add("end")

    def _wait_until(self, out: Lines, waits: Mapping[str, str], timeout_s: float | None) -> None:
        """Wait while one of `waits` holds; after `timeout_s` (None: never) say why of each, and halt.

        The window does not block: a program that waits for a person would still count as running. It closes with the
        program, the text stays in the log.
        """
        condition = " or ".join(waits)
        if timeout_s is None:
            out.add(f"while {condition}:")
            out.inside().add("sync()")
            out.add("end")
            return
        waited = self.names.fresh("waited")
        out.add(f"{waited} = 0.0")
        out.add(f"while {condition}:")
        inside = out.inside()
        inside.add("sync()")
        inside.add(f"{waited} = {waited} + get_steptime()")
        inside.add(f"if {waited} > {number(timeout_s, 3)}:")
        for one, late in waits.items():
            self._complain(inside.inside(), one if len(waits) > 1 else "", late)
        inside.inside().add("halt")
        inside.add("end")
        out.add("end")

    def _complain(self, out: Lines, condition: str, text: str) -> None:
        """Write a text into the log and show it, where `condition` holds; empty: always."""
        if condition:
            out.add(f"if {condition}:")
        inside = out.inside() if condition else out
        inside.add(f"textmsg({quoted(text)})")
        inside.add(f"popup({quoted(text)}, error=True, blocking=False)")
        if condition:
            out.add("end")

    def move(self, out: Lines, program: Program, step: GoTo | MoveAxis) -> None:
        """Write movej, movel or movec."""
        visit = self.source.visit(program, step)
        blend = self._blend(visit, step)
        r = f", r={number(blend, 4)}" if blend else ""
        k = f"{self.override}*" if self.override else ""
        if self.other_tools and isinstance(step, GoTo) and step.tool != self.tool:
            self._tool_data(out, step.tool)
            self.tool = step.tool
        if isinstance(step, MoveAxis) or step.how == "joint":
            to = _joints(visit.q) if isinstance(step, MoveAxis) else self._joint_target(program, step, visit)
            if np.isfinite(parse_speed(step.speed).tool_m_s) and self._starts_anywhere(program, step, visit):
                to, v = self._speed_from_here(out, step, to)
            else:
                turns = self.source.turns(program, step)
                v = number(min(self._joint_speed(turn, step) for turn in turns), 4)
            out.add(f"movej({to}, a={self.a_joint}, v={k}{v}{r})")
            return
        speed = parse_speed(step.speed)
        tool = speed.tool_m_s if np.isfinite(speed.tool_m_s) else 1.0
        v = f"{k}{number(tool * speed.joint_fraction, 4)}"
        to = self._pose_target(program, step, step.to)
        if step.how == "arc" and step.via is not None:
            mode = 1 if _keeps_to_path(self.source, visit) else 0
            via = self._pose_target(program, step, step.via)
            out.add(f"movec({via}, {to}, a={self.a_line}, v={v}{r}, mode={mode})")
        else:
            out.add(f"movel({to}, a={self.a_line}, v={v}{r})")

    def _starts_anywhere(self, program: Program, step: GoTo | MoveAxis, visit: TracedMove) -> bool:
        """Return whether only the controller knows from where a move goes: the first one, and one without a length."""
        first = self.source.visits.main[:1]
        return (
            (bool(first) and visit is first[0])
            or (program.name, step.id) not in self.source.visits.first
            or float(np.abs(visit.q - visit.q_before).max()) < NO_WAY_RAD
        )

    def _speed_from_here(self, out: Lines, step: GoTo | MoveAxis, to: str) -> tuple[str, str]:
        """Write the target of a move into a variable; return it, and its speed as the controller is to compute it."""
        self.joint_speed = self.joint_speed or self.names.fresh("joint_speed")
        target = self.names.fresh("q_target")
        out.add(f"{target} = {to}")
        speed = parse_speed(step.speed)
        most = float(self.source.setting.limits.velocity.min()) * speed.joint_fraction
        return target, f"{self.joint_speed}({target}, {number(speed.tool_m_s, 4)}, {number(most, 4)})"

    def _joint_speed(self, visit: TracedMove, step: GoTo | MoveAxis) -> float:
        """Return the speed of the leading axis (the one that goes farthest), as movej wants it, rad/s."""
        way = np.abs(visit.q - visit.q_before)
        velocity = self.source.setting.limits.velocity
        shortest_s = float((way / velocity).max())
        if shortest_s < 1e-9:
            return float(velocity.min()) * speed_share(self.source, visit, step)
        return float(way.max()) / shortest_s * speed_share(self.source, visit, step)

    def _blend(self, visit: TracedMove, step: GoTo | MoveAxis) -> float:
        """Return the blend radius, cut as the controller needs it; 0: it stops."""
        radius = parse_zone(step.zone).radius_m
        if visit.stops or radius == 0.0:
            return 0.0
        here = next((index for index, one in enumerate(self.source.visits.main) if one is visit), None)
        joints = [visit.q_before, visit.q]
        if here is not None and here + 1 < len(self.source.visits.main):
            joints.append(self.source.visits.main[here + 1].q)
        places = [self._place(q, visit.leg.tool) for q in joints]
        ways = np.linalg.norm(np.diff(np.array(places), axis=0), axis=1)
        cut = min(radius, SHARE_OF_WAY * float(ways.min()))
        return cut if cut >= SMALLEST_BLEND_M else 0.0

    def _place(self, q: Array, tool: str) -> Array:
        setting = self.source.setting
        return (setting.placed.kinematics.fk(q, check_limits=False) @ setting.T_flange_tool(tool))[:3, 3]

    def _joint_target(self, program: Program, step: GoTo, visit: TracedMove) -> str:
        name, joints = self._point(step.to), _joints(visit.q)
        if name not in self.near:
            self.near[name] = self.names.fresh(f"{name}_q"), joints
            self.data.append(f"{self.near[name][0]} = {joints}")
        title, known = self.near[name]
        near = title if known == joints else joints
        return f"get_inverse_kin({self._pose_target(program, step, step.to)}, {near})"

    def _pose_target(self, program: Program, step: GoTo, target: Target) -> str:
        name, frame = self._point(target), self.source.frame_of(target)
        place = name
        if step.offset is not None:
            by = [write_value(value, self.writer(program), 1.0, 6) for value in step.offset.by]
            moved = f"p[{', '.join(by)}, 0, 0, 0]"
            pair = (moved, name) if step.offset.axes == "frame" else (name, moved)
            place = f"pose_trans({pair[0]}, {pair[1]})"
        base = self._frame(frame)
        return place if not base else f"pose_trans({base}, {place})"

    def _point(self, target: Target) -> str:
        key = key_of(target)
        if key not in self.points:
            name = self.names.fresh(title_of(target))
            self.points[key] = name
            frame = self.source.frame_of(target)
            note = f"  # in {frame}" if self._frame(frame) else ""
            self.data.append(f"{name} = {_pose(transform_of(self.source.setting.point(target)[1]))}{note}")
        return self.points[key]

    def _frame(self, frame: str) -> str:
        """Return the name of a frame's pose; empty where it is the controller's base itself."""
        if frame not in self.frames:
            T = self.source.T_controller_frame(frame)
            if np.abs(T - np.eye(4)).max() < IN_FRAME:
                self.frames[frame] = ""
            else:
                self.frames[frame] = self.names.name(frame, "frame")
                self.data.append(f"{self.frames[frame]} = {_pose(T)}  # frame")
        return self.frames[frame]

    def read_signal(self, signal: str) -> str:
        """Return the call that reads a signal."""
        group, kind, _ = self.ports[signal].split("_")
        return f"get_{group}_digital_{kind}({self.signals[signal]})"

    def _setter(self, signal: str) -> str:
        """Return the beginning of the call that sets an output, up to its value."""
        return f"set_{self.ports[signal].split('_')[0]}_digital_out({self.signals[signal]}"


def _does_nothing(lines: list[str]) -> bool:
    """Return whether a block has no statement: as a loop it would never give the controller its time."""
    return all(line.lstrip().startswith("#") for line in lines)


def _joints(q: Array) -> str:
    return f"[{', '.join(number(float(value), 6) for value in q)}]"


def _pose(T: Array) -> str:
    return f"p[{', '.join(number(value, 6) for value in ur_from_transform(T))}]"


def _keeps_to_path(source: Source, visit: TracedMove) -> bool:
    """Return whether the tool's angle to the circle is the same at both ends, so that it can be kept all the way."""
    move = visit.leg.move
    if not isinstance(move, MoveArc):
        return False
    setting = source.setting
    T_start = setting.placed.kinematics.fk(visit.q_before, check_limits=False) @ setting.T_flange_tool(visit.leg.tool)
    a, b, c = T_start[:3, 3], move.T_via[:3, 3], move.T_end[:3, 3]
    ab, ac = b - a, c - a
    n = np.cross(ab, ac)
    middle = a + (np.cross(n, ab) * float(ac @ ac) + np.cross(ac, n) * float(ab @ ab)) / (2.0 * float(n @ n))
    u, w = a - middle, c - middle
    angle = float(np.arctan2(np.cross(u, w) @ n / np.linalg.norm(n), u @ w)) % (2.0 * np.pi)
    carried = matrix_from_rotation_vector(n / np.linalg.norm(n) * angle) @ T_start[:3, :3]
    return bool(np.linalg.norm(rotation_vector_from_matrix(carried.T @ move.T_end[:3, :3])) < 1e-3)
