"""Datagrams: what passes, and what faults make of it, counted in ticks."""

import socket
from collections.abc import Iterator

import pytest

from openpendant.virtual.faults import Fault, Faults
from openpendant.virtual.wire import DatagramPort, Peer, PortServer

COUNT = 200


class Echo:
    """Sends back what comes, and keeps it."""

    def __init__(self) -> None:
        self.came: list[bytes] = []
        self.answers = True

    def datagram(self, port: DatagramPort, peer: Peer, data: bytes) -> None:
        self.came.append(data)
        if self.answers:
            port.send(peer, data)


class Rig:
    """A port, stepped by hand."""

    def __init__(self, seed: int = 0) -> None:
        self.faults = Faults(500, seed)
        self.wire = PortServer("127.0.0.1", self.faults)
        self.echo = Echo()
        self.port = self.wire.listen_datagrams(0, self.echo)
        self.client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.client.bind(("127.0.0.1", 0))
        self.client.connect(("127.0.0.1", self.port.port))
        self.client.settimeout(0.0)

    def step(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.faults.advance()
            self.wire.poll()

    def back(self) -> list[bytes]:
        """Return what has come back; on loopback it is there as soon as it is sent."""
        found: list[bytes] = []
        while True:
            try:
                found.append(self.client.recv(1 << 16))
            except BlockingIOError:
                return found

    def close(self) -> None:
        self.client.close()
        self.wire.close()


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = Rig()
    yield made
    made.close()


def number(n: int) -> bytes:
    return b"%d" % n


def numbers(rig: Rig, count: int = COUNT) -> list[int]:
    """Send numbers, one a tick; return what came to the controller."""
    rig.echo.answers = False
    for n in range(count):
        rig.client.send(number(n))
        rig.step()
    rig.step(50)
    return [int(data) for data in rig.echo.came]


def test_they_pass_as_they_are(rig: Rig) -> None:
    large = bytes(60_000)
    for data in (b"a", b"", large):
        rig.client.send(data)
    rig.step()
    assert rig.back() == [b"a", b"", large]


@pytest.mark.parametrize(("share", "least", "most"), [(1.0, 0, 0), (0.25, 120, 180)])
def test_some_are_lost(rig: Rig, share: float, least: int, most: int) -> None:
    rig.faults.set(Fault("lose", share=share))
    came = numbers(rig)
    assert least <= len(came) <= most
    assert came == sorted(set(came))


def test_they_are_lost_on_their_way_back_too(rig: Rig) -> None:
    rig.faults.set(Fault("lose", share=0.5))
    for n in range(COUNT):
        rig.client.send(number(n))
        rig.step()
    assert 60 <= len(rig.echo.came) <= 140
    assert 0.3 <= len(rig.back()) / len(rig.echo.came) <= 0.7


def test_only_so_many_are_lost(rig: Rig) -> None:
    rig.faults.set(Fault("lose", count=3))
    assert numbers(rig) == list(range(3, COUNT))
    assert rig.faults.lasting() == ()


def test_some_come_twice(rig: Rig) -> None:
    rig.faults.set(Fault("duplicate", share=0.5))
    came = numbers(rig)
    assert set(came) == set(range(COUNT))
    assert 260 <= len(came) <= 340
    assert came == sorted(came)


def test_some_are_overtaken(rig: Rig) -> None:
    rig.faults.set(Fault("reorder", share=0.2, ms=10.0))
    came = numbers(rig)
    assert sorted(came) == list(range(COUNT))
    late = [n for place, n in enumerate(came) if any(other > n for other in came[:place])]
    assert 20 <= len(late) <= 60
    assert max(came.index(n) - n for n in late) <= 5, "none is held back for longer than 5 ticks"


def test_a_delay_is_counted_in_ticks(rig: Rig) -> None:
    rig.faults.set(Fault("delay", ms=20.0))
    rig.client.send(b"x")
    rig.step()
    rig.step(9)
    assert rig.echo.came == []
    rig.step()
    assert rig.echo.came == [b"x"]
    rig.step(9)
    assert rig.back() == []
    rig.step()
    assert rig.back() == [b"x"]


def test_jitter_lets_datagrams_overtake(rig: Rig) -> None:
    rig.faults.set(Fault("delay", ms=2.0, jitter_ms=40.0))
    came = numbers(rig)
    assert sorted(came) == list(range(COUNT))
    assert came != sorted(came)


def test_one_byte_of_what_is_sent_is_wrong(rig: Rig) -> None:
    rig.faults.set(Fault("corrupt", count=1))
    rig.client.send(b"abc")
    rig.step()
    (back,) = rig.back()
    assert rig.echo.came == [b"abc"]
    assert sum(a != b for a, b in zip(back, b"abc", strict=True)) == 1


@pytest.mark.parametrize("kind", ["silence", "drop"])
def test_nothing_passes_and_nothing_is_kept(rig: Rig, kind: str) -> None:
    rig.faults.set(Fault(kind, seconds=0.1))
    rig.client.send(b"lost")
    rig.step(60)
    rig.client.send(b"there")
    rig.step()
    assert rig.back() == [b"there"]


def test_a_controller_that_stands_still_takes_nothing_until_it_goes_on(rig: Rig) -> None:
    rig.faults.set(Fault("freeze", seconds=0.1))
    rig.client.send(b"waits")
    rig.step(40)
    assert rig.echo.came == []
    rig.step(20)
    assert rig.back() == [b"waits"]


def test_the_same_seed_gives_the_same_faults() -> None:
    def once(seed: int) -> list[int]:
        rig = Rig(seed)
        for fault in (Fault("lose", share=0.2), Fault("duplicate", share=0.2), Fault("reorder", share=0.2, ms=6.0)):
            rig.faults.set(fault)
        try:
            return numbers(rig)
        finally:
            rig.close()

    assert once(3) == once(3)
    assert once(3) != once(4)


def test_ports_that_are_not_meant_are_spared(rig: Rig) -> None:
    rig.faults.set(Fault("lose", ports=(rig.port.port + 1,)))
    assert numbers(rig, 20) == list(range(20))


def test_a_port_is_shut_and_opened_again(rig: Rig) -> None:
    port = rig.port.port
    rig.wire.shut(port)
    rig.step()
    again = rig.wire.listen_datagrams(port, rig.echo)
    assert again.port == port
    rig.client.close()
    rig.client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    rig.client.settimeout(0.0)
    rig.client.sendto(b"x", ("127.0.0.1", port))
    rig.step()
    assert rig.back() == [b"x"]
