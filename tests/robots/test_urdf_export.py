"""Our URDF in the tools that people load it into."""

import warnings
from xml.etree import ElementTree

import mujoco
import numpy as np
import pinocchio
import pytest
import yourdfpy

from openpendant.robots import load, names

OWN = names()


@pytest.mark.parametrize("name", OWN)
def test_pinocchio_reads_it_and_agrees(name: str) -> None:
    robot = load(name)
    model = pinocchio.buildModelFromXML(robot.urdf(visuals=False))
    data = model.createData()
    rng = np.random.default_rng(1)
    moving = [edge for edge in robot.tree.edges if edge.moves]
    for _ in range(20):
        joints = {edge.name: float(rng.uniform(max(edge.lower, -3), min(edge.upper, 3))) for edge in moving}
        for edge in moving:
            if edge.mimic is not None:
                joints[edge.name] = joints[edge.mimic.joint]
        q = pinocchio.neutral(model)
        for edge in moving:
            joint = model.joints[model.getJointId(edge.name)]
            angle = joints[edge.name]
            q[joint.idx_q : joint.idx_q + joint.nq] = angle if joint.nq == 1 else (np.cos(angle), np.sin(angle))
        pinocchio.framesForwardKinematics(model, data, q)
        for node, T in robot.link_poses(joints).items():
            found = data.oMf[model.getFrameId(node)].homogeneous
            np.testing.assert_allclose(found, T, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", OWN)
def test_yourdfpy_reads_it(name: str, tmp_path) -> None:
    robot = load(name)
    (tmp_path / "robot.urdf").write_text(robot.urdf("meshes/"), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = yourdfpy.URDF.load(str(tmp_path / "robot.urdf"), build_scene_graph=False, load_meshes=False)
    assert set(found.link_map) == set(robot.tree.nodes)
    assert set(found.joint_map) == {edge.name for edge in robot.tree.edges}
    for edge in robot.tree.edges:
        if edge.mimic is not None:
            assert found.joint_map[edge.name].mimic.joint == edge.mimic.joint


@pytest.mark.parametrize("name", OWN)
def test_mujoco_reads_it_as_it_comes(name: str) -> None:
    robot = load(name)
    model = mujoco.MjModel.from_xml_string(robot.urdf("meshes/"))
    assert model.njnt == sum(edge.moves for edge in robot.tree.edges)
    for edge in robot.tree.edges:
        if edge.moves and edge.kind != "continuous":
            np.testing.assert_allclose(model.joint(edge.name).range, (edge.lower, edge.upper), atol=1e-12)
    weighed = sum(node.mass for node in robot.tree.nodes.values())
    fixed = sum(robot.tree.nodes[node].mass for node in robot.tree.rigid_with(robot.facts.root))
    assert model.body_mass.sum() == pytest.approx(weighed - fixed)


def test_numbers_are_written_with_every_digit() -> None:
    robot = load("yumi")
    root = ElementTree.fromstring(robot.urdf(visuals=False))
    for joint in root.iter("joint"):
        edge = robot.tree.edge(joint.get("name", ""))
        origin = joint.find("origin")
        assert origin is not None
        assert tuple(map(float, origin.get("xyz", "").split())) == edge.xyz
        assert tuple(map(float, origin.get("rpy", "").split())) == edge.rpy
        limit = joint.find("limit")
        if limit is not None and edge.kind == "revolute":
            assert (float(limit.get("lower", "")), float(limit.get("upper", ""))) == (edge.lower, edge.upper)


def test_meshes_are_named_after_their_links() -> None:
    robot = load("ur3e")
    root = ElementTree.fromstring(robot.urdf("here/"))
    files = {link.get("name"): mesh.get("filename") for link in root.iter("link") for mesh in link.iter("mesh")}
    seen = {name for name, node in robot.tree.nodes.items() if node.visual}
    assert files == {name: f"here/{name}.glb" for name in seen}
    assert "base" not in files
    assert not list(ElementTree.fromstring(robot.urdf(visuals=False)).iter("visual"))


def test_meshes_are_found_on_this_machine_where_no_prefix_is_given(home) -> None:
    robot = load("ur3e")
    root = ElementTree.fromstring(robot.urdf())
    files = [mesh.get("filename", "") for mesh in root.iter("mesh")]
    assert len(files) == 7
    assert set(files) == {str(path) for path in robot.visual_paths().values()}
    assert all(path.is_file() for path in robot.visual_paths().values())
    assert set(robot.collision()) == set(robot.visual_paths())


def test_readers_of_visuals_find_our_meshes(home, tmp_path) -> None:
    robot = load("ur3e")
    path = tmp_path / "robot.urdf"
    path.write_text(robot.urdf(), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scene = yourdfpy.URDF.load(str(path), load_meshes=True, build_scene_graph=True).scene
    # Stretched out along x at zero: to the end of the flange, and up to the top of the shoulder.
    np.testing.assert_allclose(scene.bounds, [[-0.07, -0.07, 0.0], [0.49, 0.223, 0.21]], atol=0.02)
    model = pinocchio.buildModelFromUrdf(str(path))
    geometry = pinocchio.buildGeomFromUrdf(model, str(path), pinocchio.GeometryType.VISUAL)
    assert geometry.ngeoms == len(robot.visual_paths())
