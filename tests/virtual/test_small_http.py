"""The very small HTTP: whole requests out of any pieces, and nothing out of nonsense."""

from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.virtual.http import MAX_BODY, MAX_HEAD, HttpSession, Request, encode_response

POST = b"POST /do?x=1 HTTP/1.1\r\nHost: a:1\r\nContent-Length: 3\r\nX-Odd:  y \r\n\r\nabc"
GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


@given(st.lists(st.integers(1, 20), min_size=1))
def test_requests_come_whole_whatever_the_pieces(cuts: list[int]):
    session, found, stream = HttpSession(), [], POST + GET + POST
    at = 0
    for cut in [*cuts, len(stream)]:
        found += session.feed(stream[at : at + cut])
        at += cut
    found += session.feed(stream[at:])
    assert [one.method for one in found] == ["POST", "GET", "POST"]
    assert found[0] == Request("POST", "/do", {"host": "a:1", "content-length": "3", "x-odd": "y"}, b"abc")


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET / HTTP/2\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET /\xff HTTP/1.1\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"BREW / HTTP/1.1\r\n\r\n", HTTPStatus.METHOD_NOT_ALLOWED),
        (b"x" * (MAX_HEAD + 1), HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
        (b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY + 1), HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    ],
)
def test_nonsense_breaks_the_session_and_says_how(data: bytes, status: HTTPStatus):
    session = HttpSession()
    assert session.feed(data) == []
    assert session.broken == status
    assert session.feed(GET) == []


@given(st.binary(max_size=300))
def test_noise_never_raises(data: bytes):
    session = HttpSession()
    for request in session.feed(data + b"\r\n\r\n"):
        assert request.method in ("GET", "HEAD", "POST")


def test_responses_forbid_foreign_content():
    response = encode_response(HTTPStatus.OK, b"hi")
    head, _, body = response.partition(b"\r\n\r\n")
    assert body == b"hi"
    assert b"Content-Length: 2" in head
    assert b"default-src 'self'" in head
    assert b"Content-Length" not in encode_response(HTTPStatus.OK, stream=True)
