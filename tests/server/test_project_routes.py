"""The library over REST."""

import io
import zipfile

import httpx
import pytest
import trimesh

from openpendant.projects import MOST_SCRATCH


@pytest.fixture
def made(http: httpx.Client):
    answer = http.post("/api/projects", json={"title": "My cell", "demo": "bench"})
    assert answer.status_code == 201
    return answer.json()["id"]


def test_demos_are_told(http: httpx.Client):
    demos = {one["name"]: one for one in http.get("/api/demos").json()}
    assert demos["bench"]["robots"] == ["ur3e"]
    assert "sort_cubes" in demos["pick_and_place"]["programs"]


def test_a_project_comes_and_goes(http: httpx.Client, made: str):
    assert made in {one["id"] for one in http.get("/api/projects").json()}
    assert http.get(f"/api/projects/{made}").json()["title"] == "My cell"
    copy = http.post(f"/api/projects/{made}/copies").json()["id"]
    assert copy != made
    kept = http.delete(f"/api/projects/{copy}").json()["kept"]
    assert http.get(f"/api/projects/{copy}").status_code == 404
    assert http.post(f"/api/trash/{kept}").json()["id"] == copy


def test_an_archive_goes_out_and_comes_back(http: httpx.Client, made: str):
    data = http.get(f"/api/projects/{made}/archive.zip").content
    assert "cell.json" in zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert http.post("/api/archives", content=data).status_code == 201
    bad = http.post("/api/archives", content=b"no zip")
    assert bad.status_code == 422
    assert "not a zip archive" in bad.json()["message"]


def test_meshes_are_taken_in_with_what_is_to_be_known_of_them(http: httpx.Client, made: str):
    box = trimesh.creation.box((0.1, 0.2, 0.3)).export(file_type="stl")
    answer = http.post(f"/api/projects/{made}/meshes", params={"file": "../My box!.STL"}, content=box)
    assert answer.status_code == 201
    told = answer.json()
    assert told["file"] == "meshes/My_box.stl"
    assert told["size_m"] == pytest.approx([0.1, 0.2, 0.3])
    assert http.get(f"/api/projects/{made}/{told['file']}").content == box
    far = http.post(f"/api/projects/{made}/meshes", params={"file": "big.stl", "scale": 1000}, content=box)
    assert far.status_code == 422 or far.json()["warnings"]
    for name, content in (("x.exe", box), ("x.stl", b"rubbish"), ("x.obj", b"")):
        refused = http.post(f"/api/projects/{made}/meshes", params={"file": name}, content=content)
        assert refused.status_code == 422
        assert name.split(".")[0] in refused.json()["message"]
    assert http.get(f"/api/projects/{made}/meshes/..%2Fcell.json").status_code == 404


def test_only_forms_that_the_robot_understands_are_offered(http: httpx.Client, made: str):
    assert http.get(f"/api/projects/{made}/programs/fill_bin/exports").json() == ["urscript", "csv"]
    assert http.get(f"/api/projects/{made}/programs/none/exports").status_code == 404


def test_a_program_is_exported(http: httpx.Client, made: str):
    (file,) = http.get(f"/api/projects/{made}/programs/fill_bin/exports/urscript").json()
    assert file["text"].startswith("# ")
    assert "movej(" in file["text"]
    assert http.get(f"/api/projects/{made}/programs/fill_bin/exports/basic").status_code == 404
    assert http.get(f"/api/projects/{made}/programs/none/exports/csv").status_code == 404
    refused = http.get(f"/api/projects/{made}/programs/fill_bin/exports/rapid")
    assert refused.status_code == 422
    assert "configuration" in refused.json()["message"]


@pytest.mark.parametrize("body", [b"", b"[]", b'{"title": ""}', b'{"title": 3}', b'{"title": "x", "demo": "nope"}'])
def test_a_project_that_cannot_be_made_is_refused_with_the_reason(http: httpx.Client, body: bytes):
    answer = http.post("/api/projects", content=body)
    assert answer.status_code in (404, 422)
    assert answer.json()["message"]


def test_a_body_that_is_too_large_is_refused(http: httpx.Client):
    assert http.post("/api/projects", content=b"x" * 100_000).status_code == 422


def test_a_robot_is_looked_at_in_a_project_of_its_own_that_is_in_no_list(http: httpx.Client):
    before = {one["id"] for one in http.get("/api/projects").json()}
    answer = http.post("/api/robots/ur3e/cells")
    assert answer.status_code == 201
    told = answer.json()
    assert told["robots"] == ["ur3e"]
    assert http.get(f"/api/projects/{told['id']}").json()["title"] == told["title"]
    assert {one["id"] for one in http.get("/api/projects").json()} == before
    assert http.delete(f"/api/projects/{told['id']}").status_code == 404
    kept = http.post(f"/api/projects/{told['id']}/copies").json()
    assert kept["title"] == told["title"]
    assert kept["id"] in {one["id"] for one in http.get("/api/projects").json()}
    same = http.post("/api/robots/ur3e/cells", params={"again": told["id"]})
    assert same.json()["id"] == told["id"]
    gone = f"scratch-{'5' * 16}"
    assert http.post("/api/robots/ur3e/cells", params={"again": gone}).json()["id"] == gone
    for wrong in ("bench", "../x", "scratch-"):
        assert http.post("/api/robots/ur3e/cells", params={"again": wrong}).status_code == 422
    unknown = http.post("/api/robots/ur3/cells")
    assert unknown.status_code == 404
    assert "ur3e" in unknown.json()["message"]


def test_only_so_many_robots_are_looked_at_at_once(http: httpx.Client):
    first = http.post("/api/robots/ur3e/cells").json()["id"]
    for _ in range(MOST_SCRATCH):
        last = http.post("/api/robots/ur3e/cells").json()["id"]
    assert http.get(f"/api/projects/{first}").status_code == 404
    assert http.get(f"/api/projects/{last}").status_code == 200
