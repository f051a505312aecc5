"""LoopClock: when ticks are due, and how late they come."""

from array import array

from openpendant.messages import bus

KEPT = 512
"""Ticks that are looked back at: about a second."""


class LoopClock:
    """Ticks lie one period apart. One that is late by more than that makes the ones in between fall out.

    A burst of setpoints would be worse than a short pause: the robot would be asked to jump.
    """

    def __init__(self, tick_ns: int) -> None:
        """Begin with the first call of `begin`."""
        self.tick_ns = tick_ns
        self.due_ns = 0
        self._late = array("q", bytes(8 * KEPT))
        self._busy = array("q", bytes(8 * KEPT))
        self._count = 0

    def begin(self, now_ns: int) -> None:
        """Note that a tick begins now."""
        if self.due_ns == 0:
            self.due_ns = now_ns
        late = max(0, now_ns - self.due_ns)
        self._late[self._count % KEPT] = late
        # By whole periods: a controller that counts the same ticks must never find two setpoints in one of them.
        self.due_ns += (late // self.tick_ns + 1) * self.tick_ns

    def end(self, begun_ns: int, now_ns: int) -> None:
        """Note that the tick is done."""
        self._busy[self._count % KEPT] = now_ns - begun_ns
        self._count += 1

    def timing(self) -> bus.LoopTiming:
        """Return how late the newest ticks were."""
        seen = min(self._count, KEPT)
        if seen == 0:
            return bus.LoopTiming(ticks=0, late_ms=0.0, late_p99_ms=0.0, late_max_ms=0.0, busy_ms=0.0)
        late = sorted(self._late[:seen])
        return bus.LoopTiming(
            ticks=self._count,
            late_ms=late[seen // 2] * 1e-6,
            late_p99_ms=late[min(seen - 1, int(0.99 * seen))] * 1e-6,
            late_max_ms=late[-1] * 1e-6,
            busy_ms=sum(self._busy[:seen]) / seen * 1e-6,
        )
