"""SaidMessage: a sentence on its way to a page or another process, as code and values beside its English text.

A struct that says something has a field for the English (`message`, `reason` or `summary`) and a field `said`. It is
built with a `Said` for the first; `split_said` in its `__post_init__` fills the second.
"""

import math
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from openpendant.said import Said, Value

from .wire import Wire


class SaidMessage(Wire, frozen=True, kw_only=True):
    """A sentence by its code: whoever has a text for the code needs no English."""

    code: str
    """Dotted, as "control.held_by"; the English of each is in `openpendant.said`."""
    text: str
    """The same in English, with the values in their places."""
    values: "dict[str, str | int | float | bool | SaidMessage]"
    """By place in the text; numbers in the unit that the name says."""


def encode_said(text: str) -> SaidMessage | None:
    """Return a sentence with its code and values; None: it has none."""
    if not isinstance(text, Said):
        return None
    values = {name: _encode_value(value) for name, value in text.values.items()}
    return SaidMessage(code=text.code, text=str(text), values=values)


def _encode_value(value: Value) -> "str | int | float | bool | SaidMessage":
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no such number
    return encode_said(value) or value if isinstance(value, str) else value


def decode_said(text: str, said: SaidMessage | None) -> str:
    """Return a sentence that came over a wire, with its code where it has one."""
    if said is None:
        return text
    values = {
        name: decode_said(value.text, value) if isinstance(value, SaidMessage) else value
        for name, value in said.values.items()
    }
    return Said(text, said.code, values)


def split_said(struct: msgspec.Struct, field: str) -> None:
    """Have a struct hold plain English in a field, and the code of what it was given there in `said`."""
    text = getattr(struct, field)
    if isinstance(text, Said):
        force_setattr(struct, field, str(text))
        force_setattr(struct, "said", encode_said(text))


def split_said_list(struct: msgspec.Struct, field: str) -> None:
    """As `split_said` for a field that is a tuple of sentences; their codes are in `<field>_said`, None for no code."""
    texts: tuple[str, ...] = getattr(struct, field)
    if any(isinstance(text, Said) for text in texts):
        force_setattr(struct, field, tuple(str(text) for text in texts))
        force_setattr(struct, f"{field}_said", tuple(encode_said(text) for text in texts))


def decode_said_list(texts: tuple[str, ...], said: "tuple[SaidMessage | None, ...]") -> tuple[str, ...]:
    """Return sentences that came over a wire, with their codes where they have one."""
    return tuple(decode_said(text, code) for text, code in zip(texts, said, strict=True)) if said else texts


def speak_plainly(value: Any) -> str:
    """Encode a sentence with a code as its English, where a message has no place for the code (an `enc_hook`)."""
    if isinstance(value, Said):
        return str(value)
    raise NotImplementedError(f"no message can hold a {type(value).__name__}")
