"""Distance between two convex bodies, by the method of Gilbert, Johnson and Keerthi.

Source: E. G. Gilbert, D. W. Johnson and S. S. Keerthi, A fast procedure for computing the distance between complex
objects in three-dimensional space, IEEE Journal of Robotics and Automation 4(2), 1988.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .rows import BALL, BOUND, COUNT, FIRST, HALF, KIND, KIND_BOX, KIND_CORNERS, RADIUS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ROUNDS = 80
ABSOLUTE_M = 1e-9
"""The distance is known to this, or better."""
RELATIVE = 1e-10
INSIDE = 1e-20
"""Squared distance of cores that counts as overlap."""


@jit
def support(
    body: Floats, ints: Ints, place: Floats, corners: Floats, x: float, y: float, z: float, out: Floats
) -> None:
    """Write the point of a body's core that is farthest in direction (x, y, z) into `out`."""
    a = place[0] * x + place[3] * y + place[6] * z
    b = place[1] * x + place[4] * y + place[7] * z
    c = place[2] * x + place[5] * y + place[8] * z
    if ints[KIND] == KIND_CORNERS:
        first = ints[FIRST]
        best = first
        most = a * corners[first, 0] + b * corners[first, 1] + c * corners[first, 2]
        for i in range(first + 1, first + ints[COUNT]):
            value = a * corners[i, 0] + b * corners[i, 1] + c * corners[i, 2]
            if value > most:
                most = value
                best = i
        px, py, pz = corners[best, 0], corners[best, 1], corners[best, 2]
    elif ints[KIND] == KIND_BOX:
        px = body[HALF] if a >= 0.0 else -body[HALF]
        py = body[HALF + 1] if b >= 0.0 else -body[HALF + 1]
        pz = body[HALF + 2] if c >= 0.0 else -body[HALF + 2]
    else:
        across = math.sqrt(a * a + b * b)
        px, py = 0.0, 0.0
        if across > 0.0:
            px, py = body[HALF] * a / across, body[HALF] * b / across
        pz = body[HALF + 2] if c >= 0.0 else -body[HALF + 2]
    out[0] = place[0] * px + place[1] * py + place[2] * pz + place[9]
    out[1] = place[3] * px + place[4] * py + place[5] * pz + place[10]
    out[2] = place[6] * px + place[7] * py + place[8] * pz + place[11]


@jit
def _on_line(s: Floats, i: int, j: int, w: Floats) -> float:
    """Write the weights of the point of segment i-j nearest to the origin; return its squared distance."""
    dx, dy, dz = s[j, 0] - s[i, 0], s[j, 1] - s[i, 1], s[j, 2] - s[i, 2]
    length = dx * dx + dy * dy + dz * dz
    t = 0.0
    if length > 0.0:
        t = -(s[i, 0] * dx + s[i, 1] * dy + s[i, 2] * dz) / length
        t = min(1.0, max(0.0, t))
    w[i], w[j] = 1.0 - t, t
    x, y, z = s[i, 0] + t * dx, s[i, 1] + t * dy, s[i, 2] + t * dz
    return x * x + y * y + z * z


@jit
def _on_face(s: Floats, i: int, j: int, k: int, w: Floats) -> float:
    """Write the weights of the point of triangle i-j-k nearest to the origin; return its squared distance."""
    abx, aby, abz = s[j, 0] - s[i, 0], s[j, 1] - s[i, 1], s[j, 2] - s[i, 2]
    acx, acy, acz = s[k, 0] - s[i, 0], s[k, 1] - s[i, 1], s[k, 2] - s[i, 2]
    nx, ny, nz = aby * acz - abz * acy, abz * acx - abx * acz, abx * acy - aby * acx
    area = nx * nx + ny * ny + nz * nz
    if area > 1e-30:
        # Weights by the areas opposite to each corner, of the origin's foot in the plane.
        ax, ay, az = s[i, 0], s[i, 1], s[i, 2]
        bx, by, bz = s[j, 0], s[j, 1], s[j, 2]
        cx, cy, cz = s[k, 0], s[k, 1], s[k, 2]
        u = (nx * (by * cz - bz * cy) + ny * (bz * cx - bx * cz) + nz * (bx * cy - by * cx)) / area
        v = (nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax)) / area
        t = 1.0 - u - v
        if u >= 0.0 and v >= 0.0 and t >= 0.0:
            w[i], w[j], w[k] = u, v, t
            x, y, z = u * ax + v * bx + t * cx, u * ay + v * by + t * cy, u * az + v * bz + t * cz
            return x * x + y * y + z * z
    best = _on_line(s, i, j, w)
    wi, wj, wk = w[i], w[j], 0.0
    other = _on_line(s, i, k, w)
    if other < best:
        best = other
        wi, wj, wk = w[i], 0.0, w[k]
    other = _on_line(s, j, k, w)
    if other < best:
        best = other
        wi, wj, wk = 0.0, w[j], w[k]
    w[i], w[j], w[k] = wi, wj, wk
    return best


@jit
def _outside(s: Floats, i: int, j: int, k: int, m: int) -> bool:
    """Return whether the origin is on the far side of face i-j-k, seen from corner m; a flat solid has no inside."""
    abx, aby, abz = s[j, 0] - s[i, 0], s[j, 1] - s[i, 1], s[j, 2] - s[i, 2]
    acx, acy, acz = s[k, 0] - s[i, 0], s[k, 1] - s[i, 1], s[k, 2] - s[i, 2]
    nx, ny, nz = aby * acz - abz * acy, abz * acx - abx * acz, abx * acy - aby * acx
    inner = nx * (s[m, 0] - s[i, 0]) + ny * (s[m, 1] - s[i, 1]) + nz * (s[m, 2] - s[i, 2])
    origin = -(nx * s[i, 0] + ny * s[i, 1] + nz * s[i, 2])
    size = (nx * nx + ny * ny + nz * nz) ** 0.75
    if abs(inner) < 1e-12 * size or size == 0.0:
        return True
    return origin * inner < 0.0


@jit
def _nearest_of(s: Floats, n: int, w: Floats, trial: Floats) -> float:
    """Write the weights of the point of a simplex nearest to the origin; return its squared distance."""
    for i in range(4):
        w[i] = 0.0
    if n == 1:
        w[0] = 1.0
        return s[0, 0] * s[0, 0] + s[0, 1] * s[0, 1] + s[0, 2] * s[0, 2]
    if n == 2:
        return _on_line(s, 0, 1, w)
    if n == 3:
        return _on_face(s, 0, 1, 2, w)
    best = -1.0
    for m in range(4):
        i = 1 if m == 0 else 0
        j = 2 if m <= 1 else 1
        k = 3 if m <= 2 else 2
        if _outside(s, i, j, k, m):
            for q in range(4):
                trial[q] = 0.0
            value = _on_face(s, i, j, k, trial)
            if best < 0.0 or value < best:
                best = value
                for q in range(4):
                    w[q] = trial[q]
    if best < 0.0:
        for q in range(4):
            w[q] = 0.25
        return 0.0
    return best


@jit
def distance(
    a: Floats,
    a_ints: Ints,
    a_place: Floats,
    b: Floats,
    b_ints: Ints,
    b_place: Floats,
    corners: Floats,
    enough: float,
    work: Floats,
    points: Floats,
) -> float:
    """Return the distance of two bodies, negative where they overlap.

    A distance found to be greater than `enough` may be returned early; it is then a lower bound, and the points are
    not written. Otherwise it is the true distance within about `ABSOLUTE_M`, and where the cores do not overlap
    `points` (6,) holds the nearest points of both. Overlapping cores give minus the sum of both radii, a
    depth that is at least that.

    Args:
        a: Row of the first body; with its ints and its place (9 R, 3 p) in the world.
        a_ints: As `a`.
        a_place: As `a`.
        b: Row of the second body.
        b_ints: As `b`.
        b_place: As `b`.
        corners: Corners of all bodies.
        enough: Distances beyond need not be exact.
        work: (14, 4): room for the simplex.
        points: (6,): the nearest points, written.
    """
    axis = work[13]
    axis[:] = 0.0
    return distance_from(a, a_ints, a_place, b, b_ints, b_place, corners, enough, work, points, axis[:3])


@jit
def distance_from(
    a: Floats,
    a_ints: Ints,
    a_place: Floats,
    b: Floats,
    b_ints: Ints,
    b_place: Floats,
    corners: Floats,
    enough: float,
    work: Floats,
    points: Floats,
    axis: Floats,
) -> float:
    """Return the same as `distance`, looking first in a direction in which the bodies were apart before.

    One direction with a gap proves a distance, and from call to call it changes little: where that distance is
    greater than `enough`, no search is needed.

    Args:
        a: As for `distance`.
        a_ints: As for `distance`.
        a_place: As for `distance`.
        b: As for `distance`.
        b_ints: As for `distance`.
        b_place: As for `distance`.
        corners: As for `distance`.
        enough: As for `distance`.
        work: As for `distance`.
        points: As for `distance`.
        axis: (3,): from b to a, zero where none is known. Written: the direction found, zero where they overlap.
    """
    simplex, of_a, of_b = work[0:4], work[4:8], work[8:12]
    weights, trial = work[12], work[13]
    radii = a[RADIUS] + b[RADIUS]
    vx, vy, vz = axis[0], axis[1], axis[2]
    if vx * vx + vy * vy + vz * vz < 1e-18:
        vx, vy, vz = a_place[9] - b_place[9], a_place[10] - b_place[10], a_place[11] - b_place[11]
    if vx * vx + vy * vy + vz * vz < 1e-18:
        vx, vy, vz = 1.0, 0.0, 0.0
    n = 0
    lower = 0.0
    settled = False
    squared = vx * vx + vy * vy + vz * vz
    for _ in range(ROUNDS):
        row = n
        support(a, a_ints, a_place, corners, -vx, -vy, -vz, of_a[row])
        support(b, b_ints, b_place, corners, vx, vy, vz, of_b[row])
        wx, wy, wz = of_a[row, 0] - of_b[row, 0], of_a[row, 1] - of_b[row, 1], of_a[row, 2] - of_b[row, 2]
        length = math.sqrt(squared)
        along = (vx * wx + vy * wy + vz * wz) / length
        if along > lower:
            lower = along
            if lower - radii > enough:
                axis[0], axis[1], axis[2] = vx, vy, vz
                return lower - radii
        if n > 0 and length - along <= ABSOLUTE_M + RELATIVE * length:
            settled = True
            break
        known = False
        for i in range(n):
            if simplex[i, 0] == wx and simplex[i, 1] == wy and simplex[i, 2] == wz:
                known = True
        if known:
            settled = True
            break
        simplex[row, 0], simplex[row, 1], simplex[row, 2] = wx, wy, wz
        n += 1
        now = _nearest_of(simplex, n, weights, trial)
        if now <= INSIDE:
            axis[0], axis[1], axis[2] = 0.0, 0.0, 0.0
            return -radii
        if n > 1 and now >= squared:
            # Rounding stops it from coming nearer; what was found before stands.
            n -= 1
            _nearest_of(simplex, n, weights, trial)
            settled = True
            break
        squared = now
        vx, vy, vz = 0.0, 0.0, 0.0
        kept = 0
        for i in range(n):
            if weights[i] > 0.0:
                vx += weights[i] * simplex[i, 0]
                vy += weights[i] * simplex[i, 1]
                vz += weights[i] * simplex[i, 2]
                if kept != i:
                    weights[kept] = weights[i]
                    for c in range(3):
                        simplex[kept, c] = simplex[i, c]
                        of_a[kept, c] = of_a[i, c]
                        of_b[kept, c] = of_b[i, c]
                kept += 1
        n = kept
    axis[0], axis[1], axis[2] = vx, vy, vz
    length = math.sqrt(squared)
    for c in range(3):
        points[c], points[3 + c] = 0.0, 0.0
    for i in range(n):
        for c in range(3):
            points[c] += weights[i] * of_a[i, c]
            points[3 + c] += weights[i] * of_b[i, c]
    for c in range(3):
        v = vx if c == 0 else (vy if c == 1 else vz)
        points[c] -= a[RADIUS] * v / length
        points[3 + c] += b[RADIUS] * v / length
    # A smooth body may need more rounds for the last digits; what is certain is the lower bound.
    return length - radii if settled else lower - radii


@jit
def _off_box(body: Floats, place: Floats, x: float, y: float, z: float) -> float:
    """Return how far a point is from the box that holds a body; 0 inside."""
    dx, dy, dz = x - place[9], y - place[10], z - place[11]
    a = abs(place[0] * dx + place[3] * dy + place[6] * dz) - body[BOUND]
    b = abs(place[1] * dx + place[4] * dy + place[7] * dz) - body[BOUND + 1]
    c = abs(place[2] * dx + place[5] * dy + place[8] * dz) - body[BOUND + 2]
    a, b, c = max(a, 0.0), max(b, 0.0), max(c, 0.0)
    return math.sqrt(a * a + b * b + c * c)


@jit
def at_least(a: Floats, a_place: Floats, b: Floats, b_place: Floats) -> float:
    """Return a quick lower bound of the distance of two bodies, from the balls and boxes that hold them."""
    first = _off_box(a, a_place, b_place[9], b_place[10], b_place[11]) - b[BALL]
    second = _off_box(b, b_place, a_place[9], a_place[10], a_place[11]) - a[BALL]
    return max(first, second)


@jit
def balls_apart(a: Floats, a_place: Floats, b: Floats, b_place: Floats, gap: float) -> bool:
    """Return whether the balls that hold two bodies are farther apart than `gap`: most pairs are, and need no more."""
    x, y, z = a_place[9] - b_place[9], a_place[10] - b_place[10], a_place[11] - b_place[11]
    reach = a[BALL] + b[BALL] + gap
    return x * x + y * y + z * z > reach * reach
