"""FlangeInverse: joints for a sequence of flange poses, by all branches of a closed form or by Newton steps."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm
from openpendant.spatial import rotation_vector_from_matrix

from .kernels.follow import follow, nearest_rows

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

CLOSED_FORM_BRANCHES = 8
"""The closed forms of six-axis arms have eight rows; numeric solvers have one or sixteen."""
NEWTON_STEPS = 12
SOFT_STEPS = 4
SOFT = 1e-4
HAIR = 2e-7
"""Metres and radians: how far a pose may be missed to go straight through a singular posture."""
NEWTON_TOLERANCE = 1e-12


class FlangeInverse:
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
        """Return (N, n) on the branch nearest to each row of Q_near, None if there is none."""
        if not self.closed:
            rows = [self.newton(one, q, None) for one, q in zip(T, Q_near, strict=True)]
            return None if any(row is None for row in rows) else np.array(rows)
        Q, branch = np.empty_like(Q_near), np.empty(len(T), dtype=np.int64)
        nearest_rows(self.candidates(T, Q_near), Q_near, self.weight, self.turning, Q, branch)
        return None if (branch < 0).any() else Q

    def newton(self, T: Array, q: Array, free: float | None) -> Array | None:
        """Return the joints for one pose by Newton steps from q; None where they do not converge.

        An arm of more than six joints moves as little as it can, weighted by the joints' velocities. The first
        step is a midpoint rule, so that fine and coarse steps lead along the same joints.

        Args:
            T: (4, 4) flange.
            q: (n,) start, near.
            free: Value of the redundancy joint; None: whatever moves least.
        """
        q = q.copy()
        error = self._error(T, q)
        if free is None and self.arm.dof > 6:
            q = q + self._least_step(q + 0.5 * self._least_step(q, error, None), error, None)
        last = math.inf
        for _ in range(NEWTON_STEPS):
            error = self._error(T, q)
            size = float(np.abs(error).max())
            if free is not None and self.arm.redundancy is not None:
                size = max(size, abs(free - float(q[self.arm.redundancy])))
            if size < NEWTON_TOLERANCE or (size < 1e-10 and size >= last):
                return q
            last = size
            step = self._least_step(q, error, free)
            q += step * min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-12))
        return None

    def _least_step(self, q: Array, error: Array, free: float | None) -> Array:
        """Return the smallest weighted change of joints that mends the error (and brings the redundancy joint home)."""
        J = self.arm.jacobian(q, check_limits=False)
        if free is not None and self.arm.redundancy is not None:
            row = np.zeros((1, self.arm.dof))
            row[0, self.arm.redundancy] = 1.0
            J, error = np.vstack([J, row]), np.append(error, free - q[self.arm.redundancy])
        return np.linalg.lstsq(J / self.weight, error, rcond=None)[0] / self.weight

    def soft(self, T: Array, q: Array) -> Array | None:
        """Return joints near q that meet the pose within `HAIR`, leaving out what only a singular turn could mend."""
        q = q.copy()
        for _ in range(SOFT_STEPS):
            error = self._error(T, q)
            J = self.arm.jacobian(q, check_limits=False)
            q += J.T @ np.linalg.solve(J @ J.T + SOFT**2 * np.eye(6), error)
        return q if float(np.abs(self._error(T, q)).max()) < HAIR else None

    def _error(self, T: Array, q: Array) -> Array:
        """Return what is missing from the pose at q to T: metres, then a rotation vector, in base axes."""
        T_now = self.arm.fk(q, check_limits=False)
        return np.concatenate([T[:3, 3] - T_now[:3, 3], rotation_vector_from_matrix(T[:3, :3] @ T_now[:3, :3].T)])


class Track:
    """A sequence of poses with the joints chosen for them; poses can be put between."""

    def __init__(
        self, inverse: FlangeInverse, q0: Array, ends: tuple[float, float], q_free: tuple[float, float] | None
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
        self.branch = np.empty(0, dtype=np.int64)
        """Which branch each pose has; a change is a label that changes, as in passing q5 = 0."""
        self._candidates = np.empty((0, branches, n))

    def fill(self, w: Array, T: Array) -> None:
        """Put in the first poses."""
        self.w, self.T = w, T
        self._candidates = self._solve(T, self._q0)

    def divide(self, parts: Ints, poses: Callable[[Array], Array]) -> None:
        """Divide the cells between poses evenly; poses after divided cells are solved again.

        Solving again from the joints before lets a free joint stay where it is.
        """
        where = np.flatnonzero(parts > 1)
        if self._inverse.closed:
            self._candidates[where + 1] = self._solve(self.T[where + 1], self.Q[where])
        else:
            self._candidates[where[0] + 1 :] = np.nan
        places = np.arange(len(self.w)) + np.append(0, np.cumsum(parts - 1))
        total = int(places[-1]) + 1
        fresh = np.ones(total, dtype=np.bool_)
        fresh[places] = False
        w = np.interp(np.arange(total), places, self.w)
        before = np.searchsorted(places, np.flatnonzero(fresh)) - 1
        T_fresh = poses(w[fresh])
        n = len(self._q0)
        T, candidates = np.empty((total, 4, 4)), np.empty((total, self._candidates.shape[1], n))
        T[places], T[fresh] = self.T, T_fresh
        candidates[places], candidates[fresh] = self._candidates, self._solve(T_fresh, self.Q[before])
        self.w, self.T, self._candidates = w, T, candidates

    def _solve(self, T: Array, seed: Array) -> Array:
        if self._inverse.closed:
            return self._inverse.candidates(T, seed)
        return np.full((len(T), 1, len(self._q0)), np.nan)

    def replace(self, i: int, q: Array) -> None:
        """Let one pose have these joints and no others."""
        self._candidates[i] = np.nan
        self._candidates[i, 0] = q

    def choose(self) -> int:
        """Choose joints for all poses by continuity; return how many were reached from the start."""
        self.Q = np.empty((len(self.w), len(self._q0)))
        self.branch = np.zeros(len(self.w), dtype=np.int64)
        if self._inverse.closed:
            inverse = self._inverse
            return follow(self._candidates, self._q0, inverse.weight, inverse.turning, self.Q, self.branch)
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
