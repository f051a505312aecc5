"""Samples on the wire, byte for byte: what another program that joins the bus reads and writes."""

import msgspec
import pytest

from openpendant.messages import ArmSamples, JointIntent, SampleBatch, SampleRequest, SetpointOrigin
from openpendant.messages.sample_buffer import SampleBuffer

INTENT = JointIntent(source="me", stamp_ns=900, velocity=(0.5,), arm="a")
BATCH = SampleBatch(
    robot="r",
    number=7,
    stamps_ns=(1000, 3000),
    states_ns=(0, 2500),
    arms={"a": ArmSamples(q=(None, (0.25,)), sent=((0.5,), None), origins=(0, 1))},
    origins=(
        SetpointOrigin(doing="servo", job="j", intent=INTENT),
        SetpointOrigin(doing="nothing", job="j"),
    ),
)
# Written by hand after the specification of msgpack: fixmap 8x, fixarray 9x, fixstr ax, float64 cb, uint16 cd, nil c0.
GOLDEN = bytes.fromhex(
    "86"
    "a5 726f626f74 a1 72"
    "a6 6e756d626572 07"
    "a9 7374616d70735f6e73 92 cd03e8 cd0bb8"
    "a9 7374617465735f6e73 92 00 cd09c4"
    "a4 61726d73 81 a1 61 83"
    "  a1 71 92 c0 91 cb3fd0000000000000"
    "  a4 73656e74 92 91 cb3fe0000000000000 c0"
    "  a7 6f726967696e73 92 00 01"
    "a7 6f726967696e73 92"
    "  83 a5 646f696e67 a5 736572766f a3 6a6f62 a1 6a a6 696e74656e74 89"
    "    a4 74797065 a6 6a6f696e7473 a6 736f75726365 a2 6d65 a8 7374616d705f6e73 cd0384"
    "    a8 76656c6f63697479 91 cb3fe0000000000000 a6 746172676574 c0 a3 61726d a1 61 a6 636c75746368 c3"
    "    a8 646561645f6d616e c2 a5 7363616c65 cb3ff0000000000000"
    "  83 a5 646f696e67 a7 6e6f7468696e67 a3 6a6f62 a1 6a a6 696e74656e74 c0".replace(" ", "")
)


def test_a_batch_is_these_bytes() -> None:
    assert msgspec.msgpack.encode(BATCH) == GOLDEN
    assert msgspec.msgpack.decode(GOLDEN, type=SampleBatch) == BATCH


def test_a_request_is_these_bytes() -> None:
    golden = bytes.fromhex("82 a6 726561646572 a1 78 a6 77616e746564 c2".replace(" ", ""))
    assert msgspec.msgpack.encode(SampleRequest(reader="x", wanted=False)) == golden
    assert msgspec.msgpack.decode(bytes.fromhex("81a6726561646572a178"), type=SampleRequest).wanted


@pytest.mark.parametrize("count", [len(GOLDEN) - 1, len(GOLDEN) // 2, 1])
def test_a_batch_that_was_cut_is_refused(count: int) -> None:
    with pytest.raises(msgspec.DecodeError):
        msgspec.msgpack.decode(GOLDEN[:count], type=SampleBatch)


def test_rows_join_what_belongs_to_one_tick() -> None:
    buffer = SampleBuffer()
    assert buffer.drain() is None
    buffer.put(BATCH)
    buffer.put(msgspec.structs.replace(BATCH, number=19))
    chunk = buffer.drain()
    assert chunk is not None
    assert chunk.lost == 10
    first, second = chunk.arm("a")[:2]
    assert (first.stamp_ns, first.state_ns, first.q, first.sent) == (1000, 0, None, (0.5,))
    assert first.origin.intent == INTENT
    assert (second.stamp_ns, second.state_ns, second.q, second.sent) == (3000, 2500, (0.25,), None)
    assert second.origin.doing == "nothing"
    assert len(chunk.arm("a")) == 4
    assert buffer.drain() is None
