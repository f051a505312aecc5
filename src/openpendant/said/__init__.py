"""What OpenPendant says to people: sentences with a code and values, so that another language needs no English.

In: a code and its values. Out: `Said`, the English sentence as a string that still knows both. The English of every
code is in `texts/`; the page has the other languages.
"""

from .said import Said, Value, join, say
from .texts import TEXTS
from .words import (
    how_word,
    kind_word,
    mode_word,
    name_hint,
    role_word,
    safety_word,
    section_word,
    state_word,
    unknown_name,
)

__all__ = [
    "TEXTS",
    "Said",
    "Value",
    "how_word",
    "join",
    "kind_word",
    "mode_word",
    "name_hint",
    "role_word",
    "safety_word",
    "say",
    "section_word",
    "state_word",
    "unknown_name",
]
