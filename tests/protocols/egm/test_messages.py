"""EGM's messages: golden bytes, the same as the protocol buffers of another client, whatever arrives."""

import math
import struct
from contextlib import suppress
from typing import Any

import pytest
from abb_robot_client._egm_protobuf import egm_pb2
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet
from hypothesis import given
from hypothesis import strategies as st

from openpendant.protocols import ProtocolError
from openpendant.protocols.egm import (
    EgmCartesian,
    EgmClock,
    EgmCollisionInfo,
    EgmEuler,
    EgmFeedBack,
    EgmHeader,
    EgmMeasuredForce,
    EgmMessageType,
    EgmMotionState,
    EgmMotorState,
    EgmPathCorr,
    EgmPlanned,
    EgmPose,
    EgmQuaternion,
    EgmRapidData,
    EgmRapidState,
    EgmRobot,
    EgmSensor,
    EgmSensorPathCorr,
    EgmSpeedRef,
    decode_message,
    decode_robot,
    decode_sensor,
    encode_message,
)

ONE, TWO, MINUS = (struct.pack("<d", value).hex() for value in (1.0, 2.0, -0.5))
GOLDEN = {
    "header": (EgmRobot(header=EgmHeader(300, 5, EgmMessageType.DATA)), "0a07 08ac02 1005 1802"),
    "joints": (EgmRobot(feed_back=EgmFeedBack(joints=(1.0, 2.0))), f"1214 0a12 09{ONE} 09{TWO}"),
    "no joints": (EgmRobot(feed_back=EgmFeedBack(joints=())), "1202 0a00"),
    "position": (
        EgmRobot(planned=EgmPlanned(pose=EgmPose(EgmCartesian(1.0, 2.0, -0.5)))),
        f"1a1f 121d 0a1b 09{ONE} 11{TWO} 19{MINUS}",
    ),
    "clock": (EgmRobot(feed_back=EgmFeedBack(time=EgmClock(1, 2))), "1206 2204 0801 1002"),
    "states": (
        EgmRobot(motors=EgmMotorState.ON, motion=EgmMotionState.RUNNING, converged=True, rapid=EgmRapidState.RUNNING),
        "2202 0801 2a02 0803 3001 4202 0802",
    ),
    "force of RobotWare 6": (EgmRobot(force=EgmMeasuredForce(force_rw6=(1.0,))), f"4a09 09{ONE}"),
    "force": (EgmRobot(force=EgmMeasuredForce(active=True, force=(1.0,))), f"4a0b 0801 11{ONE}"),
    "later fields": (
        EgmRobot(utilization=2.0, move_index=7, collision=EgmCollisionInfo(triggered=False), rapid_data=EgmRapidData()),
        f"51{TWO} 5807 6202 0800 6a00",
    ),
    "joint guidance": (
        EgmSensor(EgmHeader(1, None, EgmMessageType.CORRECTION), EgmPlanned(joints=(1.0,)), EgmSpeedRef(tool=(2.0,))),
        f"0a04 0801 1803 120b 0a09 09{ONE} 1a0b 1209 09{TWO}",
    ),
    "path correction": (
        EgmSensorPathCorr(
            EgmHeader(1, None, EgmMessageType.PATH_CORRECTION), EgmPathCorr(EgmCartesian(1.0, 2.0, -0.5), 1)
        ),
        f"0a04 0801 1804 121f 0a1b 09{ONE} 11{TWO} 19{MINUS} 1001",
    ),
}
THEIRS = {EgmRobot: egm_pb2.EgmRobot, EgmSensor: egm_pb2.EgmSensor, EgmSensorPathCorr: egm_pb2.EgmSensorPathCorr}


@pytest.mark.parametrize(("message", "golden"), GOLDEN.values(), ids=list(GOLDEN))
def test_golden_bytes(message: Any, golden: str):
    data = bytes.fromhex(golden)
    assert encode_message(message) == data
    assert decode_message(type(message), data) == message


numbers = st.floats(allow_nan=False)
tuples = st.lists(numbers, max_size=8).map(tuple)
boxes = st.none() | tuples
words32, words64 = st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1)
headers = st.builds(EgmHeader, st.none() | words32, st.none() | words32, st.none() | st.sampled_from(EgmMessageType))
points = st.builds(EgmCartesian, numbers, numbers, numbers)
poses = st.builds(
    EgmPose,
    st.none() | points,
    st.none() | st.builds(EgmQuaternion, numbers, numbers, numbers, numbers),
    st.none() | st.builds(EgmEuler, numbers, numbers, numbers),
)
clocks = st.builds(EgmClock, words64, words64)
places: dict[str, Any] = {
    "joints": boxes,
    "pose": st.none() | poses,
    "external_joints": boxes,
    "time": st.none() | clocks,
}
rapid = st.builds(EgmRapidData, st.none() | st.booleans(), tuples)
robots = st.builds(
    EgmRobot,
    st.none() | headers,
    st.none() | st.builds(EgmFeedBack, **places),
    st.none() | st.builds(EgmPlanned, **places),
    st.none() | st.sampled_from(EgmMotorState),
    st.none() | st.sampled_from(EgmMotionState),
    st.none() | st.booleans(),
    boxes,
    st.none() | st.sampled_from(EgmRapidState),
    st.none() | st.builds(EgmMeasuredForce, st.none() | st.booleans(), tuples),
    st.none() | numbers,
    st.none() | words32,
    st.none() | st.builds(EgmCollisionInfo, st.none() | st.booleans(), tuples),
    st.none() | rapid,
)
sensors = st.builds(
    EgmSensor,
    st.none() | headers.filter(lambda header: header.type is not EgmMessageType.PATH_CORRECTION),
    st.none() | st.builds(EgmPlanned, **places),
    st.none() | st.builds(EgmSpeedRef, boxes, boxes, boxes),
    st.none() | rapid,
)
corrections = st.builds(
    EgmSensorPathCorr,
    st.builds(EgmHeader, words32, words32, st.just(EgmMessageType.PATH_CORRECTION)),
    st.none() | st.builds(EgmPathCorr, points, words32),
)


@given(robots | sensors | corrections)
def test_messages_come_back_and_are_those_of_protobuf(message: Any):
    data = encode_message(message)
    assert decode_message(type(message), data) == message
    if type(message) is not EgmRobot:
        assert decode_sensor(data) == message
    theirs = THEIRS[type(message)]()
    theirs.ParseFromString(data)
    assert theirs.IsInitialized()
    assert len(UnknownFieldSet(theirs)) == 0
    assert theirs.SerializeToString() == data


def test_what_another_client_sends_is_read():
    """As abb-robot-client fills it in."""
    theirs = egm_pb2.EgmSensor()
    theirs.header.seqno, theirs.header.mtype = 7, egm_pb2.EgmHeader.MSGTYPE_CORRECTION
    theirs.planned.cartesian.pos.x, theirs.planned.cartesian.pos.y, theirs.planned.cartesian.pos.z = 300.0, -1.0, 400.0
    for name, value in zip(("u0", "u1", "u2", "u3"), (0.0, 0.0, 1.0, 0.0), strict=True):
        setattr(theirs.planned.cartesian.orient, name, value)
    theirs.speedRef.SetInParent()
    theirs.RAPIDtoRobot.dnum.extend([1.0, 2.0])
    assert decode_sensor(theirs.SerializeToString()) == EgmSensor(
        EgmHeader(7, None, EgmMessageType.CORRECTION),
        EgmPlanned(pose=EgmPose(EgmCartesian(300.0, -1.0, 400.0), EgmQuaternion(0.0, 0.0, 1.0, 0.0))),
        EgmSpeedRef(),
        EgmRapidData(numbers=(1.0, 2.0)),
    )


def test_forces_of_robotware_6_are_those_of_its_own_description():
    file = descriptor_pb2.FileDescriptorProto(name="rw6.proto", package="rw6")
    kind = file.message_type.add(name="EgmMeasuredForce")
    kind.field.add(name="force", number=1, type=1, label=3)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    theirs = message_factory.GetMessageClass(pool.FindMessageTypeByName("rw6.EgmMeasuredForce"))()
    theirs.force.extend([1.0, -2.0, 3.0])
    ours = decode_message(EgmMeasuredForce, theirs.SerializeToString())
    assert ours.values == ours.force_rw6 == (1.0, -2.0, 3.0)
    assert encode_message(ours) == theirs.SerializeToString()
    assert EgmMeasuredForce(active=False, force=(1.0,)).values == ()


def test_packed_numbers_unknown_fields_and_groups():
    packed = bytes.fromhex(f"1214 0a12 0a10 {ONE} {TWO}")
    assert decode_robot(packed) == EgmRobot(feed_back=EgmFeedBack(joints=(1.0, 2.0)))
    unknown = bytes.fromhex("f83f01") + bytes.fromhex("a31f 0801 a41f") + bytes.fromhex("fd3f00000000")
    assert decode_robot(unknown + packed + unknown) == decode_robot(packed)
    assert decode_robot(bytes.fromhex("2202 0809")) == EgmRobot()  # motors in a state that is not known
    assert decode_robot(bytes.fromhex("0a02 0801 0a02 1002")) == EgmRobot(EgmHeader(1, 2))  # merged


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("0a", "end within a number"),
        ("0a05 0801", "ends at byte"),
        ("80808080808080", "more than 5 bytes"),
        ("08" + "80" * 11, "more than 10 bytes"),
        ("00", "tag 0"),
        ("0e", "wire type 6"),
        ("0c", "wire type 4"),
        ("0b 0801", "within a group"),
        ("0b 14", "group 1 ends as group 2"),
        ("0b" * 30, "more than 20 others"),
        ("1204 2202 0801", "EgmClock without its microseconds"),
        ("1204 0a02 0a01", "ends at byte"),
        ("1205 0a03 0a0100", "packed doubles of 1 bytes"),
    ],
)
def test_what_is_no_message_is_refused(data: str, why: str):
    with pytest.raises(ProtocolError, match=why):
        decode_robot(bytes.fromhex(data))


def test_a_message_longer_than_any_datagram_is_refused():
    with pytest.raises(ProtocolError, match="65537 bytes"):
        decode_robot(bytes(65537))


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    data = bytearray(encode_message(draw(robots | sensors | corrections)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(data)


@given(st.binary(max_size=80) | spoilt())
def test_whatever_arrives_is_read_as_protobuf_reads_it_or_refused(data: bytes):
    theirs = egm_pb2.EgmRobot()
    try:
        theirs.ParseFromString(data)
        valid = theirs.IsInitialized()
    except DecodeError:
        valid = False
    with suppress(ProtocolError):
        decode_sensor(data)
    try:
        ours = decode_robot(data)
    except ProtocolError:
        assert not valid
        return
    if valid:
        assert_same(ours, theirs)


def assert_same(ours: EgmRobot, theirs: Any) -> None:
    """Compare what a driver reads; NaN equals NaN."""
    assert ours.converged == (theirs.mciConvergenceMet if theirs.HasField("mciConvergenceMet") else None)
    assert same(ours.utilization, theirs.utilizationRate if theirs.HasField("utilizationRate") else None)
    assert ours.move_index == (theirs.moveIndex if theirs.HasField("moveIndex") else None)
    assert (ours.header is None) == (not theirs.HasField("header"))
    if ours.header is not None:
        assert ours.header.sequence == (theirs.header.seqno if theirs.header.HasField("seqno") else None)
    assert (ours.feed_back is None) == (not theirs.HasField("feedBack"))
    if ours.feed_back is not None:
        joints = list(theirs.feedBack.joints.joints) if theirs.feedBack.HasField("joints") else None
        if joints is None:
            assert ours.feed_back.joints is None
        else:
            assert ours.feed_back.joints is not None
            assert all(same(a, b) for a, b in zip(ours.feed_back.joints, joints, strict=True))
    if ours.motors is not None:
        assert ours.motors == theirs.motorState.state


def same(ours: float | None, theirs: float | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return ours == theirs or (math.isnan(ours) and math.isnan(theirs))
