"""Where the tool of an arm is, how it moves with the joints, and what its links weigh.

Source: B. Siciliano et al., Robotics: Modelling, Planning and Control, Springer 2009, section 3.1 (moving the
Jacobian to the tool's point adds ω × d); the quaternion of a matrix, S. W. Shepperd, Quaternion from rotation matrix,
Journal of Guidance and Control 1(3), 1978. Holding moments are virtual work: for each joint the weights times how
fast the centres of mass move with it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics.kernels.forward import forward_frames, jacobian

from .compile import jit

Array = NDArray[np.float64]


@jit
def place_tool(packed: Array, tool: Array, q: Array, T: Array, J: Array, tip: Array) -> None:
    """Write where flange and tool are, and the Jacobian of the tool's point.

    Args:
        packed: The chain, as `Arm.packed`.
        tool: (4, 4) on the flange.
        q: (n,).
        T: (4, 4): written: the flange.
        J: (6, n): written: at the tool's point, base axes, linear rows first.
        tip: (3, 4): written: the tool.
    """
    jacobian(packed, q, T, J)
    for row in range(3):
        for column in range(4):
            tip[row, column] = T[row, 0] * tool[0, column] + T[row, 1] * tool[1, column] + T[row, 2] * tool[2, column]
        tip[row, 3] += T[row, 3]
    dx, dy, dz = tip[0, 3] - T[0, 3], tip[1, 3] - T[1, 3], tip[2, 3] - T[2, 3]
    for i in range(J.shape[1]):
        wx, wy, wz = J[3, i], J[4, i], J[5, i]
        J[0, i] += wy * dz - wz * dy
        J[1, i] += wz * dx - wx * dz
        J[2, i] += wx * dy - wy * dx


@jit
def holding_moments(
    packed: Array,
    axes: Array,
    order: NDArray[np.int64],
    load: Array,
    gravity: Array,
    q: Array,
    frames: Array,
    out: Array,
) -> None:
    """Write the moments (forces where a joint slides) that hold an arm against gravity into `out` (n,).

    Args:
        packed: The chain, as `Arm.packed`.
        axes: (n, 4): of each joint from the base, in its own frame, and 1 if it slides.
        order: (n,): index in q of each joint from the base.
        load: (n + 1, 4): mass and its centre, in the frame of each joint from the base, then in that of the flange.
        gravity: (3,): acceleration that an arm at rest feels, in the base: upwards.
        q: (n,).
        frames: (n + 1, 4, 4): scratch.
        out: (n,).
    """
    forward_frames(packed, q, frames)
    n = axes.shape[0]
    for i in range(n):
        T = frames[i]
        wx = T[0, 0] * axes[i, 0] + T[0, 1] * axes[i, 1] + T[0, 2] * axes[i, 2]
        wy = T[1, 0] * axes[i, 0] + T[1, 1] * axes[i, 1] + T[1, 2] * axes[i, 2]
        wz = T[2, 0] * axes[i, 0] + T[2, 1] * axes[i, 1] + T[2, 2] * axes[i, 2]
        total = 0.0
        for k in range(i, n + 1):
            F, m = frames[k], load[k, 0]
            x = F[0, 3] + F[0, 0] * load[k, 1] + F[0, 1] * load[k, 2] + F[0, 2] * load[k, 3] - T[0, 3]
            y = F[1, 3] + F[1, 0] * load[k, 1] + F[1, 1] * load[k, 2] + F[1, 2] * load[k, 3] - T[1, 3]
            z = F[2, 3] + F[2, 0] * load[k, 1] + F[2, 1] * load[k, 2] + F[2, 2] * load[k, 3] - T[2, 3]
            if axes[i, 3] == 0.0:
                vx, vy, vz = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
            else:
                vx, vy, vz = wx, wy, wz
            total += m * (vx * gravity[0] + vy * gravity[1] + vz * gravity[2])
        out[order[i]] = total


@jit
def rotation_vector(R: Array, out: Array) -> None:
    """Write the rotation vector of the rotation in the first three columns of R into `out` (3,)."""
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    # The quaternion first: it keeps its digits near half a turn.
    if trace > 0.0:
        s = 2.0 * math.sqrt(trace + 1.0)
        w, x = 0.25 * s, (R[2, 1] - R[1, 2]) / s
        y, z = (R[0, 2] - R[2, 0]) / s, (R[1, 0] - R[0, 1]) / s
    elif R[0, 0] > R[1, 1] and R[0, 0] > R[2, 2]:
        s = 2.0 * math.sqrt(1.0 + R[0, 0] - R[1, 1] - R[2, 2])
        w, x = (R[2, 1] - R[1, 2]) / s, 0.25 * s
        y, z = (R[0, 1] + R[1, 0]) / s, (R[0, 2] + R[2, 0]) / s
    elif R[1, 1] > R[2, 2]:
        s = 2.0 * math.sqrt(1.0 + R[1, 1] - R[0, 0] - R[2, 2])
        w, x = (R[0, 2] - R[2, 0]) / s, (R[0, 1] + R[1, 0]) / s
        y, z = 0.25 * s, (R[1, 2] + R[2, 1]) / s
    else:
        s = 2.0 * math.sqrt(1.0 + R[2, 2] - R[0, 0] - R[1, 1])
        w, x = (R[1, 0] - R[0, 1]) / s, (R[0, 2] + R[2, 0]) / s
        y, z = (R[1, 2] + R[2, 1]) / s, 0.25 * s
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 * math.atan2(sine, w) / sine if sine > 1e-12 else 2.0
    out[0], out[1], out[2] = factor * x, factor * y, factor * z
