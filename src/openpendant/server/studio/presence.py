"""Presence: which clients report that they are present; the holder of a moving robot must, several times a second."""

import time
from collections.abc import Callable, Iterable

SILENT_S = 1.5
"""Without a message from whoever has control for this time, what moves is stopped, whatever their connection is."""
LATE_S, CATCH_UP_S = 0.5, 0.25
"""If our own check comes later than this after the one before, messages that came meanwhile are read first."""


class Presence:
    """When each client was last present. Lives in the event loop alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without clients."""
        self._clock = clock
        self._heard: dict[str, float] = {}
        self._needed: dict[str, float] = {}
        self._looked = clock()
        self._judges_from = self._looked

    def note(self, client: str, at_s: float) -> None:
        """Note that a client was present at a time of our monotonic clock: a late message counts as of its sending."""
        self._heard[client] = max(at_s, self._heard.get(client, at_s))

    def present_since(self, client: str, since_s: float) -> bool:
        """Return whether a client has shown after a time of our monotonic clock that it is there."""
        return self._heard.get(client, -SILENT_S) > since_s

    def rely_on(self, client: str) -> None:
        """Something begins to move for a client on its last word: its silence counts from then."""
        self._needed[client] = self._heard.get(client, self._clock())

    def silent(self, needed: Iterable[str]) -> tuple[str, ...]:
        """Return those who are needed now and have been silent for too long.

        A client that was not needed at the last check has the full time from now on.
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
