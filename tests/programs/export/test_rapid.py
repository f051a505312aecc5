"""RAPID: an independent exporter, and what ABB's controllers insist on."""

import math
import re

import abb_motion_program_exec as abb
import msgspec
import numpy as np
import pytest
from exported import ABB, UR, VPLUS
from small_cells import BENCH, PICK

from openpendant.messages import Pose
from openpendant.programs import (
    GoTo,
    MoveAxis,
    Offset,
    Program,
    Repeat,
    read_programs,
)
from openpendant.programs.check.trace import TracedMove, trace_program
from openpendant.programs.export import export_rapid, export_urscript, export_vplus
from openpendant.scene import CellTool, load_demo, transform_of
from openpendant.scene.demo_cells import FOLDER as DEMOS
from openpendant.spatial import quaternion_from_matrix

NUMBER = r"-?\d+(?:\.\d+)?(?:E\+\d+)?"


def independent_confdata(q: np.ndarray) -> tuple[int, int, int, int]:
    """Return confdata of an IRB 120 from its dimensions alone (290, 270, 70, 302 mm)."""
    cf1, cf4, cf6 = (math.floor(round(float(q[axis]), 9) / (math.pi / 2)) for axis in (0, 3, 5))
    # The wrist centre in the plane of the arm, from the axis of joint 2.
    upper, lower = float(q[1]), float(q[1] + q[2])
    x = 0.270 * math.sin(upper) + 0.070 * math.sin(lower) + 0.302 * math.cos(lower)
    z = 0.270 * math.cos(upper) + 0.070 * math.cos(lower) - 0.302 * math.sin(lower)
    before_arm = x * math.cos(upper) - z * math.sin(upper)
    return cf1, cf4, cf6, 4 * (x < 0.0) + 2 * (before_arm < 0.0) + (q[4] < 0.0)


def independent_target(visit: TracedMove) -> abb.robtarget:
    setting = visit.leg.leaf
    assert isinstance(setting.step, GoTo)
    point = next(one for one in BENCH.points if one.name == setting.step.to)
    T = transform_of(point.pose)
    place = [1000.0 * float(value) for value in T[:3, 3]]
    return abb.robtarget(
        place, quaternion_from_matrix(T[:3, :3]), abb.confdata(*independent_confdata(visit.q)), [9e9] * 6
    )


def test_rapid_agrees_with_an_independent_exporter():
    visits = trace_program(BENCH, PICK).main
    theirs = abb.MotionProgram()
    for visit in visits:
        step = visit.leg.leaf.step
        zone = getattr(abb, "fine" if visit.stops else step.zone)
        if isinstance(step, MoveAxis):
            theirs.MoveAbsJ(abb.jointtarget(np.degrees(step.q), [9e9] * 6), abb.vmax, zone)
        else:
            move = theirs.MoveJ if step.how == "joint" else theirs.MoveL
            move(independent_target(visit), getattr(abb, step.speed), zone)
    expected = [line.strip() for line in theirs.get_program_rapid().splitlines() if line.strip().startswith("Move")]
    (ours,) = export_rapid(BENCH, PICK)
    data = dict(re.findall(r"CONST (?:robtarget|jointtarget) (\w+) := (.*);", ours.text))
    moves = re.findall(r"(Move\w+) (\w+), (\w+), (\w+), gripper", ours.text)
    assert len(moves) == len(expected) == len(visits)
    for (kind, target, speed, zone), line in zip(moves, expected, strict=True):
        theirs_kind, rest = line.split(" ", 1)
        wanted = [float(value) for value in re.findall(NUMBER, rest.replace("TRUE", "1").replace("FALSE", "0"))]
        given = [float(value) for value in re.findall(NUMBER, data[target])]
        given += [float(value) for value in getattr(abb, speed)]
        given += [float(value) for value in getattr(abb, zone)]
        assert kind == theirs_kind
        assert given == pytest.approx(wanted[: len(given)], abs=1e-3)


def test_rapid_names_tool_load_and_work_objects():
    (text,) = export_rapid(BENCH, PICK)
    assert "PERS tooldata gripper := [TRUE,[[0,0,125],[1,0,0,0]],[0.56,[0,0,41],[1,0,0,0],0,0,0]];" in text.text
    assert 'PERS wobjdata tray := [FALSE,TRUE,"",[[350,-100,0],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];' in text.text
    names = re.findall(r"(?:CONST|PERS|VAR) \w+ (\w+)", text.text)
    assert len({name.lower() for name in names}) == len(names)
    assert all(len(name) <= 32 for name in names)


@pytest.mark.parametrize(("axes", "word"), [("frame", "Offs"), ("tool", "RelTool")])
def test_rapid_moves_both_points_of_an_arc_by_its_offset(axes: str, word: str):
    beside = Offset(by=("row * 0.01", -0.005, 0.02), axes=axes)  # type: ignore[arg-type]
    steps = (GoTo(id="l", to="b", how="line"), GoTo(id="arc", to="c", via="b2", how="arc", offset=beside))
    (text,) = export_rapid(ABB, Program(name="arc", robot="abb", variables={"row": 1.0}, steps=steps))
    assert f"MoveC {word}(b2, row * 10, -5, 20), {word}(c, row * 10, -5, 20), v200, fine" in text.text


def test_a_program_of_both_arms_is_a_module_for_each_task():
    two = load_demo("two_arms").cell
    programs = read_programs(DEMOS / "two_arms", two)
    lead, follower = export_rapid(two, programs["assemble"], programs=programs)
    assert [(one.name, one.task, one.arm) for one in (lead, follower)] == [
        ("assemble.mod", "T_ROB_R", "right"),
        ("assemble_left.mod", "T_ROB_L", "left"),
    ]
    # Of one arm alone it is the task of that arm.
    (alone,) = export_rapid(two, programs["place_peg"], programs=programs)
    assert (alone.task, alone.arm) == ("T_ROB_L", "left")


TIP = CellTool(name="tip", tcp=Pose(xyz=(0.0, 0.02, 0.1), wxyz=(1.0, 0.0, 0.0, 0.0)), mass_kg=0.3)
TOOLS = (
    GoTo(id="t1", to="a", how="line"),
    GoTo(id="t2", to="b", how="line", tool="tip"),
    GoTo(id="t3", to="a", tool="tip"),
    Repeat(id="t4", times=2, steps=(GoTo(id="t5", to="c", how="line"), GoTo(id="t6", to="a", how="line", tool="tip"))),
    GoTo(id="t7", to="c", how="line"),
)


def tools_in_force(text: str, tool: str, move: str) -> list[str]:
    """Return for every move of a text which tool was told last before it; blocks are read once."""
    found, now = [], ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith(tool):
            now = "tip" if "0.02" in line or "20, 100" in line else "own"
        elif re.match(move, line):
            found.append(now)
        elif re.match(r"while|FOR|END|end", line):
            now = ""
    return found


@pytest.mark.parametrize(
    ("cell", "form", "tool", "move"),
    [
        (UR, export_urscript, "set_tcp", r"move[jl]"),
        (VPLUS, export_vplus, "TOOL", r"MOVES? "),
    ],
)
def test_another_tool_is_told_before_the_moves_that_need_it(cell, form, tool, move):
    cell = msgspec.structs.replace(cell, tools=(*cell.tools, TIP))
    (made,) = form(cell, Program(name="tools", robot=cell.robots[0].name, steps=TOOLS))
    assert tools_in_force(made.text, tool, move) == ["own", "tip", "tip", "own", "tip", "own"]
