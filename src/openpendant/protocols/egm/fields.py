"""Messages as dataclasses whose fields carry their number and type, encoded and decoded by that alone.

Decoding follows protocol buffers: of a field that comes twice the last value counts, messages are merged, repeated
numbers may be packed or not, and fields and enumerators that are not known are passed over.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import cache
from typing import Any, TypeVar, cast

from openpendant.protocols.error import ProtocolError

from .wire_format import (
    FIXED64,
    LENGTH,
    MAX_MESSAGE,
    VARINT,
    decode_double,
    decode_doubles,
    encode_double,
    encode_length,
    encode_tag,
    encode_varint,
    read_fields,
)

Message = TypeVar("Message")
Merge = Callable[[Any, Any], Any]
"""Makes the new partial value of a field of the old one (None: there is none) and what came."""
Partial = dict[str, Any]
"""What has come of a message so far, by the names of its fields."""


def _as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class FieldType:
    """How a field crosses the wire.

    Attributes:
        number: Of the field.
        encode: Returns tag and value.
        merges: By wire type in which the field may come.
        finish: Makes the value of the last partial one.
        required: Whether a message without it is none.
    """

    number: int
    encode: Callable[[Any], bytes]
    merges: dict[int, Merge]
    finish: Callable[[Any], Any] = _as_it_is
    required: bool = False


def double(number: int, *, required: bool = False) -> Any:
    """Declare a number of 64 bits."""
    tag = encode_tag(number, FIXED64)
    merges: dict[int, Merge] = {FIXED64: lambda _, came: decode_double(came)}
    return _declared(FieldType(number, lambda value: tag + encode_double(value), merges, required=required))


def doubles(number: int) -> Any:
    """Declare repeated numbers: a tuple, empty where none came."""
    return field(default=(), metadata={"wire": _doubles(number)})


def integer(number: int, bits: int, *, required: bool = False) -> Any:
    """Declare an unsigned number of `bits`; larger ones are cut, as by every reader of protocol buffers."""
    tag, mask = encode_tag(number, VARINT), (1 << bits) - 1
    merges: dict[int, Merge] = {VARINT: lambda _, came: came & mask}
    return _declared(FieldType(number, lambda value: tag + encode_varint(value & mask), merges, required=required))


def boolean(number: int) -> Any:
    """Declare True or False."""
    tag = encode_tag(number, VARINT)
    merges: dict[int, Merge] = {VARINT: lambda _, came: came != 0}
    return _declared(FieldType(number, lambda value: tag + encode_varint(int(value)), merges))


def enumerator(number: int, kind: type[IntEnum]) -> Any:
    """Declare one of an enumeration."""
    return _declared(_enumerator(number, kind))


def boxed_enumerator(number: int, kind: type[IntEnum]) -> Any:
    """Declare one of an enumeration, alone in a message; None also where that holds an unknown one."""
    return _declared(_boxed(number, _enumerator(1, kind), empty=None))


def boxed_doubles(number: int) -> Any:
    """Declare repeated numbers, alone in their own message; None where that did not come."""
    return _declared(_boxed(number, _doubles(1), empty=()))


def message(number: int, kind: type[Any], *, required: bool = False) -> Any:
    """Declare a message inside another one."""
    tag = encode_tag(number, LENGTH)
    return _declared(
        FieldType(
            number,
            lambda value: tag + encode_length(encode_message(value)),
            {LENGTH: lambda old, came: _merge(kind, {} if old is None else old, came)},
            lambda partial: _finish(kind, partial),
            required,
        )
    )


def encode_message(value: Any) -> bytes:
    """Return a message as it goes out; what is None is left out."""
    out = bytearray()
    for name, kind in _layout(cast(type[Any], type(value))):
        one = getattr(value, name)
        if one is not None:
            out += kind.encode(one)
    return bytes(out)


def decode_message(kind: type[Message], data: bytes) -> Message:
    """Read one message.

    Raises:
        ProtocolError: The bytes are no message of this kind; says why.
    """
    if len(data) > MAX_MESSAGE:
        raise ProtocolError(f"a message of {len(data)} bytes; at most {MAX_MESSAGE} are allowed")
    return _finish(kind, _merge(kind, {}, data))


def _declared(kind: FieldType) -> Any:
    return field(metadata={"wire": kind}) if kind.required else field(default=None, metadata={"wire": kind})


def _doubles(number: int) -> FieldType:
    tag = encode_tag(number, FIXED64)
    return FieldType(
        number,
        lambda values: b"".join(tag + encode_double(value) for value in values),
        {
            FIXED64: lambda old, came: (*(old or ()), decode_double(came)),
            LENGTH: lambda old, came: (*(old or ()), *decode_doubles(came)),
        },
    )


def _enumerator(number: int, kind: type[IntEnum]) -> FieldType:
    tag = encode_tag(number, VARINT)
    known = {one.value: one for one in kind}
    return FieldType(
        number,
        lambda value: tag + encode_varint(int(value)),
        {VARINT: lambda old, came: known.get(came & 0xFFFF_FFFF, old)},
    )


def _boxed(number: int, inner: FieldType, *, empty: Any) -> FieldType:
    tag = encode_tag(number, LENGTH)

    def merge(old: Any, came: bytes) -> Any:
        value = empty if old is None else old
        for found, kind, raw in read_fields(came):
            if found == inner.number and kind in inner.merges:
                value = inner.merges[kind](value, raw)
        return value

    return FieldType(number, lambda value: tag + encode_length(inner.encode(value)), {LENGTH: merge})


@cache
def _layout(kind: type[Any]) -> tuple[tuple[str, FieldType], ...]:
    return tuple((one.name, one.metadata["wire"]) for one in fields(kind))


@cache
def _readers(kind: type[Any]) -> dict[tuple[int, int], tuple[str, Merge]]:
    """Return who reads a field, by number and wire type: two declarations may share a number."""
    return {(one.number, way): (name, merge) for name, one in _layout(kind) for way, merge in one.merges.items()}


def _merge(kind: type[Any], partial: Partial, data: bytes) -> Partial:
    readers = _readers(kind)
    for number, way, raw in read_fields(data):
        reader = readers.get((number, way))
        if reader is not None:
            name, merge = reader
            partial[name] = merge(partial.get(name), raw)
    return partial


def _finish(kind: type[Message], partial: Partial) -> Message:
    values: Partial = {}
    for name, one in _layout(kind):
        value = partial.get(name)
        if value is not None:
            values[name] = one.finish(value)
        elif one.required:
            raise ProtocolError(f"{kind.__name__} without its {name}")
    return kind(**values)
