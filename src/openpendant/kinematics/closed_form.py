"""ClosedForm: what the two closed forms share: the calls, the stretch of the arm and its singular postures."""

import math
from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.spatial import check_transform

from .chain import Chain
from .kernels.forward import forward as forward_kernel
from .packing import pack
from .result import Gap, SingularDistance

__all__ = ["ClosedForm"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

SolveKernel = Callable[[Array, Array, Array, Array, Mask], bool]
SolveBatchKernel = Callable[[Array, Array, Array, Array, Mask], int]

NEAR_ANGLE = math.radians(5.0)
NEAR_RADIUS = 0.030


class ClosedForm:
    """Base of the closed forms; a kind gives kernels, constants and what its elbow and wrist angles are."""

    title: ClassVar[str]
    branches = 8

    def __init__(self, chain: Chain, constants: Array, solve: SolveKernel, solve_batch: SolveBatchKernel) -> None:
        """Keep the kernels and their constants; use `fit` of the kind."""
        self._solve = solve
        self._solve_batch = solve_batch
        self._constants = constants
        self._chain = chain
        self._packed = pack(chain)
        self._zero = np.clip(np.zeros(6), chain.lower, chain.upper)

    def _elbow(self, t3: float) -> float:
        raise NotImplementedError

    def _wrist(self, q5: float) -> float:
        raise NotImplementedError

    @property
    def _links(self) -> tuple[float, float, float, float]:
        raise NotImplementedError

    def solve(self, T: Array, seed: Array | None = None) -> tuple[Array, Mask]:
        """See `Solver.solve`."""
        start = self._zero if seed is None else seed
        if T.shape == (4, 4):
            Q = np.empty((8, 6))
            mask = np.empty(8, dtype=np.bool_)
            if not self._solve(self._constants, T, start, Q, mask):
                check_transform(T)
                raise InputError("T is not a transform")
            return Q, mask
        if T.ndim != 3:
            check_transform(T, batch=True)
        Q = np.empty((T.shape[0], 8, 6))
        masks = np.empty((T.shape[0], 8), dtype=np.bool_)
        bad = self._solve_batch(self._constants, T, np.atleast_2d(start), Q, masks)
        if bad >= 0:
            check_transform(T[bad], f"T[{bad}]")
        return Q, masks

    def _reach_point(self, T: Array) -> Array:
        """Return the wrist centre, or where axes 5 and 6 meet, in the arm's own axes."""
        g = self._constants
        return g[0:9].reshape(3, 3) @ (T[:3, 3] + T[:3, :3] @ g[12:15] - g[9:12])

    def gap(self, T: Array) -> Gap | None:
        """See `Solver.gap`."""
        x, y, z = self._reach_point(T)
        radius, offset, first, second = self._links
        rho = math.hypot(x, y)
        if rho < abs(offset):
            return Gap("near", abs(offset) - rho, "axis 1")
        r = math.sqrt((rho - abs(offset)) * (rho + abs(offset)))
        return self._worst_gap([math.hypot(r - radius, z), math.hypot(-r - radius, z)], first, second)

    @staticmethod
    def _worst_gap(distances: list[float], first: float, second: float) -> Gap | None:
        gaps: list[Gap] = []
        for distance in distances:
            if distance > first + second:
                gaps.append(Gap("far", distance - first - second, "the wrist"))
            elif distance < abs(first - second):
                gaps.append(Gap("near", abs(first - second) - distance, "the wrist"))
            else:
                return None
        return min(gaps, key=lambda gap: gap.metres)

    def singular_distances(self, q: Array) -> tuple[SingularDistance, ...]:
        """See `Solver.singular_distances`."""
        order = self._chain.order
        T = np.empty((4, 4))
        forward_kernel(self._packed, q, T)
        x, y, _ = self._reach_point(T)
        offset = self._links[1]
        radius = math.sqrt(max(0.0, x * x + y * y - offset * offset)) if offset else math.hypot(x, y)
        return (
            _angle("wrist", self._wrist(float(q[order[4]]))),
            _angle("elbow", self._elbow(float(q[order[2]]))),
            SingularDistance("shoulder", radius, "m", radius < NEAR_RADIUS),
        )


def _angle(name: Literal["wrist", "elbow"], angle: float) -> SingularDistance:
    distance = abs(math.remainder(angle, math.pi))
    return SingularDistance(name, distance, "rad", distance < NEAR_ANGLE)
