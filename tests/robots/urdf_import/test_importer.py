"""URDF in: what is taken over, what is refused, and how the arms are found."""

import re
import struct
from pathlib import Path

import numpy as np
import pytest
import trimesh

from openpendant.errors import InputError, RobotFileError
from openpendant.robots import import_urdf, is_built_in, load, names, remove
from openpendant.robots.urdf_import import elements, meshes, xml
from openpendant.shapes import contains
from openpendant.user_folders import user_robots_folder

GOOD = """<?xml version="1.0"?>
<robot name="Two Link">
  <material name="orange"><color rgba="1 0.5 0 1"/></material>
  <link name="base_link"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/>
      <mass value="2"/>
      <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.1"/>
      <geometry><box size="0.1 0.1 0.2"/></geometry>
      <material name="orange"/>
    </visual>
  </link>
  <link name="fore"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <link name="tool0"/>
  <joint name="shoulder" type="revolute">
    <parent link="base_link"/><child link="upper"/>
    <origin xyz="0 0 0.3" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 0 2"/>
    <limit lower="0.5" upper="2" velocity="1.5" effort="10"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="fore"/>
    <origin xyz="0 0 0.2"/>
    <axis xyz="0 1 0"/>
  </joint>
  <joint name="mount" type="fixed">
    <parent link="fore"/><child link="tool0"/>
    <origin xyz="0.3 0 0"/>
  </joint>
</robot>
"""


def write(folder: Path, text: str, name: str = "robot.urdf") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def bounds(path: Path) -> np.ndarray:
    return np.asarray(trimesh.load_scene(path).bounds)


def test_what_a_urdf_says_is_taken_over(home: Path, tmp_path: Path) -> None:
    robot = import_urdf(write(tmp_path, GOOD))
    assert (robot.name, robot.title, robot.imported) == ("two_link", "Two Link", True)
    assert robot.name in names()
    assert not is_built_in(robot.name)
    arm = robot.arm()
    assert (arm.name, arm.base, arm.flange, arm.chain.names) == ("arm", "base_link", "tool0", ("shoulder", "elbow"))
    np.testing.assert_allclose(arm.limits_lower, (0.5, -np.inf))
    np.testing.assert_allclose(arm.chain.axis[0], (0, 0, 1))
    assert robot.tree.edge("shoulder").velocity == pytest.approx(1.5)
    assert robot.tree.edge("elbow").velocity is None
    np.testing.assert_allclose(robot.posture(), (0.5, 0))
    upper = robot.tree.nodes["upper"]
    assert (upper.mass, upper.com) == (2, (0, 0, 0.1))
    np.testing.assert_allclose(upper.inertia, (2, 1, 2.5, 0, 0, 0), atol=1e-12)
    assert list(robot.visual_paths()) == ["upper"]
    np.testing.assert_allclose(bounds(robot.visual_paths()["upper"]), [[-0.05, -0.05, 0], [0.05, 0.05, 0.2]], atol=1e-6)
    assert set(robot.collision()) == {"upper", "fore"}
    assert robot.print_pose((1.0, 0.0)).title == "mm and roll, pitch, yaw"


@pytest.mark.parametrize("name", ["irb120", "rx90l", "ur3e", "yumi", "robomap"])
def test_our_own_urdf_comes_back_the_same(name: str, home: Path, tmp_path: Path) -> None:
    own = load(name)
    again = import_urdf(write(tmp_path, own.urdf(visuals=False)), name=f"{name}_again")
    assert set(again.tree.nodes) == set(own.tree.nodes)
    rng = np.random.default_rng(1)
    moving = [edge for edge in own.tree.edges if edge.moves]
    for _ in range(50):
        joints = {edge.name: float(rng.uniform(max(edge.lower, -3), min(edge.upper, 3))) for edge in moving}
        found = again.link_poses(joints)
        for node, T in own.link_poses(joints).items():
            np.testing.assert_allclose(found[node], T, rtol=0, atol=1e-12)
    arms = {frozenset(arm.joints) for arm in again.facts.arms}
    if own.arms:
        assert arms == {frozenset(arm.joints) for arm in own.facts.arms}
        assert {arm.solver.title for arm in again.arms.values()} == {arm.solver.title for arm in own.arms.values()}
    for edge in own.tree.edges:
        other = again.tree.edge(edge.name)
        np.testing.assert_allclose((other.lower, other.upper), (edge.lower, edge.upper), rtol=1e-14)
        assert (other.mimic is None) == (edge.mimic is None)


def test_yumi_comes_back_with_a_left_and_a_right_arm(home: Path, tmp_path: Path) -> None:
    again = import_urdf(write(tmp_path, load("yumi").urdf(visuals=False)), name="twin")
    assert set(again.arms) == {"left", "right"}
    assert {arm.flange for arm in again.facts.arms} == {"tool0_l", "tool0_r"}


@pytest.mark.parametrize("ending", ["stl", "obj", "dae", "glb", "ply"])
def test_meshes_come_with_scale_and_place(ending: str, home: Path, tmp_path: Path) -> None:
    body = trimesh.creation.box(extents=(100, 200, 300))
    content = trimesh.exchange.dae.export_collada(body) if ending == "dae" else body.export(file_type=ending)
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / f"box.{ending}").write_bytes(content.encode() if isinstance(content, str) else content)
    text = GOOD.replace('<box size="0.1 0.1 0.2"/>', f'<mesh filename="meshes/box.{ending}" scale="1e-3 1e-3 -1e-3"/>')
    robot = import_urdf(write(tmp_path, text))
    path = robot.visual_paths()["upper"]
    np.testing.assert_allclose(bounds(path), [[-0.05, -0.1, -0.05], [0.05, 0.1, 0.25]], atol=1e-6)
    found = trimesh.load_scene(path).to_geometry()
    assert found.volume == pytest.approx(0.006, rel=1e-5), "mirrored triangles must still face outwards"
    normals = np.abs(found.vertex_normals)
    np.testing.assert_allclose(normals.max(axis=1), 1, atol=1e-6, err_msg="edges of a box stay sharp")
    (shape,) = robot.collision()["upper"]
    assert shape is not None


@pytest.mark.parametrize("address", ["package://my_robot/meshes/a.stl", "file://{folder}/meshes/a.stl"])
def test_meshes_are_found_by_package_and_by_path(address: str, home: Path, tmp_path: Path) -> None:
    root = tmp_path / "somewhere"
    (root / "meshes").mkdir(parents=True)
    trimesh.creation.icosphere(subdivisions=2, radius=0.1).export(root / "meshes" / "a.stl")
    text = GOOD.replace('<box size="0.1 0.1 0.2"/>', f'<mesh filename="{address.format(folder=root)}"/>')
    robot = import_urdf(write(tmp_path, text), {"my_robot": root})
    np.testing.assert_allclose(bounds(robot.visual_paths()["upper"])[1], (0.1, 0.1, 0.2), atol=1e-3)


def test_a_package_is_found_above_its_own_urdf(home: Path, tmp_path: Path) -> None:
    root = tmp_path / "my_robot"
    (root / "urdf").mkdir(parents=True)
    trimesh.creation.box(extents=(0.1, 0.1, 0.1)).export(root / "a.stl")
    text = GOOD.replace('<box size="0.1 0.1 0.2"/>', '<mesh filename="package://my_robot/a.stl"/>')
    assert import_urdf(write(root / "urdf", text)).visual_paths()


@pytest.mark.parametrize("shape", ['<cylinder radius="0.1" length="0.4"/>', '<capsule radius="0.1" length="0.2"/>'])
def test_rods_stand_about_their_middle(shape: str, home: Path, tmp_path: Path) -> None:
    robot = import_urdf(write(tmp_path, GOOD.replace('<box size="0.1 0.1 0.2"/>', shape)))
    np.testing.assert_allclose(bounds(robot.visual_paths()["upper"])[:, 2], (-0.1, 0.3), atol=1e-6)


def swap(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


BROKEN = {
    "no XML": (GOOD.replace("</robot>", ""), None, "not well-formed"),
    "no robot": ("<model/>", 1, "<robot> is expected"),
    "no name": (swap(' name="Two Link"', ""), 2, "<robot>: attribute 'name' is missing"),
    "no links": ('<robot name="a"/>', 1, "it has no <link>"),
    "xacro": (swap('value="2"', 'value="${m}"'), 8, "is a xacro"),
    "no link name": (swap('<link name="base_link"/>', "<link/>"), 4, "<link>: attribute 'name' is missing"),
    "twice a link": (swap('<link name="tool0"/>', '<link name="fore"/>'), 18, "link 'fore': the name is used twice"),
    "twice a joint": (swap('"elbow"', '"shoulder"'), 25, "joint 'shoulder': the name is used twice"),
    "bad link name": (swap('<link name="tool0"/>', '<link name="../x"/>'), 18, "link '../x': use letters"),
    "no parent": (swap('<parent link="upper"/>', ""), 25, "joint 'elbow': <parent> is missing"),
    "unknown parent": (swap('link="upper"', 'link="uper"'), None, "joint 'shoulder', <child>: there is no link named"),
    "type": (swap('type="continuous"', 'type="planar"'), 25, "joint 'elbow': type 'planar' is not supported"),
    "no type": (swap(' type="continuous"', ""), 25, "joint 'elbow': attribute 'type' is missing"),
    "not a number": (swap("0 0 0.2", "0 0 x"), 27, "joint 'elbow', <origin>: xyz is 'x', which is not a number"),
    "two numbers": (swap("0 0 0.2", "0 0"), 27, "expected three numbers"),
    "nan": (swap("0 0 0.2", "0 0 nan"), 27, "must be finite"),
    "zero axis": (swap("0 1 0", "0 0 0"), 28, "joint 'elbow', <axis>: the axis is zero"),
    "no limit": (swap('<limit lower="0.5" upper="2" velocity="1.5" effort="10"/>', ""), 19, "needs a <limit>"),
    "reversed": (swap('upper="2"', 'upper="0.2"'), 23, "joint 'shoulder', <limit>: lower 0.5 is not below upper 0.2"),
    "negative speed": (swap('velocity="1.5"', 'velocity="-1"'), 23, "velocity -1 is negative"),
    "negative mass": (swap('value="2"', 'value="-2"'), None, "link 'upper', <inertial>: mass -2 is negative"),
    "negative inertia": (swap('ixx="1"', 'ixx="-1"'), 9, "moment of inertia is negative"),
    "negative box": (swap("0.1 0.1 0.2", "0.1 -0.1 0.2"), 13, "above zero"),
    "no radius": (swap(' radius="0.05"', ""), 17, "attribute 'radius' is missing"),
    "no geometry": (swap('<geometry><box size="0.1 0.1 0.2"/></geometry>', ""), 11, "<geometry> is missing"),
    "empty geometry": (swap('<box size="0.1 0.1 0.2"/>', ""), 13, "none of mesh, box"),
    "bad colour": (swap("1 0.5 0 1", "1 0.5 0"), 3, "expected four numbers"),
    "loop": (swap('<parent link="base_link"/><child', '<parent link="tool0"/><child'), None, "closes a loop"),
    "two roots": (swap('<link name="tool0"/>', '<link name="tool0"/><link name="moon"/>'), 18, "'moon': a second root"),
    "two parents": (
        swap(
            "</robot>", '<joint name="b" type="fixed"><parent link="base_link"/><child link="tool0"/></joint></robot>'
        ),
        34,
        "joint 'b': link 'tool0' already hangs on joint 'mount'",
    ),
    "mimics nothing": (swap('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><mimic joint="j"/>'), 25, "mimics 'j'"),
    "two origins": (swap('<origin xyz="0 0 0.2"/>', "<origin/><origin/>"), 27, "<origin>: given twice"),
    "entities": (swap("<robot", '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><robot'), 1, "declares a DTD"),
    "no mesh": (swap('<box size="0.1 0.1 0.2"/>', '<mesh filename="a.stl"/>'), 11, "mesh 'a.stl' is missing"),
    "no package": (
        swap('<box size="0.1 0.1 0.2"/>', '<mesh filename="package://p/a.stl"/>'),
        11,
        "is in package 'p', whose folder is unknown; give it with --package p=PATH",
    ),
    "a mesh on the net": (
        swap('<box size="0.1 0.1 0.2"/>', '<mesh filename="http://a/a.stl"/>'),
        11,
        "has the scheme 'http'",
    ),
    "unknown format": (swap('<box size="0.1 0.1 0.2"/>', '<mesh filename="a.exe"/>'), 11, "has the ending '.exe'"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_urdf_is_told_by_line_and_element(case: str, home: Path, tmp_path: Path) -> None:
    text, line, said = BROKEN[case]
    path = write(tmp_path, text)
    with pytest.raises(RobotFileError, match=re.escape(said)) as caught:
        import_urdf(path)
    assert caught.value.path == path
    assert caught.value.line is not None
    if line is not None:
        assert caught.value.line == line
    assert not list(user_robots_folder().glob("*"))


def test_a_mesh_outside_of_its_package_is_refused(home: Path, tmp_path: Path) -> None:
    root = tmp_path / "pkg"
    root.mkdir()
    trimesh.creation.box(extents=(1, 1, 1)).export(tmp_path / "secret.stl")
    text = swap('<box size="0.1 0.1 0.2"/>', '<mesh filename="package://p/../secret.stl"/>')
    with pytest.raises(RobotFileError, match="points outside its package"):
        import_urdf(write(tmp_path, text), {"p": root})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.stl", b"solid nothing\nendsolid"),
        ("a.stl", b"\0" * 80 + struct.pack("<I", 1) + struct.pack("<12fH", *[float("nan")] * 12, 0)),
        ("a.stl", b""),
        ("a.dae", b"<COLLADA>"),
        ("a.dae", b"<!DOCTYPE x []><COLLADA/>"),
        ("a.glb", b"glTF" + b"\0" * 40),
        ("a.obj", b"v 0 0 0\nf 1 2 9\n"),
    ],
)
def test_a_broken_mesh_is_told(name: str, content: bytes, home: Path, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    text = swap('<box size="0.1 0.1 0.2"/>', f'<mesh filename="{name}"/>')
    with pytest.raises(RobotFileError, match=f"link 'upper': mesh .*{re.escape(name)}") as caught:
        import_urdf(write(tmp_path, text))
    assert caught.value.line == 11


def test_files_that_are_too_large_are_refused(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trimesh.creation.box(extents=(1, 1, 1)).export(tmp_path / "a.stl")
    path = write(tmp_path, swap('<box size="0.1 0.1 0.2"/>', '<mesh filename="a.stl"/>'))
    with monkeypatch.context() as patch:
        patch.setattr(meshes, "MAX_MESH_BYTES", 100)
        with pytest.raises(RobotFileError, match=r"mesh 'a\.stl' is larger than"):
            import_urdf(path)
    monkeypatch.setattr(xml, "MAX_BYTES", 100)
    with pytest.raises(RobotFileError, match="is larger than"):
        elements.open_urdf(path)


def test_deep_nesting_is_refused(home: Path, tmp_path: Path) -> None:
    with pytest.raises(RobotFileError, match=r"nested deeper|not well-formed"):
        import_urdf(write(tmp_path, "<robot name='a'>" + "<a>" * 230 + "</a>" * 230 + "</robot>"))


def test_a_missing_urdf_is_told(home: Path, tmp_path: Path) -> None:
    with pytest.raises(RobotFileError, match="cannot be read"):
        import_urdf(tmp_path / "none.urdf")


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".", "Big", "x" * 65, "ur3e"])
def test_names_that_cannot_be_are_refused(name: str, home: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a valid robot name|comes with OpenPendant"):
        import_urdf(write(tmp_path, GOOD), name=name)


def test_a_robot_is_replaced_only_when_asked(home: Path, tmp_path: Path) -> None:
    first = import_urdf(write(tmp_path, GOOD))
    changed = GOOD.replace("0.3 0 0", "0.4 0 0")
    with pytest.raises(InputError, match="already there"):
        import_urdf(write(tmp_path, changed))
    assert load("two_link") is first
    second = import_urdf(write(tmp_path, changed), replace=True)
    assert load("two_link") is second
    assert second.tree.edge("mount").xyz == (0.4, 0, 0)
    assert [path.name for path in user_robots_folder().iterdir()] == ["two_link"]


def test_a_failed_import_leaves_the_old_one(home: Path, tmp_path: Path) -> None:
    first = import_urdf(write(tmp_path, GOOD))
    with pytest.raises(RobotFileError):
        import_urdf(write(tmp_path, GOOD.replace("0.3 0 0", "0.4 0")), replace=True)
    assert load("two_link") is first


def test_imported_robots_can_be_removed_and_ours_cannot(home: Path, tmp_path: Path) -> None:
    import_urdf(write(tmp_path, GOOD))
    remove("two_link")
    assert "two_link" not in names()
    with pytest.raises(InputError, match="comes with OpenPendant"):
        remove("ur3e")
    with pytest.raises(InputError, match="no robot named 'two_link'"):
        remove("two_link")


def chain(*joints: tuple[str, str, str, str], extra: str = "") -> str:
    """A URDF of (joint, type, parent, child); links as needed."""
    links = dict.fromkeys(link for _, _, parent, child in joints for link in (parent, child))
    lines = [f'<link name="{link}"/>' for link in links]
    for name, kind, parent, child in joints:
        kind, _, leader = kind.partition(" mimics ")
        mimic = f'<mimic joint="{leader}"/>' if leader else ""
        limit = "" if kind == "fixed" else '<limit lower="-1" upper="1" velocity="1" effort="1"/>'
        lines.append(
            f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="0 0 0.1"/>{limit}{mimic}</joint>'
        )
    return f'<robot name="made">{"".join(lines)}{extra}</robot>'


def serial(prefix: str, start: str, count: int) -> list[tuple[str, str, str, str]]:
    links = [start, *(f"{prefix}link_{i}" for i in range(1, count + 1))]
    return [(f"{prefix}joint_{i}", "revolute", links[i - 1], links[i]) for i in range(1, count + 1)]


def test_a_gripper_is_no_arm(home: Path, tmp_path: Path) -> None:
    arm = serial("", "base_link", 7)
    hand = [
        ("mount", "fixed", "link_7", "hand"),
        ("finger_1", "prismatic", "hand", "left_finger"),
        ("finger_2", "prismatic mimics finger_1", "hand", "right_finger"),
    ]
    robot = import_urdf(write(tmp_path, chain(*arm, *hand)))
    assert robot.arm().chain.names == tuple(f"joint_{i}" for i in range(1, 8))
    assert robot.arm().flange == "hand"
    assert robot.arm().redundancy == 2
    poses = robot.link_poses({"finger_1": 0.05})
    np.testing.assert_allclose(poses["left_finger"], poses["right_finger"])


def test_two_arms_on_a_turning_torso_share_it(home: Path, tmp_path: Path) -> None:
    torso = [("waist", "revolute", "base_link", "torso")]
    robot = import_urdf(write(tmp_path, chain(*torso, *serial("left_", "torso", 6), *serial("right_", "torso", 6))))
    assert [arm.dof for arm in robot.arms.values()] == [7, 7]
    assert all(arm.chain.names[0] == "waist" for arm in robot.arms.values())


def test_a_world_link_is_not_the_base(home: Path, tmp_path: Path) -> None:
    robot = import_urdf(write(tmp_path, chain(("w", "fixed", "world", "base_link"), *serial("", "base_link", 6))))
    assert (robot.facts.root, robot.arm().base) == ("world", "base_link")
    assert set(robot.arm().bases) == {"world", "base_link"}


def test_a_statue_has_no_arms(home: Path, tmp_path: Path) -> None:
    robot = import_urdf(write(tmp_path, chain(("a", "fixed", "foot", "head"))))
    assert robot.arms == {}
    assert set(robot.link_poses()) == {"foot", "head"}


def noisy_fork() -> trimesh.Trimesh:
    """An open, doubled mesh with flat parts, such as people export: a fork, a plate and a lonely triangle."""
    parts = [
        trimesh.creation.box(extents=(0.05, 0.05, 0.4), transform=trimesh.transformations.translation_matrix((x, 0, 0)))
        for x in (-0.15, 0.15)
    ]
    bridge = trimesh.creation.cylinder(radius=0.04, height=0.3)
    bridge.apply_transform(trimesh.transformations.rotation_matrix(np.pi / 2, (0, 1, 0)))
    bridge.apply_translation((0, 0, -0.2))
    plate = trimesh.Trimesh([[0, 0, 0.5], [0.1, 0, 0.5], [0.1, 0.1, 0.5], [0, 0.1, 0.5]], [[0, 1, 2], [0, 2, 3]])
    bridge.update_faces(np.arange(len(bridge.faces)) % 5 > 0)
    return trimesh.util.concatenate([*parts, bridge, bridge.copy(), plate])


def test_collision_shapes_contain_meshes_of_any_quality(home: Path, tmp_path: Path) -> None:
    noisy_fork().export(tmp_path / "fork.stl")
    robot = import_urdf(write(tmp_path, swap('<box size="0.1 0.1 0.2"/>', '<mesh filename="fork.stl"/>')))
    vertices = np.asarray(trimesh.load_scene(robot.visual_paths()["upper"]).to_geometry().vertices, dtype=np.float64)
    shapes = robot.collision()["upper"]
    assert 2 <= len(shapes) <= 8
    inside = np.logical_or.reduce([contains(shape, vertices) for shape in shapes])
    assert inside.all()
    # The gap of the fork is free: one hull round everything would fill it.
    gap = np.array([[0.0, 0.0, 0.2]])
    assert not any(contains(shape, gap)[0] for shape in shapes)
