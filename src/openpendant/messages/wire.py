"""Wire: the common settings of every message."""

import msgspec


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A message. Unknown fields are refused, so that a misspelt one is an error and not silence."""


class TaggedMessage(Wire, frozen=True, kw_only=True, tag_field="type"):
    """A message whose kind is in its field `type`: several kinds share one connection."""
