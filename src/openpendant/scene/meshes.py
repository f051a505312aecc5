"""Mesh files of a cell: read, judged, and turned into convex parts."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
import trimesh  # pyright: ignore[reportMissingTypeStubs]
from numpy.typing import NDArray

from openpendant.errors import CellFileError, RobotFileError
from openpendant.robots import cache_folder
from openpendant.shapes import CollisionShape, Mesh, decode_collision, encode_collision, fit_collision

from .files import write_atomic

__all__ = ["MeshParts", "convex_parts"]

LARGEST_M = 30.0
SMALLEST_M = 0.002
MOST_TRIANGLES = 2_000_000
FITTED_SIZE_M = 1.0
"""Meshes are fitted as if they were this large, so that small parts are followed as closely as large ones: shapes
stand off the mesh by at most 2.5 % of its size."""


@dataclass(frozen=True, slots=True, eq=False)
class MeshParts:
    """Convex shapes that together hold a mesh, and what a person should know of its file."""

    shapes: tuple[CollisionShape, ...]
    size: NDArray[np.float64]
    """(3,): its extent along x, y, z, metres."""
    warnings: tuple[str, ...]


def convex_parts(path: Path, scale: float) -> MeshParts:
    """Return the convex parts of a mesh file; made once, then kept in the cache.

    Args:
        path: STL, OBJ, GLB or PLY.
        scale: What its numbers are multiplied with to be metres.

    Raises:
        CellFileError: The file cannot be read, holds no triangles or not finite ones, or has a size that cannot be.
    """
    try:
        stat = path.stat()
    except OSError as error:
        raise CellFileError(path, "", f"cannot be read: {error.strerror}") from None
    return _parts(path, scale, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=256)
def _parts(path: Path, scale: float, _time: int, _size: int) -> MeshParts:
    vertices, faces, warnings = _read(path)
    vertices = vertices * scale
    size = np.ptp(vertices, axis=0)
    warnings = [*warnings, *_judge(path, size, scale)]
    shapes = _fitted(vertices, faces)
    return MeshParts(shapes, size, tuple(warnings))


def _read(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int32], list[str]]:
    try:
        loaded = cast(Any, trimesh).load(path, force="mesh", process=False)
    except Exception as error:
        # The readers of the many formats raise whatever they stumble over.
        raise CellFileError(path, "", f"cannot be read as a mesh: {error}") from None
    vertices = np.asarray(loaded.vertices, dtype=np.float64).reshape(-1, 3)
    faces = np.asarray(loaded.faces, dtype=np.int32).reshape(-1, 3)
    if len(faces) == 0:
        raise CellFileError(path, "", "holds no triangles")
    if len(faces) > MOST_TRIANGLES:
        raise CellFileError(path, "", f"holds {len(faces)} triangles; at most {MOST_TRIANGLES} can be used")
    if not np.isfinite(vertices).all():
        raise CellFileError(path, "", "holds a vertex that is not a finite number")
    warnings: list[str] = []
    loaded.merge_vertices()
    if not bool(loaded.is_watertight):
        edges = np.sort(np.asarray(loaded.edges), axis=1)
        _, counts = np.unique(edges, axis=0, return_counts=True)
        open_edges, crowded = int((counts == 1).sum()), int((counts > 2).sum())
        why = f"{open_edges} edges are open" if open_edges else f"{crowded} edges belong to more than two triangles"
        warnings.append(
            f"{path.name} is not manifold: {why if open_edges or crowded else 'its triangles face both ways'}. "
            "What it encloses counts as solid"
        )
    return vertices, faces, warnings


def _judge(path: Path, size: NDArray[np.float64], scale: float) -> list[str]:
    """Return warnings about a size that is odd; raise where it cannot be."""
    largest = float(size.max())
    shown = " × ".join(f"{value:.4g}" for value in size.tolist())
    if largest > LARGEST_M:
        hint = f"; in millimetres it would be {largest / 1000:.3g} m: set scale {scale / 1000:g}"
        raise CellFileError(path, "", f"is {shown} m large with scale {scale:g}; at most {LARGEST_M:g} m can be{hint}")
    if largest < SMALLEST_M:
        hint = f"; if it is in metres already, set scale {scale * 1000:g}"
        raise CellFileError(path, "", f"is {shown} m large with scale {scale:g}; too small to be meant{hint}")
    if largest > LARGEST_M / 3:
        return [f"{path.name} is {shown} m large with scale {scale:g}: is it in other units?"]
    if largest < SMALLEST_M * 2.5:
        return [f"{path.name} is only {shown} m large with scale {scale:g}: is it in other units?"]
    return []


def _fitted(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> tuple[CollisionShape, ...]:
    digest = hashlib.sha256(vertices.tobytes() + faces.tobytes() + b"2").hexdigest()[:20]
    kept = cache_folder() / "convex" / f"{digest}.json"
    try:
        if kept.is_file():
            return decode_collision(kept)["mesh"]
    except (RobotFileError, KeyError):
        kept.unlink(missing_ok=True)
    factor = FITTED_SIZE_M / float(np.ptp(vertices, axis=0).max())
    normals = np.zeros_like(vertices)
    fitted = fit_collision([Mesh(vertices * factor, faces, normals)])
    shapes = tuple(_scaled(shape, 1.0 / factor) for shape in fitted)
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(kept, encode_collision({"mesh": shapes}))
    return shapes


def _scaled(shape: CollisionShape, factor: float) -> CollisionShape:
    """Return a shape with all its lengths multiplied."""
    lengths = {
        name: _times(getattr(shape, name), factor)
        for name in ("a", "b", "radius", "centre", "half", "points")
        if hasattr(shape, name)
    }
    return msgspec.structs.replace(shape, **lengths)


def _times(value: Any, factor: float) -> Any:
    if isinstance(value, tuple):
        return tuple(_times(item, factor) for item in cast(tuple[Any, ...], value))
    return value * factor
