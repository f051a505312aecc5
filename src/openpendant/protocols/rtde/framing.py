"""Cuts a stream of bytes into RTDE packages."""

from openpendant.protocols.error import ProtocolError

from .packages import HEADER_SIZE, MAX_PACKAGE_SIZE

__all__ = ["Framer"]


class Framer:
    """Collects bytes as they arrive and gives back whole packages.

    Holds at most one unfinished package (64 KiB): the wire's own size field allows no more.
    """

    __slots__ = ("_buffer", "_fault", "_max_size")

    def __init__(self, max_size: int = MAX_PACKAGE_SIZE) -> None:
        """Take packages of at most `max_size` bytes, header included."""
        self._buffer = bytearray()
        self._fault: str | None = None
        self._max_size = max_size

    @property
    def pending(self) -> int:
        """Bytes of the package that has not fully arrived."""
        return len(self._buffer)

    @property
    def fault(self) -> str | None:
        """Why the stream cannot be followed any more, or None: look at it after the packages of a `feed`."""
        return self._fault

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the (type, payload) of every package that `data` completes, up to a fault in the stream.

        Raises:
            ProtocolError: An earlier feed met a size smaller than a header or above the limit.
        """
        if self._fault is not None:
            raise ProtocolError(self._fault)
        packages: list[tuple[int, bytes]] = []
        buffer = self._buffer
        buffer += data
        start = 0
        while len(buffer) - start >= HEADER_SIZE:
            size = (buffer[start] << 8) | buffer[start + 1]
            if not HEADER_SIZE <= size <= self._max_size:
                self._fault = f"an RTDE package of {size} bytes; {HEADER_SIZE} to {self._max_size} are allowed"
                buffer.clear()
                return packages
            if len(buffer) - start < size:
                break
            packages.append((buffer[start + 2], bytes(buffer[start + HEADER_SIZE : start + size])))
            start += size
        if start:
            del buffer[:start]
        return packages
