"""Requests to an ABB arm: golden bytes, all of them there and back, whatever arrives."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.protocols import ProtocolError
from openpendant.protocols.abb_text import (
    LONGEST,
    PRECISIONS,
    SPEEDS,
    CheckJoints,
    CheckPose,
    Initialise,
    MoveToJoints,
    MoveToPose,
    PauseMotionRequest,
    Request,
    ResumeMotionRequest,
    SetToolRequest,
    TargetPose,
    encode_request,
    parse_reply,
    parse_request,
)

POSE = TargetPose(477.0, -4.0, 50.0, 177.684, -1.91076, 176.332, -1, 0, 0, 0)
POSE_TEXT = b"477;-4;50;177.68400;-1.91076;176.33200;-1;0;0;0;"
JOINTS = (101.0, 52.0, -9.0, 1.0, 45.0, 6.0)
JOINTS_TEXT = b"[101.00,52.00,-9.00,1.00,45.00,6.00]"
GOLDEN: list[tuple[Request, bytes]] = [
    (Initialise(), b"I"),
    (CheckPose(POSE), b"XC" + POSE_TEXT),
    (MoveToPose(POSE, 1, 3), b"X13J" + POSE_TEXT),
    (MoveToPose(POSE, 3, 2, straight=True), b"X32L" + POSE_TEXT),
    (CheckJoints(JOINTS), b"AC" + JOINTS_TEXT),
    (MoveToJoints(JOINTS, 2, 3), b"A23" + JOINTS_TEXT),
    (SetToolRequest(opened=True), b"YT"),
    (SetToolRequest(opened=False), b"YF"),
    (PauseMotionRequest(), b"pause"),
    (ResumeMotionRequest(), b"resume"),
]


@pytest.mark.parametrize(("request_", "data"), GOLDEN, ids=lambda one: type(one).__name__)
def test_golden_requests(request_: Request, data: bytes):
    assert encode_request(request_) == data
    assert parse_request(data) == request_


def test_digits_that_are_none_mean_the_slowest_and_the_coarsest():
    assert parse_request(b"A7x[1,2,3,4,5,6]") == MoveToJoints((1.0, 2.0, 3.0, 4.0, 5.0, 6.0), 1, 3)
    assert SPEEDS == {1: 50.0, 2: 400.0, 3: 2000.0}
    assert PRECISIONS == {1: 0.0, 2: 50.0, 3: 200.0}


angles = st.integers(-3_600_000, 3_600_000).map(lambda value: value / 1e4)
joints = st.tuples(angles, angles, angles, angles, angles, angles)
millimetres = st.integers(-9999, 9999).map(float)
turns = st.integers(-4, 7)
poses = st.builds(TargetPose, millimetres, millimetres, millimetres, angles, angles, angles, turns, turns, turns, turns)
digits = st.integers(1, 3)
requests = st.one_of(
    st.sampled_from([one for one, _ in GOLDEN]),
    st.builds(CheckPose, poses),
    st.builds(MoveToPose, poses, digits, digits, st.booleans()),
)


@given(requests)
def test_requests_come_back(request_: Request):
    data = encode_request(request_)
    assert len(data) <= LONGEST
    assert parse_request(data) == request_


@given(joints, digits, digits)
def test_joints_come_back_as_exactly_as_fits(values: tuple[float, float, float, float, float, float], s: int, p: int):
    data = encode_request(MoveToJoints(values, s, p))
    assert len(data) <= 43
    came = parse_request(data)
    assert isinstance(came, MoveToJoints)
    assert (came.speed, came.precision) == (s, p)
    assert came.joints == pytest.approx(values, abs=0.5)


@pytest.mark.parametrize(
    "wrong",
    [
        MoveToJoints((float("nan"), 0, 0, 0, 0, 0)),
        MoveToJoints((1e9, 1e9, 1e9, 1e9, 1e9, 1e9)),
        MoveToJoints((0, 0, 0, 0, 0, 0), speed=4),
        CheckPose(TargetPose(1e40, 1e40, 0, 0, 0, 0)),
    ],
)
def test_what_cannot_be_sent_is_refused(wrong: Request):
    with pytest.raises(InputError):
        encode_request(wrong)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Z",
        b"XC1;2;3",
        b"XC" + POSE_TEXT[:-1],
        b"X11Q" + POSE_TEXT,
        b"XC477;-4;50;177,684;-1.91076;176.33200;-1;0;0;0;",
        b"XC1;2;3;4;5;6;0.5;0;0;0;",
        b"AC[1,2,3,4,5]",
        b"AC[1,2,3,4,5,nan]",
        b"A11" + b"[101.000,52.000,-9.000,1.000,45.000,600.000]",
        b"I" * 81,
    ],
)
def test_other_requests_are_refused(data: bytes):
    with pytest.raises(ProtocolError):
        parse_request(data)


requests_of_bytes = st.sampled_from([data for _, data in GOLDEN])
spoilt = st.tuples(requests_of_bytes, st.binary(max_size=3)).map(lambda two: two[0][:-2] + two[1])


@given(st.binary(max_size=90) | spoilt)
def test_whatever_arrives_is_read_or_refused(data: bytes):
    with suppress(ProtocolError, InputError):
        encode_request(parse_request(data))
    with suppress(ProtocolError):
        parse_reply(data)
