"""Forward kinematics and Jacobian of a DH table, and what the masses weigh.

Source: B. Siciliano et al., Robotics: Modelling, Planning and Control, Springer 2009, section 2.8
(Denavit-Hartenberg), 2.5 (a rotation from its vector) and 3.1 (the Jacobian). Moments are virtual work; the inertia
that an axis feels is the sum of m r² of point masses, and a constant for its drive.
"""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.virtual.arm.kernels.chain import rotation_vector

from .compile import jit

Array = NDArray[np.float64]


@jit
def frames(dh: Array, q: Array, out: Array) -> None:
    """Write the frame before each joint and the flange into `out` (7, 3, 4); z of out[i] is the axis of joint i."""
    for row in range(3):
        for column in range(4):
            out[0, row, column] = 1.0 if row == column else 0.0
    for i in range(6):
        a, d, alpha = dh[i, 0], dh[i, 1], dh[i, 2]
        theta = q[i] + dh[i, 3]
        ct, st, ca, sa = math.cos(theta), math.sin(theta), math.cos(alpha), math.sin(alpha)
        for row in range(3):
            x, y, z, p = out[i, row, 0], out[i, row, 1], out[i, row, 2], out[i, row, 3]
            u = ct * x + st * y
            v = ct * y - st * x
            out[i + 1, row, 0] = u
            out[i + 1, row, 1] = ca * v + sa * z
            out[i + 1, row, 2] = ca * z - sa * v
            out[i + 1, row, 3] = p + d * z + a * u


@jit
def tool_jacobian(T: Array, tool: Array, J: Array, tip: Array) -> None:
    """Write the tool (3, 4) and the (6, 6) geometric Jacobian at its point, base axes, from `frames` T and the tool."""
    for row in range(3):
        for column in range(3):
            tip[row, column] = (
                T[6, row, 0] * tool[0, column] + T[6, row, 1] * tool[1, column] + T[6, row, 2] * tool[2, column]
            )
        tip[row, 3] = T[6, row, 3] + T[6, row, 0] * tool[0, 3] + T[6, row, 1] * tool[1, 3] + T[6, row, 2] * tool[2, 3]
    for i in range(6):
        wx, wy, wz = T[i, 0, 2], T[i, 1, 2], T[i, 2, 2]
        dx, dy, dz = tip[0, 3] - T[i, 0, 3], tip[1, 3] - T[i, 1, 3], tip[2, 3] - T[i, 2, 3]
        J[0, i], J[1, i], J[2, i] = wy * dz - wz * dy, wz * dx - wx * dz, wx * dy - wy * dx
        J[3, i], J[4, i], J[5, i] = wx, wy, wz


@jit
def gravity_moments(T: Array, mass: Array, com: Array, payload: Array, gravity: Array, out: Array, own: Array) -> None:
    """Write the moments that hold the arm against gravity (6,), and the inertia each axis feels (6,).

    `com` (6, 3) in the frame of each link; `payload`: mass and its centre (4,) in the flange.
    """
    for i in range(6):
        out[i] = 0.0
        own[i] = 0.02
    for k in range(7):
        if k < 6:
            m, cx, cy, cz, link = mass[k], com[k, 0], com[k, 1], com[k, 2], k + 1
        else:
            m, cx, cy, cz, link = payload[0], payload[1], payload[2], payload[3], 6
        x = T[link, 0, 3] + T[link, 0, 0] * cx + T[link, 0, 1] * cy + T[link, 0, 2] * cz
        y = T[link, 1, 3] + T[link, 1, 0] * cx + T[link, 1, 1] * cy + T[link, 1, 2] * cz
        z = T[link, 2, 3] + T[link, 2, 0] * cx + T[link, 2, 1] * cy + T[link, 2, 2] * cz
        for i in range(min(k + 1, 6)):
            wx, wy, wz = T[i, 0, 2], T[i, 1, 2], T[i, 2, 2]
            dx, dy, dz = x - T[i, 0, 3], y - T[i, 1, 3], z - T[i, 2, 3]
            vx, vy, vz = wy * dz - wz * dy, wz * dx - wx * dz, wx * dy - wy * dx
            out[i] += m * (vx * gravity[0] + vy * gravity[1] + vz * gravity[2])
            own[i] += m * (vx * vx + vy * vy + vz * vz)


@jit
def pose_of(T: Array, out: Array) -> None:
    """Write p[x, y, z, rx, ry, rz] of a (3, 4) transform into `out` (6,)."""
    out[0], out[1], out[2] = T[0, 3], T[1, 3], T[2, 3]
    rotation_vector(T, out[3:])


@jit
def transform_of(pose: Array, out: Array) -> None:
    """Write the transform of p[x, y, z, rx, ry, rz] into the first three rows of `out`."""
    x, y, z = pose[3], pose[4], pose[5]
    angle = math.sqrt(x * x + y * y + z * z)
    a = math.sin(angle) / angle if angle > 1e-8 else 1.0
    half = math.sin(0.5 * angle) / (0.5 * angle) if angle > 1e-8 else 1.0
    b, c = 0.5 * half * half, math.cos(angle)
    out[0, 0], out[0, 1], out[0, 2] = c + b * x * x, b * x * y - a * z, b * x * z + a * y
    out[1, 0], out[1, 1], out[1, 2] = b * x * y + a * z, c + b * y * y, b * y * z - a * x
    out[2, 0], out[2, 1], out[2, 2] = b * x * z - a * y, b * y * z + a * x, c + b * z * z
    out[0, 3], out[1, 3], out[2, 3] = pose[0], pose[1], pose[2]
