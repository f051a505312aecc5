"""Typed doors to the numerical libraries that carry no types of their own.

They are loaded when first used: loading takes a second, and who only asks for kinematics needs none of them.
"""

import threading
from importlib import import_module
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


def _use(library: str) -> Any:
    return import_module(library)


def curve_through(s: Floats, values: Floats, at: Floats, kind: Literal["smooth", "monotone"]) -> Floats:
    """Return a curve through `values` (N, ...) at parameters `s`, evaluated at `at`.

    "smooth" is the cubic spline, "monotone" never overshoots its points.
    """
    make = getattr(_use("scipy.interpolate"), "CubicSpline" if kind == "smooth" else "PchipInterpolator")
    return np.asarray(make(s, values)(at), dtype=np.float64)


def march(values: NDArray[np.float32], cell: float) -> tuple[Floats, Ints]:
    """Return the zero surface of sampled values, outward where they grow."""
    raw = _use("skimage.measure").marching_cubes(
        values, 0.0, spacing=(cell, cell, cell), gradient_direction="descent", allow_degenerate=False
    )
    return np.asarray(raw[0], dtype=np.float64), np.asarray(raw[1], dtype=np.int32)


_ONE_MESH = threading.Lock()
"""fast_simplification keeps its mesh in globals: two threads would get each other's triangles."""


def simplify(vertices: Floats, faces: Ints, count: int) -> tuple[Floats, Ints]:
    """Return the mesh thinned to at most `count` triangles by quadric error."""
    thin = _use("fast_simplification").simplify
    # Gentle thinning keeps the triangles well shaped, but stops early on some bodies: continue from there.
    for aggressiveness in (3, 4, 5, 6, 7, 8, 9, 10, 12, 14):
        with _ONE_MESH:
            raw = thin(vertices.astype(np.float32), faces, target_count=count, agg=aggressiveness)
        vertices, faces = np.asarray(raw[0], dtype=np.float64), np.asarray(raw[1], dtype=np.int32)
        if len(faces) <= count:
            return vertices, faces
    raise InputError(f"the body cannot be reduced from {len(faces)} triangles to {count}: allow more triangles")


class ConvexBody:
    """The convex hull of points."""

    def __init__(self, points: Floats) -> None:
        """Compute the hull; degenerate (flat) point sets are puffed up by a hair."""
        spatial = _use("scipy.spatial")
        try:
            hull = spatial.ConvexHull(points)
        except spatial.QhullError:
            # Flat: QJ joggles the input, so that thin plates have a hull as well.
            hull = spatial.ConvexHull(points, qhull_options="QJ Pp")
        self.corners: NDArray[np.int64] = np.asarray(hull.vertices, dtype=np.int64)
        """Indices of the points on the hull; counter-clockwise in the plane."""
        self.faces: NDArray[np.int64] = np.asarray(hull.simplices, dtype=np.int64)
        self.planes: Floats = np.asarray(hull.equations, dtype=np.float64)
        """(F, d + 1): outward unit normal and offset; normal · x + offset <= 0 inside."""
        self.volume = float(hull.volume)


def halfspace_corners(planes: Floats, inside: Floats) -> Floats:
    """Return the corners of the body normal · x + offset <= 0 round a point inside it."""
    return np.asarray(_use("scipy.spatial").HalfspaceIntersection(planes, inside).intersections, dtype=np.float64)


class Neighbours:
    """Nearest-neighbour search among points."""

    def __init__(self, points: Floats) -> None:
        """Build the tree once."""
        self._tree = _use("scipy.spatial").cKDTree(points)

    def distance(self, points: Floats, limit: float = np.inf) -> Floats:
        """Return the distance of each point to its nearest neighbour; infinite beyond `limit`."""
        return np.asarray(self._tree.query(points, distance_upper_bound=limit)[0], dtype=np.float64)
