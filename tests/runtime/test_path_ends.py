"""No motion hangs: pauses while a path settles, speeds near nothing, commands that fail in ways nobody thought of."""

import numpy as np
import pytest
from loop_bench import ME, Bench

from openpendant.messages import bus
from openpendant.motion import Samples, Trajectory
from openpendant.runtime.motions import PathMotion


def away(bench: Bench, by: float) -> np.ndarray:
    """Joints with the base turned."""
    return bench.q + np.array([by, 0.0, 0.0, 0.0, 0.0, 0.0])


@pytest.fixture
def bench() -> Bench:
    made = Bench("irb120")
    assert isinstance(made.take(), bus.Accepted)
    return made


def until_it_settles(bench: Bench, ticks: int) -> None:
    """Tick until all setpoints of the path are given, and some ticks more."""
    bench.follow(bench.path(away(bench, 0.1)))
    motion = bench.drive.motion
    assert isinstance(motion, PathMotion)
    while not motion.arrived:
        bench.ticks(1)
    bench.ticks(ticks)
    assert bench.drive.outcome == "running"


@pytest.mark.parametrize("settling", [0, 1, 2])
@pytest.mark.parametrize("word", ["pause", "halt"])
def test_a_pause_or_stop_while_a_path_settles_does_not_hang(bench: Bench, word: str, settling: int) -> None:
    until_it_settles(bench, settling)
    bench.ask(bus.PauseMotion(holder=ME) if word == "pause" else bus.Halt(who="somebody"))
    assert bench.until("done", "stopped", most=500) == ("done" if word == "pause" else "stopped")


@pytest.mark.parametrize("order", ["halt first", "pause first"])
def test_a_stop_and_a_pause_together_end_a_path(bench: Bench, order: str) -> None:
    until_it_settles(bench, 1)
    words = [bus.Halt(who="somebody"), bus.PauseMotion(holder=ME)]
    for word in words if order == "halt first" else reversed(words):
        bench.ask(word)
    assert bench.until("done", "stopped", most=500) == "stopped"


def test_a_path_at_a_thousandth_of_its_speed_costs_no_tick(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bench.path(away(bench, 1.0)).slow_down(0.02)
    assert path.duration > 20.0
    made, most, sample = 0, 0, Trajectory.samples_at

    def counted(law: Trajectory, times: np.ndarray) -> Samples:
        nonlocal made
        made += len(times)
        return sample(law, times)

    def look() -> None:
        """Keep the most rows that one command or tick has made."""
        nonlocal made, most
        most, made = max(most, made), 0

    monkeypatch.setattr(Trajectory, "samples_at", counted)
    assert bench.follow(path, pace=0.01) == bus.Accepted()
    look()
    for pace in (1e-3, 0.01, 1.0, 1e-4, 0.02):
        for _ in range(30):
            bench.ticks(1)
            look()
        assert bench.ask(bus.SetPace(holder=ME, pace=pace, stops=bench.loop.stops)) == bus.Accepted()
        look()
    for _ in range(1500):
        bench.ticks(1)
        look()
    # At 1 % half a million rows are left, which took 428 ms at once.
    assert 0 < most < 10_000
    motion = bench.drive.motion
    assert isinstance(motion, PathMotion)
    rows = motion.ahead()
    assert rows is not None
    assert 1000 < len(rows) < 5000
    assert bench.drive.outcome == "running"


def test_a_slow_path_ends_where_it_should(bench: Bench) -> None:
    path = bench.path(away(bench, 0.05))
    bench.follow(path, pace=0.01)
    assert bench.until("done", "held", "failed", most=40_000) == "done"
    assert np.abs(bench.q - path.q_end).max() < 1e-9
    assert bench.worst()[0] < 0.02


@pytest.mark.parametrize("pace", [0.0, -1.0, 1e-6, float("nan"), 1.1])
def test_a_pace_that_is_none_is_refused(bench: Bench, pace: float) -> None:
    refused = bench.follow(bench.path(away(bench, 0.1)), pace=pace)
    assert isinstance(refused, bus.Denied)
    assert refused.kind == "input"
    assert "allowed: 0.0001 to 1" in refused.reason


def test_a_command_that_fails_in_any_way_is_denied(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError("0.5 TiB")

    bench.follow(bench.path(away(bench, 0.8)))
    bench.ticks(20)
    monkeypatch.setattr(PathMotion, "set_pace", no_memory)
    refused = bench.ask(bus.SetPace(holder=ME, pace=0.5, stops=bench.loop.stops))
    assert isinstance(refused, bus.Denied)
    assert "MemoryError: 0.5 TiB" in refused.reason
    assert bench.until("done", "failed") == "done"


def test_a_tick_that_fails_in_any_way_ends_the_job_and_stops(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("what nobody thought of")

    bench.follow(bench.path(away(bench, 0.8)))
    bench.ticks(40)
    monkeypatch.setattr(PathMotion, "next", broken)
    bench.ticks(1)
    assert bench.drive.outcome == "failed"
    assert bench.drive.reason == "ZeroDivisionError: what nobody thought of"
    bench.ticks(150)
    assert bench.rests()


def test_what_makes_no_progress_fails_with_its_reason(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.follow(bench.path(away(bench, 0.8)), pace=0.05)
    bench.ticks(20)
    q, place = bench.q.copy(), bench.drive.motion.place
    monkeypatch.setattr(PathMotion, "next", lambda *_: q)
    monkeypatch.setattr(PathMotion, "ahead", lambda *_: np.array([q]))
    monkeypatch.setattr(PathMotion, "place", place)
    assert bench.until("failed", "held", most=600) == "failed"
    assert "made no progress for 2 s" in bench.drive.reason
