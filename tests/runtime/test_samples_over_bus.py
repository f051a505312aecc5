"""Samples over the real bus: a reader in its own process gets them, and costs nothing soon after it was killed."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from loop_bench import cell_of

from openpendant.runtime.bus import Bus
from openpendant.runtime.process import RobotProcess
from openpendant.runtime.robot_builder import build_robot
from openpendant.runtime.sampler import KEEP_NS
from openpendant.runtime.settings import RobotSettings
from openpendant.scene import encode_cell

PATIENCE_S = 60.0
READER = """
import sys
from openpendant.runtime import Bus, SampleStream
from openpendant.runtime.clock import SystemClock
with Bus.join(sys.argv[1]) as session, SampleStream(session, "bench", "robot", SystemClock()) as stream:
    while True:
        chunk = stream.read(10.0)
        print(len(chunk.arm("arm")), chunk.lost, flush=True)
        if sys.argv[2] == "once":
            break
"""


class Robot:
    """A robot's process on the bus, whose ticks pass while the test waits."""

    def __init__(self) -> None:
        cell = cell_of("irb120")
        self.hub = Bus.hub()
        settings = RobotSettings(
            cell="bench",
            document=encode_cell(cell).decode(),
            robot="robot",
            endpoint=self.hub.endpoint,
            collisions=False,
        )
        self.session = Bus.join(self.hub.endpoint)
        loop = build_robot(settings, rehearsed=False).loop
        self.process = RobotProcess(settings, loop, self.session, lambda _: None, lambda: False)
        self.batches = 0
        self.hub.listen("bench/robot/sample", lambda *_: setattr(self, "batches", self.batches + 1))

    def until(self, condition: Callable[[], bool], what: str, within_s: float = PATIENCE_S) -> None:
        end = time.monotonic() + within_s
        while not condition():
            assert time.monotonic() < end, f"{what} not within {within_s} s"
            self.process.step(time.monotonic_ns())
            time.sleep(0.001)

    def ticks(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.process.step(time.monotonic_ns())
            time.sleep(0.001)

    @property
    def wanted(self) -> bool:
        return self.process._sampler.is_requested


@pytest.fixture
def robot() -> Iterator[Robot]:
    made = Robot()
    yield made
    made.session.close()
    made.hub.close()


@contextmanager
def reading(robot: Robot, how: str) -> "Iterator[subprocess.Popen[str]]":
    """Have a process read; it is killed at the end, with nothing said."""
    command = [sys.executable, "-c", READER, robot.hub.endpoint, how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reader:
        try:
            yield reader
        finally:
            reader.kill()


def test_who_reads_and_leaves_gets_samples_and_costs_nothing_after(robot: Robot) -> None:
    robot.ticks(0.3)
    assert not robot.wanted
    assert robot.batches == 0
    with reading(robot, "once") as reader:
        robot.until(lambda: reader.poll() is not None, "the reader's end")
        assert reader.returncode == 0
        assert reader.stdout is not None
        count, lost = map(int, reader.stdout.read().split())
    assert count > 0
    assert lost == 0
    # It has said that it wants no more: no need to wait until it is forgotten.
    robot.until(lambda: not robot.wanted, "the end of sampling", KEEP_NS * 1e-9 / 2)


def test_who_is_killed_costs_nothing_after_two_seconds(robot: Robot) -> None:
    with reading(robot, "for ever"):
        robot.until(lambda: robot.batches > 2, "samples")
    died = time.monotonic()
    robot.until(lambda: not robot.wanted, "the end of sampling", KEEP_NS * 1e-9 + 2.0)
    assert time.monotonic() - died > 1.0, "it lives on the requests of the reader, not on its connection"
    before = robot.batches
    robot.ticks(0.5)
    # One batch may have been on its way.
    assert robot.batches <= before + 1
    again = robot.batches
    robot.ticks(0.3)
    assert robot.batches == again


def test_a_listener_can_end_alone() -> None:
    with Bus.hub() as hub, Bus.join(hub.endpoint) as session:
        first: list[bytes] = []
        second: list[bytes] = []
        end = session.listen("a/b", lambda _, raw: first.append(raw))
        session.listen("a/b", lambda _, raw: second.append(raw))

        def wait(condition: Callable[[], bool]) -> None:
            until = time.monotonic() + PATIENCE_S
            while not condition():
                assert time.monotonic() < until
                hub.publish("a/b", b"x")
                time.sleep(0.002)

        wait(lambda: bool(first and second))
        end()
        count, heard = len(first), len(second)
        wait(lambda: len(second) > heard + 5)
        assert len(first) == count
        end()
