"""PortServer: the ports of one virtual controller, looked after once per tick and never waited for."""

import errno
import selectors
import socket
from pathlib import Path
from typing import cast

from openpendant.errors import InputError, OpenPendantError
from openpendant.virtual.faults import Faults

from .datagrams import DatagramPort, DatagramService
from .link import RESET, Link, Service, SocketStream
from .serial_line import SerialLine

KERNEL_BUFFER = 1 << 18
"""Bytes that the kernel keeps beside; by itself it would take megabytes."""
MAX_LINKS = 64
"""Clients of one port; more are turned away."""
CHUNK = 1 << 16
_refusing = {errno.EADDRINUSE: "is in use", errno.EADDRNOTAVAIL: "does not exist here", errno.EACCES: "is not ours"}


class PortServer:
    """Listens on the ports of one address, and on serial lines; serves all clients without ever waiting for one."""

    def __init__(self, address: str, faults: Faults) -> None:
        """Nothing is bound before `listen`."""
        self.address = address
        self.faults = faults
        self._selector = selectors.DefaultSelector()
        self._doors: dict[int, tuple[socket.socket, Service, bool]] = {}
        self._datagrams: dict[int, DatagramPort] = {}
        self._lines: dict[int, SerialLine] = {}
        self._links: dict[Link, None] = {}
        """In the order in which they came, so that a run can be repeated."""
        self._busy: set[int] = set()
        """Serial lines with a client."""

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
        self._bind(door, port)
        door.listen(MAX_LINKS)
        bound = cast(int, door.getsockname()[1])
        self._doors[bound] = (door, service, web)
        self._selector.register(door, selectors.EVENT_READ, bound)
        return bound

    def listen_datagrams(self, port: int, service: DatagramService) -> DatagramPort:
        """Let `service` answer datagrams (UDP) on this port (0: any free one).

        Raises:
            OpenPendantError: The address does not exist here, or the port is in use.
        """
        own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._bind(own, port)
        made = DatagramPort(own, self.faults, service)
        self._datagrams[made.port] = made
        self._selector.register(own, selectors.EVENT_READ, made)
        return made

    def listen_serial(self, number: int, service: Service, *, alias: Path | None = None) -> SerialLine:
        """Let `service` answer on a pseudo-terminal, as on a serial port; a client is there while it is open.

        Shut and opened again it keeps its path, as a cable that stays plugged in.

        Args:
            number: By which faults mean it, as a port; unique.
            service: Answers.
            alias: A name in the file system that leads to it, made here and removed by `close`.

        Raises:
            OpenPendantError: The alias is something else already, or the system has no pseudo-terminals left.
        """
        line = self._lines.get(number)
        if line is None:
            line = self._lines[number] = SerialLine(number, alias)
        line.service = service
        return line

    def shut(self, port: int, *, reset: bool = True) -> None:
        """Close the port and every connection on it."""
        datagrams = self._datagrams.pop(port, None)
        if datagrams is not None:
            self._selector.unregister(datagrams.socket)
            datagrams.socket.close()
        if port in self._lines:
            self._lines[port].service = None
        self.close_listener(port)
        self.drop({port}, reset=reset)

    def close_listener(self, port: int) -> None:
        """Accept no new connections; the connections on this port stay."""
        found = self._doors.pop(port, None)
        if found is not None:
            self._selector.unregister(found[0])
            found[0].close()

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
            elif isinstance(target, DatagramPort):
                target.poll()
            else:
                self._accept(target)
        for line in self._lines.values():
            self._poll_line(line)
        for port in self._datagrams.values():
            if port.waiting:
                port.release()
        if faults.active or any(link.waiting for link in self._links):
            for link in list(self._links):
                if link.waiting and not faults.silent(link.port):
                    link.release(faults.now)

    def links(self, port: int) -> list[Link]:
        """Return the connections on this port."""
        return [link for link in self._links if link.port == port]

    def remove(self, link: Link, *, reset: bool) -> None:
        """Close one connection and notify its service."""
        if link.open:
            self._unregister(link)
            self._links.pop(link, None)
            self._busy.discard(link.port)
            link.end(reset=reset)
            link.service.closed(link)

    def listen_for(self, link: Link, *, writing: bool) -> None:
        """Say whether the link has something that waits to be sent."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if writing else 0)
        self._selector.modify(link.stream, events, link)

    def close(self) -> None:
        """Close everything."""
        for port in [*self._doors, *self._datagrams, *self._lines]:
            self.shut(port, reset=False)
        for line in self._lines.values():
            line.close()
        self._lines.clear()
        self._selector.close()

    def _bind(self, own: socket.socket, port: int) -> None:
        try:
            own.bind((self.address, port))
        except socket.gaierror:
            own.close()
            raise InputError(f"{self.address!r} is not an address; write for example 127.0.0.2") from None
        except OSError as error:
            own.close()
            why = _refusing.get(error.errno or 0, error.strerror)
            raise OpenPendantError(
                f"{self.address}:{port} {why}; give each virtual controller its own address, "
                "for example --bind 127.0.0.3"
            ) from None
        own.settimeout(0.0)

    def _poll_line(self, line: SerialLine) -> None:
        """Make a link where a client has opened the line; the link sees when it closes it again."""
        if line.number in self._busy or not line.opened():
            return
        if line.service is None or self.faults.refuses(line.number):
            line.discard()
            return
        stream, first = line.begin()
        self._busy.add(line.number)
        link = Link(self, stream, line.number, line.service, web=True)
        self._begin(link)
        if first:
            link.receive(first)

    def _read(self, link: Link) -> None:
        try:
            data = link.stream.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            link.receive(data)
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
        self._begin(Link(self, SocketStream(own), port, service, web=web))

    def _begin(self, link: Link) -> None:
        self._links[link] = None
        self._register(link)
        link.service.opened(link)

    def _register(self, link: Link) -> None:
        self._selector.register(link.stream, selectors.EVENT_READ, link)

    def _unregister(self, link: Link) -> None:
        self._selector.unregister(link.stream)
