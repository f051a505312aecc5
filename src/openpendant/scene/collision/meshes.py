"""Mesh files of a cell: read, judged, and turned into convex parts."""

import hashlib
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

import openpendant.shapes
from openpendant.digests import digest_files
from openpendant.documents import write_atomic
from openpendant.errors import CellFileError, RobotFileError
from openpendant.said import say
from openpendant.shapes import CollisionShape, decode_collision, encode_collision
from openpendant.user_folders import cache_folder

LARGEST_M = 30.0
SMALLEST_M = 0.002
MOST_TRIANGLES = 2_000_000
FARTHEST = 1e9
"""Coordinates in the file, in whatever unit: past that they could not even be compared."""
Y_UP_TO_Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


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
        path: STL, OBJ, GLB or PLY. glTF stands Y up by its specification and is turned to stand Z up, as it is drawn.
        scale: What its numbers are multiplied with to be metres.

    Raises:
        CellFileError: The file cannot be read, holds no triangles or not finite ones, or has a size that cannot be.
    """
    try:
        stat = path.stat()
    except OSError as error:
        raise CellFileError(path, "", say("file.not_read", why=str(error.strerror))) from None
    return _parts(path, scale, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=256)
def _parts(path: Path, scale: float, _time: int, _size: int) -> MeshParts:
    vertices, faces, why_not = _read(path)
    vertices = vertices * scale
    size = np.ptp(vertices, axis=0)
    warnings = _judge(path, size, scale)
    shapes, is_solid = _cut(vertices, faces)
    if why_not or not is_solid:
        warnings.append(f"{path.name} is not manifold: {why_not or 'it encloses nothing'}. Its hull counts as solid")
    return MeshParts(shapes, size, tuple(warnings))


def _read(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int32], str]:
    """Return vertices, faces, and why they enclose no solid (empty where they do)."""
    # Loading these takes a second, which cells without meshes need not wait for.
    import trimesh  # pyright: ignore[reportMissingTypeStubs]

    try:
        # As a stream, so that a mesh that names other files (materials, buffers, anything of this machine) has none.
        with path.open("rb") as stream:
            kind = path.suffix.lower().lstrip(".")
            loaded = cast(Any, trimesh).load(stream, file_type=kind, force="mesh", process=False)
    except Exception as error:
        # The readers of the many formats raise whatever they stumble over.
        raise CellFileError(path, "", say("mesh.not_read", why=str(error))) from None
    if len(loaded.faces) == 0:
        raise CellFileError(path, "", say("mesh.empty"))
    if len(loaded.faces) > MOST_TRIANGLES:
        raise CellFileError(path, "", say("mesh.many_triangles", count=len(loaded.faces), most=MOST_TRIANGLES))
    farthest = float(np.abs(np.asarray(loaded.vertices, dtype=np.float64)).max())
    if not math.isfinite(farthest):
        raise CellFileError(path, "", say("mesh.not_finite"))
    if farthest > FARTHEST:
        raise CellFileError(path, "", say("mesh.far", value=f"{farthest:.3g}", most=f"{FARTHEST:g}"))
    # Corners that stand in one place are one: STL knows no other way to say so.
    loaded.merge_vertices(merge_tex=True, merge_norm=True)
    loaded.update_faces(loaded.nondegenerate_faces())
    vertices = np.asarray(loaded.vertices, dtype=np.float64).reshape(-1, 3)
    if path.suffix.lower() == ".glb":
        vertices = vertices @ Y_UP_TO_Z_UP.T
    faces = np.asarray(loaded.faces, dtype=np.int32).reshape(-1, 3)
    if len(faces) == 0:
        raise CellFileError(path, "", say("mesh.no_area"))
    return vertices, faces, _why_no_solid(faces)


def _why_no_solid(faces: NDArray[np.int32]) -> str:
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    _, counts = np.unique(edges, axis=0, return_counts=True)
    open_edges, crowded = int((counts == 1).sum()), int((counts > 2).sum())
    if open_edges:
        return f"{open_edges} edges are open"
    return f"{crowded} edges belong to more than two triangles" if crowded else ""


def _judge(path: Path, size: NDArray[np.float64], scale: float) -> list[str]:
    """Return warnings about a size that is odd; raise where it cannot be."""
    largest = float(size.max())
    shown = " × ".join(f"{value:.4g}" for value in size.tolist())
    if largest > LARGEST_M:
        metres, smaller = largest / 1000, f"{scale / 1000:g}"
        fault = say(
            "mesh.too_large", size=shown, scale=f"{scale:g}", most_m=LARGEST_M, other_m=metres, other_scale=smaller
        )
        raise CellFileError(path, "", fault)
    if largest < SMALLEST_M:
        fault = say("mesh.too_small", size=shown, scale=f"{scale:g}", other_scale=f"{scale * 1000:g}")
        raise CellFileError(path, "", fault)
    if largest > LARGEST_M / 3:
        return [f"{path.name} is {shown} m large with scale {scale:g}: is it in other units?"]
    if largest < SMALLEST_M * 2.5:
        return [f"{path.name} is only {shown} m large with scale {scale:g}: is it in other units?"]
    return []


def _cut(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> tuple[tuple[CollisionShape, ...], bool]:
    """Return the convex parts and whether the mesh is a solid, from the cache where they are known."""
    digest = hashlib.sha256(vertices.tobytes() + faces.tobytes() + _code().encode()).hexdigest()[:20]
    kept = cache_folder() / "convex" / f"{digest}.json"
    try:
        if kept.is_file():
            known = decode_collision(kept)
            return next(iter(known.values())), "solid" in known
    except (RobotFileError, StopIteration):
        kept.unlink(missing_ok=True)
    from .convex import convex_shapes

    shapes, is_solid = convex_shapes(vertices, faces)
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(kept, encode_collision({"solid" if is_solid else "hull": shapes}))
    return shapes, is_solid


@lru_cache(maxsize=1)
def _code() -> str:
    """Return a digest of what cuts a mesh: parts that other code has cut are not used."""
    shapes = Path(openpendant.shapes.__file__).parent
    return digest_files((Path(__file__).with_name("convex.py"), *sorted(shapes.glob("*.py"))))
