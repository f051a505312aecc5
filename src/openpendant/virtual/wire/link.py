"""Link: one connection of a client, over whatever carries bytes in order; faults delay, spoil and hold them."""

import socket
import struct
from collections import deque
from contextlib import suppress
from typing import Protocol

from openpendant.virtual.faults import Faults

MAX_BACKLOG = 1 << 20
"""Bytes kept for a client that does not read; then it is dropped, as a controller drops it."""
HTTP_METHODS = tuple(
    f"{word} ".encode()
    for word in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "PRI")
)
"""How a browser begins: any web page can make it connect to loopback, and lines of its request would be obeyed."""
RESET = struct.pack("ii", 1, 0)
LINGER_S = 2.0
"""How long a client may take to close after the end of our data."""


class Service(Protocol):
    """What answers on a port."""

    def opened(self, link: "Link") -> None:
        """A client is there."""
        ...

    def received(self, link: "Link", data: bytes) -> None:
        """Bytes came, in pieces of any size."""
        ...

    def closed(self, link: "Link") -> None:
        """The connection is closed, by either side."""
        ...


class ByteStream(Protocol):
    """Carries bytes in order and never waits: a socket, or a serial line."""

    def fileno(self) -> int:
        """Return its descriptor."""
        ...

    def send(self, data: bytes, /) -> int:
        """Send what can be, and return how much that was; raises BlockingIOError where that is nothing."""
        ...

    def recv(self, size: int, /) -> bytes:
        """Return what came, nothing where the other end is gone; raises BlockingIOError where nothing waits."""
        ...

    def finish(self) -> None:
        """Signal the end of our data, if the stream supports it; reading continues."""
        ...

    def end(self, *, reset: bool) -> None:
        """Close it; with `reset` the other end sees a connection reset."""
        ...


class LinkOwner(Protocol):
    """Looks after links."""

    @property
    def faults(self) -> Faults:
        """The faults that last."""
        ...

    def remove(self, link: "Link", *, reset: bool) -> None:
        """Close a link and notify its service."""
        ...

    def listen_for(self, link: "Link", *, writing: bool) -> None:
        """Say whether the link has something that waits to be sent."""
        ...


class SocketStream:
    """A connected TCP socket."""

    def __init__(self, own: socket.socket) -> None:
        """Take over a socket that does not wait."""
        self._socket = own
        self.fileno, self.send, self.recv = own.fileno, own.send, own.recv

    def finish(self) -> None:
        """Close the half that sends."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def end(self, *, reset: bool) -> None:
        """Close it."""
        if reset:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self._socket.close()


class Link:
    """One connection of a client."""

    __slots__ = (
        "_backlog",
        "_broken",
        "_closed",
        "_ends_at",
        "_first",
        "_held",
        "_held_size",
        "_inbox",
        "_stream",
        "_wire",
        "port",
        "service",
    )

    def __init__(self, wire: LinkOwner, own: ByteStream, port: int, service: Service, *, web: bool) -> None:
        """Made by the wire; `web`: browsers may connect."""
        self._wire = wire
        self._stream = own
        self._backlog = bytearray()
        self._inbox: deque[tuple[int, bytes]] = deque()
        self._held: deque[tuple[int, bytes]] = deque()
        self._held_size = 0
        self._closed = False
        self._broken = False
        """Whether nothing can be sent any more; what the client sent before is still there to be read."""
        self._ends_at: int | None = None
        """Tick at which it is closed whatever the client does; None: it is not finished."""
        self._first: bytes | None = None if web else b""
        """What came first, while it may still turn out to be HTTP; None: it is not."""
        self.port = port
        self.service = service

    @property
    def open(self) -> bool:
        """Whether it is still connected."""
        return not self._closed

    def send(self, data: bytes) -> None:
        """Send, or keep what does not go at once; a client that reads too slowly is dropped."""
        if self._closed or self._broken or self._ends_at is not None or not data:
            return
        faults = self._wire.faults
        if faults.active or self._held:
            self._hold(faults, data)
        elif self._backlog:
            self._append(data)
        else:
            self._push(data)

    def offer(self, data: bytes) -> None:
        """Send, but leave it out where older bytes still wait: for states that the next one replaces.

        Clients upload scripts to ports that send states and never read them (ur_rtde does); they are not dropped.
        """
        if not self._backlog and self._held_size + len(data) <= MAX_BACKLOG:
            self.send(data)

    def close(self) -> None:
        """Close after what was sent before, as far as the client takes it."""
        self._wire.remove(self, reset=False)

    def finish(self) -> None:
        """Send what waits and nothing more; close when the client does, or after LINGER_S.

        What the client still sends is dropped: closed with bytes unread, a connection is reset, and its client
        loses what was sent last (RFC 9112, 9.6; RFC 6455, 7.1.1).
        """
        if self._ends_at is None and not self._closed:
            faults = self._wire.faults
            self._ends_at = faults.now + faults.ticks(LINGER_S)
            self._report_finished()

    def receive(self, data: bytes) -> None:
        """Hand on what came, now or where a fault delays it at its time; a browser is turned away."""
        if self._ends_at is not None:
            return
        if self._first is not None:
            data = self._first + data
            if data.startswith(HTTP_METHODS):
                self._wire.remove(self, reset=True)
                return
            if any(method.startswith(data) for method in HTTP_METHODS):
                self._first = data
                return
            self._first = None
        faults = self._wire.faults
        later = faults.delay_ticks(self.port) if faults.active else 0
        if later or self._inbox:
            due = max(faults.now + later, self._inbox[-1][0] if self._inbox else 0)
            self._inbox.append((due, data))
        else:
            self.service.received(self, data)

    def release(self, now: int) -> None:
        """Pass on whatever a fault held back until now."""
        while self._inbox and self._inbox[0][0] <= now and not self._closed:
            self.service.received(self, self._inbox.popleft()[1])
        while self._held and self._held[0][0] <= now and not self._closed:
            data = self._held.popleft()[1]
            self._held_size -= len(data)
            if self._backlog:
                self._append(data)
            else:
                self._push(data)
        self._report_finished()
        if self._ends_at is not None and self._ends_at <= now:
            self._wire.remove(self, reset=False)

    @property
    def waiting(self) -> bool:
        """Whether something happens at its time: a fault holds bytes back, or the client is to close."""
        return bool(self._inbox or self._held or self._ends_at is not None)

    @property
    def backlog(self) -> bool:
        """Whether something waits to be sent until the client takes it."""
        return bool(self._backlog)

    def flush(self) -> None:
        """Send of the backlog what the client takes now."""
        rest = self._backlog
        self._backlog = bytearray()
        if rest:
            self._push(bytes(rest))
        if not self._backlog and not self._closed:
            self._wire.listen_for(self, writing=False)
            self._report_finished()

    def end(self, *, reset: bool) -> None:
        """Close the socket; for the wire alone."""
        self._closed = True
        self._stream.end(reset=reset)

    @property
    def stream(self) -> ByteStream:
        """What carries its bytes; for the wire alone."""
        return self._stream

    def _report_finished(self) -> None:
        if self._ends_at is not None and not (self._backlog or self._held or self._closed):
            self._stream.finish()

    def _hold(self, faults: Faults, data: bytes) -> None:
        data = faults.spoil(self.port, data)
        due = faults.now + faults.delay_ticks(self.port)
        if self._held:
            due = max(due, self._held[-1][0])
        elif due <= faults.now and not faults.silent(self.port):
            self._append(data) if self._backlog else self._push(data)
            return
        self._held.append((due, data))
        self._held_size += len(data)
        self._limit()

    def _push(self, data: bytes) -> None:
        try:
            sent = self._stream.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            # Many clients send a command and close at once, with states of ours unread: the command still counts.
            self._broken = True
            self._wire.listen_for(self, writing=False)
            return
        if sent < len(data):
            self._backlog += data[sent:]
            self._wire.listen_for(self, writing=True)

    def _append(self, data: bytes) -> None:
        self._backlog += data
        self._limit()

    def _limit(self) -> None:
        if len(self._backlog) + self._held_size > MAX_BACKLOG:
            self._wire.remove(self, reset=True)
