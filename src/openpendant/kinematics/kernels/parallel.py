"""Closed form for arms like Universal Robots': axes 2, 3 and 4 parallel, 1, 5 square to them, 5 and 6 meet square.

The arm is seen in its own axes as in `spherical.py`; the point where axes 5 and 6 meet takes the place of
the wrist centre. Beside axis 1 the rotation of the flange is Ry(t234 + tilt) Rz(t5) Ry(t6).
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .planar import LIMIT_TOLERANCE, is_transform, nearest_turn, shoulder_radius, two_links

__all__ = ["CONSTANTS", "solve", "solve_batch"]

Array = NDArray[np.float64]

CONSTANTS = 56
"""Length of the constants.

0:9 rotation base to own axes, 9:12 origin, 12:15 meeting point in the flange frame, 15:24 right factor of the
rotation, 24 radius of axis 2, 25 sideways offset, 26 27 28 lengths of the links, 29 30 31 their directions
at zero, 32 tilt of axis 5, 33 axis 5 at its zero, 34 35 signs of axes 3 and 4, 36 37 unused,
38:56 index in q, lower, upper of each joint.
"""
JOINTS = 38
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
def _turn_into_reach(x: float, radius: float, link: float, first: float, second: float) -> float:
    """Return the angle nearest to x that brings the end of `link`, hung at `radius`, into reach of two links."""
    product = 2.0 * radius * link
    if product == 0.0:
        return x
    total = radius * radius + link * link
    low = (total - (first + second) ** 2) / product
    high = (total - (first - second) ** 2) / product
    c = math.cos(x)
    if low <= c <= high or low > 1.0 or high < -1.0:
        return x
    bound = math.acos(min(1.0, max(-1.0, low if c < low else high)))
    other = x - 2.0 * math.pi * math.floor((x + math.pi) / (2.0 * math.pi))
    return x + (bound - other if other >= 0.0 else -bound - other)


@jit
def _solve(g: Array, T: Array, seed: Array, Q: Array, mask: NDArray[np.bool_]) -> None:
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
    n22 = h20 * g[17] + h21 * g[20] + h22 * g[23]

    offset, first, second, third = g[25], g[26], g[27], g[28]
    rho = math.sqrt(wx * wx + wy * wy)
    radius = shoulder_radius(rho, offset)
    seed_1, seed_2, seed_6 = seed[int(g[JOINTS])], seed[int(g[JOINTS + 3])], seed[int(g[JOINTS + 15])]
    for shoulder in range(2):
        r = -radius if shoulder else radius
        if rho < FREE_RADIUS:
            t1 = seed_1 + math.pi * shoulder
            c1, s1 = math.cos(t1), math.sin(t1)
        else:
            square = rho * rho
            c1, s1 = (wx * r + wy * offset) / square, (wy * r - wx * offset) / square
            t1 = math.atan2(s1, c1)
        m00, m02 = c1 * n00 + s1 * n10, c1 * n02 + s1 * n12
        m10, m11, m12 = c1 * n10 - s1 * n00, c1 * n11 - s1 * n01, c1 * n12 - s1 * n02
        kx, ky = r - g[24], -wz
        s5 = math.sqrt(m10 * m10 + m12 * m12)
        t5 = math.atan2(s5, m11)
        for wrist in range(2):
            free = s5 < FREE_SINE
            if free:
                t6 = seed_6 + math.pi * wrist
                c6, s6 = math.cos(t6), math.sin(t6)
            elif wrist:
                t6 = math.atan2(-m12, -m10)
                c6, s6 = -m10 / s5, -m12 / s5
            else:
                t6 = math.atan2(m12, m10)
                c6, s6 = m10 / s5, m12 / s5
            # The turn of axes 2 to 4 from what axis 6 leaves: exact however small s5 is.
            cx, cy = c6 * n22 - s6 * n20, c6 * m02 - s6 * m00
            whole = math.atan2(cy, cx) - g[32]
            direction = g[31] + whole
            if free:
                spoke = math.sqrt(kx * kx + ky * ky)
                x = direction - math.atan2(ky, kx)
                change = _turn_into_reach(x, spoke, third, first, second) - x
                direction += change
                whole += change
                t6 += change if m11 < 0.0 else -change
            ux, uy = kx - third * math.cos(direction), ky - third * math.sin(direction)
            distance = math.sqrt(ux * ux + uy * uy)
            cosine, sine = two_links(distance, first, second)
            bend = math.atan2(sine, cosine)
            vx = first + second * cosine
            for elbow in range(2):
                branch = 4 * shoulder + 2 * elbow + wrist
                row = Q[branch]
                if math.isnan(cosine):
                    mask[branch] = False
                    for j in range(6):
                        row[j] = math.nan
                    continue
                t3 = (-bend if elbow else bend) + g[29] - g[30]
                vy = -second * sine if elbow else second * sine
                ax, ay = ux * vx + uy * vy, uy * vx - ux * vy
                t2 = math.atan2(ay, ax) - g[29]
                if ax * ax + ay * ay < FREE_RADIUS**4:
                    t2 = seed_2
                inside = _place(g, seed, row, 0, t1)
                inside = _place(g, seed, row, 1, t2) and inside
                inside = _place(g, seed, row, 2, g[34] * t3) and inside
                inside = _place(g, seed, row, 3, g[35] * (whole - t2 - t3)) and inside
                inside = _place(g, seed, row, 4, (-t5 if wrist else t5) + g[33]) and inside
                inside = _place(g, seed, row, 5, t6) and inside
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
