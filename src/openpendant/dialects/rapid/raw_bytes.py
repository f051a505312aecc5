"""RawBytes: up to 1024 bytes that programs pack, send and unpack."""

import struct
from collections.abc import Callable
from typing import Any

from .faults import RapidFailure
from .printer import write_constant
from .values import Reference

LONGEST_RAW = 1024
_FORMS = {1.0: "B", 2.0: "H", 3.0: "I", 4.0: "Q", 5.0: "b", 6.0: "h", 7.0: "i", 8.0: "q"}
"""By the numbers of inttypes."""


def bytes_of(target: Reference) -> bytearray:
    """Return the bytes of rawbytes data; they stay its own."""
    slot = target.get()
    if slot.held is None:
        slot.held = bytearray()
    return slot.held


def _start(index: float, longest: int) -> int:
    if index != int(index) or not 1 <= index <= longest:
        raise RapidFailure("ERR_OUTOFBND", f"index {write_constant(index)} is not in 1..{longest}")
    return int(index) - 1


def clear_raw(target: Reference, start: float | None) -> None:
    """ClearRawBytes"""
    data = bytes_of(target)
    del data[0 if start is None else _start(start, LONGEST_RAW) :]


def copy_raw(source: Reference, start: float, target: Reference, to: float, count: float | None) -> None:
    """CopyRawBytes"""
    data = bytes_of(source)
    first = _start(start, LONGEST_RAW)
    part = data[first:] if count is None else data[first : first + int(count)]
    _put(target, _start(to, LONGEST_RAW), bytes(part))


def _put(target: Reference, place: int, part: bytes) -> None:
    data = bytes_of(target)
    if place + len(part) > LONGEST_RAW:
        raise RapidFailure("ERR_OUTOFBND", f"rawbytes hold {LONGEST_RAW} bytes")
    if len(data) < place:
        data.extend(bytes(place - len(data)))
    data[place : place + len(part)] = part


def _order(network: object) -> str:
    return ">" if network is not None else "<"


def pack(
    value: Any,
    target: Reference,
    network: object,
    start: float,
    hexadecimal: object,
    integer: Any,
    real: object,
    text: Any,
) -> None:
    """PackRawBytes"""
    place = _start(start, LONGEST_RAW)
    try:
        if integer is not None:
            part = struct.pack(_order(network) + _FORMS[integer], int(value))
        elif real is not None:
            part = struct.pack(f"{_order(network)}f", value)
        elif hexadecimal is not None:
            part = bytes.fromhex(value) if isinstance(value, str) else bytes([int(value)])
        elif text is not None and isinstance(value, str):
            part = value.encode("latin-1", "replace")
        else:
            part = bytes([int(value)])
    except (KeyError, ValueError, TypeError, struct.error, OverflowError):
        raise RapidFailure("ERR_ARGVALERR", "the value cannot be packed in this form") from None
    _put(target, place, part)


def unpack(
    source: Reference,
    network: object,
    start: float,
    target: Reference,
    hexadecimal: object,
    integer: Any,
    real: object,
    text: Any,
) -> None:
    """UnpackRawBytes"""
    data = bytes_of(source)
    place = _start(start, max(len(data), 1))
    if integer is not None or real is not None:
        form = _order(network) + ("f" if integer is None else _FORMS.get(integer, "B"))
        size = struct.calcsize(form)
        if place + size > len(data):
            raise RapidFailure("ERR_OUTOFBND", f"{size} bytes from {place + 1} are more than there are")
        target.set(float(struct.unpack_from(form, data, place)[0]))
    elif text is not None:
        count = int(text)
        if not 1 <= count <= 80:
            raise RapidFailure("ERR_ARGVALERR", "\\ASCII takes 1 to 80 characters")
        target.set(bytes(data[place : place + count]).decode("latin-1"))
    elif place >= len(data):
        raise RapidFailure("ERR_OUTOFBND", "there are no bytes")
    elif isinstance(target.get(), str):
        if hexadecimal is None:
            raise RapidFailure("ERR_ARGVALERR", "a string needs \\ASCII or \\Hex1")
        target.set(f"{data[place]:02X}")
    else:
        target.set(float(data[place]))


def raw_length(source: Reference) -> float:
    """RawBytesLen"""
    return float(len(bytes_of(source)))


RAW_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "clearrawbytes": clear_raw,
    "copyrawbytes": copy_raw,
    "packrawbytes": pack,
    "unpackrawbytes": unpack,
    "rawbyteslen": raw_length,
}
