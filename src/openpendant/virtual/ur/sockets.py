"""NetworkSockets: the client sockets of URScript programs on the real network, never waited for."""

import contextlib
import ipaddress
import socket
from threading import Thread

from .sockets_port import SocketState

__all__ = ["NetworkSockets"]

MAX_SOCKETS = 64
MAX_BYTES = 1 << 20
"""Kept for a program that does not read, or for a server that does not; the rest waits or is refused."""
CHUNK = 1 << 16


class _Outgoing:
    """One connection, from the request to the end."""

    def __init__(self, address: str, port: int, *, loopback_only: bool) -> None:
        self.state: SocketState = "connecting"
        self.received = bytearray()
        self._unsent = bytearray()
        self._port = port
        self._socket: socket.socket | None = None
        self._found: list[str] = []
        self._asking: Thread | None = None
        try:
            given = ipaddress.IPv4Address("127.0.0.1" if address.lower() == "localhost" else address)
            if loopback_only and not given.is_loopback:
                self.state = "refused"
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
            self._look(own)
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

    def _look(self, own: socket.socket) -> None:
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
    """Keeps `ScriptSockets` on real sockets; `poll` once per tick moves the bytes."""

    def __init__(self, *, loopback_only: bool = True) -> None:
        """Begin without a connection; `loopback_only`: other addresses and all names but localhost are refused."""
        self._loopback_only = loopback_only
        self._sockets: dict[str, _Outgoing] = {}

    def poll(self) -> None:
        """Connect, send and receive what can be without waiting."""
        for one in self._sockets.values():
            one.poll()

    def open(self, address: str, port: int, name: str) -> None:
        """Begin to connect; an older socket of that name is closed first."""
        self.close(name)
        if len(self._sockets) < MAX_SOCKETS:
            self._sockets[name] = _Outgoing(address, port, loopback_only=self._loopback_only)

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

    def take(self, name: str, count: int) -> None:
        """Drop `count` bytes from the front of what `peek` returns."""
        one = self._sockets.get(name)
        if one is not None:
            del one.received[:count]

    def close(self, name: str) -> None:
        """Close it; unknown names are ignored."""
        one = self._sockets.pop(name, None)
        if one is not None:
            one.close()

    def close_all(self) -> None:
        """Close every socket: the program that owned them has ended."""
        for name in list(self._sockets):
            self.close(name)
