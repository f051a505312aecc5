"""Limiter: keeps one arm inside its limits, tick by tick, and able to stop inside them."""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import brake_along
from openpendant.kinematics import forward, forward_all

from .facts import GateFacts
from .kernels.shape import lever_arms
from .kernels.stepping import (
    ACC,
    JOINT_NUMBERS,
    POS,
    SLOWED_BY_NEARNESS,
    SLOWED_BY_SPEED,
    VEL,
    step,
)
from .surroundings import Surroundings

__all__ = ["Limiter"]

Array = NDArray[np.float64]

SPEED_SHARE = 0.98
"""Of the allowed tool speed, so that the bend of its way between two ticks does not pass it."""
CREEP_M_S = 0.02
"""The speed at which something that touches already may be left."""
OVER_VELOCITY, OVER_ACCELERATION = 1.02, 1.1
"""By these factors a checked path may pass a limit between two ticks: rounding and sampling."""
LOOKS_PER_TICK = 4


class Limiter:
    """The commanded motion of an arm. Nothing here knows of sources and leases."""

    def __init__(self, name: str, facts: GateFacts, dt: float, surroundings: Surroundings | None) -> None:
        """Begin at rest at zero; `rest_at` says where the arm really is."""
        self.facts = facts
        self._name = name
        self._dt = dt
        self._around = surroundings
        n = facts.chain.dof
        limits = facts.limits
        self._limits = np.array([limits.lower, limits.upper, limits.velocity, limits.acceleration, limits.jerk])
        self._own = self._limits.copy()
        self._state = np.zeros((n, JOINT_NUMBERS))
        self._after, self._rest, self._report = np.zeros((n, JOINT_NUMBERS)), np.zeros(n), np.zeros(3)
        self._J, self._rho = np.zeros((3, n)), np.zeros(n)
        self._want, self._want_v = np.zeros(n), np.zeros(n)
        self._before = np.zeros(n)
        self._ramp: Array | None = None
        self._ramp_at = 0
        self._looked_at = -1
        self._touching = False

    @property
    def q(self) -> Array:
        """The joints last sent."""
        return self._state[:, POS].copy()

    @property
    def at_rest(self) -> bool:
        """Whether nothing moves and no stop is under way."""
        return self._ramp is None and not self._state[:, VEL : ACC + 1].any()

    def rest_at(self, q: Array) -> None:
        """Begin anew at rest, where the arm has been measured. A joint beyond its limits may only come back."""
        q = np.array(q)
        self._state[:] = 0.0
        self._state[:, POS] = q
        self._state[:, JOINT_NUMBERS - 1] = q
        self._before[:] = q
        self._ramp, self._looked_at = None, -1
        self._limits[:] = self._own
        self._limits[0] = np.minimum(self._own[0], q)
        self._limits[1] = np.maximum(self._own[1], q)
        self._touching = self._around is not None and self._around.touches(self._name, self._inside(q)) != ""

    def brake(self, ahead: Array | None) -> None:
        """Begin a stop: along the rows of a path where there are some, otherwise joint by joint."""
        if ahead is None or self._ramp is not None:
            return
        rows = np.vstack([self._before, self._state[:, POS], ahead])
        self._ramp = brake_along(rows, self.facts.limits.acceleration, self._dt, self.facts.limits.jerk)
        self._ramp_at = 0

    def keep_braking(self) -> Array:
        """Return the joints of the next tick of a stop."""
        if self._ramp is not None:
            q = self._ramp[self._ramp_at]
            self._ramp_at += 1
            self._take_row(q)
            if self._ramp_at == len(self._ramp):
                self.rest_at(q)
            return np.array(q)
        self._want[:] = math.nan
        step(
            self._state, self._limits, self._dt, self._want, self._want_v, self._J, self._rho,
            math.inf, math.inf, self._after, self._rest, self._report,
        )  # fmt: skip
        self._take_step()
        if self._report[0] <= 0.0 and np.abs(self._state[:, VEL]).max() < 1e-9:
            self.rest_at(self._state[:, POS])
        return self.q

    def follow(self, want: Array, want_v: Array, speed_m_s: float) -> tuple[Array, str]:
        """Go towards what is wanted as far as all limits allow.

        Returns:
            The joints of the next tick, and what slowed them, in words; empty: they are where they were wanted.
        """
        self._shape()
        np.clip(want, self._limits[0], self._limits[1], out=self._want)
        self._want_v[:] = want_v
        speed = SPEED_SHARE * min(speed_m_s, CREEP_M_S if self._touching else math.inf)
        marks = self._step(speed, math.inf)
        why = ""
        if self._around is not None and not self._touching:
            margin = self.facts.margin_m
            need = float(self._report[1]) + margin
            near, names = self._around.distance(self._name, self._inside(self._state[:, POS]), need)
            if near < need:
                marks |= self._step(speed, max(0.0, near - margin))
                why = names if marks & SLOWED_BY_NEARNESS else ""
        blocked = self._blocked()
        if blocked:
            self.keep_braking()
            return self.q, blocked
        self._take_step()
        if why:
            return self.q, why
        if marks & SLOWED_BY_SPEED:
            return self.q, f"the tool may go {speed_m_s:g} m/s"
        return self.q, "joint limits" if marks else ""

    def follow_path(self, row: Array, ahead: Array, speed_m_s: float) -> tuple[str, str] | None:
        """Take the next row of a checked path as it is; return kind and reason where it cannot be taken."""
        limits = self.facts.limits
        v = (row - self._state[:, POS]) / self._dt
        a = (v - self._state[:, VEL]) / self._dt
        for name, value, most in (
            ("velocity", v, OVER_VELOCITY * limits.velocity),
            ("acceleration", a, OVER_ACCELERATION * limits.acceleration),
        ):
            over = np.abs(value) > most + 1e-6
            if over.any():
                i = int(np.flatnonzero(over)[0])
                return "limit", f"{name} {value[i]:.3g} of joint {i + 1}; its limit is {most[i]:.3g}"
        outside = (row < self._limits[0] - 1e-6) | (row > self._limits[1] + 1e-6)
        if outside.any():
            i = int(np.flatnonzero(outside)[0])
            return "limit", (
                f"joint {i + 1} would go to {row[i]:.4g}; its limits are {limits.lower[i]:.4g} to {limits.upper[i]:.4g}"
            )
        if self._touching and self._around is not None:
            self._touching = self._around.touches(self._name, self._inside(row)) != ""
        self._shape()
        fast = float(np.linalg.norm(self._J @ v))
        if fast > speed_m_s * OVER_VELOCITY:
            return "limit", f"the tool would go {fast:.3f} m/s; allowed are {speed_m_s:g}"
        found = self._look_along(v, ahead)
        if found is not None:
            return found
        self._take_row(row)
        return None

    def outside_m(self, q: Array) -> float:
        """Return how far the tool's point is outside the allowed space."""
        if self.facts.space is None:
            return 0.0
        T = forward(self.facts.chain, q) @ self.facts.T_flange_tool
        return self.facts.space.outside_m(T[:3, 3])

    def _look_along(self, v: Array, ahead: Array) -> tuple[str, str] | None:
        """Look where the path would be left after a stop, and at what lies between there and the last look."""
        # A stop with a smooth ramp goes on for half its length at full pace, and its slope is steepest in the middle.
        stop_s = 1.5 * 1.875 * float((np.abs(v) / self.facts.limits.acceleration).max())
        far = min(int(0.5 * stop_s / self._dt) + 1, len(ahead) - 1)
        first = max(0, self._looked_at)
        self._looked_at = far - 1
        stride = max(1, math.ceil((far - first + 1) / LOOKS_PER_TICK))
        for at in range(far, first - 1, -stride):
            q = self._inside(ahead[at])
            if self.facts.space is not None and self.outside_m(ahead[at]) > 1e-6:
                return "space", f"the tool would leave the allowed space by {1000 * self.outside_m(ahead[at]):.1f} mm"
            if self._around is not None and not self._touching:
                touched = self._around.touches(self._name, q)
                if touched:
                    return "near", touched
        return None

    def _blocked(self) -> str:
        """Return what is wrong with where the arm would come to rest after this step; empty: nothing."""
        if self.facts.space is not None:
            out = self.outside_m(self._rest)
            if out > 1e-6 and out >= self.outside_m(self._state[:, POS]):
                return "the tool is at the border of the allowed space"
        if self._around is None:
            return ""
        if self._touching:
            here, _ = self._around.distance(self._name, self._inside(self._state[:, POS]), math.inf)
            there, names = self._around.distance(self._name, self._inside(self._rest), math.inf)
            self._touching = self._around.touches(self._name, self._inside(self._state[:, POS])) != ""
            return names if there < here - 1e-9 else ""
        return self._around.touches(self._name, self._inside(self._rest))

    def _step(self, speed: float, budget: float) -> int:
        return step(
            self._state, self._limits, self._dt, self._want, self._want_v, self._J, self._rho,
            speed, budget, self._after, self._rest, self._report,
        )  # fmt: skip

    def _take_step(self) -> None:
        self._before[:] = self._state[:, POS]
        self._state, self._after = self._after, self._state

    def _take_row(self, row: Array) -> None:
        v = (row - self._state[:, POS]) / self._dt
        self._before[:] = self._state[:, POS]
        self._state[:, ACC] = (v - self._state[:, VEL]) / self._dt
        self._state[:, VEL] = v
        self._state[:, POS] = row

    def _shape(self) -> None:
        facts, chain = self.facts, self.facts.chain
        frames = forward_all(chain, self._state[:, POS])
        lever_arms(
            frames, chain.axis, chain.prismatic, chain.order, facts.radii, facts.T_flange_tool, self._J, self._rho
        )

    def _inside(self, q: Array) -> Array:
        """Return joints that a collision world takes: measured ones can lie a little beyond their limits."""
        return np.clip(q, self._own[0], self._own[1])
