"""Meshes over REST: glTF as text, and files that hold no triangles."""

import httpx
import pytest
import trimesh
from trimesh.exchange.gltf import export_gltf


def test_gltf_as_text_becomes_one_file_and_stands_z_up(http: httpx.Client) -> None:
    name = http.post("/api/projects", json={"title": "Meshes of glTF"}).json()["id"]
    box = trimesh.creation.box((0.1, 0.2, 0.3))
    text = export_gltf(trimesh.Scene(box), embed_buffers=True)["model.gltf"]
    place = f"/api/projects/{name}/meshes"
    made = http.post(place, params={"file": "plate.gltf"}, content=text)
    assert made.status_code == 201, made.text
    assert made.json()["file"] == "meshes/plate.glb"
    assert made.json()["size_m"] == pytest.approx([0.1, 0.3, 0.2])
    apart = export_gltf(trimesh.Scene(box))["model.gltf"]
    told = http.post(place, params={"file": "plate.gltf"}, content=apart)
    assert told.status_code == 422
    assert "needs other files beside it; save it as one .glb file" in told.json()["message"]
    step = http.post(place, params={"file": "plate.STEP"}, content=b"ISO-10303-21;")
    assert "save it as STL, OBJ or glTF in your CAD program" in step.json()["message"]
