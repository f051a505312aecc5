"""LiveSessions: which sessions have a websocket open, so that it ends with the session."""

import asyncio

from starlette.types import Message, Receive, Send

ENDED = 4401
REASON = "this device is not paired any more"


class LiveSessions:
    """The open websockets of each session. Lives in the event loop alone."""

    def __init__(self) -> None:
        self._open: dict[str, set[asyncio.Future[None]]] = {}

    def __contains__(self, session: str) -> bool:
        """Return whether a session has a websocket open."""
        return session in self._open

    def end(self, session: str) -> None:
        """End every websocket of a session."""
        for future in self._open.get(session, ()):
            if not future.done():
                future.set_result(None)

    def enter(self, session: str) -> asyncio.Future[None]:
        """Note an open websocket; what is returned is done when it must end."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open.setdefault(session, set()).add(future)
        return future

    def leave(self, session: str, future: asyncio.Future[None]) -> None:
        """A websocket has closed."""
        rest = self._open[session]
        rest.discard(future)
        if not rest:
            del self._open[session]


def until_ended(receive: Receive, send: Send, ended: asyncio.Future[None]) -> Receive:
    """Return a `receive` that closes the websocket with a reason when its session ends."""
    waiting: asyncio.Task[Message] | None = None

    async def receive_or_end() -> Message:
        nonlocal waiting
        if waiting is None:
            waiting = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({waiting, ended}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            waiting.cancel()
            raise
        if ended.done():
            waiting.cancel()
            await send({"type": "websocket.close", "code": ENDED, "reason": REASON})
            return {"type": "websocket.disconnect", "code": ENDED, "reason": REASON}
        message, waiting = waiting.result(), None
        return message

    return receive_or_end
