"""A virtual controller of a YuMi for tests: its brain stepped by hand, a program in each of its tasks."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from openpendant.robots import load
from openpendant.virtual.abb import AbbSetup, build_controller
from openpendant.virtual.wire import ClosedSockets, ProgramSockets

TICK_S = 0.004
TASKS = {"left": "T_ROB_L", "right": "T_ROB_R"}


class YumiBench:
    """A brain with two arms."""

    def __init__(self, folder: Path, posture: str = "home", sockets: ProgramSockets | None = None) -> None:
        home, ramdisk = folder / "home", folder / "ramdisk"
        home.mkdir()
        ramdisk.mkdir()
        robot = load("yumi")
        q = np.concatenate([robot.posture(posture, arm) for arm in robot.arms])
        setup = AbbSetup("yumi", "127.0.0.1", home, ramdisk)
        self.brain = build_controller(setup, sockets or ClosedSockets(), start_q=q.tolist())
        self.left, self.right = self.brain.units["ROB_L"], self.brain.units["ROB_R"]

    def load(self, bodies: dict[str, str], data: str = "") -> None:
        for arm, body in bodies.items():
            text = f"MODULE MainModule\n{data}\nPROC main()\n{body}\nENDPROC\nENDMODULE"
            self.brain.program.load(TASKS[arm], text, "test.mod", replace=True)

    def start(self, cycle: str = "once") -> None:
        self.brain.panel.set_motors(on=True)
        self.brain.start(cycle)

    def tick_until(self, done: Callable[[], bool], most_s: float = 60.0) -> float:
        """Tick until something is so; return the time it took."""
        for tick in range(int(most_s / TICK_S)):
            if done():
                return tick * TICK_S
            self.brain.tick()
        raise AssertionError([f"{one.code} {one.title}: {one.text}" for one in self.brain.log.newest_first()[:4]])

    def run(self, bodies: dict[str, str], data: str = "") -> float:
        """Run a main routine in each task to its end, and let the arms come to rest."""
        self.load(bodies, data)
        self.start()
        took = self.tick_until(lambda: not self.brain.program.running)
        return took + self.tick_until(lambda: self.left.in_position and self.right.in_position)

    @property
    def errors(self) -> list[str]:
        return [f"{one.code} {one.title}: {one.text}" for one in self.brain.log.newest_first() if one.level == 3]

    def read(self, arm: str, name: str) -> str:
        return self.brain.program.read((TASKS[arm], "MainModule", name))
