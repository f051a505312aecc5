"""Dialler: where a driver gets its links from, so that the same driver runs on sockets and in virtual time.

A driver dials, then asks its links at every `poll` what has come; it has no socket, thread or clock of its own.
"""

from typing import Protocol


class ByteLink(Protocol):
    """A connection that carries bytes in order. No call waits."""

    def ready(self) -> bool:
        """Return whether the other end has taken the call; nothing can be sent or received before.

        Raises:
            LinkError: It never will; says why.
        """
        ...

    def send(self, data: bytes) -> int:
        """Send what goes at once; return how many bytes that were.

        Raises:
            LinkError: The connection is broken.
        """
        ...

    def receive(self) -> bytes:
        """Return what has come, as far as it goes into one piece of CHUNK bytes; empty: nothing.

        Raises:
            LinkError: The connection is broken, or the other end has closed it and all that came before was received.
        """
        ...

    def close(self, *, reset: bool = False) -> None:
        """End it; does nothing where it has ended.

        Args:
            reset: At once: what is still on its way is not to arrive later.
        """
        ...


class DatagramLink(Protocol):
    """Datagrams to and from one host, at a port of this computer. No call waits; any of them may be lost."""

    def send(self, data: bytes, port: int) -> None:
        """Send one to a port of the host; what does not go is lost."""
        ...

    def receive(self) -> tuple[bytes, int] | None:
        """Return the oldest that has come from the host, with its port there; None: there is none."""
        ...

    def close(self) -> None:
        """Receive no more; does nothing where it has ended."""
        ...


class Dialler(Protocol):
    """Opens links, and lets time pass for the calls of a driver that may wait: `connect` and `close`."""

    def dial(self, host: str, port: int) -> ByteLink:
        """Begin to connect to a port; returns at once, and never raises."""
        ...

    def listen(self, host: str, port: int) -> DatagramLink:
        """Receive the datagrams of a host at a port of this computer.

        Raises:
            LinkError: The port is in use, or is not ours.
        """
        ...

    def now_ns(self) -> int:
        """Return the time that `poll` is called with, nanoseconds."""
        ...

    def wait(self, seconds: float) -> None:
        """Let some time pass; never called from `poll`."""
        ...


CHUNK = 1 << 16
"""Most bytes that a link returns at once."""
