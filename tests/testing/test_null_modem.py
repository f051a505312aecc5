"""A null-modem behaves as sockets on loopback do: the same talks over both, side by side."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from openpendant.controllers import ByteLink, SocketDialler
from openpendant.errors import LinkError
from openpendant.testing import NullModem, VirtualTime
from openpendant.virtual.faults import Fault, Faults
from openpendant.virtual.wire import InProcessPorts, Link, PortServer

ADDRESS = "127.0.12.23"
LARGE = bytes(range(256)) * 2400


class Echo:
    """Greets, and sends back what comes; what came last stays."""

    def __init__(self) -> None:
        self.came = b""
        self.gone = 0

    def opened(self, link: Link) -> None:
        link.send(b"hello")

    def received(self, link: Link, data: bytes) -> None:
        self.came += data
        if data.endswith(b"quit"):
            link.send(b"bye")
            link.close()
        elif not data.endswith(b"hush"):
            link.send(data)

    def closed(self, link: Link) -> None:
        self.gone += 1


class Talk:
    """A port that echoes, and a dialler to it."""

    def __init__(self, kind: str) -> None:
        self.echo, self.faults = Echo(), Faults(500)
        if kind == "sockets":
            self.wire, self.dialler = PortServer(ADDRESS, self.faults), SocketDialler()
        else:
            self.wire = InProcessPorts(ADDRESS, self.faults)
            self.dialler = NullModem(SimpleNamespace(wire=self.wire, tick_ns=2_000_000, step=self.step), VirtualTime())
        self._links: list[ByteLink] = []
        self.port = self.wire.listen(0 if kind == "sockets" else 7, self.echo)

    def step(self) -> None:
        self.faults.advance()
        self.wire.poll()

    def dial(self, host: str = ADDRESS, port: int = 0) -> ByteLink:
        self._links.append(self.dialler.dial(host, port or self.port))
        return self._links[-1]

    def close(self) -> None:
        for link in self._links:
            link.close()
        self.wire.close()

    def until(self, there: Callable[[], object], ticks: int = 2000) -> None:
        for _ in range(ticks):
            self.dialler.wait(0.002)
            if isinstance(self.dialler, SocketDialler):
                self.step()
            if there():
                return
        raise AssertionError("it did not come")

    def greeted(self) -> ByteLink:
        link = self.dial()
        self.until(link.ready)
        assert self.hears(link, 5) == b"hello"
        return link

    def hears(self, link: ByteLink, count: int) -> bytes:
        heard = bytearray()
        self.until(lambda: heard.extend(link.receive()) or len(heard) >= count)
        return bytes(heard)

    def breaks(self, link: ByteLink) -> str:
        """Return why nothing more comes."""
        whys: list[str] = []

        def broken() -> bool:
            try:
                link.receive()
            except LinkError as error:
                whys.append(str(error))
            return bool(whys)

        self.until(broken)
        return whys[0].removeprefix("the controller at ").replace(f"{ADDRESS}:{self.port}", "HERE")


@pytest.fixture(params=["sockets", "null-modem"])
def talk(request: pytest.FixtureRequest) -> Iterator[Talk]:
    made = Talk(request.param)
    yield made
    made.close()


def test_bytes_go_both_ways_in_order(talk: Talk) -> None:
    link, sent = talk.greeted(), 0
    heard = bytearray()

    def echoed() -> bool:
        nonlocal sent
        sent += link.send(LARGE[sent:]) if sent < len(LARGE) else 0
        heard.extend(link.receive())
        return len(heard) >= len(LARGE)

    talk.until(echoed)
    assert bytes(heard) == LARGE
    assert link.receive() == b""


def test_what_came_before_the_end_is_received_first(talk: Talk) -> None:
    link = talk.greeted()
    link.send(b"quit")
    assert talk.hears(link, 3) == b"bye"
    assert talk.breaks(link) == "HERE closed the connection"
    link.close()
    link.close()
    with pytest.raises(LinkError):
        link.receive()


def test_where_nothing_listens_nobody_answers(talk: Talk) -> None:
    talk.wire.shut(talk.port)
    link = talk.dial()
    with pytest.raises(LinkError, match=rf"no reply from a controller at {ADDRESS}:{talk.port}: Connection refused"):
        talk.until(link.ready)


def test_a_drop_resets_and_turns_away(talk: Talk) -> None:
    link = talk.greeted()
    talk.faults.set(Fault("drop", seconds=0.2))
    talk.wire.drop(set())
    assert talk.breaks(link) == "the connection to HERE was lost: Connection reset by peer"
    assert talk.breaks(talk.dial()).startswith("the connection to HERE was lost")
    talk.until(lambda: not talk.faults.active)
    talk.greeted()
    assert talk.echo.gone == 1


@pytest.mark.parametrize("reset", [False, True])
def test_what_was_sent_into_a_silence_still_comes(talk: Talk, reset: bool) -> None:
    link = talk.greeted()
    talk.faults.set(Fault("silence", seconds=0.1))
    link.send(b"late and hush")
    link.close(reset=reset)
    talk.until(lambda: not talk.faults.active)
    talk.until(lambda: talk.echo.gone)
    assert talk.echo.came == b"late and hush"


def test_a_name_is_looked_up_beside_the_call() -> None:
    talk = Talk("sockets")
    try:
        link = talk.dial("localhost", 1)
        with pytest.raises(LinkError, match="no reply from a controller at localhost:1: "):
            talk.until(link.ready)
        link = talk.dial("no-such-robot.invalid")
        with pytest.raises(LinkError, match=r"no reply from a controller at no-such-robot\.invalid"):
            talk.until(link.ready, 20_000)
    finally:
        talk.close()


def test_the_next_address_of_a_host_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk("sockets")
    family, kind = 2, 1
    places = [(family, kind, 6, "", (address, talk.port)) for address in ("127.0.12.24", ADDRESS)]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_given, **_more: places)
    try:
        link = talk.dial("robot")
        talk.until(link.ready)
        assert talk.hears(link, 5) == b"hello"
    finally:
        talk.close()


def test_a_machine_without_sockets_left_is_told_and_nothing_else_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk("sockets")

    def none_left(*_given: object, **_more: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("openpendant.controllers.socket_dialler.socket.socket", none_left)
    link = talk.dial()
    with pytest.raises(LinkError, match="Too many open files"):
        link.ready()
    monkeypatch.undo()
    talk.close()


def test_virtual_time_lets_everything_happen_that_is_due() -> None:
    clock, seen = VirtualTime(), list[tuple[str, int]]()
    start = clock.now_ns()
    clock.every(2_000_000, lambda: seen.append(("fast", clock.now_ns() - start)))
    clock.every(5_000_000, lambda: seen.append(("slow", clock.now_ns() - start)))
    clock.sleep(0.0055)
    clock.sleep(0.0025)
    assert seen == [
        ("fast", 2_000_000),
        ("fast", 4_000_000),
        ("slow", 5_000_000),
        ("fast", 6_000_000),
        ("fast", 8_000_000),
    ]
    assert clock.now_ns() - start == 8_000_000
