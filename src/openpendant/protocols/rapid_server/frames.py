"""Frames of our RAPID server: requests of 64 bytes, replies of 80, numbers big-endian.

    request                          reply
    0  "OP", kind, "1"               0  "OP", kind, "1"
    4  number (unsigned, 32 bits)    4  number of the request
    8  14 numbers (32-bit float)     8  clock of the server, seconds, 0 to 1000 (float)
                                     12 inputs, 16 outputs: a bit each; 20 flags (unsigned)
                                     24 14 numbers (float): joints of two arms in degrees, or an answer

Fixed lengths spare RAPID from looking for ends: its strings have 80 characters at most.
"""

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag, StrEnum

from openpendant.protocols.error import ProtocolError

PORT = 6520
REQUEST_BYTES, REPLY_BYTES = 64, 80
NUMBERS = 14
MARK, VERSION = b"OP", b"1"
MOST_NUMBER = 1_000_000
"""Numbers of requests begin again here: RAPID counts to 2^23."""
_REQUEST = struct.Struct(">2sssI14f")
_REPLY = struct.Struct(">2sssIfIII14f")


class RequestKind(StrEnum):
    """What a driver asks. All replies have the clock, signals and flags."""

    BEAT = "B"
    """The session, and the newest clock that the driver has seen (-1: none); the reply has the joints, as of QUERY."""
    QUERY = "Q"
    """The joints of both arms."""
    STOP = "S"
    """Stop the arms on their paths; 1: as hard as they can."""
    PAUSE = "P"
    """Stop the arms on their paths, to go on later."""
    RESUME = "R"
    """Go on after a pause."""
    OUTPUT = "O"
    """Number of the output, from 1, and its value."""
    CHECK = "C"
    """The arm and a robtarget; the reply has a status (0: fine, 1: out of reach, 2: beyond limits, 3: not now) and the
    joints."""
    POSE = "T"
    """The arm; the reply has where its tool0 is: millimetres, quaternion, confdata, arm angle."""


class ServerFlag(IntFlag):
    """How the server is."""

    HEARD = 1
    """It hears its driver."""
    STOPPED = 2
    """It has stopped the arms."""
    DONE_1 = 4
    """The program of the first arm has come to its end."""
    DONE_2 = 8
    ANSWER = 16
    """The numbers are an answer, and no joints."""


@dataclass(frozen=True, slots=True)
class ServerRequest:
    """One request."""

    kind: RequestKind
    number: int
    """0 to MOST_NUMBER; comes back."""
    values: tuple[float, ...] = ()
    """NUMBERS at most; the others are 0."""


@dataclass(frozen=True, slots=True)
class ServerReply:
    """One reply; degrees, millimetres."""

    kind: RequestKind
    number: int
    clock_s: float
    inputs: int
    outputs: int
    flags: ServerFlag
    values: tuple[float, ...]


def encode_request(request: ServerRequest) -> bytes:
    """Return the bytes of a request.

    Raises:
        ProtocolError: Too many numbers, or one that cannot be sent.
    """
    given = request.values
    if len(given) > NUMBERS or not 0 <= request.number <= MOST_NUMBER:
        raise ProtocolError(f"request {request.number} with {len(given)} numbers; {NUMBERS} are allowed")
    padded: Sequence[float] = (*given, *(0.0,) * (NUMBERS - len(given)))
    try:
        return _REQUEST.pack(MARK, request.kind.encode(), VERSION, request.number, *padded)
    except (OverflowError, struct.error) as error:
        raise ProtocolError(f"a number that cannot be sent: {error}") from None


def decode_reply(data: bytes) -> ServerReply:
    """Read a reply.

    Raises:
        ProtocolError: It is none; says why.
    """
    if len(data) != REPLY_BYTES:
        raise ProtocolError(f"a reply of {len(data)} bytes; {REPLY_BYTES} are allowed")
    mark, kind, version, number, clock_s, inputs, outputs, flags, *values = _REPLY.unpack(data)
    if mark != MARK or version != VERSION:
        raise ProtocolError(f"a reply that begins with {data[:4]!r}")
    if not math.isfinite(clock_s) or not all(map(math.isfinite, values)):
        raise ProtocolError("a reply with numbers that are not finite")
    try:
        return ServerReply(
            RequestKind(kind.decode("ascii", "replace")),
            number,
            clock_s,
            inputs,
            outputs,
            ServerFlag(flags),
            tuple(values),
        )
    except ValueError as error:
        raise ProtocolError(f"a reply that cannot be read: {error}") from None


class ReplyReader:
    """Takes bytes in any pieces, returns the replies in them."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._came = bytearray()

    def feed(self, data: bytes) -> list[ServerReply]:
        """Return the replies that are complete now.

        Raises:
            ProtocolError: Something else came; nothing after it can be understood.
        """
        self._came += data
        found: list[ServerReply] = []
        while len(self._came) >= REPLY_BYTES:
            found.append(decode_reply(bytes(self._came[:REPLY_BYTES])))
            del self._came[:REPLY_BYTES]
        return found
