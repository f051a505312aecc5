"""A UR3e that is streamed to: loop, gate, driver and ur_rtde, in step with the ticks of its virtual controller.

What is measured is the controller's own state and clock. Only ur_rtde lives by the clock on the wall, in its own
process: a busy machine makes setpoints late by some ticks, but changes nothing of where they are.
"""

import time
from collections.abc import Sequence

import numpy as np
import pytest
from lockstep import Lockstep
from uploading import TICK_NS

from openpendant.messages import bus
from openpendant.motion import Move, Trajectory, plan
from openpendant.runtime import RobotLoop
from openpendant.runtime.bus_codec import encode_trajectory
from openpendant.runtime.robot_builder import build_robot
from openpendant.runtime.settings import RobotSettings
from openpendant.scene import Cell, CellRobot, encode_cell

ME = "me"
DT = TICK_NS * 1e-9
SETPOINT = tuple(f"input_double_register_{k}" for k in range(6))
"""Where ur_rtde writes what it is given."""


class Streamed(Lockstep):
    """Robot, driver, and the loop between a person and the driver."""

    def __init__(self, address: str) -> None:
        super().__init__(address, None)
        self.faster = 1.0
        cell = encode_cell(Cell(name="alone", robots=(CellRobot(name="robot", model="ur3e"),))).decode()
        settings = RobotSettings(cell="alone", document=cell, robot="robot", endpoint="", address=address)
        built = build_robot(settings, rehearsed=False).loop
        self.drive = built.drives["arm"]
        self.loop = RobotLoop("robot", self.driver, built.gate, [self.drive.parts])
        self.drive = self.loop.drives["arm"]
        self.until(lambda: self.driver.state.can_move, "control")
        self.until(lambda: self.loop.report(self.now_ns).ready, "a loop that is ready")

    @property
    def qd(self) -> np.ndarray:
        return np.array(self.brain.read("actual_qd"))

    @property
    def setpoint(self) -> np.ndarray:
        """The newest that has reached the controller."""
        return np.array([self.brain.read(name) for name in SETPOINT])

    def tick(self, ticks: int = 1) -> None:
        loop = getattr(self, "loop", None)
        if loop is None:
            super().tick(ticks)
            return
        for _ in range(ticks):
            self.host.step()
            self.now_ns += TICK_NS
            loop.renew(bus.LeaseRenewal(holder=ME, stamp_ns=self.now_ns))
            loop.tick(self.now_ns)
            self._due = max(self._due + DT / self.faster, time.monotonic() - 0.05)
            time.sleep(max(0.0, self._due - time.monotonic()))

    def ask(self, command: bus.Command) -> bus.Reply:
        return self.loop.command(command, self.now_ns)

    def follow(self, *moves: Move) -> Trajectory:
        """Begin to go along moves."""
        parts = self.drive.parts
        path = plan(parts.kinematics, parts.limits, self.drive.q_rest, moves)
        assert isinstance(path, Trajectory), path
        assert self.ask(bus.LeaseRequest(holder=ME, name="Me", hold_s=1.0)) == bus.Accepted()
        trajectory = encode_trajectory(path)
        follow = bus.Follow(holder=ME, job="job", arm="arm", trajectory=trajectory, stops=self.loop.stops)
        assert self.ask(follow) == bus.Accepted()
        return path

    def given(self, monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
        """Return the list into which every setpoint goes that the driver sends from now on."""
        control, rows = self.driver._control, list[np.ndarray]()
        assert control is not None
        servo = control.servo

        def send(q: Sequence[float]) -> None:
            rows.append(np.array(q))
            servo(q)

        monkeypatch.setattr(control, "servo", send)
        return rows

    def until_still(self, least_rad_s: float, seconds: float = 3.0) -> float:
        """Tick until the joints rest by the controller's own state; return how long it took by its clock."""
        return self.until(lambda: float(np.abs(self.qd).max()) < least_rad_s, "rest", seconds)
