"""Explainer: why a pose cannot be reached, and the nearest one that can."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.said import say

from .chain import Chain
from .joints import JointCheck
from .kernels import descent
from .kernels.grade import turn_towards
from .numeric import NumericSolver
from .solver import Solver

Array = NDArray[np.float64]

RADIAN_IN_LENGTHS = 0.1
"""One radian of wrong orientation weighs as much as this share of the arm's length in position."""
ITERATIONS = 200
ATTEMPTS = 24


@dataclass(frozen=True)
class Why:
    """The reason, without the nearest pose."""

    reason: str
    kind: Literal["far", "near", "limit", "orientation", "redundancy"]
    joint: str | None = None
    excess: float | None = None


class Explainer:
    """Answers for poses that the solver has no solution for."""

    def __init__(self, chain: Chain, solver: Solver, check: JointCheck) -> None:
        """Explain for one arm."""
        self._chain = chain
        self._solver = solver
        self._check = check
        self.numeric = solver if isinstance(solver, NumericSolver) else NumericSolver(chain)

    def why(self, T: Array, rows: Array) -> Why:
        """Return why T (flange in base) cannot be reached.

        Args:
            T: The pose.
            rows: (B, n) solutions beyond a limit; rows of NaN do not count.
        """
        found = rows[np.isfinite(rows[:, 0])]
        if len(found):
            return self._limit(found)
        gap = self._solver.gap(T)
        if gap is not None:
            return Why(gap.reason, gap.kind, None, gap.metres)
        return Why(say("pose.orientation"), "orientation")

    def beyond_limits(self, T: Array, seed: Array) -> Array:
        """Return the solutions (B, n) found numerically when the turning joints have no limits."""
        numeric = self.numeric
        limits = numeric.limits.copy()
        limits[:, numeric.turning] = np.array([[-math.inf], [math.inf]])
        Q = np.empty((16, self._chain.dof))
        Q = Q[: numeric.find(T, seed, limits, Q, ATTEMPTS)]
        turn_towards(Q, seed, numeric.limits, numeric.turning)
        return Q

    def _limit(self, rows: Array) -> Why:
        beyond = np.maximum(rows - self._chain.upper, self._chain.lower - rows)
        worst = beyond.max(axis=1)
        row = int(np.argmin(worst))
        joint = int(np.argmax(beyond[row]))
        value, excess = float(rows[row, joint]), float(worst[row])
        limit = float(self._chain.upper[joint] if value > self._chain.upper[joint] else self._chain.lower[joint])
        show = self._check.show
        name = self._check.names[joint]
        reason = say(
            "pose.limit",
            joint=name,
            value=show(joint, value),
            excess=show(joint, excess),
            limit=show(joint, limit),
        )
        return Why(reason, "limit", name, excess)

    def nearest(self, T: Array, seed: Array, others: Array) -> Array:
        """Return the joints inside the limits whose pose is nearest to T, found downhill from the seed.

        Position counts more than orientation. From one call to the next, with the last answer as
        the seed and no `others`, the answer moves without jumps.

        Args:
            T: The pose.
            seed: Where to start.
            others: (B, n) further starts; the best end wins.
        """
        numeric = self.numeric
        target = T.copy()
        root = self._chain.T_parent_joint[0, :3, 3]
        away = target[:3, 3] - root
        distance = float(np.linalg.norm(away))
        # Farther out than two arm lengths the direction alone decides, and huge numbers would drown the orientation.
        if distance > 2.0 * numeric.length:
            target[:3, 3] = root + away * (2.0 * numeric.length / distance)
        scale = 1.0 / (RADIAN_IN_LENGTHS * numeric.length)
        best, q_best = math.inf, seed
        for start in (seed, *others):
            q = np.clip(start, self._chain.lower, self._chain.upper)
            error = descent.approach(numeric.packed, numeric.limits, target, scale, 1.0, q, ITERATIONS)
            if error < best:
                best, q_best = error, q
        return q_best
