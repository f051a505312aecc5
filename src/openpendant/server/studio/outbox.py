"""Outbox: what a client is still to be sent. It never grows without end, and never holds up anybody else."""

import asyncio

__all__ = ["Outbox"]

MOST_MESSAGES = 500
MOST_BYTES = 16 * 1024 * 1024


class Outbox:
    """Messages in order, and for live values only the newest of each kind."""

    def __init__(self) -> None:
        """Start empty."""
        self.behind = False
        """Whether messages were dropped, so that the client needs the whole again."""
        self.closing = ""
        """Why this client cannot be served any longer; empty: it can."""
        self._texts: list[str] = []
        self._bytes = 0
        self._newest: dict[str, bytes] = {}
        self._ready = asyncio.Event()

    def put(self, text: str) -> None:
        """Add a message. A client that is far behind loses all that waits and gets the whole instead."""
        if len(self._texts) >= MOST_MESSAGES or self._bytes + len(text) > MOST_BYTES:
            self._texts.clear()
            self._bytes = 0
            self.behind = True
        else:
            self._texts.append(text)
            self._bytes += len(text)
        self._ready.set()

    def put_whole(self, text: str) -> None:
        """Add the whole project, however long: it does not count, so that no message of its size is left out again."""
        self.behind = False
        self._texts.append(text)
        self._ready.set()

    def put_newest(self, key: str, data: bytes) -> None:
        """Set the newest of a kind of live value; one that was not sent yet is forgotten."""
        self._newest[key] = data
        self._ready.set()

    def close(self, reason: str) -> None:
        """Have the connection closed, with the reason; nothing that waits is sent."""
        self.closing = reason
        self._ready.set()

    async def take(self) -> tuple[list[str], list[bytes]]:
        """Wait until there is something, and take all of it."""
        await self._ready.wait()
        self._ready.clear()
        texts, self._texts = self._texts, []
        newest, self._newest = list(self._newest.values()), {}
        self._bytes = 0
        return texts, newest
