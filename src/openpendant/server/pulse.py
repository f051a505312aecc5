"""Pulse: a stamp that the event loop sets ten times a second, so that threads can tell a loop that hangs."""

import asyncio
import time

__all__ = ["Pulse"]

BEAT_S = 0.1


class Pulse:
    """Shows that the event loop is alive. Robots keep moving only while it beats."""

    def __init__(self) -> None:
        """Count as alive now; `start` begins to beat."""
        self._stamp_ns = time.monotonic_ns()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Beat, in the event loop that runs now, until `close`."""
        self._task = asyncio.get_running_loop().create_task(self._beat())

    def close(self) -> None:
        """Beat no longer: whatever is still held by this process comes to rest."""
        if self._task is not None:
            self._task.cancel()

    def last_ns(self) -> int:
        """Return when the event loop was last seen alive, monotonic nanoseconds. From any thread."""
        return self._stamp_ns

    async def _beat(self) -> None:
        while True:
            self._stamp_ns = time.monotonic_ns()
            await asyncio.sleep(BEAT_S)
