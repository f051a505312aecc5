"""Sockets are served once per tick; no client can hold up another, or the controller."""

import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from openpendant.errors import InputError, OpenPendantError
from openpendant.virtual.faults import Fault, Faults
from openpendant.virtual.wire import MAX_BACKLOG, Link, PortServer

PATIENCE_S = 10.0


class Echo:
    """Sends back what comes."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self.gone = 0

    def opened(self, link: Link) -> None:
        self.links.append(link)

    def received(self, link: Link, data: bytes) -> None:
        link.send(data)

    def closed(self, link: Link) -> None:
        self.links.remove(link)
        self.gone += 1


class Rig:
    """A wire, stepped by hand."""

    def __init__(self) -> None:
        self.faults = Faults(500)
        self.wire = PortServer("127.0.0.1", self.faults)
        self.echo = Echo()
        self.port = self.wire.listen(0, self.echo)
        self.clients: list[socket.socket] = []

    def client(self) -> socket.socket:
        own = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)
        own.settimeout(0.0)
        self.clients.append(own)
        count = len(self.echo.links) + 1
        self.until(lambda: len(self.echo.links) == count)
        return own

    def step(self) -> None:
        self.faults.advance()
        self.wire.poll()

    def until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            self.step()

    def hear(self, own: socket.socket, size: int) -> bytes:
        got = bytearray()

        def enough() -> bool:
            try:
                got.extend(own.recv(1 << 16))
            except BlockingIOError:
                return False
            return len(got) >= size

        self.until(enough)
        return bytes(got)


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    for own in rig.clients:
        own.close()
    rig.wire.close()


def nothing(own: socket.socket) -> bool:
    try:
        return own.recv(1) is None
    except BlockingIOError:
        return True


def test_many_clients_are_answered(rig: Rig):
    clients = [rig.client() for _ in range(5)]
    for i, own in enumerate(clients):
        own.send(b"%d" % i * 100)
    for i, own in enumerate(clients):
        assert rig.hear(own, 100) == b"%d" % i * 100


def test_a_client_that_does_not_read_is_dropped_and_the_others_live(rig: Rig):
    lazy, busy = rig.client(), rig.client()
    deaf = rig.echo.links[0]
    for _ in range(20 * MAX_BACKLOG // 65536):
        deaf.send(bytes(65536))
        rig.step()
    assert not deaf.open
    assert rig.echo.gone == 1
    busy.send(b"hello")
    assert rig.hear(busy, 5) == b"hello"
    lazy.close()


def test_what_is_offered_is_left_out_for_a_client_that_does_not_read(rig: Rig):
    own = rig.client()
    lazy = rig.echo.links[0]
    for i in range(2000):
        lazy.offer(struct.pack(">I", i) * 2500)
        rig.step()
    assert lazy.open
    got = rig.hear(own, 200_000)
    whole = [struct.unpack_from(">I", got, at)[0] for at in range(0, len(got) - 10_000, 10_000)]
    assert whole == list(range(len(whole)))


def test_what_does_not_go_at_once_goes_later_and_in_order(rig: Rig):
    own = rig.client()
    sent = struct.pack(">200000I", *range(200_000))
    rig.echo.links[0].send(sent)
    assert rig.hear(own, len(sent)) == sent


def test_silence_holds_bytes_back_in_both_directions_and_then_they_come(rig: Rig):
    own = rig.client()
    rig.faults.set(Fault("silence", seconds=0.2))
    own.send(b"question")
    rig.echo.links[0].send(b"before ")
    for _ in range(98):
        rig.step()
        assert nothing(own)
    assert rig.hear(own, 15) == b"before question"


def test_delayed_bytes_come_after_their_time_and_in_order(rig: Rig):
    own = rig.client()
    rig.faults.set(Fault("delay", ms=20.0, jitter_ms=40.0))
    for i in range(20):
        rig.echo.links[0].send(b"%02d" % i)
    for _ in range(9):
        rig.step()
        assert nothing(own)
    assert rig.hear(own, 40) == b"".join(b"%02d" % i for i in range(20))


def test_a_dropped_link_is_reset_and_new_ones_are_refused_for_a_while(rig: Rig):
    own = rig.client()
    rig.faults.set(Fault("drop", seconds=0.1))
    rig.wire.drop(set())
    assert rig.echo.links == []
    own.settimeout(PATIENCE_S)
    with pytest.raises(ConnectionResetError):
        own.recv(1)
    second = socket.create_connection(("127.0.0.1", rig.port), timeout=PATIENCE_S)
    for _ in range(40):
        rig.step()
    with pytest.raises(ConnectionResetError):
        second.recv(1)
    second.close()
    for _ in range(20):
        rig.step()
    assert rig.client()


def test_a_shut_port_refuses(rig: Rig):
    rig.client()
    rig.wire.shut(rig.port)
    assert rig.echo.gone == 1
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", rig.port), timeout=PATIENCE_S)


def test_an_address_in_use_is_told_in_words(rig: Rig):
    other = PortServer("127.0.0.1", Faults(500))
    with pytest.raises(OpenPendantError, match=r"is in use; give each virtual controller its own address"):
        other.listen(rig.port, rig.echo)
    other.close()
    foreign = PortServer("192.0.2.1", Faults(500))
    with pytest.raises(OpenPendantError, match="does not exist here"):
        foreign.listen(0, rig.echo)
    foreign.close()
    nonsense = PortServer("not an address", Faults(500))
    with pytest.raises(InputError, match="is not an address"):
        nonsense.listen(0, rig.echo)
    nonsense.close()


def test_what_was_sent_before_a_hasty_close_is_taken() -> None:
    """Clients send a command and close at once, with states unread: the connection is then reset."""
    service = Chatter()
    wire = PortServer("127.0.0.1", Faults(500))
    port = wire.listen(0, service)
    with closing(wire):
        with socket.create_connection(("127.0.0.1", port)) as client:
            while not service.links:
                wire.poll()
            client.sendall(b"stop program\n")
            assert client.recv(1) == b"s"
        for _ in range(3):
            service.links[0].send(b"state")
        while service.gone == 0:
            wire.poll()
    assert service.came == b"stop program\n"


class Chatter:
    """Sends states at once, and keeps what comes."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self.came, self.gone = b"", 0

    def opened(self, link: Link) -> None:
        self.links.append(link)
        link.send(b"state")

    def received(self, link: Link, data: bytes) -> None:
        self.came += data

    def closed(self, link: Link) -> None:
        self.gone += 1
