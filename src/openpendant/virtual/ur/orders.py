"""Orders: what a person at the pendant, a test or a script can ask of a virtual controller, as it crosses a socket.

One JSON object per order, told apart by `do`: {"do": "press", "button": "power_on"}.
"""

import msgspec

from openpendant.errors import InputError
from openpendant.virtual.faults import Fault

__all__ = [
    "BUTTONS",
    "CauseFault",
    "GetPace",
    "GetState",
    "HoldFreedrive",
    "LoadProgram",
    "Order",
    "Press",
    "ProtectiveStop",
    "PushTool",
    "ReadVariables",
    "RunScript",
    "SetInput",
    "SetRemote",
    "SetSpeed",
    "decode_order",
]

BUTTONS = (
    "switch_on",
    "power_on",
    "brake_release",
    "power_off",
    "play",
    "pause",
    "stop",
    "continue",
    "stop_popup",
    "emergency_stop",
    "emergency_reset",
    "unlock",
    "restart_safety",
    "shut_down",
)


class _Order(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something to do."""


class GetState(_Order, frozen=True, tag="state"):
    """Return what the pendant shows."""


class GetPace(_Order, frozen=True, tag="pace"):
    """Return how well the ticks keep their times."""


class Press(_Order, frozen=True, tag="press"):
    """Press a button, one of BUTTONS."""

    button: str


class LoadProgram(_Order, frozen=True, tag="load"):
    """Load a program of the programs folder."""

    program: str


class SetSpeed(_Order, frozen=True, tag="speed"):
    """Move the speed slider, 0 to 1."""

    fraction: float


class HoldFreedrive(_Order, frozen=True, tag="freedrive"):
    """Hold or let go of the freedrive button; a hold ends by itself unless it is repeated within a second."""

    held: bool


class PushTool(_Order, frozen=True, tag="push"):
    """Push the tool: force (N) and torque (Nm) in base axes; six zeros let go."""

    wrench: tuple[float, float, float, float, float, float]


class SetInput(_Order, frozen=True, tag="input"):
    """Set a physical input such as standard_digital_3 or analog_0."""

    name: str
    value: bool | float


class SetRemote(_Order, frozen=True, tag="remote"):
    """Switch between local and remote control."""

    on: bool


class ProtectiveStop(_Order, frozen=True, tag="protective_stop"):
    """Stop as if something had been hit."""

    reason: str = "from the pendant"


class RunScript(_Order, frozen=True, tag="script"):
    """Run URScript as if it had come on port 30001."""

    text: str


class ReadVariables(_Order, frozen=True, tag="read"):
    """Return RTDE output variables."""

    names: tuple[str, ...]


class CauseFault(Fault, frozen=True, tag_field="do", tag="fault", forbid_unknown_fields=True):
    """Cause a fault; see `openpendant.virtual.faults`."""


Order = (
    GetState
    | GetPace
    | Press
    | LoadProgram
    | SetSpeed
    | HoldFreedrive
    | PushTool
    | SetInput
    | SetRemote
    | ProtectiveStop
    | RunScript
    | ReadVariables
    | CauseFault
)
_decoder: "msgspec.json.Decoder[Order]" = msgspec.json.Decoder(Order)


def decode_order(data: bytes) -> Order:
    """Return the order in one JSON object.

    Raises:
        InputError: It is none; names what is wrong and where.
    """
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not an order: {error}") from None
