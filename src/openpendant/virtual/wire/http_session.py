"""HttpSession: HTTP/1.1 of a server by h11: bytes in, requests out; no sockets."""

from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from urllib.parse import parse_qsl, unquote

import h11

MAX_HEAD = 16 * 1024
MAX_BODY = 256 * 1024
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")
EMPTY = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
Header = tuple[str, str]
OWN_PAGES: tuple[Header, ...] = (
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    (
        "Content-Security-Policy",
        "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
    ),
)
"""Headers of pages of our own: nothing foreign in them, nothing of them kept."""


@dataclass(frozen=True)
class Request:
    """One request.

    Attributes:
        method: One of METHODS.
        path: Without its query, and without escapes.
        query: Names and values in their order; a name may come again.
        headers: Names in lower case; those that came several times are joined by commas, cookies by semicolons.
        body: Whole, whatever way it came.
        target: As the client wrote path and query.
    """

    method: str
    path: str
    headers: MappingProxyType[str, str]
    body: bytes
    query: tuple[tuple[str, str], ...] = ()
    target: str = ""

    @property
    def upgrade(self) -> str:
        """What the client wants to speak from here on, as "websocket"; empty: HTTP."""
        wants = [word.strip().lower() for word in self.headers.get("connection", "").split(",")]
        return self.headers.get("upgrade", "").lower() if "upgrade" in wants else ""


class HttpSession:
    """One connection. Feed it bytes in any pieces; then take each request and respond to it before the next."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._connection = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)
        self._head: h11.Request | None = None
        self._body = bytearray()
        self._method = ""
        self.broken: HTTPStatus | None = None
        """Why nothing more is understood on this connection; `refusal` says it, then close."""

    def feed(self, data: bytes) -> None:
        """Take what came."""
        if self.broken is None and data:
            self._connection.receive_data(data)

    def next_request(self) -> Request | None:
        """Return the next request that is complete; None: there is none, or the one before waits for its response."""
        while self.broken is None:
            try:
                event = self._connection.next_event()
            except h11.RemoteProtocolError as error:
                self.broken = HTTPStatus(error.error_status_hint)
                return None
            match event:
                case h11.Request():
                    self._begin(event)
                case h11.Data():
                    self._body += event.data
                    if len(self._body) > MAX_BODY:
                        self.broken = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                case h11.EndOfMessage() if self._head is not None:
                    return self._finish(self._head)
                case _:
                    return None
        return None

    def respond(
        self,
        status: HTTPStatus,
        body: bytes = b"",
        kind: str = "text/plain; charset=utf-8",
        headers: Iterable[Header] = (),
    ) -> bytes:
        """Return the whole response to the request that was taken last."""
        head: list[Header] = [*headers]
        if status not in EMPTY:
            head = [("Content-Type", kind), ("Content-Length", str(len(body))), *head]
        out = self._start(status, head)
        if body and self._method != "HEAD" and status not in EMPTY:
            out += self._send(h11.Data(body))
        out += self._send(h11.EndOfMessage())
        if self._connection.our_state is h11.DONE and self._connection.their_state is h11.DONE:
            self._connection.start_next_cycle()
        return out

    def stream(self, status: HTTPStatus, kind: str, headers: Iterable[Header] = ()) -> bytes:
        """Return the head of a response without end; its body comes by `piece`."""
        return self._start(status, [("Content-Type", kind), *headers])

    def piece(self, data: bytes) -> bytes:
        """Return a piece of the body of a response without end."""
        return self._send(h11.Data(data))

    def refusal(self) -> bytes:
        """Return the response to what is not understood; nothing where another one has begun."""
        status = self.broken or HTTPStatus.BAD_REQUEST
        if self._connection.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return b""
        body = status.phrase.encode()
        head = [("Content-Type", "text/plain"), ("Content-Length", str(len(body))), ("Connection", "close")]
        return self._start(status, head) + self._send(h11.Data(body)) + self._send(h11.EndOfMessage())

    def go_ahead(self) -> bytes:
        """Return what a client waits for that asks before it sends its body; nothing for others."""
        if self.broken is not None or not self._connection.they_are_waiting_for_100_continue:
            return b""
        return self._send(h11.InformationalResponse(status_code=100, headers=[]))

    @property
    def ends(self) -> bool:
        """Whether the connection is to be closed: the client wants no more, or speaks an old HTTP."""
        return self.broken is not None or self._connection.our_state is h11.MUST_CLOSE

    def unread(self) -> bytes:
        """Return what came after the last request: what the client sent in the protocol that it changes to."""
        return bytes(self._connection.trailing_data[0])

    def _begin(self, request: h11.Request) -> None:
        self._head, self._method = request, request.method.decode("ascii")
        self._body.clear()
        if self._method not in METHODS:
            self.broken = HTTPStatus.METHOD_NOT_ALLOWED
        elif any(int(value) > MAX_BODY for name, value in request.headers if name == b"content-length"):
            self.broken = HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    def _finish(self, request: h11.Request) -> Request | None:
        headers: dict[str, str] = {}
        for raw, value in request.headers:
            name, text = raw.decode("latin-1"), value.decode("latin-1")
            if name in headers:
                text = headers[name] + ("; " if name == "cookie" else ", ") + text
            headers[name] = text
        target = request.target.decode("latin-1")
        path, _, query = target.partition("?")
        asked = tuple(parse_qsl(query, keep_blank_values=True))
        body = bytes(self._body)
        return Request(self._method, unquote(path), MappingProxyType(headers), body, asked, target)

    def _start(self, status: HTTPStatus, headers: list[Header]) -> bytes:
        return self._send(h11.Response(status_code=status.value, headers=headers, reason=status.phrase))

    def _send(self, event: h11.Event) -> bytes:
        return self._connection.send(event) or b""
