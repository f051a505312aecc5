"""Inverse: the rich answers of inverse kinematics, for the flange in the arm's base."""

import math
from collections.abc import Callable
from typing import cast

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.spatial import check_transform

from .chain import Chain
from .joints import JointCheck
from .kernels import descent, selfmotion
from .kernels.grade import grade
from .kernels.numeric import clean_rotation
from .kernels.planar import LIMIT_TOLERANCE
from .numeric import NumericSolver
from .redundancy import Redundancy
from .result import IkSolution
from .solver import Solver
from .unreachable import Explainer, Why
from .variants import with_whole_turns

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

OTHER_STARTS = 6
STARTS = 8
LONGEST_JUMP = 0.2
"""A solution this near (radians, every joint) to where the arm glides is the same posture."""


class Inverse:
    """Solutions with labels and margins; or why there are none, and the nearest joints."""

    def __init__(
        self,
        chain: Chain,
        solver: Solver,
        check: JointCheck,
        describe: Callable[[Array], str],
        redundancy: int | None,
    ) -> None:
        """Answer for one arm."""
        self._chain = chain
        self._solver = solver
        self._check = check
        self._describe = describe
        self._parameter = redundancy
        self._explainer = Explainer(chain, solver, check)
        self._redundancy = Redundancy(solver) if isinstance(solver, NumericSolver) and solver.branches == 1 else None
        self._limits = np.array([chain.lower, chain.upper])
        self._zero = np.clip(np.zeros(chain.dof), chain.lower, chain.upper)

    def solve(
        self, T: Array, seed: Array | None, *, variants: bool, redundancy: float | None, arm_angle: float | None
    ) -> tuple[tuple[IkSolution, ...], tuple[Why, Array] | None]:
        """Return the solutions, nearest to the seed first; or none, and why with the nearest joints.

        Raises:
            InputError: T is not a transform, or a redundancy parameter is given that this arm does not have.
        """
        start = self._zero if seed is None else seed
        if self._redundancy is None:
            if redundancy is not None or arm_angle is not None:
                raise InputError(f"an arm of {self._chain.dof} joints has no redundancy parameter")
            Q, mask = self._solver.solve(T, start)
            self._settle(T, Q, mask, start)
        else:
            clean_rotation(check_transform(T))
            Q = self._redundant(self._redundancy, T, start, redundancy, arm_angle)
            mask = np.ones(len(Q), dtype=np.bool_)
        if not mask.any():
            Q, mask, why = self._retry(T, Q, start, redundancy, arm_angle)
            if why is not None:
                others = np.empty((0, self._chain.dof)) if seed is not None else self._other_starts(Q)
                return (), (why, self._explainer.nearest(T, start, others))
        return self._solutions(Q, mask, start, variants), None

    def follow(self, T: Array, seed: Array) -> tuple[Array, str | None]:
        """Return joints that lead from the seed towards T without a jump, and why they end before it, if they do."""
        clean_rotation(check_transform(T))
        q = self._explainer.nearest(T, seed, np.empty((0, self._chain.dof)))
        Q, mask = self._solver.solve(T, q)
        rows = Q[mask]
        jumps = np.minimum(np.abs(rows - q).max(axis=1), np.abs(rows - seed).max(axis=1))
        if len(rows) and float(jumps.min()) < LONGEST_JUMP:
            return rows[jumps.argmin()], None
        if not len(rows):
            _, _, why = self._retry(T, Q, seed, None, None)
            if why is not None:
                return q, why.reason
        return q, "this posture ends here; another one can reach it"

    def _settle(self, T: Array, Q: Array, mask: Mask, seed: Array) -> None:
        """At a singularity, where solutions are a continuum, put the one nearest to the seed in place of a row."""
        free = np.flatnonzero(self._solver.continuous(T, Q) & np.isfinite(Q[:, 0]))
        if not len(free):
            return
        numeric = self._explainer.numeric
        target = T.copy()
        clean_rotation(target)
        # The rows hold one free joint at the seed, and may miss the limits by that; downhill from the seed does not.
        found = np.empty((1, self._chain.dof))
        count = numeric.find(target, seed, numeric.limits, found, STARTS)
        candidates = np.vstack([Q[free[mask[free]]], found[:count]])
        if not len(candidates):
            return
        for q in candidates:
            selfmotion.settle(numeric.packed, numeric.limits, target, numeric.scale, seed, q)
        nearest = candidates[np.linalg.norm(candidates - seed, axis=1).argmin()]
        row = free[np.linalg.norm(Q[free] - nearest, axis=1).argmin()]
        Q[row], mask[row] = nearest, True

    def _redundant(
        self, arm: Redundancy, T: Array, seed: Array, redundancy: float | None, arm_angle: float | None
    ) -> Array:
        if redundancy is not None and arm_angle is not None:
            raise InputError("redundancy and arm_angle set the same thing; give only one of them")
        if arm_angle is not None:
            if self._chain.dof != 7 or not math.isfinite(arm_angle):
                raise InputError(f"arm_angle is {arm_angle}; allowed: a finite angle, for arms of seven joints")
            return arm.at_arm_angle(T, seed, arm_angle)
        if redundancy is None:
            return arm.sampled(T, seed)
        joint = self._parameter
        if joint is None:
            raise InputError("this arm names no joint as its redundancy parameter")
        if not math.isfinite(redundancy):
            raise InputError(f"redundancy is {redundancy}; it must be a finite number")
        held = self._zero.copy()
        held[joint] = redundancy
        self._check.limits(held)
        return arm.locked(T, seed, joint, redundancy)

    def _retry(
        self, T: Array, Q: Array, seed: Array, redundancy: float | None, arm_angle: float | None
    ) -> tuple[Array, Mask, Why | None]:
        """Return rows and mask when there are solutions after all, else the rows beyond the limits and why."""
        if redundancy is not None or arm_angle is not None:
            if self._solver.solve(T, seed)[1].any():
                held = self._held(redundancy, arm_angle)
                why = Why(f"there is no solution with {held}; other values have one", "redundancy")
                return Q, np.zeros(len(Q), dtype=np.bool_), why
            Q = np.empty((0, self._chain.dof))
        if isinstance(self._solver, NumericSolver):
            Q = self._explainer.beyond_limits(T, seed)
            beyond = np.maximum(Q - self._chain.upper, self._chain.lower - Q).max(axis=1, initial=-math.inf)
            mask = beyond <= LIMIT_TOLERANCE
            if mask.any():
                return Q, mask, None
        return Q, np.zeros(len(Q), dtype=np.bool_), self._explainer.why(T, Q)

    def _held(self, redundancy: float | None, arm_angle: float | None) -> str:
        if redundancy is not None and self._parameter is not None:
            return f"{self._check.names[self._parameter]} at {self._check.show(self._parameter, redundancy)}"
        return f"an arm angle of {math.degrees(arm_angle or 0.0):.1f}°"

    def _other_starts(self, Q: Array) -> Array:
        starts = np.empty((OTHER_STARTS, self._chain.dof))
        for i, start in enumerate(starts):
            descent.start_point(self._limits, i + 1, start)
        return np.vstack([Q[np.isfinite(Q).all(axis=1)], starts])

    def _solutions(self, Q: Array, mask: Mask, seed: Array, variants: bool) -> tuple[IkSolution, ...]:
        if variants:
            Q = with_whole_turns(self._chain, Q[mask], seed)
            mask = np.ones(len(Q), dtype=np.bool_)
        graded = np.empty((len(Q), 2))
        order = np.empty(len(Q), dtype=np.int64)
        count = grade(Q, mask, seed, self._limits, graded, order)
        Q.setflags(write=False)
        describe = self._describe
        numbers = cast(list[tuple[float, float]], graded.tolist())
        rows = cast(list[int], order[:count].tolist())
        solutions: list[IkSolution] = []
        for row in rows:
            q = Q[row]
            margin, distance = numbers[row]
            solutions.append(IkSolution(q, describe(q), margin, distance))
        return tuple(solutions)
