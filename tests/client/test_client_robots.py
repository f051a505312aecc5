"""Running robots from Python, through a real server: everything the page's Operate does."""

import time

import pytest

import openpendant as op
from openpendant.errors import InputError
from openpendant.messages import JointIntent, Pose, PoseIntent, TwistIntent
from openpendant.programs import MoveAxis, Program, Wait
from openpendant.server import create_app, serving

pytestmark = pytest.mark.live

SWING = Program(
    name="swing",
    robot="irb120",
    steps=(MoveAxis(id="s1", q=(1.0, 0.0, 0.0, 0.0, 0.5, 0.0), speed="20%"), Wait(id="s2", seconds=0.05)),
)
SLOW = Program(name="slow", robot="irb120", steps=(MoveAxis(id="s1", q=(-0.8, 0.0, 0.0, 0.0, 0.5, 0.0), speed="5%"),))
"""Far away from where any other program here ends: it takes seconds."""

SPIN = (0.0, 0.0, 0.0, 0.0, 0.0, 0.5)


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with serving(create_app(projects=tmp_path_factory.mktemp("projects"))) as url:
        yield url


@pytest.fixture(scope="module")
def project(url):
    studio = op.connect(url, name="ann")
    with studio.open(studio.create("robots", "pick_and_place")) as project:
        project.add_program(SWING)
        project.add_program(SLOW)
        assert project.robots.start({"irb120": "kinematic"}).state == "on"
        project.robots.wait_ready("irb120")
        yield project
        project.robots.end()
        assert project.robots.now.state == "off"


def wait_until(condition):
    end = time.monotonic() + 30.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_run_is_paused_resumed_and_ends_where_it_should(project):
    robots = project.robots
    robots.take_control("irb120")
    assert robots.has("irb120")
    robots.run("swing")
    wait_until(lambda: robots.joints().measured["irb120/arm"][0] > 0.1)
    robots.pause()
    wait_until(lambda: robots.run_status.status == "paused")
    robots.set_speed(1.0)
    robots.resume()
    end = robots.wait_for_end()
    assert end.status == "done", end.message
    wait_until(lambda: abs(robots.joints().measured["irb120/arm"][0] - 1.0) < 1e-3)
    assert any((event.kind, event.about, event.who) == ("person", "run", "ann") for event in robots.events)


def test_a_program_is_gone_through_step_by_step(project):
    robots = project.robots
    robots.take_control("irb120")
    robots.run("swing", from_step="s1", single=True)
    wait_until(lambda: robots.run_status.status == "paused")
    robots.step()
    assert robots.wait_for_end().status == "done"


def test_another_may_watch_ask_and_stop_but_not_drive(project, url):
    robots = project.robots
    robots.take_control("irb120")
    other = op.connect(url, name="bob")
    with other.open(project.id) as theirs:
        with pytest.raises(InputError, match="ann"):
            theirs.robots.take_control("irb120")
        theirs.robots.request_control("irb120")
        wait_until(lambda: len(robots.status("irb120").asking) == 1)
        start = robots.joints().measured["irb120/arm"][0]
        robots.run("slow")
        wait_until(lambda: abs(robots.joints().measured["irb120/arm"][0] - start) > 0.05)
        theirs.robots.stop()
        end = robots.wait_for_end()
        assert end.status == "stopped", end.message
        wait_until(lambda: any((one.kind, one.about, one.who) == ("person", "stop", "bob") for one in robots.events))
        assert robots.joints().measured["irb120/arm"][0] > -0.7, "it went on to its end"
        robots.give_control("irb120", robots.status("irb120").asking[0])
        wait_until(lambda: theirs.robots.has("irb120"))
    # Who had control has left.
    wait_until(lambda: robots.status("irb120").holder == "")


def test_jogging_and_what_is_not_there(project):
    robots = project.robots
    robots.take_control("irb120", take_over=True)
    robots.engage("irb120", "arm")
    before = robots.joints().measured["irb120/arm"]
    end = time.monotonic() + 20.0
    while abs(robots.joints().measured["irb120/arm"][5] - before[5]) < 0.02:
        assert time.monotonic() < end
        robots.intend("irb120", JointIntent(source="", stamp_ns=0, velocity=SPIN))
        time.sleep(0.02)
    robots.stop()
    with pytest.raises(InputError, match="nothing"):
        robots.status("nothing")
    with pytest.raises(InputError, match="no program"):
        robots.pause()


NAN, INFINITE = float("nan"), float("inf")
NONSENSE = (
    JointIntent(source="", stamp_ns=0, velocity=(NAN, 0.0, 0.0, 0.0, 0.0, 0.0)),
    JointIntent(source="", stamp_ns=0, velocity=(INFINITE, 0.0, 0.0, 0.0, 0.0, 0.0)),
    JointIntent(source="", stamp_ns=0, velocity=SPIN, scale=NAN),
    JointIntent(source="", stamp_ns=0, target=(NAN, 0.0, 0.0, 0.0, 0.0, 0.0)),
    TwistIntent(source="", stamp_ns=0, linear=(0.0, NAN, 0.0)),
    PoseIntent(source="", stamp_ns=0, pose=Pose(xyz=(0.3, 0.0, INFINITE), wxyz=(1.0, 0.0, 0.0, 0.0)), relative=False),
    PoseIntent(source="", stamp_ns=0, pose=Pose(xyz=(0.3, 0.0, 0.4), wxyz=(0.0, 0.0, 0.0, 0.0)), relative=False),
)


def test_intents_that_are_no_numbers_or_lie_beyond_limits_move_nothing(project):
    robots = project.robots
    robots.take_control("irb120", take_over=True)
    robots.engage("irb120", "arm")
    before = robots.joints().measured["irb120/arm"]
    seen = len(robots.events)
    for intent in NONSENSE:
        for _ in range(3):
            robots.intend("irb120", intent)
    # These reach the robot, after all that came before them, and the robot says what is wrong with them.
    for intent, words in (
        (JointIntent(source="", stamp_ns=0, velocity=SPIN[:5]), "6 finite"),
        (JointIntent(source="", stamp_ns=0, target=(50.0, 0.0, 0.0, 0.0, 0.5, 0.0)), "50"),
    ):
        robots.engage("irb120", "arm")

        # Again and again, as from a button that is held: a sample that comes 150 ms late is dropped.
        def reported(intent=intent, words=words):
            robots.intend("irb120", intent)
            return any(words in event.message for event in robots.events[seen:])

        wait_until(reported)
    assert robots.joints().measured["irb120/arm"] == before
    assert not robots.status("irb120").moving

    # It was ready to move all the time.
    def moved() -> bool:
        robots.intend("irb120", JointIntent(source="", stamp_ns=0, velocity=SPIN))
        return abs(robots.joints().measured["irb120/arm"][5] - before[5]) > 0.02

    wait_until(moved)
    robots.stop()


def test_outputs_and_the_tool_are_worked_by_name(project):
    robots = project.robots
    robots.take_control("irb120", take_over=True)
    for on in (True, False):
        robots.switch("irb120", "tray full", on=on)
        wait_until(lambda on=on: robots.status("irb120").outputs["tray full"] == on)
    robots.set_tool("irb120", 0.0, closes=True)
    wait_until(lambda: robots.status("irb120").outputs["grip"] and robots.status("irb120").openings["arm"] < 1e-6)
    robots.set_tool("irb120", 0.025)
    wait_until(lambda: not robots.status("irb120").outputs["grip"] and robots.status("irb120").openings["arm"] > 0.0249)
    with pytest.raises(InputError, match="no output named 'cubes ready'"):
        robots.switch("irb120", "cubes ready", on=True)
