"""Closed form for arms with a spherical wrist: axes 2 and 3 parallel, 1 square to them, 4-5-6 meet in one point.

The arm is seen in its own axes: z along axis 1, y along axis 2, origin on axis 1 at the height of axis 2.
A point of the arm's plane is the complex number x - i z, so that a turn about y is a multiplication.

Wrist and arm come apart: axes 4-5-6 meet in a point that the first three joints place (a triangle in the arm's plane),
and what rotation is left are the Euler angles of the wrist.

Source: D. L. Pieper, The kinematics of manipulators under computer control, Stanford 1968.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .planar import in_own_axes, is_transform, placed, shoulder_radius, two_links, within
from .trig import angle_of, sine_cosine

Array = NDArray[np.float64]

CONSTANTS = 61
"""Length of the constants.

0:18 index in q, lower, upper of each joint, 18:27 rotation base to own axes, 27:30 origin, 30:33 wrist centre
in the flange frame, 33:42 right factor and 42:51 left factor of the wrist's rotation, 51 radius of axis 2,
52 sideways offset, 53 54 lengths of the links, 55 56 their directions at zero, 57 58 cosine and sine of
the second one, 59 axis 5 when axes 4 and 6 are in line, 60 sign of axis 3.
"""
FREE_RADIUS = 1e-12
FREE_SINE = 2e-12
"""Below these an angle is free and takes the seed's value; the pose is then still met to that distance."""


@jit
def _solve(g: Array, T: Array, seed: Array, Q: Array, mask: NDArray[np.bool_]) -> None:
    wx, wy, wz, n00, n01, n02, n10, n11, n12, n20, n21, n22 = in_own_axes(g, T)

    offset, first, second = g[52], g[53], g[54]
    rho = math.sqrt(wx * wx + wy * wy)
    radius = shoulder_radius(rho, offset)
    j1, j2, j3, j4, j5, j6 = int(g[0]), int(g[3]), int(g[6]), int(g[9]), int(g[12]), int(g[15])
    sin_4, cos_4 = sine_cosine(seed[j4])
    for shoulder in range(2):
        base = 4 * shoulder
        r = -radius if shoulder else radius
        if rho < FREE_RADIUS:
            t1 = seed[j1] + math.pi * shoulder
            s1, c1 = sine_cosine(t1)
        else:
            # e^(i t1) = (wx + i wy) / (r + i offset)
            square = rho * rho
            c1, s1 = (wx * r + wy * offset) / square, (wy * r - wx * offset) / square
            t1 = angle_of(s1, c1)
        ux, uy = r - g[51], -wz
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
        q1 = placed(g, seed, 0, t1)
        q1_inside = within(g, 0, q1)
        bend = angle_of(sine, cosine)
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
                ay, ax = sine_cosine(seed[j2] + g[55])
            else:
                ax, ay = ax / norm, ay / norm
            t2 = angle_of(ay, ax) - g[55]
            # turn of link 2, minus its direction at zero: t2 + t3
            bx, by = ax * ce - ay * se, ax * se + ay * ce
            c, s = bx * g[57] + by * g[58], by * g[57] - bx * g[58]
            t3 = t3 + g[55] - g[56]
            # Ry(-t23) Rz(-t1) N, then the left factor
            e00, e01, e02 = c * m00 - s * n20, c * m01 - s * n21, c * m02 - s * n22
            e20, e21, e22 = s * m00 + c * n20, s * m01 + c * n21, s * m02 + c * n22
            w00 = g[42] * e00 + g[43] * m10 + g[44] * e20
            w01 = g[42] * e01 + g[43] * m11 + g[44] * e21
            w02 = g[42] * e02 + g[43] * m12 + g[44] * e22
            w10 = g[45] * e00 + g[46] * m10 + g[47] * e20
            w11 = g[45] * e01 + g[46] * m11 + g[47] * e21
            w12 = g[45] * e02 + g[46] * m12 + g[47] * e22
            w22 = g[48] * e02 + g[49] * m12 + g[50] * e22
            s5 = math.sqrt(w02 * w02 + w12 * w12)
            if abs(w12 * cos_4 - w02 * sin_4) < FREE_SINE:
                # Also where s5 is small but not zero and rounding alone would move axis 4 away from the seed.
                back = w02 * cos_4 + w12 * sin_4 < -FREE_SINE
                t4 = seed[j4] + (math.pi if back else 0.0)
                c4, s4 = (-cos_4, -sin_4) if back else (cos_4, sin_4)
            else:
                t4 = angle_of(w12, w02)
                c4, s4 = w02 / s5, w12 / s5
            t5 = angle_of(s5, w22)
            # Axis 6 from axis 4, not from its own row: exact however small s5 is.
            t6 = angle_of(c4 * w10 - s4 * w00, c4 * w11 - s4 * w01)
            q2, q3 = placed(g, seed, 1, t2), placed(g, seed, 2, g[60] * t3)
            arm_inside = q1_inside and within(g, 1, q2) and within(g, 2, q3)
            for wrist in range(2):
                flip = math.pi * wrist
                q4 = placed(g, seed, 3, t4 + flip)
                q5 = placed(g, seed, 4, (-t5 if wrist else t5) + g[59])
                q6 = placed(g, seed, 5, t6 + flip)
                branch = base + 2 * elbow + wrist
                row = Q[branch]
                row[j1], row[j2], row[j3], row[j4], row[j5], row[j6] = q1, q2, q3, q4, q5, q6
                mask[branch] = arm_inside and within(g, 3, q4) and within(g, 4, q5) and within(g, 5, q6)


@jit
def solve(constants: Array, T: Array, seed: Array, Q: Array, mask: NDArray[np.bool_]) -> bool:
    """Write all eight branches into Q (8, 6) and mask (8,); branch = 4 shoulder + 2 elbow + wrist.

    Rows that do not exist are NaN; rows beyond a limit hold numbers with a false mask. Return False
    when T is not a transform.
    """
    if not is_transform(T, seed):
        return False
    _solve(constants, T, seed, Q, mask)
    return True


@jit
def solve_batch(constants: Array, T: Array, seed: Array, Q: Array, mask: NDArray[np.bool_]) -> int:
    """Solve T (N, 4, 4) with seed (1, 6) or (N, 6); return the index of the first bad transform, or -1."""
    for i in range(T.shape[0]):
        start = seed[i if seed.shape[0] > 1 else 0]
        if not is_transform(T[i], start):
            return i
        _solve(constants, T[i], start, Q[i], mask[i])
    return -1
