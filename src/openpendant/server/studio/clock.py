"""ClientClock: how the monotonic clock of one client differs from ours, learned from the round trips of pings."""

from collections import deque
from dataclasses import dataclass

KEPT_NS = 10_000_000_000
"""Round trips count for this time; two clocks drift apart by well below a millisecond in that time."""
SLACK_NS = 20_000_000
"""So far two clocks may seem to have moved against each other before one of them is taken to have jumped."""
LEAST_TRIPS = 2
"""Number of round trips that must agree before a clock is known."""
MOST_UNANSWERED = 100


@dataclass(frozen=True)
class _Trip:
    """One round trip: somewhere between its two ends lies the moment of the client's stamp."""

    received_ns: int
    lower_ns: int
    """The clock offset if the return trip had taken all the time: our clock is never behind this."""
    upper_ns: int
    """The same for the outward trip."""

    @property
    def round_ns(self) -> int:
        return self.upper_ns - self.lower_ns


class ClientClock:
    """The clock of one client. A converted stamp is never younger than it is, however asymmetric the delays."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._numbers = 0
        self._sent: dict[int, int] = {}
        self._trips: deque[_Trip] = deque()
        self.jumps = 0
        """How often it was seen to jump."""
        self.answered_ns = 0
        """When the newest ping that was answered was sent, on our clock; 0: none was. Whatever the client's clock does,
        what comes behind that answer was said later."""

    def ping(self, now_ns: int) -> int:
        """Return the number of a ping that is sent now."""
        self._numbers += 1
        self._sent[self._numbers] = now_ns
        if len(self._sent) > MOST_UNANSWERED:
            del self._sent[next(iter(self._sent))]
        return self._numbers

    def pong(self, number: int, stamp_ns: int, now_ns: int) -> None:
        """Take an answer that has come now, with the client's clock in it; one without a request is ignored."""
        sent = self._sent.pop(number, None)
        if sent is None:
            return
        self.answered_ns = max(self.answered_ns, sent)
        trip = _Trip(now_ns, sent - stamp_ns, now_ns - stamp_ns)
        best = self._best(now_ns)
        if best is not None and not _agree(best, trip):
            self.forget()
        self._trips.append(trip)

    def delay_ms(self, now_ns: int) -> float | None:
        """Return the least round trip of the last seconds; None: there was none."""
        best = self._best(now_ns)
        return None if best is None else best.round_ns * 1e-6

    def known(self, now_ns: int) -> bool:
        """Return whether stamps can be converted."""
        return self._best(now_ns) is not None and len(self._trips) >= LEAST_TRIPS

    def offset_s(self, now_ns: int) -> float | None:
        """Return what is added to a stamp of the client, seconds; None: its clock is not known."""
        best = self._best(now_ns)
        return None if best is None or len(self._trips) < LEAST_TRIPS else best.lower_ns * 1e-9

    def convert(self, stamp_ns: int, now_ns: int) -> int | None:
        """Return a stamp of the client on our clock; None: its clock is not known, or has jumped.

        It may seem older than it is, by at most the least round trip; never younger.
        """
        best = self._best(now_ns)
        if best is None or len(self._trips) < LEAST_TRIPS:
            return None
        at_ns = stamp_ns + best.lower_ns
        if at_ns > now_ns + SLACK_NS:
            # Nothing is stamped before it happens.
            self.forget()
            return None
        return min(at_ns, now_ns)

    def forget(self) -> None:
        """Know nothing again: the clock has jumped."""
        self.jumps += 1
        self._trips.clear()

    def _best(self, now_ns: int) -> _Trip | None:
        while self._trips and now_ns - self._trips[0].received_ns > KEPT_NS:
            self._trips.popleft()
        return min(self._trips, key=lambda trip: trip.round_ns, default=None)


def _agree(one: _Trip, other: _Trip) -> bool:
    """Return whether a single difference of the clocks explains both."""
    return max(one.lower_ns, other.lower_ns) <= min(one.upper_ns, other.upper_ns) + SLACK_NS
