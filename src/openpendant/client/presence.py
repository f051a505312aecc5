"""PresenceThread: says that this program is there, several times a second, while it has something that moves."""

import threading
from collections.abc import Callable

from openpendant.errors import LinkError

EVERY_S = 0.25


class PresenceThread:
    """A separate thread: it continues while the program waits or computes, and stops with its process."""

    def __init__(self, needed: Callable[[], bool], say: Callable[[], None]) -> None:
        """Begin.

        Args:
            needed: Whether this program has control of a robot.
            say: Says that it is there; raises LinkError where the server has gone.
        """
        self._needed, self._say = needed, say
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="openpendant presence", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it."""
        self._ended.set()

    def _run(self) -> None:
        while not self._ended.wait(EVERY_S):
            if not self._needed():
                continue
            try:
                self._say()
            except LinkError:
                return
