"""Each RTDE package in each direction, byte for byte as the RTDE guide lays it out."""

import pytest

from openpendant.errors import InputError
from openpendant.protocols import ProtocolError
from openpendant.protocols.rtde import (
    WIRE_TYPES,
    ControllerVersion,
    Framer,
    GetVersionRequest,
    MessageLevel,
    PackageType,
    PauseReply,
    PauseRequest,
    ProtocolVersionReply,
    ProtocolVersionRequest,
    Recipe,
    SetupInputsReply,
    SetupInputsRequest,
    SetupOutputsReply,
    SetupOutputsRequest,
    StartReply,
    StartRequest,
    TextMessage,
    encode_package,
    split_list,
)

TIMESTAMP_ACTUAL_Q = "74696d657374616d70 2c 61637475616c5f71"
DOUBLE_VECTOR6D = "444f55424c45 2c 564543544f523644"

GOLDEN = {
    "V request": (ProtocolVersionRequest(2), "0005 56 0002"),
    "V accepted": (ProtocolVersionReply(accepted=True), "0004 56 01"),
    "V refused": (ProtocolVersionReply(accepted=False), "0004 56 00"),
    "v reply": (ControllerVersion(5, 11, 5, 1010327), "0013 76 00000005 0000000b 00000005 000f6a97"),
    "O request": (
        SetupOutputsRequest(("timestamp", "actual_q"), 125.0),
        f"001d 4f 405f400000000000 {TIMESTAMP_ACTUAL_Q}",
    ),
    "O reply": (SetupOutputsReply(1, ("DOUBLE", "VECTOR6D")), f"0013 4f 01 {DOUBLE_VECTOR6D}"),
    "O not found": (SetupOutputsReply(0, ("NOT_FOUND",)), "000d 4f 00 4e4f545f464f554e44"),
    "I request": (SetupInputsRequest(("speed_slider_mask",)), "0014 49 73706565645f736c696465725f6d61736b"),
    "I reply": (SetupInputsReply(2, ("UINT32",)), "000a 49 02 55494e543332"),
    "I in use": (SetupInputsReply(0, ("UINT32", "IN_USE")), "0011 49 00 55494e543332 2c 494e5f555345"),
    "S accepted": (StartReply(accepted=True), "0004 53 01"),
    "S refused": (StartReply(accepted=False), "0004 53 00"),
    "P accepted": (PauseReply(accepted=True), "0004 50 01"),
    "M": (TextMessage("hi", "RTDE", MessageLevel.WARNING), "000c 4d 02 6869 04 52544445 02"),
}

EMPTY = {
    "v request": (GetVersionRequest(), "0003 76"),
    "S request": (StartRequest(), "0003 53"),
    "P request": (PauseRequest(), "0003 50"),
}


@pytest.mark.parametrize(("record", "golden"), [*GOLDEN.values(), *EMPTY.values()], ids=[*GOLDEN, *EMPTY])
def test_a_record_has_these_bytes(record, golden: str):
    assert record.encode() == bytes.fromhex(golden)


@pytest.mark.parametrize(("record", "golden"), GOLDEN.values(), ids=GOLDEN)
def test_these_bytes_are_the_record(record, golden: str):
    ((kind, payload),) = Framer().feed(bytes.fromhex(golden))
    assert kind == record.KIND
    assert type(record).decode(payload) == record


@pytest.mark.parametrize(
    ("record", "golden"),
    [
        (SetupOutputsRequest(("timestamp", "actual_q"), None), f"0015 4f {TIMESTAMP_ACTUAL_Q}"),
        (SetupOutputsReply(None, ("DOUBLE", "VECTOR6D")), f"0012 4f {DOUBLE_VECTOR6D}"),
    ],
    ids=["request", "reply"],
)
def test_outputs_of_protocol_1_have_neither_frequency_nor_id(record, golden: str):
    raw = bytes.fromhex(golden)
    assert record.encode() == raw
    assert type(record).decode(raw[3:], 1) == record


def test_a_text_message_of_protocol_1_is_a_level_and_text():
    message = TextMessage("hi", "", MessageLevel.WARNING)
    raw = bytes.fromhex("0006 4d 02 6869")
    assert message.encode(protocol=1) == raw
    assert TextMessage.decode(raw[3:], 1) == message


def recipe(number: int = 1, **types: str) -> Recipe:
    return Recipe(number, types, (WIRE_TYPES[t] for t in types.values()))


DATA = {
    "from the controller": (
        recipe(timestamp="DOUBLE", robot_mode="INT32"),
        (1.5, 7),
        "0010 55 01 3ff8000000000000 00000007",
    ),
    "to the controller": (
        recipe(4, input_int_register_23="INT32", speed_slider_mask="UINT32", speed_slider_fraction="DOUBLE"),
        (22, 1, 0.5),
        "0014 55 04 00000016 00000001 3fe0000000000000",
    ),
    "every type": (
        recipe(255, **{name.lower(): name for name in WIRE_TYPES}),
        (
            *(True, 0xAB, 0xDEADBEEF, 0x0102030405060708, -2, -1.0),
            *((1.0, 2.0, 0.5), (1.0, 1.0, 1.0, 1.0, 1.0, 2.0), (0, 1, 2, 3, 4, -1), (0, 1, 2, 3, 4, 0xFFFFFFFF)),
        ),
        # 4 + 1 + 1 + 4 + 8 + 4 + 8 + 24 + 48 + 24 + 24 bytes
        "0096 55 ff 01 ab deadbeef 0102030405060708 fffffffe bff0000000000000"
        "3ff0000000000000 4000000000000000 3fe0000000000000" + "3ff0000000000000" * 5 + "4000000000000000"
        "00000000 00000001 00000002 00000003 00000004 ffffffff"
        "00000000 00000001 00000002 00000003 00000004 ffffffff",
    ),
}


@pytest.mark.parametrize(("agreed", "values", "golden"), DATA.values(), ids=DATA)
def test_a_data_package_has_these_bytes(agreed: Recipe, values, golden: str):
    raw = bytes.fromhex(golden)
    assert agreed.pack(agreed.flatten(values)) == raw
    assert len(raw) == agreed.size
    ((kind, payload),) = Framer().feed(raw)
    assert kind == PackageType.DATA
    assert agreed.group(agreed.unpack(payload)) == values


def test_data_of_protocol_1_carry_no_id():
    agreed = Recipe(1, ["timestamp"], [WIRE_TYPES["DOUBLE"]], tagged=False)
    raw = bytes.fromhex("000b 55 3ff8000000000000")
    assert agreed.pack([1.5]) == raw
    assert agreed.unpack(raw[3:]) == (1.5,)


def test_numbers_that_do_not_fit_are_named():
    agreed = recipe(robot_mode="INT32", payload_cog="VECTOR3D")
    with pytest.raises(InputError, match=r"robot_mode is 1\.5; INT32"):
        agreed.pack([1.5, 0, 0, 0])
    with pytest.raises(InputError, match="robot_mode is 2147483648; INT32"):
        agreed.pack([1 << 31, 0, 0, 0])
    with pytest.raises(InputError, match=r"payload_cog is 10+, 0, 0; VECTOR3D"):
        agreed.pack([1, 10**400, 0, 0])
    with pytest.raises(InputError, match="3 numbers for recipe 1; robot_mode, payload_cog take 4"):
        agreed.pack([1, 0, 0])
    with pytest.raises(InputError, match=r"payload_cog is \(1.0, 2.0\); VECTOR3D has 3"):
        agreed.flatten([1, (1.0, 2.0)])
    with pytest.raises(InputError, match="1 values for the 2 variables"):
        agreed.flatten([1])
    with pytest.raises(InputError, match="1 names and 0 types"):
        Recipe(1, ["timestamp"], [])


def test_data_of_another_recipe_are_refused():
    agreed = recipe(timestamp="DOUBLE")
    with pytest.raises(ProtocolError, match=r"8 bytes; recipe 1 \(timestamp\) has 9"):
        agreed.unpack(bytes(8))
    with pytest.raises(ProtocolError, match="recipe 2 read as recipe 1"):
        agreed.unpack(b"\x02" + bytes(8))


@pytest.mark.parametrize(
    ("raw", "entries"),
    [(b"", ()), (b",", ("",)), (b"a", ("a",)), (b"a,b", ("a", "b")), (b"a,b,", ("a", "b")), (b"a,,b", ("a", "", "b"))],
)
def test_a_trailing_comma_adds_no_name(raw: bytes, entries: tuple[str, ...]):
    assert split_list(raw) == entries


@pytest.mark.parametrize(
    ("decode", "payload"),
    [
        (ProtocolVersionRequest.decode, b"\x02"),
        (ProtocolVersionReply.decode, b""),
        (ControllerVersion.decode, bytes(15)),
        (SetupOutputsRequest.decode, b"actual"),
        (SetupOutputsReply.decode, b""),
        (SetupInputsReply.decode, b""),
        (StartReply.decode, b"\x01\x01"),
        (TextMessage.decode, b""),
        (TextMessage.decode, b"\x03hi"),
        (TextMessage.decode, b"\x02hi\x04RTDE"),
        (TextMessage.decode, b"\x02hi\x04RTDE\x09"),
        (lambda payload: TextMessage.decode(payload, 1), b""),
    ],
)
def test_short_payloads_break_the_protocol(decode, payload: bytes):
    with pytest.raises(ProtocolError):
        decode(payload)


def test_long_words_are_cut_where_a_character_ends():
    message = TextMessage("ü" * 200, "x" * 300, MessageLevel.INFO)
    back = TextMessage.decode(message.encode()[3:])
    assert back == TextMessage("ü" * 127, "x" * 255, MessageLevel.INFO)


def test_a_package_too_long_for_its_size_field_is_not_made():
    assert len(encode_package(PackageType.DATA, bytes(65532))) == 65535
    with pytest.raises(ProtocolError, match="65536 bytes; at most 65535"):
        encode_package(PackageType.DATA, bytes(65533))


def test_a_stream_with_a_nonsense_size_ends_there():
    framer = Framer(max_size=100)
    assert framer.feed(bytes.fromhex("0003 53 0065 53")) == [(0x53, b"")]
    assert framer.fault == "an RTDE package of 101 bytes; 3 to 100 are allowed"
    assert framer.pending == 0
    with pytest.raises(ProtocolError, match="101 bytes"):
        framer.feed(b"\x00")
