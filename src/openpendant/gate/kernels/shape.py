"""How fast the points of an arm go: tool and joints exactly, the farthest point of all by a bound.

Velocities of the joints' origins go from link to link: v' = v + ω × d. The bound: a point turns about a joint no faster
than the farthest one.

Source: B. Siciliano et al., Robotics: Modelling, Planning and Control, Springer 2009, section 3.1.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]


class Shape(NamedTuple):
    """An arm as the kernels see it; joints in the order of the chain, from base to flange."""

    T_parent_joint: Array
    """(n, 4, 4)."""
    axis: Array
    """(n, 3)."""
    prismatic: NDArray[np.bool_]
    order: NDArray[np.int64]
    """(n,): index in q of each joint."""
    tool: Array
    """(3,): the tool's point in the frame of the last joint."""
    others: Array
    """(K, 3): further points in that frame whose speed counts: TCPs of other tools that a program names."""
    radii: Array
    """(n,): radius of a ball about the origin of each joint's frame that holds all it carries directly."""


@jit
def work_space(n: int) -> Array:
    """Return space to work in for an arm of n joints."""
    return np.empty((2 * n + 11, 3))


@jit
def _turn(R: Array, axis: Array, angle: float, A: Array, T: Array, out: Array) -> None:
    """Write R · (rotation of T) · (turn about an axis) into `out`; A is work space."""
    c, s = math.cos(angle), math.sin(angle)
    k = 1.0 - c
    x, y, z = axis[0], axis[1], axis[2]
    for row in range(3):
        for column in range(3):
            A[row, column] = R[row, 0] * T[0, column] + R[row, 1] * T[1, column] + R[row, 2] * T[2, column]
    for row in range(3):
        a, b, d = A[row, 0], A[row, 1], A[row, 2]
        out[row, 0] = a * (c + x * x * k) + b * (y * x * k + z * s) + d * (z * x * k - y * s)
        out[row, 1] = a * (x * y * k - z * s) + b * (c + y * y * k) + d * (z * y * k + x * s)
        out[row, 2] = a * (x * z * k + y * s) + b * (y * z * k - x * s) + d * (c + z * z * k)


@jit
def _place(shape: Shape, q: Array, work: Array) -> None:
    """Write where joints and the tool's point are in the base.

    Rows of `work` (2 n + 11, 3): origins of all joints and the tool's point, axes of joints, space to work in.
    """
    n = shape.axis.shape[0]
    origins, axes = work[: n + 1], work[n + 1 : 2 * n + 1]
    R, before, A, p = (
        work[2 * n + 1 : 2 * n + 4],
        work[2 * n + 4 : 2 * n + 7],
        work[2 * n + 7 : 2 * n + 10],
        work[2 * n + 10],
    )
    for row in range(3):
        p[row] = 0.0
        for column in range(3):
            R[row, column] = 1.0 if row == column else 0.0
    for i in range(n):
        T = shape.T_parent_joint[i]
        for row in range(3):
            p[row] += R[row, 0] * T[0, 3] + R[row, 1] * T[1, 3] + R[row, 2] * T[2, 3]
        value = float(q[shape.order[i]])
        before[:] = R
        _turn(before, shape.axis[i], 0.0 if shape.prismatic[i] else value, A, T, R)
        for row in range(3):
            axes[i, row] = R[row, 0] * shape.axis[i, 0] + R[row, 1] * shape.axis[i, 1] + R[row, 2] * shape.axis[i, 2]
            if shape.prismatic[i]:
                p[row] += value * axes[i, row]
            origins[i, row] = p[row]
    for row in range(3):
        origins[n, row] = p[row] + R[row, 0] * shape.tool[0] + R[row, 1] * shape.tool[1] + R[row, 2] * shape.tool[2]


@jit
def fastest_speed(shape: Shape, q: Array, qd: Array, work: Array) -> float:
    """Return the speed of the fastest of the tool's point, the other points, and the centres of all joints.

    The elbow is one of those centres, and so is the wrist. `work` as `work_space`.
    """
    n = shape.axis.shape[0]
    _place(shape, q, work)
    origins, axes, R = work[: n + 1], work[n + 1 : 2 * n + 1], work[2 * n + 1 : 2 * n + 4]
    vx = vy = vz = wx = wy = wz = fastest = 0.0
    for i in range(n + 1):
        if i > 0:
            dx, dy, dz = (
                origins[i, 0] - origins[i - 1, 0],
                origins[i, 1] - origins[i - 1, 1],
                origins[i, 2] - origins[i - 1, 2],
            )
            vx, vy, vz = vx + wy * dz - wz * dy, vy + wz * dx - wx * dz, vz + wx * dy - wy * dx
        if i < n:
            v = qd[shape.order[i]]
            x, y, z = v * axes[i, 0], v * axes[i, 1], v * axes[i, 2]
            if shape.prismatic[i]:
                vx, vy, vz = vx + x, vy + y, vz + z
            else:
                wx, wy, wz = wx + x, wy + y, wz + z
        fastest = max(fastest, vx * vx + vy * vy + vz * vz)
    for k in range(shape.others.shape[0]):
        # From the tool's point, which moves with the same last joint.
        x, y, z = (
            shape.others[k, 0] - shape.tool[0],
            shape.others[k, 1] - shape.tool[1],
            shape.others[k, 2] - shape.tool[2],
        )
        dx, dy, dz = (
            R[0, 0] * x + R[0, 1] * y + R[0, 2] * z,
            R[1, 0] * x + R[1, 1] * y + R[1, 2] * z,
            R[2, 0] * x + R[2, 1] * y + R[2, 2] * z,
        )
        ux, uy, uz = vx + wy * dz - wz * dy, vy + wz * dx - wx * dz, vz + wx * dy - wy * dx
        fastest = max(fastest, ux * ux + uy * uy + uz * uz)
    return math.sqrt(fastest)


@jit
def fastest_along(shape: Shape, Q: Array, QD: Array, speeds: Array) -> None:
    """Write `fastest_speed` at each of N configurations and velocities (N, n) into `speeds` (N,)."""
    work = work_space(shape.axis.shape[0])
    for k in range(Q.shape[0]):
        speeds[k] = fastest_speed(shape, Q[k], QD[k], work)


@jit
def farthest_points(shape: Shape, q: Array, rho: Array) -> None:
    """Write for each joint, as in q, how far the farthest point of the arm is from its axis (1 where it slides)."""
    n = shape.axis.shape[0]
    work = work_space(n)
    _place(shape, q, work)
    origins, axes = work[: n + 1], work[n + 1 : 2 * n + 1]
    for i in range(n):
        far = 1.0
        if not shape.prismatic[i]:
            x, y, z = axes[i, 0], axes[i, 1], axes[i, 2]
            far = 0.0
            for later in range(i, n + 1):
                dx, dy, dz = (
                    origins[later, 0] - origins[i, 0],
                    origins[later, 1] - origins[i, 1],
                    origins[later, 2] - origins[i, 2],
                )
                cx, cy, cz = y * dz - z * dy, z * dx - x * dz, x * dy - y * dx
                extra = shape.radii[later] if later < n else 0.0
                far = max(far, math.sqrt(cx * cx + cy * cy + cz * cz) + extra)
        rho[shape.order[i]] = far
