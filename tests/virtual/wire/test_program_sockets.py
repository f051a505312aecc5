"""Sockets of a controller's programs: as clients, and as servers that wait for one."""

import socket
import time
from collections.abc import Callable, Iterator

import pytest

from openpendant.virtual.wire import ClosedSockets, NetworkSockets

PATIENCE_S = 20.0


@pytest.fixture
def sockets() -> Iterator[NetworkSockets]:
    made = NetworkSockets("127.0.0.1")
    yield made
    made.close_all()


def until(sockets: NetworkSockets, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        sockets.poll()


def test_a_program_waits_for_clients_and_talks_to_each(sockets: NetworkSockets) -> None:
    assert sockets.listen(0, "door")
    port = sockets.port("door")
    assert port > 0
    assert not sockets.accept("door", "first")
    ours = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) for _ in range(2)]
    for own, name in zip(ours, ("first", "second"), strict=True):
        until(sockets, lambda name=name: sockets.accept("door", name))
        assert sockets.state(name) == "open"
        own.sendall(name.encode())
    for own, name in zip(ours, ("first", "second"), strict=True):
        until(sockets, lambda name=name: sockets.peek(name) == name.encode())
        sockets.drop(name, 2)
        assert sockets.peek(name) == name.encode()[2:]
        assert sockets.send(name, b"you are " + name.encode())
        assert own.recv(100) == b"you are " + name.encode()
    ours[0].close()
    until(sockets, lambda: sockets.state("first") == "closed")
    assert sockets.state("second") == "open"
    ours[1].close()


def test_a_program_is_its_own_client(sockets: NetworkSockets) -> None:
    assert sockets.listen(0, "door")
    sockets.open("127.0.0.1", sockets.port("door"), "there")
    until(sockets, lambda: sockets.accept("door", "here") and sockets.state("here") == "open")
    until(sockets, lambda: sockets.state("there") == "open")
    assert sockets.send("there", b"x" * 100_000)
    until(sockets, lambda: len(sockets.peek("here")) == 100_000)


def test_a_port_is_free_again_once_it_is_closed(sockets: NetworkSockets) -> None:
    assert sockets.listen(0, "one")
    port = sockets.port("one")
    assert not sockets.listen(port, "two"), "it is in use"
    assert sockets.port("two") == 0
    sockets.close("one")
    assert sockets.port("one") == 0
    assert sockets.listen(port, "two")
    sockets.close_all()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)


@pytest.mark.parametrize("port", [-1, 65536])
def test_no_such_port(sockets: NetworkSockets, port: int) -> None:
    assert not sockets.listen(port, "door")


def test_without_network_nobody_comes() -> None:
    closed = ClosedSockets()
    assert not closed.listen(0, "door")
    assert closed.port("door") == 0
    assert not closed.accept("door", "client")
