"""The report of a test that failed names the moments in which the machine stood still, and no test is run again."""

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

plugin = stalls.NameStalls()

def pytest_configure(config):
    config.pluginmanager.register(plugin)

@pytest.fixture
def stand_still():
    def stand():
        os.kill(plugin.stalls.pid, signal.SIGSTOP)
        time.sleep(0.4)
        os.kill(plugin.stalls.pid, signal.SIGCONT)
    return stand
"""
FAILING = """
from pathlib import Path

def test_by_itself():
    assert False

def test_in_a_stall(stand_still):
    stand_still()
    first = not Path("was").exists()
    Path("was").touch()
    assert not first
"""


def run(folder: Path, source: str) -> str:
    """Run pytest over one file in a folder of its own; return what it prints."""
    (folder / "conftest.py").write_text(CONFTEST.format(tests=str(Path(__file__).parent)))
    (folder / "test_it.py").write_text(source)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:schemathesis",
        "-p",
        "no:xdist",
        ".",
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_a_stall_is_seen_with_its_length() -> None:
    stalls = Stalls()
    try:
        began = time.monotonic()
        os.kill(stalls.pid, signal.SIGSTOP)
        time.sleep(0.5)
        os.kill(stalls.pid, signal.SIGCONT)
        assert stalls.longest_since(began) >= 0.4
        assert stalls.longest_since(began + 3600.0) == 0.0
    finally:
        stalls.close()


def test_a_failure_names_the_stall_and_stays_one(tmp_path: Path) -> None:
    printed = run(tmp_path, FAILING)
    assert "2 failed" in printed
    assert printed.count("the machine stood still for 0.") == 1
