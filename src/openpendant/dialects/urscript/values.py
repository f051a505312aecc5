"""The values of URScript.

| URScript                | Python                                                                |
|-------------------------|-----------------------------------------------------------------------|
| `True`, `False`         | `bool`                                                                |
| integer, number         | `int`, `float`                                                        |
| `"text"`                | `str`                                                                 |
| `p[x, y, z, rx, ry, rz]`| `Pose`                                                                |
| `[1, 2, 3]`             | `tuple` of values; a matrix is a tuple of tuples of one length        |
| `struct(a=1)`           | `Struct`                                                              |
| nothing                 | `None`                                                                |

All of them are immutable: assigning one never lets two variables share a part, as on the controller.
"""

from collections.abc import Iterable, Mapping

__all__ = ["Pose", "Struct", "Value"]


class Pose(tuple[float, float, float, float, float, float]):
    """A pose p[x, y, z, rx, ry, rz]: metres, and a rotation vector in radians.

    Made of six numbers in one iterable: `Pose((0.1, 0, 0.2, 0, 0, 0))`. They become floats.
    """

    __slots__ = ()

    def __new__(cls, numbers: Iterable[float]) -> "Pose":
        """Make a pose of six numbers; ValueError where it is not six."""
        x, y, z, rx, ry, rz = numbers
        return super().__new__(cls, (float(x), float(y), float(z), float(rx), float(ry), float(rz)))

    def __repr__(self) -> str:
        """Return it as the controller prints it."""
        return f"p[{', '.join(map(repr, self))}]"


class Struct(dict[str, "Value"]):
    """A record with named members, `struct(a=1, b="x")`. Never changed in place: `with_member` makes a new one."""

    __slots__ = ()

    def with_member(self, name: str, value: "Value") -> "Struct":
        """Return the same record with another value of one member."""
        return Struct({**self, name: value})


Value = float | int | bool | str | Pose | Struct | tuple["Value", ...] | None
"""Whatever a variable of URScript can hold."""

Members = Mapping[str, Value]
