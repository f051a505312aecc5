"""Picks and places: the plain steps that they mean, in the check, in a run and in every export."""

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from abb_twin import check, controller_of, farthest_m, run_texts
from small_cells import BENCH, HOME_Q, at, bench_world, program, spot

from openpendant.documents import DocumentFault
from openpendant.errors import CellFileError
from openpendant.programs import (
    Action,
    GoTo,
    Group,
    InsertStep,
    MoveAxis,
    Offset,
    PickPart,
    PlacePart,
    Program,
    ReplaceStep,
    Report,
    Runner,
    SetVariable,
    Tool,
    While,
    all_steps,
    check_program,
    decode_program,
    edit_program,
    encode_program,
    find_program_fault,
    make_kinematic_robots,
    references_of,
    rename_references,
    simulate_program,
)
from openpendant.programs.check import trace_program
from openpendant.programs.document import plain_steps
from openpendant.programs.export import export_csv, export_rapid, export_replay, export_urscript, export_vplus
from openpendant.robots import load
from openpendant.scene import BoxShape, Cell, CellObject, CellRobot, CellTool, Scene, ToolPart, transform_of

PICK = PickPart(id="pick", part="cube")
PLACE = PlacePart(id="place", part="cube", offset=Offset(by=(0.0, -0.15, 0.0)))
BOTH = program(MoveAxis(q=HOME_Q), PICK, PLACE, MoveAxis(q=HOME_Q), name="both")


def look(what: Program, cell: Cell = BENCH) -> Report:
    return check_program(cell, what, world=bench_world() if cell is BENCH else None)


def why(what: Program, cell: Cell = BENCH) -> str:
    report = look(what, cell)
    assert not report.clear
    return report.summary


def expanded(what: Program, report: Report) -> Program:
    """Return the program with the plain steps in the place of its picks and places, by one edit each."""
    for step in report.steps:
        if step.plain:
            bare = tuple(msgspec.structs.replace(one, id="") for one in step.plain)
            done = edit_program(what, ReplaceStep(id=step.id, action=Group(title="", steps=bare)))
            assert edit_program(done.program, done.inverse).program == what
            what = done.program
    return what


def test_a_part_is_picked_and_placed_without_a_point_being_taught():
    report = look(BOTH)
    assert report.clear, report.summary
    assert [step.verdict for step in report.steps] == ["clear"] * 4
    assert [step.visits for step in report.steps] == [1] * 4
    runner = Runner(BENCH, BOTH, make_kinematic_robots(bench_world().scene), world=bench_world())
    assert runner.run_to_end() == "done", runner.message
    told = [event.message for event in runner.events if event.kind == "tool" and event.step in ("pick", "place")]
    assert told == ["the tool of abb/arm is open already", "grasped cube", "let go of cube"]
    T = Scene(BENCH).T_world("cube")
    T[1, 3] -= 0.15
    assert runner.props.pose("cube")[:3, 3] == pytest.approx(T[:3, 3], abs=2e-3)
    assert report.duration_s == pytest.approx(runner.time_s, abs=0.1)
    assert {event.step for event in runner.events if event.step} == {"t1", "pick", "place", "t4"}


def test_the_simulation_takes_the_part_along():
    made = simulate_program(BENCH, BOTH, world=bench_world())
    assert made.status == "done"
    heights = made.parts["cube"][:, 2, 3]
    assert heights.max() == pytest.approx(heights[0] + 0.1, abs=0.012)
    assert {one.step for one in made.steps} == {"t1", "pick", "place", "t4"}


@pytest.mark.parametrize("along", ["tool", "+z", "-x"])
def test_the_tool_comes_and_leaves_straight(along: str):
    pick = msgspec.structs.replace(PICK, along=along, approach_m=0.08, retreat_m=0.05, zone="fine")
    trace = trace_program(BENCH, program(MoveAxis(q=HOME_Q), pick))
    ends = {}
    for stretch in trace.stretches:
        arm = stretch.chain.setting.placed
        path = (arm.kinematics.fk(stretch.trajectory.sample(0.004).q) @ arm.T_flange_tcp)[:, :3, 3]
        ends[stretch.chain.legs[0].leaf.step.id] = path
    back = {"tool": (0, 0, 1), "+z": (0, 0, 1), "-x": (-1, 0, 0)}[along]
    grasp = np.array([0.35, 0.1, 0.015])
    for name, length in (("pick.grasp", 0.08), ("pick.retreat", 0.05)):
        path = ends[name]
        away = (path - grasp) @ back
        assert np.linalg.norm(path - grasp - np.outer(away, back), axis=1).max() < 1e-4
        assert away.max() == pytest.approx(length, abs=1e-4)
        assert away.min() == pytest.approx(0.0, abs=1e-4)


def test_the_check_says_what_is_wrong_with_a_grip():
    beside = msgspec.structs.replace(PICK, offset=Offset(by=(0.0, 0.2, 0.0)))
    assert "the tool does not grip cube: it closes on nothing" in why(program(beside))
    assert "the fingers hold the part 30.0 mm apart, not 20.0 mm" in why(
        program(msgspec.structs.replace(PICK, opening_m=0.02))
    )
    assert look(program(msgspec.structs.replace(PICK, opening_m=0.03))).clear
    assert "the tool does not hold cube" in why(program(PLACE))
    assert "the tool still holds cube" in why(program(PICK, msgspec.structs.replace(PICK, id="again")))
    other = CellObject(
        name="other",
        shape=BoxShape(size=(0.03, 0.03, 0.03)),
        pose=at(0.35, -0.1, 0.015),
        frame="abb",
        graspable=True,
    )
    cell = msgspec.structs.replace(BENCH, objects=(*BENCH.objects, other))
    assert "the tool grips other, not cube" in why(
        program(msgspec.structs.replace(PICK, at=spot(0.35, -0.1, 0.015))), cell
    )


def test_a_run_ends_where_the_part_is_not_there():
    pick = msgspec.structs.replace(PICK, opening_m=0.02)
    runner = Runner(BENCH, program(pick), make_kinematic_robots(bench_world().scene), world=bench_world())
    assert runner.run_to_end() == "failed"
    assert "30.0 mm apart, not 20.0 mm" in runner.message


def test_only_the_part_that_is_gripped_may_be_touched():
    wall = CellObject(
        name="wall", shape=BoxShape(size=(0.002, 0.06, 0.06)), pose=at(0.35, 0.135, 0.03), frame="abb", graspable=True
    )
    wide = msgspec.structs.replace(wall, shape=BoxShape(size=(0.06, 0.002, 0.06)))
    for thing in (wall, wide):
        cell = msgspec.structs.replace(BENCH, objects=(*BENCH.objects, thing))
        assert "gripper_finger" in why(program(msgspec.structs.replace(PICK, at=spot(0.35, 0.1, 0.015))), cell)
    # Pressed from above: the palm is more than a millimetre deep in a part that is too tall for the fingers.
    tall = msgspec.structs.replace(
        BENCH.objects[1], shape=BoxShape(size=(0.03, 0.03, 0.2)), pose=at(0.35, 0.1, 0.1), name="cube"
    )
    cell = msgspec.structs.replace(BENCH, objects=(BENCH.objects[0], tall))
    assert "touches cube" in why(program(msgspec.structs.replace(PICK, at=spot(0.35, 0.1, 0.02))), cell)


CUP = msgspec.structs.replace(
    BENCH,
    tools=(
        CellTool(
            name="cup",
            tcp=at(0.0, 0.0, 0.08),
            parts=(ToolPart(shape=BoxShape(size=(0.02, 0.02, 0.08)), pose=at(0.0, 0.0, 0.04)),),
        ),
    ),
    robots=(CellRobot(name="abb", model="irb120", pose=at(0.0, 0.0, 0.4), tools={"arm": "cup"}),),
)


def test_a_cup_touches_what_it_picks_and_what_it_has_placed():
    report = look(BOTH, CUP)
    assert report.clear, report.summary
    deep = msgspec.structs.replace(PICK, offset=Offset(by=(0.0, 0.0, -0.0015)))
    assert "abb/cup touches cube" in why(program(deep), CUP)
    assert look(program(msgspec.structs.replace(PICK, offset=Offset(by=(0.0, 0.0, -0.0008)))), CUP).clear


def test_the_same_plain_steps_are_taken_when_a_pick_is_expanded():
    report = look(BOTH)
    plain = expanded(BOTH, report)
    ids = [step.id for _, step in all_steps(plain)]
    assert len(ids) == len(set(ids)) == 4 + 5 + 4
    assert find_program_fault(plain, BENCH) is None
    one, other = trace_program(BENCH, BOTH), trace_program(BENCH, plain)
    assert [move.q.tolist() for move in one.main] == [move.q.tolist() for move in other.main]
    assert decode_program(encode_program(plain)) == plain


def unnamed(text: str) -> list[str]:
    """Return an export without comments and titles."""
    return [line for line in text.splitlines() if not re.match(r"\s*[!#;]", line)]


UR = Cell(
    name="ur",
    robots=(CellRobot(name="ur", model="ur3e", tools={"arm": "cup"}),),
    tools=(msgspec.structs.replace(CUP.tools[0], name="cup"),),
    objects=(
        CellObject(
            name="cube", shape=BoxShape(size=(0.03, 0.03, 0.03)), pose=at(0.3, 0.0, 0.1), frame="ur", graspable=True
        ),
    ),
)


@pytest.mark.parametrize(
    "offset", [None, Offset(by=("row * 0.01", 0.0, 0.0)), Offset(by=(0.0, 0.01, 0.0), axes="tool")]
)
def test_every_form_is_that_of_the_plain_steps(offset: Offset | None):
    steps: tuple[Action, ...] = (
        While(
            id="loop",
            condition="row < 3",
            steps=(
                msgspec.structs.replace(PICK, offset=offset),
                msgspec.structs.replace(PLACE, along="+z"),
                SetVariable(id="count", name="row", value="row + 1"),
            ),
        ),
    )
    for export, cell, robot in (
        (export_rapid, BENCH, "abb"),
        (export_urscript, WIRED_UR, "ur"),
        (export_vplus, V_PLUS, "rx"),
        (export_replay, V_PLUS, "rx"),
        (export_csv, BENCH, "abb"),
    ):
        whole = Program(name="p", robot=robot, variables={"row": 0.0}, steps=steps)
        plain = expanded(whole, check_program(cell, whole, collisions=False))
        made, meant = (export(cell, one) for one in (whole, plain))
        for one, other in zip(made, meant, strict=True):
            assert _without_ids(unnamed(one.text)) == _without_ids(unnamed(other.text)), robot
            assert len(unnamed(one.text)) > 5


def _without_ids(lines: list[str]) -> list[str]:
    return [re.sub(r",(pick\.\w+|place\.\w+|s\d+),", ",,", line) for line in lines]


WIRED_UR = msgspec.structs.replace(
    UR,
    signals=(msgspec.structs.replace(BENCH.signals[3], robot="ur", port="tool_out_0"),),
    tools=(msgspec.structs.replace(UR.tools[0], open=BENCH.tools[0].open, close=BENCH.tools[0].close),),
)
V_PLUS = Cell(
    name="v",
    robots=(CellRobot(name="rx", model="rx90l"),),
    objects=(
        CellObject(
            name="cube", shape=BoxShape(size=(0.03, 0.03, 0.03)), pose=at(0.6, 0.0, 0.6), frame="rx", graspable=True
        ),
    ),
)


def test_a_controller_makes_the_pick_that_was_checked(tmp_path: Path):
    brain = controller_of(BENCH, "abb", tmp_path)
    ridden = run_texts(brain, export_rapid(BENCH, BOTH))
    checked = check(BENCH, BOTH, {}, tmp_path)
    arm, T = load("irb120").arm(), transform_of(BENCH.tools[0].tcp)
    points, path = ((arm.fk(Q, check_limits=False) @ T)[:, :3, 3] for Q in (ridden.paths["arm"], checked.paths["arm"]))
    assert farthest_m(points[::5], path) < 0.0005
    assert farthest_m(path[::10], points) < 0.0005
    assert brain.signals.read("doGrip") == 0.0


def test_a_contact_that_looks_like_a_pick_offers_one():
    """As a person writes it at first: the fingers are half closed, so they meet the cube on the way down."""
    steps = (
        MoveAxis(q=HOME_Q),
        Tool(state="close"),
        GoTo(to="above"),
        GoTo(to="grasp", how="line", speed="v80"),
        Tool(state="close"),
        GoTo(to="above", how="line"),
    )
    report = look(program(*steps))
    (offer,) = (one for step in report.steps for one in step.alternatives if one.kind == "pick")
    assert offer.message == "make this a pick of cube"
    assert offer.instead_of == ("t4", "t5", "t3", "t6")
    assert offer.action == PickPart(id="t4", part="cube", at="grasp", approach_m=0.135, retreat_m=0.135, slowly="v80")
    assert look(program(*steps[:2], offer.action)).clear


def test_a_released_part_that_the_tool_touches_offers_a_place():
    steps = (
        PICK,
        GoTo(to=spot(0.35, -0.1, 0.08)),
        GoTo(to=spot(0.35, -0.1, 0.03), how="line"),
        Tool(state="open"),
        GoTo(to=spot(0.35, -0.1, 0.08), how="line"),
    )
    report = look(program(*steps), CUP)
    (offer,) = (one for step in report.steps for one in step.alternatives if one.kind == "place")
    assert isinstance(offer.action, PlacePart)
    assert (offer.action.part, offer.action.approach_m, offer.action.retreat_m) == ("cube", 0.05, 0.05)
    assert look(program(PICK, offer.action), CUP).clear


def test_no_pick_is_offered_that_would_fail_too():
    """The palm stands 1.5 mm deep in the cube: as a pick it still does."""
    steps = (GoTo(to=spot(0.35, 0.1, 0.1)), GoTo(to=spot(0.35, 0.1, 0.0285), how="line"), Tool(state="close"))
    report = look(program(*steps), CUP)
    assert not report.clear
    assert not [one for step in report.steps for one in step.alternatives if one.kind == "pick"]


@pytest.mark.parametrize(
    ("changes", "pointer", "says"),
    [
        ({"part": "cub"}, "/steps/0/part", "no part named 'cub' in this cell. Did you mean cube?"),
        ({"part": "table"}, "/steps/0/part", "no part named 'table'"),
        ({"part": ""}, "/steps/0/at", "name a part or a point"),
        ({"at": "nowhere"}, "/steps/0/at", "no point named 'nowhere'"),
        ({"approach_m": 50.0}, "/steps/0/approach_m", "50 m is out of range; allowed: 0.001 to 2 m"),
        ({"retreat_m": 0.0}, "/steps/0/retreat_m", "0 m is out of range"),
        ({"opening_m": -0.1}, "/steps/0/opening_m", "-0.1 m is out of range"),
        ({"slowly": "x"}, "/steps/0/slowly", "x"),
        ({"offset": Offset(by=("row", 0.0, 0.0))}, "/steps/0/offset/by/0", "row"),
    ],
)
def test_faults_have_their_place(changes: dict[str, object], pointer: str, says: str):
    fault = find_program_fault(program(msgspec.structs.replace(PICK, **changes)), BENCH)
    assert isinstance(fault, DocumentFault)
    assert (fault.pointer, says in fault.message) == (pointer, True), fault


def test_names_of_the_cell_are_followed():
    pick = msgspec.structs.replace(PICK, at="grasp", offset=Offset(by=("row * 0.1", 0.0, 0.0)))
    whole = program(pick, variables={"row": 0.0})
    assert references_of(whole)["cube"] == references_of(whole)["grasp"] == ("pick",)
    (renamed,) = rename_references(rename_references(whole, "cube", "block"), "grasp", "here").steps
    assert isinstance(renamed, PickPart)
    assert (renamed.part, renamed.at) == ("block", "here")


def test_a_step_after_a_pick_opens_the_tool():
    done = edit_program(program(PICK), InsertStep(action={"do": "tool"}))
    assert isinstance(done.program.steps[-1], Tool)
    assert done.program.steps[-1].state == "open"


def test_offsets_add_up():
    pose = at(0.0, 0.0, 0.0, (0.0, 1.0, 0.0, 0.0))
    pick = PickPart(id="p", part="", at="grasp", offset=Offset(by=("row * 0.1", 0.0, "-row")), approach_m=0.05)
    start = plain_steps(pick, "grasp", pose)[1]
    assert isinstance(start, GoTo)
    assert start.offset == Offset(by=("row * 0.1", 0.0, "(-row) + 0.05"))
    with pytest.raises(CellFileError, match="Invalid enum value 'up'; known: tool"):
        decode_program(
            b'{"format": 1, "name": "a", "robot": "r", "steps": [{"do": "pick", "part": "", "along": "up"}]}'
        )
