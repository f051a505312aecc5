"""Subscriptions of Robot Web Services: all of them there and back, and as curl sends them."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.protocols.rws import (
    RwsFailure,
    RwsInterest,
    encode_interests,
    parse_interests,
)

interests = st.lists(
    st.builds(RwsInterest, st.text(max_size=30).map(lambda text: f"/{text}"), st.sampled_from([0, 1, 2])), max_size=5
)


@given(interests.map(tuple))
def test_interests_come_back(some: tuple[RwsInterest, ...]):
    assert parse_interests(encode_interests(some)) == some


def test_interests_as_curl_sends_them():
    """Application manual, "Subscribe RAPID Execution"."""
    fields = parse_qsl("resources=1&1=/rw/rapid/execution;ctrlexecstate&1-p=0")
    assert parse_interests(fields) == (RwsInterest("/rw/rapid/execution;ctrlexecstate", 0),)
    for wrong in ("resources=1", "resources=1&1=x", "resources=1&1=/x&1-p=3", "resources=" + "1," * 1001):
        with pytest.raises(RwsFailure):
            parse_interests(parse_qsl(wrong))
