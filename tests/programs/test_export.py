"""Exports: golden files, an independent exporter for RAPID, and what each vendor's controller insists on."""

import csv
import io
import math
import re
from pathlib import Path

import abb_motion_program_exec as abb
import msgspec
import numpy as np
import pytest
from exported import ABB, GOLDEN, UR, VPLUS, everything, texts
from small_cells import BENCH, HOME_Q, PICK, program

from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import Pose
from openpendant.motion import joint_limits
from openpendant.programs import (
    Call,
    GoTo,
    MoveAxis,
    Offset,
    Program,
    Repeat,
    SetVariable,
    Wait,
    While,
    check_program,
    read_programs,
)
from openpendant.programs.check.trace import TracedMove, trace_program
from openpendant.programs.export import export_csv, export_rapid, export_urscript, export_vplus, fitting_forms
from openpendant.robots import import_urdf, load
from openpendant.scene import Cell, CellRobot, CellTool, load_demo, transform_of
from openpendant.scene.demo_cells import FOLDER as DEMOS
from openpendant.spatial import quaternion_from_matrix, transform_from_ur

ABB_ASIDE = CellRobot(name="aside", model="irb120", pose=Pose(xyz=(3.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0)))
NUMBER = r"-?\d+(?:\.\d+)?(?:E\+\d+)?"


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return texts()


def golden_names() -> list[str]:
    return sorted(str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*.*"))


def test_every_golden_file_is_made(made: dict[str, str]):
    assert sorted(made) == golden_names()


@pytest.mark.parametrize("name", golden_names())
def test_exports_are_as_they_were(made: dict[str, str], name: str):
    assert made[name] == (GOLDEN / name).read_text()
    assert made[name].isascii()


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


@pytest.mark.parametrize("name", [name for name in golden_names() if name.endswith(".script")])
def test_urscript_blocks_are_closed(made: dict[str, str], name: str):
    depth = 0
    for line in made[name].splitlines():
        words = line.strip()
        if re.match(r"(def|while|if) .*:$", words) or re.match(r"def \w+\(\):$", words):
            depth += 1
        elif words == "end":
            depth -= 1
        assert depth >= 0
    assert depth == 0


def test_urscript_poses_are_in_the_controllers_base_and_blends_never_overlap():
    cell = load_demo("bench").cell
    programs = read_programs(DEMOS / "bench", cell)
    (text,) = export_urscript(cell, programs["fill_bin"])
    poses = {
        name: transform_from_ur([float(value) for value in re.findall(NUMBER, numbers)])
        for name, numbers in re.findall(r"(\w+) = p\[([^\]]*)\]", text.text)
    }
    arm = load("ur3e").arm()
    joints = dict(re.findall(r"(\w+)_q = \[([^\]]*)\]", text.text))
    tcp = transform_from_ur([0, 0, 0.1, 0, 0, 0])
    q = np.array([float(value) for value in re.findall(NUMBER, joints["start"])])
    assert arm.fk(q, base="base") @ tcp == pytest.approx(poses["bench"] @ poses["start"], abs=1e-5)
    places: list[np.ndarray] = []
    radii: list[float] = []
    targets = dict(re.findall(r"(q_target\w*) = (.*)", text.text))
    for line in re.findall(r"move[jl]\(.*\)", text.text):
        line = re.sub(r"^movej\((q_target\w*)", lambda found: f"movej({targets[found[1]]}", line)
        name = next(one for one in poses if re.search(rf"\b{one}\)", line) and one != "bench")
        moved = re.search(r"pose_trans\(p\[([^\]]*)\]", line)
        T = poses[name]
        if moved is not None:
            T = transform_from_ur([float(value) for value in re.findall(NUMBER, moved[1])]) @ T
        places.append(T[:3, 3])
        radius = re.search(r"r=([\d.]+)", line)
        radii.append(float(radius[1]) if radius else 0.0)
    ways = np.linalg.norm(np.diff(np.array(places), axis=0), axis=1)
    assert len(ways) > 10
    assert max(radii) > 0.01
    for way, before, after in zip(ways, radii[:-1], radii[1:], strict=True):
        assert before + after < way + 1e-9


ROW = Offset(by=("row * 0.02", 0.0, 0.0))
START, ARC = GoTo(id="l", to="b", how="line"), GoTo(id="arc", to="c", via="b2", how="arc")


@pytest.mark.parametrize(
    "steps",
    [
        (msgspec.structs.replace(START, offset=ROW), msgspec.structs.replace(ARC, offset=ROW)),
        (msgspec.structs.replace(START, offset=ROW), ARC),
        (ARC, GoTo(id="back", to="b", how="line", offset=Offset(by=(0.01, 0.0, 0.0)))),
    ],
    ids=["all points move", "the start moves", "the first start is another one"],
)
def test_vplus_refuses_an_arc_that_changes_from_pass_to_pass(steps: tuple[GoTo, ...]):
    loop = While(id="w", condition="row < 3", steps=(*steps, SetVariable(id="sv", name="row", value="row + 1")))
    whole = Program(name="arcs", robot="rx", variables={"row": 0.0}, steps=(GoTo(id="first", to="b", how="line"), loop))
    with pytest.raises(InputError, match=r"step arc of arcs cannot be exported: its arc is not the same"):
        export_vplus(VPLUS, whole)


def test_vplus_writes_an_arc_that_is_the_same_in_every_pass():
    same = (msgspec.structs.replace(START, offset=ROW), msgspec.structs.replace(ARC, offset=ROW))
    loop = Repeat(id="r", times=3, steps=same)
    (text,) = export_vplus(VPLUS, Program(name="arcs", robot="rx", variables={"row": 1.0}, steps=(loop,)))
    assert text.text.count("; arc to c") == 1
    assert text.text.count("MOVES TRANS(") > 3


@pytest.mark.parametrize("name", [name for name in golden_names() if name.endswith(".pg")])
def test_vplus_blocks_are_closed_and_names_are_short(made: dict[str, str], name: str):
    depth = 0
    for line in made[name].splitlines():
        words = line.strip().split(";")[0].strip()
        depth += bool(re.match(r"(FOR|WHILE|IF)\b", words)) - (words == "END")
        assert depth >= 0
    assert depth == 0
    assert all(len(one) <= 15 for one in re.findall(r"SET #?([\w.]+) =", made[name]))


def test_the_csv_is_the_timed_path_that_was_checked():
    (file,) = export_csv(BENCH, PICK, dt_s=0.002)
    rows = list(csv.DictReader(io.StringIO(file.text)))
    report = check_program(BENCH, PICK, collisions=False)
    assert float(rows[-1]["t_s"]) == pytest.approx(report.duration_s, abs=1e-4)
    Q = np.array([[float(row[f"q{axis}"]) for axis in range(1, 7)] for row in rows])
    t = np.array([float(row["t_s"]) for row in rows])
    limits = joint_limits(load("irb120"))
    steps = np.diff(t) > 1e-5
    speeds = np.abs(np.diff(Q, axis=0))[steps] / np.diff(t)[steps, None]
    assert (speeds <= limits.velocity * 1.001).all()
    assert Q[-1] == pytest.approx(HOME_Q, abs=1e-6)
    arm = load("irb120").arm()
    T = transform_of(BENCH.robots[0].pose) @ arm.fk(Q[40], frame="tcp")
    assert [float(rows[40][name]) for name in ("x_m", "y_m", "z_m")] == pytest.approx(T[:3, 3], abs=1e-6)


def test_what_cannot_be_exported_says_why():
    with pytest.raises(InputError, match="cannot be executed: step 1 fails"):
        export_rapid(BENCH, program(GoTo(to="far")))
    two = load_demo("two_arms").cell
    both = msgspec.structs.replace(two, robots=(*two.robots, ABB_ASIDE))
    beside = Program(name="beside", robot="aside", steps=(MoveAxis(id="a", q=(0.0,) * 6),))
    calls = Program(name="calls", robot="aside", steps=(Call(id="a", program="place_peg"),))
    programs = {**read_programs(DEMOS / "two_arms", two), "beside": beside}
    for one in (calls, Program(name="calls", robot="yumi", arm="left", steps=(Call(id="a", program="beside"),))):
        with pytest.raises(InputError, match="export each program by itself"):
            export_rapid(both, one, programs=programs)
    whole, other = everything("ur", (0.0, -1.4, 1.6, -1.7, -1.57, 0.0))
    with pytest.raises(InputError, match="RAPID needs a configuration"):
        export_rapid(UR, whole, programs={"other": other})
    with pytest.raises(InputError, match="positive number"):
        export_csv(BENCH, PICK, dt_s=0.0)


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


def test_a_called_program_is_written_once():
    known = {"other": program(Wait(seconds=1.0), name="other")}
    (text,) = export_vplus(ABB, program(Call(program="other"), Call(program="other")), programs=known)
    assert text.text.count(".PROGRAM other()") == 1
    assert text.text.count("CALL other()") == 2


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


@pytest.mark.parametrize(
    ("model", "forms"),
    [
        ("irb120", ("rapid", "csv")),
        ("yumi", ("rapid", "csv")),
        ("ur3e", ("urscript", "csv")),
        ("rx90l", ("vplus", "replay", "csv")),
        ("robomap", ("csv",)),
    ],
)
def test_forms_are_those_of_the_robot(model: str, forms: tuple[str, ...]):
    cell = Cell(name="one", robots=(CellRobot(name="it", model=model),))
    assert fitting_forms(cell, Program(name="p", robot="it")) == forms
    with pytest.raises(UnknownNameError, match="nobody"):
        fitting_forms(cell, Program(name="p", robot="nobody"))


def test_an_arm_of_an_unknown_maker_may_be_any_with_six_joints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path))
    for joints, forms in ((6, ("csv", "urscript", "vplus", "replay")), (3, ("csv",))):
        name = f"arm{joints}"
        (tmp_path / f"{name}.urdf").write_text(chain_urdf(name, joints))
        import_urdf(tmp_path / f"{name}.urdf")
        cell = Cell(name="one", robots=(CellRobot(name="it", model=name),))
        assert fitting_forms(cell, Program(name="p", robot="it")) == forms


def chain_urdf(name: str, joints: int) -> str:
    """Return an arm whose joints turn about z and y in turn, a link of 100 mm between."""
    links = "".join(f'<link name="l{i}"/>' for i in range(joints + 1))
    edges = "".join(
        f'<joint name="j{i}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<origin xyz="0 0 0.1"/><axis xyz="{"0 0 1" if i % 2 == 0 else "0 1 0"}"/>'
        '<limit lower="-3" upper="3" velocity="1" effort="1"/></joint>'
        for i in range(joints)
    )
    return f'<robot name="{name}">{links}{edges}</robot>'
