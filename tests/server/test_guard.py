"""No foreign page and no foreign name gets in, over HTTP or websocket."""

import asyncio
import socket
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from openpendant.origins import is_loopback
from openpendant.server.guard import Guard

FOREIGN_ORIGINS = [
    "http://evil.example",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:1",
    "http://127.0.0.1",
    "http://127.0.0.1.evil.example:{port}",
    "http://user@127.0.0.1:{port}",
    "http://127.0.0.1:{port}/path",
    "http://127.0.0.1:99999",
    "null",
    "",
]
FOREIGN_HOSTS = [
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost.evil.example:{port}",
    "192.168.1.7:{port}",
    "0.0.0.0:{port}",
    "[::1",
    "",
]


def port_of(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_foreign_page_is_refused_with_the_reason(url: str, http: httpx.Client, origin: str) -> None:
    origin = origin.format(port=port_of(url))
    answer = http.get("/api/health", headers={"origin": origin})
    assert answer.status_code == 403
    assert answer.json()["message"] == f"Origin {origin!r} may not use this server; only pages from {url} may"


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_foreign_name_is_refused_with_the_reason(url: str, http: httpx.Client, host: str) -> None:
    host = host.format(port=port_of(url))
    for path in ("/", "/api/robots"):
        answer = http.get(path, headers={"host": host})
        assert answer.status_code == 403
        assert f"is not this server; open it as {url}" in answer.json()["message"]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "127.0.0.5", "[::1]"])
def test_own_names_are_welcome(url: str, http: httpx.Client, name: str) -> None:
    own = f"{name}:{port_of(url)}"
    assert http.get("/api/health", headers={"host": own, "origin": f"http://{own}"}).status_code == 200


@pytest.mark.parametrize("origin", [one for one in FOREIGN_ORIGINS if one])
def test_a_foreign_page_cannot_open_the_socket(url: str, origin: str) -> None:
    headers = {"Origin": origin.format(port=port_of(url))}
    with (
        pytest.raises(InvalidStatus) as refusal,
        connect(f"{url.replace('http', 'ws')}/ws", additional_headers=headers),
    ):
        pass
    assert refusal.value.response.status_code == 403
    assert b"may not use this server" in refusal.value.response.body


def test_a_rebound_name_cannot_open_the_socket(url: str) -> None:
    uri = f"ws://evil.example:{port_of(url)}/ws"
    with (
        socket.create_connection(("127.0.0.1", port_of(url))) as rebound,
        pytest.raises(InvalidStatus) as refusal,
        connect(uri, sock=rebound),
    ):
        pass
    assert refusal.value.response.status_code == 403


def test_the_own_page_opens_the_socket(url: str) -> None:
    with connect(f"{url.replace('http', 'ws')}/ws", origin=url) as welcome:
        assert "greeting" in str(welcome.recv(timeout=60))
        welcome.send("{}")
        assert "not a question" in str(welcome.recv(timeout=60))


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/robots/nobody", "/nothing"])
def test_every_answer_carries_the_security_headers(http: httpx.Client, path: str) -> None:
    headers = http.get(path).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-embedder-policy"] == "require-corp"
    scripts = next(one for one in headers["content-security-policy"].split("; ") if one.startswith("script-src"))
    assert "unsafe-inline" not in scripts
    assert "unsafe-eval" not in scripts.replace("wasm-unsafe-eval", "")
    allowed = dict(one.split("=", 1) for one in headers["permissions-policy"].split(", "))
    assert allowed["xr-spatial-tracking"] == allowed["gamepad"] == allowed["camera"] == "(self)"
    assert allowed["geolocation"] == allowed["microphone"] == "()"


@pytest.mark.parametrize(
    "client",
    [
        ("192.168.1.9", 5000),
        ("::ffff:10.0.0.1", 5000),
        ("fe80::1%eth0", 5000),
        ("not an address", 5000),
        ("127.0.0.1.example.org", 5000),
        ("", 5000),
    ],
)
def test_another_machine_is_refused_at_the_door_of_this_one(client: tuple[str, int]) -> None:
    async def reached(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("somebody came in")

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(Guard(reached), client=client)
        async with httpx.AsyncClient(transport=transport) as http:
            return await http.get("http://127.0.0.1:8000/api/health")

    answer = asyncio.run(ask())
    assert answer.status_code == 403
    assert "--lan" in answer.json()["message"]


def test_what_counts_as_loopback() -> None:
    assert all(map(is_loopback, ["localhost", "127.0.0.1", "127.1.2.3", "::1"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.0.1", "example.org", "", "127.0.0.1.example.org"]))


def test_an_error_of_our_own_is_told_without_its_details(caplog: pytest.LogCaptureFixture) -> None:
    async def faulty(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("a secret detail")

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(Guard(faulty))) as client:
            return await client.get("http://127.0.0.1:8000/api/health")

    answer = asyncio.run(ask())
    assert answer.status_code == 500
    assert answer.json()["message"] == "internal error in the server; see its log"
    assert answer.json()["said"]["code"] == "server.own_error"
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "a secret detail" in caplog.text


def test_an_error_in_the_middle_of_an_answer_is_left_to_the_server() -> None:
    async def breaks_off(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("half way")

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(Guard(breaks_off))) as client:
            return await client.get("http://127.0.0.1:8000/")

    with pytest.raises(RuntimeError, match="half way"):
        asyncio.run(ask())
