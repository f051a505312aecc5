"""An uploaded run ends too where it makes no progress for two seconds, and does not begin or go on after that."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from running_cells import one_robot, wait_for

from openpendant.programs import MoveAxis, Program, Wait
from openpendant.runtime import CellRuntime, ProgramRun, RemoteRobot
from processes import children_of
from unsafe import promise

ADDRESS = "127.0.13.40"
STILL_S = 2.0
BUSY_S = 1.0
"""For starting, stopping and telling of it beside other tests."""
STILL_RAD = 1e-3


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    with CellRuntime(one_robot(), virtual={"arm": ADDRESS}, name="test") as made:
        made.robot("arm").wait_ready()
        yield made


@pytest.fixture(autouse=True)
def ready(runtime: CellRuntime) -> None:
    runtime.virtual("arm").control("speed", fraction=1.0)
    runtime.robot("arm").wait_ready(60.0)


def nod(runtime: CellRuntime, seconds: float = 0.0, by: float = 0.4) -> Program:
    q = runtime.robot("arm").q()
    waits = (Wait(id="w", seconds=seconds),) if seconds else ()
    moves = [q + by * np.array([1.0, -0.3, 0.3, 0.2, 0.1, 0.1]), q]
    steps = [MoveAxis(id=f"m{index}", q=tuple(row.tolist()), speed="20%") for index, row in enumerate(moves)]
    return Program(name="nod", robot="arm", steps=(*waits, *steps))


def control_child(robot: RemoteRobot) -> int:
    """Return the process that holds the robot by ur_rtde."""
    (found,) = [
        pid for pid in children_of(robot.state.pid) if b"control_child" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    return found


def ends(run: ProgramRun, began: float) -> float:
    """Return how long after `began` the run has failed."""
    assert run.wait(30.0) == "failed", run.message
    return time.monotonic() - began


def stays(robot: RemoteRobot, seconds: float) -> None:
    q, end = robot.q(), time.monotonic() + seconds
    while time.monotonic() < end:
        promise(np.abs(robot.q() - q).max() < STILL_RAD, "it moves")
        time.sleep(0.01)


def before_upload(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Let something happen just before the robot's process is given the program."""
    upload = RemoteRobot.upload

    def upload_then(self: RemoteRobot, *values: object, **more: object) -> None:
        act()
        upload(self, *values, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(RemoteRobot, "upload", upload_then)


def test_a_program_whose_robot_is_not_released_never_begins(
    runtime: CellRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot, program = runtime.robot("arm"), nod(runtime)
    child = control_child(robot)
    before_upload(monkeypatch, lambda: os.kill(child, signal.SIGSTOP))
    try:
        run = runtime.start_run(program, mode="uploaded")
        assert ends(run, time.monotonic()) <= STILL_S + BUSY_S
        assert "made no progress for 2 s: the control program has not ended" in run.message
        # A process that does not leave is ended three seconds after it was told to: then the robot is free.
        stays(robot, 3.0)
    finally:
        os.kill(child, signal.SIGCONT)
    stays(robot, 1.0)


def test_a_program_that_stands_still_in_a_move_ends_the_run(runtime: CellRuntime) -> None:
    robot, home = runtime.robot("arm"), runtime.robot("arm").q()
    run = runtime.start_run(nod(runtime), mode="uploaded")
    wait_for(lambda: robot.q()[0] > home[0] + 0.05, "a motion")
    runtime.virtual("arm").control("speed", fraction=0.0)
    wait_for(lambda: max(map(abs, robot.state.arms["arm"].qd)) < 0.01, "standstill")
    assert ends(run, time.monotonic()) <= STILL_S + BUSY_S
    assert "made no progress for 2 s" in run.message
    runtime.virtual("arm").control("speed", fraction=1.0)
    stays(robot, 1.0)
    robot.wait_ready(60.0)
    assert robot.move_joints(home).reached


def test_a_program_that_waits_is_not_given_up(runtime: CellRuntime) -> None:
    run = runtime.start_run(nod(runtime, STILL_S + 1.5, by=0.1), mode="uploaded")
    assert run.wait(30.0) == "done", run.message


def test_a_run_of_which_the_robot_knows_nothing_ends(runtime: CellRuntime, monkeypatch: pytest.MonkeyPatch) -> None:
    robot, home = runtime.robot("arm"), runtime.robot("arm").q()
    run = runtime.start_run(nod(runtime), mode="uploaded")
    wait_for(lambda: robot.q()[0] > home[0] + 0.05, "a motion")
    began = time.monotonic()
    monkeypatch.setattr(RemoteRobot, "outcome", lambda *_: ("none", ""))
    assert ends(run, began) <= STILL_S + BUSY_S
    assert run.message == "it made no progress for 2 s"
    wait_for(lambda: not robot.state.arms["arm"].moving, "rest", 3.0)
    stays(robot, 1.0)
    monkeypatch.undo()
    robot.wait_ready(60.0)
    assert robot.move_joints(home).reached
