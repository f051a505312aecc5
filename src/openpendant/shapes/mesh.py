"""Mesh: triangles with a normal at each corner; Material; Part: a mesh with its material."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .solid import Axis, turning, vec


@dataclass(frozen=True, slots=True)
class Material:
    """How a surface looks: sRGB colour as '#rrggbb', and the roughness and metalness of glTF."""

    color: str
    roughness: float = 0.55
    metallic: float = 0.0


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles. Where an edge is sharp its corners appear twice, once with each normal."""

    vertices: NDArray[np.float64]
    """(V, 3), metres."""
    faces: NDArray[np.int32]
    """(F, 3), counter-clockwise seen from outside."""
    normals: NDArray[np.float64]
    """(V, 3), unit length."""

    def move(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Mesh":
        """Shift the mesh."""
        return Mesh(self.vertices + vec((x, y, z)), self.faces, self.normals)

    def turn(self, axis: Axis, deg: float) -> "Mesh":
        """Turn the mesh about an axis through the origin, right-handed, degrees."""
        R = turning(axis, deg)
        return Mesh(self.vertices @ R.T, self.faces, self.normals @ R.T)

    def mirror(self, axis: Literal["x", "y", "z"]) -> "Mesh":
        """Reflect the mesh at the plane through the origin that is normal to `axis`."""
        flip = np.where(np.array(["x", "y", "z"]) == axis, -1.0, 1.0)
        return Mesh(self.vertices * flip, self.faces[:, ::-1].copy(), self.normals * flip)

    def __add__(self, other: "Mesh") -> "Mesh":
        """Put two meshes side by side."""
        return joined([self, other])


@dataclass(frozen=True, slots=True)
class Part:
    """A mesh and what it is made of."""

    mesh: Mesh
    material: Material

    def move(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Part":
        """Shift the part."""
        return Part(self.mesh.move(x, y, z), self.material)

    def turn(self, axis: Axis, deg: float) -> "Part":
        """Turn the part about an axis through the origin, right-handed, degrees."""
        return Part(self.mesh.turn(axis, deg), self.material)

    def mirror(self, axis: Literal["x", "y", "z"]) -> "Part":
        """Reflect the part at the plane through the origin that is normal to `axis`."""
        return Part(self.mesh.mirror(axis), self.material)


def joined(meshes: Iterable[Mesh]) -> Mesh:
    """Return one mesh that holds all of them, in order."""
    parts = list(meshes)
    starts = np.cumsum([0, *(len(m.vertices) for m in parts)])
    return Mesh(
        np.concatenate([m.vertices for m in parts]) if parts else np.zeros((0, 3)),
        np.concatenate([m.faces + s for m, s in zip(parts, starts[:-1], strict=True)]).astype(np.int32)
        if parts
        else np.zeros((0, 3), dtype=np.int32),
        np.concatenate([m.normals for m in parts]) if parts else np.zeros((0, 3)),
    )
