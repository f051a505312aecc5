"""Cuts a stream of bytes into packages that begin with their size and their type."""

import struct

from .error import ProtocolError


class SizedFramer:
    """Collects bytes as they arrive and returns whole packages. Holds at most one incomplete package."""

    __slots__ = ("_buffer", "_fault", "_header", "_max_size", "_name")

    def __init__(self, header: struct.Struct, name: str, max_size: int) -> None:
        """Start with an empty buffer.

        Args:
            header: Two integers: the size of the whole package in bytes, header included, and its type.
            name: What a package is called in an error, with its article.
            max_size: Largest package, in bytes.
        """
        self._buffer = bytearray()
        self._fault: str | None = None
        self._header = header
        self._name = name
        self._max_size = max_size

    @property
    def pending(self) -> int:
        """Number of bytes of the incomplete package."""
        return len(self._buffer)

    @property
    def fault(self) -> str | None:
        """Why the stream cannot be followed any more, or None. Check it after using the packages of a `feed`."""
        return self._fault

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the (type, payload) of every package that `data` completes, up to a fault in the stream.

        Raises:
            ProtocolError: An earlier feed met a size smaller than the header or above the limit.
        """
        if self._fault is not None:
            raise ProtocolError(self._fault)
        packages: list[tuple[int, bytes]] = []
        buffer, header_size, unpack = self._buffer, self._header.size, self._header.unpack_from
        buffer += data
        start = 0
        while len(buffer) - start >= header_size:
            size, kind = unpack(buffer, start)
            if not header_size <= size <= self._max_size:
                self._fault = f"{self._name} of {size} bytes; {header_size} to {self._max_size} are allowed"
                buffer.clear()
                return packages
            if len(buffer) - start < size:
                break
            packages.append((kind, bytes(buffer[start + header_size : start + size])))
            start += size
        if start:
            del buffer[:start]
        return packages
