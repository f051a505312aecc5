"""PairingDesk: codes that let somebody in, once and for some minutes."""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from openpendant.errors import InputError
from openpendant.messages import Role
from openpendant.said import say

GOOD_S = 600.0
MOST_OFFERS = 20
MOST_WRONG = 20
"""Wrong tries, by whomever, until the six digits of all open codes are withdrawn: a guess stays unlikely (20 in a
million for each code) however many machines guess. Links stay valid: 128 bits cannot be guessed."""


@dataclass
class Offer:
    """A code, and for whom."""

    role: Role
    name: str
    until: float
    code: str | None
    """None: withdrawn, the link alone is good."""
    secret: str = field(repr=False)


class PairingDesk:
    """The open codes. They live in memory alone, and go with the process."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Start with none."""
        self._clock = clock
        self._offers: list[Offer] = []
        self._wrong = 0

    def offer(self, role: Role, name: str = "") -> Offer:
        """Return a new code for a role.

        Raises:
            InputError: There are too many open ones.
        """
        self._clear()
        if len(self._offers) >= MOST_OFFERS:
            raise InputError(say("access.many_codes", count=len(self._offers), most=MOST_OFFERS))
        taken = {one.code for one in self._offers}
        code = next(code for code in iter(_digits, "") if code not in taken)
        made = Offer(role=role, name=name, until=self._clock() + GOOD_S, code=code, secret=secrets.token_urlsafe(16))
        if not any(one.code is not None for one in self._offers):
            self._wrong = 0
        self._offers.append(made)
        return made

    def remaining_s(self, offer: Offer) -> float:
        """Return how long a code is still good for."""
        return max(0.0, offer.until - self._clock())

    def use(self, word: str) -> Offer | None:
        """Return what a code or the secret of a link lets in for, and use it up; None: no such code is open."""
        self._clear()
        given = word.encode(errors="replace")
        found: Offer | None = None
        # Every open code is compared, each in constant time: the time taken reveals nothing.
        for one in self._offers:
            right = hmac.compare_digest(given, one.secret.encode())
            if one.code is not None:
                right |= hmac.compare_digest(given, one.code.encode())
            found = one if right else found
        if found is not None:
            self._offers.remove(found)
            return found
        self._wrong += 1
        if self._wrong >= MOST_WRONG:
            for one in self._offers:
                one.code = None
        return None

    def _clear(self) -> None:
        now = self._clock()
        self._offers = [one for one in self._offers if one.until > now]


def _digits() -> str:
    return f"{secrets.randbelow(1_000_000):06d}"
