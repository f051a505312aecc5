"""NumericSolver: damped least squares with repeatable restarts, for any chain without a closed form."""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.spatial import check_transform

from .chain import Chain
from .kernels import descent
from .kernels import forward as kernels
from .packing import pack
from .result import Gap, SingularDistance

__all__ = ["NumericSolver"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

ITERATIONS = 30
STARTS = 100
NEAR_SINGULAR = 0.02


class NumericSolver:
    """One row for redundant arms (7 joints or more), up to 16 distinct ones for others.

    Redundant arms have solutions without number; `Arm.ik` walks along them. For the others the rows
    are those that many starts find: not proven to be all.
    """

    title = "numeric, damped least squares with restarts"

    def __init__(self, chain: Chain) -> None:
        """Prepare for `chain`."""
        self._chain = chain
        self.branches = 1 if chain.dof > 6 else 16
        self.packed = pack(chain)
        self.limits = np.array([chain.lower, chain.upper])
        self.length = _length(chain)
        self.scale = 1.0 / self.length
        self._zero = np.clip(np.zeros(chain.dof), chain.lower, chain.upper)

    def solve(self, T: Array, seed: Array | None = None) -> tuple[Array, Mask]:
        """See `Solver.solve`."""
        T = check_transform(T, batch=True)
        start = np.array(self._zero if seed is None else seed, dtype=np.float64)
        if T.ndim == 2:
            return self._solve_one(np.array(T), start)
        seeds = np.broadcast_to(start, (T.shape[0], self._chain.dof))
        pairs = [self._solve_one(np.array(one), np.array(s)) for one, s in zip(T, seeds, strict=True)]
        Q = np.array([q for q, _ in pairs]).reshape(-1, self.branches, self._chain.dof)
        return Q, np.array([mask for _, mask in pairs], dtype=np.bool_).reshape(-1, self.branches)

    def _solve_one(self, T: Array, seed: Array) -> tuple[Array, Mask]:
        Q = np.empty((self.branches, self._chain.dof))
        mask = np.zeros(self.branches, dtype=np.bool_)
        if self.branches == 1:
            count = int(descent.find_one(self.packed, self.limits, T, self.scale, seed, Q[0], ITERATIONS, STARTS))
        else:
            count = descent.find_all(self.packed, self.limits, T, self.scale, seed, Q, ITERATIONS, STARTS)
        mask[:count] = True
        Q[count:] = math.nan
        return Q, mask

    def solve_unlimited(self, T: Array, seed: Array) -> Array:
        """Return the distinct solutions found (B, n) when the turning joints had no limits."""
        limits = self.limits.copy()
        turning = np.zeros(self._chain.dof, dtype=np.bool_)
        turning[self._chain.order] = ~self._chain.prismatic
        limits[:, turning] = np.array([[-math.inf], [math.inf]])
        Q = np.empty((16, self._chain.dof))
        count = descent.find_all(self.packed, limits, T, self.scale, seed, Q, ITERATIONS, 24)
        return Q[:count]

    def gap(self, T: Array) -> Gap | None:
        """See `Solver.gap`; known only from the sum of the links' lengths."""
        distance = float(np.linalg.norm(T[:3, 3] - self._chain.T_parent_joint[0, :3, 3]))
        return Gap("far", distance - self.length, "the tool") if distance > self.length else None

    def singular_distances(self, q: Array) -> tuple[SingularDistance, ...]:
        """See `Solver.singular_distances`."""
        J = np.empty((6, self._chain.dof))
        kernels.jacobian(self.packed, q, np.empty((4, 4)), J)
        J[:3] *= self.scale
        smallest = float(np.linalg.svd(J, compute_uv=False)[-1])
        return (SingularDistance("arm", smallest, "1", smallest < NEAR_SINGULAR),)


def _length(chain: Chain) -> float:
    """Return the sum of the distances between joints, from the first joint to the flange, plus sliding travel."""
    length = float(np.linalg.norm(chain.T_parent_joint[1:, :3, 3], axis=1).sum())
    length += float(np.linalg.norm(chain.T_last_flange[:3, 3]))
    travel = np.maximum(np.abs(chain.lower), np.abs(chain.upper))[chain.order][chain.prismatic]
    return max(length + float(travel[np.isfinite(travel)].sum()), 1e-3)
