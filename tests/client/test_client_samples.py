"""Samples from Python, through a real server: what a robot was sent and measured while somebody asks, and not after."""

import time
from collections.abc import Iterator

import pytest

import openpendant as op
from openpendant.client import ClientProject
from openpendant.errors import InputError
from openpendant.programs import MoveAxis, Program
from openpendant.server import create_app, serving

pytestmark = pytest.mark.live
ROBOT, END = "irb120", (0.3, 0.0, 0.0, 0.0, 0.5, 0.0)
SWING = Program(name="swing", robot=ROBOT, steps=(MoveAxis(id="s1", q=END, speed="20%"),))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientProject]:
    with serving(create_app(projects=tmp_path_factory.mktemp("projects"))) as url:
        studio = op.connect(url, name="ann")
        with studio.open(studio.create("samples", "pick_and_place")) as project:
            project.add_program(SWING)
            project.robots.start({"irb120": "kinematic"})
            project.robots.wait_ready(ROBOT)
            yield project
            project.robots.end()


def test_a_run_is_told_as_it_was_sent(project: ClientProject) -> None:
    robots = project.robots
    with robots.samples(ROBOT) as samples:
        robots.run("swing")
        assert robots.wait_for_end().status == "done"
        chunk = samples.read()
        sent = [one for one in chunk.arm("arm") if one.sent is not None]
        until = time.monotonic() + 30.0
        while not any(one.sent == pytest.approx(END, abs=1e-9) for one in sent):
            assert time.monotonic() < until
            sent += [one for one in samples.read().arm("arm") if one.sent is not None]
    assert len(sent) > 50
    stamps = [one.stamp_ns for one in sent]
    assert stamps == sorted(set(stamps))
    assert any(one.origin.doing == "path" and one.origin.job for one in sent)
    now = robots.joints()
    assert now.sent[f"{ROBOT}/arm"] == pytest.approx(END, abs=1e-9)
    assert now.stamps[f"{ROBOT}/arm"].sent_s is not None


def test_what_does_not_run_is_refused(project: ClientProject) -> None:
    with pytest.raises(InputError, match="nobody"):
        project.robots.samples("nobody")
    with pytest.raises(InputError, match="most is 0"):
        project.robots.samples(ROBOT, most=0)
    # What was refused is not asked for again with the next one.
    with project.robots.samples(ROBOT) as samples:
        assert samples.read().arm("arm")
