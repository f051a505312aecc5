"""Said: an English sentence that knows its code and values."""

from collections.abc import Mapping, Sequence
from typing import Literal

from .texts import TEXTS

Value = str | int | float | bool
"""What stands in a place of a sentence; a `Said` is a whole sentence. Numbers have their unit in the name."""

Joint = Literal["list.comma", "list.semicolon", "list.and", "list.or", "list.in", "list.calls"]
"""What may stand between the parts of a list."""


class Said(str):
    """A sentence: a plain string for whoever reads English, code and values for whoever has other words for it.

    `str()` of it, and every f-string that it is put into, is a plain string without code.
    """

    __slots__ = ("code", "values")

    code: str
    """Dotted, as "control.held_by"; a key of `TEXTS`."""
    values: Mapping[str, Value]
    """By the names of the places in the text."""

    def __new__(cls, text: str, code: str, values: Mapping[str, Value]) -> "Said":
        """Keep a sentence that is made already; `say` makes one."""
        made = super().__new__(cls, text)
        made.code = code
        made.values = values
        return made

    def __reduce__(self) -> tuple[type["Said"], tuple[str, str, dict[str, Value]]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return Said, (str(self), self.code, dict(self.values))


def say(code: str, **values: Value) -> Said:
    """Return the sentence of a code.

    Args:
        code: A key of `TEXTS`.
        values: One for each place in its text, in the unit that the name says.
    """
    plain = {name: _plain(value) for name, value in values.items()}
    return Said(TEXTS[code].format_map(plain), code, plain)


def join(parts: Sequence[str], by: Joint) -> str:
    """Return several sentences or names as one; those with a code keep it. Empty: there are none."""
    if not parts:
        return ""
    *before, whole = parts
    for part in reversed(before):
        whole = say(by, first=part, rest=whole)
    return whole


def _plain(value: Value) -> Value:
    """Return a value that every encoder knows: numpy's floats are floats, but not for a codec."""
    if isinstance(value, Said | bool):
        return value
    if isinstance(value, float):
        return float(value)
    return int(value) if isinstance(value, int) else str(value)
