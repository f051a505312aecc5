"""Replies of an ABB arm: golden bytes, all of them there and back."""

from hypothesis import given
from hypothesis import strategies as st

from openpendant.protocols.abb_text import (
    DONE,
    FAILED,
    INITIALISED,
    PAUSED,
    RESUMED,
    JointReply,
    ProgressReply,
    Reply,
    encode_joints,
    encode_reply,
    parse_reply,
)


def test_golden_replies():
    assert encode_joints((3.07759, 51.8538, -15.7295, -0.0531168, 55.5042, 7.42994)) == b"3;52;-16;0;56;7"
    assert parse_reply(b"3;52;-16;0;56;7") == JointReply((3.0, 52.0, -16.0, 0.0, 56.0, 7.0))
    # Longer than the 20 bytes that an earlier client read.
    assert len(encode_joints((-165, -110, -110, -160, -120, -400))) == 29
    assert parse_reply(b"an error of some kind") == ProgressReply(FAILED)
    assert encode_reply(ProgressReply(DONE)) == b"success"


replies: st.SearchStrategy[Reply] = st.builds(
    JointReply, st.tuples(*[st.integers(-400, 400).map(float)] * 6)
) | st.sampled_from([ProgressReply(word) for word in (INITIALISED, DONE, FAILED, PAUSED, RESUMED)])


@given(replies)
def test_replies_come_back(reply: Reply):
    assert parse_reply(encode_reply(reply)) == reply
