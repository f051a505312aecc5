"""A test that failed while the machine stood still says so; only then, and only where asked for, is it made again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from stalls import Stalls

CONFTEST = """
import os, signal, sys, time
import pytest
sys.path.insert(0, {tests!r})
import stalls

plugin = stalls.NameStalls(again={again})

def pytest_configure(config):
    config.pluginmanager.register(plugin)

@pytest.fixture
def stand_still():
    def stand():
        pid = plugin.stalls.sleepers[-1].pid
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.4)
        os.kill(pid, signal.SIGCONT)
    return stand
"""
FAILING = """
from pathlib import Path
import pytest

def count(name):
    with Path(name).open("a") as file:
        file.write("x")
    return len(Path(name).read_text())

@pytest.fixture(scope="module")
def robot():
    count("robots")

def test_by_itself():
    count("by_itself")
    assert False

def test_in_a_stall(stand_still, robot):
    stand_still()
    assert count("in_a_stall") > 1, "the arm stopped"

def test_in_every_stall(stand_still, robot):
    stand_still()
    count("in_every_stall")
    assert False

def test_passes_in_a_stall(stand_still, robot):
    stand_still()
    count("passes")
"""


def run(folder: Path, *, again: bool) -> str:
    """Run pytest over one file in a folder of its own; return what it prints."""
    (folder / "conftest.py").write_text(CONFTEST.format(tests=str(Path(__file__).parent), again=again))
    (folder / "test_it.py").write_text(FAILING)
    command = [sys.executable, "-m", "pytest", "-q"]
    for plugin in ("cacheprovider", "schemathesis", "xdist"):
        command += ["-p", f"no:{plugin}"]
    return subprocess.run([*command, "."], cwd=folder, capture_output=True, text=True, check=False).stdout


def counted(folder: Path) -> dict[str, int]:
    """Return how often each test ran, and how often its fixture was made."""
    names = ("by_itself", "in_a_stall", "in_every_stall", "passes", "robots")
    return {name: len((folder / name).read_text()) for name in names}


def test_a_stall_is_seen_with_its_length() -> None:
    stalls = Stalls()
    try:
        for sleeper in stalls.sleepers:
            began = time.monotonic()
            os.kill(sleeper.pid, signal.SIGSTOP)
            time.sleep(0.5)
            os.kill(sleeper.pid, signal.SIGCONT)
            assert stalls.lost_s(began) >= 0.4
            assert stalls.lost_s(began + 3600.0) == 0.0
    finally:
        stalls.close()


def test_short_pauses_of_all_processors_add_up() -> None:
    stalls = Stalls()
    try:
        began = time.monotonic()
        for number in range(4):
            pid = stalls.sleepers[number % len(stalls.sleepers)].pid
            os.kill(pid, signal.SIGSTOP)
            time.sleep(0.1)
            os.kill(pid, signal.SIGCONT)
        assert 0.2 <= stalls.lost_s(began) < 0.6
    finally:
        stalls.close()


def test_a_failure_names_the_stall_and_stays_one(tmp_path: Path) -> None:
    printed = run(tmp_path, again=False)
    assert "3 failed, 1 passed" in printed
    assert printed.count("the machine stood still for 0.") == 2
    assert counted(tmp_path) == {"by_itself": 1, "in_a_stall": 1, "in_every_stall": 1, "passes": 1, "robots": 1}


def test_what_failed_in_a_stall_is_made_again_where_that_is_asked_for(tmp_path: Path) -> None:
    printed = run(tmp_path, again=True)
    assert "2 failed, 2 passed" in printed
    assert counted(tmp_path) == {"by_itself": 1, "in_a_stall": 2, "in_every_stall": 4, "passes": 1, "robots": 5}
    told = printed[printed.index("made again, since the machine stood still") :]
    assert told.count("test_in_a_stall: 0.") == 1
    assert told.count("test_in_every_stall: 0.") == 3
    assert "by_itself:" not in told
