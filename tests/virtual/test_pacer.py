"""Ticks keep their times, and are never left out of the count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.virtual.pacer import Pacer

PERIOD = 2_000_000


class Clock:
    """Time that passes only by sleeping and by working."""

    def __init__(self) -> None:
        self.now = 1_000
        self.slept = 0.0

    def __call__(self) -> int:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0.0
        self.slept += seconds
        self.now += round(seconds * 1e9)


def make(clock: Clock, catch_up: int = 100) -> Pacer:
    return Pacer(PERIOD, clock=clock, sleep=clock.sleep, catch_up=catch_up)


def test_ticks_lie_exactly_one_period_apart():
    clock = Clock()
    pacer = make(clock)
    times = []
    for _ in range(50):
        pacer.wait()
        times.append(clock.now)
        clock.now += 700_000
    assert times == [1_000 + PERIOD * (i + 1) for i in range(50)]
    assert pacer.spare_ns() == PERIOD - 700_000


@given(st.lists(st.integers(0, 40 * PERIOD), max_size=60))
def test_whatever_the_work_takes_counted_time_and_wall_time_stay_together(work: list[int]):
    clock = Clock()
    pacer = make(clock, catch_up=3000)
    for one in work:
        pacer.wait()
        clock.now += one
    pacer.wait()
    while pacer.spare_ns() < 0:
        pacer.wait()
    assert 0 <= 1_000 + (pacer.ticks + 1) * PERIOD - clock.now <= PERIOD
    assert pacer.pace().slipped_ms == 0.0


def test_too_far_behind_the_schedule_moves_and_says_so():
    clock = Clock()
    pacer = make(clock, catch_up=10)
    pacer.wait()
    clock.now += 1_000 * PERIOD
    ticks = 0
    pacer.wait()
    while pacer.spare_ns() <= 0:
        pacer.wait()
        ticks += 1
    assert ticks == 10
    assert pacer.pace().slipped_ms == pytest.approx((1_000 - 11) * 2.0)


def test_lateness_is_reported():
    clock = Clock()
    pacer = make(clock)
    for i in range(100):
        pacer.wait()
        clock.now += 5_000_000 if i == 49 else 100_000
    pace = pacer.pace()
    assert pace.ticks == 100
    assert pace.late_p50_us == 0.0
    assert pace.late_max_us == pytest.approx(3_000.0)
    assert 0.0 < pace.late_p99_us <= pace.late_max_us


@pytest.mark.parametrize(("period", "catch_up"), [(0, 1), (-5, 1), (1, 0)])
def test_nonsense_is_refused(period: int, catch_up: int):
    with pytest.raises(InputError, match="greater than 0"):
        Pacer(period, catch_up=catch_up)
