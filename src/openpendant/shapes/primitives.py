"""The bodies that everything else is made of. Metres; each is centred or placed as it says."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .foreign import curve_through
from .outlines import Outline, polygon_distance
from .solid import Array, Field, Solid, vec

Point = tuple[float, float, float]


def sphere(radius: float, centre: Point = (0.0, 0.0, 0.0)) -> Solid:
    """Return a ball."""
    c = vec(centre)
    return Solid(lambda p: _norm(p - _col(c, p)) - p.dtype.type(radius), c - radius, c + radius)


def ellipsoid(radii: Point, centre: Point = (0.0, 0.0, 0.0)) -> Solid:
    """Return an ellipsoid with these half-axes along x, y and z."""
    r, c = vec(radii), vec(centre)

    def field(p: Array) -> Array:
        q = (p - _col(c, p)) / _col(r, p)
        k0, k1 = _norm(q), _norm(q / _col(r, p))
        return np.where(k1 > 1e-9, k0 * (k0 - 1) / np.maximum(k1, p.dtype.type(1e-9)), -p.dtype.type(r.min()))

    return Solid(field, c - r, c + r)


def box(size: Point, fillet: float = 0.0, centre: Point = (0.0, 0.0, 0.0)) -> Solid:
    """Return a box of this full size; all its edges are rounded by `fillet`."""
    half, c = vec(size) / 2, vec(centre)
    fillet = min(fillet, float(half.min()))

    def field(p: Array) -> Array:
        q = np.abs(p - _col(c, p)) - _col(half - fillet, p)
        return _norm(np.maximum(q, 0)) + np.minimum(q.max(axis=0), 0) - p.dtype.type(fillet)

    return Solid(field, c - half, c + half)


def capsule(a: Point, b: Point, radius: float) -> Solid:
    """Return a cylinder with round ends whose axis runs from a to b."""
    return cone(a, b, radius, radius)


def cone(a: Point, b: Point, radius_a: float, radius_b: float) -> Solid:
    """Return the hull of two balls: a cone with round ends."""
    pa, pb = vec(a), vec(b)
    return Solid(
        _cone_field(pa, pb, radius_a, radius_b),
        np.minimum(pa - radius_a, pb - radius_b),
        np.maximum(pa + radius_a, pb + radius_b),
    )


def cylinder(a: Point, b: Point, radius: float, fillet: float = 0.0, radius_b: float | None = None) -> Solid:
    """Return a cylinder from a to b with flat ends; `radius_b` makes it conical.

    `fillet` rounds the two rims, inside the given length and radius.
    """
    pa, pb = vec(a), vec(b)
    length = float(np.linalg.norm(pb - pa))
    u = (pb - pa) / length
    rb = radius if radius_b is None else radius_b
    slope = (rb - radius) / length
    lean = 1.0 / np.sqrt(1.0 + slope * slope)
    reach = np.maximum(radius, rb) * np.sqrt(np.maximum(0.0, 1.0 - u * u))

    def field(p: Array) -> Array:
        kind = p.dtype.type
        w = p - _col(pa, p)
        t = u.astype(p.dtype) @ w
        r = np.sqrt(np.maximum((w * w).sum(axis=0) - t * t, 0))
        side = (r - kind(radius) - kind(slope) * t) * kind(lean) + kind(fillet)
        ends = np.abs(t - kind(length / 2)) - kind(length / 2 - fillet)
        return _corner(side, ends) - kind(fillet)

    return Solid(field, np.minimum(pa, pb) - reach, np.maximum(pa, pb) + reach)


def torus(ring: float, radius: float, centre: Point = (0.0, 0.0, 0.0)) -> Solid:
    """Return a ring about z: `radius` thick, its core circle `ring` metres from the axis."""
    c = vec(centre)
    reach = np.array([ring + radius, ring + radius, radius])

    def field(p: Array) -> Array:
        q = p - _col(c, p)
        return np.hypot(np.hypot(q[0], q[1]) - p.dtype.type(ring), q[2]) - p.dtype.type(radius)

    return Solid(field, c - reach, c + reach)


def tube(points: Sequence[Point], radius: float | Sequence[float], *, smooth: bool = True, steps: int = 6) -> Solid:
    """Return a round bar along points, with one radius or one for each point.

    With `smooth` the axis is a spline through the points, else the straight polyline.
    """
    path = np.asarray(points, dtype=np.float64)
    radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), (len(path),))
    if smooth and len(path) > 2:
        s = np.concatenate([np.zeros(1), np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
        fine = np.linspace(0.0, float(s[-1]), steps * (len(path) - 1) + 1)
        path, radii = curve_through(s, path, fine, "smooth"), curve_through(s, radii, fine, "monotone")
    pieces = [_cone_field(path[i], path[i + 1], float(radii[i]), float(radii[i + 1])) for i in range(len(path) - 1)]

    def field(p: Array) -> Array:
        best = pieces[0](p)
        for piece in pieces[1:]:
            best = np.minimum(best, piece(p))
        return best

    reach = radii[:, None]
    return Solid(field, (path - reach).min(axis=0), (path + reach).max(axis=0))


def extrude(outline: Outline, z0: float, z1: float, fillet: float = 0.0) -> Solid:
    """Return the outline (in x, y) stretched from z0 to z1; `fillet` rounds both rims."""
    middle, half = (z0 + z1) / 2, abs(z1 - z0) / 2

    def field(p: Array) -> Array:
        kind = p.dtype.type
        side = polygon_distance(outline, p[0], p[1]) + kind(fillet)
        ends = np.abs(p[2] - kind(middle)) - kind(half - fillet)
        return _corner(side, ends) - kind(fillet)

    low, high = outline.min(axis=0), outline.max(axis=0)
    return Solid(field, np.array([*low, min(z0, z1)]), np.array([*high, max(z0, z1)]))


def revolve(profile: Sequence[tuple[float, float]] | Outline, fillet: float = 0.0) -> Solid:
    """Return the body swept by a profile of (radius, z) points turned about the z axis.

    The profile is closed along the axis where its ends lie on it. `fillet` grows and so
    rounds its outer edges by that much.
    """
    points = np.asarray(profile, dtype=np.float64)
    on_axis = points[0, 0] <= 1e-9 and points[-1, 0] <= 1e-9
    # With its mirror image the axis is no longer an edge, so the distance is right inside.
    closed = np.concatenate([points, points[-2:0:-1] * [-1.0, 1.0]]) if on_axis else points

    def field(p: Array) -> Array:
        return polygon_distance(closed, np.hypot(p[0], p[1]), p[2]) - p.dtype.type(fillet)

    r, low, high = points[:, 0].max() + fillet, points[:, 1].min() - fillet, points[:, 1].max() + fillet
    return Solid(field, np.array([-r, -r, low]), np.array([r, r, high]))


def loft(
    sections: Sequence[tuple[float, tuple[float, float], tuple[float, float], float]], fillet: float = 0.0
) -> Solid:
    """Return a body through rounded rectangles stacked along z.

    Args:
        sections: (z, (centre x, y), (width along x, depth along y), corner radius) from low
            to high z; a monotone spline runs through them.
        fillet: Rounds the two ends.
    """
    z = np.array([s[0] for s in sections])
    values = np.array([[*s[1], s[2][0] / 2, s[2][1] / 2, s[3]] for s in sections])
    values[:, 4] = np.minimum(values[:, 4], values[:, 2:4].min(axis=1))
    stations = np.linspace(float(z[0]), float(z[-1]), 257)
    table = curve_through(z, values, stations, "monotone")
    slope = np.abs(np.gradient(table[:, :2], stations, axis=0)) + np.abs(np.gradient(table[:, 2:4], stations, axis=0))
    lean = 1.0 / np.sqrt(1.0 + slope.max(axis=1) ** 2)
    middle, half = (z[0] + z[-1]) / 2, (z[-1] - z[0]) / 2

    def field(p: Array) -> Array:
        kind = p.dtype.type
        cx, cy, hx, hy, corner = (_looked_up(p[2], stations, table[:, i]) for i in range(5))
        tilt = _looked_up(p[2], stations, lean)
        qx, qy = np.abs(p[0] - cx) - hx + corner, np.abs(p[1] - cy) - hy + corner
        side = (_corner(qx, qy) - corner) * tilt + kind(fillet)
        ends = np.abs(p[2] - kind(middle)) - kind(half - fillet)
        return _corner(side, ends) - kind(fillet)

    low = np.array([(table[:, 0] - table[:, 2]).min(), (table[:, 1] - table[:, 3]).min(), z[0]])
    high = np.array([(table[:, 0] + table[:, 2]).max(), (table[:, 1] + table[:, 3]).max(), z[-1]])
    return Solid(field, low, high)


def _col(v: NDArray[np.float64], like: Array) -> Array:
    return v[:, None].astype(like.dtype)


def _looked_up(x: Array, stations: NDArray[np.float64], values: NDArray[np.float64]) -> Array:
    return np.interp(x, stations, values).astype(x.dtype)


def _norm(p: Array) -> Array:
    return np.sqrt((p * p).sum(axis=0))


def _corner(a: Array, b: Array) -> Array:
    """Distance to the quadrant a < 0, b < 0, rounded outside."""
    return np.hypot(np.maximum(a, 0), np.maximum(b, 0)) + np.minimum(np.maximum(a, b), 0)


def _cone_field(pa: NDArray[np.float64], pb: NDArray[np.float64], ra: float, rb: float) -> Field:
    """Field of a round cone; a ball that swallows the other stands alone."""
    axis = pb - pa
    length = float(np.linalg.norm(axis))
    if length <= abs(ra - rb) + 1e-12:
        c, r = (pa, ra) if ra >= rb else (pb, rb)
        return sphere(r, (float(c[0]), float(c[1]), float(c[2]))).field
    u = axis / length
    sine = (ra - rb) / length
    cosine = float(np.sqrt(1.0 - sine * sine))

    def field(p: Array) -> Array:
        kind = p.dtype.type
        w = p - _col(pa, p)
        t = u.astype(p.dtype) @ w
        r = np.sqrt(np.maximum((w * w).sum(axis=0) - t * t, 0))
        # The foot of the perpendicular to the slanted side, clamped to the axis.
        foot = np.clip(t - r * kind(sine / cosine), kind(0.0), kind(length))
        return np.hypot(t - foot, r) - (kind(ra) - foot * kind(sine))

    return field
