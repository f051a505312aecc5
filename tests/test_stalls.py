"""A test that failed while the machine stood still says so; it is void only where nothing else can be the cause."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import void_stalls
from stalls import Stalls
from unsafe import Unsafe, promise
from void_stalls import may_be_void

CONFTEST = """
import os, signal, sys, time
import pytest
sys.path.insert(0, {tests!r})
import void_stalls

void_stalls.NEAR_S = {near_s}
plugin = void_stalls.VoidStalls(again={again})

def pytest_configure(config):
    config.pluginmanager.register(plugin)

@pytest.fixture
def stand_still():
    def stand():
        for one in plugin.stalls.sleepers:
            one.first = {first}
        pid = plugin.stalls.sleepers[-1].pid
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.4)
        os.kill(pid, signal.SIGCONT)
        # A test that passes waits for no sleeper to tell.
        time.sleep(0.1)
    return stand
"""
FAILING = """
import time
from pathlib import Path
import pytest
from unsafe import promise

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
    print("the arm is here")
    assert count("in_a_stall") > 1, "the arm stopped"

def test_in_every_stall(stand_still, robot):
    stand_still()
    count("in_every_stall")
    assert False

def test_passes_in_a_stall(stand_still, robot):
    stand_still()
    count("passes")

def test_a_promise(stand_still):
    stand_still()
    count("promise")
    promise(1 > 2, "it moves after a stop")

@pytest.mark.timeout(1)
def test_hangs(stand_still):
    stand_still()
    count("hangs")
    time.sleep(60.0)

@pytest.mark.virtual_time
def test_in_virtual_time(stand_still):
    stand_still()
    count("virtual")
    assert False

def test_long_after_a_stall(stand_still):
    stand_still()
    time.sleep(void_near_s)
    count("long_after")
    assert False
"""
FAILS_ONCE = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range({tests}))
def test_once(stand_still, number):
    if number < {fail}:
        stand_still()
        path = Path(str(number))
        first = not path.exists()
        path.touch()
        assert not first
"""


NEAR_S = 2.0
"""In the runs below: so long ago a stall explains a failure, and half a second more it does not."""
assert NEAR_S < void_stalls.NEAR_S <= 5.0


class Run:
    """A run of pytest over one file in a folder of its own."""

    def __init__(self, folder: Path, tests: str, *, again: bool = True, first: bool = True) -> None:
        """Start it."""
        self._folder = folder
        there = str(Path(__file__).parent)
        (folder / "conftest.py").write_text(CONFTEST.format(tests=there, near_s=NEAR_S, again=again, first=first))
        (folder / "test_it.py").write_text(tests)
        command = [sys.executable, "-m", "pytest", "-q"]
        for plugin in ("cacheprovider", "schemathesis", "xdist"):
            command += ["-p", f"no:{plugin}"]
        self._process = subprocess.Popen([*command, "."], cwd=folder, stdout=subprocess.PIPE, text=True)

    def wait(self) -> tuple[int, str]:
        """Return its exit code and what it prints."""
        printed, _ = self._process.communicate()
        return self._process.returncode, printed

    def end(self) -> None:
        """End it, where nobody has waited for it."""
        self._process.kill()
        assert self._process.stdout is not None
        if not self._process.stdout.closed:
            self._process.communicate()

    def counted(self) -> dict[str, int]:
        """Return how often each test ran, and how often its fixture was made."""
        return {name: len((self._folder / name).read_text()) for name in ONCE}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Run]]:
    """All runs, begun at once: they mostly wait."""
    failing = FAILING.replace("void_near_s", str(NEAR_S + 0.5))
    made: dict[str, Run] = {}
    try:
        for name, tests, values in (
            ("named", failing, {"again": False}),
            ("again", failing, {}),
            ("nobody saw", failing, {"first": False}),
            ("2 void", FAILS_ONCE.format(tests=5, fail=2), {}),
            ("3 void", FAILS_ONCE.format(tests=5, fail=3), {}),
        ):
            made[name] = Run(tmp_path_factory.mktemp("run"), tests, **values)
        yield made
    finally:
        for one in made.values():
            one.end()


ONCE = dict.fromkeys(
    ("by_itself", "in_a_stall", "in_every_stall", "passes", "promise", "hangs", "long_after", "virtual", "robots"), 1
)


def test_a_stall_is_seen_with_its_length() -> None:
    stalls = Stalls()
    try:
        for sleeper in stalls.sleepers:
            began = time.monotonic()
            os.kill(sleeper.pid, signal.SIGSTOP)
            time.sleep(0.5)
            os.kill(sleeper.pid, signal.SIGCONT)
            found = stalls.worst(began, time.monotonic())
            assert found is not None
            assert found.lost_s >= 0.4
            assert began + 0.4 < found.end < time.monotonic()
            assert found.shown == sleeper.first
            assert stalls.worst(began - 3600.0, began - 1800.0) is None
            assert stalls.worst(found.end, time.monotonic()) is None
    finally:
        stalls.close()


def test_a_stall_that_begins_before_a_moment_and_ends_after_it_counts() -> None:
    stalls = Stalls()
    try:
        began = time.monotonic()
        os.kill(stalls.sleepers[0].pid, signal.SIGSTOP)
        time.sleep(0.3)
        failed = time.monotonic()
        time.sleep(0.1)
        os.kill(stalls.sleepers[0].pid, signal.SIGCONT)
        found = stalls.worst(began, failed)
        assert found is not None
        assert found.end > failed
    finally:
        stalls.close()


def test_short_pauses_of_one_processor_add_up() -> None:
    stalls = Stalls()
    try:
        began = time.monotonic()
        for _ in range(3):
            os.kill(stalls.sleepers[0].pid, signal.SIGSTOP)
            time.sleep(0.1)
            os.kill(stalls.sleepers[0].pid, signal.SIGCONT)
        found = stalls.worst(began, time.monotonic())
        assert found is not None
        assert 0.2 <= found.lost_s < 0.6
    finally:
        stalls.close()


def test_a_sleeper_that_goes_before_nothing_shows_only_what_was_stolen() -> None:
    stalls = Stalls()
    try:
        sleeper = stalls.sleepers[0]
        sleeper.first = False
        began = time.monotonic()
        os.kill(sleeper.pid, signal.SIGSTOP)
        time.sleep(0.5)
        os.kill(sleeper.pid, signal.SIGCONT)
        found = sleeper.worst(began, time.monotonic())
        assert found is not None
        assert not found.shown
        # As if the kernel had counted all of it.
        sleeper._told = [(at, late_s, 7.5 + (at >= found.end) * found.lost_s) for at, late_s, _ in sleeper._told]
        again = sleeper.worst(began, time.monotonic())
        assert again is not None
        assert again.shown
    finally:
        stalls.close()


def test_a_broken_promise_and_a_hang_are_never_void() -> None:
    promise(1.0 < 2.0, "too fast")
    with pytest.raises(Unsafe, match="too fast") as told:
        promise(2.0 < 1.0, "too fast")
    assert not may_be_void(told.value)
    assert not may_be_void(ExceptionGroup("two", [ValueError(), ExceptionGroup("one", [told.value])]))
    after = ValueError("while it was taken down")
    after.__context__ = told.value
    assert not may_be_void(after)
    assert not may_be_void(pytest.fail.Exception("Timeout (>60.0s) from pytest-timeout."))
    assert may_be_void(AssertionError("the arm stopped"))


def test_a_failure_names_the_stall_and_stays_one(runs: dict[str, Run]) -> None:
    code, printed = runs["named"].wait()
    assert code == 1
    assert "7 failed, 1 passed" in printed
    assert printed.count("the machine stood still for 0.") == 6
    assert runs["named"].counted() == ONCE


def test_only_what_a_stall_explains_is_made_again_and_once(runs: dict[str, Run]) -> None:
    code, printed = runs["again"].wait()
    assert code == 1
    assert "6 failed, 2 passed" in printed
    assert runs["again"].counted() == ONCE | {"in_a_stall": 2, "in_every_stall": 2, "robots": 3}
    told = printed[printed.index("void, since the machine stood still: ") :]
    assert told.count("void, since the machine stood still: ") == 2
    whole = told[: told.index("test_in_every_stall")]
    for part in ("in call:", "AssertionError: the arm stopped", "the arm is here", "the machine stood still for 0."):
        assert part in whole
    assert "seen in 7 of 8 tests: 1 of these passed, 6 failed or were void; 1 failed without one" in told


def test_nothing_is_void_where_nobody_saw_that_it_was_the_host(runs: dict[str, Run]) -> None:
    code, printed = runs["nobody saw"].wait()
    assert code == 1
    assert "7 failed, 1 passed" in printed
    assert runs["nobody saw"].counted() == ONCE


@pytest.mark.parametrize(("void", "code"), [(2, 0), (3, 1)])
def test_a_run_with_too_many_void_tests_has_failed(runs: dict[str, Run], void: int, code: int) -> None:
    found, printed = runs[f"{void} void"].wait()
    assert "5 passed" in printed
    assert found == code
    assert ("which is too many: the run has failed" in printed) == bool(code)
