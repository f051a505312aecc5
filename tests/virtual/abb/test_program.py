"""RAPID on the virtual ABB controller, in its own time: moves, signals, files, the operator, start and stop."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from abb_stand import READY, AbbBench

from openpendant.robots import load
from openpendant.virtual.abb import ControllerRefusal, NotThere

EAX = "[9E9,9E9,9E9,9E9,9E9,9E9]"


@pytest.fixture
def bench(tmp_path: Path) -> AbbBench:
    return AbbBench(tmp_path)


def joints(*degrees: float) -> str:
    return f"[[{','.join(map(str, degrees))}],{EAX}]"


def numbers(text: str) -> list[Any]:
    return eval(text.replace("E+", "E"), {}, {"TRUE": True, "FALSE": False})


def test_joints_and_poses_are_those_of_the_catalogue(bench: AbbBench):
    q_deg = (10.0, 20.0, -10.0, 15.0, 40.0, -25.0)
    bench.run(
        f"MoveAbsJ {joints(*q_deg)},v1000,fine,tool0; now:=CJointT(); here:=CRobT(\\Tool:=tool0\\WObj:=wobj0);"
        " there:=CalcRobT(now,tool0); back:=CalcJointT(here,tool0);",
        "PERS jointtarget now:=[[0,0,0,0,0,0],[0,0,0,0,0,0]]; PERS jointtarget back:=[[0,0,0,0,0,0],[0,0,0,0,0,0]];"
        "PERS robtarget here:=[[0,0,0],[1,0,0,0],[0,0,0,0],[0,0,0,0,0,0]];"
        "PERS robtarget there:=[[0,0,0],[1,0,0,0],[0,0,0,0],[0,0,0,0,0,0]];",
    )
    assert bench.errors == []
    assert numbers(bench.read("now"))[0] == pytest.approx(q_deg, abs=1e-3)
    assert numbers(bench.read("back"))[0] == pytest.approx(q_deg, abs=1e-3)
    robot = load("irb120")
    printed = robot.print_pose(np.radians(q_deg)).text
    place, turn, configuration, outer = numbers(bench.read("here"))
    assert numbers(printed)[0] == pytest.approx(place, abs=0.01)
    assert abs(np.dot(numbers(printed)[1], turn)) == pytest.approx(1.0, abs=1e-6)
    assert numbers(printed)[2] == configuration
    assert outer == [9e9] * 6
    assert numbers(bench.read("there"))[0] == pytest.approx(place, abs=0.01)


def test_a_straight_move_is_straight_and_as_fast_as_it_says(bench: AbbBench):
    bench.main("p:=CRobT(); MoveL Offs(p,0,0,-100),v100,fine,tool0;", "VAR robtarget p;")
    bench.start()
    arm = bench.unit.arm
    start = arm.T_base_tool[:3, 3]
    places: list[Any] = []
    wanted: list[Any] = []

    def done() -> bool:
        places.append(arm.T_base_tool[:3, 3])
        wanted.append(arm.model.arm.fk(arm.mover.target, check_limits=False)[:3, 3])
        return not bench.brain.program.running

    took = bench.tick_until(done)
    assert bench.errors == []
    path = np.array(places) - start
    assert path[-1] == pytest.approx([0.0, 0.0, -0.1], abs=1e-4)
    assert np.abs(path[:, :2]).max() < 2e-4
    # What the drives are sent; the joints overshoot by some percent where the acceleration ends.
    speeds = np.linalg.norm(np.diff(wanted, axis=0), axis=1) / 0.004
    assert speeds.max() == pytest.approx(0.1, rel=0.005)
    assert 1.0 < took < 1.5


def test_zones_flow_and_fine_points_stop(bench: AbbBench):
    corner = "p:=CRobT(); MoveL Offs(p,0,60,0),v200,{zone},tool0; MoveL Offs(p,0,60,60),v200,fine,tool0;"
    flowing = bench.run(corner.format(zone="z20"), "VAR robtarget p;")
    assert bench.unit.arm.queue.missed == 0
    bench.run(f"MoveAbsJ {joints(*np.degrees(READY))},v1000,fine,tool0;")
    stopping = bench.run(corner.format(zone="fine"), "VAR robtarget p;")
    assert bench.errors == []
    assert flowing < stopping - 0.05


def test_reach_and_limits_have_the_errors_of_the_controller(bench: AbbBench):
    bench.run(
        "p:=CRobT(); p.trans.x:=5000; j:=CalcJointT(p,tool0); far:=FALSE; ERROR IF ERRNO=ERR_OUTSIDE_REACH far:=TRUE; "
        "SkipWarn; TRYNEXT;",
        "PERS bool far:=FALSE; VAR robtarget p; VAR jointtarget j;",
    )
    assert bench.errors == []
    bench.run(f"MoveAbsJ {joints(0, 0, 0, 0, 0, 999)},v1000,fine,tool0;")
    assert bench.errors[0].startswith("50027 Joint Out of Range: T_ROB1/MainModule/main, line ")
    assert "999.0°" in bench.errors[0]
    with pytest.raises(ControllerRefusal, match="no program pointer"):
        bench.brain.start("once")


def test_a_stop_rests_on_the_path_and_a_start_goes_on(bench: AbbBench):
    bench.main(f'MoveAbsJ {joints(60, 10, 20, 0, 60, 0)},v300,fine,tool0; TPWrite "there";')
    bench.start()
    arm = bench.unit.arm
    bench.tick_until(lambda: arm.plant.q[0] > math.radians(20.0))
    bench.brain.program.stop()
    bench.tick_until(lambda: float(np.abs(arm.plant.qd).max()) < 1e-4)
    rested = math.degrees(arm.plant.q[0])
    assert 20.0 < rested < 45.0
    bench.brain.start("asis")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert np.degrees(arm.plant.q) == pytest.approx([60, 10, 20, 0, 60, 0], abs=1e-2)
    assert bench.brain.terminal.lines == ("there",)


def test_motors_off_stops_the_program_and_the_move_is_made_later(bench: AbbBench):
    bench.main(f"MoveAbsJ {joints(60, 10, 20, 0, 60, 0)},v300,fine,tool0;")
    bench.start()
    arm = bench.unit.arm
    bench.tick_until(lambda: arm.plant.q[0] > math.radians(20.0))
    bench.brain.panel.set_emergency(pressed=True)
    bench.tick_until(lambda: float(np.abs(arm.plant.qd).max()) < 1e-4)
    assert not bench.brain.program.running
    assert math.degrees(arm.plant.q[0]) < 50.0
    with pytest.raises(ControllerRefusal, match="emergencystop"):
        bench.brain.start("asis")
    bench.brain.panel.set_emergency(pressed=False)
    bench.brain.panel.set_motors(on=True)
    bench.brain.start("asis")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert math.degrees(arm.plant.q[0]) == pytest.approx(60.0, abs=1e-2)


def test_signals(bench: AbbBench):
    bench.main(
        "SetDO pinzaOutput0,1; Reset pinzaOutput1; PulseDO\\PLength:=0.1,pinzaOutput1; WaitDI diReady,1;"
        "WaitDI diReady,0\\MaxTime:=0.2; ERROR IF ERRNO=ERR_WAIT_MAXTIME late:=late+1; TRYNEXT;",
        "PERS num late:=0;",
    )
    bench.start()
    signals = bench.brain.signals
    bench.brain.tick()
    assert (signals.read("pinzaOutput0"), signals.read("PINZAOUTPUT1")) == (1.0, 1.0)
    assert bench.tick_until(lambda: signals.read("pinzaOutput1") == 0.0) == pytest.approx(0.1, abs=0.005)
    for _ in range(20):
        bench.brain.tick()
    assert bench.brain.program.running
    signals.write("diReady", 1.0)
    bench.tick_until(lambda: not bench.brain.program.running)
    assert bench.read("late") == "1"
    with pytest.raises(ControllerRefusal, match="0 and 1"):
        signals.write("diReady", 2.0)
    with pytest.raises(NotThere, match="known: pinzaOutput0"):
        signals.read("nothing")


def test_files_stay_inside_their_disk(bench: AbbBench, tmp_path: Path):
    bench.run(
        'Open "HOME:/a.csv",f\\Write; Write f,"1,2.5"; Write f,"end"; Close f;'
        'Open "HOME:/a.csv",f\\Append; Write f,"more"\\NoNewLine; Close f;'
        'Open "HOME:/a.csv",f\\Read; first:=ReadNum(f\\Delim:=","); second:=ReadNum(f); word:=ReadStr(f);'
        "last:=ReadStr(f); after:=ReadStr(f); Close f;",
        'VAR iodev f; PERS num first:=0; PERS num second:=0; PERS string word:="";'
        'PERS string last:=""; PERS string after:="";',
    )
    assert bench.errors == []
    values = [bench.read(name) for name in ("first", "second", "word", "last", "after")]
    assert values == ["1", "2.5", '"end"', '"more"', '"EOF"']
    assert (tmp_path / "home" / "a.csv").read_bytes() == b"1,2.5\nend\nmore"
    (tmp_path / "secret.txt").write_text("secret")
    for path in (
        "HOME:/../secret.txt",
        "HOME:../secret.txt",
        "$HOME/../../secret.txt",
        "/etc/passwd",
        "HOME:/\0",
        "HOME:/" + "x" * 300,
    ):
        with pytest.raises(ControllerRefusal):
            bench.brain.files.read(path)
    with pytest.raises(ControllerRefusal, match=r"a\.csv"):
        bench.brain.files.write("HOME:/a.csv/b", b"")
    (tmp_path / "home" / "link").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(ControllerRefusal, match="leads out"):
        bench.brain.files.read("HOME:/link")


@pytest.mark.parametrize(
    "costly", ["j:=CalcJointT(p,tool0);", 'Open "HOME:/a",f\\Write; Close f;', "", "x:=Sqrt(2);"], ids=len
)
def test_no_program_holds_up_the_controller(bench: AbbBench, costly: str):
    bench.main(
        f"p:=CRobT(); WHILE TRUE DO {costly} count:=count+1; ENDWHILE",
        "PERS num count:=0; VAR robtarget p; VAR jointtarget j; VAR iodev f; VAR num x;",
    )
    bench.start()
    for _ in range(20):
        bench.brain.tick()
    assert bench.brain.program.running
    count = float(bench.read("count"))
    assert count == pytest.approx(200.0, abs=10.0) if "j:" in costly or "Open" in costly else 500.0 < count < 40_000.0


def test_the_operator_is_asked(bench: AbbBench):
    bench.main(
        'TPReadFK key,"What?","","","Delete","Play","Record"; TPReadNum number,"How many?";'
        'TPWrite "Got "\\Num:=number; TPReadNum number,"Again?"\\MaxTime:=0.1; ERROR TRYNEXT;',
        "PERS num key:=0; PERS num number:=0;",
    )
    bench.start()
    terminal = bench.brain.terminal
    bench.tick_until(lambda: terminal.question is not None)
    with pytest.raises(ControllerRefusal, match="3, 4, 5 are allowed"):
        terminal.reply("1")
    terminal.reply("4")
    bench.tick_until(lambda: terminal.question is not None)
    terminal.reply("473")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert (bench.read("key"), bench.read("number")) == ("4", "473")
    assert terminal.lines == ("Got 473",)
    assert terminal.question is None


def test_cycles_persistents_and_pointers(bench: AbbBench):
    bench.main("count:=count+1; v:=v+1; seen:=v; WaitTime 0.02;", "PERS num count:=0; PERS num seen:=0; VAR num v:=0;")
    bench.start("once")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert bench.read("count") == "1"
    assert bench.brain.program.at_main
    bench.start("forever")
    bench.tick_until(lambda: bench.read("count") == "4")
    with pytest.raises(ControllerRefusal, match="running"):
        bench.brain.reset_pointers()
    bench.brain.program.stop()
    bench.brain.reset_pointers()
    assert bench.read("count") == "4"
    bench.start("once")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert (bench.read("count"), bench.read("seen")) == ("5", "1")


def test_modules_with_faults_are_refused_and_logged(bench: AbbBench):
    with pytest.raises(ControllerRefusal, match="line 1, column 19"):
        bench.load("MODULE broken PROC")
    bench.load("MODULE MainModule\nPROC main()\nMoveL nowhere,v100,fine,tool0;\nENDPROC\nENDMODULE")
    bench.brain.panel.set_motors(on=True)
    with pytest.raises(ControllerRefusal, match="nowhere"):
        bench.brain.start("once")
    assert len(bench.errors) == 2
    with pytest.raises(NotThere, match="T_ROB1"):
        bench.brain.program.load("T_NOBODY", "", "x", replace=True)


def test_data_is_written_with_its_type(bench: AbbBench):
    bench.load("MODULE d\nPERS pos p:=[1,2,3];\nCONST num c:=1;\nPROC main()\nENDPROC\nENDMODULE")
    program = bench.brain.program
    program.write(("T_ROB1", "p"), "[4,-5,6.5]")
    assert program.read(("T_ROB1", "d", "p")) == "[4,-5,6.5]"
    assert program.persistents("T_ROB1") == (("d", "p", "pos"),)
    for name, text in (("p", "[1,2]"), ("p", "TRUE"), ("p", "["), ("c", "2")):
        with pytest.raises(ControllerRefusal):
            program.write(("T_ROB1", name), text)
    with pytest.raises(NotThere):
        program.read(("T_ROB1", "q"))
