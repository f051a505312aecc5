"""The controller's side of RTDE: what it answers, and in which order."""

import itertools
import struct

import pytest

from openpendant.errors import InputError
from openpendant.protocols.rtde import (
    DEFAULT_VERSION,
    MAX_NAMES_SIZE,
    Closed,
    ControllerVersion,
    Framer,
    InputRegistry,
    InputsReceived,
    InputsSetUp,
    MessageLevel,
    OutputsSetUp,
    PackageType,
    Paused,
    ServerSession,
    SetupInputsReply,
    SetupInputsRequest,
    SetupOutputsReply,
    SetupOutputsRequest,
    Started,
    TextMessage,
    TextReceived,
    encode_package,
)

V2 = bytes.fromhex("0005 56 0002")
S = bytes.fromhex("0003 53")
P = bytes.fromhex("0003 50")


def outputs(*names: str, hz: float = 500.0) -> bytes:
    return SetupOutputsRequest(names, hz).encode()


def inputs(*names: str) -> bytes:
    return SetupInputsRequest(names).encode()


def answers(session: ServerSession) -> list[tuple[int, bytes]]:
    return Framer().feed(session.take_outbox())


def opened(registry: InputRegistry | None = None) -> ServerSession:
    session = ServerSession(registry if registry is not None else InputRegistry())
    assert session.feed(V2) == []
    assert answers(session) == [(PackageType.REQUEST_PROTOCOL_VERSION, b"\x01")]
    return session


def words(payload: bytes) -> str:
    message = TextMessage.decode(payload)
    assert message.source == "RTDE"
    assert message.level is MessageLevel.WARNING
    return message.text


def test_a_whole_conversation():
    session = opened()
    (agreed,) = session.feed(outputs("timestamp", "actual_q", hz=125.0))
    assert isinstance(agreed, OutputsSetUp)
    assert (agreed.recipe.id, agreed.frequency_hz) == (1, 125.0)
    assert agreed.recipe.names == ("timestamp", "actual_q")
    assert session.take_outbox() == SetupOutputsReply(1, ("DOUBLE", "VECTOR6D")).encode()

    (written,) = session.feed(inputs("input_int_register_0", "external_force_torque"))
    assert isinstance(written, InputsSetUp)
    assert session.take_outbox() == SetupInputsReply(1, ("INT32", "VECTOR6D")).encode()

    assert not session.due(0)
    assert session.feed(S) == [Started()]
    assert session.take_outbox() == bytes.fromhex("0004 53 01")
    assert [tick for tick in range(1, 13) if session.due(tick)] == [4, 8, 12]
    assert session.data_package([0.002, 1, 2, 3, 4, 5, 6]) == struct.pack(">HBB7d", 60, 0x55, 1, 0.002, *range(1, 7))

    (received,) = session.feed(struct.pack(">HBBi6d", 56, 0x55, 1, -3, *range(6)))
    assert received == InputsReceived(written.recipe, (-3, (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)))
    assert session.take_outbox() == b""

    assert session.feed(P) == [Paused()]
    assert session.take_outbox() == bytes.fromhex("0004 50 01")
    assert not any(session.due(tick) for tick in range(12))
    assert session.feed(S) == [Started()]
    assert session.due(12)


def test_the_version_is_told_as_often_as_it_is_asked():
    session = ServerSession(InputRegistry(), ControllerVersion(5, 9, 4, 1))
    session.feed(bytes.fromhex("0003 76") * 2)
    assert answers(session) == [(0x76, struct.pack(">4I", 5, 9, 4, 1))] * 2
    assert (5, 4) <= (DEFAULT_VERSION.major, DEFAULT_VERSION.minor) <= (5, 22)


@pytest.mark.parametrize(("version", "accepted"), [(0, 0), (1, 1), (2, 1), (3, 0), (0xFFFF, 0)])
def test_protocols_1_and_2_are_spoken(version: int, accepted: int):
    session = ServerSession(InputRegistry())
    session.feed(struct.pack(">HBH", 5, ord("V"), version))
    assert session.take_outbox() == bytes((0, 4, ord("V"), accepted))
    assert session.protocol == (version if accepted else 1)


def test_the_protocol_stays_once_a_recipe_is_agreed():
    session = opened()
    session.feed(outputs("timestamp"))
    session.take_outbox()
    session.feed(bytes.fromhex("0005 56 0001"))
    assert session.take_outbox() == bytes.fromhex("0004 56 00")
    assert session.protocol == 2


def test_without_a_version_protocol_1_is_spoken():
    session = ServerSession(InputRegistry())
    (agreed,) = session.feed(SetupOutputsRequest(("timestamp",), None).encode())
    assert isinstance(agreed, OutputsSetUp)
    assert agreed.frequency_hz == 125.0
    assert session.take_outbox() == bytes.fromhex("0009 4f 444f55424c45")
    session.feed(S)
    assert session.data_package([1.5]) == bytes.fromhex("000b 55 3ff8000000000000")
    session.take_outbox()
    session.feed(encode_package(PackageType.SETUP_OUTPUTS, b"no_such_name"))
    assert answers(session) == [(PackageType.SETUP_OUTPUTS, b"NOT_FOUND")]


def test_unknown_outputs_are_not_found_and_agree_nothing():
    session = opened()
    assert session.feed(outputs("timestamp", "speed_slider_mask", "nonsense", "actual_q")) == []
    expected = SetupOutputsReply(0, ("DOUBLE", "NOT_FOUND", "NOT_FOUND", "VECTOR6D"))
    assert session.take_outbox() == expected.encode()
    assert session.output is None
    session.feed(S)
    assert answers(session)[0] == (PackageType.START, b"\x00")


def test_variables_that_the_version_lacks_are_not_found():
    session = ServerSession(InputRegistry(), lacks=frozenset({"actual_q", "input_int_register_0"}))
    session.feed(bytes.fromhex("0005 56 0002"))
    session.take_outbox()
    assert session.feed(outputs("timestamp", "actual_q")) == []
    assert session.take_outbox() == SetupOutputsReply(0, ("DOUBLE", "NOT_FOUND")).encode()
    assert session.feed(inputs("input_int_register_0")) == []
    assert session.take_outbox() == SetupInputsReply(0, ("NOT_FOUND",)).encode()


def test_unknown_inputs_are_not_found_and_hold_nothing():
    registry = InputRegistry()
    session = opened(registry)
    assert session.feed(inputs("input_int_register_1", "actual_q", "input_int_register_48")) == []
    assert session.take_outbox() == SetupInputsReply(0, ("INT32", "NOT_FOUND", "NOT_FOUND")).encode()
    assert len(registry) == 0


def test_an_input_has_one_writer_until_that_one_leaves():
    registry = InputRegistry()
    first, second = opened(registry), opened(registry)
    first.feed(inputs("input_int_register_0", "speed_slider_mask"))
    first.feed(inputs("input_int_register_0", "input_int_register_1"))
    assert [payload[0] for _, payload in answers(first)] == [1, 2]

    assert second.feed(inputs("input_int_register_2", "input_int_register_1")) == []
    assert second.take_outbox() == SetupInputsReply(0, ("INT32", "IN_USE")).encode()
    second.feed(inputs("input_int_register_2"))
    assert answers(second) == [(PackageType.SETUP_INPUTS, b"\x01INT32")]

    first.close()
    assert first.feed(S) == []
    second.feed(inputs("input_int_register_2", "input_int_register_1"))
    assert answers(second) == [(PackageType.SETUP_INPUTS, b"\x02INT32,INT32")]
    second.close()
    assert len(registry) == 0


def test_a_held_name_stays_with_its_holder():
    registry = InputRegistry()
    registry.hold(["a"], "first")
    registry.hold(["a", "b"], "second")
    assert registry.held_by_others(["a", "b", "c"], "second") == {"a"}
    registry.release("first")
    assert registry.held_by_others(["a", "b", "c"], "first") == {"b"}


def test_input_recipes_count_from_1_in_order_of_arrival_apart_from_outputs():
    session = opened()
    session.feed(outputs("timestamp") + b"".join(inputs(f"input_int_register_{i}") for i in range(23)))
    replies = answers(session)
    assert replies[0][1][0] == 1
    assert [payload[0] for _, payload in replies[1:]] == list(range(1, 24))
    session.feed(outputs("actual_q"))
    assert answers(session)[0][1][0] == 2


def test_a_connection_has_at_most_255_input_recipes():
    session = opened()
    events = session.feed(inputs("input_int_register_0") * 256)
    assert len(events) == 255
    replies = answers(session)
    assert [payload[0] for kind, payload in replies if kind == PackageType.SETUP_INPUTS] == [*range(1, 256), 0]
    assert "255 input recipes" in words(replies[-1][1])


@pytest.mark.parametrize("tail", [b"", b","])
def test_a_trailing_comma_is_no_name(tail: bytes):
    session = opened()
    session.feed(encode_package(PackageType.SETUP_INPUTS, b"input_int_register_23,speed_slider_mask" + tail))
    assert answers(session) == [(PackageType.SETUP_INPUTS, b"\x01INT32,UINT32")]


def test_name_lists_have_2048_bytes_at_most():
    names = b"actual_q," * 227 + b"payload"
    assert len(names) == 2050
    session = opened()
    session.feed(encode_package(PackageType.SETUP_OUTPUTS, struct.pack(">d", 500) + names))
    (refused, said) = answers(session)
    assert refused == (PackageType.SETUP_OUTPUTS, b"\x00")
    assert words(said[1]) == "a list of names of 2050 bytes; at most 2048 are allowed"
    names = b"actual_q," * 227 + b"qqqqq"
    assert len(names) == MAX_NAMES_SIZE
    session.feed(encode_package(PackageType.SETUP_OUTPUTS, struct.pack(">d", 500) + names))
    assert answers(session)[0][1].endswith(b"VECTOR6D,NOT_FOUND")
    session.feed(encode_package(PackageType.SETUP_INPUTS, b"x" * 2049))
    assert answers(session)[0] == (PackageType.SETUP_INPUTS, b"\x00")


@pytest.mark.parametrize("hz", [0.0, -1.0, 0.5, 500.5, 1e9, float("nan"), float("inf")])
def test_frequencies_out_of_1_to_500_hz_are_refused(hz: float):
    session = opened()
    assert session.feed(outputs("timestamp", hz=hz)) == []
    (refused, said) = answers(session)
    assert refused == (PackageType.SETUP_OUTPUTS, b"\x00")
    assert "1 to 500 Hz are allowed" in words(said[1])


@pytest.mark.parametrize("hz", [1.0, 25.0, 125.0, 333.0, 499.9, 500.0])
def test_each_second_has_as_many_packages_as_asked(hz: float):
    session = opened()
    session.feed(outputs("timestamp", hz=hz) + S)
    sent = [tick for tick in range(5000) if session.due(tick)]
    assert len(sent) == pytest.approx(10 * hz, abs=1)
    gaps = {b - a for a, b in itertools.pairwise(sent)}
    assert max(gaps) - min(gaps) <= 1
    if 500 % hz == 0:
        assert gaps == {500 // hz}


def test_start_before_any_recipe_is_refused():
    session = opened()
    assert session.feed(S) == []
    (refused, said) = answers(session)
    assert refused == (PackageType.START, b"\x00")
    assert "nothing is set up" in words(said[1])


def test_a_writer_needs_no_outputs_and_no_start():
    session = opened()
    session.feed(inputs("speed_slider_fraction"))
    session.take_outbox()
    (received,) = session.feed(struct.pack(">HBBd", 12, 0x55, 1, 0.5))
    assert isinstance(received, InputsReceived)
    assert received.values == (0.5,)
    assert session.feed(S) == [Started()]
    assert not any(session.due(tick) for tick in range(500))


def test_pause_is_always_accepted():
    session = opened()
    assert session.feed(P) == [Paused()]
    assert answers(session) == [(PackageType.PAUSE, b"\x01")]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (bytes.fromhex("0003 55"), "recipe none"),
        (bytes.fromhex("0008 55 01 00000000"), "recipe 1, which is not set up"),
        (bytes.fromhex("0003 5a"), "package type 90 is unknown"),
        (bytes.fromhex("0004 4d 05"), "ends inside its text"),
    ],
    ids=["no recipe", "wrong recipe", "unknown type", "broken text"],
)
def test_what_has_no_answer_gets_a_text_message_and_the_session_lives(raw: bytes, said: str):
    session = opened()
    assert session.feed(raw) == []
    ((kind, payload),) = answers(session)
    assert kind == PackageType.TEXT_MESSAGE
    assert said in words(payload)
    session.feed(outputs("timestamp") + S)
    assert session.due(1)


def test_inputs_of_the_wrong_size_are_not_used():
    session = opened()
    session.feed(inputs("input_int_register_0"))
    session.take_outbox()
    assert session.feed(bytes.fromhex("0007 55 01 000000")) == []
    assert "4 bytes; recipe 1 (input_int_register_0) has 5" in words(answers(session)[0][1])


@pytest.mark.parametrize(
    ("raw", "refusal"),
    [
        ("0004 56 02", b"\x00"),
        ("0003 56", b"\x00"),
        ("0006 4f 405f40", b"\x00"),
        ("000b 4f 407f400000000000", b"\x00"),
        ("000c 4f 407f400000000000 2c", b"\x00"),
        ("0003 49", b"\x00"),
    ],
    ids=["short V", "empty V", "short O", "O of nothing", "O of a comma", "I of nothing"],
)
def test_broken_requests_are_refused_in_their_reply_first(raw: str, refusal: bytes):
    session = opened()
    package = bytes.fromhex(raw)
    assert session.feed(package) == []
    replies = answers(session)
    assert replies[0] == (package[2], refusal)
    assert [kind for kind, _ in replies[1:]] == [PackageType.TEXT_MESSAGE]


def test_words_of_the_client_are_handed_on():
    session = opened()
    message = TextMessage("hello", "client", MessageLevel.INFO)
    assert session.feed(message.encode()) == [TextReceived(message)]


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_stream_out_of_step_is_closed(size: int):
    registry = InputRegistry()
    session = opened(registry)
    session.feed(inputs("input_int_register_0"))
    (started, closed) = session.feed(S + bytes((0, size, 0x53)))
    assert started == Started()
    assert closed == Closed(f"an RTDE package of {size} bytes; 3 to 65535 are allowed")
    assert session.closed
    assert len(registry) == 0
    assert session.feed(S) == []


def test_a_client_that_never_reads_is_closed():
    session = opened()
    events = []
    for _ in range(20):
        events += session.feed(bytes.fromhex("0003 76") * 1000)
    assert len(events) == 1
    assert "unread" in events[0].reason
    assert len(session.outbox) < 300_000


def test_nothing_can_be_sent_before_outputs_are_agreed():
    with pytest.raises(InputError, match="no outputs are set up"):
        opened().data_package([])
