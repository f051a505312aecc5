"""Messages of the primary and secondary interface: int32 size (header included), uint8 type, payload."""

import struct

from openpendant.protocols.framer import SizedFramer

HEADER = struct.Struct(">iB")

MAX_MESSAGE_SIZE = 1 << 20
"""A megabyte: states have under two kilobytes, global variables of large programs a few more."""


def encode_message(kind: int, payload: bytes) -> bytes:
    """Return a message, or a sub-package of one: both have the same header."""
    return HEADER.pack(HEADER.size + len(payload), kind) + payload


class MessageFramer(SizedFramer):
    """Returns the messages of a primary or secondary stream."""

    __slots__ = ()

    def __init__(self, max_size: int = MAX_MESSAGE_SIZE) -> None:
        """Accept messages of at most `max_size` bytes, header included."""
        super().__init__(HEADER, "a message", max_size)
