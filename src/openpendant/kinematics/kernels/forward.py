"""Forward kinematics and Jacobian of a packed chain.

A packed chain is one flat array, because every array argument costs 30 ns at the call: for each joint
from the base STRIDE numbers (below), then the flange as 9 + 3 numbers. Inside, every joint turns about
its own z axis; the turn that brings z onto the real axis is folded into the constant parts.

The product of the frames, unrolled; the geometric Jacobian column by column, axis × arm.

Source: D. E. Whitney, Resolved motion rate control of manipulators and human prostheses, IEEE Trans. Man-Machine
Systems 10(2), 1969.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .planar import LIMIT_TOLERANCE
from .trig import sine_cosine

Array = NDArray[np.float64]

STRIDE = 25
"""9 R and 3 p from the joint before, 1 if it slides, index in q, lower, upper, 9 R back to the joint's own frame."""
TAIL = 12


@jit
def forward(packed: Array, q: Array, out: Array) -> None:
    """Write the (4, 4) flange pose for q into `out`."""
    n = (packed.shape[0] - TAIL) // STRIDE
    xx, xy, xz = 1.0, 0.0, 0.0
    yx, yy, yz = 0.0, 1.0, 0.0
    zx, zy, zz = 0.0, 0.0, 1.0
    px, py, pz = 0.0, 0.0, 0.0
    for i in range(n + 1):
        k = STRIDE * i
        a0, a1, a2 = packed[k], packed[k + 1], packed[k + 2]
        a3, a4, a5 = packed[k + 3], packed[k + 4], packed[k + 5]
        a6, a7, a8 = packed[k + 6], packed[k + 7], packed[k + 8]
        b0, b1, b2 = packed[k + 9], packed[k + 10], packed[k + 11]
        px += xx * b0 + yx * b1 + zx * b2
        py += xy * b0 + yy * b1 + zy * b2
        pz += xz * b0 + yz * b1 + zz * b2
        ux, uy, uz = xx * a0 + yx * a3 + zx * a6, xy * a0 + yy * a3 + zy * a6, xz * a0 + yz * a3 + zz * a6
        vx, vy, vz = xx * a1 + yx * a4 + zx * a7, xy * a1 + yy * a4 + zy * a7, xz * a1 + yz * a4 + zz * a7
        zx, zy, zz = xx * a2 + yx * a5 + zx * a8, xy * a2 + yy * a5 + zy * a8, xz * a2 + yz * a5 + zz * a8
        if i == n:
            xx, xy, xz, yx, yy, yz = ux, uy, uz, vx, vy, vz
        else:
            value = q[int(packed[k + 13])]
            if packed[k + 12] == 0.0:
                s, c = sine_cosine(value)
                xx, xy, xz = c * ux + s * vx, c * uy + s * vy, c * uz + s * vz
                yx, yy, yz = c * vx - s * ux, c * vy - s * uy, c * vz - s * uz
            else:
                px, py, pz = px + value * zx, py + value * zy, pz + value * zz
                xx, xy, xz, yx, yy, yz = ux, uy, uz, vx, vy, vz
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = xx, yx, zx, px
    out[1, 0], out[1, 1], out[1, 2], out[1, 3] = xy, yy, zy, py
    out[2, 0], out[2, 1], out[2, 2], out[2, 3] = xz, yz, zz, pz
    out[3, 0], out[3, 1], out[3, 2], out[3, 3] = 0.0, 0.0, 0.0, 1.0


@jit
def forward_checked(packed: Array, q: Array, out: Array) -> bool:
    """Like `forward`, but return False and leave `out` alone when a joint is not finite or beyond its limits."""
    for i in range((packed.shape[0] - TAIL) // STRIDE):
        k = STRIDE * i
        value = q[int(packed[k + 13])]
        # Written so that NaN fails too.
        if not (packed[k + 14] - LIMIT_TOLERANCE <= value <= packed[k + 15] + LIMIT_TOLERANCE) or math.isinf(value):
            return False
    forward(packed, q, out)
    return True


@jit
def forward_batch(packed: Array, q: Array, out: Array) -> None:
    """Write the flange poses for q (N, n) into `out` (N, 4, 4)."""
    for i in range(q.shape[0]):
        forward(packed, q[i], out[i])


@jit
def forward_frames(packed: Array, q: Array, out: Array) -> None:
    """Write the frame of each joint after turning, in the chain's order, then the flange, into `out` (n + 1, 4, 4)."""
    n = (packed.shape[0] - TAIL) // STRIDE
    R = np.eye(3)
    p = np.zeros(3)
    A = np.empty((3, 3))
    for i in range(n + 1):
        k = STRIDE * i
        for row in range(3):
            for column in range(3):
                p[row] += R[row, column] * packed[k + 9 + column]
        for row in range(3):
            for column in range(3):
                A[row, column] = (
                    R[row, 0] * packed[k + column]
                    + R[row, 1] * packed[k + 3 + column]
                    + R[row, 2] * packed[k + 6 + column]
                )
        c, s = 1.0, 0.0
        if i < n:
            value = q[int(packed[k + 13])]
            if packed[k + 12] == 0.0:
                s, c = sine_cosine(value)
            else:
                for row in range(3):
                    p[row] += value * A[row, 2]
        for row in range(3):
            R[row, 0] = c * A[row, 0] + s * A[row, 1]
            R[row, 1] = c * A[row, 1] - s * A[row, 0]
            R[row, 2] = A[row, 2]
        for row in range(3):
            for column in range(3):
                if i < n:
                    m = k + 16 + column
                    out[i, row, column] = R[row, 0] * packed[m] + R[row, 1] * packed[m + 3] + R[row, 2] * packed[m + 6]
                else:
                    out[i, row, column] = R[row, column]
            out[i, row, 3] = p[row]
            out[i, 3, row] = 0.0
        out[i, 3, 3] = 1.0


@jit
def jacobian(packed: Array, q: Array, T: Array, out: Array) -> None:
    """Write the flange pose into `T` (4, 4) and the geometric Jacobian at the flange origin into `out` (6, n).

    Base axes, linear rows first, columns in the order of q. Columns of joints that are not in the
    packed chain are left alone.
    """
    n = (packed.shape[0] - TAIL) // STRIDE
    xx, xy, xz = 1.0, 0.0, 0.0
    yx, yy, yz = 0.0, 1.0, 0.0
    zx, zy, zz = 0.0, 0.0, 1.0
    px, py, pz = 0.0, 0.0, 0.0
    for i in range(n + 1):
        k = STRIDE * i
        a0, a1, a2 = packed[k], packed[k + 1], packed[k + 2]
        a3, a4, a5 = packed[k + 3], packed[k + 4], packed[k + 5]
        a6, a7, a8 = packed[k + 6], packed[k + 7], packed[k + 8]
        b0, b1, b2 = packed[k + 9], packed[k + 10], packed[k + 11]
        px += xx * b0 + yx * b1 + zx * b2
        py += xy * b0 + yy * b1 + zy * b2
        pz += xz * b0 + yz * b1 + zz * b2
        ux, uy, uz = xx * a0 + yx * a3 + zx * a6, xy * a0 + yy * a3 + zy * a6, xz * a0 + yz * a3 + zz * a6
        vx, vy, vz = xx * a1 + yx * a4 + zx * a7, xy * a1 + yy * a4 + zy * a7, xz * a1 + yz * a4 + zz * a7
        zx, zy, zz = xx * a2 + yx * a5 + zx * a8, xy * a2 + yy * a5 + zy * a8, xz * a2 + yz * a5 + zz * a8
        xx, xy, xz, yx, yy, yz = ux, uy, uz, vx, vy, vz
        if i < n:
            j = int(packed[k + 13])
            value = q[j]
            # The first three rows hold the joint's place until the flange is known.
            out[0, j], out[1, j], out[2, j] = px, py, pz
            out[3, j], out[4, j], out[5, j] = zx, zy, zz
            if packed[k + 12] == 0.0:
                s, c = sine_cosine(value)
                xx, xy, xz = c * ux + s * vx, c * uy + s * vy, c * uz + s * vz
                yx, yy, yz = c * vx - s * ux, c * vy - s * uy, c * vz - s * uz
            else:
                px, py, pz = px + value * zx, py + value * zy, pz + value * zz
    for i in range(n):
        k = STRIDE * i
        j = int(packed[k + 13])
        wx, wy, wz = out[3, j], out[4, j], out[5, j]
        if packed[k + 12] == 0.0:
            dx, dy, dz = px - out[0, j], py - out[1, j], pz - out[2, j]
            out[0, j], out[1, j], out[2, j] = wy * dz - wz * dy, wz * dx - wx * dz, wx * dy - wy * dx
        else:
            out[0, j], out[1, j], out[2, j] = wx, wy, wz
            out[3, j], out[4, j], out[5, j] = 0.0, 0.0, 0.0
    T[0, 0], T[0, 1], T[0, 2], T[0, 3] = xx, yx, zx, px
    T[1, 0], T[1, 1], T[1, 2], T[1, 3] = xy, yy, zy, py
    T[2, 0], T[2, 1], T[2, 2], T[2, 3] = xz, yz, zz, pz
    T[3, 0], T[3, 1], T[3, 2], T[3, 3] = 0.0, 0.0, 0.0, 1.0
