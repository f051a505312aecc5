"""Mesh files become convex parts; what is wrong with them is told with the file's name."""

from pathlib import Path

import numpy as np
import pytest
import trimesh
from cells import pose

from openpendant.errors import CellFileError
from openpendant.scene import Cell, CellObject, CellRobot, CollisionWorld, MeshShape, Scene, convex_parts
from openpendant.shapes import contains

pytestmark = pytest.mark.usefixtures("own_cache")


def u_shape(size: float) -> trimesh.Trimesh:
    """A trough: its hull would close what is open."""
    parts = [
        trimesh.creation.box((1.0, 1.0, 0.1), trimesh.transformations.translation_matrix((0, 0, -0.45))),
        trimesh.creation.box((0.1, 1.0, 1.0), trimesh.transformations.translation_matrix((-0.45, 0, 0))),
        trimesh.creation.box((0.1, 1.0, 1.0), trimesh.transformations.translation_matrix((0.45, 0, 0))),
    ]
    mesh = trimesh.boolean.union(parts)
    mesh.apply_scale(size)
    return mesh


@pytest.mark.parametrize(("ending", "size"), [("stl", 0.5), ("obj", 0.1), ("glb", 2.0)])
def test_a_trough_stays_open(tmp_path: Path, ending: str, size: float) -> None:
    mesh = u_shape(size)
    path = tmp_path / f"trough.{ending}"
    mesh.export(path)
    T = np.eye(4)
    if ending == "glb":
        # glTF stands Y up: what was +y there is up here.
        T[:3, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
        mesh.apply_transform(T)
    parts = convex_parts(path, 1.0)
    assert parts.warnings == ()
    np.testing.assert_allclose(parts.size, [size, size, size], rtol=1e-5)
    inside = np.zeros(len(mesh.vertices), dtype=bool)
    for shape in parts.shapes:
        inside |= contains(shape, np.asarray(mesh.vertices, dtype=np.float64), 1e-4 * size)
    assert inside.all()
    middle = np.array([[0.0, 0.0, 0.1], [0.1, 0.2, 0.3]]) @ T[:3, :3].T * size
    assert not any(contains(shape, middle).any() for shape in parts.shapes)


def test_a_scale_that_looks_wrong_is_said(tmp_path: Path) -> None:
    path = tmp_path / "part.stl"
    trimesh.creation.box((300.0, 200.0, 100.0)).export(path)
    with pytest.raises(CellFileError, match=r"part.stl: is 300 × 200 × 100 m large .* set scale 0.001"):
        convex_parts(path, 1.0)
    assert convex_parts(path, 0.001).size.tolist() == pytest.approx([0.3, 0.2, 0.1])
    with pytest.raises(CellFileError, match="too small; if it is in metres already, set scale"):
        convex_parts(path, 1e-6)
    assert "is it in other units?" in convex_parts(path, 0.05).warnings[0]
    assert "is it in other units?" in convex_parts(path, 1e-5).warnings[0]


def test_a_mesh_that_is_not_manifold_is_said(tmp_path: Path) -> None:
    mesh = trimesh.creation.box((0.3, 0.2, 0.1))
    mesh.update_faces(np.arange(len(mesh.faces)) > 1)
    path = tmp_path / "open.stl"
    mesh.export(path)
    parts = convex_parts(path, 1.0)
    assert parts.warnings == ("open.stl is not manifold: 4 edges are open. Its hull counts as solid",)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "cannot be read as a mesh|no triangles"),
        (b"solid nothing\nendsolid nothing\n", "no triangles|cannot be read"),
        (b"\x00" * 90, "no triangles|cannot be read"),
    ],
)
def test_broken_files_are_told(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "broken.stl"
    path.write_bytes(content)
    with pytest.raises(CellFileError, match=told) as caught:
        convex_parts(path, 1.0)
    assert "broken.stl" in str(caught.value)


def test_a_missing_file_is_told_where_it_is_needed(tmp_path: Path) -> None:
    cell = Cell(name="c", objects=(CellObject(name="m", shape=MeshShape(file="meshes/none.stl")),))
    with pytest.raises(CellFileError, match=r"none.stl: cannot be read: No such file"):
        CollisionWorld(Scene(cell, tmp_path))


def test_a_mesh_is_an_obstacle(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    u_shape(0.4).export(tmp_path / "meshes" / "trough.stl")
    trough = CellObject(name="trough", shape=MeshShape(file="meshes/trough.stl"), pose=pose(0.328, 0.131, 0.22))
    cell = Cell(name="c", robots=(CellRobot(name="r", model="ur3e"),), objects=(trough,))
    world = CollisionWorld(Scene(cell, tmp_path))
    # The arm reaches into the open trough without touching it ...
    assert world.collides() is None or world.collides().a != "r/wrist_3_link"
    deeper = world.scene.arm().q_start + np.array([0, 0.35, 0, -0.35, 0, 0])
    hit = world.collides(deeper)
    assert hit is not None
    assert hit.b == "trough"
