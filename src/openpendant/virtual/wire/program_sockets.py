"""NetworkSockets: the sockets of a controller's programs on the real network, as clients and servers."""

import contextlib
import ipaddress
import socket
from threading import Thread
from typing import Self

from .program_datagrams import ProgramDatagrams
from .sockets_port import SocketState

MAX_SOCKETS = 64
WAITING = 8
"""Clients that wait at a port until a program takes them."""
MAX_BYTES = 1 << 20
"""Kept for a program that does not read, or for a server that does not; the rest waits or is refused."""
CHUNK = 1 << 16


class _Connection:
    """One connection of a program, from its beginning to its end."""

    def __init__(self) -> None:
        self.state: SocketState = "connecting"
        self.received = bytearray()
        self._unsent = bytearray()
        self._port = 0
        self._socket: socket.socket | None = None
        self._found: list[str] = []
        self._asking: Thread | None = None

    @classmethod
    def accepted(cls, own: socket.socket) -> Self:
        """Return the connection of a client that has come."""
        made = cls()
        own.settimeout(0.0)
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made._socket, made.state = own, "open"
        return made

    def connect(self, address: str, port: int, *, loopback_only: bool) -> None:
        """Begin to connect."""
        self._port = port
        try:
            given = ipaddress.IPv4Address("127.0.0.1" if address.lower() == "localhost" else address)
            if loopback_only and not given.is_loopback:
                self.state = "refused"
                return
            self._found.append(str(given))
        except ValueError:
            if loopback_only:
                # Not even looked up: the question itself would leave this machine.
                self.state = "refused"
                return
            # The resolver may take seconds; the controller's ticks must not wait for it.
            self._asking = Thread(target=self._resolve, args=(address,), daemon=True)
            self._asking.start()
        self.poll()

    def send(self, payload: bytes) -> bool:
        if self.state != "open" or len(self._unsent) + len(payload) > MAX_BYTES:
            return False
        self._unsent += payload
        self._write()
        return self.state == "open"

    def poll(self) -> None:
        if self._socket is None and self.state == "connecting":
            self._begin()
        own = self._socket
        if own is None or self.state == "closed":
            return
        if self.state == "connecting":
            self._check_connected(own)
        if self.state == "open":
            self._write()
            self._read(own)

    def close(self) -> None:
        self.state = "closed"
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _resolve(self, name: str) -> None:
        with contextlib.suppress(OSError):
            self._found.extend(str(one[4][0]) for one in socket.getaddrinfo(name, None, socket.AF_INET))

    def _begin(self) -> None:
        if self._asking is not None and self._asking.is_alive():
            return
        if not self._found:
            self.close()
            return
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.settimeout(0.0)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self._socket.connect((self._found[0], self._port))
        except BlockingIOError:
            return
        except (OSError, OverflowError):
            self.close()

    def _check_connected(self, own: socket.socket) -> None:
        if own.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            self.close()
            return
        try:
            own.getpeername()
        except OSError:
            return
        self.state = "open"

    def _write(self) -> None:
        if self._unsent and self._socket is not None:
            try:
                sent = self._socket.send(self._unsent)
            except BlockingIOError:
                return
            except OSError:
                self.close()
                return
            del self._unsent[:sent]

    def _read(self, own: socket.socket) -> None:
        if len(self.received) >= MAX_BYTES:
            return
        try:
            data = own.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.received += data
        else:
            # What came before the end can still be read by the program.
            self.close()


class NetworkSockets:
    """Keeps `ProgramSockets` on real sockets; `poll` once per tick moves the bytes."""

    def __init__(self, address: str = "127.0.0.1", *, loopback_only: bool = True) -> None:
        """Begin without a connection.

        Args:
            address: At which programs may listen: the controller's own.
            loopback_only: Other addresses and all names but localhost are refused.
        """
        self._address = address
        self._loopback_only = loopback_only
        self._sockets: dict[str, _Connection] = {}
        self._doors: dict[str, socket.socket] = {}
        self._datagrams = ProgramDatagrams(address, loopback_only=loopback_only)

    def poll(self) -> None:
        """Connect, send and receive what can be without waiting."""
        for one in self._sockets.values():
            one.poll()

    def open(self, address: str, port: int, name: str) -> None:
        """Begin to connect; an older socket of that name is closed first."""
        self.close(name)
        if self._room():
            made = self._sockets[name] = _Connection()
            made.connect(address, port, loopback_only=self._loopback_only)

    def listen(self, port: int, name: str) -> bool:
        """Wait for clients on a port of the controller (0: any free one); False if it is not available."""
        self.close(name)
        if not self._room() or not 0 <= port < 65536:
            return False
        door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((self._address, port))
            door.listen(WAITING)
        except OSError:
            door.close()
            return False
        door.settimeout(0.0)
        self._doors[name] = door
        return True

    def port(self, name: str) -> int:
        """Return the port that a name listens on, or receives datagrams at; 0: none."""
        door = self._doors.get(name)
        return self._datagrams.port(name) if door is None else int(door.getsockname()[1])

    def accept(self, name: str, client: str) -> bool:
        """Take the oldest client that waits at a listening name, as `client`; False if none waits."""
        door = self._doors.get(name)
        if door is None:
            return False
        self._drop(client)
        if not self._room():
            return False
        try:
            own, _ = door.accept()
        except OSError:
            return False
        self._sockets[client] = _Connection.accepted(own)
        return True

    def state(self, name: str) -> SocketState:
        """Return how the connection is; "closed" also for a name that was never opened."""
        one = self._sockets.get(name)
        return "closed" if one is None else one.state

    def send(self, name: str, payload: bytes) -> bool:
        """Queue bytes for sending; False where the socket is not open or its buffer is full."""
        one = self._sockets.get(name)
        return one is not None and one.send(payload)

    def peek(self, name: str) -> bytes:
        """Return all that has been received and not yet taken."""
        one = self._sockets.get(name)
        return b"" if one is None else bytes(one.received)

    def drop(self, name: str, count: int) -> None:
        """Drop `count` bytes from the front of what `peek` returns."""
        one = self._sockets.get(name)
        if one is not None:
            del one.received[:count]

    def bind_datagrams(self, port: int, name: str) -> bool:
        """Receive datagrams at a port of the controller (0: any free one); False if the port is taken."""
        self.close(name)
        return self._room() and self._datagrams.bind(port, name)

    def send_to(self, name: str, address: str, port: int, payload: bytes) -> bool:
        """Send a datagram, which may be lost; False where nothing may be sent to that address."""
        return self._datagrams.send_to(name, address, port, payload)

    def receive_from(self, name: str) -> tuple[bytes, str, int] | None:
        """Return the oldest datagram with address and port of its sender; None: there is none."""
        return self._datagrams.receive_from(name)

    def close(self, name: str) -> None:
        """Close it; unknown names are ignored."""
        self._drop(name)
        self._datagrams.close(name)
        door = self._doors.pop(name, None)
        if door is not None:
            door.close()

    def close_all(self) -> None:
        """Close every socket: the program that owned them has ended."""
        for name in [*self._sockets, *self._doors]:
            self.close(name)
        self._datagrams.close_all()

    def _drop(self, name: str) -> None:
        one = self._sockets.pop(name, None)
        if one is not None:
            one.close()

    def _room(self) -> bool:
        return len(self._sockets) + len(self._doors) + len(self._datagrams) < MAX_SOCKETS
