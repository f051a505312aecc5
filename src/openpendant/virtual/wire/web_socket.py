"""WebSocketSession: a websocket of a server by the part of `websockets` without sockets: bytes in, messages out."""

from collections.abc import Sequence

from websockets.frames import Frame, Opcode
from websockets.http11 import Request as Handshake
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from .http_session import Request

MAX_MESSAGE = 1 << 20


class WebSocketSession:
    """One websocket, from the request that asks for it. What is to be sent waits in an outbox."""

    def __init__(self, request: Request, *, subprotocols: Sequence[str] = (), first: bytes = b"") -> None:
        """Agree, or refuse in the outbox.

        Args:
            request: That asks for an upgrade to a websocket.
            subprotocols: That the service speaks; the first one that the client knows is chosen.
            first: What came after the request.
        """
        self._protocol = ServerProtocol(
            subprotocols=[Subprotocol(name) for name in subprotocols],
            # Clients that name none, or others, are served too, as by robot controllers.
            select_subprotocol=lambda _, offered: next((one for one in offered if one in subprotocols), None),
            max_size=MAX_MESSAGE,
        )
        self._parts = bytearray()
        self._text = False
        # The handshake has been read as HTTP already; the protocol reads it again, in its plain form.
        lines = [f"{request.method} {request.target} HTTP/1.1", *(f"{k}: {v}" for k, v in request.headers.items())]
        self._protocol.receive_data("\r\n".join([*lines, "", ""]).encode("latin-1"))
        for event in self._protocol.events_received():
            if isinstance(event, Handshake):
                self._protocol.send_response(self._protocol.accept(event))
        self.waiting = self.feed(first) if first else []
        """Messages that came with the request."""

    @property
    def open(self) -> bool:
        """Whether messages can be sent."""
        return self._protocol.state is State.OPEN

    @property
    def subprotocol(self) -> str:
        """That was agreed on; empty: none."""
        return self._protocol.subprotocol or ""

    @property
    def ends(self) -> bool:
        """Whether the connection is to be closed once the outbox is sent."""
        return self._protocol.state in (State.CLOSING, State.CLOSED) and self._protocol.close_expected()

    def feed(self, data: bytes) -> list[str | bytes]:
        """Return the messages that are complete now; pings and closing are answered in the outbox."""
        self._protocol.receive_data(data)
        found: list[str | bytes] = []
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                if event.opcode is not Opcode.CONT:
                    self._text = event.opcode is Opcode.TEXT
                self._parts += event.data
                if event.fin:
                    found += self._message()
        return found

    def send(self, message: str | bytes) -> None:
        """Put a message into the outbox; one that is closed takes none."""
        if not self.open:
            return
        if isinstance(message, str):
            self._protocol.send_text(message.encode())
        else:
            self._protocol.send_binary(message)

    def close(self, code: int = 1000, reason: str = "") -> None:
        """Begin to close."""
        if self.open:
            self._protocol.send_close(code, reason)

    def take_outbox(self) -> bytes:
        """Return what is to be sent."""
        return b"".join(self._protocol.data_to_send())

    def _message(self) -> list[str | bytes]:
        data = bytes(self._parts)
        self._parts.clear()
        if not self._text:
            return [data]
        try:
            return [data.decode()]
        except UnicodeDecodeError:
            self._protocol.fail(1007, "text is no UTF-8")
            return []
