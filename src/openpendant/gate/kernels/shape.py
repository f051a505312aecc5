"""Where an arm's joints and links are at one configuration, as far as speeds need it."""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

__all__ = ["lever_arms"]

Array = NDArray[np.float64]


@jit
def lever_arms(
    frames: Array,
    axes: Array,
    prismatic: NDArray[np.bool_],
    order: NDArray[np.int64],
    radii: Array,
    T_flange_tool: Array,
    J: Array,
    rho: Array,
) -> None:
    """Write how a tool's point and the fastest point of the whole arm follow each joint.

    Args:
        frames: (n + 1, 4, 4): turned joints from base to flange, and the flange.
        axes: (n, 3): of the joints in their own frames.
        prismatic: (n,): joints that slide.
        order: (n,): index in q of the i-th joint.
        radii: (n,): radius of a ball about the origin of the i-th joint's frame that holds all it carries directly.
        T_flange_tool: (4, 4).
        J: (3, n): written; velocity of the tool's point for each joint, base axes, columns as in q.
        rho: (n,): written; the farthest point of the arm from each joint's axis (1 where it slides), as in q.
    """
    n = axes.shape[0]
    F = frames[n]
    tool = np.empty(3)
    for row in range(3):
        tool[row] = (
            F[row, 0] * T_flange_tool[0, 3] + F[row, 1] * T_flange_tool[1, 3] + F[row, 2] * T_flange_tool[2, 3]
        ) + F[row, 3]
    for i in range(n):
        A = frames[i]
        x = A[0, 0] * axes[i, 0] + A[0, 1] * axes[i, 1] + A[0, 2] * axes[i, 2]
        y = A[1, 0] * axes[i, 0] + A[1, 1] * axes[i, 1] + A[1, 2] * axes[i, 2]
        z = A[2, 0] * axes[i, 0] + A[2, 1] * axes[i, 1] + A[2, 2] * axes[i, 2]
        k = order[i]
        if prismatic[i]:
            J[0, k], J[1, k], J[2, k] = x, y, z
            rho[k] = 1.0
            continue
        dx, dy, dz = tool[0] - A[0, 3], tool[1] - A[1, 3], tool[2] - A[2, 3]
        J[0, k], J[1, k], J[2, k] = y * dz - z * dy, z * dx - x * dz, x * dy - y * dx
        far = math.sqrt(J[0, k] ** 2 + J[1, k] ** 2 + J[2, k] ** 2)
        for later in range(i, n):
            B = frames[later]
            dx, dy, dz = B[0, 3] - A[0, 3], B[1, 3] - A[1, 3], B[2, 3] - A[2, 3]
            cx, cy, cz = y * dz - z * dy, z * dx - x * dz, x * dy - y * dx
            far = max(far, math.sqrt(cx * cx + cy * cy + cz * cz) + radii[later])
        rho[k] = far
