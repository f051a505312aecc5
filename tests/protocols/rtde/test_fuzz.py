"""Whatever arrives at an RTDE session: no exception, no growth, and the same story however the bytes are cut."""

import itertools
import struct

from hypothesis import given
from hypothesis import strategies as st

from openpendant.protocols import ProtocolError
from openpendant.protocols.rtde import (
    VARIABLES,
    ClientSession,
    ControllerVersion,
    Framer,
    InputRegistry,
    MessageLevel,
    PauseReply,
    ProtocolVersionReply,
    ProtocolVersionRequest,
    ServerSession,
    SetupInputsReply,
    SetupInputsRequest,
    SetupOutputsReply,
    SetupOutputsRequest,
    StartReply,
    TextMessage,
)

names = st.lists(st.sampled_from([*VARIABLES, "nonsense", "", "ä"]), max_size=8).map(tuple)
requests = st.one_of(
    st.integers(0, 4).map(lambda v: ProtocolVersionRequest(v).encode()),
    st.sampled_from([b"\x00\x03v", b"\x00\x03S", b"\x00\x03P"]),
    st.builds(SetupOutputsRequest, names, st.sampled_from([None, 0.0, 1.0, 125.0, 500.0, 501.0])).map(
        lambda r: r.encode()
    ),
    names.map(lambda n: SetupInputsRequest(n).encode()),
    st.builds(TextMessage, st.text(max_size=20), st.text(max_size=5), st.sampled_from(MessageLevel)).map(
        lambda m: m.encode()
    ),
    st.builds(lambda i, d: struct.pack(">HBB", 4 + len(d), 0x55, i) + d, st.integers(0, 3), st.binary(max_size=20)),
    st.builds(lambda k, d: struct.pack(">HB", 3 + len(d), k) + d, st.integers(0, 255), st.binary(max_size=20)),
)
answers = st.one_of(
    st.booleans().map(lambda a: ProtocolVersionReply(a).encode()),
    st.booleans().map(lambda a: StartReply(a).encode()),
    st.booleans().map(lambda a: PauseReply(a).encode()),
    st.just(ControllerVersion(5, 11, 5, 1).encode()),
    st.builds(SetupOutputsReply, st.integers(0, 3), st.just(("DOUBLE",))).map(lambda r: r.encode()),
    st.builds(SetupInputsReply, st.integers(0, 3), st.sampled_from([(), ("INT32",), ("IN_USE",), ("WHAT",)])).map(
        lambda r: r.encode()
    ),
    requests,
)


@st.composite
def streams(draw: st.DrawFn, packages: st.SearchStrategy[bytes]) -> bytes:
    """Valid packages, then perhaps a few bytes changed, dropped or put in between."""
    data = bytearray(b"".join(draw(st.lists(packages, max_size=12))))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["put", "drop", "change"])):
            case "put":
                data[place:place] = draw(st.binary(min_size=1, max_size=4))
            case "drop":
                del data[place : place + draw(st.integers(1, 4))]
            case _ if place < len(data):
                data[place] = draw(st.integers(0, 255))
    return bytes(data)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[a:b] for a, b in itertools.pairwise(edges)]


places = st.lists(st.integers(0, 1 << 16), max_size=12)


def serve(pieces: list[bytes]) -> tuple[str, bytes, int]:
    registry = InputRegistry()
    session = ServerSession(registry)
    events = []
    for piece in pieces:
        events += session.feed(piece)
    kept = len(registry)
    session.close()
    assert len(registry) == 0
    return repr(events), session.outbox, kept


@given(st.one_of(streams(requests), st.binary(max_size=300)), places)
def test_a_server_tells_the_same_however_the_bytes_are_cut(data: bytes, where: list[int]):
    whole = serve([data])
    assert serve(cut(data, where)) == whole
    assert serve([data[i : i + 1] for i in range(len(data))]) == whole


def listen(pieces: list[bytes]) -> str:
    client = ClientSession()
    client.request_protocol(2)
    client.set_up_outputs(["timestamp"])
    client.set_up_outputs(["payload"])
    client.set_up_inputs(["input_int_register_0"])
    return repr([event for piece in pieces for event in client.feed(piece)])


@given(st.one_of(streams(answers), st.binary(max_size=300)), places)
def test_a_client_hears_the_same_however_the_bytes_are_cut(data: bytes, where: list[int]):
    assert listen(cut(data, where)) == listen([data])


@given(st.lists(st.binary(max_size=2000), max_size=30))
def test_a_framer_keeps_one_package_at_most(pieces: list[bytes]):
    framer = Framer(max_size=500)
    for piece in pieces:
        try:
            framer.feed(piece)
        except ProtocolError:
            assert framer.fault is not None
        assert framer.pending < 500


@given(
    st.sampled_from(
        [
            ControllerVersion.decode,
            PauseReply.decode,
            ProtocolVersionReply.decode,
            ProtocolVersionRequest.decode,
            SetupInputsReply.decode,
            SetupInputsRequest.decode,
            SetupOutputsReply.decode,
            SetupOutputsRequest.decode,
            StartReply.decode,
            TextMessage.decode,
        ]
    ),
    st.binary(max_size=64),
)
def test_payloads_decode_or_break_the_protocol(decode, payload: bytes):
    try:
        record = decode(payload)
    except ProtocolError:
        return
    if b"," not in payload and payload.isascii():  # lists of empty names and broken UTF-8 do not come back
        assert record == decode(record.encode()[3:])
