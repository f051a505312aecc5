"""A driver, a virtual controller and the loop between them, for the tests of the driver."""

import time
from collections.abc import Callable

import numpy as np

from openpendant.controllers import SampledPath
from openpendant.controllers.ur import UrDriver
from openpendant.errors import ControllerError

START = [0.0, -1.5, 1.0, -1.5, -1.5, 0.0]
TICK_S = 0.002
LATE = "the caller came too late for the path"
"""This process got no time for 0.3 s in the middle of a path."""
BUSY = (LATE, "nothing received from ", "the control program was stopped", "the controller stopped the control program")
"""How the driver tells of what nobody has asked for: this process was late; the controller's was silent for 0.35 s;
its watchdog has stopped the control program, because ur_rtde's process got no time for 0.4 s (as we, or as that process
noticed it)."""


def until(driver: UrDriver, there: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
    """Call the driver as a robot's loop does, until something is there."""
    end = time.monotonic() + seconds
    due = time.monotonic()
    while not there():
        assert time.monotonic() < end, f"{what} did not come; {driver.state}, {driver.progress('arm')}"
        driver.poll(time.monotonic_ns())
        due = max(due + TICK_S, time.monotonic() - 0.05)
        time.sleep(max(0.0, due - time.monotonic()))


def for_ticks(driver: UrDriver, ticks: int) -> None:
    """Let so many ticks of the controller pass."""
    end = driver.state.time_ns + ticks * 2_000_000
    until(driver, lambda: driver.state.time_ns >= end, f"{ticks} ticks")


def swing(driver: UrDriver, way: float = 0.4, seconds: float = 3.0) -> SampledPath:
    """A gentle path of all joints."""
    count = round(seconds / TICK_S)
    x = np.arange(1, count + 1)[:, None] / count
    start = driver.state.q_target["arm"]
    return SampledPath("arm", start + way * x**3 * (10.0 - 15.0 * x + 6.0 * x**2))


def undisturbed(driver: UrDriver, work: Callable[[], None], tries: int = 3) -> None:
    """Do something that takes a loop in time; again where this machine was too busy, which the driver tells."""
    for left in reversed(range(tries)):
        driver.events()
        try:
            work()
            return
        except (AssertionError, ControllerError):
            told = driver.events()
            late = driver.progress("arm").ended == LATE
            if left == 0 or not (late or any(event.message.startswith(BUSY) for event in told)):
                raise
            until(driver, lambda: driver.state.can_move and fastest(driver) < 0.01, "a robot at rest")


def fastest(driver: UrDriver) -> float:
    return float(np.abs(driver.state.qd["arm"]).max())
