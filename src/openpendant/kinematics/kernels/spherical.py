"""Closed form for arms with a spherical wrist: axes 2 and 3 parallel, 1 square to them, 4-5-6 meet in one point.

The arm is seen in its own axes: z along axis 1, y along axis 2, origin on axis 1 at the height of axis 2.
A point of the arm's plane is the complex number x - i z, so that a turn about y is a multiplication.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .planar import LIMIT_TOLERANCE, is_transform, nearest_turn, shoulder_radius, two_links

__all__ = ["CONSTANTS", "solve", "solve_batch"]

Array = NDArray[np.float64]

CONSTANTS = 61
"""Length of the constants.

0:9 rotation base to own axes, 9:12 origin, 12:15 wrist centre in the flange frame, 15:24 right factor
and 24:33 left factor of the wrist's rotation, 33 radius of axis 2, 34 sideways offset, 35 36 lengths of
the links, 37 38 their directions at zero, 39 40 cosine and sine of the second one, 41 axis 5 when
axes 4 and 6 are in line, 42 sign of axis 3, 43:61 index in q, lower, upper of each joint.
"""
JOINTS = 43
FREE_RADIUS = 1e-12
FREE_SINE = 2e-12
"""Below these an angle is free and takes the seed's value; the pose is then still met to that distance."""


@jit
def _place(constants: Array, seed: Array, row: Array, joint: int, value: float) -> bool:
    k = JOINTS + 3 * joint
    j = int(constants[k])
    lower, upper = constants[k + 1], constants[k + 2]
    value = nearest_turn(value, seed[j], lower, upper)
    row[j] = value
    return lower - LIMIT_TOLERANCE <= value <= upper + LIMIT_TOLERANCE


@jit
def _solve(g: Array, T: Array, seed: Array, Q: Array, mask: NDArray[np.bool_]) -> None:
    # Gᵀ R, the wrist centre w, and N = Gᵀ R K
    h00 = g[0] * T[0, 0] + g[1] * T[1, 0] + g[2] * T[2, 0]
    h01 = g[0] * T[0, 1] + g[1] * T[1, 1] + g[2] * T[2, 1]
    h02 = g[0] * T[0, 2] + g[1] * T[1, 2] + g[2] * T[2, 2]
    h10 = g[3] * T[0, 0] + g[4] * T[1, 0] + g[5] * T[2, 0]
    h11 = g[3] * T[0, 1] + g[4] * T[1, 1] + g[5] * T[2, 1]
    h12 = g[3] * T[0, 2] + g[4] * T[1, 2] + g[5] * T[2, 2]
    h20 = g[6] * T[0, 0] + g[7] * T[1, 0] + g[8] * T[2, 0]
    h21 = g[6] * T[0, 1] + g[7] * T[1, 1] + g[8] * T[2, 1]
    h22 = g[6] * T[0, 2] + g[7] * T[1, 2] + g[8] * T[2, 2]
    px, py, pz = T[0, 3] - g[9], T[1, 3] - g[10], T[2, 3] - g[11]
    wx = g[0] * px + g[1] * py + g[2] * pz + h00 * g[12] + h01 * g[13] + h02 * g[14]
    wy = g[3] * px + g[4] * py + g[5] * pz + h10 * g[12] + h11 * g[13] + h12 * g[14]
    wz = g[6] * px + g[7] * py + g[8] * pz + h20 * g[12] + h21 * g[13] + h22 * g[14]
    n00 = h00 * g[15] + h01 * g[18] + h02 * g[21]
    n01 = h00 * g[16] + h01 * g[19] + h02 * g[22]
    n02 = h00 * g[17] + h01 * g[20] + h02 * g[23]
    n10 = h10 * g[15] + h11 * g[18] + h12 * g[21]
    n11 = h10 * g[16] + h11 * g[19] + h12 * g[22]
    n12 = h10 * g[17] + h11 * g[20] + h12 * g[23]
    n20 = h20 * g[15] + h21 * g[18] + h22 * g[21]
    n21 = h20 * g[16] + h21 * g[19] + h22 * g[22]
    n22 = h20 * g[17] + h21 * g[20] + h22 * g[23]

    offset, first, second = g[34], g[35], g[36]
    rho = math.sqrt(wx * wx + wy * wy)
    radius = shoulder_radius(rho, offset)
    seed_1, seed_2, seed_4 = seed[int(g[JOINTS])], seed[int(g[JOINTS + 3])], seed[int(g[JOINTS + 9])]
    for shoulder in range(2):
        base = 4 * shoulder
        r = -radius if shoulder else radius
        if rho < FREE_RADIUS:
            t1 = seed_1 + math.pi * shoulder
            c1, s1 = math.cos(t1), math.sin(t1)
        else:
            # e^(i t1) = (wx + i wy) / (r + i offset)
            square = rho * rho
            c1, s1 = (wx * r + wy * offset) / square, (wy * r - wx * offset) / square
            t1 = math.atan2(s1, c1)
        ux, uy = r - g[33], -wz
        distance = math.sqrt(ux * ux + uy * uy)
        cosine, sine = two_links(distance, first, second)
        if math.isnan(cosine):
            for branch in range(base, base + 4):
                mask[branch] = False
                for j in range(6):
                    Q[branch, j] = math.nan
            continue
        m00, m01, m02 = c1 * n00 + s1 * n10, c1 * n01 + s1 * n11, c1 * n02 + s1 * n12
        m10, m11, m12 = c1 * n10 - s1 * n00, c1 * n11 - s1 * n01, c1 * n12 - s1 * n02
        bend = math.atan2(sine, cosine)
        vx = first + second * cosine
        for elbow in range(2):
            ce, se, t3 = cosine, sine, bend
            if elbow:
                se, t3 = -sine, -bend
            vy = second * se
            # e^(i (t2 + direction of link 1)) = u conj(v) / |u v|
            ax, ay = ux * vx + uy * vy, uy * vx - ux * vy
            norm = math.sqrt(ax * ax + ay * ay)
            if norm < FREE_RADIUS * FREE_RADIUS:
                ax, ay = math.cos(seed_2 + g[37]), math.sin(seed_2 + g[37])
            else:
                ax, ay = ax / norm, ay / norm
            t2 = math.atan2(ay, ax) - g[37]
            # turn of link 2, minus its direction at zero: t2 + t3
            bx, by = ax * ce - ay * se, ax * se + ay * ce
            c, s = bx * g[39] + by * g[40], by * g[39] - bx * g[40]
            t3 = t3 + g[37] - g[38]
            # Ry(-t23) Rz(-t1) N, then the left factor
            e00, e01, e02 = c * m00 - s * n20, c * m01 - s * n21, c * m02 - s * n22
            e20, e21, e22 = s * m00 + c * n20, s * m01 + c * n21, s * m02 + c * n22
            w00 = g[24] * e00 + g[25] * m10 + g[26] * e20
            w01 = g[24] * e01 + g[25] * m11 + g[26] * e21
            w02 = g[24] * e02 + g[25] * m12 + g[26] * e22
            w10 = g[27] * e00 + g[28] * m10 + g[29] * e20
            w11 = g[27] * e01 + g[28] * m11 + g[29] * e21
            w12 = g[27] * e02 + g[28] * m12 + g[29] * e22
            w22 = g[30] * e02 + g[31] * m12 + g[32] * e22
            s5 = math.sqrt(w02 * w02 + w12 * w12)
            if s5 < FREE_SINE:
                t4 = seed_4
                c4, s4 = math.cos(t4), math.sin(t4)
            else:
                t4 = math.atan2(w12, w02)
                c4, s4 = w02 / s5, w12 / s5
            t5 = math.atan2(s5, w22)
            # Axis 6 from axis 4, not from its own row: exact however small s5 is.
            t6 = math.atan2(c4 * w10 - s4 * w00, c4 * w11 - s4 * w01)
            for wrist in range(2):
                branch = base + 2 * elbow + wrist
                row = Q[branch]
                inside = _place(g, seed, row, 0, t1)
                inside = _place(g, seed, row, 1, t2) and inside
                inside = _place(g, seed, row, 2, g[42] * t3) and inside
                flip = math.pi * wrist
                inside = _place(g, seed, row, 3, t4 + flip) and inside
                inside = _place(g, seed, row, 4, (-t5 if wrist else t5) + g[41]) and inside
                inside = _place(g, seed, row, 5, t6 + flip) and inside
                mask[branch] = inside


@jit
def solve(constants: Array, T: Array, seed: Array, Q: Array, mask: NDArray[np.bool_]) -> bool:
    """Write all eight branches into Q (8, 6) and mask (8,); branch = 4 shoulder + 2 elbow + wrist.

    Rows that do not exist are NaN; rows beyond a limit hold numbers with a false mask. Return False
    when T is not a transform.
    """
    if not is_transform(T):
        return False
    _solve(constants, T, seed, Q, mask)
    return True


@jit
def solve_batch(constants: Array, T: Array, seed: Array, Q: Array, mask: NDArray[np.bool_]) -> int:
    """Solve T (N, 4, 4) with seed (1, 6) or (N, 6); return the index of the first bad transform, or -1."""
    for i in range(T.shape[0]):
        if not is_transform(T[i]):
            return i
        _solve(constants, T[i], seed[i if seed.shape[0] > 1 else 0], Q[i], mask[i])
    return -1
