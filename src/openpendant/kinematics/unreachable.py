"""Explainer: why a pose cannot be had, and the nearest one that can."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .chain import Chain
from .joints import JointCheck
from .kernels import descent
from .numeric import NumericSolver
from .result import Gap
from .solver import Solver

__all__ = ["Explainer", "Why"]

Array = NDArray[np.float64]

RADIAN_IN_LENGTHS = 0.1
"""One radian of wrong orientation weighs as much as this share of the arm's length in position."""
ITERATIONS = 200


@dataclass(frozen=True)
class Why:
    """The reason, without the nearest pose."""

    reason: str
    kind: Literal["far", "near", "limit", "orientation"]
    joint: str | None = None
    excess: float | None = None


class Explainer:
    """Answers for poses that the solver has no solution for."""

    def __init__(self, chain: Chain, solver: Solver, check: JointCheck) -> None:
        """Explain for one arm."""
        self._chain = chain
        self._solver = solver
        self._check = check
        self._numeric = solver if isinstance(solver, NumericSolver) else NumericSolver(chain)
        self._turning = np.zeros(chain.dof, dtype=np.bool_)
        self._turning[chain.order] = ~chain.prismatic

    def why(self, T: Array, rows: Array, seed: Array) -> Why:
        """Return why T (flange in base) cannot be had.

        Args:
            T: The pose.
            rows: (B, n) what the solver found; rows with numbers are solutions beyond a limit.
            seed: Where the arm is.
        """
        found = rows[np.isfinite(rows[:, 0])]
        if not len(found) and self._solver is self._numeric:
            found = self._numeric.solve_unlimited(T, seed)
        if len(found):
            return self._limit(found)
        gap = self._solver.gap(T)
        if gap is not None:
            return _stretch(gap)
        return Why("this orientation cannot be had here; the position alone can", "orientation")

    def _limit(self, rows: Array) -> Why:
        beyond = np.maximum(rows - self._chain.upper, self._chain.lower - rows)
        worst = beyond.max(axis=1)
        row = int(np.argmin(worst))
        joint = int(np.argmax(beyond[row]))
        value, excess = float(rows[row, joint]), float(worst[row])
        limit = float(self._chain.upper[joint] if value > self._chain.upper[joint] else self._chain.lower[joint])
        show = self._check.show
        name = self._check.names[joint]
        reason = (
            f"{name} would be at {show(joint, value)}, {show(joint, excess)} past its limit of {show(joint, limit)}"
        )
        return Why(reason, "limit", name, excess)

    def nearest(self, T: Array, seed: Array) -> Array:
        """Return the joints inside the limits whose pose is nearest to T, found downhill from the seed.

        Position counts more than orientation. From one call to the next, with the last answer as
        the seed, the answer moves without jumps.
        """
        numeric = self._numeric
        target = T.copy()
        start = self._chain.T_parent_joint[0, :3, 3]
        away = target[:3, 3] - start
        distance = float(np.linalg.norm(away))
        # Farther out than two arm lengths the direction alone decides, and huge numbers would drown the orientation.
        if distance > 2.0 * numeric.length:
            target[:3, 3] = start + away * (2.0 * numeric.length / distance)
        q = np.clip(seed, self._chain.lower, self._chain.upper)
        scale = 1.0 / (RADIAN_IN_LENGTHS * numeric.length)
        descent.approach(numeric.packed, numeric.limits, target, scale, q, ITERATIONS)
        return q


def _stretch(gap: Gap) -> Why:
    millimetres = f"{1000.0 * gap.metres:.0f}" if gap.metres >= 0.001 else f"{1000.0 * gap.metres:.2g}"
    if gap.kind == "far":
        reason = f"too far: {gap.what} would need {millimetres} mm more reach"
    else:
        reason = f"too near: {gap.what} would be {millimetres} mm closer to the shoulder than the arm can fold"
    return Why(reason, gap.kind, None, gap.metres)
