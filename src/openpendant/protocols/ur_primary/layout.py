"""Fixed layouts: a package's fields in wire order, big-endian without padding."""

import struct
from collections.abc import Sequence, Sized
from typing import Any

from openpendant.errors import InputError
from openpendant.protocols.error import ProtocolError

FieldValue = bool | int | float | tuple[int, ...] | tuple[float, ...]
"""A field's value: a number, or a tuple of numbers for fields as `6d`."""


class Layout:
    """How fields lie in bytes.

    A field is a struct code, with a count in front for a vector (`d`, `6d`, `B`). A tuple of vectors lies
    interleaved: first number of each, second number of each, and so on, as joint data do.
    """

    __slots__ = ("_groups", "_struct")

    def __init__(self, *fields: str | tuple[str, ...]) -> None:
        """Compile the layout."""
        groups: list[tuple[int, int]] = []
        codes = ">"
        for field in fields:
            names = (field,) if isinstance(field, str) else field
            counts = {int(name[:-1] or 1) for name in names}
            (count,) = counts
            groups.append((len(names), count))
            codes += "".join(name[-1] for name in names) * count
        self._groups = tuple(groups)
        self._struct = struct.Struct(codes)

    @property
    def size(self) -> int:
        """Bytes of the whole layout."""
        return self._struct.size

    def pack(self, what: str, values: Sequence[FieldValue]) -> bytes:
        """Return the bytes of one value per field. `what` names the package in errors.

        Raises:
            InputError: A vector has the wrong length or a number does not fit its field.
        """
        flat: list[float] = []
        position = 0
        for columns, count in self._groups:
            vectors = [v if isinstance(v, Sized) else (v,) for v in values[position : position + columns]]
            if any(len(v) != count for v in vectors):
                raise InputError(f"{what}: {values[position : position + columns]!r}; {count} numbers each are needed")
            for row in zip(*vectors, strict=True):
                flat.extend(row)
            position += columns
        try:
            return self._struct.pack(*flat)
        except (struct.error, OverflowError) as fault:
            raise InputError(f"{what} of {values!r}: {fault}") from None

    def unpack(self, what: str, payload: bytes) -> tuple[Any, ...]:
        """Return one value per field, typed as its code. Bytes after the last field are newer software's and are left.

        Raises:
            ProtocolError: The payload is too short; names both sizes.
        """
        if len(payload) < self.size:
            raise ProtocolError(f"{what} of {len(payload)} bytes; it has at least {self.size}")
        flat: tuple[float, ...] = self._struct.unpack_from(payload)
        values: list[Any] = []
        position = 0
        for columns, count in self._groups:
            block = flat[position : position + columns * count]
            values.extend(block[i] if count == 1 else block[i::columns] for i in range(columns))
            position += columns * count
        return tuple(values)
