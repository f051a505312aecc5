"""Orders that controllers of several makers take, as they cross a socket; each maker chooses its own set.

One JSON object per order, distinguished by `do`: {"do": "press", "button": "power_on"}.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from openpendant.errors import InputError
from openpendant.virtual.faults import Fault


class PendantOrder(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something to do; every order of a maker is one."""


class GetState(PendantOrder, frozen=True, tag="state"):
    """Return what the pendant shows."""


class GetPace(PendantOrder, frozen=True, tag="pace"):
    """Return how well the ticks keep their times."""


class PressButton(PendantOrder, frozen=True, tag="press"):
    """Press a button; the state has them by name."""

    button: str


class LoadProgram(PendantOrder, frozen=True, tag="load"):
    """Load a program of the programs folder."""

    program: str


class SetSpeedSlider(PendantOrder, frozen=True, tag="speed"):
    """Move the speed slider, 0 to 1."""

    fraction: float


class SetInput(PendantOrder, frozen=True, tag="input"):
    """Set a physical input by the maker's name of it."""

    name: str
    value: bool | float


class SetRemote(PendantOrder, frozen=True, tag="remote"):
    """Switch between local and remote control."""

    on: bool


class ReadVariables(PendantOrder, frozen=True, tag="read"):
    """Return variables of the maker's state protocol."""

    names: tuple[str, ...]


class TypeLine(PendantOrder, frozen=True, tag="type"):
    """Type a line at the controller's terminal."""

    text: str


class CauseFault(Fault, frozen=True, tag_field="do", tag="fault", forbid_unknown_fields=True):
    """Cause a fault; see `openpendant.virtual.faults`."""


def order_decoder(*kinds: type[PendantOrder]) -> Callable[[bytes], PendantOrder | CauseFault]:
    """Return a function that returns the order in one JSON object, and raises InputError where it is none.

    Args:
        kinds: The orders that a maker's controller takes beside state, pace, press and fault.
    """
    union: Any = GetState | GetPace | PressButton | CauseFault
    for kind in kinds:
        union = union | kind
    decoder: msgspec.json.Decoder[PendantOrder | CauseFault] = msgspec.json.Decoder(union)

    def decode(data: bytes) -> PendantOrder | CauseFault:
        try:
            return decoder.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"not an order: {error}") from None

    return decode
