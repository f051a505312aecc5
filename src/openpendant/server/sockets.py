"""LiveSocket: uvicorn's websocket, which can be asked whether its client still answers, and can be cut off at once."""

import struct
import time
from collections import deque
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, cast

from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

KEY = "openpendant.socket"
OURS = struct.Struct("!2sq")
"""The payload of our own pings: a mark, and when it was sent."""
MARK = b"op"
SILENT = 1008
"""A client that shows no sign of life breaks a rule: RFC 6455, 7.4.1."""
LONGEST_REASON = 123
"""Bytes: RFC 6455, 5.5."""


class LiveSocket(WebSocketsSansIOProtocol):
    """A websocket as uvicorn has it. A client answers a ping of the websocket's own protocol by itself."""

    answered_ns = 0
    """When the newest ping of ours that was answered was sent, of our monotonic clock; 0: none was."""
    before_ns = 0
    """The same of the newest that was answered before the message which the application has read last."""

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        self._queued = self._read = 0
        self._answers: deque[tuple[int, int]] = deque()
        super().connection_made(transport)

    def handle_connect(self, event: Request) -> None:
        """Let the application find this socket; it is only called after this."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope.setdefault("state", {})[KEY] = self

    def ping(self) -> None:
        """Ask the client for a sign of life; what it says after its answer it says after now."""
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.send_ping(OURS.pack(MARK, time.monotonic_ns()))
        self.transport.write(b"".join(self.conn.data_to_send()))

    def handle_pong(self, event: Frame) -> None:
        """Note an answer."""
        data = bytes(event.data)
        if len(data) != OURS.size or not data.startswith(MARK):
            super().handle_pong(event)
            return
        sent_ns = min(int(OURS.unpack(data)[1]), time.monotonic_ns())
        self.answered_ns = max(self.answered_ns, sent_ns)
        self._answers.append((self._queued, sent_ns))

    def send_receive_event_to_app(self) -> None:
        """Count what waits for the application."""
        super().send_receive_event_to_app()
        self._queued += 1

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next message; `before_ns` then covers the replies received before it."""
        message = await super().receive()
        if message["type"] == "websocket.receive":
            self._read += 1
        while self._answers and self._answers[0][0] < self._read:
            self.before_ns = max(self.before_ns, self._answers.popleft()[1])
        return message

    def keepalive_timeout(self) -> None:
        """Cut off a client that has not answered for long: closing would wait for it to read what was sent."""
        self.abort("this client has been silent for too long")

    def abort(self, why: str) -> None:
        """Cut the client off now; what was not sent yet is lost. A client that still reads gets to know why."""
        if self.conn.state is State.OPEN and not self.transport.is_closing():
            self.conn.send_close(SILENT, why.encode()[:LONGEST_REASON].decode(errors="ignore"))
            self.close_sent = True
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.abort()


def socket_of(scope: Mapping[str, Any]) -> LiveSocket | None:
    """Return the socket behind a websocket's scope; None: another server than ours serves it."""
    found = cast(dict[str, object], scope.get("state") or {}).get(KEY)
    return found if isinstance(found, LiveSocket) else None
