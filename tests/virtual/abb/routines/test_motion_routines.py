r"""Moves, their settings and their stops on the virtual controller: where the arm goes, how fast, and when it rests."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from abb_stand import READY, TICK_S, TWO_TASKS, AbbBench

EAX = "[9E9,9E9,9E9,9E9,9E9,9E9]"
POINT = "VAR robtarget p;"
BENT = (0, 10, 20, -40, 60, -30)
FLIPPED = (0, 10, 20, 140, -60, 150)
"""The same pose with the wrist turned over."""
FLIP = f"p:=CalcRobT([[0,10,20,140,-60,150],{EAX}],tool0);"


@pytest.fixture
def bench(tmp_path: Path) -> AbbBench:
    return AbbBench(tmp_path, tasks=TWO_TASKS)


def joints(*degrees: float) -> str:
    return f"[[{','.join(map(str, degrees))}],{EAX}]"


def degrees(bench: AbbBench) -> list[float]:
    return np.degrees(bench.unit.arm.plant.q).tolist()


def followed(bench: AbbBench, body: str, data: str = POINT) -> tuple[Any, Any]:
    """Run a program; return where its joints were, and what the drives were sent, at every tick."""
    bench.main(body, data)
    bench.start()
    arm = bench.unit.arm
    actual, sent = [arm.plant.q.copy()], [arm.mover.target.copy()]

    def done() -> bool:
        actual.append(arm.plant.q.copy())
        sent.append(arm.mover.target.copy())
        return not bench.brain.program.running

    bench.tick_until(done)
    assert bench.errors == []
    return np.array(actual), np.array(sent)


def tool_places(bench: AbbBench, q: Any) -> Any:
    return np.array([bench.unit.arm.model.arm.fk(one, check_limits=False)[:3, 3] for one in q])


def top_speed(bench: AbbBench, body: str) -> float:
    _, sent = followed(bench, body)
    return float(np.linalg.norm(np.diff(tool_places(bench, sent), axis=0), axis=1).max() / TICK_S)


# Moves


def test_a_circle_is_round_and_goes_through_its_point(bench: AbbBench):
    begin = bench.unit.arm.T_base_tool[:3, 3]
    actual, _ = followed(bench, "p:=CRobT(); MoveC Offs(p,0,40,-40),Offs(p,0,0,-80),v100,fine,tool0;")
    places = tool_places(bench, actual) - begin
    assert np.linalg.norm(places - [0.0, 0.0, -0.04], axis=1) == pytest.approx(0.04, abs=3e-4)
    assert np.linalg.norm(places - [0.0, 0.04, -0.04], axis=1).min() < 1e-3
    assert places[-1] == pytest.approx([0.0, 0.0, -0.08], abs=1e-4)


def test_a_circle_without_a_centre_stops_the_program(bench: AbbBench):
    bench.run("p:=CRobT(); MoveC Offs(p,0,0,-40),Offs(p,0,0,-80),v100,fine,tool0;", POINT)
    assert bench.errors[0].startswith("50055 Circle uncertain: T_ROB1/MainModule/main, line ")


def test_movej_goes_straight_in_joints_to_the_configuration_of_its_target(bench: AbbBench):
    _, sent = followed(bench, f"p:=CalcRobT({joints(40, 20, 0, 30, 50, 60)},tool0); MoveJ p,v500,fine,tool0;")
    assert degrees(bench) == pytest.approx([40, 20, 0, 30, 50, 60], abs=0.01)
    way = sent - sent[0]
    whole = way[-1] / np.linalg.norm(way[-1])
    assert np.abs(way - np.outer(way @ whole, whole)).max() < 1e-4


def test_confj_decides_whether_the_configuration_is_kept(bench: AbbBench):
    near = f"MoveAbsJ {joints(*BENT)},v1000,fine,tool0; {FLIP}"
    followed(bench, near + "ConfJ\\Off; MoveJ p,v1000,fine,tool0;")
    assert degrees(bench) == pytest.approx(BENT, abs=0.01)
    followed(bench, near + "ConfJ\\Off; ConfJ\\On; MoveJ p,v1000,fine,tool0;")
    assert degrees(bench) == pytest.approx(FLIPPED, abs=0.01)


@pytest.mark.parametrize(
    "move",
    ["MoveL Offs(p,0,0,20),v500,fine,tool0;", "MoveC Offs(p,0,20,20),Offs(p,0,0,40),v500,fine,tool0;"],
)
def test_confl_stops_lines_that_would_end_in_another_configuration(bench: AbbBench, move: str):
    near = f"MoveAbsJ {joints(*BENT)},v1000,fine,tool0; {FLIP}"
    bench.run(near + move, POINT)
    assert bench.errors[0].startswith("50080 Position not compatible: T_ROB1/MainModule/main, line ")
    assert "[0, 1, 1, 1]" in bench.errors[0]
    assert degrees(bench) == pytest.approx(BENT, abs=0.01)
    before = len(bench.errors)
    bench.run(near + "ConfL\\Off;" + move, POINT)
    assert len(bench.errors) == before


@pytest.mark.parametrize(("quarter", "errors"), [(-2, 1), (-1, 0), (0, 0), (1, 0), (2, 1)])
def test_a_line_may_end_in_the_quarter_beside_that_of_its_target(bench: AbbBench, quarter: int, errors: int):
    bench.run(
        f"MoveAbsJ {joints(10, 10, 20, 0, 60, 0)},v1000,fine,tool0; p:=CRobT(); p.robconf.cf1:={quarter};"
        "MoveL Offs(p,0,0,20),v500,fine,tool0;",
        POINT,
    )
    assert len(bench.errors) == errors


def test_moves_with_an_id_are_made(bench: AbbBench):
    bench.run("p:=CRobT(); MoveL Offs(p,0,0,-20)\\ID:=10,v100,fine,tool0; MoveJ p\\ID:=20,v100,fine,tool0;", POINT)
    assert bench.errors == []
    assert degrees(bench) == pytest.approx(np.degrees(READY), abs=0.01)


# Settings


def test_velset_has_a_part_and_a_limit(bench: AbbBench):
    down, up = "p:=CRobT(); MoveL Offs(p,0,0,-60),v100,fine,tool0;", "p:=CRobT(); MoveL Offs(p,0,0,60),v100,fine,tool0;"
    assert top_speed(bench, down) == pytest.approx(0.1, rel=0.01)
    assert top_speed(bench, "VelSet 50,5000;" + up) == pytest.approx(0.05, rel=0.01)
    assert top_speed(bench, "VelSet 100,40;" + down) == pytest.approx(0.04, rel=0.01)
    # A program that begins at main begins with all of it.
    assert top_speed(bench, up) == pytest.approx(0.1, rel=0.01)


def test_accset_takes_longer(bench: AbbBench):
    there, back = (f"MoveAbsJ {joints(*of)},vmax,fine,tool0;" for of in ((40, 10, 20, 0, 60, 0), (0, 10, 20, 0, 60, 0)))
    usual, gentle, least = bench.run(there), bench.run("AccSet 40,100;" + back), bench.run("AccSet 20,100;" + there)
    assert bench.errors == []
    assert usual * 1.2 < gentle < least
    assert bench.run("AccSet 1,100;" + back) == pytest.approx(least, rel=0.05)


def test_speedrefresh_slows_the_present_move_from_the_background(bench: AbbBench):
    program = bench.brain.program
    bench.main("p:=CRobT(); MoveL Offs(p,0,0,-90),v100,fine,tool0;", POINT)
    bench.main("WaitUntil part<100; SpeedRefresh part;", "PERS num part:=100;", "T_BACK")
    bench.start()
    ticks(bench, 0.3)
    program.write(("T_BACK", "part"), "20")
    ticks(bench, 0.4)
    before = bench.unit.arm.T_base_tool[2, 3]
    ticks(bench, 0.2)
    assert (before - bench.unit.arm.T_base_tool[2, 3]) / 0.2 == pytest.approx(0.02, rel=0.05)
    bench.tick_until(lambda: not program.running)
    bench.run(
        "SpeedRefresh 150; ERROR IF ERRNO=ERR_SPEED_REFRESH_LIM THEN refused:=TRUE; TRYNEXT; ENDIF",
        "PERS bool refused:=FALSE;",
    )
    assert bench.read("refused") == "TRUE"


# Stops

FLAGS = "PERS bool halt:=FALSE; PERS bool again:=FALSE; PERS bool mine:=FALSE; PERS bool others:=FALSE;"
FAR = f"MoveAbsJ {joints(60, 10, 20, 0, 60, 0)},v300,fine,tool0;"


def ticks(bench: AbbBench, seconds: float) -> None:
    for _ in range(round(seconds / TICK_S)):
        bench.brain.tick()


def riding(bench: AbbBench, stop: str, start: str) -> Callable[[], float]:
    """Let a background task stop the arm on its way to 60°; return what waits for its rest and returns the degrees."""
    bench.main("count:=0; " + FAR + ' TPWrite "there";', "PERS num count:=0;")
    bench.main(
        f"WaitUntil halt; {stop} mine:=IsStopMoveAct(\\FromNonMoveTask); others:=IsStopMoveAct(\\FromMoveTask);"
        f"WaitUntil again; {start}",
        FLAGS,
        "T_BACK",
    )
    bench.start()
    arm = bench.unit.arm
    bench.tick_until(lambda: arm.plant.q[0] > math.radians(20.0))
    bench.brain.program.write(("T_BACK", "halt"), "TRUE")

    def rested() -> float:
        bench.brain.tick()
        bench.tick_until(lambda: float(np.abs(arm.plant.qd).max()) < 1e-4, 3.0)
        return math.degrees(arm.plant.q[0])

    return rested


@pytest.mark.parametrize("all_tasks", ["", "\\AllMotionTasks"])
def test_a_background_task_stops_and_starts_the_arm(bench: AbbBench, all_tasks: str):
    rested = riding(bench, f"StopMove{all_tasks};", f"StartMove{all_tasks};")
    stood = rested()
    assert 20.0 < stood < 45.0
    assert bench.brain.program.running
    ticks(bench, 0.5)
    assert math.degrees(bench.unit.arm.plant.q[0]) == pytest.approx(stood, abs=0.01)
    assert [bench.brain.program.read(("T_BACK", name)) for name in ("mine", "others")] == ["TRUE", "FALSE"]
    bench.brain.program.write(("T_BACK", "again"), "TRUE")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert bench.errors == []
    assert degrees(bench) == pytest.approx([60, 10, 20, 0, 60, 0], abs=0.01)
    assert bench.brain.terminal.lines == ("there",)


def test_a_quick_stop_is_shorter_and_stays_on_the_path(tmp_path: Path):
    stood = []
    for name, stop in (("a", "StopMove;"), ("b", "StopMove\\Quick;")):
        (tmp_path / name).mkdir()
        bench = AbbBench(tmp_path / name, tasks=TWO_TASKS)
        stood.append(riding(bench, stop, "StartMove;")())
        assert degrees(bench)[1:] == pytest.approx([10, 20, 0, 60, 0], abs=0.01)
        bench.brain.program.write(("T_BACK", "again"), "TRUE")
        bench.tick_until(lambda bench=bench: not bench.brain.program.running)
        assert degrees(bench)[0] == pytest.approx(60.0, abs=0.01)
    assert 20.0 < stood[1] < stood[0] - 0.1


def test_each_kind_of_task_starts_what_it_has_stopped(bench: AbbBench):
    bench.main(
        f"StopMove; MoveAbsJ {joints(10, 10, 20, 0, 60, 0)},v300,z50,tool0; WaitUntil halt; StartMove; own:=TRUE;"
        "WaitRob\\InPos;",
        FLAGS + "PERS bool own:=FALSE;",
    )
    bench.main("StopMove; WaitUntil again; StartMove;", FLAGS, "T_BACK")
    bench.start()
    ticks(bench, 0.2)
    bench.brain.program.write(("T_ROB1", "halt"), "TRUE")
    ticks(bench, 0.3)
    assert bench.read("own") == "TRUE"
    assert degrees(bench)[0] == pytest.approx(0.0, abs=0.01)
    bench.brain.program.write(("T_BACK", "again"), "TRUE")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert degrees(bench)[0] == pytest.approx(10.0, abs=0.01)


def test_all_motion_tasks_are_for_the_background(bench: AbbBench):
    bench.run("StopMove\\AllMotionTasks;")
    assert "AllMotionTasks" in bench.errors[0]


# Waiting for rest

AFTER = "p:=CRobT(); MoveL Offs(p,0,0,-50),v100,z10,tool0; {wait} here:=CPos(\\Tool:=tool0\\WObj:=wobj0);"


@pytest.mark.parametrize(
    "wait", ["WaitRob\\InPos;", "WaitRob\\ZeroSpeed;", "WaitTime\\InPos,0;", "WaitUntil\\InPos,TRUE;"]
)
def test_waiting_for_rest(bench: AbbBench, wait: str):
    begin = 1000.0 * bench.unit.arm.T_base_tool[2, 3]
    bench.run(AFTER.format(wait="WaitTime 0;"), POINT + "PERS pos here:=[0,0,0];")
    assert eval(bench.read("here"))[2] > begin - 20.0
    bench.run(f"MoveAbsJ {joints(*np.degrees(READY))},v1000,fine,tool0;")
    bench.run(AFTER.format(wait=wait), POINT + "PERS pos here:=[0,0,0];")
    assert bench.errors == []
    assert eval(bench.read("here"))[2] == pytest.approx(begin - 50.0, abs=0.1)


def test_a_waiting_time_behind_a_zone_is_spent_at_its_point(bench: AbbBench):
    turn = "p:=CRobT(); MoveL Offs(p,0,0,-50),v100,z10,tool0; {wait} MoveL Offs(p,0,50,-50),v100,fine,tool0;"
    corner = bench.unit.arm.T_base_tool[:3, 3] - [0.0, 0.0, 0.05]
    back = f"MoveAbsJ {joints(*np.degrees(READY))},v1000,fine,tool0;"
    nearest, took = [], []
    for wait in ("WaitTime 0;", "WaitTime 0.5;"):
        began = bench.brain.clock.seconds
        places = tool_places(bench, followed(bench, turn.format(wait=wait))[1])
        took.append(bench.brain.clock.seconds - began)
        nearest.append(float(np.linalg.norm(places - corner, axis=1).min()))
        bench.run(back)
    assert nearest[0] > 1.5e-3
    assert nearest[1] < 1e-4
    assert took[1] - took[0] == pytest.approx(0.5, abs=0.25)
    # A program that has stopped its arm does not wait for it.
    bench.run("p:=CRobT(); MoveL Offs(p,0,0,-50),v100,z10,tool0; StopMove; WaitTime 0.2; StartMove;", POINT)
    assert bench.errors == []


def test_zero_speed_is_reached_where_the_arm_is_stopped_and_in_position_is_not(bench: AbbBench):
    later = "ClkStart since; WaitUntil ClkRead(since)>0.3;"
    body = f"p:=CRobT(); MoveL Offs(p,0,0,-50),v100,z10,tool0; {later} StopMove; WaitRob\\{{how}}; rested:=TRUE;"
    data = POINT + "VAR clock since; PERS bool rested:=FALSE;"
    bench.main(body.format(how="ZeroSpeed") + "WaitTime 0.2; StartMove;", data)
    bench.start()
    bench.tick_until(lambda: bench.read("rested") == "TRUE", 3.0)
    assert float(np.abs(bench.unit.arm.plant.qd).max()) < 1e-3
    bench.tick_until(lambda: not bench.brain.program.running and bench.unit.in_position)
    bench.main(body.format(how="InPos"), data)
    bench.start()
    ticks(bench, 3.0)
    assert bench.brain.program.running
    assert bench.read("rested") == "FALSE"
