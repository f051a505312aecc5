"""NumericSolver: damped least squares with repeatable restarts, for any chain without a closed form."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.spatial import check_transform

from .chain import Chain
from .joints import as_arrays, check_seed
from .kernels import descent, numeric
from .kernels import forward as kernels
from .number_text import millimetres
from .pack import pack
from .result import Gap, SingularDistance

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

NEAR_SINGULAR = 0.02


class NumericSolver:
    """One row for redundant arms (7 joints or more), up to 16 distinct ones for others.

    Redundant arms have solutions without number; `Arm.ik` walks along them. For the others the rows
    are those that many starts find: not proven to be all.
    """

    title = "numeric, damped least squares with restarts"

    def __init__(self, chain: Chain) -> None:
        """Prepare for `chain`.

        Raises:
            InputError: The chain has more joints than the kernels have room for.
        """
        if chain.dof > descent.MOST_JOINTS:
            raise InputError(f"a chain of {chain.dof} joints; the numeric solver takes up to {descent.MOST_JOINTS}")
        self.chain = chain
        self.branches = 1 if chain.dof > 6 else 16
        self.packed = pack(chain)
        self.limits = np.array([chain.lower, chain.upper])
        self.turning = np.zeros(chain.dof, dtype=np.bool_)
        self.turning[chain.order] = ~chain.prismatic
        self.length = _length(chain)
        # Half an arm length counts as one radian: in trials the best of 0.5, 1 and 2.
        self.scale = 2.0 / self.length
        self._zero = np.clip(np.zeros(chain.dof), chain.lower, chain.upper)

    def solve(self, T: ArrayLike, seed: ArrayLike | None = None) -> tuple[Array, Mask]:
        """See `Solver.solve`."""
        poses, start = as_arrays(T, seed, self._zero)
        n = self.chain.dof
        if poses.shape == (4, 4) and start.shape == (n,):
            Q = np.empty((self.branches, n))
            mask = np.empty(self.branches, dtype=np.bool_)
            if numeric.solve(self.packed, self.limits, self.turning, poses, self.scale, start, Q, mask):
                return Q, mask
        if poses.ndim != 3 or poses.shape[1:] != (4, 4):
            check_transform(poses, batch=True)
        check_seed(start, n, poses)
        if poses.ndim == 2:
            raise InputError("T is not a transform")
        Q = np.empty((len(poses), self.branches, n))
        mask = np.empty((len(poses), self.branches), dtype=np.bool_)
        seeds = np.atleast_2d(start)
        bad = numeric.solve_batch(self.packed, self.limits, self.turning, poses, self.scale, seeds, Q, mask)
        if bad >= 0:
            check_transform(poses[bad], f"T[{bad}]")
        return Q, mask

    def find(self, T: Array, seed: Array, limits: Array, Q: Array, starts: int = numeric.STARTS) -> int:
        """Write the distinct solutions found inside `limits` (2, n) into Q (B, n); return how many."""
        return descent.find_all(self.packed, limits, T, self.scale, seed, Q, numeric.ITERATIONS, 0, starts)

    def gap(self, T: Array) -> Gap | None:
        """See `Solver.gap`: by how much the position alone is missed, with all turning joints free of limits."""
        limits = self.limits.copy()
        limits[:, self.turning] = np.array([[-math.inf], [math.inf]])
        best, q_best = math.inf, self._zero
        for attempt in range(4):
            q = self._zero.copy()
            if attempt:
                descent.start_point(self.limits, attempt, q)
            missed = math.sqrt(descent.approach(self.packed, limits, T, 1.0, 0.0, q, 200))
            if missed < best:
                best, q_best = missed, q
        if best < 1e-5 * self.length:
            return None
        here = np.empty((4, 4))
        kernels.forward(self.packed, q_best, here)
        root = self.chain.T_parent_joint[0, :3, 3]
        if np.linalg.norm(T[:3, 3] - root) > np.linalg.norm(here[:3, 3] - root):
            return Gap("far", best, f"too far: the flange would need {millimetres(best)} more reach")
        return Gap("near", best, f"too near: the arm would have to fold {millimetres(best)} further")

    def continuous(self, T: Array, Q: Array) -> Mask:  # noqa: ARG002
        """See `Solver.continuous`: not known without a closed form."""
        return np.zeros(len(Q), dtype=np.bool_)

    def singular_distances(self, q: Array) -> tuple[SingularDistance, ...]:
        """See `Solver.singular_distances`."""
        J = np.empty((6, self.chain.dof))
        kernels.jacobian(self.packed, q, np.empty((4, 4)), J)
        J[:3] /= self.length
        smallest = float(np.linalg.svd(J, compute_uv=False)[-1])
        return (SingularDistance("arm", smallest, "1", smallest < NEAR_SINGULAR),)


def _length(chain: Chain) -> float:
    """Return the sum of the distances between joints, from the first joint to the flange, plus sliding travel."""
    length = float(np.linalg.norm(chain.T_parent_joint[1:, :3, 3], axis=1).sum())
    length += float(np.linalg.norm(chain.T_last_flange[:3, 3]))
    travel = np.maximum(np.abs(chain.lower), np.abs(chain.upper))[chain.order][chain.prismatic]
    return max(length + float(travel[np.isfinite(travel)].sum()), 1e-3)
