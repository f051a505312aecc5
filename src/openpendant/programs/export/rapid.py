"""RAPID: a module for ABB's controllers.

Six-axis arms get robtargets with the confdata of the joints that were planned, in work objects. For arms of seven
axes the meaning of cfx depends on the controller's version, so points are jointtargets there, and straight moves go
to `CalcRobT` of them. A program that moves both arms of a robot is a module for the task of each.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import VendorText
from openpendant.errors import InputError
from openpendant.motion import FINE, SPEEDS, ZONES
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
from openpendant.robots.conventions import find_confdata
from openpendant.said import say
from openpendant.scene import Cell, PlacedArm, transform_of
from openpendant.spatial import inverse, quaternion_from_matrix

from .namer import Namer
from .program_writer import ProgramWriter, Statements
from .rapid_tasks import OVERRIDE, TASKS, WORDS, TaskCalls
from .source import (
    Lines,
    Source,
    Style,
    ascii_text,
    heading,
    key_of,
    late_input,
    number,
    open_sources,
    quoted,
    title_of,
    tool_of_arm,
    write_value,
)

Array = NDArray[np.float64]

RESERVED = (
    "alias and backward bynum case connect const default div do else elseif endfor endfunc endif endmodule "
    "endproc endrecord endtest endtrap endwhile error exit false for from func goto if inout label local mod "
    "module nostepin not noview or pers proc raise readonly record retry return step sysmodule task test then to "
    "trap true trynext undo var viewonly while with xor tool0 wobj0 load0 main fine offs reltool num bool string "
    "calcrobt closetool confdata dinput dionum doutput errwrite jointtarget loaddata maxtime moveabsj movec movej "
    "movel opentool orient pos pose robtarget setdo speeddata timeflag tooldata velset waitdi waittime wobj wobjdata "
    "zonedata "
) + " ".join((*SPEEDS, *ZONES))
"""Words of the language and of this export, and ABB's own data, which a name would hide."""
LONGEST = 32
LONGEST_STRING = 80
"""Characters that a string can have."""
NO_EXTERNAL = ",".join(["9E+09"] * 6)
SIX = 6


def export_rapid(
    cell: Cell, program: Program, *, programs: Mapping[str, Program] | None = None, folder: Path | str | None = None
) -> tuple[VendorText, ...]:
    """Return a program as one RAPID module for each arm that it moves; programs that it calls are procedures of it.

    Raises:
        InputError: A move cannot be executed, or a called program is for an arm of another robot.
    """
    sources = open_sources(cell, program, programs, folder, arms=TASKS)
    if len(sources) == 1:
        return (_Module(sources[0]).text(),)
    overrides = any(isinstance(s, SpeedOverride) for one in sources for p in one.all for _, s in all_steps(p))
    return tuple(_Module(one, TaskCalls(sources, one, overrides)).text() for one in sources)


class _Module(ProgramWriter):
    """Writes one module."""

    style = Style({"!=": "<>", "and": "AND", "or": "OR", "not": "NOT"}, "TRUE", "FALSE")
    statements = Statements(
        comment="!",
        wait="WaitTime {};",
        assign="{} := {};",
        call="{};",
        loop="WHILE {} DO",
        end_loop="ENDWHILE",
        condition="IF {} THEN",
        otherwise="ELSE",
        end_condition="ENDIF",
    )

    def __init__(self, source: Source, calls: TaskCalls | None = None) -> None:
        self.signals = source.ports("abb")
        """The name of each signal on the controller."""
        self.calls = calls
        """Those between several tasks; None: there is one task."""
        words = (RESERVED, *(() if calls is None else (WORDS,)), *self.signals.values())
        super().__init__(source, Namer(LONGEST, " ".join(words)))
        placed = source.setting.placed
        self.six = placed.kinematics.dof == SIX
        # For an arm of another maker nothing says which way ABB would count.
        self.confdata = find_confdata(placed.kinematics.chain) if placed.model.facts.convention == "abb" else None
        self.data: dict[str, str] = {}
        """Declarations by name, in the order in which they were needed."""
        self.tools: dict[str, str] = {}
        self.frames: dict[str, str] = {}
        self.targets: dict[tuple[object, ...], str] = {}
        self.overrides = any(isinstance(s, SpeedOverride) for p in source.all for _, s in all_steps(p))
        self.module = self.names.name(source.program.name if calls is None else calls.title, "module")
        self.override = self.names.fresh(OVERRIDE) if self.overrides else ""
        if calls is not None:
            self.override = OVERRIDE if calls.overrides else ""
        self.late = ""
        """The variable that says that an input did not come in time; empty: none is needed."""
        self.name_variables()

    def text(self) -> VendorText:
        """Return the whole module."""
        procedures = [self._procedure(program) for program in self.source.all]
        tools = self._tool_procedures()
        source, out = self.source, Lines()
        out.add(f"MODULE {self.module}")
        head = out.inside()
        for line in heading(source if self.calls is None else self.calls.sources[0]):
            head.add(f"! {line}")
        for title, names in (("Tools", self.tools), ("Work objects", self.frames)):
            if names:
                head.add()
                head.add(f"! {title}: millimetres, quaternions (w, x, y, z){', kilograms' * (title == 'Tools')}.")
                for name in names.values():
                    head.add(self.data.pop(name))
        if self.targets:
            head.add()
            for name in dict.fromkeys(self.targets.values()):
                head.add(self.data.pop(name))
        if self.data:
            head.add()
            for line in self.data.values():
                head.add(line)
        if self.calls is not None:
            head.add()
            self.calls.declare(head)
        if self.variables or self.override or self.late:
            head.add()
            for name in dict.fromkeys(self.variables.values()):
                head.add(f"VAR num {name} := 0;")
            if self.override:
                head.add(f"{'VAR' if self.calls is None else 'PERS'} num {self.override} := 100;")
            if self.late:
                head.add(f"VAR bool {self.late} := FALSE;")
        for procedure in reversed(procedures):
            head.add()
            out.text += procedure.text
        if self.calls is not None:
            self.calls.write(head, lambda name: self.names.name(name, "program"))
        out.text += tools.text
        out.add("ENDMODULE")
        placed = source.setting.placed
        task, arm = (TASKS.get(placed.arm, ""), placed.arm) if len(placed.model.arms) > 1 else ("", "")
        return VendorText("rapid", f"{self.module}.mod", ascii_text(out), task, arm)

    def _procedure(self, program: Program) -> Lines:
        main = program is self.source.program and (self.calls is None or self.calls.leads)
        out = Lines(depth=1)
        name = "main" if main else self.names.name(program.name, "program")
        out.add(f"PROC {name}()")
        inside = out.inside()
        if main and self.calls is not None:
            self.calls.begin(inside)
        for variable, value in program.variables.items():
            inside.add(f"{self.variables[program.name, variable]} := {number(value, 6)};")
        if main and self.override:
            inside.add(f"{self.override} := 100;")
        self.write_steps(inside, program, program.steps)
        if main and self.calls is not None:
            self.calls.end(inside)
        out.add("ENDPROC")
        return out

    def forget(self) -> None:
        """Nothing: every move says its speed, zone and tool."""

    def work_tool(self, out: Lines, state: Literal["open", "close"]) -> None:
        """Call the procedure that does it."""
        out.add("OpenTool;" if state == "open" else "CloseTool;")

    def set_output(self, out: Lines, signal: str, value: bool) -> None:
        """Set it by its name on the controller."""
        out.add(f"SetDO {self.signals[signal]}, {int(value)};")

    def wait_input(self, out: Lines, step: WaitInput) -> None:
        """Wait; see `_wait`."""
        self._wait(out, step.signal, step.value, step.timeout_s, late_input(step))

    def set_override(self, out: Lines, percent: float) -> None:
        """Keep it in a variable, too: every VelSet of a move contains it."""
        out.add(f"{self.override} := {number(percent, 3)};")
        out.add(f"VelSet {self.override}, 5000;")

    def count_loop(self, out: Lines, program: Program, times: int, steps: tuple[Action, ...]) -> None:
        """Count with FOR."""
        out.add(f"FOR {self.names.fresh('i')} FROM 1 TO {times} DO")
        self.write_block(out, program, steps)
        out.add("ENDFOR")

    def read_signal(self, signal: str) -> str:
        """Return a comparison: RAPID's signals are numbers."""
        kind = next(one.kind for one in self.source.cell.signals if one.name == signal)
        return f"({'DInput' if kind == 'in' else 'DOutput'}({self.signals[signal]}) = 1)"

    def move(self, out: Lines, program: Program, step: GoTo | MoveAxis) -> None:
        """Write one of the Move instructions, with VelSet around it where it has a percentage."""
        visit = self.source.visit(program, step)
        speed, zone = self._speed(step.speed), self._zone("fine" if visit.stops else step.zone)
        tool = self._tool(visit.leg.tool)
        share = parse_speed(step.speed).joint_fraction
        slow = share < 1.0
        if slow:
            # RAPID knows no percentage in speeddata; VelSet is its word for it.
            override = f"*{self.override}/100" if self.override else ""
            out.add(f"VelSet {number(100.0 * share, 3)}{override}, 5000;")
        if isinstance(step, MoveAxis):
            out.add(f"MoveAbsJ {self._jointtarget(step.q, '')}, {speed}, {zone}, {tool};")
        else:
            self._move_to(out, program, step, visit, f"{speed}, {zone}, {tool}")
        if slow:
            out.add(f"VelSet {self.override or 100}, 5000;")

    def _move_to(self, out: Lines, program: Program, step: GoTo, visit: TracedMove, how: str) -> None:
        frame = self.source.frame_of(step.to)
        wobj = f"\\WObj:={self._frame(frame)}" if frame != self.source.setting.placed.robot else ""
        if not self.six and step.how == "joint" and step.offset is None:
            out.add(f"MoveAbsJ {self._jointtarget(tuple(visit.q), title_of(step.to))}, {how}{wobj};")
            return
        # `Offs` and `RelTool` keep the configuration of their point: it is that of the place beside the point.
        there = None if step.offset is None else visit.q
        to = self._beside(program, step, self._target(step.to, visit.q, visit.leg.tool, wobj, there))
        if step.how == "arc" and step.via is not None:
            if self.source.frame_of(step.via) != frame:
                raise InputError(say("export.arc_frames", step=step.id))
            via = self._beside(program, step, self._target(step.via, visit.q, visit.leg.tool, wobj))
            out.add(f"MoveC {via}, {to}, {how}{wobj};")
        else:
            out.add(f"{'MoveJ' if step.how == 'joint' else 'MoveL'} {to}, {how}{wobj};")

    def _beside(self, program: Program, step: GoTo, target: str) -> str:
        """Return a robtarget with the offset of a step."""
        if step.offset is None:
            return target
        write = self.writer(program)
        by = ", ".join(write_value(value, write, 1000.0) for value in step.offset.by)
        return f"{'Offs' if step.offset.axes == 'frame' else 'RelTool'}({target}, {by})"

    def _target(self, target: Target, q: Array, tool: str, wobj: str, q_beside: Array | None = None) -> str:
        """Return the robtarget of a point as it is reached with joints near these.

        `q_beside`: the joints beside it, where the arm goes there instead; None: it goes to the point itself.
        """
        setting = self.source.setting
        arm = setting.placed.kinematics
        T_flange = setting.T_base(target) @ inverse(setting.T_flange_tool(tool))
        result = arm.ik(T_flange, seed=q, variants=True)
        here = np.round(q if result.nearest is None else result.nearest.q, 9) + 0.0
        if not self.six:
            return f"CalcRobT({self._jointtarget(tuple(here), title_of(target))}, {self._tool(tool)}{wobj})"
        if self.confdata is None:
            label = str(arm.describe(here))
            raise InputError(say("export.configuration", label=label))
        configuration = self.confdata(here if q_beside is None else np.round(q_beside, 9) + 0.0)
        key = (key_of(target), configuration)
        if key not in self.targets:
            pose = setting.point(target)[1]
            name = self.names.fresh(title_of(target))
            value = f"[{_pose(transform_of(pose))},[{','.join(map(str, configuration))}],[{NO_EXTERNAL}]]"
            self.data[name] = f"CONST robtarget {name} := {value};"
            self.targets[key] = name
        return self.targets[key]

    def _jointtarget(self, q: tuple[float, ...], title: str) -> str:
        degrees = [number(math.degrees(value), 5) for value in q]
        external = NO_EXTERNAL if len(q) <= SIX else ",".join([degrees[SIX], *["9E+09"] * 5])
        value = f"[[{','.join(degrees[:SIX])}],[{external}]]"
        if ("joints", value) not in self.targets:
            name = self.names.fresh(f"j_{title}" if title else "joints")
            self.data[name] = f"CONST jointtarget {name} := {value};"
            self.targets["joints", value] = name
        return self.targets["joints", value]

    def _tool(self, tool: str) -> str:
        if tool not in self.tools:
            title, T, mass, com = self.source.tool(tool)
            if title == "flange" and np.array_equal(T, np.eye(4)):
                return "tool0"
            name = self.names.name(title, "tool")
            self.data[name] = f"PERS tooldata {name} := {_tooldata(T, mass, com)};"
            self.tools[tool] = name
        return self.tools[tool]

    def _frame(self, frame: str) -> str:
        if frame not in self.frames:
            name = self.names.name(frame, "frame")
            T = self.source.T_controller_frame(frame)
            none = "[[0,0,0],[1,0,0,0]]"
            self.data[name] = f'PERS wobjdata {name} := [FALSE,TRUE,"",[{_pose(T)}],{none}];'
            self.frames[frame] = name
        return self.frames[frame]

    def _speed(self, text: str) -> str:
        if text in SPEEDS:
            return text
        speed = parse_speed(text)
        if speed.joint_fraction < 1.0 or not math.isfinite(speed.tool_m_s):
            return "vmax"
        mm_s, deg_s = 1000.0 * speed.tool_m_s, math.degrees(speed.turn_rad_s)
        name = self.names.name(f"v{number(mm_s, 3)}_{number(deg_s, 3)}", "speed")
        self.data[name] = f"CONST speeddata {name} := [{number(mm_s, 3)},{number(deg_s, 3)},5000,1000];"
        return name

    def _zone(self, text: str) -> str:
        if text in ZONES:
            return text
        zone = parse_zone(text)
        if zone == FINE:
            return "fine"
        mm, deg = 1000.0 * zone.radius_m, math.degrees(zone.turn)
        name = self.names.name(f"z{number(mm, 3)}mm", "zone")
        # As in the predefined zones: the orientation may begin to turn at one and a half times the radius.
        wide, turn = number(1.5 * mm, 3), number(deg, 3)
        value = f"[FALSE,{number(mm, 3)},{wide},{wide},{turn},{wide},{turn}]"
        self.data[name] = f"CONST zonedata {name} := {value};"
        return name

    def _wait(self, out: Lines, signal: str, value: bool, timeout_s: float | None, why: str) -> None:
        """Wait for an input; after `timeout_s` (None: never) write `why` into the event log, and end the program."""
        asked = f"WaitDI {self.signals[signal]}, {int(value)}"
        if timeout_s is None:
            out.add(f"{asked};")
            return
        self.late = self.late or self.names.fresh("late")
        out.add(f"{asked}\\MaxTime:={number(timeout_s, 3)}\\TimeFlag:={self.late};")
        out.add(f"IF {self.late} THEN")
        out.inside().add(f'ErrWrite "Program ended", {quoted(ascii_text(why)[:LONGEST_STRING])};')
        out.inside().add("EXIT;")
        out.add("ENDIF")

    def _tool_procedures(self) -> Lines:
        head = Lines(depth=1)
        for state, stroke in self.source.strokes():
            head.add()
            head.add(f"PROC {'OpenTool' if state == 'open' else 'CloseTool'}()")
            inside = head.inside()
            for name, value in stroke.outputs:
                inside.add(f"SetDO {self.signals[name]}, {int(value)};")
            for name, value in stroke.inputs:
                self._wait(inside, name, value, stroke.timeout_s, self.source.late_tool(state, name, stroke))
            if not stroke.inputs:
                inside.add(f"WaitTime {number(stroke.time_s, 3)};")
            head.add("ENDPROC")
        return head


def carried_tooldata(placed: PlacedArm) -> tuple[str, str] | None:
    """Return name and tooldata of the tool that an arm carries, as programs of it have them; None: it carries none."""
    title, T, mass, com = tool_of_arm(placed, placed.tool, placed.T_flange_tcp)
    if title == "flange" and np.array_equal(T, np.eye(4)):
        return None
    return Namer(LONGEST, RESERVED).name(title, "tool"), _tooldata(T, mass, com)


def _tooldata(T: Array, mass: float, com: tuple[float, float, float]) -> str:
    # A tool without a known mass would make the controller complain; 1 g says that it is not known.
    cog = ",".join(number(1000.0 * value, 3) for value in com)
    load = f"[{number(max(mass, 0.001), 3)},[{cog if mass else '0,0,1'}],[1,0,0,0],0,0,0]"
    return f"[TRUE,[{_pose(T)}],{load}]"


def _pose(T: Array) -> str:
    place = ",".join(number(1000.0 * float(value), 3) for value in T[:3, 3])
    turn = ",".join(number(float(value), 8) for value in quaternion_from_matrix(T[:3, :3]))
    return f"[{place}],[{turn}]"
