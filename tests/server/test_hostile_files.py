"""Files and bodies from strangers are refused with a reason, and leave nothing behind."""

import io
import json
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
import trimesh

from openpendant.errors import CellFileError
from openpendant.scene.collision.meshes import convex_parts
from openpendant.server import project_routes as rest
from openpendant.user_folders import user_projects_folder

CELL = b'{"format": 1, "name": "c"}'


@pytest.fixture(scope="module")
def project(http: httpx.Client) -> str:
    return http.post("/api/projects", json={"title": "hostile"}).json()["id"]


def below(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_size for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def untouched(project: str) -> Iterator[None]:
    """Nothing in the user's folder is other than before."""
    before = below(user_projects_folder())
    yield
    assert below(user_projects_folder()) == before


def zipped(files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def stl(vertices: np.ndarray) -> bytes:
    faces = vertices.reshape(-1, 3, 3).astype("<f4")
    body = b"".join(bytes(12) + face.tobytes() + bytes(2) for face in faces)
    return bytes(80) + struct.pack("<I", len(faces)) + body


BOX = trimesh.creation.box((0.1, 0.2, 0.3))
CORNERS = np.asarray(BOX.triangles)
NOT_FINITE, ENDLESS, FAR = CORNERS.copy(), CORNERS.copy(), CORNERS.copy()
NOT_FINITE[0, 0, 0] = np.nan
ENDLESS[0, 0, 0] = np.inf
FAR[0, 0, 0] = 1e30
PLY = b"ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nend_header\n0 0 0\n"
GLB = bytearray(BOX.export(file_type="glb"))
GLB_LIES = bytes(GLB[:12]) + struct.pack("<I", 0xFFFFFFF0) + bytes(GLB[16:])
GLTF_SPY = json.dumps(
    {
        "asset": {"version": "2.0"},
        "buffers": [{"uri": "file:///etc/passwd", "byteLength": 10}],
        "bufferViews": [{"buffer": 0, "byteLength": 10}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
    }
).encode()


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize(
    ("file", "data", "why"),
    [
        ("a.stl", stl(NOT_FINITE), "finite"),
        ("a.stl", stl(ENDLESS), "finite"),
        ("a.stl", stl(FAR), "coordinate 1e+30"),
        ("a.stl", bytes(80) + struct.pack("<I", 0xFFFFFFFF) + bytes(50), "no triangles"),
        ("a.stl", b"solid x\n" + b"facet " * 1000, "a.stl"),
        ("a.ply", PLY % 4_000_000_000, "a.ply"),
        ("a.ply", b"ply\nformat binary_little_endian 1.0\nelement vertex -1\nend_header\n", "a.ply"),
        ("a.obj", b"v 0 0 0\nf 1 2 3\n", "a.obj"),
        ("a.obj", b"f " + b"9" * 400 + b" 1 2\n", "a.obj"),
        ("a.glb", GLB_LIES, "a.glb"),
        ("a.glb", b"glTF", "a.glb"),
        ("a.gltf", GLTF_SPY, "other files"),
        ("a.gltf", b"[" * 200_000, "a.gltf"),
        ("a.svg", b"<svg onload='alert(1)'>", "is not a mesh"),
        ("a.html", b"<script>alert(1)</script>", "is not a mesh"),
        ("a", b"", "is not a mesh"),
        ("a.step", b"ISO-10303-21;", "STL"),
    ],
)
def test_a_bad_mesh_is_refused(http: httpx.Client, project: str, file: str, data: bytes, why: str) -> None:
    answer = http.post(f"/api/projects/{project}/meshes", params={"file": file}, content=data)
    assert answer.status_code == 422
    assert why in answer.json()["message"]
    assert len(answer.json()["message"]) < 600
    assert "root" not in answer.text


def test_a_mesh_with_too_many_triangles_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The server has meshes read in its own process, which knows nothing of this limit.
    monkeypatch.setattr("openpendant.scene.collision.meshes.MOST_TRIANGLES", 11)
    (tmp_path / "a.stl").write_bytes(stl(CORNERS))
    with pytest.raises(CellFileError, match="12 triangles; at most 11"):
        convex_parts(tmp_path / "a.stl", 1.0)


@pytest.mark.parametrize("scale", ["nan", "inf", "-1", "0", "1e9", "x"])
@pytest.mark.usefixtures("untouched")
def test_a_scale_that_cannot_be_is_refused(http: httpx.Client, project: str, scale: str) -> None:
    params = {"file": "a.stl", "scale": scale}
    answer = http.post(f"/api/projects/{project}/meshes", params=params, content=stl(CORNERS))
    assert answer.status_code == 422
    assert "scale" in answer.json()["message"]


@pytest.mark.parametrize(
    "name",
    [
        "../../../evil",
        "/etc/evil",
        "C:\\evil",
        "<img src=x onerror=alert(1)>",
        "a\x00b",
        "\u202egnp",
        "x" * 500,
        "%2e%2e",
    ],
)
def test_the_name_of_a_mesh_is_made_plain(http: httpx.Client, project: str, name: str) -> None:
    answer = http.post(f"/api/projects/{project}/meshes", params={"file": f"{name}.stl"}, content=stl(CORNERS))
    assert answer.status_code == 201
    kept = answer.json()["file"]
    assert kept.removeprefix("meshes/").removesuffix(".stl").replace("_", "").replace("-", "").isalnum()
    assert (user_projects_folder() / project / kept).is_file()
    again = http.get(f"/api/projects/{project}/{kept}")
    assert again.headers["content-type"] == "application/octet-stream"
    assert again.headers["content-disposition"] == "attachment"


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (zipped({"cell.json": b"[" * 100_000}), "fault"),
        (zipped({"cell.json": b'{"a":' * 100_000}), "fault"),
        (zipped({"cell.json": b'{"format": 1, "name": "c", "title": NaN}'}), "fault"),
        (zipped({"cell.json": b"\xff\xfe"}), "fault"),
        (zipped({"cell.json": CELL, "programs/<script>.json": b"{}"}), "letters"),
        (zipped({"cell.json": CELL, "programs/a.json": b"[" * 100_000}), "fault"),
        (zipped({"cell.json": CELL, "programs/x\x00.json": b"{}"}), "not allowed"),
        (zipped({"cell.json": CELL, "C:/x.json": b"{}"}), "outside it"),
        (zipped({"cell.json": CELL, "a/" * 300 + "x.json": b"{}"}), "folders deep"),
        (zipped({"cell.json": CELL})[:-10], "zip"),
        (zipped({"cell.json": CELL}, zipfile.ZIP_STORED).replace(b"format", b"FORMAT"), "broken"),
    ],
)
def test_a_bad_archive_is_refused(http: httpx.Client, data: bytes, why: str) -> None:
    answer = http.post("/api/archives", content=data)
    assert answer.status_code == 422
    assert why in answer.json()["message"]
    assert str(user_projects_folder()) not in answer.text


@pytest.mark.usefixtures("untouched")
def test_a_bomb_over_the_wire_is_stopped(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openpendant.archives.LARGEST_BYTES", 1_000_000)
    answer = http.post("/api/archives", content=zipped({"cell.json": CELL, "a.stl": bytes(3_000_000)}))
    assert answer.status_code == 422
    assert "more than 1000000 bytes" in answer.json()["message"]


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize(
    "path", ["/api/archives", "/api/projects/{project}/meshes?file=a.stl", "/api/robots?file=a.urdf"]
)
def test_a_body_is_cut_off_where_it_is_too_large(
    http: httpx.Client, project: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rest, "LARGEST_UPLOAD", 1000)
    monkeypatch.setattr("openpendant.server.robot_routes.LARGEST_UPLOAD", 1000)
    answer = http.post(path.format(project=project), content=bytes(2000))
    assert answer.status_code == 422
    assert "more than 1000 bytes" in answer.json()["message"]


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("body", [b"[" * 60_000, b'{"title":' * 6_000, b'{"title": "\xff"}', b'{"title": "\\ud800"}'])
@pytest.mark.parametrize("path", ["/api/projects", "/api/calibrations/tool", "/api/pairings"])
def test_json_that_is_none_is_refused(http: httpx.Client, path: str, body: bytes) -> None:
    answer = http.post(path, content=body)
    assert answer.status_code == 422
    assert answer.json()["message"]


def test_script_in_a_title_stays_text(http: httpx.Client) -> None:
    made = http.post("/api/projects", json={"title": "<script>alert('x')</script>\" onload=1"})
    assert made.status_code == 201
    name = made.json()["id"]
    assert name.replace("_", "").isalnum()
    assert made.headers["content-type"] == "application/json"
    assert made.headers["x-content-type-options"] == "nosniff"
    packed = http.get(f"/api/projects/{name}/archive.zip")
    assert packed.headers["content-disposition"] == f'attachment; filename="{name}.zip"'
    assert "script-src 'self' 'wasm-unsafe-eval'" in packed.headers["content-security-policy"]
