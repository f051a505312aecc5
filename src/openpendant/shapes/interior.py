"""Which places lie inside closed meshes: a coarse grid filled by counting surface crossings."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Filling:
    """Grid points of a body; `inside[i, j, k]` is for the point origin + spacing * (i, j, k)."""

    origin: Floats
    spacing: float
    inside: NDArray[np.bool_]

    def on_faces(self, low: Floats, high: Floats) -> Floats:
        """Return inner points on the finite faces of a box.

        A point on a face counts as inner when the grid points on both sides of the face are.
        """
        block = self.inside
        places: list[Floats] = []
        on_face: list[NDArray[np.bool_]] = []
        for axis in range(3):
            grid: Floats = float(self.origin[axis]) + self.spacing * np.arange(
                self.inside.shape[axis], dtype=np.float64
            )
            block = np.moveaxis(block, axis, 0)
            within = (grid > low[axis]) & (grid < high[axis])
            layers: list[NDArray[np.bool_]] = [block[within]]
            at: list[Floats] = [grid[within]]
            for face in (float(low[axis]), float(high[axis])):
                k = int(np.floor((face - float(grid[0])) / self.spacing)) if np.isfinite(face) else -1
                if 0 <= k < len(grid) - 1:
                    layers.append((block[k] & block[k + 1])[None])
                    at.append(np.array([face]))
            block = np.moveaxis(np.concatenate(layers), 0, axis)
            places.append(np.concatenate(at))
            on_face.append(np.arange(len(places[-1])) >= len(at[0]))
        block = block & (on_face[0][:, None, None] | on_face[1][None, :, None] | on_face[2][None, None, :])
        i, j, k = np.nonzero(block)
        return np.stack([places[0][i], places[1][j], places[2][k]], axis=1)

    def deep(self, points: Floats) -> NDArray[np.bool_]:
        """Return which points (N, 3) lie in a grid cell whose eight corners are inside."""
        cell = np.floor((points - self.origin) / self.spacing).astype(int)
        fits: NDArray[np.bool_] = (cell >= 0) & (cell < np.array(self.inside.shape) - 1)
        known: NDArray[np.bool_] = fits[:, 0] & fits[:, 1] & fits[:, 2]
        i, j, k = np.where(known[:, None], cell, 0).T
        for di, dj, dk in itertools.product((0, 1), repeat=3):
            known &= self.inside[i + di, j + dj, k + dk]
        return known


def fill(bodies: Sequence[Floats], spacing: float) -> list[Filling]:
    """Fill closed meshes, each given as triangles (F, 3, 3), on a common grid.

    Where a mesh is not closed the three directions disagree, and the place counts as outside.
    """
    corners = np.concatenate([b.reshape(-1, 3) for b in bodies])
    # An odd offset keeps the grid lines off the edges that people put on round numbers.
    origin = corners.min(axis=0) - spacing * np.array([0.5137, 0.5291, 0.5419])
    shape = np.ceil((corners.max(axis=0) - origin) / spacing).astype(int) + 2
    out: list[Filling] = []
    for body in bodies:
        local = (body - origin) / spacing
        inside = np.ones(shape, dtype=np.bool_)
        for axis in range(3):
            order = [(axis + 1) % 3, (axis + 2) % 3, axis]
            filled = _crossed(local[:, :, order], (int(shape[order[0]]), int(shape[order[1]]), int(shape[axis])))
            inside &= np.transpose(filled, np.argsort(order))
        out.append(Filling(origin, spacing, inside))
    return out


def _crossed(triangles: Floats, shape: tuple[int, int, int]) -> NDArray[np.bool_]:
    """Return the points of a unit grid below which an odd number of triangles lies."""
    flat = triangles[:, :, :2]
    low = np.ceil(flat.min(axis=1)).astype(int)
    count = np.maximum(np.floor(flat.max(axis=1)).astype(int) - low + 1, 0)
    cells = count[:, 0] * count[:, 1]
    which = np.repeat(np.arange(len(triangles)), cells)
    step = np.arange(len(which)) - np.repeat(np.cumsum(cells) - cells, cells)
    x, y = low[which, 0] + step // count[which, 1], low[which, 1] + step % count[which, 1]
    a, b, c = (triangles[which, k] for k in range(3))
    # Barycentric coordinates of the grid line in the triangle's plan.
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])
    area = np.where(np.abs(area) < 1e-12, np.inf, area)
    v = ((x - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (y - a[:, 1])) / area
    w = ((b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (x - a[:, 0]) * (b[:, 1] - a[:, 1])) / area
    hit = (v >= 0) & (w >= 0) & (v + w <= 1) & np.isfinite(area)
    z = a[:, 2] + v * (b[:, 2] - a[:, 2]) + w * (c[:, 2] - a[:, 2])
    above = np.ceil(z[hit]).astype(int)
    toggles = np.zeros(shape, dtype=np.int32)
    np.add.at(toggles, (x[hit], y[hit], np.clip(above, 0, shape[2] - 1)), 1)
    return np.cumsum(toggles, axis=2) % 2 == 1
