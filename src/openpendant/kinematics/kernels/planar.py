"""Small pieces the closed forms share: one joint's turn into its limits, two links in a plane, a check of the pose.

Derivation: of the two links the law of cosines, c² = a² + b² + 2ab cos; its sine comes from Heron's product of four
sums of lengths instead of √(1 - cos²), so that it keeps its digits where the arm is stretched or folded. The plane
that stands aside of axis 1: a right triangle with hypotenuse ρ and one leg equal to the offset.
"""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.spatial import TRANSFORM_TOLERANCE

from .compile import inlined, jit

Array = NDArray[np.float64]

TWO_PI = 2.0 * math.pi
TURNS = 0.5 / math.pi
LIMIT_TOLERANCE = 1e-9
"""A joint may be this far beyond its limit (radians, metres): rounding is no fault."""
REACH_TOLERANCE = 4e-12
"""A stretched or folded arm reaches this much further, metres: rounding must not lose the solution."""


@jit
def is_transform(T: Array, seed: Array) -> bool:
    """Return whether T (4, 4) is a transform and the seed finite; where not, the caller says in words what is wrong."""
    for j in range(seed.shape[0]):
        if not math.isfinite(seed[j]):
            return False
    for i in range(3):
        if not (math.isfinite(T[i, 3]) and abs(T[3, i]) <= TRANSFORM_TOLERANCE):
            return False
        for j in range(i, 3):
            dot = T[0, i] * T[0, j] + T[1, i] * T[1, j] + T[2, i] * T[2, j]
            # Written so that NaN fails too.
            if not abs(dot - (1.0 if i == j else 0.0)) <= TRANSFORM_TOLERANCE:
                return False
    triple = (
        T[0, 0] * (T[1, 1] * T[2, 2] - T[1, 2] * T[2, 1])
        - T[0, 1] * (T[1, 0] * T[2, 2] - T[1, 2] * T[2, 0])
        + T[0, 2] * (T[1, 0] * T[2, 1] - T[1, 1] * T[2, 0])
    )
    return triple > 0.0 and abs(T[3, 3] - 1.0) <= TRANSFORM_TOLERANCE


@jit
def nearest_turn(value: float, seed: float, lower: float, upper: float) -> float:
    """Return `value` plus whole turns: inside the limits and nearest to the seed, else nearest to the limits."""
    value += TWO_PI * math.floor((seed - value) * TURNS + 0.5)
    if value > upper + LIMIT_TOLERANCE:
        down = value - TWO_PI * math.ceil((value - upper - LIMIT_TOLERANCE) / TWO_PI)
        return down if lower - down <= down + TWO_PI - upper else down + TWO_PI
    if value < lower - LIMIT_TOLERANCE:
        up = value + TWO_PI * math.ceil((lower - LIMIT_TOLERANCE - value) / TWO_PI)
        return up if up - upper <= lower - up + TWO_PI else up - TWO_PI
    return value


@jit
def placed(constants: Array, seed: Array, joint: int, value: float) -> float:
    """Return `value` of a joint in the chain's order by `nearest_turn`.

    The constants of a closed form begin with index in q, lower and upper limit of each joint.
    """
    k = 3 * joint
    return nearest_turn(value, seed[int(constants[k])], constants[k + 1], constants[k + 2])


@jit
def within(constants: Array, joint: int, value: float) -> bool:
    """Return whether `value` of a joint in the chain's order is inside its limits."""
    k = 3 * joint
    return constants[k + 1] - LIMIT_TOLERANCE <= value <= constants[k + 2] + LIMIT_TOLERANCE


@inlined
def in_own_axes(g: Array, T: Array) -> tuple[float, ...]:
    """Return the point where the wrist's axes meet and the rotation of the flange, both in the arm's own axes.

    The constants of a closed form have at 18:27 the rotation Gᵀ from the base to these axes, at 27:30 their origin, at
    30:33 the point in the flange frame and at 33:42 the right factor K: N = Gᵀ R K, row by row. A call
    would take 0.1 µs.
    """
    h00 = g[18] * T[0, 0] + g[19] * T[1, 0] + g[20] * T[2, 0]
    h01 = g[18] * T[0, 1] + g[19] * T[1, 1] + g[20] * T[2, 1]
    h02 = g[18] * T[0, 2] + g[19] * T[1, 2] + g[20] * T[2, 2]
    h10 = g[21] * T[0, 0] + g[22] * T[1, 0] + g[23] * T[2, 0]
    h11 = g[21] * T[0, 1] + g[22] * T[1, 1] + g[23] * T[2, 1]
    h12 = g[21] * T[0, 2] + g[22] * T[1, 2] + g[23] * T[2, 2]
    h20 = g[24] * T[0, 0] + g[25] * T[1, 0] + g[26] * T[2, 0]
    h21 = g[24] * T[0, 1] + g[25] * T[1, 1] + g[26] * T[2, 1]
    h22 = g[24] * T[0, 2] + g[25] * T[1, 2] + g[26] * T[2, 2]
    px, py, pz = T[0, 3] - g[27], T[1, 3] - g[28], T[2, 3] - g[29]
    wx = g[18] * px + g[19] * py + g[20] * pz + h00 * g[30] + h01 * g[31] + h02 * g[32]
    wy = g[21] * px + g[22] * py + g[23] * pz + h10 * g[30] + h11 * g[31] + h12 * g[32]
    wz = g[24] * px + g[25] * py + g[26] * pz + h20 * g[30] + h21 * g[31] + h22 * g[32]
    n00 = h00 * g[33] + h01 * g[36] + h02 * g[39]
    n01 = h00 * g[34] + h01 * g[37] + h02 * g[40]
    n02 = h00 * g[35] + h01 * g[38] + h02 * g[41]
    n10 = h10 * g[33] + h11 * g[36] + h12 * g[39]
    n11 = h10 * g[34] + h11 * g[37] + h12 * g[40]
    n12 = h10 * g[35] + h11 * g[38] + h12 * g[41]
    n20 = h20 * g[33] + h21 * g[36] + h22 * g[39]
    n21 = h20 * g[34] + h21 * g[37] + h22 * g[40]
    n22 = h20 * g[35] + h21 * g[38] + h22 * g[41]
    return wx, wy, wz, n00, n01, n02, n10, n11, n12, n20, n21, n22


@jit
def shoulder_radius(rho: float, offset: float) -> float:
    """Return the radius in the arm's plane of a point `rho` from axis 1, the plane being `offset` aside of that axis.

    NaN where the point is nearer to the axis than the offset. Factorised, so that it is exact close to that.
    """
    offset = abs(offset)
    square = (rho - offset) * (rho + offset)
    if square >= 0.0:
        return math.sqrt(square)
    return 0.0 if rho >= offset - REACH_TOLERANCE else math.nan


@jit
def two_links(distance: float, first: float, second: float) -> tuple[float, float]:
    """Return cosine and sine (>= 0) of the angle between two links that span `distance`; NaN where they cannot.

    The discriminant is factorised: the expanded one loses half the digits where the arm is stretched.
    """
    outer = first + second
    inner = abs(first - second)
    cosine = distance * distance - first * first - second * second
    square = (outer - distance) * (outer + distance) * (distance - inner) * (distance + inner)
    if square < 0.0:
        if distance > outer + REACH_TOLERANCE or distance < inner - REACH_TOLERANCE:
            return math.nan, math.nan
        square = 0.0
    norm = math.sqrt(cosine * cosine + square)
    return cosine / norm, math.sqrt(square) / norm
