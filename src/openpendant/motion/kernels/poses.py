"""Poses along Cartesian pieces of a path: lines, arcs and rounded corners.

A piece is one row of ROW numbers: kind, length of its measure, R0 (9), then by kind
  LINE, ARC: rotation vector in the tool's frame over the whole piece (3), axis that the path frame turns
             about (3) and its angle (1), then
             LINE: start (3), way (3)
             ARC: centre (3), first radius (3), second radius at 90° (3), angle (1)
  CORNER:    coefficients of a quintic for the rotation vector from R0 (6, 3) and for the position (6, 3).
The parameter w runs from 0 to the length of the measure.

Source: a rotation from its vector is Rodrigues' formula, B. Siciliano et al., Robotics: Modelling, Planning and
Control, Springer 2009, section 2.5.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]

LINE, ARC, CORNER = 0, 1, 2
ROW = 48


@jit
def _turn(x: float, y: float, z: float, R: Array) -> None:
    """Write the rotation by the rotation vector (x, y, z) into R."""
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
def pose(row: Array, w: float, A: Array, B: Array, out: Array) -> None:
    """Write the (4, 4) pose at w into `out`; A and B are (3, 3) scratch."""
    x = w / row[1]
    if row[0] == 2.0:
        r0, r1, r2 = row[26], row[27], row[28]
        p0, p1, p2 = row[44], row[45], row[46]
        for k in range(4, -1, -1):
            r0, r1, r2 = r0 * x + row[11 + 3 * k], r1 * x + row[12 + 3 * k], r2 * x + row[13 + 3 * k]
            p0, p1, p2 = p0 * x + row[29 + 3 * k], p1 * x + row[30 + 3 * k], p2 * x + row[31 + 3 * k]
        _turn(r0, r1, r2, A)
    else:
        _turn(row[11] * x, row[12] * x, row[13] * x, A)
        if row[0] == 0.0:
            p0, p1, p2 = row[18] + x * row[21], row[19] + x * row[22], row[20] + x * row[23]
        else:
            c, s = math.cos(x * row[27]), math.sin(x * row[27])
            p0 = row[18] + c * row[21] + s * row[24]
            p1 = row[19] + c * row[22] + s * row[25]
            p2 = row[20] + c * row[23] + s * row[26]
    for i in range(3):
        for j in range(3):
            B[i, j] = row[2 + 3 * i] * A[0, j] + row[3 + 3 * i] * A[1, j] + row[4 + 3 * i] * A[2, j]
    if row[0] != 2.0 and row[17] != 0.0:
        f = x * row[17]
        _turn(f * row[14], f * row[15], f * row[16], A)
        for i in range(3):
            for j in range(3):
                out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]
    else:
        for i in range(3):
            for j in range(3):
                out[i, j] = B[i, j]
    out[0, 3], out[1, 3], out[2, 3] = p0, p1, p2
    out[3, 0], out[3, 1], out[3, 2], out[3, 3] = 0.0, 0.0, 0.0, 1.0


@jit
def poses(row: Array, w: Array, T_tool_flange: Array, out: Array) -> None:
    """Write the pose at each w, times a fixed transform from the right, into out (N, 4, 4)."""
    A, B, T = np.empty((3, 3)), np.empty((3, 3)), np.empty((4, 4))
    for k in range(w.shape[0]):
        pose(row, w[k], A, B, T)
        for i in range(3):
            for j in range(4):
                total = T[i, 0] * T_tool_flange[0, j] + T[i, 1] * T_tool_flange[1, j] + T[i, 2] * T_tool_flange[2, j]
                out[k, i, j] = total + T[i, 3] * T_tool_flange[3, j]
        out[k, 3, 0], out[k, 3, 1], out[k, 3, 2], out[k, 3, 3] = 0.0, 0.0, 0.0, 1.0
