"""SocketDialler: links over TCP, and the clock of this machine."""

import contextlib
import errno
import os
import socket
import struct
import threading
import time
from ipaddress import IPv4Address
from typing import Any

from openpendant.errors import LinkError
from openpendant.said import say

from .dialler import CHUNK, ByteLink, DatagramLink

Place = tuple[socket.AddressFamily, Any]
"""Family and address of a socket."""
NEXT_AFTER_NS = 250_000_000
"""A host with several addresses: the next one is tried after this time without an answer (RFC 8305, section 5)."""
UNDER_WAY = (errno.EINPROGRESS, errno.EALREADY, errno.EWOULDBLOCK, errno.EINTR)
CONNECTED = (0, errno.EISCONN)
RESET = struct.pack("ii", 1, 0)


class SocketDialler:
    """Dials over the network. Names are looked up in a thread, since that may take seconds."""

    def __init__(self) -> None:
        """Know no name yet."""
        self._names = _NameCache()

    def dial(self, host: str, port: int) -> ByteLink:
        """Begin to connect; see `Dialler.dial`."""
        return _SocketLink(self._names, host, port)

    def listen(self, host: str, port: int) -> DatagramLink:
        """Receive datagrams of a host; see `Dialler.listen`."""
        return _SocketDatagrams(self._names, host, port)

    def now_ns(self) -> int:
        """Return the monotonic clock of this machine."""
        return time.monotonic_ns()

    def wait(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)


class _SocketLink:
    """A TCP connection; see `ByteLink`."""

    def __init__(self, names: "_NameCache", host: str, port: int) -> None:
        self._names, self._host, self._port = names, host, port
        self._places: list[Place] | None = None
        """Where the host may be and has not been tried; None: not known yet."""
        self._socket: socket.socket | None = None
        self._place: Any = None
        self._since_ns = 0
        self._connected = False
        self._why = "closed"
        """Why it is not available."""
        with contextlib.suppress(LinkError):
            # `ready` raises it again.
            self.ready()

    def ready(self) -> bool:
        if self._connected:
            return True
        if self._places is None:
            self._places = self._find()
            if self._places is None:
                return False
        while self._socket is not None or self._places:
            own = self._begin() if self._socket is None else self._socket
            if own is None:
                continue
            result = own.connect_ex(self._place)
            if result in CONNECTED:
                own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._connected = True
                return True
            late = time.monotonic_ns() - self._since_ns > NEXT_AFTER_NS
            if result in UNDER_WAY and not (late and self._places):
                return False
            self._why = os.strerror(result)
            self.close()
        raise LinkError(say("link.no_reply", address=f"{self._host}:{self._port}", why=self._why))

    def send(self, data: bytes) -> int:
        try:
            return 0 if self._socket is None else self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise self._lost(error) from None

    def receive(self) -> bytes:
        try:
            data = b"" if self._socket is None else self._socket.recv(CHUNK)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._lost(error) from None
        if not data:
            raise LinkError(say("link.closed_by", address=f"{self._host}:{self._port}"))
        return data

    def close(self, *, reset: bool = False) -> None:
        own, self._socket = self._socket, None
        if own is not None:
            with contextlib.suppress(OSError):
                if reset:
                    own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            own.close()

    def _find(self) -> list[Place] | None:
        try:
            return self._names.look_up(self._host, self._port)
        except OSError as error:
            self._why = error.strerror or str(error)
            return []

    def _begin(self) -> socket.socket | None:
        """Begin to connect to the next place; None: this machine has no socket for it."""
        assert self._places  # noqa: S101 - asked before
        family, self._place = self._places.pop(0)
        try:
            own = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:
            self._why = error.strerror or str(error)
            return None
        own.settimeout(0.0)
        self._socket, self._since_ns = own, time.monotonic_ns()
        return own

    def _lost(self, error: OSError) -> LinkError:
        why = str(error.strerror or error)
        return LinkError(say("link.lost", address=f"{self._host}:{self._port}", why=why))


class _SocketDatagrams:
    """A UDP port; see `DatagramLink`. It is of all addresses of this computer: controllers know one of them.

    Virtual controllers of this computer send to their own addresses, so that many drivers can wait at one port.
    """

    def __init__(self, names: "_NameCache", host: str, port: int) -> None:
        self._names, self._host = names, host
        self._hosts: set[str] | None = None
        """The host's addresses; None: not known yet."""
        self._socket: socket.socket | None = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind((host if _is_loopback(host) else "", port))
        except OSError as error:
            self._socket.close()
            why = str(error.strerror or error)
            raise LinkError(say("link.no_port", port=port, why=why)) from None
        self._socket.settimeout(0.0)

    def send(self, data: bytes, port: int) -> None:
        hosts = self._known()
        if self._socket is not None and hosts:
            with contextlib.suppress(OSError):
                self._socket.sendto(data, (min(hosts), port))

    def receive(self) -> tuple[bytes, int] | None:
        while self._socket is not None:
            try:
                data, (host, port) = self._socket.recvfrom(CHUNK)
            except BlockingIOError:
                return None
            except OSError:
                # Somebody to whom something was sent is gone.
                continue
            if host in self._known():
                return data, int(port)
        return None

    def close(self) -> None:
        own, self._socket = self._socket, None
        if own is not None:
            own.close()

    def _known(self) -> set[str]:
        if self._hosts is None:
            with contextlib.suppress(OSError):
                found = self._names.look_up(self._host, 0)
                self._hosts = None if found is None else {str(place[0]) for _, place in found}
        return self._hosts or set()


def _is_loopback(host: str) -> bool:
    try:
        return IPv4Address(host).is_loopback
    except ValueError:
        return False


class _NameCache:
    """Where names lead to. A name that is known is looked up again beside the call that uses it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[tuple[str, int], list[Place]] = {}
        self._failed: dict[tuple[str, int], OSError] = {}
        self._resolving: set[tuple[str, int]] = set()

    def look_up(self, host: str, port: int) -> list[Place] | None:
        """Return the places of a host, the best first; None: not known yet.

        Raises:
            OSError: There is no such host.
        """
        with contextlib.suppress(OSError, UnicodeError):
            return _places(host, port, socket.AI_NUMERICHOST)
        key = (host, port)
        with self._lock:
            failed = self._failed.pop(key, None)
            if failed is not None:
                raise failed
            if key not in self._resolving:
                self._resolving.add(key)
                self._begin(host, port)
            known = self._known.get(key)
            return None if known is None else list(known)

    def _begin(self, host: str, port: int) -> None:
        try:
            threading.Thread(target=self._resolve, args=(host, port), name=f"look up {host}", daemon=True).start()
        except RuntimeError:
            # No thread was available: it is requested again.
            self._resolving.discard((host, port))

    def _resolve(self, host: str, port: int) -> None:
        key, found, failed = (host, port), None, None
        try:
            found = _places(host, port, 0)
        except OSError as error:
            failed = error
        except UnicodeError as error:
            failed = OSError(str(error))
        with self._lock:
            self._resolving.discard(key)
            if found is not None:
                self._known[key] = found
            elif failed is not None and key not in self._known:
                self._failed[key] = failed


def _places(host: str, port: int, flags: int) -> list[Place]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return [(family, place) for family, _, _, _, place in found]
