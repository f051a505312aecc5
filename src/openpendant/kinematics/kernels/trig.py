"""Sine, cosine and angle that compile into their callers; the C library's take two to three times as long.

The angle is reduced to ±π/4 with π/2 in three parts.

Source: W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980.
"""

import math

from .compile import jit

TAN_PI_8 = 0.41421356237309503
QUARTER = 0.25 * math.pi
HALF = 0.5 * math.pi

# Interpolation of atan(t)/t in t² at the Chebyshev points of 0 … tan²(pi/8), computed with 40 digits;
# it errs by 4e-18, so what remains is rounding: at most 4.5e-16 over the whole circle.
A0, A1, A2, A3 = 1.0, -0.3333333333333312, 0.19999999999940893, -0.14285714279250245
A4, A5, A6, A7 = 0.11111110744919658, -0.09090896809064027, 0.07692045330902225, -0.06662951813629191
A8, A9, A10, A11 = 0.05846878297330872, -0.05035102456601552, 0.03796525745386593, -0.017805397205419446

# The same for (sin(r)/r - 1)/r² and (cos(r) - 1 + r²/2)/r⁴ in r² on 0 … (pi/4)²; both err by less than 2e-17.
S0, S1, S2 = -0.16666666666666666, 0.008333333333330948, -0.00019841269836756774
S3, S4, S5 = 2.7557316101617874e-06, -2.505113165023518e-08, 1.5918115263265974e-10
C0, C1, C2 = 0.041666666666666664, -0.0013888888888887398, 2.480158729876456e-05
C3, C4, C5 = -2.7557317271145144e-07, 2.087614614655861e-09, -1.1382623647474604e-11

# pi/2 in three parts; the first has 33 bits, so that up to a million radians its multiples are exact.
HALF_1, HALF_2, HALF_3 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
PER_HALF = 2.0 / math.pi
FARTHEST = 1e6


@jit
def sine_cosine(angle: float) -> tuple[float, float]:
    """Return sine and cosine, right to 2.3e-16."""
    if not abs(angle) < FARTHEST:
        return math.sin(angle), math.cos(angle)
    quarters = math.floor(angle * PER_HALF + 0.5)
    r = ((angle - quarters * HALF_1) - quarters * HALF_2) - quarters * HALF_3
    z = r * r
    z2 = z * z
    s = r + r * z * ((S0 + S1 * z) + z2 * ((S2 + S3 * z) + z2 * (S4 + S5 * z)))
    c = 1.0 - (0.5 * z - z2 * ((C0 + C1 * z) + z2 * ((C2 + C3 * z) + z2 * (C4 + C5 * z))))
    n = int(quarters) & 3
    sine = c if n & 1 else s
    cosine = s if n & 1 else c
    return -sine if n & 2 else sine, -cosine if (n + 1) & 2 else cosine


@jit
def angle_of(y: float, x: float) -> float:
    """Return the angle of the vector (x, y) in [-pi, pi]; 0 for the zero vector."""
    across, up = abs(x), abs(y)
    great, small = max(across, up), min(across, up)
    if great == 0.0:
        return 0.0
    steep = small > TAN_PI_8 * great
    t = (small - great if steep else small) / (small + great if steep else great)
    z = t * t
    z2 = z * z
    z4 = z2 * z2
    low = (A0 + A1 * z) + (A2 + A3 * z) * z2
    middle = (A4 + A5 * z) + (A6 + A7 * z) * z2
    high = (A8 + A9 * z) + (A10 + A11 * z) * z2
    angle = t * (low + (middle + high * z4) * z4) + (QUARTER if steep else 0.0)
    angle = HALF - angle if up > across else angle
    angle = math.pi - angle if x < 0.0 else angle
    return -angle if y < 0.0 else angle
