"""Nothing moves without somebody who is there: late, stalled and deaf links, people who leave, control given away."""

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from held_checks import HeldChecks, held_checks

import openpendant as op
from bad_link import BadLink, bad_link
from openpendant.client import ClientProject
from openpendant.errors import InputError, LinkError, OpenPendantError
from openpendant.messages import JointIntent, Pose
from openpendant.messages.operation import RunStatus
from openpendant.messages.project import Hello
from openpendant.programs import MoveAxis, Program
from openpendant.scene import Add, CellRobot, Move
from openpendant.server import create_app, serving
from unsafe import promise

pytestmark = [pytest.mark.live, pytest.mark.timeout(180)]
ROBOT, ARM = "irb120", "irb120/arm"
STEPS = tuple(MoveAxis(id=f"s{i}", q=((-1.0) ** i * 0.8, 0.0, 0.0, 0.0, 0.5, 0.0), speed="15%") for i in range(2))
SWING = Program(name="swing", robot=ROBOT, steps=STEPS)
JOG = (0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
REST_S = 1.0
"""More than enough for an arm at these speeds to come to rest, and for a word of it to arrive."""


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HeldChecks]:
    with held_checks(tmp_path_factory.mktemp("held")) as held:
        yield held


@pytest.fixture(scope="module")
def url(checks: HeldChecks, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(create_app(projects=tmp_path_factory.mktemp("projects"))) as url:
        yield url


@pytest.fixture(scope="module")
def link(url: str) -> Iterator[BadLink]:
    with bad_link(url) as link:
        yield link


@pytest.fixture(scope="module")
def bob(url: str) -> Iterator[ClientProject]:
    """Somebody who looks on."""
    studio = op.connect(url, name="bob")
    with studio.open(studio.create("presence", "pick_and_place")) as project:
        project.add_program(SWING)
        project.robots.start({ROBOT: "kinematic"})
        project.robots.wait_ready(ROBOT)
        yield project
        project.robots.end()


@pytest.fixture
def ann(bob: ClientProject, link: BadLink) -> Iterator[ClientProject]:
    """Somebody at the end of a link that may be bad."""
    link.delay_s = 0.0
    link.flowing.set()
    bob.robots.stop()
    if bob.robots.has(ROBOT):
        bob.robots.give_control(ROBOT)
    sees(bob, lambda: bob.robots.status(ROBOT).holder == "")
    project = op.connect(link.url, name="ann").open(bob.id)
    yield project
    link.delay_s = 0.0
    link.flowing.set()
    project.close()


def sees(project: ClientProject, look: Callable[[], bool], within_s: float = 30.0) -> None:
    project.wait(lambda: True if look() else None, within_s)


def run_of(project: ClientProject) -> RunStatus:
    assert project.robots.run_status is not None
    return project.robots.run_status


def base(project: ClientProject) -> float:
    return project.robots.joints().measured[ARM][0]


class Hand:
    """Jogs in a thread, as a page does in its frames, until it lets go."""

    def __init__(self, project: ClientProject, sign: float = 1.0) -> None:
        self._held = threading.Event()
        self._held.set()
        velocity = tuple(sign * one for one in JOG)

        def jog() -> None:
            while self._held.is_set():
                project.robots.intend(ROBOT, JointIntent(source="", stamp_ns=0, velocity=velocity))
                time.sleep(0.016)

        self._thread = threading.Thread(target=jog, daemon=True)
        self._thread.start()

    def let_go(self) -> None:
        self._held.clear()
        self._thread.join()


def in_vain(project: ClientProject) -> threading.Thread:
    """Ask for a run that does not come about."""

    def run() -> None:
        with suppress(OpenPendantError):
            project.robots.run("swing")

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def rests_at(project: ClientProject, within_s: float) -> float:
    sees(project, lambda: not project.robots.status(ROBOT).moving, within_s)
    return base(project)


def stays(project: ClientProject, q: float, for_s: float) -> None:
    end = time.monotonic() + for_s
    while time.monotonic() < end:
        promise(abs(base(project) - q) < 1e-3, "it moves")
        time.sleep(0.01)


def test_what_is_two_seconds_late_moves_nothing(ann: ClientProject, bob: ClientProject, link: BadLink) -> None:
    ann.robots.engage(ROBOT)
    q = base(bob)
    link.delay_s = 2.0
    hand = Hand(ann)
    time.sleep(1.0)
    hand.let_go()
    # Its words arrive a second from now, and for a second: long after it has let go.
    stays(bob, q, 3.0)


@pytest.mark.parametrize("stall_s", [0.2, 0.5])
def test_a_burst_after_a_stall_begins_nothing(
    ann: ClientProject, bob: ClientProject, link: BadLink, stall_s: float
) -> None:
    sign = -1.0 if base(bob) > 0.0 else 1.0
    ann.robots.engage(ROBOT)
    hand, q = Hand(ann, sign), base(bob)
    sees(bob, lambda: abs(base(bob) - q) > 0.05)
    link.flowing.clear()
    hand.let_go()
    q = base(bob)
    stalled = rests_at(bob, REST_S)
    assert abs(stalled - q) < 0.5 * (0.15 + 0.3)
    time.sleep(stall_s)
    link.flowing.set()
    stays(bob, stalled, 0.5)


@pytest.mark.parametrize("protocol", [2, 1])
def test_who_goes_deaf_in_a_run_has_stopped_it(
    ann: ClientProject, bob: ClientProject, link: BadLink, monkeypatch: pytest.MonkeyPatch, protocol: int
) -> None:
    older = lambda **values: Hello(**{**values, "protocol": protocol})  # noqa: E731
    monkeypatch.setattr("openpendant.client.project.Hello", older)
    with op.connect(link.url, name="eve").open(bob.id) as eve:
        eve.robots.run("swing", loop=True)
        sees(bob, lambda: bob.robots.status(ROBOT).moving)
        # As long as the link is good it goes on.
        time.sleep(2.0)
        assert bob.robots.run_status is not None
        assert bob.robots.run_status.status == "running"
        link.flowing.clear()
        began = time.monotonic()
        sees(bob, lambda: bob.robots.run_status is not None and bob.robots.run_status.status == "stopped", 10.0)
        rests_at(bob, REST_S)
        assert time.monotonic() - began < 1.5 + REST_S + 0.5
        assert bob.robots.status(ROBOT).holder == ""
        said = "nothing received from eve for 1.5 s"
        assert bob.robots.run_status.message == said
        sees(bob, lambda: any((one.kind, one.message) == ("silent", said) for one in bob.robots.events))
        # The server waits for nothing that it had still to send.
        sees(bob, lambda: "eve" not in [person.name for person in bob.people], 5.0)
        link.flowing.set()
        # Who hears again learns why.
        with pytest.raises(LinkError, match=re.escape(said)):
            sees(eve, lambda: False, 10.0)


class Frozen:
    """A presence that never says anything, as that of a page which draws no frames; its link answers all the same."""

    def __init__(self, needed: Callable[[], bool], say: Callable[[], None]) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize("how", ["deaf", "frozen"])
def test_a_run_does_not_begin_for_somebody_who_is_gone(
    ann: ClientProject,
    bob: ClientProject,
    link: BadLink,
    checks: HeldChecks,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    q = rests_at(bob, 10.0)
    with monkeypatch.context() as patch:
        if how == "frozen":
            patch.setattr("openpendant.client.project.PresenceThread", Frozen)
        eve = op.connect(link.url, name="eve").open(bob.id)
    checks.begin("slow")
    running = in_vain(eve)
    sees(bob, lambda: run_of(bob).status == "checking")
    time.sleep(1.0)
    if how == "deaf":
        link.flowing.clear()
    # Its socket stays open, and nothing tells that nobody is behind it any more.
    time.sleep(2.0)
    assert run_of(bob).status == "checking"
    checks.end()
    moved: list[float] = []
    sees(bob, lambda: moved.append(abs(base(bob) - q)) or run_of(bob).status not in ("checking", "running"))
    assert max(moved) < 1e-3
    assert (run_of(bob).status, run_of(bob).message) == (
        "failed",
        "swing was not started: nothing received from eve for 1.5 s",
    )
    stays(bob, q, 1.0)
    link.flowing.set()
    running.join(30.0)
    eve.close()


def test_a_paused_run_goes_on_only_for_somebody_who_is_there(
    ann: ClientProject, bob: ClientProject, link: BadLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("openpendant.client.project.PresenceThread", Frozen)
        eve = op.connect(link.url, name="eve").open(bob.id)
    with eve:
        bob.robots.run("swing", loop=True)
        sees(bob, lambda: bob.robots.status(ROBOT).moving)
        bob.robots.pause()
        sees(bob, lambda: run_of(bob).status == "paused")
        q = rests_at(bob, REST_S)
        eve.robots.request_control(ROBOT)
        sees(bob, lambda: bool(bob.robots.status(ROBOT).asking))
        bob.robots.give_control(ROBOT, bob.robots.status(ROBOT).asking[0])
        for act in (eve.robots.resume, eve.robots.step):
            with pytest.raises(InputError, match=re.escape("nothing received from eve for 1.5 s")):
                act()
        stays(bob, q, 1.0)
        assert run_of(bob).status == "paused"


def test_words_that_may_be_of_any_age_do_not_show_that_somebody_is_there(
    ann: ClientProject, bob: ClientProject, link: BadLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever answers no ping has a clock that nobody knows: what they say may have been held up for long.
    monkeypatch.setattr("openpendant.client.project.Ping", type("Unheard", (), {}))
    with op.connect(link.url, name="eve").open(bob.id) as eve:
        why = "nothing received from eve for 1.5 s"
        with pytest.raises(InputError, match=f"swing was not started: {re.escape(why)}"):
            eve.robots.run("swing", loop=True)
        eve.robots.give_control(ROBOT)
        # Whoever is given a run that goes on must show it too.
        bob.robots.run("swing", loop=True)
        sees(bob, lambda: bob.robots.status(ROBOT).moving)
        eve.robots.request_control(ROBOT)
        sees(bob, lambda: bool(bob.robots.status(ROBOT).asking))
        began = time.monotonic()
        bob.robots.give_control(ROBOT, bob.robots.status(ROBOT).asking[0])
        sees(bob, lambda: run_of(bob).status == "stopped", 10.0)
        rests_at(bob, REST_S)
        assert time.monotonic() - began < 1.5 + REST_S + 0.5
        assert run_of(bob).message == why


def test_who_leaves_before_a_run_has_begun_has_cancelled_it(
    ann: ClientProject, bob: ClientProject, link: BadLink
) -> None:
    bob.edit_cell(Move(name="cube 3", pose=Pose(xyz=(0.3, 0.3, 0.5), wxyz=(1.0, 0.0, 0.0, 0.0))))
    sees(bob, lambda: bob.robots.now.stale)
    running = in_vain(ann)
    sees(bob, lambda: bob.robots.now.state == "starting")
    ann.close()
    running.join(30.0)
    sees(bob, lambda: bob.robots.now.state == "on", 120.0)
    bob.robots.wait_ready(ROBOT)
    run = bob.robots.run_status
    assert run is not None
    assert (run.status, run.message) == ("stopped", "swing was stopped before it started: ann has left")
    stays(bob, base(bob), 1.0)
    assert bob.robots.status(ROBOT).holder == ""
    # A stop says what it has cancelled, and of which robots it knows nothing.
    bob.undo()
    with op.connect(link.url, name="eve").open(bob.id) as eve:
        running = in_vain(bob)
        sees(eve, lambda: eve.robots.now.state == "starting")
        (stop,) = eve.robots.stop()
        assert stop.reached or stop.reason
        assert eve.robots.stopped is not None
        assert eve.robots.stopped.cancelled == "swing"
    running.join(120.0)
    run = bob.robots.run_status
    assert run is not None
    assert (run.status, run.message) == ("stopped", "swing was stopped before it started")


def test_a_run_goes_on_under_another_but_not_under_nobody(ann: ClientProject, bob: ClientProject) -> None:
    ann.robots.run("swing", loop=True)
    sees(bob, lambda: bob.robots.status(ROBOT).moving)
    bob.robots.request_control(ROBOT)
    sees(ann, lambda: bool(ann.robots.status(ROBOT).asking))
    ann.robots.give_control(ROBOT, ann.robots.status(ROBOT).asking[0])
    sees(bob, lambda: bob.robots.has(ROBOT))
    ann.close()
    time.sleep(2.0)
    assert bob.robots.run_status is not None
    assert bob.robots.run_status.status == "running"
    bob.robots.give_control(ROBOT)
    sees(bob, lambda: bob.robots.run_status is not None and bob.robots.run_status.status == "stopped", 10.0)
    rests_at(bob, REST_S)
    assert bob.robots.run_status.message == "bob has handed over control"


def robot_pids() -> list[int]:
    """Return the processes of robots that this one has started."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and b"openpendant.runtime.robot" in (entry / "cmdline").read_bytes():
                parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
                found += [int(entry.name)] if int(parent) == os.getpid() else []
    return found


def test_a_stop_that_reaches_nobody_is_not_called_done(ann: ClientProject, bob: ClientProject) -> None:
    (stop,) = bob.robots.stop()
    assert (stop.robot, stop.reached) == (ROBOT, True)
    assert stop.rest_ms is not None
    assert stop.distance_mm is not None
    (pid,) = robot_pids()
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(InputError, match=f"the stop has not reached {ROBOT}"):
            ann.robots.stop()
        assert ann.robots.stopped is not None
        assert [one.reached for one in ann.robots.stopped.robots] == [False]
    finally:
        os.kill(pid, signal.SIGCONT)
    bob.robots.wait_ready(ROBOT)


def test_the_limit_of_speed_is_set_and_lifted_by_whoever_has_control(ann: ClientProject, bob: ClientProject) -> None:
    ann.robots.set_reduced(ROBOT, reduced=True)
    sees(bob, lambda: bob.robots.status(ROBOT).reduced)
    with pytest.raises(InputError, match="ann has control"):
        bob.robots.set_reduced(ROBOT, reduced=False)
    ann.robots.set_reduced(ROBOT, reduced=False)
    sees(bob, lambda: not bob.robots.status(ROBOT).reduced)


def test_a_jog_does_not_take_another_robot_out_of_its_run(ann: ClientProject, bob: ClientProject) -> None:
    pose = Pose(xyz=(3.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))
    bob.edit_cell(Add(section="robots", item=CellRobot(name="second", model="rx90l", pose=pose)))
    ann.robots.run("swing", loop=True)
    sees(bob, lambda: bob.robots.status(ROBOT).moving and bob.robots.status("second").ready, 60.0)
    bob.edit_cell(Move(name="second", pose=Pose(xyz=(3.5, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))))
    with pytest.raises(InputError, match="must restart before second can move; swing is running"):
        bob.robots.engage("second")
    assert bob.robots.run_status is not None
    assert bob.robots.run_status.status == "running"
    ann.robots.stop()
    sees(ann, lambda: ann.robots.run_status is not None and ann.robots.run_status.status == "stopped")
    with pytest.raises(InputError, match="must restart before irb120 can move; bob has control of second"):
        ann.robots.run("swing")
