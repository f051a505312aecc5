"""Outbox: what a client is still to be sent. It never grows without end, and never holds up anybody else."""

import asyncio
from collections import deque

MOST_MESSAGES = 500
MOST_SAMPLES = 100
"""Batches of samples, of all robots together: five seconds of one."""
MOST_BYTES = 16 * 1024 * 1024


class Outbox:
    """Messages in order, and for live values only the newest of each kind."""

    def __init__(self) -> None:
        """Start empty."""
        self.behind = False
        """Whether messages were dropped, so that the client needs the whole again."""
        self.closing = ""
        """Why this client cannot be served any longer; empty: it can."""
        self._texts: list[str | None] = []
        """None: the whole project as it is when its turn comes. Made only then, it waits in no memory."""
        self._bytes = 0
        self._whole_waits = False
        self._newest: dict[str, bytes] = {}
        self._samples: deque[str] = deque(maxlen=MOST_SAMPLES)
        self._ready = asyncio.Event()

    def put(self, text: str) -> None:
        """Add a message. A client that is far behind loses all that waits and gets the whole instead."""
        if len(self._texts) >= MOST_MESSAGES or self._bytes + len(text) > MOST_BYTES:
            self._texts.clear()
            self._bytes, self._whole_waits = 0, False
            self.behind = True
        else:
            self._texts.append(text)
            self._bytes += len(text)
        self._ready.set()

    def put_project(self) -> bool:
        """Have the whole project sent; return whether that is new: one that waits holds what has changed until then."""
        self.behind = False
        new, self._whole_waits = not self._whole_waits, True
        if new:
            self._texts.append(None)
        self._ready.set()
        return new

    def put_newest(self, key: str, data: bytes) -> None:
        """Set the newest of a kind of live value; one that was not sent yet is forgotten."""
        self._newest[key] = data
        self._ready.set()

    def put_samples(self, text: str) -> None:
        """Add samples; the oldest that wait are forgotten where there are too many."""
        self._samples.append(text)
        self._ready.set()

    def close(self, reason: str) -> None:
        """Have the connection closed, with the reason; nothing that waits is sent."""
        self.closing = reason
        self._ready.set()

    async def drain(self) -> tuple[list[str | None], list[bytes]]:
        """Wait until there is something, and take all of it; None stands for the whole project."""
        await self._ready.wait()
        self._ready.clear()
        texts, self._texts = [*self._texts, *self._samples], []
        self._samples.clear()
        newest, self._newest = list(self._newest.values()), {}
        self._bytes, self._whole_waits = 0, False
        return texts, newest
