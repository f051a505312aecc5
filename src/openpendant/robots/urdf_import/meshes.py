"""Loads the meshes a URDF names, in the formats people have, as parts in the link's frame."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

import numpy as np
import trimesh
import trimesh.resolvers
from numpy.typing import NDArray

from openpendant.errors import RobotFileError
from openpendant.said import Said, say
from openpendant.shapes import Material, Mesh, Part

from .model import Ball, Block, MeshFile, Rod, UrdfShape
from .normals import shade

Array = NDArray[np.float64]
MAX_MESH_BYTES = 200_000_000
FORMATS = (".dae", ".glb", ".gltf", ".obj", ".ply", ".stl")
GREY = "#b4b8bc"
_trimesh = cast(Any, trimesh)


def load_shape(
    shape: UrdfShape, urdf: Path, packages: Mapping[str, Path], owner: str, within: Path | None = None
) -> list[Part]:
    """Return a visual or collision as smooth-shaded parts in the link's frame.

    Args:
        shape: What the URDF says.
        urdf: Its file; relative addresses start from its folder.
        packages: Folders of the packages named in `package://` addresses.
        owner: The link, for messages.
        within: Meshes outside of this folder are refused; None: they may be anywhere.

    Raises:
        RobotFileError: The mesh is not there, too large, or no mesh; says where to look.
    """
    match shape.geometry:
        case MeshFile(address=address, scale=scale):
            path = find_mesh(address, urdf, packages, owner, shape.line, within)
            bodies = _read(path, urdf, owner, shape.line, within)
            S = np.diag((*scale, 1.0))
        case Block(size=size):
            bodies, S = [(_trimesh.creation.box(extents=size), None)], np.eye(4)
        case Rod(radius=radius, length=length, round_ends=round_ends):
            make = _trimesh.creation.capsule if round_ends else _trimesh.creation.cylinder
            body = make(radius=radius, height=length)
            # trimesh's capsule stands on its lower centre; URDF's is about its middle.
            body.apply_translation((0.0, 0.0, -float(body.bounds[:, 2].mean())))
            bodies, S = [(body, None)], np.eye(4)
        case Ball(radius=radius):
            bodies, S = [(_trimesh.creation.icosphere(subdivisions=3, radius=radius), None)], np.eye(4)
    T = shape.T_link_shape @ S
    return [Part(_place(body, T), Material(own or shape.color or GREY)) for body, own in bodies if len(body.faces)]


def find_mesh(
    address: str, urdf: Path, packages: Mapping[str, Path], owner: str, line: int, within: Path | None = None
) -> Path:
    """Return the file behind an address: relative, absolute, file:// or package://; raises RobotFileError."""

    def fault(why: Said) -> RobotFileError:
        return RobotFileError(urdf, say("urdf.mesh", link=owner, mesh=address, why=why), line=line)

    scheme, separator, rest = address.partition("://")
    if not separator:
        path = urdf.parent / address
    elif scheme == "file":
        path = Path(unquote(rest))
    elif scheme == "package":
        name, _, inside = rest.partition("/")
        folder = packages.get(name) or _package_above(urdf, name)
        if folder is None:
            raise fault(say("urdf.mesh_package", package=name))
        path = (folder / inside).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise fault(say("urdf.mesh_outside_package", package=name))
    else:
        raise fault(say("urdf.mesh_scheme", scheme=scheme))
    if within is not None and not path.resolve().is_relative_to(within):
        raise fault(say("urdf.mesh_outside"))
    if path.suffix.lower() not in FORMATS:
        raise fault(say("urdf.mesh_ending", ending=path.suffix, known=" ".join(FORMATS)))
    if not path.is_file():
        raise fault(say("urdf.mesh_missing", path=_shown(path, within)))
    if path.stat().st_size > MAX_MESH_BYTES:
        raise fault(say("urdf.large", most=MAX_MESH_BYTES // 1_000_000))
    return path


def _shown(path: Path, within: Path | None) -> str:
    """Return a path as a person knows it: from the folder that the import may read."""
    return str(path) if within is None else str(path).removeprefix(f"{within}/")


def _package_above(urdf: Path, name: str) -> Path | None:
    """Return a folder of that name above the URDF: packages usually hold their own URDF."""
    return next((folder for folder in urdf.resolve().parents if folder.name == name), None)


class _Beside(trimesh.resolvers.Resolver):
    """Gives a mesh the files that lie beside it (materials, buffers), and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes:
        """Return the content of a file in the folder; raises KeyError on anything else."""
        path = self.folder / key.removeprefix("./")
        if path.parent != self.folder or not path.is_file() or path.stat().st_size > MAX_MESH_BYTES:
            raise KeyError(key)
        return path.read_bytes()

    def keys(self) -> list[str]:
        """Return nothing: what a mesh needs it asks for by name."""
        return []

    def namespaced(self, namespace: str) -> "_Beside":  # noqa: ARG002
        """Return itself: there are no folders below."""
        return self

    def write(self, name: str, data: object) -> None:  # noqa: ARG002
        """Refuse: meshes are only read."""
        raise KeyError(name)


def _read(path: Path, urdf: Path, owner: str, line: int, within: Path | None) -> list[tuple[Any, str | None]]:
    content = path.read_bytes()
    kind = path.suffix.lower().lstrip(".")

    def fault(why: Said) -> RobotFileError:
        mesh = _shown(path, within)
        return RobotFileError(urdf, say("urdf.mesh", link=owner, mesh=mesh, why=why), line=line)

    if kind == "dae" and b"<!DOCTYPE" in content:
        raise fault(say("urdf.mesh_dtd"))
    try:
        scene = _trimesh.load_scene(io.BytesIO(content), file_type=kind, resolver=_Beside(path.parent))
        bodies = [body for body in scene.dump() if hasattr(body, "faces")]
        scale = _dae_unit(scene) if kind == "dae" else 1.0
    except Exception as error:  # a broken mesh raises anything, from struct.error to KeyError
        raise fault(say("file.not_read", why=str(error))) from None
    bodies = [body for body in bodies if len(body.faces)]
    if not bodies:
        raise fault(say("urdf.mesh_empty"))
    if not all(np.isfinite(body.vertices).all() for body in bodies):
        raise fault(say("urdf.mesh_not_finite"))
    for body in bodies:
        body.apply_scale(scale)
    return [(body, _own_color(body)) for body in bodies]


def _dae_unit(scene: Any) -> float:
    """Return how many metres a unit of the COLLADA file is."""
    for body in scene.geometry.values():
        words = str(body.metadata.get("units", "meters")).split(" * ")
        if len(words) == 2:
            return float(words[0])
    return 1.0


def _own_color(body: Any) -> str | None:
    """Return the colour that the mesh file itself gives, or None where it gives none."""
    visual = body.visual
    if not visual.defined:
        return None
    material = getattr(visual, "material", None)
    rgba = np.asarray(visual.main_color if material is None else material.main_color).reshape(-1)
    return "#" + "".join(f"{int(channel):02x}" for channel in rgba[:3])


def _place(body: Any, T: Array) -> Mesh:
    vertices = np.asarray(body.vertices, dtype=np.float64) @ T[:3, :3].T + T[:3, 3]
    faces = np.asarray(body.faces, dtype=np.int32)
    if np.linalg.det(T[:3, :3]) < 0.0:
        faces = faces[:, ::-1]
    return shade(vertices, faces)
