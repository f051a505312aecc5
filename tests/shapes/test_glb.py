"""GLB files: read back by another library, they hold what was put in."""

import io
import json
import struct

import numpy as np
import pytest
import trimesh

from openpendant.shapes import Material, encode_glb, lathe, part, sphere


def test_another_reader_sees_the_same_triangles_normals_and_materials() -> None:
    orange, steel = Material("#ff8000", 0.4), Material("#808080", 0.3, 0.9)
    ball, disc = part(sphere(0.05), orange), part(lathe([(0, 0), (0.05, 0), (0.05, 0.01), (0, 0.01)]), steel)
    raw = encode_glb([ball, disc, ball.move(0.2)], "wrist")
    scene = trimesh.load(io.BytesIO(raw), file_type="glb")
    meshes = {g.visual.material.name: g for g in scene.geometry.values()}
    assert set(meshes) == {"#ff8000", "#808080"}
    assert len(meshes["#ff8000"].faces) == 2 * len(ball.mesh.faces)
    np.testing.assert_allclose(meshes["#808080"].vertices, disc.mesh.vertices, atol=1e-7)
    np.testing.assert_allclose(meshes["#808080"].vertex_normals, disc.mesh.normals, atol=1e-6)
    assert meshes["#808080"].visual.material.metallicFactor == pytest.approx(0.9)


def test_colours_are_stored_linear() -> None:
    raw = encode_glb([part(sphere(0.05), Material("#808080"))])
    (length,) = struct.unpack_from("<I", raw, 12)
    material = json.loads(raw[20 : 20 + length])["materials"][0]["pbrMetallicRoughness"]
    assert material["baseColorFactor"][0] == pytest.approx(0.2158, abs=1e-3)
    assert struct.unpack_from("<4sII", raw) == (b"glTF", 2, len(raw))
