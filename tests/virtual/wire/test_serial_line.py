"""A pseudo-terminal as a controller's serial port: clients open a path, and the same faults strike as on TCP."""

import contextlib
import os
import termios
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from openpendant.errors import OpenPendantError
from openpendant.virtual.faults import Fault, Faults
from openpendant.virtual.wire import Link, PortServer, SerialLine

NUMBER = 1
ALL_BYTES = bytes(range(256))
PATIENCE_S = 20.0


class Monitor:
    """Greets, and sends back what comes."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self.came = b""

    def opened(self, link: Link) -> None:
        self.links.append(link)
        link.send(b".")

    def received(self, link: Link, data: bytes) -> None:
        self.came += data
        link.send(data)

    def closed(self, link: Link) -> None:
        self.links.remove(link)


class Rig:
    """A line, stepped by hand."""

    def __init__(self, alias: Path | None = None) -> None:
        self.faults = Faults(500)
        self.wire = PortServer("127.0.0.1", self.faults)
        self.monitor = Monitor()
        self.alias = alias
        self.line: SerialLine = self.wire.listen_serial(NUMBER, self.monitor, alias=alias)
        self.client = -1

    def open(self) -> None:
        """Open it as terminal programs do: raw, without waiting."""
        self.client = os.open(self.line.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.client, termios.TCSANOW)

    def hang_up(self) -> None:
        os.close(self.client)
        self.client = -1

    def step(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.faults.advance()
            self.wire.poll()

    def until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            self.step()

    def read(self, count: int) -> bytes:
        came = b""

        def enough() -> bool:
            nonlocal came
            with contextlib.suppress(BlockingIOError):
                came += os.read(self.client, 4096)
            return len(came) >= count

        self.until(enough)
        return came

    def close(self) -> None:
        if self.client >= 0:
            self.hang_up()
        self.wire.close()


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = Rig()
    yield made
    made.close()


def test_bytes_pass_unchanged(rig: Rig) -> None:
    rig.step(3)
    assert rig.monitor.links == []
    rig.open()
    assert rig.read(1) == b"."
    os.write(rig.client, ALL_BYTES)
    assert rig.read(256) == ALL_BYTES
    assert rig.monitor.came == ALL_BYTES


def test_a_client_goes_and_the_next_one_comes(rig: Rig) -> None:
    for _ in range(3):
        rig.open()
        assert rig.read(1) == b"."
        rig.hang_up()
        rig.until(lambda: rig.monitor.links == [])


def test_what_came_before_the_first_look_is_heard(rig: Rig) -> None:
    rig.open()
    os.write(rig.client, b"where")
    assert rig.read(6) == b".where"


def test_what_is_sent_while_nobody_listens_is_lost(rig: Rig) -> None:
    rig.open()
    assert rig.read(1) == b"."
    (link,) = rig.monitor.links
    rig.hang_up()
    rig.until(lambda: rig.monitor.links == [])
    link.send(b"nobody hears this")
    rig.open()
    assert rig.read(1) == b"."


def test_a_slow_reader_gets_all_of_it(rig: Rig) -> None:
    rig.open()
    rig.read(1)
    (link,) = rig.monitor.links
    text = ALL_BYTES * 256
    link.send(text)
    assert rig.read(len(text)) == text


def test_faults_strike_as_on_tcp(rig: Rig) -> None:
    rig.open()
    rig.read(1)
    rig.faults.set(Fault("silence", seconds=0.1))
    os.write(rig.client, b"late")
    rig.step(40)
    assert rig.monitor.came == b""
    assert rig.read(4) == b"late"
    rig.faults.set(Fault("corrupt", count=1, ports=(NUMBER,)))
    os.write(rig.client, b"abc")
    assert sum(a != b for a, b in zip(rig.read(3), b"abc", strict=True)) == 1


def test_a_controller_without_power_hears_nothing_and_keeps_its_path(rig: Rig) -> None:
    rig.open()
    rig.read(1)
    path = rig.line.path
    rig.wire.shut(NUMBER)
    assert rig.monitor.links == []
    os.write(rig.client, b"hello?")
    rig.step(5)
    assert rig.wire.listen_serial(NUMBER, rig.monitor).path == path
    assert rig.read(1) == b"."
    assert rig.monitor.came == b""


def test_it_has_a_name_that_stays(tmp_path: Path) -> None:
    alias = tmp_path / "monitor"
    alias.symlink_to("/dev/pts/999999")
    rig = Rig(alias)
    try:
        assert os.path.realpath(alias) == os.path.realpath(rig.line.path)
    finally:
        rig.close()
    assert not alias.is_symlink()
    alias.write_text("a file of somebody")
    with pytest.raises(OpenPendantError, match="cannot lead"):
        Rig(alias)
    assert alias.read_text() == "a file of somebody"
