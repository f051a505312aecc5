"""The replies: joints in whole degrees, `1;-2;3;4;5;6`, or a word. The robot closes the connection behind them."""

from collections.abc import Sequence
from dataclasses import dataclass

from openpendant.protocols.error import ProtocolError

from .requests import Joints, number_of

INITIALISED, DONE, FAILED, PAUSED, RESUMED = "initialised", "success", "error", "paused", "resumed"
_WORDS = (INITIALISED, DONE, PAUSED, RESUMED)


@dataclass(frozen=True, slots=True)
class JointReply:
    """With which joints a target is reached; degrees."""

    joints: Joints


@dataclass(frozen=True, slots=True)
class ProgressReply:
    """What became of a request: INITIALISED, DONE, FAILED, PAUSED or RESUMED."""

    word: str


Reply = JointReply | ProgressReply


def encode_joints(degrees: Sequence[float]) -> bytes:
    """Return joints as a reply or a datagram of the stream: whole degrees with semicolons between them."""
    return ";".join(f"{round(value)}" for value in degrees).encode()


def encode_reply(reply: Reply) -> bytes:
    """Return a reply as it goes out."""
    return encode_joints(reply.joints) if isinstance(reply, JointReply) else reply.word.encode()


def parse_reply(data: bytes) -> Reply:
    """Read a whole reply, or a datagram of the stream of joints. Any text with `error` in it is a refusal.

    Raises:
        ProtocolError: It is none; says why.
    """
    text = data.decode("ascii", "replace")
    if FAILED in text:
        return ProgressReply(FAILED)
    if text in _WORDS:
        return ProgressReply(text)
    fields = text.split(";")
    if len(fields) != 6:
        raise ProtocolError(f"a reply {text[:60]!r}; six angles with semicolons between them, or a word are allowed")
    a, b, c, d, e, f = (number_of(one) for one in fields)
    return JointReply((a, b, c, d, e, f))
