"""Recipes: which variables travel in one data package, and their bytes.

A recipe compiles its layout once, so that packing hundreds of values costs one call.
"""

import struct
from collections.abc import Iterable, Sequence

from openpendant.errors import InputError
from openpendant.protocols.error import ProtocolError

from .packages import PackageType
from .wire_types import Value, WireType


class Recipe:
    """An agreed list of variables.

    Attributes:
        id: Number of the recipe on its connection, from 1.
        names: The variables, in wire order.
        types: The wire type of each.
        width: How many numbers one package holds: vectors count three or six.
        size: Bytes of one package, header and recipe id included.
    """

    __slots__ = ("_body", "_package", "_slices", "_tagged", "id", "names", "size", "types", "width")

    def __init__(self, id: int, names: Iterable[str], types: Iterable[WireType], *, tagged: bool = True) -> None:  # noqa: A002
        """Compile the layout. `tagged`: packages carry the recipe's id (outputs of protocol 1 do not)."""
        self.id = id
        self.names = tuple(names)
        self.types = tuple(types)
        if len(self.names) != len(self.types):
            raise InputError(
                f"{len(self.names)} names and {len(self.types)} types; a recipe has one type for each name"
            )
        body = "".join(t.struct_format for t in self.types)
        self._tagged = tagged
        self._body = struct.Struct(">" + body)
        self._package = struct.Struct((">HBB" if tagged else ">HB") + body)
        self.size = self._package.size
        self.width = sum(t.count for t in self.types)
        slices: list[tuple[int, int]] = []
        start = 0
        for t in self.types:
            slices.append((start, t.count))
            start += t.count
        self._slices = tuple(slices)

    def __repr__(self) -> str:
        return f"Recipe({self.id}, {', '.join(self.names)})"

    def pack(self, flat: Sequence[float]) -> bytes:
        """Return the whole data package of these `width` numbers, vectors laid flat in wire order.

        Raises:
            InputError: Too many or too few numbers, or one that its wire type cannot hold.
        """
        try:
            if self._tagged:
                return self._package.pack(self.size, PackageType.DATA, self.id, *flat)
            return self._package.pack(self.size, PackageType.DATA, *flat)
        except (struct.error, OverflowError) as fault:
            raise InputError(self._why_not(flat, fault)) from None

    def unpack(self, payload: bytes) -> tuple[float, ...]:
        """Return the numbers of a data package's payload, vectors laid flat.

        Raises:
            ProtocolError: The payload does not fit the recipe, or carries another recipe's id.
        """
        start = 1 if self._tagged else 0
        if len(payload) != self._body.size + start:
            raise ProtocolError(
                f"a data package with a payload of {len(payload)} bytes; "
                f"recipe {self.id} ({', '.join(self.names)}) has {self._body.size + start}"
            )
        if self._tagged and payload[0] != self.id:
            raise ProtocolError(f"a data package of recipe {payload[0]} read as recipe {self.id}")
        return self._body.unpack_from(payload, start)

    def group(self, flat: Sequence[float]) -> tuple[Value, ...]:
        """Return one value per variable: vectors gathered into tuples."""
        return tuple(flat[i] if n == 1 else tuple(flat[i : i + n]) for i, n in self._slices)

    def flatten(self, values: Sequence[Value]) -> tuple[float, ...]:
        """Return the numbers of one value per variable, vectors laid flat.

        Raises:
            InputError: A value is missing, or a vector has the wrong length; names the variable.
        """
        if len(values) != len(self.names):
            raise InputError(f"{len(values)} values for the {len(self.names)} variables {', '.join(self.names)}")
        flat: list[float] = []
        for name, wire_type, value in zip(self.names, self.types, values, strict=True):
            numbers = value if isinstance(value, tuple) else (value,)
            if len(numbers) != wire_type.count:
                raise InputError(f"{name} is {value!r}; {wire_type.name} has {wire_type.count} numbers")
            flat.extend(numbers)
        return tuple(flat)

    def _why_not(self, flat: Sequence[float], fault: Exception) -> str:
        if len(flat) != self.width:
            return f"{len(flat)} numbers for recipe {self.id}; {', '.join(self.names)} take {self.width}"
        for (start, count), name, wire_type in zip(self._slices, self.names, self.types, strict=True):
            numbers = flat[start : start + count]
            try:
                struct.pack(">" + wire_type.struct_format, *numbers)
            except (struct.error, OverflowError):
                return f"{name} is {', '.join(map(str, numbers))}; {wire_type.name} cannot hold it"
        return f"recipe {self.id} cannot be packed: {fault}"
