"""Timing: the fastest time law along a joint path that keeps every limit."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .kernels.bounds import bounds
from .kernels.fastest import fastest
from .kernels.grid import lower
from .kernels.ratios import largest, ratios
from .kernels.rest_to_rest import narrowest
from .kernels.search import lay_grid, smooth_law
from .kernels.smooth import knot_times, plain_law
from .limits import JointLimits
from .profile import Ease, eased_profile, profile

Array = NDArray[np.float64]

SLOT_S = 0.002
"""Slots of the jerk-limited law: inside one, s⃛ is constant."""
MARGIN = 0.999
"""Part of every limit that is used, so that nothing between two looks of the re-check exceeds it."""
ALLOWED = 0.9995
"""Part of every limit that the finished law may take: rounding must not take it over."""
PLAIN_CELL_S = 0.04
"""Longest cell without a limit of jerk, where the speed changes."""
EVEN = 1.02
"""How much limits may vary along a path that is timed without a search."""
ROUNDS = 16
REFINEMENTS = 2
TIGHT = 0.998
REACH = 0.3
"""Part of the filter's half width within which slow places hold back from the start; the search finds the rest."""


@dataclass(frozen=True, eq=False)
class TimeLaw:
    """s(t), piecewise cubic: in [breaks[i], breaks[i + 1]] coefficients law[i] of powers of (t - breaks[i])."""

    breaks: Array
    law: Array

    @property
    def duration(self) -> float:
        """Seconds."""
        return float(self.breaks[-1])


def time_path(
    s: Array,
    cells: Array,
    asked: Array,
    limits: JointLimits,
    *,
    straight: bool = False,
    ease: tuple[Ease, Ease] | None = None,
) -> TimeLaw:
    """Return a time law from rest to rest that keeps the limits everywhere.

    Args:
        s: (N,) knots of the path, rising.
        cells: (N - 1, 6, n) the joints as a quintic in each cell; twice continuously differentiable.
        asked: (N,) largest ṡ asked for at the knots, linear between; may be infinite.
        limits: Of the joints.
        straight: Whether the path is straight in joint space. All limits are constant then, and the fastest law is
            known; only a speed asked for that changes on the way needs a search.
        ease: Less jerk at both ends; only under a limit of jerk.
    """
    if not limits.smooth:
        return _Search(s, cells, asked, limits).plain()
    short, spare = _constant_limits_law(s, cells, asked, limits, ease)
    if straight and spare <= 1.0:
        return short
    # Over a short way the filter's width is long; nearly straight, constant limits lose little.
    check = _LawCheck(s, cells, asked, limits)
    kept = check.kept(short, EVEN * short.duration) if spare <= EVEN else None
    if kept is not None:
        return kept
    found = _Search(s, cells, asked, limits, ease).smooth()
    kept = check.kept(short, found.duration) if short.duration < found.duration else None
    return found if kept is None else kept


def keep(s: Array, cells: Array, law: TimeLaw, limits: JointLimits) -> tuple[TimeLaw, Array]:
    """Return a law of a path slowed down as a whole until the re-check finds nothing above the limits.

    Also the largest ratio to a limit in every slot of the law as it was.
    """
    check = _LawCheck(s, cells, np.full(len(s), 1e9), limits)
    found = check.ratios(law)
    return check.kept(law, found=found) or law, found[:, :3].max(axis=1)


def _constant_limits_law(
    s: Array, cells: Array, asked: Array, limits: JointLimits, ease: tuple[Ease, Ease] | None
) -> tuple[TimeLaw, float]:
    """Return the law under constant limits, the narrowest of the way, and how much faster some place would allow."""
    ends = np.empty((3, 2))
    narrowest(cells, asked, limits.rates, ends)
    (slow, fast), (weak, strong), (soft, sharp) = ends.tolist()
    way, top, push, jerk = float(s[-1]), ALLOWED * slow, ALLOWED * weak, ALLOWED * soft
    law = TimeLaw(*(profile(way, top, push, jerk) if ease is None else eased_profile(way, top, push, jerk, *ease)))
    spare = max(strong / weak, sharp / soft)
    if float(law.law[:, 1].max()) >= top * (1.0 - 1e-9):
        spare = max(spare, fast / slow)
    return law, spare if spare > 1.0 + 1e-9 else 1.0


class _LawCheck:
    """Re-checks laws along a path."""

    def __init__(self, s: Array, cells: Array, asked: Array, limits: JointLimits) -> None:
        self.s, self.cells = s, cells
        self.asked = np.minimum(asked, 1e9)
        self.limits = limits.rates

    def ratios(self, law: TimeLaw, looks: int = 2) -> Array:
        """Return the re-check of a law, as the kernel writes it."""
        out = np.empty((len(law.law), 4))
        ratios(self.s, self.cells, law.breaks, law.law, self.limits, self.asked, looks, out)
        return out

    def kept(self, law: TimeLaw, longest: float = math.inf, found: Array | None = None) -> TimeLaw | None:
        """Return a law slowed down as a whole until nothing is found; None where that takes longer than `longest`.

        `found` is the re-check of the law, where it is known.
        """
        worst = _dilation(self.ratios(law) if found is None else found, 3)
        while worst > 1.0:
            # Slower, it is looked at in other places; a little more than asked for ends that soon.
            law = _slower(law, worst + 1e-5)
            if law.duration > longest:
                return None
            worst = _dilation(self.ratios(law), 3)
        return law if law.duration <= longest else None


class _Search(_LawCheck):
    """Looks for a law: caps on ṡ and shares of acceleration are lowered where the re-check finds too much."""

    def __init__(
        self, s: Array, cells: Array, asked: Array, limits: JointLimits, ease: tuple[Ease, Ease] | None = None
    ) -> None:
        super().__init__(s, cells, asked, limits)
        self.smoothly = limits.smooth
        self.box_s = float(np.max(limits.acceleration / limits.jerk))
        self.g, self.cap, self.share, self.rows, self.steep = lay_grid(
            *(s, cells, self.limits, self.asked, MARGIN, self.smoothly),
            *((REFINEMENTS, max(self.box_s / 6.0, SLOT_S)) if self.smoothly else (1, PLAIN_CELL_S)),
        )
        if ease is not None:
            self._ease(*ease)

    def _ease(self, head: Ease, tail: Ease) -> None:
        """Use less acceleration at both ends: filtered, it is the jerk there."""
        for (less, time), rate, place in (
            (head, self.cells[0, 1], self.g),
            (tail, self.cells[-1, 1], self.g[-1] - self.g),
        ):
            push = float(np.min(self.limits[1] / np.maximum(np.abs(rate), 1e-12))) / less
            self.share[place <= 0.5 * push * time**2] /= less

    def _fastest(self) -> tuple[Array, Array]:
        z, t = np.empty(len(self.g)), np.empty(len(self.g))
        fastest(self.rows, self.steep, self.share, np.square(self.cap), np.zeros(2), z)
        knot_times(self.g, z, t)
        return z, t

    def plain(self) -> TimeLaw:
        """Return the law without a limit of jerk."""
        best = None
        found = np.empty((len(self.g) - 1, 2))
        rounds = 0
        while best is None or rounds < ROUNDS:
            rounds += 1
            z, t = self._fastest()
            bounds(self.s, self.cells, self.g, z, self.limits, self.asked, found)
            factor = _dilation(found, 2)
            if best is None or factor * t[-1] < best.duration:
                law = TimeLaw(t, np.empty((len(t) - 1, 4)))
                plain_law(self.g, z, law.law)
                best = _slower(law, factor)
            if factor <= _near_enough(rounds):
                break
            over = np.maximum(1.0, found[:, 1] / MARGIN) ** _eager(rounds)
            factors = np.ones(len(t))
            factors[:-1] = over
            factors[1:] = np.maximum(factors[1:], over)
            self.share /= np.where(factors > 1.0 / MARGIN, factors, 1.0)
        return best

    def smooth(self) -> TimeLaw:
        """Return the law under a limit of jerk."""
        best = None
        rounds = 0
        while best is None or rounds < ROUNDS:
            rounds += 1
            breaks, rows, t, delay = smooth_law(
                self.g, self.cap, self.share, self.rows, self.steep, self.box_s, REACH, SLOT_S
            )
            law = TimeLaw(breaks, rows)
            found = self.ratios(law, 0)
            factor = _dilation(found, 3)
            if factor <= _near_enough(rounds) or rounds == ROUNDS:
                found = self.ratios(law)
                factor = _dilation(found, 3)
                if best is None or factor * law.duration < best.duration:
                    best = _slower(law, factor)
                if factor <= _near_enough(rounds):
                    break
            lower(t, law.breaks, found, delay, 0.5 * self.box_s, TIGHT, _eager(rounds), self.cap, self.share)
        return best


def _near_enough(rounds: int) -> float:
    """Return by how much a law may be slowed as a whole to end the search: little at first, more when it is long."""
    return 1.002 if rounds < 6 else 1.005 if rounds < 9 else 1.01


def _eager(rounds: int) -> float:
    """Return how much more than asked for is lowered: little at first, much for the few places that remain."""
    return 1.3 if rounds < 3 else 1.3 + 0.4 * (rounds - 2)


def _dilation(found: Array, orders: int) -> float:
    """Return by how much time must be stretched so that velocity, acceleration and jerk keep their limits."""
    worst = np.empty(orders)
    largest(found, worst)
    return max(1.0, *((float(one) / ALLOWED) ** (1.0 / order) for order, one in enumerate(worst, 1)))


def _slower(law: TimeLaw, factor: float) -> TimeLaw:
    if factor <= 1.0:
        return law
    powers = np.array([1.0, factor, factor**2, factor**3])
    return TimeLaw(law.breaks * factor, law.law / powers)
