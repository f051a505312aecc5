"""Presence: who shows that they are still there. Whoever has something that moves must, several times a second."""

import time
from collections.abc import Callable, Iterable

__all__ = ["SILENT_S", "Presence"]

SILENT_S = 1.5
"""After so long without a word of whoever has control, what moves is stopped, whatever their connection seems to be."""
LATE_S, CATCH_UP_S = 0.5, 0.25
"""Where our own look comes later than this after the one before, what was said meanwhile is read first, for so long."""


class Presence:
    """When each client was last heard of. Lives in the event loop alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Know nobody."""
        self._clock = clock
        self._heard: dict[str, float] = {}
        self._needed: dict[str, float] = {}
        self._looked = clock()
        self._judges_from = self._looked

    def hear(self, client: str, at_s: float) -> None:
        """Note that somebody was there at a time of our monotonic clock: a word that took long tells only of then."""
        self._heard[client] = max(at_s, self._heard.get(client, at_s))

    def silent(self, needed: Iterable[str]) -> tuple[str, ...]:
        """Return those who are needed now and were not heard of for too long.

        Whoever was not needed at the last look has as long from now on.
        """
        now = self._clock()
        if now - self._looked > LATE_S:
            self._judges_from = now + CATCH_UP_S
        self._looked = now
        self._needed = {client: self._needed.get(client, now) for client in needed}
        if now < self._judges_from:
            return ()
        return tuple(
            client
            for client, since in self._needed.items()
            if now - max(since, self._heard.get(client, since)) > SILENT_S
        )

    def forget(self, client: str) -> None:
        """Somebody has gone."""
        self._heard.pop(client, None)
        self._needed.pop(client, None)
