"""Rates: how often somebody may ask. Tokens come back with time; who has none left waits."""

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, IPv6Network, ip_address
from time import monotonic

MOST_KNOWN = 10_000
"""Number of addresses that are remembered; beyond that the least recent one is dropped."""


class Bucket:
    """Tokens that come back at a steady rate, up to a number."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        """Begin full: `burst` tokens at once, then `rate` a second."""
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._since = burst, clock()

    def spend(self, tokens: float = 1.0) -> float:
        """Take tokens where there are enough; return 0, or else how many seconds it takes until there are."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._since) * self._rate)
        self._since = now
        wanted = min(tokens, self._burst)
        if self._left >= wanted:
            self._left -= wanted
            return 0.0
        return (wanted - self._left) / self._rate


class Rates:
    """A bucket for each address."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        """Give each address a bucket of `burst` tokens, that fills with `rate` a second."""
        self._make = lambda: Bucket(rate, burst, clock)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def spend(self, key: str) -> float:
        """Take a token; return 0, or how many seconds it takes until there is one."""
        bucket = self._buckets.pop(key, None) or self._make()
        self._buckets[key] = bucket
        if len(self._buckets) > MOST_KNOWN:
            self._buckets.popitem(last=False)
        return bucket.spend()


class BackOff:
    """After some failures an address waits, twice as long each time; a success clears it."""

    def __init__(self, free: int, first_s: float, longest_s: float, clock: Callable[[], float] = monotonic) -> None:
        """Let `free` failures pass, then wait `first_s`, twice that, and so on up to `longest_s`."""
        self._free, self._first, self._longest, self._clock = free, first_s, longest_s, clock
        self._failed: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait_s(self, key: str) -> float:
        """Return how long an address still has to wait."""
        _, until = self._failed.get(key, (0, 0.0))
        return max(0.0, until - self._clock())

    def failed(self, key: str) -> None:
        """Note a failure."""
        count = self._failed.pop(key, (0, 0.0))[0] + 1
        past = count - self._free
        wait = 0.0 if past < 0 else min(self._longest, self._first * 2.0 ** min(past, 30))
        self._failed[key] = (count, self._clock() + wait)
        if len(self._failed) > MOST_KNOWN:
            self._failed.popitem(last=False)

    def succeeded(self, key: str) -> None:
        """Forget the failures of an address."""
        self._failed.pop(key, None)


def rate_key(address: str) -> str:
    """Return by what an address is counted: over IPv6 one machine has a whole network of addresses."""
    try:
        plain = ip_address(address)
    except ValueError:
        return address
    return str(IPv6Network((plain, 64), strict=False)) if isinstance(plain, IPv6Address) else address
