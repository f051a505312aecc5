"""Stand: a controller on the test stand, with a loop that calls it as a robot's process does."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import Controller, ControllerEvent, SampledPath

__all__ = ["Broken", "Stand"]

Array = NDArray[np.float64]


class Broken(Exception):  # noqa: N818
    """A check found something wrong; carries it in words."""


@dataclass(eq=False)
class Stand:
    """Calls `poll` at every tick, in real time."""

    controller: Controller
    arm: str
    way_rad: float
    """How far joints are moved."""
    patience_s: float
    told: list[ControllerEvent] = field(default_factory=list[ControllerEvent])
    """All events, in order."""

    @property
    def dt(self) -> float:
        """Seconds of a tick."""
        return self.controller.capabilities.tick_ns * 1e-9

    @property
    def q(self) -> Array:
        """Measured joints."""
        return self.controller.state.q[self.arm]

    @property
    def start(self) -> Array:
        """Where a motion from rest begins: where the controller wants the arm, or where it is."""
        state = self.controller.state
        return np.array(state.q_target.get(self.arm, state.q[self.arm]))

    def tick(self) -> None:
        """Let one tick pass."""
        started = time.monotonic()
        self.controller.poll(time.monotonic_ns())
        self.told.extend(self.controller.events())
        time.sleep(max(0.0, self.dt - (time.monotonic() - started)))

    def rest(self, seconds: float) -> None:
        """Let some time pass."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.tick()

    def until(self, what: str, there: Callable[[], bool], seconds: float | None = None) -> None:
        """Let time pass until something is there.

        Raises:
            Broken: It does not come.
        """
        limit = self.patience_s if seconds is None else seconds
        end = time.monotonic() + limit
        while not there():
            if time.monotonic() > end:
                raise Broken(f"{what} did not come within {limit:g} s; state: {self.controller.state}")
            self.tick()

    def event(self, kind: str, since: int) -> bool:
        """Return whether an event of a kind was told after the first `since` ones."""
        return any(event.kind == kind for event in self.told[since:])

    def path(self, share: float = 1.0, seconds: float = 1.0) -> SampledPath:
        """Return a gentle path from where the arm rests, all joints alike."""
        count = max(2, round(seconds / self.dt))
        x = np.arange(1, count + 1) / count
        smooth = x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
        return SampledPath(self.arm, self.start + share * self.way_rad * smooth[:, None])
