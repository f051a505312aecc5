"""What is around every brain: here one that only counts, with a port of each kind."""

import json
import os
import socket
import tty
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from openpendant.errors import InputError
from openpendant.virtual import Fault
from openpendant.virtual.host import Serial, VirtualHost
from openpendant.virtual.pendant import Operator, PageLayout, PendantOrder, PendantState, PressButton, buttons_while_off
from openpendant.virtual.wire import DatagramPort, HttpClient, HttpService, Link, Peer, Request

HERE = "127.0.12.62"
TICK_NS = 8_000_000
LINES, WEB, CALLS, LINE = 7701, 7702, 7703, 1


class Counter(Operator):
    """Can set the count to zero."""

    def __init__(self, host: "CountingHost") -> None:
        super().__init__(host)
        self._box = host

    @property
    def time_s(self) -> float:
        return self._box.count * TICK_NS * 1e-9

    @property
    def layout(self) -> PageLayout:
        return PageLayout(title="Counter", buttons=(), tick_ns=TICK_NS)

    def presses(self) -> Mapping[str, Any]:
        return {"zero": lambda: self._box.boot(), "jam": lambda: False}

    def obey(self, order: PendantOrder) -> dict[str, Any]:
        raise InputError(f"no {order}")

    def state(self) -> PendantState:
        on = {"zero": None, "jam": None, "switch_on": "It is on."}
        buttons = on if self._box.mains == "on" else buttons_while_off(self._box.mains, ("zero", "jam"))
        return PendantState(
            **self.shown_of_host(), model="counter", robot_mode="on", safety="NORMAL", program_state="STOPPED",
            buttons=buttons,
        )  # fmt: skip


class Bytes:
    """Tells the count to whoever comes."""

    def __init__(self, host: "CountingHost") -> None:
        self._host = host

    def opened(self, link: Link) -> None:
        link.send(b"%d\n" % self._host.count)

    def received(self, link: Link, data: bytes) -> None:
        link.send(data)

    def closed(self, link: Link) -> None:
        pass

    def datagram(self, port: DatagramPort, peer: Peer, data: bytes) -> None:
        port.send(peer, data + b" %d" % self._host.count)


class Page(HttpService):
    """Tells it over HTTP."""

    def __init__(self, host: "CountingHost") -> None:
        super().__init__()
        self._host = host

    def serve(self, client: HttpClient, request: Request) -> None:
        client.respond(HTTPStatus.OK, b"%d" % self._host.count)


class CountingHost(VirtualHost):
    """Its brain is a number."""

    def __init__(self, alias: Path) -> None:
        super().__init__(HERE, tick_ns=TICK_NS, boot_s=0.4)
        self.count = self.lost = 0
        said = Bytes(self)
        self.operator = Counter(self)
        self.begin(
            self.operator,
            {LINES: said, WEB: Page(self)},
            web=(WEB,),
            datagrams={CALLS: said},
            serial={LINE: Serial(said, alias)},
        )

    def work(self) -> None:
        self.count += 1

    def lose_power(self) -> None:
        self.lost += 1

    def boot(self) -> None:
        self.count = 0

    def steps(self, ticks: int) -> None:
        for _ in range(ticks):
            self.step()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[CountingHost]:
    made = CountingHost(tmp_path / "line")
    yield made
    made.close()


def asked(host: CountingHost, port: int, data: bytes) -> bytes:
    """Send to a TCP port; return the first that comes back."""
    with socket.create_connection((HERE, port)) as own:
        own.sendall(data)
        own.settimeout(0.0)
        for _ in range(1000):
            host.step()
            try:
                return own.recv(1 << 16)
            except BlockingIOError:
                continue
    raise AssertionError("no answer")


def called(host: CountingHost) -> bytes:
    """Send a datagram; return what came back, empty: nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.settimeout(0.0)
        own.sendto(b"count", (HERE, CALLS))
        host.steps(3)
        try:
            return own.recv(100)
        except (BlockingIOError, ConnectionRefusedError):
            return b""


def line_says(host: CountingHost, alias: Path) -> bytes:
    """Open the serial line; return what comes."""
    own = os.open(alias, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        tty.setraw(own)
        host.steps(3)
        try:
            return os.read(own, 100)
        except BlockingIOError:
            return b""
    finally:
        os.close(own)
        host.steps(2)


def test_every_door_of_a_controller_closes_and_opens_with_its_power(host: CountingHost, tmp_path: Path) -> None:
    alias = tmp_path / "line"
    get = f"GET / HTTP/1.1\r\nHost: {HERE}\r\n\r\n".encode()
    host.steps(100)
    assert int(asked(host, LINES, b"")) >= 100
    assert asked(host, WEB, get).startswith(b"HTTP/1.1 200")
    assert called(host).startswith(b"count 1")
    assert int(line_says(host, alias)) >= 100
    host.cause(Fault("power_off"))
    assert (host.mains, host.lost) == ("off", 1)
    for port in (LINES, WEB):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((HERE, port))
    assert called(host) == b""
    assert line_says(host, alias) == b""
    host.cause(Fault("power_on"))
    host.steps(49)
    assert host.mains == "booting"
    host.steps(2)
    assert host.mains == "on"
    assert int(asked(host, LINES, b"")) < 20, "what it knew is gone"
    assert called(host).startswith(b"count")
    assert line_says(host, alias) != b""


def test_faults_count_the_ticks_of_this_controller(host: CountingHost) -> None:
    host.cause(Fault("freeze", seconds=0.4))
    count = host.count
    host.steps(49)
    assert host.count == count
    host.steps(2)
    assert host.count > count


def test_a_drop_resets_connections_and_lets_the_power_be(host: CountingHost) -> None:
    with socket.create_connection((HERE, LINES)) as own:
        own.settimeout(5.0)
        host.steps(5)
        assert own.recv(100).endswith(b"\n")
        host.cause(Fault("drop", seconds=0.1))
        host.steps(5)
        with pytest.raises(ConnectionResetError):
            own.recv(100)
    assert (host.mains, host.lost) == ("on", 0)


def test_buttons_are_pressed_where_nothing_speaks_against_it(host: CountingHost) -> None:
    host.steps(20)
    host.operator.perform(PressButton("zero"))
    assert host.count == 0
    with pytest.raises(InputError, match="jam: the controller refused"):
        host.operator.perform(PressButton("jam"))
    with pytest.raises(InputError, match="no button named 'go'; known: switch_on, zero, jam"):
        host.operator.perform(PressButton("go"))
    host.cause(Fault("power_off"))
    with pytest.raises(InputError, match="the controller is switched off"):
        host.operator.perform(PressButton("zero"))


def test_orders_are_answered_in_json(host: CountingHost) -> None:
    shown = json.loads(host.operator.reply_to(b'{"do": "state"}'))
    assert (shown["ok"], shown["state"]["mains"], shown["state"]["address"]) == (True, "on", HERE)
    assert json.loads(host.operator.reply_to(b'{"do": "pace"}'))["ok"]
    refused = json.loads(host.operator.reply_to(b'{"do": "load", "program": "x"}'))
    assert not refused["ok"]
    assert "load" in refused["why"]
    wrong = json.loads(host.operator.reply_to(b'{"do": "fault", "kind": "flood"}'))
    assert "known: drop" in wrong["why"]


def test_two_hosts_do_not_share_an_address(host: CountingHost, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="is in use"):
        CountingHost(tmp_path / "other")


def test_it_ends_when_it_is_told(host: CountingHost) -> None:
    left = iter(range(20))
    host.run(lambda: next(left, None) is None)
    assert host.count == 20
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((HERE, LINES))
