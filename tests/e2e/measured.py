"""What a virtual controller itself tells of its arm, for tests that look at robots from outside."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from openpendant import load
from openpendant.virtual import VirtualControl
from unsafe import promise

__all__ = ["AT_REST_RAD_S", "Track", "check_rests", "joints", "speeds", "tool_z_mm", "tracked"]

AT_REST_RAD_S = 0.003
"""Speeds are read with noise of 0.0005 rad/s (standard deviation), as a real arm's are; six times that is no chance."""


def joints(controller: VirtualControl) -> np.ndarray:
    """Return the joints that the controller itself measures."""
    return np.array(controller.read("actual_q")["actual_q"])


def tool_z_mm(controller: VirtualControl) -> float:
    """Return how high the flange is over the robot's base, by the joints that the controller itself reports."""
    return 1000.0 * float(load("ur3e").arm().fk(joints(controller))[2, 3])


def speeds(controller: VirtualControl, seconds: float) -> list[tuple[float, float]]:
    """Return when (seconds from now) the fastest joint had which speed (rad/s), both by the controller itself."""
    found: list[tuple[float, float]] = []
    begun_s, at_s = float(controller.read("timestamp")["timestamp"]), 0.0
    while at_s < seconds:
        state = controller.read("timestamp", "actual_qd")
        at_s = float(state["timestamp"]) - begun_s
        found.append((at_s, float(np.abs(state["actual_qd"]).max())))
        time.sleep(0.02)
    return found


def check_rests(seen: list[tuple[float, float]], seconds: float) -> None:
    """Hold it to resting from then on."""
    fastest = max(speed for at, speed in seen if at > seconds)
    promise(fastest < AT_REST_RAD_S, f"{seconds} s later it still goes {fastest:.3f} rad/s")


class Track:
    """Where an arm was and how fast, by its controller's clock, and what that is on the computer's."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, np.ndarray, float]] = []
        self._offset_s = np.inf

    def add(self, at_s: float, q: np.ndarray, speed: float, received_s: float) -> None:
        """Add a state of the controller's time `at_s`; what was received soonest tells how the clocks differ."""
        self._seen.append((at_s, q, speed))
        self._offset_s = min(self._offset_s, received_s - at_s)

    def lasts_until(self, wall_s: float) -> bool:
        """Return whether it goes as far as a time of the computer's clock."""
        return bool(self._seen) and self._seen[-1][0] + self._offset_s > wall_s

    def speeds_since(self, wall_s: float) -> list[tuple[float, float]]:
        """Return (seconds since then, speed of the fastest joint) as `check_rests` takes it."""
        return [(at - (wall_s - self._offset_s), speed) for at, _, speed in self._seen]

    def joints_at(self, wall_s: float) -> np.ndarray:
        """Return the joints at a time of the computer's clock."""
        times, q = np.array([at for at, _, _ in self._seen]), np.array([q for _, q, _ in self._seen])
        return np.array([np.interp(wall_s - self._offset_s, times, one) for one in q.T])


@contextmanager
def tracked(address: str) -> Iterator[Track]:
    """Watch an arm from a thread, whatever the page and its test wait for meanwhile."""
    track, ended, control = Track(), threading.Event(), VirtualControl(address)

    def watch() -> None:
        while not ended.wait(0.01):
            state = control.read("timestamp", "actual_q", "actual_qd")
            speed = float(np.abs(state["actual_qd"]).max())
            track.add(float(state["timestamp"]), np.array(state["actual_q"]), speed, time.time())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield track
    finally:
        ended.set()
        watcher.join()
        control.disconnect()
