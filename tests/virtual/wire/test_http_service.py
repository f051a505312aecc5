"""HTTP and websockets over the wire of a virtual controller, with clients that we did not write."""

import ast
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from openpendant.virtual import wire as wire_room
from openpendant.virtual.faults import Faults
from openpendant.virtual.wire import HttpClient, HttpService, PortServer, Request

HANDSHAKE = (
    b"GET /talk HTTP/1.1\r\nHost: shelf\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Shelf(HttpService):
    """Keeps what is put there, and says over a websocket what is asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.things: dict[str, bytes] = {}
        self.seen: list[Request] = []
        self.gone = 0

    def serve(self, client: HttpClient, request: Request) -> None:
        self.seen.append(request)
        match request.method, request.path:
            case "GET", "/talk" if request.upgrade == "websocket":
                client.upgrade(request, subprotocols=("chat", "robapi2_subscription"))
                client.send("hello")
            case "GET", "/drip":
                client.stream(HTTPStatus.OK, "text/plain")
                for piece in (b"one ", b"two"):
                    client.piece(piece)
            case "PUT", path:
                self.things[path] = request.body
                client.respond(HTTPStatus.CREATED, headers=[("Location", path)])
            case "DELETE", path if path in self.things:
                del self.things[path]
                client.respond(HTTPStatus.NO_CONTENT)
            case "GET" | "HEAD", path if path in self.things:
                client.respond(HTTPStatus.OK, self.things[path], "application/octet-stream")
            case _:
                client.respond(HTTPStatus.NOT_FOUND, b"no such thing")

    def message(self, client: HttpClient, message: str | bytes) -> None:
        client.send(message.upper())

    def client_left(self, client: HttpClient) -> None:
        self.gone += 1


@pytest.fixture
def shelf() -> Iterator[tuple[Shelf, str]]:
    wire, shelf = PortServer("127.0.0.1", Faults(500)), Shelf()
    port = wire.listen(0, shelf, web=True)
    ended = threading.Event()

    def serve() -> None:
        while not ended.is_set():
            wire.poll()
            time.sleep(0.0005)

    thread = threading.Thread(target=serve)
    thread.start()
    yield shelf, f"127.0.0.1:{port}"
    ended.set()
    thread.join()
    wire.close()


def test_things_are_put_read_and_deleted(shelf: tuple[Shelf, str]) -> None:
    service, where = shelf
    with httpx.Client(base_url=f"http://{where}", timeout=20.0) as client:
        made = client.put("/fileservice/a b.mod", content=b"MODULE", params={"json": "1", "x": "a&b"})
        assert (made.status_code, made.headers["location"]) == (201, "/fileservice/a b.mod")
        assert service.seen[-1].query == (("json", "1"), ("x", "a&b"))
        assert client.get("/fileservice/a b.mod").content == b"MODULE"
        head = client.head("/fileservice/a b.mod")
        assert (head.headers["content-length"], head.content) == ("6", b"")
        assert client.delete("/fileservice/a b.mod").status_code == 204
        assert client.get("/fileservice/a b.mod").status_code == 404
        big = bytes(range(256)) * 512
        client.put("/big", content=iter([big[:1000], big[1000:]]))
        assert client.get("/big").content == big
        assert client.request("BREW", "/").status_code == 405
    with httpx.Client(base_url=f"http://{where}", timeout=20.0) as client:
        assert client.put("/huge", content=bytes(300_000)).status_code == 413


def test_a_response_comes_in_pieces(shelf: tuple[Shelf, str]) -> None:
    _, where = shelf
    with httpx.stream("GET", f"http://{where}/drip", timeout=20.0) as response:
        came = b""
        for piece in response.iter_raw():
            came += piece
            if came == b"one two":
                break
    assert came == b"one two"


def test_a_websocket_talks_both_ways(shelf: tuple[Shelf, str]) -> None:
    service, where = shelf
    with connect(f"ws://{where}/talk?id=7", subprotocols=["robapi2_subscription"], open_timeout=20.0) as talk:  # type: ignore[list-item]
        assert talk.subprotocol == "robapi2_subscription"
        assert talk.recv(20.0) == "hello"
        talk.send("up?")
        assert talk.recv(20.0) == "UP?"
        talk.send(b"\x61b")
        assert talk.recv(20.0) == b"AB"
        talk.send(["in ", "pieces ", "ünd ganz"])
        assert talk.recv(20.0) == "IN PIECES ÜND GANZ"
        assert talk.ping().wait(20.0)
    assert service.seen[-1].query == (("id", "7"),)
    end = time.monotonic() + 20.0
    while service.gone == 0:
        assert time.monotonic() < end, "it does not see that the client has gone"
        time.sleep(0.001)


def test_a_websocket_of_too_long_a_message_is_closed(shelf: tuple[Shelf, str]) -> None:
    _, where = shelf
    with connect(f"ws://{where}/talk", open_timeout=20.0) as talk:
        assert talk.recv(20.0) == "hello"
        talk.send(bytes(1 << 21))
        with pytest.raises(ConnectionClosed) as closed:
            talk.recv(20.0)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def test_who_still_sends_reads_why_the_connection_ends() -> None:
    faults = Faults(500)
    wire, shelf = PortServer("127.0.0.1", faults), Shelf()
    port = wire.listen(0, shelf, web=True)
    with closing(wire), socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(HANDSHAKE)
        came = b""
        while b"hello" not in came:
            wire.poll()
            came += read_now(client)
        # The head of a frame of 2 MiB is enough to be refused; its body still comes.
        client.sendall(b"\x82\xff" + (1 << 21).to_bytes(8, "big") + bytes(4))
        for _ in range(32):
            wire.poll()
            client.sendall(bytes(1 << 16))
        assert read_now(client).startswith(b"\x88")
        assert shelf.gone == 0
        client.shutdown(socket.SHUT_WR)
        while shelf.gone == 0:
            wire.poll()


def test_who_does_not_close_is_cut_off_after_two_seconds() -> None:
    faults = Faults(500)
    wire, shelf = PortServer("127.0.0.1", faults), Shelf()
    port = wire.listen(0, shelf, web=True)
    with closing(wire), socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"GET / HTTP/1.0\r\n\r\n")
        while not shelf.seen:
            wire.poll()
        for _ in range(999):
            faults.advance()
            wire.poll()
        assert shelf.gone == 0
        faults.advance()
        wire.poll()
        assert shelf.gone == 1


def read_now(client: socket.socket) -> bytes:
    """Return what is there."""
    try:
        return client.recv(1 << 16, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return b""


def test_a_bad_handshake_is_refused(shelf: tuple[Shelf, str]) -> None:
    _, where = shelf
    bad = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "12"}
    assert httpx.get(f"http://{where}/talk", headers=bad, timeout=20.0).status_code in (400, 426)


def test_of_websockets_only_the_part_without_sockets_is_used() -> None:
    without = {f"websockets.{name}" for name in ("frames", "http11", "protocol", "server", "typing")}
    found: set[str] = set()
    for path in Path(wire_room.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            found |= {name for name in names if name.partition(".")[0] in ("websockets", "asyncio", "threading")}
    # Only names of other machines are asked for in a thread: the resolver waits.
    assert found == without | {"threading"}
