"""Closed form for arms like Universal Robots': axes 2, 3 and 4 parallel, 1, 5 square to them, 5 and 6 meet square.

The arm is seen in its own axes as in `spherical.py`; the point where axes 5 and 6 meet takes the place of
the wrist centre. Beside axis 1 the rotation of the flange is Ry(t234 + tilt) Rz(t5) Ry(t6).

Joint by joint: 1 from where the point of axes 5 and 6 is seen from above, 5 and 6 from what is left of the rotation,
then a triangle for 2, 3 and 4; as in the source, but in the arm's own axes, so that any arm of this shape is solved.

Source: K. P. Hawkins, Analytic inverse kinematics for the Universal Robots UR-5/UR-10 arms, Georgia Tech 2013.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .planar import in_own_axes, is_transform, placed, shoulder_radius, two_links, within
from .trig import angle_of, sine_cosine

Array = NDArray[np.float64]

CONSTANTS = 56
"""Length of the constants.

0:18 index in q, lower, upper of each joint, 18:27 rotation base to own axes, 27:30 origin, 30:33 meeting point of
axes 5 and 6 in the flange frame, 33:42 right factor of the rotation, 42 radius of axis 2, 43 sideways offset,
44 45 46 lengths of the links, 47 48 49 their directions at zero, 50 tilt of axis 5, 51 axis 5 at its zero,
52 53 signs of axes 3 and 4, 54 55 cosine and sine of link 3's direction less the tilt.
"""
FREE_RADIUS = 1e-12
FREE_SINE = 2e-12
"""Below these an angle is free and takes the seed's value; the pose is then still met to that distance."""


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
    wx, wy, wz, n00, n01, n02, n10, n11, n12, n20, _, n22 = in_own_axes(g, T)

    offset, first, second, third = g[43], g[44], g[45], g[46]
    rho = math.sqrt(wx * wx + wy * wy)
    radius = shoulder_radius(rho, offset)
    j1, j2, j3, j4, j5, j6 = int(g[0]), int(g[3]), int(g[6]), int(g[9]), int(g[12]), int(g[15])
    sin_6, cos_6 = sine_cosine(seed[j6])
    for shoulder in range(2):
        r = -radius if shoulder else radius
        if rho < FREE_RADIUS:
            t1 = seed[j1] + math.pi * shoulder
            s1, c1 = sine_cosine(t1)
        else:
            square = rho * rho
            c1, s1 = (wx * r + wy * offset) / square, (wy * r - wx * offset) / square
            t1 = angle_of(s1, c1)
        m00, m02 = c1 * n00 + s1 * n10, c1 * n02 + s1 * n12
        m10, m11, m12 = c1 * n10 - s1 * n00, c1 * n11 - s1 * n01, c1 * n12 - s1 * n02
        kx, ky = r - g[42], -wz
        s5 = math.sqrt(m10 * m10 + m12 * m12)
        t5 = angle_of(s5, m11)
        aside, along = m12 * cos_6 - m10 * sin_6, m10 * cos_6 + m12 * sin_6
        free = s5 < FREE_SINE
        for wrist in range(2):
            side = -1.0 if wrist else 1.0
            if free or (abs(aside) < FREE_SINE and side * along > 0.0):
                # Also where s5 is small but not zero and rounding alone would move axis 6 away from the seed.
                turned = free and wrist == 1
                t6 = seed[j6] + (math.pi if turned else 0.0)
                c6, s6 = (-cos_6, -sin_6) if turned else (cos_6, sin_6)
            else:
                c6, s6 = side * m10 / s5, side * m12 / s5
                t6 = angle_of(s6, c6)
            # The turn of axes 2 to 4 from what axis 6 leaves: exact however small s5 is.
            cx, cy = c6 * n22 - s6 * n20, c6 * m02 - s6 * m00
            whole = angle_of(cy, cx) - g[50]
            # Link 3 hangs at the angle of (cx, cy), turned by its direction at zero less the tilt.
            stretch = third / math.sqrt(cx * cx + cy * cy)
            lx, ly = stretch * (cx * g[54] - cy * g[55]), stretch * (cx * g[55] + cy * g[54])
            if free:
                x = g[49] + whole - angle_of(ky, kx)
                change = _turn_into_reach(x, math.sqrt(kx * kx + ky * ky), third, first, second) - x
                whole += change
                t6 += change if m11 < 0.0 else -change
                lx, ly = third * math.cos(g[49] + whole), third * math.sin(g[49] + whole)
            ux, uy = kx - lx, ky - ly
            distance = math.sqrt(ux * ux + uy * uy)
            cosine, sine = two_links(distance, first, second)
            bend = angle_of(sine, cosine)
            q1, q5 = placed(g, seed, 0, t1), placed(g, seed, 4, (-t5 if wrist else t5) + g[51])
            q6 = placed(g, seed, 5, t6)
            outer_inside = within(g, 0, q1) and within(g, 4, q5) and within(g, 5, q6)
            vx = first + second * cosine
            for elbow in range(2):
                branch = 4 * shoulder + 2 * elbow + wrist
                row = Q[branch]
                if math.isnan(cosine):
                    mask[branch] = False
                    for j in range(6):
                        row[j] = math.nan
                    continue
                t3 = (-bend if elbow else bend) + g[47] - g[48]
                vy = -second * sine if elbow else second * sine
                ax, ay = ux * vx + uy * vy, uy * vx - ux * vy
                t2 = angle_of(ay, ax) - g[47]
                if ax * ax + ay * ay < FREE_RADIUS**4:
                    t2 = seed[j2]
                q2, q3 = placed(g, seed, 1, t2), placed(g, seed, 2, g[52] * t3)
                q4 = placed(g, seed, 3, g[53] * (whole - t2 - t3))
                row[j1], row[j2], row[j3], row[j4], row[j5], row[j6] = q1, q2, q3, q4, q5, q6
                mask[branch] = outer_inside and within(g, 1, q2) and within(g, 2, q3) and within(g, 3, q4)


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
