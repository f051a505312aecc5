"""Processes are kept alive: restarted after a pause that grows, also when they hang or cannot be started."""

import itertools
import sys
import time

import pytest

from openpendant.errors import OpenPendantError
from openpendant.runtime.supervision import FIRST_PAUSE_S, HEALTHY_S, LONGEST_PAUSE_S, Child, SubprocessChild


class Fake:
    def __init__(self) -> None:
        self.pid = 1
        self.status: int | None = None
        self.ended = self.killed = False

    def poll(self) -> int | None:
        return self.status

    def kill(self, *, hung: bool = False) -> None:
        self.killed = True

    def end(self) -> None:
        self.ended = True


class Bench:
    def __init__(self) -> None:
        self.made: list[Fake] = []
        self.told: list[tuple[str, str]] = []
        self.fails = False
        self.child = Child("arm", self.start, lambda kind, words: self.told.append((kind, words)))

    def start(self) -> Fake:
        if self.fails:
            raise OpenPendantError("no such file")
        self.made.append(Fake())
        return self.made[-1]

    def poll(self, now: float, heard: float | None = None) -> None:
        self.child.poll(now, now if heard is None else heard, 5.0, 60.0)


def test_the_pause_grows_and_is_short_again_after_health() -> None:
    bench = Bench()
    now, pauses = 0.0, []
    for _ in range(8):
        bench.poll(now)
        count = len(bench.made)
        bench.made[-1].status = 1
        bench.poll(now)
        ended = now
        while len(bench.made) == count:
            now += 0.01
            bench.poll(now)
        pauses.append(now - ended)
    assert abs(pauses[0] - FIRST_PAUSE_S) < 0.02
    assert all(later >= earlier for earlier, later in itertools.pairwise(pauses))
    assert abs(pauses[-1] - LONGEST_PAUSE_S) < 0.02
    now += HEALTHY_S + 1.0
    bench.poll(now)
    bench.made[-1].status = -9
    bench.poll(now)
    bench.poll(now + FIRST_PAUSE_S + 0.01)
    assert bench.child.alive
    assert bench.child.starts == 10
    assert ("process ended", "arm ended with status -9") in bench.told


def test_a_silent_process_is_ended_and_started_anew() -> None:
    bench = Bench()
    bench.poll(0.0)
    bench.poll(4.0, heard=1.0)
    assert not bench.made[0].killed
    bench.poll(6.1, heard=1.0)
    assert bench.made[0].killed
    bench.poll(7.0, heard=1.0)
    assert len(bench.made) == 2
    bench.poll(40.0, heard=1.0)
    assert bench.child.alive, "the new one is still being built; the silence before it counts for nothing"
    bench.poll(68.0, heard=1.0)
    assert bench.made[1].killed


def test_what_cannot_be_started_is_tried_again() -> None:
    bench = Bench()
    bench.fails = True
    bench.poll(0.0)
    bench.poll(0.05)
    assert bench.told == [("start failed", "arm cannot be started: no such file")]
    bench.fails = False
    bench.poll(1.0)
    assert bench.child.alive
    bench.child.close()
    assert bench.made[0].ended


def test_a_subprocess_ends_when_its_input_does() -> None:
    script = (
        "import sys; line = sys.stdin.readline(); rest = sys.stdin.read(); sys.exit(0 if line == 'hello\\n' else 7)"
    )
    child = SubprocessChild([sys.executable, "-c", script], b"hello")
    assert child.poll() is None
    child.end()
    assert child.poll() == 0


def test_a_subprocess_that_hangs_is_killed() -> None:
    child = SubprocessChild([sys.executable, "-c", "import time; time.sleep(600)"], b"hello")
    begin = time.monotonic()
    child.end(within_s=0.2)
    assert child.poll() == -9
    assert time.monotonic() - begin < 60.0


def test_a_process_that_hangs_says_where(capfd: pytest.CaptureFixture[str]) -> None:
    script = """
import faulthandler, sys, time
from openpendant.runtime.supervision import STACKS_SIGNAL
faulthandler.register(STACKS_SIGNAL)
def where_it_hangs(): print("ready", flush=True); time.sleep(60)
where_it_hangs()
"""
    child = SubprocessChild([sys.executable, "-c", script], b"")
    end, out = time.monotonic() + 30.0, ""
    while "ready" not in out:
        assert time.monotonic() < end
        out += capfd.readouterr().out
        time.sleep(0.02)
    child.kill(hung=True)
    assert "where_it_hangs" in capfd.readouterr().err
    assert child.poll() is not None
