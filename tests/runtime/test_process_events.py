"""A robot's process ticks on while nobody takes its events, as when the server hangs."""

import threading
import time
from collections.abc import Callable

import pytest
from loop_bench import Bench, cell_of

from openpendant.runtime import process
from openpendant.runtime.settings import RobotSettings
from openpendant.scene import encode_cell


class DeafBus:
    """A bus on which nobody takes events until `hears` is set; states are dropped where the way is blocked."""

    def __init__(self) -> None:
        self.hears = threading.Event()
        self.states = 0
        self.events: list[bytes] = []

    def publish(self, where: str, payload: bytes, *, newest: bool = True) -> None:
        if newest:
            self.states += where.endswith("/state")
            return
        self.hears.wait()
        self.events.append(payload)

    def listen(self, where: str, take: Callable[[str, bytes], None]) -> None:
        """Nothing comes."""

    serve = watch_alive = listen

    def show_alive(self, where: str) -> None:
        """Nobody looks."""


def test_a_loop_does_not_wait_for_whoever_takes_its_events() -> None:
    bench = Bench("irb120")
    document = encode_cell(cell_of("irb120")).decode()
    settings = RobotSettings(cell="bench", document=document, robot="robot", endpoint="tcp/127.0.0.1:1")
    bus = DeafBus()
    robot = process.RobotProcess(settings, bench.loop, bus, lambda _: None, lambda: False)  # type: ignore[arg-type]
    running = threading.Thread(target=robot.run)
    running.start()
    try:
        for number in range(5):
            bench.loop.report_event("warning", "", f"news {number}")
        before, end = bus.states, time.monotonic() + 20.0
        while bus.states < before + 10:
            assert time.monotonic() < end, "it waits for the bus"
            time.sleep(0.01)
        assert bus.events == []
    finally:
        bus.hears.set()
        robot.end("the test is over")
        running.join(20.0)
    assert not running.is_alive()
    assert all(any(b"news %d" % number in raw for raw in bus.events) for number in range(5)), "an event was lost"


def test_a_kernel_that_is_loaded_in_the_loop_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench("irb120")
    document = encode_cell(cell_of("irb120")).decode()
    settings = RobotSettings(cell="bench", document=document, robot="robot", endpoint="tcp/127.0.0.1:1")
    loaded = {"old": 1}
    monkeypatch.setattr(process, "loaded_kernels", lambda: dict(loaded))
    robot = process.RobotProcess(settings, bench.loop, DeafBus(), lambda _: None, lambda: False)  # type: ignore[arg-type]
    robot._bus.hears.set()  # type: ignore[attr-defined]
    robot.step(1_000_000_000)
    loaded["old"], loaded["new"] = 2, 1
    robot.step(2_000_000_000)
    robot.step(3_000_000_000)
    robot.step(4_000_000_000)
    told = [raw for raw in robot._bus.events if b"process.kernels" in raw]  # type: ignore[attr-defined]
    assert len(told) == 1
    assert b"old, new" in told[0]
