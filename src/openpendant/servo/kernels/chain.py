"""Where the joints and the tool of a chain are in the world, and the Jacobian of the tool's point.

Source: B. Siciliano et al., Robotics: Modelling, Planning and Control, Springer 2009, section 2.5 (a rotation from
its vector) and 3.1 (the geometric Jacobian: axis × arm, and the axis where a joint slides).
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]


@jit
def turn(x: float, y: float, z: float, R: Array) -> None:
    """Write the rotation by the rotation vector (x, y, z) into R (3, 3)."""
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < 1e-8:
        a, b = 1.0, 0.5
    else:
        a = math.sin(angle) / angle
        b = 2.0 * (math.sin(0.5 * angle) / angle) ** 2
    R[0, 0] = 1.0 - b * (y * y + z * z)
    R[0, 1] = b * x * y - a * z
    R[0, 2] = b * x * z + a * y
    R[1, 0] = b * x * y + a * z
    R[1, 1] = 1.0 - b * (x * x + z * z)
    R[1, 2] = b * y * z - a * x
    R[2, 0] = b * x * z - a * y
    R[2, 1] = b * y * z + a * x
    R[2, 2] = 1.0 - b * (x * x + y * y)


@jit
def place_chain(chain: Array, last: Array, q: Array, places: Array, T: Array, J: Array) -> None:
    """Write where everything is.

    Args:
        chain: (n, 17): for each joint from the base its frame in the one before (9 R, 3 p; the first: in the world),
            its axis (3), 1 if it slides, its index in q.
        last: (12,): the tool in the frame of the last joint.
        q: Joints.
        places: (n, 6): written: a point on the axis of each joint, and the axis, in the world, from the base.
        T: (3, 4): written: the tool.
        J: (6, n): written: of the tool's point, in the world's axes, linear rows first, columns as in q.
    """
    n = chain.shape[0]
    R, A, B, p = np.eye(3), np.empty((3, 3)), np.empty((3, 3)), np.zeros(3)
    for i in range(n + 1):
        row = chain[i] if i < n else last
        for r in range(3):
            p[r] += R[r, 0] * row[9] + R[r, 1] * row[10] + R[r, 2] * row[11]
        for r in range(3):
            for c in range(3):
                A[r, c] = R[r, 0] * row[c] + R[r, 1] * row[3 + c] + R[r, 2] * row[6 + c]
        if i == n:
            break
        x, y, z = row[12], row[13], row[14]
        for r in range(3):
            places[i, r] = p[r]
            places[i, 3 + r] = A[r, 0] * x + A[r, 1] * y + A[r, 2] * z
        value = q[int(row[16])]
        if row[15] != 0.0:
            for r in range(3):
                p[r] += value * places[i, 3 + r]
            R[:, :] = A
        else:
            turn(value * x, value * y, value * z, B)
            for r in range(3):
                for c in range(3):
                    R[r, c] = A[r, 0] * B[0, c] + A[r, 1] * B[1, c] + A[r, 2] * B[2, c]
    for r in range(3):
        for c in range(3):
            T[r, c] = A[r, c]
        T[r, 3] = p[r]
    for i in range(n):
        j = int(chain[i, 16])
        wx, wy, wz = places[i, 3], places[i, 4], places[i, 5]
        if chain[i, 15] != 0.0:
            J[0, j], J[1, j], J[2, j], J[3, j], J[4, j], J[5, j] = wx, wy, wz, 0.0, 0.0, 0.0
        else:
            dx, dy, dz = p[0] - places[i, 0], p[1] - places[i, 1], p[2] - places[i, 2]
            J[0, j], J[1, j], J[2, j] = wy * dz - wz * dy, wz * dx - wx * dz, wx * dy - wy * dx
            J[3, j], J[4, j], J[5, j] = wx, wy, wz


@jit
def point_row(chain: Array, places: Array, obstacle: Array, out: Array) -> None:
    """Write into `out` (n,) how fast each joint moves a point of a link along a direction.

    Args:
        chain: As `place_chain`.
        places: As `place_chain` writes them.
        obstacle: Distance, point (3), direction (3), the joint that carries the point.
        out: Written.
    """
    last = int(obstacle[7])
    for i in range(chain.shape[0]):
        j = int(chain[i, 16])
        if i > last:
            out[j] = 0.0
            continue
        wx, wy, wz = places[i, 3], places[i, 4], places[i, 5]
        if chain[i, 15] != 0.0:
            out[j] = wx * obstacle[4] + wy * obstacle[5] + wz * obstacle[6]
        else:
            dx, dy, dz = obstacle[1] - places[i, 0], obstacle[2] - places[i, 1], obstacle[3] - places[i, 2]
            out[j] = (
                (wy * dz - wz * dy) * obstacle[4]
                + (wz * dx - wx * dz) * obstacle[5]
                + (wx * dy - wy * dx) * obstacle[6]
            )
