"""Pacer: lets counted ticks happen at their times of the wall clock."""

import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass

from openpendant.errors import InputError

KEPT = 8192
"""Latenesses remembered: 16 s at 500 Hz."""


@dataclass(frozen=True)
class Pace:
    """How well the ticks kept their times.

    Attributes:
        ticks: Counted since the start.
        late_p50_us: Half of the newest ticks began later than this, in microseconds.
        late_p99_us: One of a hundred began later than this.
        late_max_us: The latest of the newest ticks.
        slipped_ms: Wall time that the controller did not live through, because it was too far behind.
    """

    ticks: int
    late_p50_us: float
    late_p99_us: float
    late_max_us: float
    slipped_ms: float


class Pacer:
    """Waits for the times of ticks that lie exactly one period apart.

    A tick that begins late does not move the following ones: they come in quick succession until the
    schedule is kept again, so that counted time and wall time stay together. Only if more than
    `catch_up` ticks are due at once (a sleeping laptop, a stopped process) the schedule is moved, by
    `Pace.slipped_ms`; ticks are never left out of the count.
    """

    def __init__(
        self,
        period_ns: int,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
        catch_up: int = 100,
    ) -> None:
        """Begin now.

        Args:
            period_ns: Nanoseconds from tick to tick.
            clock: Returns nanoseconds that never go back.
            sleep: Waits for a time in seconds.
            catch_up: The most ticks that may be due at once.

        Raises:
            InputError: The period or `catch_up` is not positive.
        """
        if period_ns <= 0 or catch_up <= 0:
            raise InputError(f"period {period_ns} ns, catch_up {catch_up}; both must be greater than 0")
        self._period_ns = period_ns
        self._clock = clock
        self._sleep = sleep
        self._bound_ns = catch_up * period_ns
        self._due_ns = clock() + period_ns
        self._late = array("q", bytes(8 * KEPT))
        self._count = 0
        self._slipped_ns = 0

    @property
    def ticks(self) -> int:
        """Ticks counted so far."""
        return self._count

    def wait(self) -> None:
        """Return when the next tick is due, at once where it is late."""
        now = self._clock()
        if now < self._due_ns:
            self._sleep((self._due_ns - now) * 1e-9)
            now = self._clock()
        late = now - self._due_ns
        if late > self._bound_ns:
            self._slipped_ns += late - self._bound_ns
            self._due_ns += late - self._bound_ns
        self._late[self._count % KEPT] = max(late, 0)
        self._count += 1
        self._due_ns += self._period_ns

    def spare_ns(self) -> int:
        """Return the time left until the next tick is due; negative where it is late."""
        return self._due_ns - self._clock()

    @property
    def due(self) -> int:
        """How many ticks are due at once after `wait`, with the one that begins."""
        late = self._clock() - self._due_ns
        return 1 if late < 0 else 2 + late // self._period_ns

    def pace(self) -> Pace:
        """Return how well the newest ticks kept their times."""
        newest = sorted(self._late[: min(self._count, KEPT)]) or [0]

        def share(part: float) -> float:
            return newest[min(int(part * len(newest)), len(newest) - 1)] / 1e3

        return Pace(self._count, share(0.5), share(0.99), newest[-1] / 1e3, self._slipped_ns / 1e6)
