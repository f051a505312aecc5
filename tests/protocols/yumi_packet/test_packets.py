"""Packets of hands: the published sample, all of them there and back."""

import pytest
from hand_packets import GOLDEN, packets
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.protocols import ProtocolError
from openpendant.protocols.yumi_packet import (
    PACKET_SIZE,
    HandCommand,
    HandFramer,
    HandPacket,
    encode_line,
    encode_packet,
    greet,
    parse_line,
    read_greeting,
)

SAMPLE = HandPacket(HandCommand.LEFT, (-152.89, 307.35, -229.63), (40.27, 24.14, 5.92))
WITH_COMMAS = b"S,01,-152.89,+307.35,-229.63,+040.27,+024.14,+005.92,E"
"""As the protocol was first described: 54 bytes."""


def test_golden_bytes():
    assert encode_packet(SAMPLE) == GOLDEN
    assert len(GOLDEN) == PACKET_SIZE == 52
    assert len(WITH_COMMAS) == 54
    assert HandFramer().feed(GOLDEN) == HandFramer().feed(WITH_COMMAS) == [SAMPLE]
    zero = b"S04,+0,+0,+0,+0,+0,+0E"
    assert HandFramer().feed(zero) == [HandPacket(HandCommand.HOME, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))]
    assert encode_line(SAMPLE) == "01,L,-152.89,307.35,-229.63,R,40.27,24.14,5.92"
    assert parse_line("01,L,-152.89,+307.35,-229.63,R,+040.27,+024.14,+005.92") == SAMPLE
    assert greet("127.0.0.1") == b"Connect to127.0.0.1"


@given(packets)
def test_packets_and_lines_come_back(packet: HandPacket):
    assert len(encode_packet(packet)) == PACKET_SIZE
    assert HandFramer().feed(encode_packet(packet)) == [packet]
    assert parse_line(encode_line(packet)) == packet


@given(st.text(st.characters(codec="latin-1"), max_size=20))
def test_greetings_come_back(address: str):
    assert read_greeting(b"Connect to" + address.encode("latin-1")) == address


@pytest.mark.parametrize("value", [1000.0, -1000.0, 999.996, float("nan"), float("inf"), float("-inf")])
def test_coordinates_without_a_place_in_the_packet_are_refused(value: float):
    with pytest.raises(InputError, match="a coordinate of"):
        encode_packet(HandPacket(HandCommand.BOTH, (value, 0.0, 0.0), (0.0, 0.0, 0.0)))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "01",
        "01,R,1,2,3,L,4,5,6",
        "01,L,1,2,3,R,4,5",
        "x,L,1,2,3,R,4,5,6",
        "01,L,a,2,3,R,4,5,6",
        "08,L,1,2,3,R,4,5,6",
    ],
)
def test_other_lines_are_refused(line: str):
    with pytest.raises(ProtocolError):
        parse_line(line)
    with pytest.raises(ProtocolError, match="a greeting"):
        read_greeting(line.encode())
