"""Gives a bare mesh the normals of smooth shading, with its edges kept sharp."""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.shapes import Mesh

Array = NDArray[np.float64]
CREASE_COS = math.cos(math.radians(35.0))
"""Faces that meet at a larger angle are shaded apart."""


def shade(vertices: Array, faces: NDArray[np.int32]) -> Mesh:
    """Return the mesh with a normal at each corner: the mean of the faces around it that bend little."""
    position, merged = np.unique(np.round(vertices, 7), axis=0, return_inverse=True)
    faces = merged.reshape(-1)[faces].astype(np.int32)
    solid = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    faces = faces[solid]
    a, b, c = (position[faces[:, i]] for i in range(3))
    u, v = b - a, c - a
    area = u[:, [1, 2, 0]] * v[:, [2, 0, 1]] - u[:, [2, 0, 1]] * v[:, [1, 2, 0]]
    flat = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-30)
    corner = faces.reshape(-1)
    face = np.repeat(np.arange(len(faces)), 3)
    first, second = _pairs(corner)
    smooth = (flat[face[first]] * flat[face[second]]).sum(axis=1) >= CREASE_COS
    first, second = first[smooth], second[smooth]
    normal = np.zeros((len(corner), 3))
    for axis in range(3):
        normal[:, axis] = np.bincount(first, weights=area[face[second], axis], minlength=len(corner))
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    lost = length[:, 0] <= 1e-30
    normal /= np.maximum(length, 1e-30)
    normal[lost] = flat[face][lost]
    key = np.concatenate([corner[:, None], np.rint(normal * 50).astype(np.int64)], axis=1)
    _, chosen, back = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return Mesh(position[corner[chosen]], back.reshape(-1, 3).astype(np.int32), normal[chosen])


def _pairs(corner: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all ordered pairs of corners that share a vertex, each with itself included."""
    order = np.argsort(corner, kind="stable")
    _, start, count = np.unique(corner[order], return_index=True, return_counts=True)
    # A vertex with very many faces (the tip of a fan) would square; such a tip is shaded by its first faces.
    used = np.minimum(count, 64)
    sizes = np.repeat(used, count)
    first = np.repeat(order, sizes)
    group = np.repeat(np.repeat(start, count), sizes)
    ends = np.cumsum(sizes)
    within = np.arange(len(first)) - np.repeat(ends - sizes, sizes)
    return first.astype(np.int64), order[group + within].astype(np.int64)
