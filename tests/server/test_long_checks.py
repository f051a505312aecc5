"""The check before a run may take long, hang or break: it holds up nobody, and the run ends with a reason."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from held_checks import HeldChecks, held_checks

import openpendant as op
from openpendant.client import ClientProject
from openpendant.errors import InputError, OpenPendantError
from openpendant.messages import Pose
from openpendant.messages.operation import RunStatus
from openpendant.programs import MoveAxis, Program
from openpendant.scene import Move
from openpendant.server import create_app, serving

pytestmark = [pytest.mark.live, pytest.mark.timeout(180)]
ROBOT = "irb120"
STEPS = tuple(MoveAxis(id=f"s{i}", q=((-1.0) ** i * 0.8, 0.0, 0.0, 0.0, 0.5, 0.0), speed="15%") for i in range(2))
SWING = Program(name="swing", robot=ROBOT, steps=STEPS)
SOON_S = 5.0
"""Far below what a check that hangs may take."""


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HeldChecks]:
    with held_checks(tmp_path_factory.mktemp("held")) as held:
        yield held


@pytest.fixture(scope="module")
def url(checks: HeldChecks, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(create_app(projects=tmp_path_factory.mktemp("projects"))) as url:
        yield url


@pytest.fixture
def ann(url: str, checks: HeldChecks) -> Iterator[ClientProject]:
    studio = op.connect(url, name="ann")
    with studio.open(studio.create("checks", "pick_and_place")) as project:
        project.add_program(SWING)
        project.robots.start({"irb120": "kinematic"})
        project.robots.wait_ready(ROBOT)
        yield project
        checks.end()
        project.robots.end()


class Asked(threading.Thread):
    """Asks for a run, and waits for the answer."""

    def __init__(self, project: ClientProject) -> None:
        super().__init__(daemon=True)
        self.project, self.refusal = project, ""
        self.start()

    def run(self) -> None:
        try:
            self.project.robots.run("swing")
        except OpenPendantError as error:
            self.refusal = str(error)

    def answer(self) -> str:
        """Return why it was refused; empty: it was not."""
        self.join(SOON_S)
        assert not self.is_alive()
        return self.refusal


def sees(project: ClientProject, look: Callable[[], bool], within_s: float = 30.0) -> None:
    project.wait(lambda: True if look() else None, within_s)


def run_of(project: ClientProject) -> RunStatus:
    assert project.robots.run_status is not None
    return project.robots.run_status


def is_there(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "\nState:\tZ" not in status.read_text()


def begun(checks: HeldChecks, before: set[str]) -> int:
    """Wait until another check has begun, and return the process of its worker."""
    end = time.monotonic() + 30.0
    while not checks.began() - before:
        assert time.monotonic() < end
        time.sleep(0.01)
    return int((checks.began() - before).pop().split("-")[0])


def stop(project: ClientProject) -> None:
    project.robots.stop()
    sees(project, lambda: run_of(project).status == "stopped", SOON_S)


def test_a_stop_ends_a_check_that_hangs_and_frees_the_room(ann: ClientProject, checks: HeldChecks) -> None:
    before = checks.began()
    checks.begin("held")
    asked = Asked(ann)
    worker = begun(checks, before)
    assert run_of(ann).status == "checking"
    ann.robots.stop()
    assert asked.answer() == "swing was stopped before it started"
    sees(ann, lambda: run_of(ann).status == "stopped", SOON_S)
    end = time.monotonic() + SOON_S
    while is_there(worker):
        assert time.monotonic() < end
        time.sleep(0.01)
    began = time.monotonic()
    ann.robots.engage(ROBOT)
    # The next one hangs as well, and robots disconnect and connect in the middle of it.
    before = checks.began()
    asked = Asked(ann)
    begun(checks, before)
    ann.robots.end()
    assert asked.answer() == "swing was stopped before it started: the robots were disconnected"
    assert time.monotonic() - began < 30.0
    checks.end()
    ann.robots.start({"irb120": "kinematic"})
    ann.robots.wait_ready(ROBOT)
    ann.robots.run("swing")
    assert run_of(ann).status == "running"


def test_robots_of_a_run_that_is_checked_are_taken(ann: ClientProject, checks: HeldChecks) -> None:
    before = checks.began()
    checks.begin("held")
    asked = Asked(ann)
    begun(checks, before)
    for act in (lambda: ann.robots.run("swing"), lambda: ann.robots.engage(ROBOT)):
        with pytest.raises(InputError, match="swing is already running; stop it first"):
            act()
    # Robots do not restart under a run that is checked, and it begins once the check is done.
    ann.edit_cell(Move(name="cube 3", pose=Pose(xyz=(0.3, 0.3, 0.5), wxyz=(1.0, 0.0, 0.0, 0.0))))
    checks.end()
    assert asked.answer() == ""
    assert run_of(ann).status == "running"


def test_a_check_that_breaks_ends_the_run_with_the_reason(ann: ClientProject, checks: HeldChecks) -> None:
    checks.begin("broken")
    why = "swing was not started: its check or export failed with an internal error, ZeroDivisionError: "
    with pytest.raises(InputError, match=why):
        ann.robots.run("swing")
    sees(ann, lambda: run_of(ann).status == "failed", SOON_S)
    assert run_of(ann).message.startswith(why)
    checks.end()
    ann.robots.run("swing")
    sees(ann, lambda: ann.robots.status(ROBOT).moving)


def test_a_check_without_progress_is_ended(
    ann: ClientProject, checks: HeldChecks, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann.robots.run("swing")
    stop(ann)
    monkeypatch.setattr("openpendant.runtime.run_work.STILL_WORK_S", 2.0)
    checks.begin("held")
    with pytest.raises(InputError, match="swing was not started: its check or export made no progress for 2 s"):
        ann.robots.run("swing")
    sees(ann, lambda: run_of(ann).status == "failed", SOON_S)
    checks.end()
    monkeypatch.setattr("openpendant.runtime.run_work.STILL_WORK_S", 30.0)
    ann.robots.run("swing")
    stop(ann)
    # What gets on may take as long as it likes.
    monkeypatch.setattr("openpendant.runtime.run_work.STILL_WORK_S", 2.0)
    checks.begin("slow")
    asked = Asked(ann)
    time.sleep(3.0)
    assert run_of(ann).status == "checking"
    checks.end()
    assert asked.answer() == ""
    assert run_of(ann).status == "running"


def test_a_run_whose_robots_are_disconnected_has_ended(ann: ClientProject) -> None:
    ann.robots.run("swing", loop=True)
    sees(ann, lambda: ann.robots.status(ROBOT).moving)
    ann.robots.end()
    sees(ann, lambda: run_of(ann).status == "stopped", SOON_S)
    assert run_of(ann).message == "the robots were disconnected"
