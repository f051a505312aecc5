"""Frames of our RAPID server: golden bytes of every message, any pieces, garbage; and the same layout in RAPID."""

import re
import struct
from pathlib import Path

import pytest

import openpendant.controllers.abb
from openpendant.protocols import ProtocolError
from openpendant.protocols.rapid_server import (
    MOST_NUMBER,
    PORT,
    REPLY_BYTES,
    REQUEST_BYTES,
    ReplyReader,
    RequestKind,
    ServerFlag,
    ServerReply,
    ServerRequest,
    decode_reply,
    encode_request,
)

ZERO = "00000000"
REQUESTS = {
    RequestKind.BEAT: ((425925.0, 12.5), "42", "48cff8a0 41480000"),
    RequestKind.QUERY: ((), "51", ""),
    RequestKind.STOP: ((1.0,), "53", "3f800000"),
    RequestKind.PAUSE: ((), "50", ""),
    RequestKind.RESUME: ((), "52", ""),
    RequestKind.OUTPUT: ((2.0, 1.0), "4f", "40000000 3f800000"),
    RequestKind.CHECK: (
        (1.0, 400.0, 0.0, 500.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9e9),
        "43",
        f"3f800000 43c80000 {ZERO} 43fa0000 {ZERO} {ZERO} 3f800000 {ZERO * 5} 50061c46",
    ),
    RequestKind.POSE: ((2.0,), "54", "40000000"),
}
"""By kind: numbers, the byte of the kind, and the first numbers in hexadecimal (IEEE 754, big-endian)."""


def reply_bytes(kind: str = "42", flags: str = "00000005", values: str = "") -> bytes:
    head = f"4f50 {kind} 31 00000007 42f6e979 00000001 00000002 {flags}"
    return bytes.fromhex(head) + bytes.fromhex(values).ljust(56, b"\0")


@pytest.mark.parametrize("kind", RequestKind)
def test_every_request_has_these_bytes(kind: RequestKind):
    values, letter, numbers = REQUESTS[kind]
    found = encode_request(ServerRequest(kind, 258, values))
    assert found == (bytes.fromhex(f"4f50 {letter} 31 00000102") + bytes.fromhex(numbers)).ljust(REQUEST_BYTES, b"\0")


@pytest.mark.parametrize("kind", RequestKind)
def test_every_reply_is_read(kind: RequestKind):
    letter = REQUESTS[kind][1]
    found = decode_reply(reply_bytes(letter, values="3f800000 c2b40000"))
    flags = ServerFlag.HEARD | ServerFlag.DONE_1
    values = (1.0, -90.0, *(0.0,) * 12)
    assert found == ServerReply(kind, 7, pytest.approx(123.456), 1, 2, flags, values)


@pytest.mark.parametrize("size", [1, 3, 79, 80, 81, 163, 400])
def test_pieces_of_any_size_change_nothing(size: int):
    whole = b"".join(reply_bytes(REQUESTS[kind][1]) for kind in RequestKind)
    reader = ReplyReader()
    found = [one for at in range(0, len(whole), size) for one in reader.feed(whole[at : at + size])]
    assert [one.kind for one in found] == list(RequestKind)


def test_half_a_reply_is_none():
    assert ReplyReader().feed(reply_bytes()[:79]) == []


@pytest.mark.parametrize(
    "wrong",
    [
        bytes(REPLY_BYTES),
        b"\xff" * REPLY_BYTES,
        b"OPB2" + reply_bytes()[4:],
        b"OPz1" + reply_bytes()[4:],
        b"OP\xff1" + reply_bytes()[4:],
        reply_bytes()[:8] + struct.pack(">f", float("nan")) + reply_bytes()[12:],
        reply_bytes()[:24] + struct.pack(">f", float("inf")) + reply_bytes()[28:],
        b"HTTP/1.1 400 Bad Request\r\n".ljust(REPLY_BYTES),
    ],
)
def test_garbage_is_an_error(wrong: bytes):
    with pytest.raises(ProtocolError):
        ReplyReader().feed(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        ServerRequest(RequestKind.BEAT, 1, (0.0,) * 15),
        ServerRequest(RequestKind.BEAT, -1),
        ServerRequest(RequestKind.BEAT, MOST_NUMBER + 1),
        ServerRequest(RequestKind.BEAT, 1, (1e300,)),
    ],
)
def test_what_cannot_be_sent_is_an_error(wrong: ServerRequest):
    with pytest.raises(ProtocolError):
        encode_request(wrong)


def test_the_module_on_the_controller_has_the_same_layout():
    text = (Path(openpendant.controllers.abb.__file__).parent / "rapid" / "OpenPendantServer.mod").read_text()
    assert f"CONST num PORT := {PORT};" in text
    assert f"CONST num REQUEST_BYTES := {REQUEST_BYTES};" in text
    assert set(re.findall(r'CASE "(.)":', text)) == {kind.value for kind in RequestKind}
    flags = {int(one) for one in re.findall(r"flags := flags \+ (\d+);", text)}
    assert flags == {flag.value for flag in ServerFlag}
