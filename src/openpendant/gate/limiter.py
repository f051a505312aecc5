"""Limiter: keeps one arm inside its limits, tick by tick, and able to stop inside them."""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import brake_along
from openpendant.kinematics import forward

from .facts import GateFacts
from .kernels.path_row import ACCELERATION, POSITION, VELOCITY, judge_row
from .kernels.shape import farthest_points, fastest_speed, work_space
from .kernels.step import (
    ACC,
    JOINT_NUMBERS,
    POS,
    SLOWED_BY_NEARNESS,
    SLOWED_BY_SPEED,
    VEL,
    places_on_stop,
    plan_rest,
    step,
)
from .spaces import outside_of
from .speeds import fastest_speeds, shape_of
from .surroundings import Surroundings

Array = NDArray[np.float64]

SPEED_SHARE = 0.95
"""Of the allowed speed, so that the bend of a point's path between two ticks does not pass it."""
CREEP_M_S = 0.02
"""The speed at which something that touches already may be left."""
DEEPER_M = 1e-5
"""By so much an overlap may grow before it counts: rounding."""
OVER_VELOCITY, OVER_ACCELERATION = 1.02, 1.1
"""By these factors a checked path may pass a limit between two ticks: rounding and sampling."""
OVER_DECELERATION = 1.02
"""A stop along a path that takes more than this share of the deceleration is none; the joints leave the path then."""
PASSED = {VELOCITY: "velocity", ACCELERATION: "acceleration"}
LOOKS_PER_TICK = 4
PLACES_TO_LEAVE: Array = np.array([0.0, 0.08, 0.2, 0.45, 1.0])
"""Shares of the time of a stop at which it is looked whether it leads away from what is near."""
STRETCHED = 1.1
"""The arm can stretch on its way, and its points then go farther than the lever arms of now say."""
LOOK_EVERY_M, MOST_LOOKS = 0.01, 6
"""Spacing of the collision checks along the path to rest."""
_EVEN: tuple[Array, ...] = tuple(np.linspace(0.0, 1.0, count) for count in range(MOST_LOOKS + 1))


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
        stop = limits.stop
        self._limits = np.array(
            [
                limits.lower, limits.upper, limits.velocity, limits.acceleration, limits.jerk,
                stop.deceleration, stop.jerk,
            ]
        )  # fmt: skip
        self._own = self._limits.copy()
        self._state = np.zeros((n, JOINT_NUMBERS))
        self._after, self._rest, self._report = np.zeros((n, JOINT_NUMBERS)), np.zeros(n), np.zeros(2)
        self._rho, self._work = np.zeros(n), work_space(n)
        self._shape = shape_of(facts)
        self._want, self._want_v = np.zeros(n), np.zeros(n)
        self._row_v, self._row_out = np.zeros(n), np.zeros(5)
        self._row_stop = np.array([stop.deceleration, stop.jerk])
        self._row_most = np.array(
            [
                limits.lower, limits.upper, OVER_VELOCITY * limits.velocity, OVER_ACCELERATION * limits.acceleration,
                OVER_DECELERATION * stop.deceleration,
            ]
        )  # fmt: skip
        self._before = np.zeros(n)
        self._ramp: Array | None = None
        self._ramp_at = 0
        self._looked_at = -1
        self._touching = self._on_path = False

    @property
    def q(self) -> Array:
        """The joints last sent."""
        return self._state[:, POS].copy()

    @property
    def touching(self) -> bool:
        """Whether the motion began in contact, and has not left it yet."""
        return self._touching

    @property
    def speed_m_s(self) -> float:
        """How fast the fastest of the tool's point and all joints' centres goes now."""
        return float(fastest_speed(self._shape, self._state[:, POS].copy(), self._state[:, VEL].copy(), self._work))

    def speeds_along(self, Q: Array, QD: Array) -> Array:
        """Return (N,) the same for configurations and velocities (N, n)."""
        return fastest_speeds(self.facts, Q, QD)

    def in_contact(self, q: Array) -> bool:
        """Return whether anything touches at a configuration."""
        return self._touches(q) != ""

    @property
    def at_rest(self) -> bool:
        """Whether nothing moves and no stop is under way."""
        return self._ramp is None and not self._state[:, VEL : ACC + 1].any()

    def rest_at(self, q: Array) -> None:
        """Begin again at rest, where the arm has been measured. A joint beyond its limits may only come back."""
        q = np.array(q)
        self._state[:] = 0.0
        self._state[:, POS] = q
        self._state[:, JOINT_NUMBERS - 1] = q
        self._before[:] = q
        self._ramp, self._looked_at, self._on_path = None, -1, False
        self._limits[:] = self._own
        self._limits[0] = np.minimum(self._own[0], q)
        self._limits[1] = np.maximum(self._own[1], q)
        self._touching = self._touches(q) != ""

    def load_kernels(self) -> None:
        """Load the kernels that are needed rarely, so that no tick is late for that."""
        plan_rest(self._state.copy(), self._limits, self._dt)
        q = self._inside(self._state[:, POS])
        fastest_speed(self._shape, q.copy(), q.copy(), self._work)
        self.speeds_along(q[None, :], q[None, :])
        self.outside(q)
        self._touches(q)
        if self._around is not None:
            self._around.depths(self._name, q)

    def brake(self, ahead: Array | None) -> None:
        """Begin a stop with stop limits: along the rows of a path, otherwise all joints together."""
        if self._ramp is not None or not self._on_path:
            return
        self._on_path = False
        stop = self.facts.limits.stop
        if ahead is not None:
            rows = np.vstack([self._before, self._state[:, POS], ahead])
            ramp = brake_along(rows, stop.deceleration, stop.jerk, self._dt)
            felt = np.abs(np.diff(np.vstack([rows[:2], ramp]), n=2, axis=0)) / self._dt**2
            if (felt <= OVER_DECELERATION * stop.deceleration).all():
                self._ramp, self._ramp_at = ramp, 0
                return
        plan_rest(self._state, self._limits, self._dt)

    def keep_braking(self) -> Array:
        """Return the joints of the next tick of a stop."""
        if self._ramp is not None:
            q = self._ramp[self._ramp_at]
            self._ramp_at += 1
            self._apply_row(q)
            if self._ramp_at == len(self._ramp):
                self.rest_at(q)
            return np.array(q)
        self._want[:] = math.nan
        step(
            self._state, self._limits, self._dt, self._want, self._want_v, self._shape, self._rho,
            math.inf, math.inf, self._after, self._rest, self._report,
        )  # fmt: skip
        self._apply_step()
        if self._report[0] <= 0.0 and np.abs(self._state[:, VEL : ACC + 1]).max() < 1e-9:
            self.rest_at(self._state[:, POS])
        return self.q

    def follow(self, want: Array, want_v: Array, speed_m_s: float) -> tuple[Array, str]:
        """Go towards what is wanted as far as all limits allow.

        Returns:
            The joints of the next tick, and what slowed them, as text; empty: they are where they were wanted.
        """
        farthest_points(self._shape, self._state[:, POS].copy(), self._rho)
        np.minimum(np.maximum(want, self._limits[0]), self._limits[1], out=self._want)
        self._want_v[:] = want_v
        speed = SPEED_SHARE * min(speed_m_s, CREEP_M_S if self._touching else math.inf)
        marks = self._step(speed, math.inf)
        why = ""
        if self._around is not None and not self._touching:
            margin = self.facts.margin_m
            need = float(self._report[1]) + margin
            near, names = self._around.distance(self._name, self._inside(self._state[:, POS]), need)
            if near < need and not self._leaves(near):
                marks |= self._step(speed, max(0.0, near - margin))
                why = names if marks & SLOWED_BY_NEARNESS else ""
        blocked = self._blocked()
        if blocked:
            self.keep_braking()
            return self.q, blocked
        self._apply_step()
        if why:
            return self.q, why
        if marks & SLOWED_BY_SPEED and self._touching:
            return self.q, "what touches is left slowly"
        if marks & SLOWED_BY_SPEED:
            return self.q, f"tool and elbow may go {1000.0 * speed_m_s:.0f} mm/s"
        return self.q, "joint limits" if marks else ""

    def follow_path(self, row: Array, ahead: Array, speed_m_s: float) -> tuple[str, str] | None:
        """Take the next row of a checked path as it is; return kind and reason where it cannot be taken."""
        v, out = self._row_v, self._row_out
        self._row_most[:2] = self._limits[:2]
        passed = judge_row(self._state, row, self._dt, self._row_most, self._row_stop, self._shape, self._work, v, out)
        if passed:
            return "limit", self._why_not(passed)
        rows = self._rows_of(float(out[4]))
        deeper = self._deeper(ahead[min(rows, len(ahead) - 1)]) if self._touching else ""
        if deeper:
            return "near", deeper
        if self._touching:
            self._touching = self._touches(row) != ""
        fast = float(out[3])
        if fast > speed_m_s:
            return "limit", f"tool or elbow would go {1000.0 * fast:.0f} mm/s; allowed: {1000.0 * speed_m_s:.0f}"
        found = self._check_along(rows, ahead)
        if found is not None:
            return found
        self._apply_row(row)
        self._on_path = True
        return None

    def _why_not(self, passed: int) -> str:
        """Return which limit the row passes that was judged last, as text."""
        i, value, most = int(self._row_out[0]), self._row_out[1], self._row_out[2]
        if passed == POSITION:
            lower, upper = self.facts.limits.lower[i], self.facts.limits.upper[i]
            return f"joint {i + 1} would go to {value:.4g}; its limits are {lower:.4g} to {upper:.4g}"
        return f"{PASSED[passed]} {value:.3g} of joint {i + 1}; its limit is {most:.3g}"

    def name_tcps(self, tcps: Array) -> None:
        """Keep other points on the flange (K, 3) to speed and spaces as well, from now on."""
        self.facts = self.facts.with_tcps(tcps)
        self._shape = shape_of(self.facts)

    def outside(self, q: Array) -> tuple[float, str]:
        """Return how far the TCP, or another one, is inside a forbidden region, and the name of that region."""
        facts = self.facts
        if not facts.spaces:
            return 0.0, ""
        T = forward(facts.chain, q.copy())
        found = outside_of(facts.spaces, (T @ facts.T_flange_tool)[:3, 3])
        others = (outside_of(facts.spaces, T[:3, :3] @ p + T[:3, 3]) for p in facts.tcps)
        return max((found, *others), key=lambda one: one[0])

    def _leaves_space(self, places: Array) -> str:
        """Return which forbidden region the tool would be in, as text; on its way back it may."""
        if not self.facts.spaces:
            return ""
        here = self.outside(self._state[:, POS])[0]
        worst, where = max((self.outside(q) for q in places), key=lambda one: one[0])
        return f"the tool would be {1000.0 * worst:.1f} mm {where}" if worst > max(1e-6, here) else ""

    def _deeper(self, q: Array) -> str:
        """Return what would overlap deeper at a configuration than where the arm is now, as text; empty: nothing."""
        if self._around is None:
            return ""
        here = self._around.depths(self._name, self._inside(self._state[:, POS]))
        there = self._around.depths(self._name, self._inside(q))
        return next((one for one, depth in there.items() if depth > here.get(one, 0.0) + DEEPER_M), "")

    def _rows_of(self, stop_s: float) -> int:
        """Return how many rows of a path may go by until a stop that begins now has ended."""
        # A stop goes half as far as the path would in this time; in a bend it takes longer.
        return int(1.5 * stop_s / self._dt) + 2

    def _check_along(self, rows_of_stop: int, ahead: Array) -> tuple[str, str] | None:
        """Look where the path would be left after a stop, and at what lies between there and the last look."""
        far = min(rows_of_stop, len(ahead) - 1)
        first = max(0, self._looked_at)
        self._looked_at = far - 1
        stride = max(1, math.ceil((far - first + 1) / LOOKS_PER_TICK))
        if far < first:
            return None
        rows = ahead[np.arange(far, first - 1, -stride)]
        out = self._leaves_space(rows)
        if out:
            return "space", out
        touched = "" if self._touching else self._touches(rows)
        return ("near", touched) if touched else None

    def _leaves(self, near: float) -> bool:
        """Return whether this step and its stop lead past what is near, without coming nearer at the end.

        Between two places of the way no point of the arm is farther from both than half the way between them. Where
        the distances at both are more than that way together, nothing touches in between.
        """
        if self._around is None:
            return True
        first, last = near, near
        # Most steps that come near continue towards it: one look says so.
        if self._around.distance(self._name, self._inside(self._rest), first)[0] < first:
            return False
        places = np.empty((len(PLACES_TO_LEAVE) + 1, len(self._rest)))
        places[0] = self._state[:, POS]
        places_on_stop(self._after, float(self._report[0]), PLACES_TO_LEAVE, places[1:])
        ways = STRETCHED * (np.abs(places[1:] - places[:-1]) @ self._rho)
        for there, way in zip(self._inside(places[1:]), ways.tolist(), strict=True):
            found, _ = self._around.distance(self._name, there, way + first)
            if last + found < way:
                return False
            last = found
        return True

    def _blocked(self) -> str:
        """Return what is wrong with the way to where the arm would come to rest after this step; empty: nothing."""
        places = self._stop_samples()
        out = self._leaves_space(places)
        if out:
            return out
        if self._around is None or not self._touching:
            return self._touches(places)
        self._touching = self._touches(self._state[:, POS]) != ""
        return self._deeper(self._rest)

    def _stop_samples(self) -> Array:
        """Return places of the stop that would follow this step, about a centimetre of the fastest point apart."""
        seconds, way = float(self._report[0]), float(self._report[1])
        count = min(2 + int(way / LOOK_EVERY_M), MOST_LOOKS)
        places = np.empty((count, len(self._rest)))
        places_on_stop(self._after, seconds, _EVEN[count], places)
        return places

    def _touches(self, Q: Array) -> str:
        """Return what touches at one or some configurations, as text."""
        return (
            ""
            if self._around is None
            else self._around.touches(self._name, self._inside(Q if Q.ndim == 2 else Q[None, :]))
        )

    def _step(self, speed: float, budget: float) -> int:
        return step(
            self._state, self._limits, self._dt, self._want, self._want_v, self._shape, self._rho,
            speed, budget, self._after, self._rest, self._report,
        )  # fmt: skip

    def _apply_step(self) -> None:
        self._before[:] = self._state[:, POS]
        self._state, self._after = self._after, self._state

    def _apply_row(self, row: Array) -> None:
        v = (row - self._state[:, POS]) / self._dt
        self._before[:] = self._state[:, POS]
        self._state[:, ACC] = (v - self._state[:, VEL]) / self._dt
        self._state[:, VEL] = v
        self._state[:, POS] = row

    def _inside(self, q: Array) -> Array:
        """Return joints that a collision world takes: measured ones can lie a little beyond their limits."""
        return np.minimum(np.maximum(q, self._own[0]), self._own[1])
