"""What a virtual controller itself tells of its arm, for tests that look at robots from outside."""

import time

import numpy as np

from openpendant import load
from openpendant.virtual import VirtualControl
from unsafe import promise

__all__ = ["AT_REST_RAD_S", "check_rests", "joints", "speeds", "tool_z_mm"]

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
