"""Packets by which hands that a camera sees drive the arms of a YuMi: both ends, and the lines of its recordings.

Bytes from a socket go into a `HandFramer`; whole packets come out, however they were cut or merged. Coordinates are
millimetres of the camera, as they were sent.
"""

from .files import encode_line, parse_line
from .framer import HandFramer
from .packets import GREETING, MOST_MM, PACKET_SIZE, HandCommand, HandPacket, encode_packet, greet, read_greeting

__all__ = [
    "GREETING",
    "MOST_MM",
    "PACKET_SIZE",
    "HandCommand",
    "HandFramer",
    "HandPacket",
    "encode_line",
    "encode_packet",
    "greet",
    "parse_line",
    "read_greeting",
]
