"""Lease: who may move a robot. One holder at a time; it ends when nothing is received from the holder.

The one place where that is kept for machines: the gate has it, and whoever owns the gate asks and renews it there.
"""

import math
from dataclasses import dataclass

from openpendant.errors import InputError
from openpendant.said import say

SHORTEST_S = 0.1
LONGEST_S = 5.0


@dataclass(frozen=True)
class Granted:
    """The lease is the asker's."""

    taken_from: str = ""
    """The name of whoever had it before and has lost it."""


@dataclass(frozen=True)
class NotGranted:
    """The lease stays with somebody else."""

    reason: str


@dataclass
class _Lease:
    holder: str
    name: str
    hold_ns: float
    heard_ns: int
    lives_ns: int = 0
    """It does not end before; 0 if nothing was granted since its last renewal."""


class Leases:
    """The lease of one robot. Clocks are passed in."""

    def __init__(self) -> None:
        """Begin without a holder."""
        self._lease: _Lease | None = None

    @property
    def holder(self) -> str:
        """The id of the holder; empty: none."""
        return "" if self._lease is None else self._lease.holder

    @property
    def name(self) -> str:
        """The name of the holder; empty: none."""
        return "" if self._lease is None else self._lease.name

    def request(
        self, holder: str, name: str, hold_s: float, now_ns: int, *, take_over: bool = False
    ) -> Granted | NotGranted:
        """Ask for the lease; the present holder renews it so.

        Args:
            holder: Unique for each client.
            name: For people.
            hold_s: How long the lease outlives the last word of its holder, 0.1 to 5 seconds.
            now_ns: Now.
            take_over: Take it from whoever has it.

        Raises:
            InputError: An empty holder, or a time that is not allowed.
        """
        if not holder:
            raise InputError("a lease needs a holder; the name is empty")
        if not SHORTEST_S <= hold_s <= LONGEST_S:
            raise InputError(f"hold_s is {hold_s}; allowed: {SHORTEST_S} to {LONGEST_S} seconds")
        before = self._lease
        if before is not None and before.holder != holder and not take_over:
            return NotGranted(say("control.lease_held", name=before.name))
        self._lease = _Lease(holder, name, int(hold_s * 1e9), now_ns)
        return Granted("" if before is None or before.holder == holder else before.name)

    def grant_local(self, holder: str) -> None:
        """Give the lease to a holder in the same process, which need not renew it: it cannot be lost."""
        self._lease = _Lease(holder, holder, math.inf, 0)

    def clear(self) -> None:
        """Take the lease from whoever has it."""
        self._lease = None

    def renew(self, holder: str, stamp_ns: int) -> None:
        """Note that the holder was alive at `stamp_ns`; words of others, and older ones, change nothing."""
        lease = self._lease
        if lease is not None and lease.holder == holder and stamp_ns > lease.heard_ns:
            lease.heard_ns, lease.lives_ns = stamp_ns, 0

    def outlive(self, until_ns: int) -> None:
        """Do not end the lease before a moment: whoever asks stood still and has yet to read what came meanwhile.

        Granted once; then its holder has to renew it.
        """
        if self._lease is not None and not self._lease.lives_ns:
            self._lease.lives_ns = until_ns

    def release(self, holder: str) -> bool:
        """Give the lease back; return whether it was the holder's."""
        if self._lease is None or self._lease.holder != holder:
            return False
        self._lease = None
        return True

    def expire(self, now_ns: int) -> tuple[str, float] | None:
        """End the lease where its holder was silent too long; return the holder's name and how long, seconds."""
        lease = self._lease
        if lease is None or now_ns - lease.heard_ns <= lease.hold_ns or now_ns < lease.lives_ns:
            return None
        self._lease = None
        return lease.name, (now_ns - lease.heard_ns) * 1e-9
