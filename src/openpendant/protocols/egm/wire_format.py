"""The wire format of protocol buffers: varints, fixed numbers, lengths (protobuf.dev, "Encoding")."""

import struct
from collections.abc import Iterator

from openpendant.protocols.error import ProtocolError

VARINT, FIXED64, LENGTH, GROUP, GROUP_END, FIXED32 = range(6)
MAX_MESSAGE = 64 * 1024
"""Bytes; no datagram is larger."""
_LONGEST_VARINT = 10
_LONGEST_TAG = 5
_DEEPEST_GROUP = 20
_double = struct.Struct("<d")


def encode_varint(value: int) -> bytes:
    """Return a number from 0 to 2**64 - 1, seven bits a byte, the lowest first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def encode_double(value: float) -> bytes:
    """Return eight bytes, little-endian."""
    return _double.pack(value)


def encode_tag(number: int, kind: int) -> bytes:
    """Return what stands before the value of a field."""
    return encode_varint(number << 3 | kind)


def encode_length(data: bytes) -> bytes:
    """Return bytes with their length before them."""
    return encode_varint(len(data)) + data


def decode_double(data: bytes) -> float:
    """Return the number of eight bytes."""
    return float(_double.unpack(data)[0])


def decode_doubles(data: bytes) -> tuple[float, ...]:
    """Return packed numbers.

    Raises:
        ProtocolError: The length is not a multiple of eight bytes.
    """
    if len(data) % _double.size:
        raise ProtocolError(f"packed doubles of {len(data)} bytes; a multiple of {_double.size} is allowed")
    return tuple(one for (one,) in _double.iter_unpack(data))


def read_fields(data: bytes) -> Iterator[tuple[int, int, int | bytes]]:
    """Yield (number, kind, value) of every field: integers of varints, bytes of all others. Groups are passed over.

    Raises:
        ProtocolError: The bytes are cut short, or no message.
    """
    at, size = 0, len(data)
    while at < size:
        number, kind, at = _read_tag(data, at)
        if kind == GROUP:
            at = _skip_group(data, at, number, 1)
            continue
        value, at = _read_value(data, at, kind)
        yield number, kind, value


def _read_tag(data: bytes, at: int) -> tuple[int, int, int]:
    tag, after = _read_varint(data, at, _LONGEST_TAG)
    if tag >> 32 or tag < 8:
        raise ProtocolError(f"tag {tag} of a field; numbers of fields are 1 to {(1 << 29) - 1}")
    return tag >> 3, tag & 7, after


def _read_varint(data: bytes, at: int, longest: int = _LONGEST_VARINT) -> tuple[int, int]:
    value = 0
    for place in range(longest):
        if at + place >= len(data):
            raise ProtocolError(f"{len(data)} bytes end within a number")
        byte = data[at + place]
        value |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at + place + 1
    raise ProtocolError(f"a number of more than {longest} bytes")


def _read_value(data: bytes, at: int, kind: int) -> tuple[int | bytes, int]:
    match kind:
        case 0:
            return _read_varint(data, at)
        case 1:
            end = at + 8
        case 5:
            end = at + 4
        case 2:
            length, at = _read_varint(data, at)
            end = at + length
        case _:
            raise ProtocolError(f"a field of wire type {kind}; 0 to 3 and 5 are allowed")
    if end > len(data):
        raise ProtocolError(f"a field that ends at byte {end} of {len(data)}")
    return data[at:end], end


def _skip_group(data: bytes, at: int, number: int, depth: int) -> int:
    if depth > _DEEPEST_GROUP:
        raise ProtocolError(f"groups in more than {_DEEPEST_GROUP} others")
    while at < len(data):
        inner, kind, at = _read_tag(data, at)
        if kind == GROUP_END:
            if inner != number:
                raise ProtocolError(f"group {number} ends as group {inner}")
            return at
        at = _skip_group(data, at, inner, depth + 1) if kind == GROUP else _read_value(data, at, kind)[1]
    raise ProtocolError(f"{len(data)} bytes end within a group")
