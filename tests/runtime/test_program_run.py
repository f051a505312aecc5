"""Programs in a running cell, streamed through the gate of a kinematic robot."""

import os
import signal
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest
from measuring import ArmSpeeds
from running_cells import wait_for

from openpendant.errors import ControllerError, InputError
from openpendant.pool import Work
from openpendant.programs import (
    Action,
    GoTo,
    Group,
    MoveAxis,
    Program,
    Report,
    SetOutput,
    Tool,
    Wait,
    read_programs,
)
from openpendant.runtime import CellRuntime
from openpendant.scene import load_demo
from openpendant.scene.demo_cells import FOLDER
from unsafe import promise

DEMO = "pick_and_place"
REDUCED_M_S = 0.25


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    cell = load_demo(DEMO).cell
    programs = {name: hurried(one) for name, one in read_programs(FOLDER / DEMO, cell).items()}
    with CellRuntime(cell, virtual=False, programs=programs, folder=FOLDER / DEMO) as made:
        yield made


def hurried(program: Program) -> Program:
    """Return it with all its moves to points as fast as the arm can."""

    def hurry(step: Action) -> Action:
        if isinstance(step, Group):
            return msgspec.structs.replace(step, steps=tuple(map(hurry, step.steps)))
        return msgspec.structs.replace(step, speed="v2000") if isinstance(step, GoTo) else step

    return msgspec.structs.replace(program, steps=tuple(map(hurry, program.steps)))


def there_and_back(runtime: CellRuntime, name: str, by: float, speed: str) -> Program:
    q = runtime.robot("irb120").q()
    away = q + np.array([by, 0.0, 0.0, 0.0, 0.0, 0.0])
    steps = (
        MoveAxis(id="away", q=tuple(away.tolist()), speed=speed),
        SetOutput(id="on", signal="tray full"),
        Wait(id="wait", seconds=0.1),
        MoveAxis(id="back", q=tuple(q.tolist()), speed=speed),
    )
    return Program(name=name, robot="irb120", steps=steps)


def test_a_program_with_parts_runs_to_its_end(runtime: CellRuntime) -> None:
    run = runtime.run("sort_cubes")
    assert run.status == "done", run.message
    tools = [event.message for event in run.events if event.kind == "tool"]
    assert tools[1:] == [f"{word} cube {number}" for number in (1, 2, 3) for word in ("grasped", "let go of")]
    starts = [event for event in runtime.robot("irb120").events if event.kind == "job started"]
    assert len(starts) >= 7


def test_outputs_pauses_and_speeds(runtime: CellRuntime) -> None:
    robot = runtime.robot("irb120")
    program = there_and_back(runtime, "there", 0.8, "40%")
    q = robot.q()
    run = runtime.start_run(program)
    wait_for(lambda: robot.q()[0] > q[0] + 0.2, "a part of the way")
    run.pause()
    wait_for(lambda: run.status == "paused", "the pause")
    assert not robot.state.arms["arm"].moving
    assert run.step_id == "away"
    run.set_speed(0.5)
    run.resume()
    assert run.wait(60.0) == "done", run.message
    assert robot.state.outputs["tray full"]
    assert np.abs(robot.q() - q).max() < 1e-6
    run = runtime.start_run(program)
    wait_for(lambda: robot.state.arms["arm"].moving, "a motion")
    run.stop()
    assert run.wait(60.0) == "stopped"
    wait_for(lambda: robot.state.arms["arm"].outcome == "stopped", "the end of the path")
    assert robot.move_joints(q).reached


def test_anybody_stops_a_run(runtime: CellRuntime) -> None:
    robot = runtime.robot("irb120")
    q = robot.q()
    run = runtime.start_run(there_and_back(runtime, "there", 0.8, "20%"))
    wait_for(lambda: robot.q()[0] > q[0] + 0.05, "a part of the way")
    outcome = robot.stop()
    assert outcome.reached
    assert outcome.rest_s is not None
    assert run.wait(60.0) == "stopped"
    assert "stopped by runtime" in run.message
    assert robot.move_joints(q).reached


def test_a_stop_before_the_run_begins_keeps_it_from_beginning(
    runtime: CellRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = runtime.robot("irb120")
    q, begin_check = robot.q(), runtime.begin_check

    def stopped_meanwhile(*args: Any, **kwargs: Any) -> Work[Report]:
        work = begin_check(*args, **kwargs)
        work.result()
        runtime.stop()
        return work

    monkeypatch.setattr(runtime, "begin_check", stopped_meanwhile)
    for mode in ("streamed", "uploaded"):
        with pytest.raises(ControllerError, match="stopped before it started"):
            runtime.start_run(there_and_back(runtime, "there", 0.8, "40%"), mode=mode)
    monkeypatch.undo()
    assert np.abs(robot.q() - q).max() < 1e-6
    assert runtime.run(there_and_back(runtime, "there", 0.1, "40%")).status == "done"


def test_reduced_speed_is_kept(runtime: CellRuntime) -> None:
    robot = runtime.robot("irb120")
    speeds = ArmSpeeds(robot.placed())
    q, fastest = robot.q(), 0.0
    run = runtime.start_run(there_and_back(runtime, "there", 0.5, "100%"), reduced=True)

    def over() -> bool:
        nonlocal fastest
        state = robot.state.arms["arm"]
        fastest = max(fastest, speeds.at(np.array(state.q), np.array(state.qd)))
        return run.status != "running"

    wait_for(over, "the end")
    assert run.status == "done", run.message
    promise(fastest < REDUCED_M_S, f"tool or elbow went {fastest:.4f} m/s")
    assert fastest > 0.1
    assert np.abs(robot.q() - q).max() < 1e-6


def test_a_run_ends_with_its_robots_process(runtime: CellRuntime) -> None:
    robot = runtime.robot("irb120")
    q = robot.q()
    run = runtime.start_run(there_and_back(runtime, "there", 0.8, "20%"))
    wait_for(lambda: robot.q()[0] > q[0] + 0.05, "a part of the way")
    os.kill(runtime.pids()["irb120"], signal.SIGKILL)
    assert run.wait(60.0) == "failed"
    robot.wait_ready()
    assert robot.move_joints(q).reached


def test_only_what_was_checked_runs(runtime: CellRuntime) -> None:
    program = there_and_back(runtime, "there", 0.3, "50%")
    report = runtime.check(program)
    assert report.clear
    other = msgspec.structs.replace(program, steps=program.steps[:2])
    with pytest.raises(InputError, match="as they are now"):
        runtime.start_run(other, report=report)
    robot = runtime.robot("irb120")
    q = robot.q()
    assert robot.move_joints(q + 0.05).reached
    with pytest.raises(InputError, match=r"0\.050 rad away from where the check started"):
        runtime.start_run(program, report=report)
    assert robot.move_joints(q).reached
    down = there_and_back(runtime, "down", 0.0, "50%")
    low = msgspec.structs.replace(
        down, steps=(MoveAxis(id="low", q=(0.0, 1.2, 0.9, 0.0, 0.5, 0.0), speed="20%"), *down.steps)
    )
    with pytest.raises(InputError, match=r"the check of .* failed"):
        runtime.start_run(low)
    with pytest.raises(InputError, match="mode is 'sideways'"):
        runtime.start_run(program, mode="sideways")
    with pytest.raises(InputError, match="does not run rapid; it accepts sampled paths"):
        runtime.start_run(down, mode="uploaded")


def test_single_steps_and_a_run_from_the_middle(runtime: CellRuntime) -> None:
    robot = runtime.robot("irb120")
    program = there_and_back(runtime, "there", 0.3, "40%")
    q = robot.q()
    run = runtime.start_run(program, single=True)
    wait_for(lambda: run.status == "paused", "the pause after the first step")
    assert robot.q()[0] == pytest.approx(q[0] + 0.3, abs=1e-6)
    run.step()
    wait_for(lambda: robot.state.outputs["tray full"] and run.status == "paused", "the second step")
    run.stop()
    assert run.wait(60.0) == "stopped"
    run = runtime.start_run(program, start_at="wait")
    assert run.wait(60.0) == "done", run.message
    assert [event.step for event in run.events if event.kind == "step"] == ["wait", "back"]
    assert np.abs(robot.q() - q).max() < 1e-6
    with pytest.raises(InputError, match="no step"):
        runtime.start_run(program, start_at="nowhere")
    with pytest.raises(InputError, match="as they are now"):
        runtime.start_run(program, start_at="wait", report=runtime.check(program))
    with pytest.raises(InputError, match="runs once"):
        runtime.start_run(program, mode="uploaded", single=True)


def test_from_the_middle_parts_are_where_they_were_left(runtime: CellRuntime) -> None:
    sort = runtime.programs["sort_cubes"]
    run = runtime.start_run(sort)
    wait_for(lambda: any(event.message == "grasped cube 1" for event in run.events), "the first cube")
    run.stop()
    assert run.wait(60.0) == "stopped"
    assert runtime.left.in_hand("irb120/arm") == ("cube 1",)
    other = CellRuntime(runtime.cell, virtual=False, parts=runtime.left)
    assert other.left.in_hand("irb120/arm") == ("cube 1",)
    other.close()
    opens = Program(name="opens", robot="irb120", steps=(Tool(id="open", state="open"),))
    run = runtime.start_run(opens, start_at="open")
    assert run.wait(60.0) == "done", run.message
    assert [event.message for event in run.events if event.kind == "tool"] == ["let go of cube 1"]
