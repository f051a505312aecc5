"""ProgramSockets: what the socket functions of a robot language need from the owner of the real sockets."""

from typing import Literal, Protocol

SocketState = Literal["connecting", "open", "closed", "refused"]
"""'refused': this controller connects to no such address, and listens at none."""


class ProgramSockets(Protocol):
    """Sockets by name; nothing here ever waits. Time-outs are counted in ticks by the brain."""

    def open(self, address: str, port: int, name: str) -> None:
        """Begin to connect; an older socket of that name is closed first."""
        ...

    def listen(self, port: int, name: str) -> bool:
        """Wait for clients on a port of the controller (0: any free one); False if it is not available."""
        ...

    def port(self, name: str) -> int:
        """Return the port that a name listens on; 0: none."""
        ...

    def accept(self, name: str, client: str) -> bool:
        """Take the oldest client that waits at a listening name, as `client`; False if none waits."""
        ...

    def state(self, name: str) -> SocketState:
        """Return how the connection is; "closed" also for a name that was never opened."""
        ...

    def send(self, name: str, payload: bytes) -> bool:
        """Queue bytes for sending; False where the socket is not open or its buffer is full."""
        ...

    def peek(self, name: str) -> bytes:
        """Return all that has been received and not yet taken."""
        ...

    def drop(self, name: str, count: int) -> None:
        """Drop `count` bytes from the front of what `peek` returns."""
        ...

    def bind_datagrams(self, port: int, name: str) -> bool:
        """Receive datagrams at a port of the controller (0: any free one); False if the port is taken."""
        ...

    def send_to(self, name: str, address: str, port: int, payload: bytes) -> bool:
        """Send a datagram, which may be lost; False where nothing may be sent to that address."""
        ...

    def receive_from(self, name: str) -> tuple[bytes, str, int] | None:
        """Return the oldest datagram with address and port of its sender; None: there is none."""
        ...

    def close(self, name: str) -> None:
        """Close it; unknown names are ignored."""
        ...

    def close_all(self) -> None:
        """Close every socket: the program that owned them has ended."""
        ...


class ClosedSockets:
    """A world without network: no connection ever succeeds."""

    def open(self, address: str, port: int, name: str) -> None:
        """Do nothing."""

    def listen(self, port: int, name: str) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    def port(self, name: str) -> int:  # noqa: ARG002
        """Return 0."""
        return 0

    def accept(self, name: str, client: str) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    def state(self, name: str) -> SocketState:  # noqa: ARG002
        """Return "closed"."""
        return "closed"

    def send(self, name: str, payload: bytes) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    def peek(self, name: str) -> bytes:  # noqa: ARG002
        """Return nothing."""
        return b""

    def drop(self, name: str, count: int) -> None:
        """Do nothing."""

    def bind_datagrams(self, port: int, name: str) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    def send_to(self, name: str, address: str, port: int, payload: bytes) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    def receive_from(self, name: str) -> tuple[bytes, str, int] | None:  # noqa: ARG002
        """Return None."""
        return None

    def close(self, name: str) -> None:
        """Do nothing."""

    def close_all(self) -> None:
        """Do nothing."""
