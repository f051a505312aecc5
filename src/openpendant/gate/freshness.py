"""Freshness: how old is a sample that another clock has stamped?"""

NS = 1_000_000_000
LEAST_NS = 100_000_000
MOST_NS = 300_000_000
PERIODS = 3
EARLY_NS = 5_000_000
"""So far in the future a stamp may lie: how well two clocks of a machine, or a measured offset, agree."""
WINDOW_NS = 5 * NS


class Freshness:
    """Estimates the age of samples of one source.

    A sample arrives at `now` with the source's `stamp`: now - stamp is the offset of the clocks plus the way. The least
    of the last seconds is taken for the offset; what comes later than that by more than the limit is old. So a burst
    after a stall is old, however quickly its samples follow each other. A delay that is constant cannot be
    distinguished from an offset: if the offset is known (the same machine, or measured by a round trip), give it. A
    source that comes back with another clock is another source.
    """

    def __init__(self, offset_ns: int | None = None) -> None:
        """Begin; `offset_ns` is what must be added to the source's stamps, None: estimate it."""
        self.offset_ns = offset_ns
        self.newest_ns: int | None = None
        """The newest stamp, on the source's clock."""
        self._least: int | None = None
        self._least_before: int | None = None
        self._window_ends = 0
        self._period = 0.0

    @property
    def limit_ns(self) -> int:
        """The age from which a sample is old: 100 ms, or three sample periods, at most 300 ms."""
        return int(min(max(LEAST_NS, PERIODS * self._period), MOST_NS))

    def is_newest(self, stamp_ns: int) -> bool:
        """Return whether no newer sample has been seen."""
        return self.newest_ns is None or stamp_ns > self.newest_ns

    def record(self, stamp_ns: int, now_ns: int) -> int:
        """Note a sample that has just arrived; return its age in nanoseconds."""
        self._note(now_ns - stamp_ns, now_ns)
        if self.newest_ns is not None and stamp_ns > self.newest_ns:
            gap = min(float(stamp_ns - self.newest_ns), float(MOST_NS))
            self._period = gap if self._period == 0.0 else self._period + 0.2 * (gap - self._period)
        self.newest_ns = stamp_ns if self.newest_ns is None else max(stamp_ns, self.newest_ns)
        return self.age_ns(stamp_ns, now_ns)

    def is_early(self, stamp_ns: int, now_ns: int) -> bool:
        """Return whether a stamp lies in the future, where the offset of the clocks is known."""
        return self.offset_ns is not None and stamp_ns + self.offset_ns > now_ns + EARLY_NS

    def age_ns(self, stamp_ns: int, now_ns: int) -> int:
        """Return the age of a sample; never below zero."""
        offset = self.offset_ns
        if offset is None:
            known = [value for value in (self._least, self._least_before) if value is not None]
            offset = min(known, default=now_ns - stamp_ns)
        return max(0, now_ns - stamp_ns - offset)

    def forget_order(self) -> None:
        """Let the next sample be the newest whatever its stamp: after a clutch-in a source may have started again."""
        self.newest_ns = None
        self._period = 0.0

    def _note(self, difference: int, now_ns: int) -> None:
        if now_ns >= self._window_ends:
            # Kept over any silence: what arrives after a stall of minutes is as old as after one of a second.
            self._least_before, self._least = self._least, None
            self._window_ends = now_ns + WINDOW_NS
        self._least = difference if self._least is None else min(self._least, difference)
