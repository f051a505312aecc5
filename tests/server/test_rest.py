"""Every address answers with what it promises, and with one sentence where it cannot."""

import shutil
import struct
import xml.etree.ElementTree as ET

import httpx
import msgspec
import numpy as np
import pytest
from talking import Talker

import openpendant as op
from openpendant.messages import Health, Reach, RobotInfo, RobotSummary
from openpendant.spatial import inverse, make_transform, matrix_from_quaternion
from openpendant.user_folders import user_robots_folder

NAMES = op.names()


def urdf_of(http: httpx.Client, name: str) -> ET.Element:
    return ET.fromstring(http.get(f"/api/robots/{name}/robot.urdf").text)


def test_health_tells_the_version(http: httpx.Client) -> None:
    health = msgspec.json.decode(http.get("/api/health").content, type=Health)
    assert health.version == op.__version__


@pytest.mark.parametrize("path", ["health", "robots", "robots/ur3e", "robots/ur3e/robot.urdf"])
def test_the_headers_alone_can_be_had(http: httpx.Client, path: str) -> None:
    got, head = http.get(f"/api/{path}"), http.head(f"/api/{path}")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]


def test_it_becomes_ready(http: httpx.Client) -> None:
    for _ in range(100_000):
        if msgspec.json.decode(http.get("/api/health").content, type=Health).ready:
            return
    pytest.fail("the server never became ready")


def test_the_catalogue_lists_every_robot(http: httpx.Client) -> None:
    rows = msgspec.json.decode(http.get("/api/robots").content, type=list[RobotSummary])
    assert [row.name for row in rows] == list(op.names())
    assert [row.name for row in rows if row.imported] == ["boxes"]
    axes = {row.name: (row.kind, row.axes) for row in rows}
    assert axes["irb120"] == ("arm", 6)
    assert axes["yumi"] == ("two arms", 14)
    assert axes["robomap"] == ("mobile", 3)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_told_of_a_robot_fits_its_urdf(http: httpx.Client, name: str) -> None:
    info = msgspec.json.decode(http.get(f"/api/robots/{name}").content, type=RobotInfo)
    urdf = ET.fromstring(http.get(f"/{info.urdf}").text)
    links = {link.get("name") for link in urdf.iter("link")}
    joints = {joint.get("name"): joint for joint in urdf.findall("joint")}
    assert info.root in links
    told = [joint for arm in info.arms for joint in arm.joints]
    told += [] if info.platform is None else info.platform.joints
    told += [finger for arm in info.arms if arm.tool for finger in arm.tool.fingers]
    assert told
    for joint in told:
        assert joints[joint.name].get("type") == joint.kind
        limit = joints[joint.name].find("limit")
        if joint.lower is not None and limit is not None:
            assert float(limit.get("lower", "nan")) == pytest.approx(joint.lower)
    for arm in info.arms:
        assert {frame.link for frame in (*arm.frames, *arm.bases)} <= links
        assert arm.flange in {frame.name for frame in arm.frames}
        assert arm.base in {frame.name for frame in arm.bases}
        if arm.tool is not None:
            assert arm.tool.tcp in {frame.name for frame in arm.frames}
        for posture in arm.postures:
            op.load(name).arm(arm.name).check_q(posture.q)


def test_two_arms_show_the_same_frame_names_for_their_own_links(http: httpx.Client) -> None:
    info = msgspec.json.decode(http.get("/api/robots/yumi").content, type=RobotInfo)
    tool0 = [frame.link for arm in info.arms for frame in arm.frames if frame.name == "tool0"]
    assert tool0 == ["tool0_l", "tool0_r"]
    assert [arm.redundancy for arm in info.arms] == ["yumi_joint_7_l", "yumi_joint_7_r"]


def test_meshes_are_gltf_and_known_the_second_time(http: httpx.Client, boxes: str) -> None:
    files = {mesh.get("filename") for mesh in urdf_of(http, boxes).iter("mesh")}
    assert files == {"meshes/stand.glb", "meshes/arm.glb"}
    for file in files:
        answer = http.get(f"/api/robots/{boxes}/{file}")
        assert answer.headers["content-type"] == "model/gltf-binary"
        magic, _, length = struct.unpack_from("<4sII", answer.content)
        assert (magic, length) == (b"glTF", len(answer.content))
        again = http.get(f"/api/robots/{boxes}/{file}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_another_version_of_a_mesh_has_another_tag(http: httpx.Client) -> None:
    """Files of a wheel all have one time, and a mesh may change without changing its size."""
    link, path = next(iter(op.load("ur3e").visual_paths().items()))
    tag = http.get(f"/api/robots/ur3e/meshes/{link}.glb").headers["etag"]
    assert path.parent.name.startswith("ur3e-")
    assert path.parent.name in tag


@pytest.mark.parametrize(("name", "arm"), [(name, arm) for name in NAMES for arm in op.load(name).arms])
def test_the_reach_holds_every_random_posture(http: httpx.Client, name: str, arm: str) -> None:
    reach = msgspec.json.decode(http.get(f"/api/robots/{name}/reach", params={"arm": arm}).content, type=Reach)
    assert (reach.robot, reach.arm) == (name, arm)
    assert -np.pi <= reach.turn[0] < reach.turn[1] <= np.pi
    profile = np.array(reach.profile)
    assert profile[:, 0].min() >= 0.0
    own = op.load(name).arm(arm)
    lower, upper = np.maximum(own.limits_lower, -np.pi), np.minimum(own.limits_upper, np.pi)
    q = np.random.default_rng(3).uniform(lower, upper, (500, own.dof))
    T_axis_base = inverse(make_transform(matrix_from_quaternion(reach.origin.wxyz), reach.origin.xyz))
    points = (T_axis_base @ own.fk(q))[:, :3, 3]
    radius, height = np.hypot(points[:, 0], points[:, 1]), points[:, 2]
    cell = profile[:, 0].max() / 80
    assert all(near_inside(profile, r, z, cell) for r, z in zip(radius, height, strict=True))
    # And not much more than that.
    assert profile[:, 0].max() < 1.25 * radius.max()


def near_inside(polygon: np.ndarray, x: float, y: float, tolerance: float) -> bool:
    """Even-odd rule, and a tolerance around the border."""
    a, b = polygon, np.roll(polygon, -1, axis=0)
    along = b - a
    share = np.clip(((x - a[:, 0]) * along[:, 0] + (y - a[:, 1]) * along[:, 1]) / (along**2).sum(1), 0, 1)
    if np.hypot(a[:, 0] + share * along[:, 0] - x, a[:, 1] + share * along[:, 1] - y).min() < tolerance:
        return True
    crosses = (a[:, 1] > y) != (b[:, 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = a[:, 0] + (y - a[:, 1]) / (b[:, 1] - a[:, 1]) * along[:, 0]
    return bool((crosses & (x < at)).sum() % 2)


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/api/robots/ur3", 404, "no robot named 'ur3'. Did you mean ur3e"),
        ("/api/robots/ur3/robot.urdf", 404, "no robot named 'ur3'"),
        ("/api/robots/boxes/meshes/stnd.glb", 404, "no mesh named 'stnd'. Did you mean stand?"),
        ("/api/robots/ur3e/reach?arm=left", 404, "no arm named 'left'. Known: arm."),
        ("/api/robots/robomap/reach", 422, "robomap has no arm"),
        ("/api/robotz", 404, "nothing is served at /api/robotz"),
    ],
)
def test_what_is_not_there_is_told_in_one_sentence(http: httpx.Client, path: str, status: int, said: str) -> None:
    answer = http.get(path)
    assert answer.status_code == status
    assert list(answer.json()) == ["message", "said"]
    assert said in answer.json()["message"]


def test_only_reading_is_allowed(http: httpx.Client) -> None:
    answer = http.post("/api/demos", json={})
    assert answer.status_code == 405
    assert answer.json()["message"] == "POST is not allowed at /api/demos"


def test_the_interface_is_described(http: httpx.Client) -> None:
    text = http.get("/api/openapi.json").text
    description = msgspec.json.decode(text)
    assert {"RobotInfo", "RobotSummary", "Reach", "ArmInfo"} <= set(description["components"]["schemas"])
    content = description["paths"]["/api/robots/{name}"]["get"]["responses"]["200"]["content"]
    assert content == {"application/json": {"schema": {"$ref": "#/components/schemas/RobotInfo"}}}
    told = description["paths"]["/api/robots/{name}"]["get"]["responses"]
    assert set(told) == {"200", "4XX"}
    assert told["4XX"]["content"] == {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


def test_a_broken_entry_does_not_hide_the_others(http: httpx.Client, talker: Talker) -> None:
    broken = user_robots_folder() / "broken"
    broken.mkdir()
    try:
        (broken / "facts.toml").write_text("format = 1\n")
        assert "broken" not in [row["name"] for row in http.get("/api/robots").json()]
        answer = http.get("/api/robots/broken")
        assert answer.status_code == 422
        assert "facts.toml" in answer.json()["message"]
        failed = talker.ask(type="forward", id=3, robot="broken", arm="arm", q=[], frame="tool0", base="base_link")
        assert (failed["type"], failed["id"]) == ("failed", 3)
        assert "facts.toml" in failed["message"]
    finally:
        shutil.rmtree(broken)
