"""Packets of hands in a stream that is cut, merged and spoilt anyhow."""

from hand_packets import GOLDEN, packets
from hypothesis import given
from hypothesis import strategies as st

from openpendant.protocols.yumi_packet import (
    PACKET_SIZE,
    HandFramer,
    HandPacket,
    encode_packet,
)

junk = st.binary(max_size=70) | st.sampled_from(
    [b"S", b"E", b"SE", b"S01,", GOLDEN[:30], GOLDEN[20:], b"S08" + GOLDEN[3:]]
)


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[bytes], list[HandPacket]]:
    """Packets with rubbish between them, cut anywhere. Rubbish ends so that it cannot swallow what follows."""
    data, whole = bytearray(), []
    for packet in draw(st.lists(packets, max_size=5)):
        data += draw(junk) + b"E"
        data += encode_packet(packet)
        whole.append(packet)
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    return [bytes(data[a:b]) for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)], whole


@given(streams())
def test_packets_are_found_however_the_stream_is_cut(stream: tuple[list[bytes], list[HandPacket]]):
    pieces, whole = stream
    framer = HandFramer()
    found = [packet for piece in pieces for packet in framer.feed(piece)]
    assert found == whole
    assert framer.pending < 54
    at_once = HandFramer()
    assert at_once.feed(b"".join(pieces)) == found
    assert at_once.dropped == framer.dropped


@given(st.lists(packets, min_size=1, max_size=4), st.data())
def test_a_packet_cut_short_costs_itself_alone(some: list[HandPacket], data: st.DataObject):
    lost = data.draw(st.integers(0, len(some) - 1))
    sent = [encode_packet(packet) for packet in some]
    sent[lost] = sent[lost][: data.draw(st.integers(1, PACKET_SIZE - 1))]
    rest = [packet for place, packet in enumerate(some) if place != lost]
    assert HandFramer().feed(b"".join(sent)) == rest
