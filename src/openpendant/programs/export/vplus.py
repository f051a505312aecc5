"""V+: programs for Stäubli's and Adept's controllers.

MOVE goes by joints to precision points, MOVES in straight lines to locations; BREAK stands only where the arm stops.
Locations are in the controller's world, which for the RX90 is at the height of its shoulder.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import VendorText
from openpendant.errors import InputError
from openpendant.programs.check import TracedMove
from openpendant.programs.document import (
    Action,
    GoTo,
    MoveAxis,
    Program,
    Target,
    WaitInput,
    all_steps,
    parse_speed,
)
from openpendant.said import say
from openpendant.scene import Cell, transform_of

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
    least_speed_share,
    number,
    open_source,
    quoted,
    title_of,
    write_value,
)
from .waypoints import arc_points, ppoint, trans

Array = NDArray[np.float64]

RESERVED = (
    "abort above always and appro approach auto below break by call case close closei cp decompose delay depart "
    "do else end enable execute fine flip for frame here if interrupt invert last lefty local mmps move moves "
    "noflip not null off on open openi or parameter pi program ready real return righty set shift sig signal "
    "speed step stop then to tool trans true type until value wait while xor encode false halt monitor ppoint timer"
)
LONGEST = 15
"""The largest number of characters of a name in V+."""


def export_vplus(
    cell: Cell, program: Program, *, programs: Mapping[str, Program] | None = None, folder: Path | str | None = None
) -> tuple[VendorText, ...]:
    """Return a program as one `.pg` file; programs that it calls are in it too.

    Raises:
        InputError: A move cannot be executed, a called program is for another arm, or an arc changes from turn to turn.
    """
    return (_File(open_source(cell, program, programs, folder)).text(),)


class _File(ProgramWriter):
    """Writes one file."""

    style = Style({"=": "==", "!=": "<>", "and": "AND", "or": "OR", "not": "NOT"}, "TRUE", "FALSE")
    statements = Statements(
        comment=";",
        wait="DELAY {}",
        assign="{} = {}",
        call="CALL {}()",
        loop="WHILE {} DO",
        end_loop="END",
        condition="IF {} THEN",
        otherwise="ELSE",
        end_condition="END",
    )

    def __init__(self, source: Source) -> None:
        super().__init__(source, Namer(LONGEST, RESERVED, "."))
        self.points: dict[object, str] = {}
        self.joints: dict[str, str] = {}
        self.data: list[str] = []
        self.speed = ""
        """The SPEED that is in force in the text just written; empty: not known."""
        self.other_tools = any(isinstance(s, GoTo) and s.tool for p in source.all for _, s in all_steps(p))
        self.tool: str | None = None
        """The tool that is in force in the text just written; None: not known."""
        self.signals = source.ports("vplus", own_tool=True)
        """The number of each signal."""
        self.name_variables()

    def text(self) -> VendorText:
        """Return the whole file."""
        main = self.names.name(self.source.program.name, "program")
        bodies = [(program, self._body(program)) for program in self.source.all]
        out = Lines("    ")
        for program, body in reversed(bodies):
            name = self.names.name(program.name, "program")
            out.add(f".PROGRAM {name}()")
            inside = out.inside()
            if program is self.source.program:
                for line in heading(self.source):
                    inside.add(f"; {line}")
                self._signal_list(inside)
                inside.add()
                self._write_tool(inside, "")
                inside.add("; Locations: X Y Z in mm, y p r in degrees. Precision points: joints in degrees.")
                for line in self.data:
                    inside.add(line)
                inside.add()
            for line in body:
                inside.add(line)
            out.add(".END")
        return VendorText("vplus", f"{main}.pg", ascii_text(out))

    def _signal_list(self, out: Lines) -> None:
        for name, channel in self.signals.items():
            out.add(f"; signal {channel}: {name}")

    def _body(self, program: Program) -> list[str]:
        out = Lines("    ")
        self.speed = ""
        self.tool = "" if program is self.source.program else None
        for variable, value in program.variables.items():
            out.add(f"{self.variables[program.name, variable]} = {number(value, 6)}")
        self.write_steps(out, program, program.steps)
        return out.text

    def forget(self) -> None:
        """Take neither speed nor tool for known."""
        self.speed, self.tool = "", None

    def work_tool(self, out: Lines, state: Literal["open", "close"]) -> None:
        """Open or close the tool: by its outputs, or by the controller's own hand where it is not wired."""
        stroke = self.source.stroke(state)
        if stroke is None:
            out.add("OPENI" if state == "open" else "CLOSEI")
            return
        out.add("BREAK")
        out.add(f"SIGNAL {', '.join(self._number(*one) for one in stroke.outputs)}")
        if stroke.inputs:
            asked = {self._number(*one): self.source.late_tool(state, one[0], stroke) for one in stroke.inputs}
            self._wait(out, asked, stroke.timeout_s)
        else:
            out.add(f"DELAY {number(stroke.time_s, 3)}")

    def _number(self, signal: str, value: bool) -> str:
        return f"{'' if value else '-'}{self.signals[signal]}"

    def set_output(self, out: Lines, signal: str, value: bool) -> None:
        """Set it by its number, with a minus to switch it off."""
        out.add(f"SIGNAL {self._number(signal, value)}")

    def wait_input(self, out: Lines, step: WaitInput) -> None:
        """Wait; see `_wait`."""
        self._wait(out, {self._number(step.signal, step.value): late_input(step)}, step.timeout_s)

    def _wait(self, out: Lines, asked: Mapping[str, str], timeout_s: float | None) -> None:
        """Wait until all signals `asked` are on; after `timeout_s` (None: never) say why of each, and halt."""
        signals = f"SIG({', '.join(asked)})"
        if timeout_s is None:
            out.add(f"WAIT {signals}")
            return
        out.add("TIMER 1 = 0")
        out.add(f"WAIT {signals} OR (TIMER(1) > {number(timeout_s, 3)})")
        out.add(f"IF NOT {signals} THEN")
        inside = out.inside()
        for one, late in asked.items():
            if len(asked) == 1:
                inside.add(f"TYPE {quoted(late)}")
            else:
                inside.add(f"IF NOT SIG({one}) THEN")
                inside.inside().add(f"TYPE {quoted(late)}")
                inside.add("END")
        inside.add("HALT")
        out.add("END")

    def set_override(self, out: Lines, percent: float) -> None:
        """Set the monitor speed, which every SPEED of a program is a share of."""
        out.add(f"SPEED {number(percent, 3)} MONITOR")

    def count_loop(self, out: Lines, program: Program, times: int, steps: tuple[Action, ...]) -> None:
        """Count with FOR."""
        out.add(f"FOR {self.names.fresh('i')} = 1 TO {times}")
        self.write_block(out, program, steps)
        out.add("END")

    def read_signal(self, signal: str) -> str:
        """Return whether it is on."""
        return f"SIG({self.signals[signal]})"

    def move(self, out: Lines, program: Program, step: GoTo | MoveAxis) -> None:
        """Write MOVE or MOVES, and BREAK where the arm stops."""
        visit = self.source.visit(program, step)
        if self.other_tools and isinstance(step, GoTo) and step.tool != self.tool:
            self._write_tool(out, step.tool)
        if isinstance(step, MoveAxis):
            self._write_speed(out, f"{number(100.0 * least_speed_share(self.source, program, step), 2)} ALWAYS")
            out.add(f"MOVE {self._precision_point(visit.q, 'joints')}")
        elif step.how == "joint":
            self._write_speed(out, f"{number(100.0 * least_speed_share(self.source, program, step), 2)} ALWAYS")
            if step.offset is None:
                out.add(f"MOVE {self._precision_point(visit.q, title_of(step.to))}")
            else:
                for word in self.source.setting.placed.kinematics.describe(visit.q).split():
                    out.add(word)
                out.add(f"MOVE {self._location(program, step, step.to)}")
        else:
            self._straight(out, program, step, visit)
        if visit.stops:
            out.add("BREAK")

    def _straight(self, out: Lines, program: Program, step: GoTo, visit: TracedMove) -> None:
        speed = parse_speed(step.speed)
        if math.isfinite(speed.tool_m_s):
            self._write_speed(out, f"{number(1000.0 * speed.tool_m_s, 3)} MMPS ALWAYS")
        else:
            self._write_speed(out, f"{number(100.0 * speed.joint_fraction, 2)} ALWAYS")
        if step.how == "arc":
            if (program.name, step.id) in self.source.visits.changing_arcs:
                raise InputError(say("export.arc_changes", step=step.id, program=program.name))
            # V+ knows no circles: straight moves between points that are dense enough.
            out.add(f"; arc to {title_of(step.to)}")
            T_controller_base = self.source.T_controller_base()
            for T in arc_points(self.source, visit)[:-1]:
                out.add(f"MOVES {trans(T_controller_base @ T)}")
        out.add(f"MOVES {self._location(program, step, step.to)}")

    def _write_tool(self, out: Lines, tool: str) -> None:
        title, T, _, _ = self.source.tool(tool)
        out.add(f"TOOL {trans(T)}    ; {title}")
        self.tool = tool

    def _write_speed(self, out: Lines, speed: str) -> None:
        if speed != self.speed:
            out.add(f"SPEED {speed}")
            self.speed = speed

    def _precision_point(self, q: Array, title: str) -> str:
        value = ppoint(q)
        if value not in self.joints:
            name = f"#{self.names.fresh(title)}"
            self.joints[value] = name
            self.data.append(f"SET {name} = {value}")
        return self.joints[value]

    def _location(self, program: Program, step: GoTo, target: Target) -> str:
        key = key_of(target)
        if key not in self.points:
            self.points[key] = self.names.fresh(title_of(target))
            frame, pose, _ = self.source.setting.point(target)
            T = self.source.T_controller_frame(frame) @ transform_of(pose)
            self.data.append(f"SET {self.points[key]} = {trans(T)}")
        name = self.points[key]
        if step.offset is None:
            return name
        write = self.writer(program)
        x, y, z = (write_value(value, write, 1000.0) for value in step.offset.by)
        if step.offset.axes == "tool":
            return f"{name}:TRANS({x}, {y}, {z})"
        R = self.source.T_controller_frame(self.source.frame_of(target))[:3, :3]
        if np.abs(R - np.eye(3)).max() < 1e-9:
            return f"SHIFT({name} BY {x}, {y}, {z})"
        by = [_sum([(float(R[row, column]), text) for column, text in enumerate((x, y, z))]) for row in range(3)]
        return f"SHIFT({name} BY {', '.join(by)})"


def _sum(parts: list[tuple[float, str]]) -> str:
    """Return factors times texts, added up, without what is zero."""
    terms = [
        text if abs(factor - 1.0) < 1e-9 else f"{number(factor, 6)}*({text})"
        for factor, text in parts
        if abs(factor) > 1e-9 and text != "0"
    ]
    return " + ".join(terms) or "0"
