"""What generated code does to values: parts of records and arrays, references, text."""

from collections.abc import Sequence
from typing import Any, cast

from .events import DIVISION
from .faults import RapidFailure
from .lexer import LONGEST_STRING
from .printer import write_constant


class Reference:
    """The caller's data, for parameters that can change it.

    Attributes:
        box: Where the data is kept.
        place: Its place there.
        path: Places of components inside it.
    """

    __slots__ = ("box", "path", "place")

    def __init__(self, box: Any, place: int, path: tuple[int, ...] = ()) -> None:
        """Stand for `box[place]`, or a component of it."""
        self.box = box
        self.place = place
        self.path = path

    def get(self) -> Any:
        """Return the value."""
        value = self.box[self.place]
        for step in self.path:
            value = value[step]
        return value

    def set(self, value: Any) -> None:
        """Change the value."""
        self.box[self.place] = changed(self.box[self.place], value, self.path) if self.path else value


def changed(record: Any, value: Any, path: Sequence[int]) -> Any:
    """Return a record with another value for a component."""
    first, rest = path[0], path[1:]
    inner = changed(record[first], value, rest) if rest else value
    return (*record[:first], inner, *record[first + 1 :])


def index_of(array: Sequence[Any], index: float) -> int:
    """Return a place in an array, whose elements count from 1."""
    place = int(index)
    if place != index or not 1 <= place <= len(array):
        raise RapidFailure("ERR_OUTOFBND", f"array index {write_constant(float(index))} is not in 1..{len(array)}")
    return place - 1


def element(array: Any, *indices: float) -> Any:
    """Return an element of an array."""
    for index in indices:
        array = array[index_of(array, index)]
    return array


def put_element(array: Any, value: Any, indices: Sequence[float], path: Sequence[int]) -> None:
    """Change an element of an array, or a component of it."""
    for index in indices[:-1]:
        array = array[index_of(array, index)]
    place = index_of(array, indices[-1])
    array[place] = changed(array[place], value, path) if path else value


def element_reference(array: Any, indices: Sequence[float], path: tuple[int, ...]) -> Reference:
    """Return a reference to an element of an array."""
    for index in indices[:-1]:
        array = array[index_of(array, index)]
    return Reference(array, index_of(array, indices[-1]), path)


def copied(array: Any) -> Any:
    """Return a separate array; records never change, so they are shared."""
    return [copied(item) for item in cast("list[Any]", array)] if isinstance(array, list) else array


def joined(left: str, right: str) -> str:
    """Return two strings as one."""
    text = left + right
    if len(text) > LONGEST_STRING:
        raise RapidFailure("ERR_STRTOOLNG", f"a string of {len(text)} characters; at most {LONGEST_STRING} are allowed")
    return text


def added(a: Sequence[float], b: Sequence[float]) -> tuple[float, ...]:
    """Return the sum of two positions."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def subtracted(a: Sequence[float], b: Sequence[float]) -> tuple[float, ...]:
    """Return the difference of two positions."""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def scaled(a: Sequence[float], by: float) -> tuple[float, ...]:
    """Return a position times a number."""
    return tuple(x * by for x in a)


def crossed(a: Sequence[float], b: Sequence[float]) -> tuple[float, ...]:
    """Return the vector product of two positions."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def turned(a: Sequence[float], b: Sequence[float]) -> tuple[float, ...]:
    """Return the product of two orientations, quaternions (w, x, y, z)."""
    w, x, y, z = a
    s, t, u, v = b
    return (
        w * s - x * t - y * u - z * v,
        w * t + x * s + y * v - z * u,
        w * u - x * v + y * s + z * t,
        w * v + x * u - y * t + z * s,
    )


def divided(a: float, b: float) -> float:
    """Return the whole part of a quotient."""
    return float(int(_whole_number(a) / _divisor(b)))


def remainder(a: float, b: float) -> float:
    """Return what DIV leaves."""
    return a - b * divided(a, b)


def _whole_number(value: float) -> float:
    if value != int(value):
        raise RapidFailure("ERR_ARGVALERR", f"{write_constant(value)} is not an integer")
    return value


def _divisor(value: float) -> float:
    if value == 0.0:
        raise RapidFailure("ERR_DIVZERO", "division by zero", kind=DIVISION)
    return _whole_number(value)


def present(value: Any) -> Any:
    """Return the value of an optional parameter, which must have been given."""
    if value is None:
        raise RapidFailure("ERR_NOTPRES", "the optional parameter was not given")
    return value
