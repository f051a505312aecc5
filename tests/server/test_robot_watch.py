"""What sees to the robots of a project meets an error: they are stopped, and looked after all the same."""

import time
from collections.abc import Callable, Iterator

import pytest

import openpendant as op
from openpendant.client import ClientProject
from openpendant.programs import MoveAxis, Program
from openpendant.server import create_app, serving
from openpendant.server.studio.presence import Presence

pytestmark = [pytest.mark.live, pytest.mark.timeout(180)]
ROBOT, ARM = "irb120", "irb120/arm"
STEPS = tuple(MoveAxis(id=f"s{i}", q=((-1.0) ** i * 0.8, 0.0, 0.0, 0.0, 0.5, 0.0), speed="15%") for i in range(2))
SWING = Program(name="swing", robot=ROBOT, steps=STEPS)
WHY = "internal error in the server while it watched the robots; see its log"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(create_app(projects=tmp_path_factory.mktemp("projects"))) as url:
        yield url


@pytest.fixture(scope="module")
def bob(url: str) -> Iterator[ClientProject]:
    """Somebody who looks on."""
    studio = op.connect(url, name="bob")
    with studio.open(studio.create("watched", "pick_and_place")) as project:
        project.add_program(SWING)
        project.robots.start({"irb120": "kinematic"})
        project.robots.wait_ready(ROBOT)
        yield project
        project.robots.end()


@pytest.fixture
def ann(bob: ClientProject, url: str) -> Iterator[ClientProject]:
    with op.connect(url, name="ann").open(bob.id) as project:
        yield project


def sees(project: ClientProject, look: Callable[[], bool], within_s: float = 30.0) -> None:
    project.wait(lambda: True if look() else None, within_s)


def status(project: ClientProject) -> tuple[str, str]:
    run = project.robots.run_status
    assert run is not None
    return run.status, run.message


@pytest.mark.parametrize(
    "what",
    [
        "openpendant.server.studio.presence.Presence.silent",
        "openpendant.server.studio.robot_watch.pack_joints",
        "openpendant.server.studio.operation.status_of",
    ],
)
def test_an_error_stops_the_robots_and_ends_nothing_else(
    ann: ClientProject, bob: ClientProject, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    ann.robots.run("swing", loop=True)
    sees(bob, lambda: bob.robots.status(ROBOT).moving)

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("broken on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(what, broken)
        # While it lasts, people may not be told how the run stands; the robots stop, and STOP works, all the same.
        (stop,) = ann.robots.stop()
        assert stop.reached
        time.sleep(1.5)
    sees(bob, lambda: status(bob)[0] == "stopped" and not bob.robots.status(ROBOT).moving, 5.0)
    # Joints are told again, and whoever falls silent is missed again.
    ann.robots.run("swing", loop=True)
    q = bob.robots.joints().measured[ARM]
    sees(bob, lambda: bob.robots.joints().measured[ARM] != q)
    with monkeypatch.context() as patch:
        patch.setattr(what, broken)
        time.sleep(1.5)
    sees(bob, lambda: status(bob) == ("stopped", WHY) and not bob.robots.status(ROBOT).moving, 5.0)
    ann.robots.run("swing", loop=True)
    with monkeypatch.context() as patch:
        patch.setattr(Presence, "note", lambda *_: None)
        sees(bob, lambda: status(bob) == ("stopped", "nothing received from ann for 1.5 s"), 10.0)
