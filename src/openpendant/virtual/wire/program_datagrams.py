"""ProgramDatagrams: the datagrams of a controller's programs on the real network."""

import ipaddress
import socket

LARGEST = 1 << 16


class ProgramDatagrams:
    """Sockets by name; nothing waits, and what the network does not take is lost."""

    def __init__(self, address: str, *, loopback_only: bool) -> None:
        """Begin without a socket.

        Args:
            address: At which programs receive: the controller's own.
            loopback_only: Nothing is sent to other addresses.
        """
        self._address, self._loopback_only = address, loopback_only
        self._sockets: dict[str, socket.socket] = {}

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._sockets)

    def bind(self, port: int, name: str) -> bool:
        """Receive at a port of the controller (0: any free one); False if the port is taken."""
        self.close(name)
        if not 0 <= port < 65536:
            return False
        own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            own.bind((self._address, port))
        except OSError:
            own.close()
            return False
        own.settimeout(0.0)
        self._sockets[name] = own
        return True

    def port(self, name: str) -> int:
        """Return the port at which a name receives; 0: none."""
        own = self._sockets.get(name)
        return 0 if own is None else int(own.getsockname()[1])

    def send_to(self, name: str, address: str, port: int, payload: bytes) -> bool:
        """Send a datagram; False where the socket is not there, or nothing may be sent to that address."""
        own = self._sockets.get(name)
        try:
            to = ipaddress.IPv4Address("127.0.0.1" if address.lower() == "localhost" else address)
        except ValueError:
            # No name is looked up: that would wait, or ask somebody on the network.
            return False
        if own is None or (self._loopback_only and not to.is_loopback):
            return False
        try:
            own.sendto(payload, (str(to), port))
        except OSError:
            # Full, too large, or without a receiver: a datagram may be lost.
            return True
        return True

    def receive_from(self, name: str) -> tuple[bytes, str, int] | None:
        """Return the oldest datagram with address and port of its sender; None: there is none."""
        own = self._sockets.get(name)
        if own is None:
            return None
        try:
            data, (address, port) = own.recvfrom(LARGEST)
        except OSError:
            return None
        return data, str(address), int(port)

    def close(self, name: str) -> None:
        """Close a socket; unknown names are ignored."""
        own = self._sockets.pop(name, None)
        if own is not None:
            own.close()

    def close_all(self) -> None:
        """Close all of them."""
        for name in list(self._sockets):
            self.close(name)
