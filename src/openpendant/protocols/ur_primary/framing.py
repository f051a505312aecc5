"""Messages of the primary and secondary interface: int32 size (header included), uint8 type, payload."""

import struct

from openpendant.protocols.error import ProtocolError

__all__ = ["HEADER", "MAX_MESSAGE_SIZE", "MessageFramer", "encode_message"]

HEADER = struct.Struct(">iB")

MAX_MESSAGE_SIZE = 1 << 20
"""A megabyte: states have under two kilobytes, global variables of large programs a few more."""


def encode_message(kind: int, payload: bytes) -> bytes:
    """Return a message, or a sub-package of one: both have the same header."""
    return HEADER.pack(HEADER.size + len(payload), kind) + payload


class MessageFramer:
    """Collects bytes as they arrive and gives back whole messages. Holds at most one unfinished message."""

    __slots__ = ("_buffer", "_fault", "_max_size")

    def __init__(self, max_size: int = MAX_MESSAGE_SIZE) -> None:
        """Take messages of at most `max_size` bytes, header included."""
        self._buffer = bytearray()
        self._fault: str | None = None
        self._max_size = max_size

    @property
    def pending(self) -> int:
        """Bytes of the message that has not fully arrived."""
        return len(self._buffer)

    @property
    def fault(self) -> str | None:
        """Why the stream cannot be followed any more, or None: look at it after the messages of a `feed`."""
        return self._fault

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the (type, payload) of every message that `data` completes, up to a fault in the stream.

        Raises:
            ProtocolError: An earlier feed met a size smaller than a header or above the limit.
        """
        if self._fault is not None:
            raise ProtocolError(self._fault)
        messages: list[tuple[int, bytes]] = []
        buffer = self._buffer
        buffer += data
        start = 0
        while len(buffer) - start >= HEADER.size:
            size, kind = HEADER.unpack_from(buffer, start)
            if not HEADER.size <= size <= self._max_size:
                self._fault = f"a message of {size} bytes; {HEADER.size} to {self._max_size} are allowed"
                buffer.clear()
                return messages
            if len(buffer) - start < size:
                break
            messages.append((kind, bytes(buffer[start + HEADER.size : start + size])))
            start += size
        if start:
            del buffer[:start]
        return messages
