"""Redundancy: solutions of arms with more joints than a pose needs, over a parameter."""

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError

from .kernels import selfmotion
from .kernels.grade import turn_towards
from .numeric import NumericSolver

if TYPE_CHECKING:
    from .arm import Arm

Array = NDArray[np.float64]

STEP = 0.2
"""Length of a step along a self-motion, radians over all joints."""
WALKS = 48
STARTS = 48
SHOWN = 24
"""About how many solutions of a continuum are shown."""
LOCKED_STARTS = 40
FINER = 8
FINEST_STEP = 1e-3


class Redundancy:
    """Walks along the self-motions of one arm. Poses are of the flange in the base; answers (B, n) inside limits."""

    def __init__(self, numeric: NumericSolver) -> None:
        """Serve the arm of `numeric`."""
        self._numeric = numeric

    def sampled(self, T: Array, seed: Array) -> Array:
        """Return the solution nearest to the seed first, then others spread over the self-motions."""
        numeric = self._numeric
        Q, parts = self._explore(T, seed)
        if not len(Q):
            return Q
        turn_towards(Q, seed, numeric.limits, numeric.turning)
        margin = np.minimum(Q - numeric.limits[0], numeric.limits[1] - Q).min(axis=1)
        nearest = Q[np.linalg.norm(Q - seed, axis=1).argmin()].copy()
        selfmotion.settle(numeric.packed, numeric.limits, T, numeric.scale, seed, nearest)
        stride = -(-len(Q) // SHOWN)
        spread = [Q[a:b:stride] for a, b in itertools.pairwise(parts)]
        return np.vstack([nearest, Q[margin.argmax()], *spread])

    def locked(self, T: Array, seed: Array, joint: int, value: float) -> Array:
        """Return the distinct solutions with one joint held at `value`."""
        numeric = self._numeric
        limits = numeric.limits.copy()
        limits[:, joint] = value
        Q = np.empty((16, numeric.chain.dof))
        count = numeric.find(T, seed, limits, Q, LOCKED_STARTS)
        turn_towards(Q[:count], seed, limits, numeric.turning)
        return Q[:count]

    def at_arm_angle(self, T: Array, seed: Array, wanted: float) -> Array:
        """Return the solutions whose arm angle is `wanted`."""
        numeric = self._numeric
        Q, parts = self._explore(T, seed)
        rows: list[Array] = []
        for a, b, c in zip(parts[0::2], parts[1::2], parts[2::2], strict=False):
            # Two walks from one start, in both senses, make one stretch of self-motion.
            self._cross(T, np.vstack([Q[b:c][:0:-1], Q[a:b]]), wanted, STEP, rows)
        found = np.array(rows).reshape(-1, numeric.chain.dof)
        turn_towards(found, seed, numeric.limits, numeric.turning)
        return found

    def _cross(self, T: Array, stretch: Array, wanted: float, step: float, rows: list[Array]) -> None:
        """Add to `rows` where the arm angle passes `wanted` along a stretch of solutions `step` apart."""
        numeric = self._numeric
        frames = np.empty((numeric.chain.dof + 1, 4, 4))
        off = [math.remainder(selfmotion.arm_angle(numeric.packed, q, frames) - wanted, math.tau) for q in stretch]
        for i in range(len(stretch) - 1):
            q = np.empty(numeric.chain.dof)
            ends = stretch[i], stretch[i + 1]
            if off[i] * off[i + 1] <= 0.0 and selfmotion.cross(
                numeric.packed, numeric.limits, T, numeric.scale, wanted, *ends, q
            ):
                rows.append(q)
        if step < FINEST_STEP:
            return
        for i in range(len(stretch)):
            low, high = max(i - 1, 0), min(i + 1, len(stretch) - 1)
            same_side = off[low] * off[i] > 0.0 and off[high] * off[i] > 0.0
            if same_side and abs(off[i]) <= min(abs(off[low]), abs(off[high])) and abs(off[i]) < step:
                # The angle turns back here, perhaps beyond the wanted value between two samples.
                self._cross(T, self._finer(T, stretch[i], step / FINER), wanted, step / FINER, rows)

    def _finer(self, T: Array, q: Array, step: float) -> Array:
        """Return solutions `step` apart around q."""
        numeric = self._numeric
        halves: list[Array] = []
        for sense in (-1.0, 1.0):
            Q = np.empty((FINER + 2, numeric.chain.dof))
            Q[0] = q
            halves.append(Q[: selfmotion.walk(numeric.packed, numeric.limits, T, numeric.scale, step, sense, Q)])
        return np.vstack([halves[0][:0:-1], halves[1]])

    def _explore(self, T: Array, seed: Array) -> tuple[Array, list[int]]:
        numeric = self._numeric
        Q = np.empty((WALKS * selfmotion.WALK, numeric.chain.dof))
        parts = np.zeros(WALKS + 1, dtype=np.int64)
        count = selfmotion.explore(numeric.packed, numeric.limits, T, numeric.scale, seed, STEP, STARTS, Q, parts)
        if not count and numeric.solve(T, seed)[1][0]:
            # Hard to find: start from what many more attempts found.
            found = numeric.solve(T, seed)[0][0]
            count = selfmotion.explore(numeric.packed, numeric.limits, T, numeric.scale, found, STEP, STARTS, Q, parts)
        return Q[: parts[count]], parts[: count + 1].tolist()


def arm_angle(arm: "Arm", q: ArrayLike) -> float:
    """Return the arm angle of a 7-axis arm, radians in (-pi, pi].

    It is the angle of the elbow about the line from shoulder to wrist, counted from the direction of
    axis 1; shoulder, elbow and wrist are the places of the second, fourth and sixth joint from the base.

    Raises:
        InputError: The arm has no seven turning joints, q is not allowed, or the angle is undefined
            because the arm is stretched or its line lies along axis 1.
    """
    if arm.dof != 7 or arm.chain.prismatic.any():
        raise InputError(f"arm {arm.name} has {arm.dof} joints; an arm angle needs seven turning ones")
    joints = arm.check_q(q)
    angle = selfmotion.arm_angle(arm.packed, joints, np.empty((8, 4, 4)))
    if math.isnan(angle):
        raise InputError("the arm angle is undefined where shoulder, elbow and wrist are in line or along axis 1")
    return angle
