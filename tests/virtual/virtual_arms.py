"""Virtual arms of the catalogue, ticked by hand; what their tests share."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.robots import load
from openpendant.virtual.arm import PathMove, VirtualArm, arm_model

Array = NDArray[np.float64]
TICK_S = 0.004


def make_arm(robot: str, arm: str | None = None, posture: str | None = None, **own: Any) -> VirtualArm:
    """Return an arm of the catalogue at a posture, with open brakes."""
    found = load(robot)
    made = VirtualArm(arm_model(found, arm), found.posture(posture, arm), tick_s=TICK_S, **own)
    made.release_brakes()
    return made


class Trace:
    """The targets of an arm, tick by tick, as they are sent to its drives."""

    def __init__(self, arm: VirtualArm) -> None:
        self.arm = arm
        self.rows: list[Array] = []
        self.made: list[PathMove | None] = []

    def tick(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.arm.tick()
            self.note()

    def note(self) -> None:
        self.rows.append(self.arm.mover.target.copy())
        self.made.append(self.arm.queue.present)

    def until(self, condition: Callable[[], bool], most: int = 5_000) -> int:
        for count in range(most):
            if condition():
                return count
            self.tick()
        raise AssertionError(f"not within {most} ticks")

    def until_done(self) -> int:
        return self.until(lambda: self.arm.queue.ahead == 0 and self.arm.still)

    @property
    def q(self) -> Array:
        return np.array(self.rows)

    @property
    def qd(self) -> Array:
        return np.diff(self.q, axis=0) / TICK_S

    @property
    def qdd(self) -> Array:
        return np.diff(self.qd, axis=0) / TICK_S

    @property
    def xyz(self) -> Array:
        T = self.arm.model.arm.fk(self.q, check_limits=False) @ self.arm.T_flange_tool
        return T[:, :3, 3]

    @property
    def tool_speed(self) -> Array:
        return np.linalg.norm(np.diff(self.xyz, axis=0), axis=1) / TICK_S


def off_line(points: Array, a: Array, b: Array) -> Array:
    """How far points are from the straight line between a and b."""
    along = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
    return np.linalg.norm(points - (a + along[:, None] * (b - a)), axis=1)
