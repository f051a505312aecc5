"""Control of a robot between people who are paired over the network, each in their own role."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from networked import Networked, networked

import openpendant as op
from openpendant.client import ClientProject
from openpendant.errors import InputError
from openpendant.messages import Role

pytestmark = pytest.mark.live

ROBOT = "irb120"


@pytest.fixture(scope="module")
def lan(tmp_path_factory: pytest.TempPathFactory, page: Path) -> Iterator[Networked]:
    with networked(tmp_path_factory.mktemp("access"), page) as server:
        yield server


@pytest.fixture
def people(lan: Networked) -> Iterator[tuple[ClientProject, ClientProject, ClientProject]]:
    """An operator, an engineer and a viewer in one project."""
    made = httpx.post(f"{lan.local}/api/projects", json={"title": "shift", "demo": "pick_and_place"}, timeout=60)
    roles: tuple[tuple[Role, str], ...] = (("operator", "Olga"), ("engineer", "Emil"), ("viewer", "Vera"))
    with ExitStack() as stack:
        seats = [op.connect(lan.url, token=lan.token(role, name), ca=lan.ca, name=name) for role, name in roles]
        olga, emil, vera = (stack.enter_context(seat.open(made.json()["id"])) for seat in seats)
        yield olga, emil, vera


def sees(project: ClientProject, look: Callable[[], bool]) -> None:
    project.wait(lambda: True if look() else None, 60.0)


def test_control_goes_by_role(people: tuple[ClientProject, ClientProject, ClientProject]) -> None:
    olga, emil, vera = people
    olga.robots.start({"irb120": "kinematic"})
    olga.robots.wait_ready(ROBOT)
    olga.robots.run("pallet_row", loop=True)
    sees(olga, lambda: olga.robots.status(ROBOT).moving)
    assert olga.robots.has(ROBOT)

    # Who only watches sees it all, and may do nothing but stop.
    sees(vera, lambda: vera.robots.status(ROBOT).moving)
    for act in (
        lambda: vera.robots.take_control(ROBOT),
        lambda: vera.robots.request_control(ROBOT),
        vera.robots.pause,
        lambda: vera.robots.run("pallet_row"),
    ):
        with pytest.raises(InputError, match="needs the role operator; you are paired as viewer"):
            act()
    vera.robots.stop()
    # It rests while it grips, too: what counts is the end of the run.
    sees(olga, lambda: olga.robots.run_status is not None and olga.robots.run_status.status == "stopped")
    sees(olga, lambda: not olga.robots.status(ROBOT).moving)
    assert olga.robots.has(ROBOT)

    # Whoever is in charge takes over, and what moves has stopped before.
    olga.robots.run("pallet_row", loop=True)
    sees(emil, lambda: emil.robots.status(ROBOT).moving)
    with pytest.raises(InputError, match="Olga has control of irb120"):
        emil.robots.take_control(ROBOT)
    emil.robots.take_control(ROBOT, take_over=True)
    sees(emil, lambda: not emil.robots.status(ROBOT).moving)
    assert emil.robots.has(ROBOT)
    sees(olga, lambda: not olga.robots.has(ROBOT))

    # An operator does not get it back by force, but may ask, and is given it.
    with pytest.raises(InputError, match="needs the role engineer; you are paired as operator"):
        olga.robots.take_control(ROBOT, take_over=True)
    with pytest.raises(InputError, match="Emil has control of irb120"):
        olga.robots.run("pallet_row")
    olga.robots.request_control(ROBOT)
    sees(emil, lambda: bool(emil.robots.status(ROBOT).asking))
    (asking,) = emil.robots.status(ROBOT).asking
    assert {one.client: one.name for one in emil.people}[asking] == "Olga"
    emil.robots.give_control(ROBOT, asking)
    sees(olga, lambda: olga.robots.has(ROBOT))

    said = [(event.who, event.about) for event in emil.robots.events if event.kind == "person"]
    for deed in (("Vera", "stop"), ("Emil", "take over"), ("Olga", "ask control"), ("Emil", "hand over")):
        assert deed in said
