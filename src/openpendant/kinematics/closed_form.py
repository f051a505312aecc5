"""ClosedForm: what the two closed forms share: the calls, the stretch of the arm and its singular postures."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.said import say
from openpendant.spatial import check_transform

from .chain import Chain
from .joints import as_arrays, check_seed
from .kernels.forward import forward as forward_kernel
from .kernels.planar import shoulder_radius
from .number_text import millimetres
from .pack import pack
from .result import Gap, SingularDistance

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

SolveKernel = Callable[[Array, Array, Array, Array, Mask], bool]
SolveBatchKernel = Callable[[Array, Array, Array, Array, Mask], int]

NEAR_ANGLE = math.radians(5.0)
NEAR_RADIUS = 0.030
SINGULAR = 1e-9
"""Nearer than this (radians, metres) the arm is singular."""


class ClosedForm(ABC):
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

    @abstractmethod
    def _elbow(self, t3: float) -> float: ...

    @abstractmethod
    def _wrist(self, q5: Array) -> Array: ...

    @property
    @abstractmethod
    def _links(self) -> tuple[float, float, float, float]: ...

    def solve(self, T: ArrayLike, seed: ArrayLike | None = None) -> tuple[Array, Mask]:
        """See `Solver.solve`."""
        poses, start = as_arrays(T, seed, self._zero)
        if poses.shape == (4, 4) and start.shape == (6,):
            Q = np.empty((8, 6))
            mask = np.empty(8, dtype=np.bool_)
            if self._solve(self._constants, poses, start, Q, mask):
                return Q, mask
        return self._solve_many(poses, start)

    def _solve_many(self, poses: Array, start: Array) -> tuple[Array, Mask]:
        if poses.ndim != 3 or poses.shape[1:] != (4, 4):
            check_transform(poses, batch=True)
        check_seed(start, 6, poses)
        if poses.ndim == 2:
            raise InputError("T is not a transform")
        Q = np.empty((len(poses), 8, 6))
        masks = np.empty((len(poses), 8), dtype=np.bool_)
        bad = self._solve_batch(self._constants, poses, np.atleast_2d(start), Q, masks)
        if bad >= 0:
            check_transform(poses[bad], f"T[{bad}]")
        return Q, masks

    def _reach_point(self, T: Array) -> Array:
        """Return the wrist centre, or where axes 5 and 6 meet, in the arm's own axes."""
        g = self._constants
        return g[18:27].reshape(3, 3) @ (T[:3, 3] + T[:3, :3] @ g[30:33] - g[27:30])

    def gap(self, T: Array) -> Gap | None:
        """See `Solver.gap`."""
        point = self._reach_point(T)
        radius, offset, first, second = self._links
        rho = math.hypot(point[0], point[1])
        if rho < abs(offset):
            metres = abs(offset) - rho
            return Gap("near", metres, say("pose.near_axis", missing=millimetres(metres)))
        r = math.sqrt((rho - abs(offset)) * (rho + abs(offset)))
        gaps: list[Gap] = []
        for x in (r, -r):
            for distance in self._spans(T, point, x, np.array([x - radius, -point[2]])):
                if distance > first + second:
                    metres = distance - first - second
                    gaps.append(Gap("far", metres, say("pose.too_far", missing=millimetres(metres))))
                elif distance < abs(first - second):
                    metres = abs(first - second) - distance
                    gaps.append(Gap("near", metres, say("pose.near_fold", missing=millimetres(metres))))
                else:
                    return None
        return min(gaps, key=lambda gap: gap.metres)

    def continuous(self, T: Array, Q: Array) -> Mask:
        """See `Solver.continuous`: axes 4 and 6 in line, or the wrist on axis 1."""
        x, y, _ = self._reach_point(T)
        if math.hypot(x, y) < SINGULAR:
            return np.ones(len(Q), dtype=np.bool_)
        return np.abs(np.sin(self._wrist(Q[:, self._chain.order[4]]))) < SINGULAR

    def _spans(self, T: Array, point: Array, x: float, u: Array) -> list[float]:  # noqa: ARG002
        """Return what the two links must span when the reach point is at `x` in the arm's plane, `u` from axis 2."""
        return [math.hypot(u[0], u[1])]

    def singular_distances(self, q: Array) -> tuple[SingularDistance, ...]:
        """See `Solver.singular_distances`."""
        order = self._chain.order
        T = np.empty((4, 4))
        forward_kernel(self._packed, q, T)
        x, y, _ = self._reach_point(T)
        offset = self._links[1]
        # Next to its smallest distance from axis 1 the wrist is singular too; rounding may put it inside.
        radius = shoulder_radius(max(math.hypot(x, y), abs(offset)), offset)
        return (
            _angle("wrist", float(self._wrist(q[order[4:5]])[0])),
            _angle("elbow", self._elbow(float(q[order[2]]))),
            SingularDistance("shoulder", radius, "m", radius < NEAR_RADIUS),
        )


def _angle(name: Literal["wrist", "elbow"], angle: float) -> SingularDistance:
    distance = abs(math.remainder(angle, math.pi))
    return SingularDistance(name, distance, "rad", distance < NEAR_ANGLE)
