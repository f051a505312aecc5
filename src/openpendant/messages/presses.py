"""Presses of STOP: each has an id, so that a stop that is sent over two connections counts once."""

import msgspec

LONGEST_PRESS = 64
"""Characters; a UUID has 36."""


def drop_long_press(message: msgspec.Struct) -> None:
    """Empty the field `press` of a new message if it is too long to be kept; the stop itself counts."""
    if len(getattr(message, "press", "")) > LONGEST_PRESS:
        msgspec.structs.force_setattr(message, "press", "")
