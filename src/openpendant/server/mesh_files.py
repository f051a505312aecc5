"""Mesh files that people bring into a project: judged, named and kept. What is in them is not trusted."""

import io
import re
import secrets
from pathlib import Path
from typing import Any, cast

from openpendant.errors import CellFileError, InputError
from openpendant.messages import MeshInfo
from openpendant.said import say
from openpendant.scene import convex_parts
from openpendant.scene.document import MESH_ENDINGS

MESHES = "meshes"
"""The folder of a project in which they are."""
SOLIDS = (".step", ".stp", ".iges", ".igs", ".sldprt", ".f3d", ".fcstd")
"""Endings of files that hold solids instead of triangles."""


def keep_mesh(folder: Path, file: str, data: bytes, scale: float) -> MeshInfo:
    """Write a mesh into a project under a name that is free; raises InputError where it is none.

    Args:
        folder: Of the project.
        file: What it is called; its ending says what it is. glTF as text becomes GLB, one file that holds all.
        data: Its content.
        scale: What its numbers are multiplied with to be metres.
    """
    stem, ending = Path(file).stem, Path(file).suffix.lower()
    if ending in SOLIDS:
        raise InputError(say("mesh.solids", file=file[:80]))
    if ending == ".gltf":
        data, ending = pack_gltf(file, data), ".glb"
    if ending not in MESH_ENDINGS:
        known = ", ".join(sorted((*MESH_ENDINGS, ".gltf")))
        raise InputError(say("fault.mesh_ending", file=file[:80], endings=known))
    if not 1e-6 <= scale <= 1e3:
        raise InputError(say("mesh.scale", scale=scale))
    place = folder / MESHES
    place.mkdir(exist_ok=True)
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", stem).strip("_")[:60] or "mesh"
    coming = place / f".coming-{secrets.token_hex(8)}{ending}"
    try:
        coming.write_bytes(data)
        parts = convex_parts(coming, scale)
        name, number = f"{plain}{ending}", 2
        while (place / name).exists():
            name, number = f"{plain}_{number}{ending}", number + 1
        coming.rename(place / name)
    except CellFileError as error:
        raise InputError(say("mesh.fault", file=file[:80], why=error.fault)) from None
    finally:
        coming.unlink(missing_ok=True)
    x, y, z = (float(value) for value in parts.size)
    return MeshInfo(
        file=f"{MESHES}/{name}",
        scale=scale,
        size_m=(x, y, z),
        convex_parts=len(parts.shapes),
        warnings=[text.replace(str(coming), file) for text in parts.warnings],
    )


def pack_gltf(file: str, data: bytes) -> bytes:
    """Return glTF text with all that it holds as GLB; raises InputError where it needs other files."""
    import trimesh  # pyright: ignore[reportMissingTypeStubs]

    try:
        scene = cast(Any, trimesh).load_scene(io.BytesIO(data), file_type="gltf")
        return bytes(scene.export(file_type="glb"))
    except Exception as error:
        # Readers of meshes raise whatever they stumble over.
        alone = b'"uri"' not in data or b"base64," in data
        why = str(error)[:120] if alone else say("mesh.needs_files")
        raise InputError(say("mesh.not_packed", file=file[:80], why=why)) from None
