"""HandPacket: `S01,-152.89,+307.35,-229.63,+040.27,+024.14,+005.92E`: a command, and where both wrists are.

Numbers have a sign, three digits, a point and two digits; a client may send `+0` for zero. Clients send 52 bytes;
some put commas after S and before E as well, which makes 54.
"""

import re
from dataclasses import dataclass
from enum import IntEnum

from openpendant.errors import InputError
from openpendant.protocols.error import ProtocolError

PACKET_SIZE = 52
"""Bytes that are sent."""
MOST_MM = 999.99
GREETING = "Connect to"
"""What the robot says first, and then its address without a space."""
Point = tuple[float, float, float]
_number = rb"(?:[+-]\d{3}\.\d{2}|\+0)"
_packet = re.compile(rb"S,?(\d{2}),(" + rb"),(".join([_number] * 6) + rb"),?E")


class HandCommand(IntEnum):
    """What to do with the coordinates."""

    LEFT = 1
    RIGHT = 2
    BOTH = 3
    HOME = 4
    START = 5
    STOP = 6
    RESET = 7


@dataclass(frozen=True, slots=True)
class HandPacket:
    """One packet.

    Attributes:
        command: What to do.
        left: Left wrist, in mm of the camera.
        right: Right wrist.
    """

    command: HandCommand
    left: Point
    right: Point


def encode_packet(packet: HandPacket) -> bytes:
    """Return the packet as it goes out: always 52 bytes.

    Raises:
        InputError: A coordinate has more than three digits.
    """
    numbers = ",".join(_written(value) for value in (*packet.left, *packet.right))
    return f"S{packet.command:02d},{numbers}E".encode()


def decode_packet(data: bytes) -> HandPacket:
    """Read one packet, from its S to its E.

    Raises:
        ProtocolError: It is none; says why.
    """
    found = _packet.fullmatch(data)
    if found is None:
        raise ProtocolError(f"invalid packet {data[:60]!r}; use S01,-152.89,+307.35,-229.63,+040.27,+024.14,+005.92E")
    x, y, z, *right = (float(one) for one in found.groups()[1:])
    return HandPacket(command_of(int(found[1])), (x, y, z), (right[0], right[1], right[2]))


def command_of(code: int) -> HandCommand:
    """Return the command of a number.

    Raises:
        ProtocolError: There is none.
    """
    try:
        return HandCommand(code)
    except ValueError:
        raise ProtocolError(f"command {code}; 1 to {max(HandCommand)} are allowed") from None


def greet(address: str) -> bytes:
    """Return what the robot sends to a new client."""
    return f"{GREETING}{address}".encode()


def read_greeting(data: bytes) -> str:
    """Return the address in a greeting.

    Raises:
        ProtocolError: It is none.
    """
    text = data.decode("latin-1")
    if not text.startswith(GREETING):
        raise ProtocolError(f"a greeting {text[:40]!r}; it begins with {GREETING!r}")
    return text.removeprefix(GREETING)


def _written(value: float) -> str:
    text = f"{value:+07.2f}"
    # NaN and infinity are shorter than seven characters, or have none of the digits.
    if len(text) != 7 or not text[-1].isdigit():
        raise InputError(f"a coordinate of {value:g} mm; -{MOST_MM:g} to {MOST_MM:g} are allowed")
    return "+000.00" if text == "-000.00" else text
