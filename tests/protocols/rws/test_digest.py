"""The digest login: the example of its standard, the answers of another client, whatever comes in a header."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requests.auth import HTTPDigestAuth
from requests.utils import parse_dict_header

from openpendant.protocols import ProtocolError
from openpendant.protocols.rws import DigestChallenge, DigestRealm, parse_challenge

USER, PASSWORD = "Default User", "robotics"
TARGET = "/rw/panel/ctrlstate?json=1"


def realm() -> DigestRealm:
    count = itertools.count(1)
    return DigestRealm("validusers@robapi.abb", {USER: PASSWORD}, lambda: f"token{next(count)}")


def theirs(challenge: DigestChallenge, method: str, target: str, password: str = PASSWORD) -> str:
    """Return what requests answers."""
    auth = HTTPDigestAuth(USER, password)
    auth.init_per_thread_state()
    auth._thread_local.chal = parse_dict_header(challenge.encode().removeprefix("Digest "))
    header = auth.build_digest_header(method, f"http://127.0.0.1{target}")
    assert header is not None
    return header


def test_the_example_of_the_standard():
    """RFC 2617, 3.5."""
    challenge = DigestChallenge(
        "testrealm@host.com", "dcd98b7102dd2f0e8b11d0f600bfb0c093", "5ccc069c403ebaf9f0171e9517f40e41"
    )
    header = challenge.authorization("Mufasa", "Circle Of Life", "GET", "/dir/index.html", count=1, token="0a4f113b")
    assert 'response="6629fae49393a05397450978507c4ef1"' in header
    assert header == (
        'Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", '
        'uri="/dir/index.html", response="6629fae49393a05397450978507c4ef1", algorithm=MD5, '
        'opaque="5ccc069c403ebaf9f0171e9517f40e41", qop=auth, nc=00000001, cnonce="0a4f113b"'
    )


def test_another_clients_answers_are_taken_again_and_again():
    door = realm()
    header = theirs(door.challenge(), "GET", TARGET)
    assert door.user_of("GET", TARGET, header) == USER
    assert door.user_of("GET", TARGET, header) == USER


@pytest.mark.parametrize(
    ("method", "target", "password"),
    [("POST", TARGET, PASSWORD), ("GET", "/rw/panel/opmode?json=1", PASSWORD), ("GET", TARGET, "wrong")],
)
def test_an_answer_counts_for_its_request_and_password_alone(method: str, target: str, password: str):
    door = realm()
    header = theirs(door.challenge(), "GET", TARGET, password)
    refused = door.user_of(method, target, header)
    assert isinstance(refused, DigestChallenge)
    assert not refused.stale


def test_a_challenge_of_somebody_else_is_stale():
    door = realm()
    header = theirs(DigestChallenge("validusers@robapi.abb", "made up"), "GET", TARGET)
    refused = door.user_of("GET", TARGET, header)
    assert isinstance(refused, DigestChallenge)
    assert refused.stale
    first = theirs(door.challenge(), "GET", TARGET)
    for _ in range(1000):
        door.challenge()
    again = door.user_of("GET", TARGET, first)
    assert isinstance(again, DigestChallenge)
    assert again.stale


texts = st.text(st.characters(codec="latin-1", exclude_categories=("Cc",)), max_size=20)


@given(texts.filter(bool), texts.filter(bool), texts, st.sampled_from(["auth", ""]), st.booleans())
def test_challenges_come_back(name: str, nonce: str, opaque: str, quality: str, stale: bool):
    challenge = DigestChallenge(name, nonce, opaque, quality, stale)
    assert parse_challenge(challenge.encode()) == challenge


@given(texts, texts, texts, st.integers(1, 2**32 - 1), st.sampled_from(["auth", ""]))
def test_both_ends_agree(user: str, password: str, token: str, count: int, quality: str):
    door = DigestRealm("here", {user: password}, lambda: "nonce")
    challenge = door.challenge()
    asked = DigestChallenge(challenge.realm, challenge.nonce, challenge.opaque, quality)
    header = asked.authorization(user, password, "PUT", "/a", count=count, token=token)
    assert door.user_of("PUT", "/a", header) == user


@given(st.text(max_size=200) | texts.map(lambda text: f"Digest {text}"))
def test_whatever_comes_is_no_login(header: str):
    assert isinstance(realm().user_of("GET", "/", header), DigestChallenge)
    try:
        parse_challenge(header)
    except ProtocolError:
        return
    assert header.lower().startswith("digest ")


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ('Basic realm="x"', "Basic"),
        ('Digest realm="x", nonce="y", algorithm=SHA-256', "MD5"),
        ('Digest realm="x", nonce="y", qop="auth-int"', "auth-int"),
        ('Digest realm="x"', "nonce"),
        ('Digest realm="x', "character 7"),
    ],
)
def test_other_logins_are_refused(header: str, why: str):
    with pytest.raises(ProtocolError, match=why):
        parse_challenge(header)
