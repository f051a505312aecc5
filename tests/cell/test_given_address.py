"""A UR3e whose address was given: what holds for it by default, by the state of its own controller."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from measuring import ArmSpeeds
from running_cells import one_robot, wait_for
from watching import Observer

from openpendant.cell import CellRuntime, RemoteRobot
from openpendant.messages import JointIntent
from openpendant.programs import MoveAxis, Program
from openpendant.virtual.launch import start_virtual

ADDRESS = "127.0.13.31"
REDUCED_M_S = 0.25
NOISE_M_S = 0.01
"""Of the measured velocities."""


@pytest.fixture(scope="module")
def observer() -> Iterator[Observer]:
    with start_virtual("ur3e", ADDRESS):
        made = Observer(ADDRESS)
        yield made
        made.close()


@pytest.fixture(scope="module")
def runtime(observer: Observer) -> Iterator[CellRuntime]:
    with CellRuntime(one_robot(), addresses={"arm": observer.address}, name="test") as made:
        made.robot("arm").wait_ready()
        yield made


@pytest.fixture
def robot(runtime: CellRuntime) -> RemoteRobot:
    return runtime.robot("arm")


def fastest_while(runtime: CellRuntime, observer: Observer, move: Callable[[], None]) -> float:
    """Largest speed of tool or elbow, m/s: what the controller wants and, but for noise, what it measures."""
    begun = time.monotonic()
    move()
    speeds = ArmSpeeds(runtime.scene.arm("arm"))
    seen = observer.since(begun)
    assert len(seen) > 50
    wanted = max(speeds.at(one.target_q, one.target_qd) for one in seen)
    measured = max(speeds.at(one.actual_q, one.actual_qd) for one in seen)
    return max(wanted, measured - NOISE_M_S)


def swing(robot: RemoteRobot, speed: str = "100%") -> Program:
    q = robot.q()
    rows = [q + by * np.array([1.0, -0.3, 0.3, 0.0, 0.0, 0.0]) for by in (0.05, 0.6, 0.0)]
    zones = ("fine", "z10", "fine")
    steps = [
        MoveAxis(id=f"m{k}", q=tuple(row.tolist()), speed=speed, zone=zone)
        for k, (row, zone) in enumerate(zip(rows, zones, strict=True))
    ]
    return Program(name="swing", robot="arm", steps=tuple(steps))


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_program_keeps_to_reduced_speed(
    runtime: CellRuntime, robot: RemoteRobot, observer: Observer, mode: str
) -> None:
    assert robot.reduced
    program = swing(robot)
    report = runtime.check(program)

    def run() -> None:
        made = runtime.start_run(program, mode=mode, report=report, reduced=False)
        assert made.wait(120.0) == "done", made.message

    fastest = fastest_while(runtime, observer, run)
    assert 0.1 < fastest < REDUCED_M_S


def test_an_uploaded_program_that_is_faster_is_stopped(
    runtime: CellRuntime, robot: RemoteRobot, tmp_path: Path
) -> None:
    robot.set_reduced(False)
    wait_for(lambda: not robot.reduced, "full speed")
    program = swing(robot, "30%")
    run = runtime.start_run(program, mode="uploaded")
    robot.set_reduced(True)
    assert run.wait(60.0) in ("held", "stopped", "failed"), run.status
    assert "250" in run.message
    robot.wait_rest()


def test_a_hand_needs_the_dead_man_switch(robot: RemoteRobot) -> None:
    start = robot.q()

    def jog(held: bool, seconds: float) -> str:
        job = robot.engage()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            intent = JointIntent(
                source=robot.client_id,
                stamp_ns=time.monotonic_ns(),
                velocity=(0.2, 0.0, 0.0, 0.0, 0.0, 0.0),
                dead_man=held,
            )
            robot.intend(intent)
            time.sleep(0.02)
        return job

    job = jog(held=False, seconds=0.5)
    assert robot.wait_job(job, within_s=10.0)[0] == "held"
    assert np.abs(robot.q() - start).max() < 0.003
    job = jog(held=True, seconds=0.8)
    wait_for(lambda: bool(robot.q()[0] > start[0] + 0.03), "a motion", 10.0)
    robot.stop()
    robot.wait_rest()
