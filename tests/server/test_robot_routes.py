"""Robots over REST: a URDF or a zip goes in, a row of the catalogue comes out."""

import io
import zipfile

import httpx
import trimesh

from openpendant import connect
from openpendant.scene import Add

URDF = """<robot name="derrick">
  <link name="foot"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
  <link name="mast"><visual><geometry><mesh filename="package://derrick/meshes/mast.stl"/></geometry></visual></link>
  <joint name="turn" type="revolute">
    <parent link="foot"/><child link="mast"/><axis xyz="0 0 1"/><origin xyz="0 0 0.3"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/>
  </joint>
</robot>
"""


def packed() -> bytes:
    mast, out = io.BytesIO(), io.BytesIO()
    trimesh.creation.box(extents=(0.1, 0.1, 0.5)).export(mast, file_type="stl")
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("derrick/urdf/derrick.urdf", URDF)
        archive.writestr("derrick/meshes/mast.stl", mast.getvalue())
    return out.getvalue()


def test_a_robot_comes_in_and_is_there_at_once(http: httpx.Client) -> None:
    made = http.post("/api/robots", params={"file": "derrick.zip"}, content=packed())
    assert made.status_code == 201, made.text
    assert made.json()["name"] == "derrick"
    assert made.json()["imported"]
    assert made.json() in http.get("/api/robots").json()
    assert http.get("/api/robots/derrick/meshes/mast.glb").status_code == 200
    again = http.post("/api/robots", params={"file": "derrick.zip"}, content=packed())
    assert again.status_code == 409
    assert "already there" in again.json()["message"]
    both = http.post("/api/robots", params={"file": "derrick.zip", "taken": "keep"}, content=packed())
    assert both.json()["name"] == "derrick_2"


def test_an_imported_robot_goes_when_no_project_has_it(http: httpx.Client) -> None:
    params = {"file": "derrick.zip", "taken": "keep"}
    name = http.post("/api/robots", params=params, content=packed()).json()["name"]
    project = http.post("/api/projects", json={"title": "With a derrick"}).json()["id"]
    with connect(str(http.base_url), name="Ann").open(project) as studio:
        studio.edit_cell(Add(section="robots", item={"name": "arm", "model": name}))
        kept = http.delete(f"/api/robots/{name}")
        assert kept.status_code == 422
        assert "is used in With a derrick" in kept.json()["message"]
        assert kept.json()["said"]["code"] == "robot.in_use"
        studio.undo()
    gone = http.delete(f"/api/robots/{name}")
    assert gone.json()["name"] == name
    assert name not in [one["name"] for one in http.get("/api/robots").json()]
    assert http.delete(f"/api/robots/{name}").status_code == 404
    assert "comes with OpenPendant" in http.delete("/api/robots/ur3e").json()["message"]


def test_what_is_no_robot_is_told(http: httpx.Client) -> None:
    alone = http.post("/api/robots", params={"file": "derrick.urdf"}, content=URDF.replace("derrick", "hoist").encode())
    assert alone.status_code == 422
    assert "into one zip file" in alone.json()["message"]
    advice = alone.json()["said"]["values"]["why"]
    assert (advice["code"], advice["values"]["why"]["code"]) == ("robot.pack_meshes", "urdf.mesh")
    assert http.post("/api/robots", params={"file": "a.txt"}, content=b"").status_code == 422
    assert http.post("/api/robots", params={"file": "a.urdf", "taken": "steal"}, content=b"").status_code == 422
