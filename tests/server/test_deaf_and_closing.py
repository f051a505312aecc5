"""Stops where little is left to hear them: a client that is deaf behind a full socket, robots that are being ended."""

import threading
import time
from collections.abc import Iterator
from queue import Queue

import numpy as np
import pytest

import openpendant as op
from bad_link import BadLink, bad_link
from openpendant.client import ClientProject
from openpendant.errors import OpenPendantError
from openpendant.motion import Speed
from openpendant.programs import MoveAxis, Program
from openpendant.runtime import CellRuntime
from openpendant.scene import Add, CellRobot, SetField
from openpendant.server import create_app, serving
from unsafe import promise

pytestmark = [pytest.mark.live, pytest.mark.timeout(180)]
ROBOT = "irb120"
LEFT, RIGHT = (-0.8, 0.0, 0.0, 0.0, 0.5, 0.0), (0.8, 0.0, 0.0, 0.0, 0.5, 0.0)
SWING = Program(
    name="swing",
    robot=ROBOT,
    steps=tuple(MoveAxis(id=f"s{number}", q=q, speed="15%") for number, q in enumerate((LEFT, RIGHT))),
)
SILENT_S, REST_S = 1.5, 1.0
"""Until somebody who says nothing has nothing any more; more than an arm at this speed needs to rest, and to say so."""
LONG, EDITS = 3_500_000, 6
"""Characters of a note, and how often it is changed: 21 MB are more than a socket and its peer keep on loopback."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(create_app(projects=tmp_path_factory.mktemp("projects"))) as url:
        yield url


@pytest.fixture(scope="module")
def link(url: str) -> Iterator[BadLink]:
    with bad_link(url) as link:
        yield link


@pytest.fixture
def bob(url: str) -> Iterator[ClientProject]:
    studio = op.connect(url, name="bob")
    with studio.open(studio.create("stops")) as project:
        project.edit_cell(Add(section="robots", item=CellRobot(name=ROBOT, model=ROBOT, joints={"arm": LEFT})))
        project.add_program(SWING)
        project.robots.start({ROBOT: "kinematic"})
        project.robots.wait_ready(ROBOT)
        yield project
        if project.robots.now.state == "on":
            project.robots.end()


def base(project: ClientProject) -> float:
    return project.robots.joints().measured[f"{ROBOT}/arm"][0]


def stays(project: ClientProject, for_s: float) -> None:
    q, end = base(project), time.monotonic() + for_s
    while time.monotonic() < end:
        promise(abs(base(project) - q) < 1e-3, "it moves")
        time.sleep(0.01)


def test_who_is_deaf_behind_a_full_socket_has_stopped_its_run(bob: ClientProject, link: BadLink) -> None:
    eve = op.connect(link.url, name="eve").open(bob.id)
    try:
        eve.robots.take_control(ROBOT)
        eve.robots.run("swing", loop=True)
        bob.wait(lambda: bob.robots.status(ROBOT).moving or None, 30.0)
        link.reading.clear()
        link.flowing.clear()
        began = time.monotonic()
        for number in range(EDITS):
            bob.edit_cell(SetField(name="", field="notes", value=str(number) * LONG))
        bob.wait(lambda: ((run := bob.robots.run_status) is not None and run.status == "stopped") or None, 10.0)
        bob.wait(lambda: not bob.robots.status(ROBOT).moving or None, REST_S)
        took_s = time.monotonic() - began
        assert took_s < SILENT_S + REST_S + 0.5, f"at rest after {took_s:.2f} s"
        assert bob.robots.run_status is not None
        assert bob.robots.run_status.message == "nothing received from eve for 1.5 s"
        stays(bob, 0.5)
        # The server does not wait for what it had still to send.
        bob.wait(lambda: "eve" not in [person.name for person in bob.people] or None, 5.0)
        assert bob.robots.status(ROBOT).holder == ""
    finally:
        link.reading.set()
        link.flowing.set()
        eve.close()


def test_a_stop_reaches_robots_that_are_being_ended(bob: ClientProject, monkeypatch: pytest.MonkeyPatch) -> None:
    closing: Queue[CellRuntime] = Queue()
    go_on, close = threading.Event(), CellRuntime.close

    def late(runtime: CellRuntime) -> None:
        closing.put(runtime)
        assert go_on.wait(60.0)
        close(runtime)

    monkeypatch.setattr(CellRuntime, "close", late)
    ending = threading.Thread(target=bob.robots.end)
    ending.start()
    moved: list[object] = []
    try:
        robot = closing.get(timeout=30.0).robot(ROBOT)
        robot.acquire()

        def move() -> None:
            try:
                moved.append(robot.move_joints(RIGHT, speed=Speed(joint_fraction=0.15)))
            except OpenPendantError as error:
                moved.append(error)

        moving = threading.Thread(target=move)
        moving.start()
        until = time.monotonic() + 30.0
        while robot.q()[0] < LEFT[0] + 0.1:
            assert time.monotonic() < until, moved
            time.sleep(0.005)
        (told,) = bob.robots.stop()
        q = robot.q()
        promise(told.reached and told.rest_ms is not None, told)
        time.sleep(0.5)
        promise(float(np.abs(robot.q() - q).max()) < 1e-3, "it moves after a stop that was answered")
        assert q[0] < RIGHT[0] - 0.5
        moving.join(30.0)
        assert not getattr(moved[0], "reached", False), moved
    finally:
        go_on.set()
        ending.join(60.0)
    assert bob.robots.now.state == "off"
