"""HTTP without sockets: whole requests out of any pieces, and nothing out of nonsense."""

from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.virtual.wire import MAX_BODY, MAX_HEAD, OWN_PAGES, HttpSession, Request

POST = b"POST /do?x=1 HTTP/1.1\r\nHost: a:1\r\nContent-Length: 3\r\nX-Odd:  y \r\n\r\nabc"
GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


CHUNKED = b"Host: a\r\nTransfer-Encoding: chunked\r\n\r\n"
PUT = b"PUT /a%20b?x=1&x=&y=%26 HTTP/1.1\r\n" + CHUNKED + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
LARGE = b"Host: a\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY + 1)


def requests_in(session: HttpSession, data: bytes) -> list[Request]:
    """Feed; respond to every request, since the next one comes only then."""
    session.feed(data)
    found: list[Request] = []
    while (request := session.next_request()) is not None:
        found.append(request)
        session.respond(HTTPStatus.OK)
    return found


@given(st.lists(st.integers(1, 20), min_size=1))
def test_requests_come_whole_whatever_the_pieces(cuts: list[int]):
    session, stream = HttpSession(), POST + GET + PUT + POST
    found: list[Request] = []
    at = 0
    for cut in [*cuts, len(stream)]:
        found += requests_in(session, stream[at : at + cut])
        at += cut
    assert [one.method for one in found] == ["POST", "GET", "PUT", "POST"]
    assert (found[0].path, found[0].query, found[0].body) == ("/do", (("x", "1"),), b"abc")
    assert dict(found[0].headers) == {"host": "a:1", "content-length": "3", "x-odd": "y"}
    assert (found[2].path, found[2].body) == ("/a b", b"abcde")
    assert found[2].query == (("x", "1"), ("x", ""), ("y", "&"))


def test_a_request_waits_for_the_response_to_the_one_before():
    session = HttpSession()
    session.feed(GET + POST)
    assert session.next_request().method == "GET"
    assert session.next_request() is None
    session.respond(HTTPStatus.OK, b"hi")
    assert session.next_request().method == "POST"


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET / HTTP/2\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET / HTTP/1.1\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", HTTPStatus.NOT_IMPLEMENTED),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET /\xff HTTP/1.1\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"BREW / HTTP/1.1\r\nHost: a\r\n\r\n", HTTPStatus.METHOD_NOT_ALLOWED),
        (b"x" * (MAX_HEAD + 1), HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
        (
            b"POST / HTTP/1.1\r\n" + LARGE,
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        ),
    ],
)
def test_nonsense_breaks_the_session_and_says_how(data: bytes, status: HTTPStatus):
    session = HttpSession()
    assert requests_in(session, data) == []
    assert session.broken == status
    assert session.ends
    assert session.refusal().startswith(b"HTTP/1.1 %d " % status.value)
    assert requests_in(session, GET) == []


@given(st.binary(max_size=300))
def test_noise_never_raises(data: bytes):
    session = HttpSession()
    for request in requests_in(session, data + b"\r\n\r\n"):
        assert request.path
    assert session.broken is None or session.refusal()


def test_a_body_in_pieces_is_not_larger_than_one_in_whole():
    session = HttpSession()
    session.feed(b"PUT / HTTP/1.1\r\n" + CHUNKED)
    piece = b"%x\r\n" % 60_000 + bytes(60_000) + b"\r\n"
    for _ in range(MAX_BODY // 60_000 + 1):
        assert requests_in(session, piece) == []
    assert session.broken == HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def answer_to(data: bytes, body: bytes) -> tuple[bytes, bytes]:
    session = HttpSession()
    session.feed(data)
    assert session.next_request() is not None
    head, _, told = session.respond(HTTPStatus.OK, body, headers=OWN_PAGES).partition(b"\r\n\r\n")
    return head, told


def test_responses_forbid_foreign_content():
    head, body = answer_to(GET, b"hi")
    assert body == b"hi"
    assert b"Content-Length: 2" in head
    assert b"default-src 'self'" in head


def test_a_head_is_told_without_its_body():
    head, body = answer_to(GET.replace(b"GET", b"HEAD"), b"hi")
    assert (b"Content-Length: 2" in head, body) == (True, b"")


def test_a_client_that_asks_before_its_body_may_go_on():
    session = HttpSession()
    session.feed(b"PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    assert session.next_request() is None
    assert session.go_ahead().startswith(b"HTTP/1.1 100 ")
    assert session.go_ahead() == b""
    session.feed(b"hi")
    assert session.next_request().body == b"hi"
