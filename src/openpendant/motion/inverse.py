"""Inverse: joints for a sequence of flange poses; all branches of a closed form, or Newton steps from the last."""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm
from openpendant.spatial import rotation_vector_from_matrix

from .kernels.follow import follow, nearest_rows

__all__ = ["Inverse", "Track"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

CLOSED_FORM_BRANCHES = 8
"""The closed forms of six-axis arms have eight rows; numeric solvers have one or sixteen."""
NEWTON_STEPS = 12
NEWTON_TOLERANCE = 1e-12


class Inverse:
    """Joints of one arm for poses of its flange."""

    def __init__(self, arm: Arm, weight: Array) -> None:
        """Use the closed form of the arm where it has one."""
        self.arm = arm
        self.weight = weight
        self.turning = np.empty(arm.dof, dtype=np.bool_)
        self.turning[arm.chain.order] = ~arm.chain.prismatic
        self.closed = arm.dof == 6 and arm.solver.branches == CLOSED_FORM_BRANCHES

    def track(self, q0: Array, w_start: float, w_end: float, q_free: tuple[float, float] | None) -> "Track":
        """Return an empty sequence that starts at q0."""
        return Track(self, q0, (w_start, w_end), q_free)

    def candidates(self, T: Array, seed: Array) -> Array:
        """Return the branches (N, B, n), NaN where one does not exist."""
        return self.arm.ik_array(T, seed)[0]

    def near(self, T: Array, Q_near: Array) -> Array | None:
        """Return (N, n) on the branch nearest to each row of Q_near, None where there is none."""
        if not self.closed:
            rows = [self.newton(one, q, None) for one, q in zip(T, Q_near, strict=True)]
            return None if any(row is None for row in rows) else np.array(rows)
        Q, step = np.empty_like(Q_near), np.empty(len(T))
        nearest_rows(self.candidates(T, Q_near), Q_near, self.weight, self.turning, Q, step)
        return None if np.isnan(step).any() else Q

    def newton(self, T: Array, q: Array, free: float | None) -> Array | None:
        """Return the joints for one pose by Newton steps from q; None where they do not converge.

        Args:
            T: (4, 4) flange.
            q: (n,) start, near.
            free: Value of the redundancy joint; None: as in q.
        """
        q = q.copy()
        held = self.arm.redundancy
        moving = [j for j in range(self.arm.dof) if j != held]
        if held is not None and free is not None:
            q[held] = free
        last = math.inf
        for _ in range(NEWTON_STEPS):
            T_now = self.arm.fk(q, check_limits=False)
            error = np.concatenate([T[:3, 3] - T_now[:3, 3], rotation_vector_from_matrix(T[:3, :3] @ T_now[:3, :3].T)])
            size = float(np.abs(error).max())
            if size < NEWTON_TOLERANCE or (size < 1e-10 and size >= last):
                return q
            last = size
            J = self.arm.jacobian(q, check_limits=False)[:, moving]
            step = np.linalg.lstsq(J, error, rcond=None)[0]
            q[moving] += step * min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-12))
        return None


class Track:
    """A sequence of poses with the joints chosen for them; poses can be put between."""

    def __init__(
        self, inverse: Inverse, q0: Array, ends: tuple[float, float], q_free: tuple[float, float] | None
    ) -> None:
        """Start with no poses, at q0."""
        self._inverse = inverse
        self._q0 = q0
        self._ends = ends
        self._q_free = q_free
        n = len(q0)
        branches = CLOSED_FORM_BRANCHES if inverse.closed else 1
        self.w = np.empty(0)
        self.T = np.empty((0, 4, 4))
        self.Q = np.empty((0, n))
        self._candidates = np.empty((0, branches, n))

    def insert(self, where: Ints, w: Array, T: Array) -> None:
        """Put poses before the given indices (as numpy's insert counts them)."""
        if len(self.w) == 0:
            where = np.zeros(len(w), dtype=np.int64)
        seed = self._q0 if len(self.Q) == 0 else self.Q[np.maximum(where - 1, 0)]
        if self._inverse.closed:
            fresh = self._inverse.candidates(T, seed)
        else:
            fresh = np.full((len(w), 1, len(self._q0)), np.nan)
        self.w = np.insert(self.w, where, w)
        self.T = np.insert(self.T, where, T, axis=0)
        self._candidates = np.insert(self._candidates, where, fresh, axis=0)

    def renew(self, where: Ints) -> None:
        """Solve poses again from the joints before them: a free joint then stays where it is."""
        if self._inverse.closed:
            self._candidates[where] = self._inverse.candidates(self.T[where], self.Q[where - 1])
        else:
            self._candidates[where] = np.nan

    def choose(self) -> int:
        """Choose joints for all poses by continuity; return how many were reached from the start."""
        self.Q = np.empty((len(self.w), len(self._q0)))
        if self._inverse.closed:
            step = np.empty(len(self.w))
            inverse = self._inverse
            return follow(self._candidates, self._q0, inverse.weight, inverse.turning, self.Q, step)
        prev = self._q0
        for i, T in enumerate(self.T):
            known = self._candidates[i, 0]
            q = known if not math.isnan(float(known[0])) else self._inverse.newton(T, prev, self._free(i))
            if q is None:
                return i
            self._candidates[i, 0] = self.Q[i] = prev = q
        return len(self.w)

    def _free(self, i: int) -> float | None:
        if self._q_free is None:
            return None
        start, end = self._ends
        x = (float(self.w[i]) - start) / (end - start)
        return self._q_free[0] + (self._q_free[1] - self._q_free[0]) * x
