"""A virtual ABB controller for tests: its brain stepped by hand, or its host in its own thread."""

import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from openpendant.virtual.abb import (
    GRIPPER,
    AbbController,
    AbbHost,
    AbbSetup,
    SignalSetup,
    TaskSetup,
    build_controller,
)
from openpendant.virtual.wire import ClosedSockets, Peer, ProgramSockets

TICK_S = 0.004
READY = np.radians([0.0, 10.0, 20.0, 0.0, 60.0, 0.0])
TWO_TASKS = (TaskSetup("T_ROB1", "ROB_1"), TaskSetup("T_BACK"))
"""A task that moves the arm, and one in the background."""
SIGNALS = (*GRIPPER, SignalSetup("diReady", "DI"), SignalSetup("aoGlue", "AO"))


def make_controller(
    folder: Path,
    sockets: ProgramSockets | None = None,
    address: str = "127.0.0.1",
    q: Sequence[float] = READY,
    tasks: Sequence[TaskSetup] = TWO_TASKS[:1],
) -> AbbController:
    home, ramdisk = folder / "home", folder / "ramdisk"
    home.mkdir(exist_ok=True)
    ramdisk.mkdir(exist_ok=True)
    setup = AbbSetup("irb120", address, home, ramdisk, SIGNALS, tasks=tasks)
    return build_controller(setup, sockets or ClosedSockets(), start_q=q)


class AbbBench:
    """A brain that is stepped."""

    def __init__(
        self, folder: Path, sockets: ProgramSockets | None = None, tasks: Sequence[TaskSetup] = TWO_TASKS[:1]
    ) -> None:
        self.sockets = sockets
        self.brain = make_controller(folder, sockets, tasks=tasks)
        self.unit = self.brain.units["ROB_1"]

    def load(self, text: str, task: str = "T_ROB1") -> None:
        self.brain.program.load(task, text, "test.mod", replace=True)

    def main(self, body: str, data: str = "", task: str = "T_ROB1") -> None:
        self.load(f"MODULE MainModule\n{data}\nPROC main()\n{body}\nENDPROC\nENDMODULE", task)

    def start(self, cycle: str = "once") -> None:
        self.brain.panel.set_motors(on=True)
        self.brain.start(cycle)

    def tick_until(self, done: Callable[[], bool], most_s: float = 60.0) -> float:
        """Tick until something is so; return the time it took."""
        for tick in range(int(most_s / TICK_S)):
            if done():
                return tick * TICK_S
            self.brain.tick()
        raise AssertionError([str(one) for one in self.brain.log.newest_first()[:4]])

    def run(self, body: str, data: str = "") -> float:
        """Run a main routine to its end, and let the arm come to rest."""
        self.main(body, data)
        self.start()
        took = self.tick_until(lambda: not self.brain.program.running)
        return took + self.tick_until(lambda: self.unit.in_position)

    @property
    def errors(self) -> list[str]:
        return [f"{one.code} {one.title}: {one.text}" for one in self.brain.log.newest_first() if one.level == 3]

    def read(self, name: str) -> str:
        return self.brain.program.read(("T_ROB1", name))


@contextmanager
def running_host(address: str, sensor: Peer = ("127.0.0.1", 6510)) -> Iterator[AbbHost]:
    """Run a host in a thread until the end of the block; its RWS port is any free one."""
    with tempfile.TemporaryDirectory() as folder:
        host = AbbHost(
            address,
            lambda sockets: make_controller(Path(folder), sockets, address),
            rws_port=free_port(address),
            sensor=sensor,
        )
        ended = threading.Event()
        thread = threading.Thread(target=host.run, args=(ended.is_set,))
        thread.start()
        try:
            yield host
        finally:
            ended.set()
            thread.join()


def free_port(address: str) -> int:
    with socket.socket() as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])
