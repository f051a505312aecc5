"""STOP from Python while the stop service hangs: it waits for nothing, and nothing of it comes later."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np
import pytest

import openpendant as op
from openpendant.client import ClientProject
from openpendant.controllers import stop_time_s
from openpendant.motion import joint_limits
from openpendant.programs import MoveAxis, Program
from openpendant.scene import Add, CellRobot
from openpendant.server import create_app, serving
from openpendant.server.stop_supervisor import StopSupervisor

pytestmark = pytest.mark.live
MODEL = "irb120"
START = (-1.2, 0.0, 0.0, 0.0, 0.5, 0.0)
STOP_S = 0.3
"""From the call to the first slower setpoint, on top of the time that the arm needs."""
BUSY_S = 0.2
"""So much more beside other tests."""
ANSWERED_S = 3.0
"""The server answers once it has seen the robots at rest, within two seconds."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[StopSupervisor, str]]:
    made = create_app(projects=tmp_path_factory.mktemp("projects"))
    with serving(made) as url:
        yield made.state.stops, url


@pytest.fixture(scope="module")
def ann(served: tuple[StopSupervisor, str]) -> Iterator[ClientProject]:
    studio = op.connect(served[1], name="ann")
    with studio.open(studio.create("hanging service")) as project:
        project.edit_cell(Add(section="robots", item=CellRobot(name=MODEL, model=MODEL, joints={"arm": START})))
        ends = [(base, *START[1:]) for base in (1.2, -1.2)]
        steps = tuple(MoveAxis(id=f"m{number}", q=q, speed="60%") for number, q in enumerate(ends))
        project.add_program(Program(name="swing", robot=MODEL, steps=steps))
        project.robots.start({MODEL: "kinematic"})
        project.robots.wait_ready(MODEL)
        yield project
        project.robots.end()


@contextmanager
def hanging(stops: StopSupervisor) -> Iterator[None]:
    """Suspend the stop service; five seconds later its supervisor would end it."""
    deadline = time.monotonic() + 30.0
    while (pid := stops.pid) is None:
        assert time.monotonic() < deadline, "there is no stop service"
        time.sleep(0.01)
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def base(project: ClientProject) -> tuple[float, float]:
    now = project.robots.joints()
    return now.time_s, now.measured[f"{MODEL}/arm"][0]


def swing(project: ClientProject) -> float:
    """Run to and fro; return the speed of the base once it is fast, rad/s."""
    project.robots.run("swing", loop=True)
    end = time.monotonic() + 30.0
    before = base(project)
    while True:
        assert time.monotonic() < end, project.robots.run_status
        time.sleep(0.02)
        now = base(project)
        if now[0] - before[0] > 0.015:
            speed, before = abs(now[1] - before[1]) / (now[0] - before[0]), now
            if speed > 1.0:
                return speed


def rest_s(project: ClientProject, since_s: float) -> float:
    """Watch for a second and a half; return how long after `since_s` the base still moved."""
    times, places = [], []
    while not times or times[-1] < since_s + 1.5:
        t, q = base(project)
        if not times or t > times[-1]:
            times.append(t)
            places.append(q)
        time.sleep(0.002)
    moving = np.flatnonzero(np.abs(np.array(places) - places[-1]) > 1e-3)
    return float(times[moving[-1]] - since_s) if len(moving) else 0.0


def test_a_stop_does_not_wait_for_a_service_that_hangs(served: tuple[StopSupervisor, str], ann: ClientProject) -> None:
    stops, url = served
    speed = swing(ann)
    with hanging(stops):
        # Whoever opens the project now has no connection to the service.
        bob = op.connect(url, name="bob").open(ann.id)
        told: list[object] = []

        def stop() -> None:
            told.extend(bob.robots.stop())
            told.append(time.monotonic())

        stopping = threading.Thread(target=stop)
        began = time.monotonic()
        stopping.start()
        took = rest_s(ann, began)
        stop_limits = joint_limits(op.load(MODEL), "arm").stop
        one = slice(0, 1)
        top = max(speed, 0.6 * float(joint_limits(op.load(MODEL), "arm").velocity[0]))
        needs_s = stop_time_s(np.array([top]), stop_limits.deceleration[one], stop_limits.jerk[one])
        assert took <= STOP_S + needs_s + BUSY_S
        stopping.join(20.0)
        robot, answered = told
        assert (robot.robot, robot.reached) == (MODEL, True)  # type: ignore[attr-defined]
        assert robot.rest_ms is not None  # type: ignore[attr-defined]
        assert answered - began < ANSWERED_S  # type: ignore[operator]
        assert ann.robots.wait_for_end(10.0).status == "stopped"
        swing(ann)
    # The service lives again, and bob's connection to it opens: the stop of before is not sent any more.
    end = time.monotonic() + 2.0
    while time.monotonic() < end:
        run = ann.robots.run_status
        assert run is not None
        assert run.status == "running", run.message
        time.sleep(0.01)
    bob.robots.stop()
    bob.close()


def test_closing_does_not_wait_for_a_service_that_hangs(served: tuple[StopSupervisor, str], ann: ClientProject) -> None:
    stops, url = served
    with hanging(stops):
        bob = op.connect(url, name="bob").open(ann.id)
        began = time.monotonic()
        bob.close()
        assert time.monotonic() - began < 1.0
        eve = op.connect(url, name="eve").open(ann.id)
        eve.robots.stop()
        began = time.monotonic()
        eve.close()
        assert time.monotonic() - began < 1.0


def test_both_ways_hear_of_a_stop(served: tuple[StopSupervisor, str], ann: ClientProject) -> None:
    stops, url = served
    heard: list[str] = []
    news, stops.on_stop = stops.on_stop, lambda one: (heard.append(one.client), news(one))[1]
    try:
        with op.connect(url, name="bob").open(ann.id) as bob:
            # Its connection to the service is opened beside, and the first stop may be over before it.
            end = time.monotonic() + 20.0
            while not heard:
                assert time.monotonic() < end
                (robot,) = bob.robots.stop()
                assert robot.reached
                time.sleep(0.05)
    finally:
        stops.on_stop = news
