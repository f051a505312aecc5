"""Pairing codes: good once, for some minutes, and never guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stepped_clock import Clock

from openpendant.errors import InputError
from openpendant.server.access import pairing
from openpendant.server.access.pairing import PairingDesk


def test_a_code_is_good_once_and_for_some_minutes() -> None:
    clock = Clock()
    desk = PairingDesk(clock)
    first, second = desk.offer("viewer", "Ann"), desk.offer("operator")
    assert first.code is not None
    assert first.secret not in repr(first)
    assert desk.use(first.code) is first
    assert desk.use(first.code) is None
    assert desk.use(first.secret) is None
    clock.now += pairing.GOOD_S
    assert desk.use(second.secret) is None


@given(st.text(max_size=30))
def test_no_other_word_is_taken_for_a_code(word: str) -> None:
    desk = PairingDesk()
    offer = desk.offer("viewer")
    assert word in (offer.code, offer.secret) or desk.use(word) is None


def test_guessing_ends_the_digits_and_leaves_the_link() -> None:
    desk = PairingDesk()
    offer = desk.offer("viewer")
    code = offer.code
    assert code is not None
    for _ in range(pairing.MOST_WRONG):
        assert desk.use("guess") is None
    assert desk.use(code) is None
    assert desk.use(offer.secret) is offer
    fresh = desk.offer("viewer")
    assert fresh.code is not None
    assert desk.use(fresh.code) is fresh


def test_there_are_never_many_open_codes() -> None:
    desk = PairingDesk()
    codes = {desk.offer("viewer").code for _ in range(pairing.MOST_OFFERS)}
    assert len(codes) == pairing.MOST_OFFERS
    with pytest.raises(InputError, match="codes are open"):
        desk.offer("viewer")
