"""The values of URScript.

| URScript                 | Python                                                               |
|--------------------------|----------------------------------------------------------------------|
| `True`, `False`          | `bool`                                                               |
| integer (32 bits), number| `int`, `float`                                                       |
| `"text"`                 | `str`                                                                |
| `p[x, y, z, rx, ry, rz]` | `ScriptPose`                                                               |
| `[1, 2, 3]`              | `tuple` of values; a matrix is a tuple of tuples of one length       |
| `make_list(0, 0, 20)`    | `Growing`, a tuple that may change its length up to a capacity       |
| `struct(a=1)`            | `Struct`                                                             |
| a thread's handle        | `int`                                                                |
| nothing                  | `None`                                                               |

All of them are immutable: assigning one never lets two variables share a part, as on the controller.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from .failures import ScriptFailure

LONGEST_STRING = 1023
"""Characters (the manual, str_cat)."""
LONGEST_LIST = 10_000
"""Elements of a list or a matrix."""


class ScriptPose(tuple[float, float, float, float, float, float]):
    """A pose p[x, y, z, rx, ry, rz]: metres, and a rotation vector in radians.

    Made of six numbers in one iterable: `ScriptPose((0.1, 0, 0.2, 0, 0, 0))`. They become floats.
    """

    __slots__ = ()

    def __new__(cls, numbers: Iterable[float]) -> "ScriptPose":
        """Make a pose of six numbers; ValueError where it is not six."""
        x, y, z, rx, ry, rz = numbers
        return super().__new__(cls, (float(x), float(y), float(z), float(rx), float(ry), float(rz)))

    def __repr__(self) -> str:
        """Return it as a script writes it."""
        return f"p[{', '.join(map(repr, self))}]"


class Growing(tuple["Value", ...]):
    """A list whose length may change, up to its capacity."""

    capacity: int

    def __new__(cls, items: Iterable["Value"], capacity: int) -> "Growing":
        """Make a list of `items` that can hold `capacity`."""
        made = super().__new__(cls, items)
        made.capacity = capacity
        return made

    def __reduce__(self) -> tuple[type, tuple[tuple["Value", ...], int]]:
        """Rebuild with its capacity."""
        return Growing, (tuple(self), self.capacity)


class Struct(dict[str, "Value"]):
    """A record with named members, `struct(a=1, b="x")`. Never changed in place: `with_member` makes a new one."""

    __slots__ = ()

    def with_member(self, name: str, value: "Value") -> "Struct":
        """Return the same record with another value of one member."""
        return Struct({**self, name: value})


Value: TypeAlias = float | int | bool | str | ScriptPose | Growing | Struct | tuple["Value", ...] | None
"""Whatever a variable of URScript can hold."""


def weight(value: Any) -> int:
    """Return how many single values are in a value; fails where they are too many."""
    kind = value.__class__
    if kind is not tuple and kind is not Growing and kind is not Struct:
        return 1
    total = 1
    for one in value.values() if kind is Struct else value:
        total += weight(one)
        if total > LONGEST_LIST:
            raise ScriptFailure(f"Runtime error: a value of more than {LONGEST_LIST} parts")
    return total


class MemberName(str):
    """Name of a member on the way to an assignment; any other key there is an index."""

    __slots__ = ()


def is_list(value: object) -> bool:
    """Return whether it is a list (or a matrix); a pose is none."""
    kind = type(value)
    return kind is tuple or kind is Growing


def type_name(value: object) -> str:
    """Return the type of a value as messages call it."""
    if value is None:
        return "None"
    names: dict[type, str] = {
        bool: "Bool",
        int: "Int",
        float: "Float",
        str: "String",
        ScriptPose: "ScriptPose",
        tuple: "List",
        Growing: "List",
    }
    return names.get(type(value), "Struct" if isinstance(value, Struct) else type(value).__name__)


def format_value(value: object) -> str:
    """Return a value as `to_str` and `textmsg` print it: floats with six decimals, zeros at the end left out."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        text = f"{value:.6f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return "0" if text == "-0" else text
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, Struct):
        return f"struct({', '.join(f'{name}={format_value(one)}' for name, one in value.items())})"
    if isinstance(value, ScriptPose):
        return f"p[{', '.join(map(format_value, value))}]"
    if isinstance(value, tuple):
        return f"[{', '.join(format_value(one) for one in value)}]"  # type: ignore[reportUnknownVariableType]
    return str(value)
