"""PathCorrection: leads an arm along a path that a sensor shifts sideways (EGMMoveL, EGMMoveC)."""

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.spatial import inverse
from openpendant.virtual.arm import VirtualArm

from .guided_path import GuidedPath

Array = NDArray[np.float64]
SIDEWAYS_M_S = 0.1
SIDEWAYS_S = 0.05
"""How fast a correction takes effect: with this time constant, and at most so fast."""
FARTHEST_M = 10.0
"""What a sensor measures beyond is senseless."""
REMEMBERED_S = 1.0
"""For how long it is known where the tool was: measurements are that old at most."""
MOST_WAITING = 1000
LAGGING_RAD = 0.1
"""A joint that is so far behind lets the path wait."""
SAME_PLACE_RAD = 1e-3
SETTLED_RAD = 2e-5


@dataclass(frozen=True, eq=False)
class CorrectedEnd:
    """Where a corrected move has ended: without the correction, with it, and with which tool."""

    T_nominal: Array
    shift: Array
    q: Array
    T_flange_tool: Array


class PathCorrection:
    """One move after the other; every one begins and ends at rest."""

    def __init__(self, arm: VirtualArm, tick_s: float) -> None:
        """Begin without a path."""
        self._arm, self._tick_s = arm, tick_s
        self._path: GuidedPath | None = None
        self._end: CorrectedEnd | None = None
        self._T_flange_tool = np.eye(4)
        self._corrects = True
        self._s = self._v = 0.0
        self._speed_m_s = self._acceleration_m_s2 = 1.0
        self._shift, self._wanted = np.zeros(3), np.zeros(3)
        self._waiting: deque[tuple[float, Array]] = deque(maxlen=MOST_WAITING)
        self._tools: deque[Array] = deque(maxlen=max(1, round(REMEMBERED_S / tick_s)))
        self.setpoint = arm.plant.q.copy()
        self.blocked = ""
        """Why the arm cannot continue; empty: it can."""

    def start_pose(self, T_flange_tool: Array) -> Array:
        """Return where the next path begins: at the uncorrected end of the last, if the arm is still there."""
        q, end = self._arm.mover.raw[0], self._end
        stays = end is not None and np.abs(end.q - q).max() < SAME_PLACE_RAD
        if end is None or not stays or (end.T_flange_tool != T_flange_tool).any():
            self._end, self._shift = None, np.zeros(3)
            return self._arm.model.arm.fk(q, check_limits=False) @ T_flange_tool
        self._shift = end.shift.copy()
        return end.T_nominal

    def begin(
        self, path: GuidedPath, T_flange_tool: Array, speed_m_s: float, acceleration_m_s2: float, *, corrects: bool
    ) -> None:
        """Lead the tool along a path that begins at `start_pose`."""
        self._path, self._T_flange_tool, self._corrects = path, T_flange_tool, corrects
        self._speed_m_s, self._acceleration_m_s2 = speed_m_s, acceleration_m_s2
        self._s = self._v = 0.0
        self._wanted = self._shift.copy() if corrects else np.zeros(3)
        self._waiting.clear()
        self._tools.clear()
        self.setpoint = self._arm.mover.raw[0].copy()
        self.blocked = ""

    @property
    def done(self) -> bool:
        """Whether the arm has come to the end of its path."""
        if self._path is None:
            return True
        there = self._s >= self._path.length_m and self._v == 0.0
        return there and bool(np.abs(self._arm.mover.raw[0] - self.setpoint).max() < SETTLED_RAD)

    def finish(self) -> None:
        """Forget the path; the next one begins where it has ended, if it has."""
        if self._path is not None and self.done:
            q = self._arm.mover.raw[0].copy()
            T_nominal = self._path.at(self._path.length_m)
            self._end = CorrectedEnd(T_nominal, self._shift.copy(), q, self._T_flange_tool)
        self._path = None

    def measure(self, place_m: Array, age_s: float, T_tool_sensor: Array) -> None:
        """Take what a sensor has seen of the path, in its own frame."""
        if self._path is None or not self._tools or not np.abs(place_m).max() <= FARTHEST_M:
            return
        ticks = min(max(round(age_s / self._tick_s), 0), len(self._tools) - 1)
        seen = (self._tools[-1 - ticks] @ T_tool_sensor @ np.append(place_m, 1.0))[:3]
        s_m = self._path.nearest(seen)
        self._waiting.append((s_m, self._sideways(seen - self._path.at(s_m)[:3, 3], s_m)))

    def step(self, *, held: bool) -> Array:
        """Let a tick pass; return the next setpoint. `held`: come to rest on the path."""
        path, arm = self._path, self._arm
        if path is None:
            return self.setpoint
        self._tools.append(arm.model.arm.fk(arm.plant.q, check_limits=False) @ self._T_flange_tool)
        lags = float(np.abs(self.setpoint - arm.mover.raw[0]).max()) > LAGGING_RAD
        self._advance(path, held=held or lags)
        while self._waiting and self._waiting[0][0] <= self._s + self._v * self._tick_s:
            _, found = self._waiting.popleft()
            self._wanted = found if self._corrects else self._wanted
        if not held:
            self._shift_sideways()
        T = path.at(self._s)
        T[:3, 3] += self._sideways(self._shift, self._s)
        found = arm.model.arm.follow(T @ inverse(self._T_flange_tool), self.setpoint)
        if found.reached:
            self.setpoint = np.clip(found.q, arm.model.arm.limits_lower, arm.model.arm.limits_upper)
        else:
            self.blocked = found.reason or "the path leads out of reach"
        return self.setpoint

    def _advance(self, path: GuidedPath, *, held: bool) -> None:
        left, a = max(path.length_m - self._s, 0.0), self._acceleration_m_s2
        step = a * self._tick_s
        # So that the way of this tick and the braking after it end at the end.
        top = min(self._speed_m_s * self._arm.mover.factor, math.sqrt(2.0 * a * left + step * step / 4.0) - step / 2.0)
        self._v = min(max(0.0 if held else top, self._v - step), self._v + step)
        self._s = min(self._s + self._v * self._tick_s, path.length_m)
        if path.length_m - self._s < 1e-7:
            self._s, self._v = path.length_m, 0.0

    def _shift_sideways(self) -> None:
        left = self._wanted - self._shift
        size = float(np.linalg.norm(left))
        most = min(size * (1.0 - math.exp(-self._tick_s / SIDEWAYS_S)), SIDEWAYS_M_S * self._tick_s)
        if size > 0.0:
            self._shift = self._shift + left * (most / size)

    def _sideways(self, shift: Array, s_m: float) -> Array:
        """Return a shift without its part along the path."""
        along = self._path.along(s_m) if self._path is not None else np.zeros(3)
        return shift - along * float(along @ shift)
