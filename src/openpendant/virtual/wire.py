"""Wire: the sockets of one virtual controller, looked after once per tick and never waited for."""

import errno
import selectors
import socket
import struct
from collections import deque
from typing import Protocol, cast

from openpendant.errors import InputError, OpenPendantError

from .faults import Faults

__all__ = ["Link", "Service", "Wire"]

MAX_BACKLOG = 1 << 20
"""Bytes kept for a client that does not read; then it is dropped, as a controller drops it."""
KERNEL_BUFFER = 1 << 18
"""Bytes that the kernel keeps beside; by itself it would take megabytes."""
MAX_LINKS = 64
"""Clients of one port; more are turned away."""
CHUNK = 1 << 16
HTTP_METHODS = tuple(
    f"{word} ".encode()
    for word in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "PRI")
)
"""How a browser begins: any web page can make it connect to loopback, and lines of its request would be obeyed."""
RESET = struct.pack("ii", 1, 0)
_refusing = {errno.EADDRINUSE: "is in use", errno.EADDRNOTAVAIL: "does not exist here", errno.EACCES: "is not ours"}


class Service(Protocol):
    """What answers on a port."""

    def opened(self, link: "Link") -> None:
        """A client is there."""
        ...

    def received(self, link: "Link", data: bytes) -> None:
        """Bytes came, in pieces of any size."""
        ...

    def closed(self, link: "Link") -> None:
        """The client is gone, whoever closed."""
        ...


class Link:
    """One connection of a client."""

    __slots__ = (
        "_backlog",
        "_closed",
        "_first",
        "_held",
        "_held_size",
        "_inbox",
        "_socket",
        "_wire",
        "port",
        "service",
    )

    def __init__(self, wire: "Wire", own: socket.socket, port: int, service: Service, *, web: bool) -> None:
        """Made by the wire; `web`: browsers may connect."""
        self._wire = wire
        self._socket = own
        self._backlog = bytearray()
        self._inbox: deque[tuple[int, bytes]] = deque()
        self._held: deque[tuple[int, bytes]] = deque()
        self._held_size = 0
        self._closed = False
        self._first: bytes | None = None if web else b""
        """What came first, while it may still turn out to be HTTP; None: it is not."""
        self.port = port
        self.service = service

    @property
    def open(self) -> bool:
        """Whether it can still be sent to."""
        return not self._closed

    def send(self, data: bytes) -> None:
        """Send, or keep what does not go at once; a client that reads too slowly is dropped."""
        if self._closed or not data:
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

    def take(self, data: bytes) -> None:
        """Hand on what came, now or where a fault delays it at its time; a browser is turned away."""
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

    @property
    def waiting(self) -> bool:
        """Whether a fault holds bytes back."""
        return bool(self._inbox or self._held)

    def flush(self) -> None:
        """Send of the backlog what the client takes now."""
        rest = self._backlog
        self._backlog = bytearray()
        if rest:
            self._push(bytes(rest))
        if not self._backlog and not self._closed:
            self._wire.listen_for(self, writing=False)

    def end(self, *, reset: bool) -> None:
        """Close the socket; for the wire alone."""
        self._closed = True
        if reset:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self._socket.close()

    @property
    def socket(self) -> socket.socket:
        """The socket itself; for the wire alone."""
        return self._socket

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
            sent = self._socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._wire.remove(self, reset=False)
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


class Wire:
    """Listens on the ports of one address and serves all clients without ever waiting for one."""

    def __init__(self, address: str, faults: Faults) -> None:
        """Nothing is bound before `listen`."""
        self.address = address
        self.faults = faults
        self._selector = selectors.DefaultSelector()
        self._doors: dict[int, tuple[socket.socket, Service, bool]] = {}
        self._links: set[Link] = set()

    def listen(self, port: int, service: Service, *, web: bool = False) -> int:
        """Let `service` answer on this port (0: any free one); return the port.

        Args:
            port: To listen on.
            service: Answers.
            web: Whether it speaks HTTP; on the others, whoever begins with an HTTP request is cut off unheard.

        Raises:
            OpenPendantError: The address does not exist here, or the port is in use.
        """
        door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((self.address, port))
            door.listen(MAX_LINKS)
        except socket.gaierror:
            door.close()
            raise InputError(f"{self.address!r} is not an address; write for example 127.0.0.2") from None
        except OSError as error:
            door.close()
            why = _refusing.get(error.errno or 0, error.strerror)
            raise OpenPendantError(
                f"{self.address}:{port} {why}; give each virtual controller an address of its own, "
                "for example --bind 127.0.0.3"
            ) from None
        door.settimeout(0.0)
        bound = cast(int, door.getsockname()[1])
        self._doors[bound] = (door, service, web)
        self._selector.register(door, selectors.EVENT_READ, bound)
        return bound

    def shut(self, port: int, *, reset: bool = True) -> None:
        """Close the port and every connection on it."""
        found = self._doors.pop(port, None)
        if found is not None:
            self._selector.unregister(found[0])
            found[0].close()
        self.drop({port}, reset=reset)

    def drop(self, ports: "set[int] | frozenset[int]", *, reset: bool = True) -> None:
        """Close the connections on these ports (all where empty); the ports stay open."""
        for link in [link for link in self._links if not ports or link.port in ports]:
            self.remove(link, reset=reset)

    def poll(self) -> None:
        """Take what came and send what waits; returns at once."""
        faults = self.faults
        for key, events in self._selector.select(0):
            target = key.data
            if isinstance(target, Link):
                if faults.active and faults.silent(target.port):
                    continue
                if events & selectors.EVENT_WRITE:
                    target.flush()
                if events & selectors.EVENT_READ and target.open:
                    self._read(target)
            else:
                self._accept(target)
        if faults.active or any(link.waiting for link in self._links):
            for link in list(self._links):
                if link.waiting and not faults.silent(link.port):
                    link.release(faults.now)

    def links(self, port: int) -> list[Link]:
        """Return the connections on this port."""
        return [link for link in self._links if link.port == port]

    def remove(self, link: Link, *, reset: bool) -> None:
        """Close one connection and tell its service."""
        if link.open:
            self._selector.unregister(link.socket)
            self._links.discard(link)
            link.end(reset=reset)
            link.service.closed(link)

    def listen_for(self, link: Link, *, writing: bool) -> None:
        """Say whether the link has something that waits to be sent."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if writing else 0)
        self._selector.modify(link.socket, events, link)

    def close(self) -> None:
        """Close everything."""
        for port in list(self._doors):
            self.shut(port, reset=False)
        self._selector.close()

    def _read(self, link: Link) -> None:
        try:
            data = link.socket.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            link.take(data)
        else:
            self.remove(link, reset=False)

    def _accept(self, port: int) -> None:
        door, service, web = self._doors[port]
        try:
            own, _ = door.accept()
        except OSError:
            return
        if self.faults.refuses(port) or len(self.links(port)) >= MAX_LINKS:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            own.close()
            return
        own.settimeout(0.0)
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
        link = Link(self, own, port, service, web=web)
        self._links.add(link)
        self._selector.register(own, selectors.EVENT_READ, link)
        service.opened(link)
