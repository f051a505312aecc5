"""An IRB 120 and a YuMi on the virtual controllers that their cells start: streamed, uploaded, stopped."""

from collections.abc import Iterator

import numpy as np
import pytest
from running_cells import wait_for

from openpendant.programs import Call, MoveAxis, Program, SetOutput, Wait
from openpendant.robots import load
from openpendant.runtime import CellRuntime, RemoteRobot
from openpendant.scene import Cell, CellRobot, Signal

ROBOT = "irb120"
BASE = (0.0, 0.1, 0.2, 0.0, 1.0, 0.0)
LAMP = Signal(name="lamp", kind="out", robot=ROBOT, port="doLamp")
CELL = Cell(name="desk", robots=(CellRobot(name=ROBOT, model=ROBOT, joints={"arm": BASE}),), signals=(LAMP,))
NOD = Program(
    name="nod",
    robot=ROBOT,
    steps=(
        MoveAxis(id="there", q=(0.3, *BASE[1:]), speed="60%", zone="z20"),
        MoveAxis(id="low", q=(0.3, 0.3, *BASE[2:]), speed="60%"),
        SetOutput(id="on", signal="lamp"),
        MoveAxis(id="back", q=BASE, speed="60%"),
    ),
)
FAR = Program(
    name="far",
    robot=ROBOT,
    steps=(MoveAxis(id="far", q=(2.0, *BASE[1:]), speed="10%"), Wait(id="wait", seconds=0.1)),
)


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    with CellRuntime(CELL, programs={one.name: one for one in (NOD, FAR)}, name="test") as made:
        made.robot(ROBOT).wait_ready()
        yield made


def at_base(runtime: CellRuntime) -> RemoteRobot:
    """Return the robot where programs begin; after a stop its guidance begins again."""
    robot = runtime.robot(ROBOT)
    robot.wait_ready()
    assert robot.move_joints(BASE).reached
    return robot


def test_its_virtual_controller_is_that_of_the_cell(runtime: CellRuntime) -> None:
    robot = runtime.robot(ROBOT)
    shown = runtime.virtual(ROBOT).state()
    assert (shown["model"], [one["name"] for one in shown["outputs"]]) == (ROBOT, ["doLamp"])
    assert np.abs(robot.q() - BASE).max() < 1e-3
    known = robot.state.capabilities
    assert (known.servo, known.sampled, known.dialects, known.arms) == (True, True, ("rapid",), ("arm",))


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_program_runs(runtime: CellRuntime, mode: str) -> None:
    robot = at_base(runtime)
    robot.set_output("lamp", value=False)
    wait_for(lambda: not runtime.virtual(ROBOT).state()["outputs"][0]["on"], "a lamp that is off")
    report = runtime.check(NOD)
    assert report.clear, report.summary
    run = runtime.run(NOD, report=report, mode=mode)
    assert run.wait(60.0) == "done", (run.message, robot.events[-8:])
    assert np.abs(robot.q() - BASE).max() < 2e-3
    wait_for(lambda: runtime.virtual(ROBOT).state()["outputs"][0]["on"], "its lamp")


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_program_is_stopped(runtime: CellRuntime, mode: str) -> None:
    robot = at_base(runtime)
    run = runtime.start_run(FAR, mode=mode)
    wait_for(lambda: bool(np.abs(robot.state.arms["arm"].qd).max() > 0.05) or run.status == "failed", "a motion")
    assert robot.stop().reached
    assert run.wait(30.0) == "stopped", run.message
    robot.wait_rest()
    assert robot.q()[0] < 1.0
    robot.wait_ready()
    assert robot.move_joints(robot.q() + 0.05).reached, "it takes setpoints again"


def test_motors_that_are_switched_off_are_told_and_come_back(runtime: CellRuntime) -> None:
    robot = runtime.robot(ROBOT)
    runtime.virtual(ROBOT).press("motors_off")
    wait_for(lambda: not robot.state.ready, "a robot that is not ready")
    runtime.press(ROBOT, "motors_on")
    robot.wait_ready()


def test_a_program_for_both_arms_of_yumi_is_uploaded_and_both_are_jogged() -> None:
    cell = Cell(name="two", robots=(CellRobot(name="yumi", model="yumi"),))
    start = {arm: load("yumi").posture(arm=arm) for arm in ("left", "right")}

    def go(name: str, arm: str, *by: float, call: str = "") -> Program:
        steps = [MoveAxis(id=f"m{at}", q=tuple((start[arm] + one).tolist()), speed="60%") for at, one in enumerate(by)]
        calls = (Call(id="call", program=call),) if call else ()
        return Program(name=name, robot="yumi", arm=arm, steps=(steps[0], *calls, *steps[1:]))

    programs = {one.name: one for one in (go("both", "left", 0.1, 0.0, call="other"), go("other", "right", 0.1))}
    with CellRuntime(cell, programs=programs, name="test") as runtime:
        robot = runtime.robot("yumi")
        robot.wait_ready()
        assert robot.state.capabilities.arms == ("left", "right")
        report = runtime.check(programs["both"])
        assert report.clear, report.summary
        run = runtime.run(programs["both"], report=report, mode="uploaded")
        assert run.wait(60.0) == "done", (run.message, robot.events[-8:])
        assert np.abs(robot.q("left") - start["left"]).max() < 2e-3
        assert np.abs(robot.q("right") - start["right"] - 0.1).max() < 2e-3
        assert robot.move_joints(start["right"], arm="right").reached
