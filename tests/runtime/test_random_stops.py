"""STOP by another client at random moments of runs in real time: every run ends, nothing starts afterwards."""

import random
import time
from collections.abc import Iterator

import numpy as np
import pytest
from running_cells import one_robot, wait_for

from openpendant.programs import MoveAxis, Program, Wait
from openpendant.runtime import Bus, CellLink, CellRuntime
from unsafe import promise

HOME = (0.0, 0.0, 0.0, 0.0, 0.5, 0.0)
THERE = (0.12, 0.0, 0.0, 0.0, 0.5, 0.0)
NOTHING_RAD = 4e-5
"""An arm counts as resting below 0.01 rad/s; so far it gets in another tick."""


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    with CellRuntime(one_robot("irb120"), virtual=False, start={"arm": {"arm": HOME}}) as made:
        yield made


@pytest.fixture(scope="module")
def other(runtime: CellRuntime) -> Iterator[CellLink]:
    with Bus.join(runtime.endpoint) as session:
        link = CellLink(session, runtime.cell.name, "other")
        wait_for(lambda: link.report("arm") is not None, "a report")
        yield link
        link.close()


def shuttle() -> Program:
    """Short moves that settle again and again, and waits between them."""
    steps = tuple(
        step
        for turn in range(3)
        for step in (
            MoveAxis(id=f"there{turn}", q=THERE, speed="100%"),
            Wait(id=f"wait{turn}", seconds=0.02),
            MoveAxis(id=f"back{turn}", q=HOME, speed="100%"),
        )
    )
    return Program(name="shuttle", robot="arm", steps=steps)


def stop_somewhere(runtime: CellRuntime, other: CellLink, after_s: float) -> None:
    robot = runtime.robot("arm")
    assert robot.move_joints(HOME).reached
    program = shuttle()
    report = runtime.check(program)
    run = runtime.start_run(program, report=report)
    time.sleep(after_s)
    before = _last_stop(runtime)
    outcome = other.halt(("arm",))["arm"]
    assert outcome.reached, outcome
    assert outcome.rest_s is not None, outcome
    ended = run.wait(5.0) in ("stopped", "done")
    promise(ended, f"after {after_s:.3f} s it is {run.state}: {run.message}; the robot's log: {robot.events[-8:]}")
    q = _q(other)
    wait_for(lambda: _last_stop(runtime) > before, "the stop in the log")
    time.sleep(0.15)
    promise(np.abs(_q(other) - q).max() < NOTHING_RAD, "it moves after a stop")
    stop = _last_stop(runtime)
    started = [event for event in robot.events if event.kind == "job started" and event.number > stop]
    promise(not started, f"something started after the stop: {started}")
    assert robot.state.arms["arm"].outcome not in ("running", "paused")


def _q(link: CellLink) -> np.ndarray:
    """Return the joints as whoever stopped knows them; what the other client has heard last may be older."""
    report = link.report("arm")
    assert report is not None
    return np.array(report.arms["arm"].q)


def _last_stop(runtime: CellRuntime) -> int:
    """Return the number of the newest stop in the robot's log, which comes later than the answer to it; 0: none."""
    return max((event.number for event in runtime.robot("arm").events if event.kind == "halt"), default=0)


def test_another_client_stops_runs_at_random_moments(runtime: CellRuntime, other: CellLink) -> None:
    chance = random.Random(7)
    for _ in range(10):
        stop_somewhere(runtime, other, chance.uniform(0.0, 1.6))


@pytest.mark.soak
def test_another_client_stops_runs_at_five_hundred_moments(runtime: CellRuntime, other: CellLink) -> None:
    chance = random.Random(8)
    for _ in range(500):
        stop_somewhere(runtime, other, chance.uniform(0.0, 1.6))
