"""Rates: a bucket for each address, and failures that cost ever more time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stepped_clock import Clock

from openpendant.server.access.rates import BackOff, Bucket, Rates


@given(st.lists(st.floats(0.0, 5.0), min_size=1, max_size=40))
def test_a_bucket_never_gives_more_than_its_rate(waits: list[float]) -> None:
    clock = Clock()
    bucket = Bucket(2.0, 5.0, clock)
    given = 0
    for wait in waits:
        clock.now += wait
        left = bucket.spend()
        given += left == 0.0
        assert left <= 0.5
    assert given <= 5.0 + 2.0 * sum(waits) + 1e-6


def test_an_empty_bucket_says_how_long_and_is_right() -> None:
    clock = Clock()
    rates = Rates(0.5, 1.0, clock)
    assert rates.spend("a") == 0.0
    assert rates.spend("b") == 0.0
    assert rates.spend("a") == pytest.approx(2.0)
    clock.now += 2.0
    assert rates.spend("a") == 0.0


def test_addresses_that_are_counted_are_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openpendant.server.access.rates.MOST_KNOWN", 3)
    rates, back_off = Rates(1.0, 1.0), BackOff(0, 1.0, 9.0)
    for number in range(50):
        rates.spend(str(number))
        back_off.failed(str(number))
    assert len(rates._buckets) == 3
    assert len(back_off._failed) == 3


def test_failures_cost_ever_more_time_and_a_success_clears_them() -> None:
    clock = Clock()
    back_off = BackOff(free=2, first_s=1.0, longest_s=5.0, clock=clock)
    waits = []
    for _ in range(6):
        back_off.failed("a")
        waits.append(back_off.wait_s("a"))
    assert waits == [0.0, 1.0, 2.0, 4.0, 5.0, 5.0]
    assert back_off.wait_s("b") == 0.0
    back_off.succeeded("a")
    assert back_off.wait_s("a") == 0.0
