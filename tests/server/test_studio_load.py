"""A cell with four robots and many viewers: nobody is lost, one who does not read holds up nobody, memory stays."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.studio_load import Served, four_robots, keep_moving, watch

import openpendant as op
from openpendant.messages import Pose
from openpendant.scene import Move

pytestmark = pytest.mark.live

LOAD_S = float(os.environ.get("OPENPENDANT_LOAD_S", "600"))
MEMORY_S = float(os.environ.get("OPENPENDANT_MEMORY_S", "3600"))
WARM_S = 120.0
ROUND_S = 2.0
"""People do not work faster."""
MOST_GROWTH = 0.10
CAUSES = ("stumbled", "held", "job held", "lease lost", "silent")
"""What the log tells where a machine with too much to do has stopped a run."""
MIB = 2.0**20


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


def show(text: str) -> None:
    """Say what was measured, whatever pytest does with output."""
    sys.__stderr__.write(f"\n{text}\n")


@pytest.mark.soak
def test_a_few_viewers_see_four_robots_move_beside_one_who_does_not_read(served: Served) -> None:
    studio = op.connect(served.url, name="ann")
    name = four_robots(studio)
    with studio.open(name) as project:
        keep_moving(project)
        seen = watch(served.url, name, 5, 3.0, deaf=True)
        assert seen.lost == 0
        assert seen.rate_hz > 2.0
        assert project.robots.run_status is not None
        assert project.robots.run_status.status == "running"
        project.robots.stop()
        assert project.robots.wait_for_end().status == "stopped"


@pytest.mark.soak
def test_fifty_viewers_for_ten_minutes(served: Served) -> None:
    studio = op.connect(served.url, name="ann")
    name = four_robots(studio)
    with studio.open(name) as project:
        keep_moving(project)
        watch(served.url, name, 50, 10.0, deaf=True)
        before = served.memory()
        seen = watch(served.url, name, 50, LOAD_S, deaf=True)
        growth = served.memory() / before - 1.0
        show(f"{seen}; memory {before / MIB:.0f} MiB, {100 * growth:+.1f} %")
        assert seen.lost == 0
        assert seen.rate_hz > 2.0
        assert project.robots.run_status is not None
        assert project.robots.run_status.status == "running", project.robots.run_status.message
        assert growth <= MOST_GROWTH


@pytest.mark.soak
def test_memory_stays_while_people_work(served: Served) -> None:
    """Edits and their undo, checks, recordings, runs, people who come and go: all for an hour."""
    studio = op.connect(served.url, name="ann")
    name = studio.create("memory", "pick_and_place")
    began, rounds, before = time.monotonic(), 0, 0
    runs: list[str] = []
    causes: list[str] = []
    with studio.open(name) as project:
        project.robots.start({"irb120": "kinematic"})
        project.robots.take_control("irb120")
        while time.monotonic() - began < MEMORY_S:
            rounds += 1
            time.sleep(max(0.0, began + rounds * ROUND_S - time.monotonic()))
            x = 0.001 * (rounds % 50)
            project.edit_cell(Move(name="cube 1", pose=Pose(xyz=(0.35 + x, 0.2, 0.02), wxyz=(1.0, 0.0, 0.0, 0.0))))
            project.check("sort_cubes")
            project.record("pallet_row")
            project.undo()
            with op.connect(served.url, name="bob").open(name) as other:
                assert other.programs == project.programs
            if rounds % 10 == 0:
                events = project.robots.events
                number = events[-1].number if events else -1
                project.robots.run("sort_cubes")
                end = project.robots.wait_for_end()
                runs.append(end.status)
                if end.status != "done":
                    # A machine with too much to do, and then the log says so.
                    told = [one for one in project.robots.events if one.number > number]
                    why = [f"{one.kind}: {one.message}" for one in told if one.kind in CAUSES]
                    assert why, f"round {rounds}: {end}; {told}"
                    causes.append(f"round {rounds}: {why[0]}")
                    # From the middle of a motion the program may not be clear.
                    project.robots.end()
                    project.robots.start({"irb120": "kinematic"})
                    project.robots.take_control("irb120")
            if before == 0 and time.monotonic() - began > min(WARM_S, MEMORY_S / 4):
                before = served.memory()
        growth = served.memory() / before - 1.0
    done = runs.count("done")
    grown = f"memory {before / MIB:.0f} MiB, {100 * growth:+.1f} %"
    show(f"{rounds} rounds, {done} of {len(runs)} runs done; {grown}; {causes}")
    assert done + len(causes) == len(runs) > 0
    assert growth <= MOST_GROWTH
