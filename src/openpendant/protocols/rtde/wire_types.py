"""The types a variable can have on the RTDE wire (RTDE guide, "Field types"): big-endian, no padding."""

from dataclasses import dataclass
from types import MappingProxyType

Value = bool | int | float | tuple[int, ...] | tuple[float, ...]
"""A variable's value: a number, or a tuple of three or six for the vector types."""

NOT_FOUND = "NOT_FOUND"
"""Stands in a list of types where the controller knows no variable of that name."""

IN_USE = "IN_USE"
"""Stands in a list of types where another client already writes that input."""


@dataclass(frozen=True, slots=True)
class WireType:
    """How one variable travels: its name in the protocol, its struct code and how many numbers it has."""

    name: str
    code: str
    count: int = 1

    @property
    def struct_format(self) -> str:
        """Struct format of the whole variable, without byte order."""
        return self.code if self.count == 1 else f"{self.count}{self.code}"


WIRE_TYPES = MappingProxyType(
    {
        t.name: t
        for t in (
            WireType("BOOL", "?"),
            WireType("UINT8", "B"),
            WireType("UINT32", "I"),
            WireType("UINT64", "Q"),
            WireType("INT32", "i"),
            WireType("DOUBLE", "d"),
            WireType("VECTOR3D", "d", 3),
            WireType("VECTOR6D", "d", 6),
            WireType("VECTOR6INT32", "i", 6),
            WireType("VECTOR6UINT32", "I", 6),
        )
    }
)
"""Every wire type by its name in the protocol."""
