"""When ticks are due, and how late they come."""

from hypothesis import given
from hypothesis import strategies as st

from openpendant.runtime.loop_clock import LoopClock

TICK = 2_000_000


@given(st.lists(st.integers(0, 5 * TICK), min_size=1, max_size=50))
def test_ticks_keep_to_the_grid_and_never_come_in_bursts(lates: list[int]) -> None:
    clock = LoopClock(TICK)
    clock.begin(1_000)
    clock.end(1_000, 1_500)
    windows = [0]
    for late in lates:
        now = clock.due_ns + late
        clock.begin(now)
        clock.end(now, now + 500)
        assert (clock.due_ns - 1_000) % TICK == 0
        assert clock.due_ns > now
        windows.append((now - 1_000) // TICK)
    assert len(set(windows)) == len(windows), "two ticks in one period"
    timing = clock.timing()
    assert timing.ticks == len(lates) + 1
    assert timing.late_max_ms <= max(lates) * 1e-6 + 1e-9
    assert timing.late_ms <= timing.late_p99_ms <= timing.late_max_ms
