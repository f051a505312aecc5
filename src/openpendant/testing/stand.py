"""Stand: a controller on the test stand, with a loop that calls it as a robot's process does."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import Controller, ControllerEvent, SampledPath

Array = NDArray[np.float64]


class StandClock(Protocol):
    """The time that a controller on the stand gets from `poll`."""

    def now_ns(self) -> int:
        """Return the time, nanoseconds."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let some time pass."""
        ...


class RealTime:
    """The monotonic clock of this machine."""

    def now_ns(self) -> int:
        """Return the time, nanoseconds."""
        return time.monotonic_ns()

    def sleep(self, seconds: float) -> None:
        """Let some time pass."""
        time.sleep(seconds)


class Broken(Exception):  # noqa: N818
    """A check has failed; carries the message."""


@dataclass(eq=False)
class Stand:
    """Calls `poll` at every tick."""

    controller: Controller
    arm: str
    way_rad: float
    """How far joints are moved."""
    patience_s: float
    clock: StandClock = field(default_factory=RealTime)
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
        started_ns = self.clock.now_ns()
        self.controller.poll(started_ns)
        self.told.extend(self.controller.events())
        self.clock.sleep(max(0.0, self.dt - (self.clock.now_ns() - started_ns) * 1e-9))

    def idle(self, seconds: float, look: Callable[[], object] | None = None) -> None:
        """Let some time pass, and look at something in every tick."""
        end_ns = self.clock.now_ns() + seconds * 1e9
        while self.clock.now_ns() < end_ns:
            self.tick()
            if look is not None:
                look()

    def until(self, what: str, there: Callable[[], bool], seconds: float | None = None) -> None:
        """Let time pass until something is there.

        Raises:
            Broken: It does not come.
        """
        limit = self.patience_s if seconds is None else seconds
        end_ns = self.clock.now_ns() + limit * 1e9
        while not there():
            if self.clock.now_ns() > end_ns:
                raise Broken(f"{what} did not come within {limit:g} s; state: {self.controller.state}")
            self.tick()

    def event(self, kind: str, since: int) -> bool:
        """Return whether an event of a kind was reported after the first `since` ones."""
        return any(event.kind == kind for event in self.told[since:])

    def path(self, share: float = 1.0, seconds: float = 1.0) -> SampledPath:
        """Return a gentle path from where the arm rests, all joints alike."""
        count = max(2, round(seconds / self.dt))
        x = np.arange(1, count + 1) / count
        smooth = x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
        return SampledPath(self.arm, self.start + share * self.way_rad * smooth[:, None])
