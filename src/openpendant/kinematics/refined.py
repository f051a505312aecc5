"""RefinedSolver: branches from the closed form of a nearby arm, each refined on the real one."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .chain import Chain
from .closed_form import ClosedForm
from .joints import as_arrays
from .kernels.numeric import clean_rotation, refine
from .numeric import NumericSolver
from .result import Gap, SingularDistance

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


class RefinedSolver:
    """Eight branches of an arm that is nearly, but not exactly, of a kind with a closed form."""

    branches = 8

    def __init__(self, chain: Chain, near: ClosedForm) -> None:
        """Refine what `near`, fitted to `chain` with a wide tolerance, gives."""
        self.title = f"{near.title}, refined"
        self._near = near
        self._numeric = NumericSolver(chain)
        self._zero = np.clip(np.zeros(6), chain.lower, chain.upper)

    def solve(self, T: ArrayLike, seed: ArrayLike | None = None) -> tuple[Array, Mask]:
        """See `Solver.solve`."""
        poses, start = as_arrays(T, seed, self._zero)
        Q, mask = self._near.solve(poses, start)
        if poses.ndim == 2:
            self._refine(poses, start, Q, mask)
        else:
            for i, pose in enumerate(poses):
                self._refine(pose, start if start.ndim == 1 else start[i], Q[i], mask[i])
        return Q, mask

    def _refine(self, T: Array, seed: Array, Q: Array, mask: Mask) -> None:
        numeric = self._numeric
        clean_rotation(T)
        refine(numeric.packed, numeric.limits, numeric.turning, T, numeric.scale, seed, Q, mask)
        if not mask.any() and np.isnan(Q).all():
            # At the rim of the reach the nearby arm may be too short by a hair.
            found, found_mask = numeric.solve(T, seed)
            Q[:], mask[:] = found[:8], found_mask[:8]

    def gap(self, T: Array) -> Gap | None:
        """See `Solver.gap`."""
        return self._near.gap(T)

    def continuous(self, T: Array, Q: Array) -> Mask:
        """See `Solver.continuous`; as exact as the nearby arm is near."""
        return self._near.continuous(T, Q)

    def singular_distances(self, q: Array) -> tuple[SingularDistance, ...]:
        """See `Solver.singular_distances`; as exact as the nearby arm is near."""
        return self._near.singular_distances(q)
