"""A run that begins again when it ends is checked as such: what was not checked never moves."""

from collections.abc import Iterator

import numpy as np
import pytest
from running_cells import wait_for

from openpendant.errors import InputError
from openpendant.runtime import CellRuntime, RemoteRobot
from walled_cell import ABOVE_LEFT, ABOVE_RIGHT, LEFT, OVER, RIGHT, ROBOT, WALLED, crossing

UP_AND_DOWN = crossing("up_and_down", LEFT, ABOVE_LEFT)
"""On one side of the wall: clear, however often it is repeated."""


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    with CellRuntime(WALLED, virtual=False) as made:
        made.robot(ROBOT).wait_ready()
        yield made


@pytest.fixture
def robot(runtime: CellRuntime) -> RemoteRobot:
    """At rest, left of the wall."""
    found = runtime.robot(ROBOT)
    found.wait_ready()
    go(found, *((ABOVE_RIGHT, ABOVE_LEFT) if found.q()[0] > 0.0 else ()), LEFT)
    return found


def go(robot: RemoteRobot, *through: tuple[float, ...]) -> None:
    for q in through:
        assert robot.move_joints(q).reached


def test_a_loop_whose_way_back_touches_something_never_begins(runtime: CellRuntime, robot: RemoteRobot) -> None:
    once = runtime.check(OVER)
    assert once.clear
    with pytest.raises(InputError, match="step 1 fails in round 2: abb/link_4 touches wall"):
        runtime.start_run(OVER, loop=True)
    with pytest.raises(InputError, match="check"):
        runtime.start_run(OVER, loop=True, report=once)
    assert np.abs(robot.q() - np.array(LEFT)).max() < 1e-6
    assert runtime.run(OVER, report=once).status == "done"


def test_a_loop_from_the_middle_is_refused_for_a_step_before_it(runtime: CellRuntime, robot: RemoteRobot) -> None:
    go(robot, ABOVE_LEFT, ABOVE_RIGHT, RIGHT)
    assert runtime.check(OVER, start_at="s4").clear
    with pytest.raises(InputError, match="step 1 fails in round 2"):
        runtime.start_run(OVER, loop=True, start_at="s4")
    assert np.abs(robot.q() - np.array(RIGHT)).max() < 1e-6


def test_a_loop_that_is_clear_goes_round_until_it_is_stopped(runtime: CellRuntime, robot: RemoteRobot) -> None:
    run = runtime.start_run(UP_AND_DOWN, loop=True)
    wait_for(lambda: sum(event.kind == "loop" for event in run.events) >= 2, "the third round")
    runtime.stop()
    assert run.wait(60.0) == "stopped", run.message


def test_a_controller_runs_a_program_once(runtime: CellRuntime, robot: RemoteRobot) -> None:
    with pytest.raises(InputError, match="runs once"):
        runtime.start_run(OVER, mode="uploaded", loop=True)
