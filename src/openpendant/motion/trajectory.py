"""Trajectory: a timed joint path; check and execution use the same one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

from .kernels.continuity import beyond, jumps
from .kernels.ratios import evaluate, invert, ratios
from .limits import JointLimits

Array = NDArray[np.float64]

JUMPS = (1e-9, 1e-8, 1e-7)
"""Largest jumps that are rounding: of joints (radians, metres), and of velocity and acceleration as parts of limits."""
BEYOND = 2e-9
"""Radians or metres beyond a limit that are rounding."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Joints at one time, with their first two derivatives by time."""

    q: Array
    qd: Array
    qdd: Array

    def __iter__(self) -> Iterator[Array]:
        """Unpack as q, qd, qdd."""
        return iter((self.q, self.qd, self.qdd))


@dataclass(frozen=True, eq=False)
class Samples:
    """Joints over time: t (N,), and q, qd, qdd, qddd (N, n)."""

    t: Array
    q: Array
    qd: Array
    qdd: Array
    qddd: Array


@dataclass(frozen=True, eq=False)
class Corner:
    """How a move hands over to the next one."""

    move: int
    """Index of the move that ends here."""
    space: Literal["tool", "joint", "stop"]
    """Where it was rounded; "stop": the path turns back on itself or leaves no room, so it comes to rest."""
    radius_m: float
    """The zone that was asked for."""
    reached_m: float
    """The largest distance of the tool from the programmed point where the paths were left."""
    cut: bool
    """Whether the zone was cut because a move is short (or the orientation turns much)."""
    enter_s: float
    """When the corner begins, in seconds."""
    leave_s: float
    """When it ends."""
    q_enter: Array
    q_corner: Array
    q_leave: Array


@dataclass(frozen=True, eq=False)
class Span:
    """When one move is made. In a corner the earlier move lasts to its middle."""

    move: int
    start_s: float
    end_s: float
    corner: Corner | None
    """How it ends; None: at rest."""

    @property
    def duration_s(self) -> float:
        """Seconds."""
        return self.end_s - self.start_s


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A timed joint path from rest to rest, twice continuously differentiable in time.

    The path: joints as quintics over s in `cells` between `knots`. The time law: s as cubics over time in
    `law` between `breaks`. Plain arrays: it can be pickled, and nothing else is needed to move along it.
    """

    limits: JointLimits
    knots: Array
    """(C + 1,) s in seconds at the joints' largest velocities."""
    cells: Array
    """(C, 6, n)."""
    breaks: Array
    """(M + 1,) seconds, from 0."""
    law: Array
    """(M, 4)."""
    owner: NDArray[np.int64]
    """(C,) which move each cell belongs to."""
    spans: tuple[Span, ...]
    way_m: Array
    """(C + 1,) length of the way of the tool's point from the start to each knot."""
    way_rate: Array
    """(C, 2) its derivative by s at both ends of each cell."""

    @property
    def duration(self) -> float:
        """Seconds."""
        return float(self.breaks[-1])

    @property
    def dof(self) -> int:
        """How many joints."""
        return self.cells.shape[2]

    @property
    def q_start(self) -> Array:
        """Joints at the start."""
        return self.at(0.0).q

    @property
    def q_end(self) -> Array:
        """Joints at the end."""
        return self.at(self.duration).q

    @property
    def corners(self) -> tuple[Corner, ...]:
        """All rounded corners, and the stops that were made of corners."""
        return tuple(span.corner for span in self.spans if span.corner is not None)

    def at(self, t: float) -> Sample:
        """Return joints, velocity and acceleration at t seconds; before the start and after the end it rests.

        Raises:
            InputError: t is not a number.
        """
        found = self.samples_at(np.array([t], dtype=np.float64))
        return Sample(found.q[0], found.qd[0], found.qdd[0])

    def samples_at(self, t: Array) -> Samples:
        """Return joints and derivatives at the times t (N,).

        Raises:
            InputError: A time is not a number.
        """
        if np.isnan(t).any():
            raise InputError("a time is not a number; allowed: seconds")
        t = np.ascontiguousarray(t, dtype=np.float64)
        out = np.empty((len(t), 4, self.dof))
        evaluate(self.knots, self.cells, self.breaks, self.law, t, out)
        out[(t < 0.0) | (t > self.duration), 1:] = 0.0
        # Rounding only: `plan` lets no path pass a limit by more than a billionth.
        q = np.clip(out[:, 0], self.limits.lower, self.limits.upper)
        return Samples(t, q, out[:, 1], out[:, 2], out[:, 3])

    def sample(self, dt: float) -> Samples:
        """Return joints and derivatives every dt seconds from the start, and at the end.

        Raises:
            InputError: dt is not positive.
        """
        if not dt > 0.0:
            raise InputError(f"dt is {dt}; it must be a positive number of seconds")
        count = int(np.ceil(self.duration / dt - 1e-9))
        return self.samples_at(np.append(np.arange(count) * dt, self.duration))

    def move_at(self, t: float) -> int:
        """Return the index of the move that is made at t seconds."""
        moving = [span for span in self.spans if span.end_s > span.start_s]
        for span in moving:
            if t < span.end_s:
                return span.move
        return moving[-1].move if moving else 0

    def path(self) -> tuple[Array, NDArray[np.int64]]:
        """Return the joints at the knots (C + 1, n), and the move that each cell between them belongs to (C,)."""
        h = self.knots[-1] - self.knots[-2]
        return np.vstack([self.cells[:, 0], h ** np.arange(6) @ self.cells[-1]]), self.owner

    def place_at(self, t: float) -> float:
        """Return the path parameter s at t seconds."""
        t = min(max(t, 0.0), self.duration)
        k = min(max(int(np.searchsorted(self.breaks, t, side="right")) - 1, 0), len(self.law) - 1)
        return float((t - self.breaks[k]) ** np.arange(4) @ self.law[k])

    def tool_speed(self, t: Array) -> Array:
        """Return the speed of the tool's point at the times t (N,), metres per second."""
        t = np.clip(np.asarray(t, dtype=np.float64), 0.0, self.duration)
        k = np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, len(self.law) - 1)
        x = (t - self.breaks[k])[:, None]
        place = np.sum(x ** np.arange(4) * self.law[k], axis=1)
        rate = np.sum(np.arange(1, 4) * x ** np.arange(3) * self.law[k, 1:], axis=1)
        cell = np.searchsorted(self.knots[1:-1], np.asarray(place, dtype=np.float64), side="right")
        share = (place - self.knots[cell]) / (self.knots[cell + 1] - self.knots[cell])
        return ((1.0 - share) * self.way_rate[cell, 0] + share * self.way_rate[cell, 1]) * rate

    def time_of(self, s: float) -> float:
        """Return when the path parameter first reaches s."""
        return float(invert(self.breaks, self.law, s))

    def worst_ratios(self) -> tuple[float, float, float]:
        """Return the largest ratios of velocity, acceleration and jerk to their limits over the whole way.

        A jump of the joints is an infinite velocity, one of their velocity an infinite acceleration, one of their
        acceleration an infinite jerk. A joint beyond its limit of position, which `at` would not follow, is a jump.
        """
        out = np.empty((len(self.law), 4))
        free = np.full(len(self.knots), 1e30)
        ratios(self.knots, self.cells, self.breaks, self.law, self.limits.rates, free, 2, out)
        worst = out[:, :3].max(axis=0)
        jump = np.zeros((3, self.dof))
        jumps(self.knots, self.cells, self.breaks, self.law, jump)
        scale = np.array([np.ones(self.dof), self.limits.velocity, self.limits.acceleration])
        # Without a limit of jerk the acceleration may jump.
        count = 3 if self.limits.smooth else 2
        for order, largest in enumerate(JUMPS[:count]):
            if (jump[order] > largest * scale[order]).any():
                worst[order] = np.inf
        if beyond(self.knots, self.cells, self.limits.lower, self.limits.upper, BEYOND, np.empty(3)) >= 0:
            worst[:] = np.inf
        velocity, acceleration, jerk_ratio = worst.tolist()
        return velocity, acceleration, jerk_ratio

    def slow_down(self, factor: float) -> "Trajectory":
        """Return the same way at `factor` times the speed, 0 < factor ≤ 1: the override of a pendant.

        Raises:
            InputError: The factor is not in that range.
        """
        if not 0.0 < factor <= 1.0:
            raise InputError(f"factor is {factor}; allowed: above 0 up to 1")
        return replace(
            self,
            breaks=self.breaks / factor,
            law=self.law * np.array([1.0, factor, factor**2, factor**3]),
            spans=tuple(_slower(span, factor) for span in self.spans),
        )


def _slower(span: Span, factor: float) -> Span:
    corner = span.corner
    if corner is not None:
        corner = replace(corner, enter_s=corner.enter_s / factor, leave_s=corner.leave_s / factor)
    return Span(span.move, span.start_s / factor, span.end_s / factor, corner)
