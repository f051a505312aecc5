"""Robot messages of the primary interface, byte for byte, and as a third-party parser reads them."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from urx.ursecmon import ParserUtils

from openpendant.errors import InputError
from openpendant.protocols import ProtocolError
from openpendant.protocols.ur_primary import (
    MESSAGE_KINDS,
    NO_TIME,
    ROBOT_MESSAGE,
    ErrorCodeMessage,
    KeyMessage,
    MessageFramer,
    MessageSource,
    PopupMessage,
    ProgramLabelMessage,
    ProgramTextMessage,
    ReportLevel,
    RequestType,
    RequestValueMessage,
    RobotMessage,
    RuntimeExceptionMessage,
    SafetyModeMessage,
    UnknownRobotMessage,
    VersionMessage,
    decode_robot_message,
    encode_message,
)

VERSION = VersionMessage(NO_TIME, MessageSource.ROBOT_INTERFACE, "URControl", 5, 11, 5, 3, "02-11-2021, 00:00:00")
KEY = KeyMessage(2000, MessageSource.REAL_TIME_MACHINE, 0, 0, "PROGRAM_XXX_STARTED", "main")
ERROR = ErrorCodeMessage(1, 7, 204, 3, ReportLevel.VIOLATION, 0, 0, "hit")
EXCEPTION = RuntimeExceptionMessage(1, MessageSource.REAL_TIME_MACHINE, 3, 1, "name_not_found")

GOLDEN = [
    (ProgramTextMessage(1, MessageSource.CONTROLLER, "hi"), "00000011 14 0000000000000001 07 00 6869"),
    (ProgramLabelMessage(1, 7, 2, "A"), "00000014 14 0000000000000001 07 01 00000002 41"),
    (
        PopupMessage(1, 7, 3, RequestType.NONE, warning=True, error=False, blocking=True, title="T", text="hi"),
        "0000001e 14 0000000000000001 07 02 00000003 00000008 01 00 01 01 54 6869",
    ),
    (
        VERSION,
        (
            "00000037 14 ffffffffffffffff fe 03 09 5552436f6e74726f6c 05 0b 00000005 00000003"
            "30322d31312d323032312c2030303a30303a3030"
        ),
    ),
    (
        SafetyModeMessage(1, MessageSource.SAFETY, 5, 6, 3, 1, 2),
        "00000020 14 0000000000000001 65 05 00000005 00000006 03 00000001 00000002",
    ),
    (
        ERROR,
        "00000026 14 0000000000000001 07 06 000000cc 00000003 00000003 00000000 00000000 686974",
    ),
    (
        KEY,
        "0000002f 14 00000000000007d0 fd 07 00000000 00000000 13 50524f4752414d5f5858585f53544152544544 6d61696e",
    ),
    (RequestValueMessage(1, 7, 4, RequestType.FLOAT, "?"), "00000018 14 0000000000000001 07 09 00000004 00000002 3f"),
    (EXCEPTION, "00000025 14 0000000000000001 fd 0a 00000003 00000001 6e616d655f6e6f745f666f756e64"),
]


@pytest.mark.parametrize(("message", "golden"), GOLDEN, ids=lambda value: type(value).__name__)
def test_a_message_has_these_bytes(message: RobotMessage, golden: str):
    raw = bytes.fromhex(golden)
    assert message.encode() == raw
    ((kind, payload),) = MessageFramer().feed(raw)
    assert kind == ROBOT_MESSAGE
    assert decode_robot_message(payload) == message


def test_every_message_has_its_golden_bytes():
    assert {type(message) for message, _ in GOLDEN} == set(MESSAGE_KINDS.values())


def test_a_message_of_another_kind_is_kept_as_it_is():
    message = UnknownRobotMessage(1, -2, 99, b"abc")
    assert decode_robot_message(message.encode()[5:]) == message


@pytest.mark.parametrize(("message", "_golden"), GOLDEN, ids=lambda value: type(value).__name__)
def test_messages_that_end_too_early_break_the_protocol(message: RobotMessage, _golden: str):
    raw = message.encode()[5:]
    for end in range(len(raw)):
        try:
            cut = decode_robot_message(raw[:end])
        except ProtocolError:
            continue
        assert cut != message
    with pytest.raises(ProtocolError):
        decode_robot_message(raw[:9])


def test_values_that_do_not_fit_are_named():
    with pytest.raises(InputError, match="RuntimeExceptionMessage"):
        RuntimeExceptionMessage(1, 7, 1 << 31, 1, "").encode()
    with pytest.raises(InputError, match="ProgramTextMessage"):
        ProgramTextMessage(-1, 7, "").encode()


def test_a_long_title_is_cut_to_what_its_length_byte_can_tell():
    back = decode_robot_message(KeyMessage(1, 7, 0, 0, "ü" * 200, "text").encode()[5:])
    assert back == KeyMessage(1, 7, 0, 0, "ü" * 127, "text")


def test_urx_reads_messages():
    parser = ParserUtils()
    version = parser.parse(VERSION.encode())["VersionMessage"]
    assert (version["projectName"], version["majorVersion"], version["minorVersion"]) == (b"URControl", 5, 11)
    assert version["svnRevision"] == 5
    key = parser.parse(KEY.encode())["keyMessage"]
    assert (key["timestamp"], key["source"]) == (2000, -3)
    assert (key["messageTitle"], key["messageText"]) == (b"PROGRAM_XXX_STARTED", b"main")
    error = parser.parse(ERROR.encode())["robotCommMessage"]
    assert (error["code"], error["argument"]) == (204, 3)
    text = parser.parse(ProgramTextMessage(1, 7, "hi").encode())["messageText"]
    assert text["messageText"] == b"hi"
    label = parser.parse(ProgramLabelMessage(1, 7, 2, "A").encode())["labelMessage"]
    assert (label["id"], label["messageText"]) == (2, b"A")


@given(st.integers(0, 12), st.binary(max_size=60))
def test_noise_decodes_or_breaks_the_protocol(kind: int, body: bytes):
    for payload in (body, bytes(8) + bytes((7, kind)) + body):
        try:
            decode_robot_message(payload)
        except ProtocolError:
            continue


stream = st.one_of(
    st.binary(max_size=200),
    st.lists(
        st.sampled_from([m.encode() for m, _ in GOLDEN] + [encode_message(16, b""), b"\x00", b"\xff"]), max_size=6
    ).map(b"".join),
)


@given(stream, st.lists(st.integers(0, 400), max_size=8))
def test_messages_are_the_same_however_the_bytes_are_cut(data: bytes, places: list[int]):
    def framed(pieces: list[bytes]) -> tuple[list[tuple[int, bytes]], str | None]:
        framer = MessageFramer(max_size=100)
        out = []
        for piece in pieces:
            if framer.fault is None:
                out += framer.feed(piece)
            assert framer.pending < 100
        return out, framer.fault

    edges = [0, *sorted(p % (len(data) + 1) for p in places), len(data)]
    assert framed([data[a:b] for a, b in itertools.pairwise(edges)]) == framed([data])


@pytest.mark.parametrize("size", [-1, 0, 4, 101])
def test_a_nonsense_size_ends_the_stream(size: int):
    framer = MessageFramer(max_size=100)
    assert framer.feed(encode_message(16, b"") + size.to_bytes(4, signed=True) + b"\x10") == [(16, b"")]
    assert framer.fault == f"a message of {size} bytes; 5 to 100 are allowed"
    with pytest.raises(ProtocolError, match="5 to 100"):
        framer.feed(b"")
