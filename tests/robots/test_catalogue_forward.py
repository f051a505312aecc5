"""FK of every robot against products written here from the published tables, and against MuJoCo on our URDF."""

import math
from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from openpendant.robots import Robot, is_built_in, load, names

POSES = 1000
TOLERANCE = 1e-9


def Rx(a: float) -> np.ndarray:
    c, s = math.cos(a), math.sin(a)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def Ry(a: float) -> np.ndarray:
    c, s = math.cos(a), math.sin(a)
    return np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1.0]])


def Rz(a: float) -> np.ndarray:
    c, s = math.cos(a), math.sin(a)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def T(x: float, y: float, z: float) -> np.ndarray:
    result = np.eye(4)
    result[:3, 3] = x, y, z
    return result


def ur3e(q: np.ndarray) -> np.ndarray:
    """UR's published DH table gives the pose in the controller's base; base_link is turned by half a turn."""
    table = (
        (0.0, math.pi / 2, 0.15185),
        (-0.24355, 0.0, 0.0),
        (-0.2132, 0.0, 0.0),
        (0.0, math.pi / 2, 0.13105),
        (0.0, -math.pi / 2, 0.08535),
        (0.0, 0.0, 0.0921),
    )
    pose = Rz(math.pi)
    for angle, (a, alpha, d) in zip(q, table, strict=True):
        pose = pose @ Rz(angle) @ T(0, 0, d) @ T(a, 0, 0) @ Rx(alpha)
    return pose


def rx90l(q: np.ndarray) -> np.ndarray:
    """The V+ product, from the shoulder."""
    half = math.pi / 2
    pose = Rz(q[0]) @ Ry(q[1] + half) @ T(0, 0, 0.45) @ Ry(q[2] - half) @ Rz(q[3]) @ T(0, 0, 0.65)
    return pose @ Ry(q[4]) @ Rz(q[5]) @ T(0, 0, 0.085)


def irb120(q: np.ndarray) -> np.ndarray:
    """Link lengths 290, 270, 70, 302, 72 mm; axes z, y, y, x, y, x."""
    pose = Rz(q[0]) @ T(0, 0, 0.29) @ Ry(q[1]) @ T(0, 0, 0.27) @ Ry(q[2]) @ T(0, 0, 0.07) @ Rx(q[3])
    return pose @ T(0.302, 0, 0) @ Ry(q[4]) @ T(0.072, 0, 0) @ Rx(q[5]) @ Ry(math.pi / 2)


def yumi(first: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """The published joint table; axes stand in the order 1 2 7 3 4 5 6."""
    up, down = Rx(math.pi / 2), Rx(-math.pi / 2)
    frames = (
        first,
        T(0.03, 0, 0.1) @ up,
        T(-0.03, 0.17283, 0) @ down,
        T(-0.04188, 0, 0.07873) @ Rz(0) @ Ry(-math.pi / 2) @ up,
        T(0.0405, 0.16461, 0) @ down,
        T(-0.027, 0, 0.10039) @ up,
        T(0.027, 0.029, 0) @ down,
    )

    def forward(q: np.ndarray) -> np.ndarray:
        pose = np.eye(4)
        for frame, axis in zip(frames, (1, 2, 7, 3, 4, 5, 6), strict=True):
            pose = pose @ frame @ Rz(q[axis - 1])
        return pose

    return forward


TABLES = {
    ("irb120", "arm"): irb120,
    ("rx90l", "arm"): rx90l,
    ("ur3e", "arm"): ur3e,
    ("yumi", "left"): yumi(T(0.05355, 0.0725, 0.41492) @ Rz(2.318) @ Ry(-0.5716) @ Rx(0.9781)),
    ("yumi", "right"): yumi(T(0.05355, -0.0725, 0.41492) @ Rz(-2.3155) @ Ry(-0.5682) @ Rx(-0.9795)),
}


def random_joints(robot: Robot, arm: str, seed: int) -> np.ndarray:
    found = robot.arm(arm)
    lower, upper = np.maximum(found.limits_lower, -7.0), np.minimum(found.limits_upper, 7.0)
    return np.random.default_rng(seed).uniform(lower, upper, (POSES, found.dof))


@pytest.mark.parametrize(("name", "arm"), TABLES)
def test_flange_agrees_with_the_published_table(name: str, arm: str) -> None:
    robot = load(name)
    q = random_joints(robot, arm, 1)
    wanted = np.array([TABLES[name, arm](one) for one in q])
    np.testing.assert_allclose(robot.arm(arm).fk(q), wanted, rtol=0, atol=TOLERANCE)


BEND = math.radians(30.0)
# The neck of the torch: 140 mm straight, an arc of 30° with radius 120 mm, then 100 mm along the electrode.
TORCH = T(0, 0, 0.14) @ T(0.12 * (1 - math.cos(BEND)), 0, 0.12 * math.sin(BEND)) @ Ry(BEND) @ T(0, 0, 0.1)
TOOLS = {("irb120", "arm"): T(0, 0, 0.125), ("rx90l", "arm"): TORCH}
TOOLS |= {("yumi", side): T(0, 0, 0.136) for side in ("left", "right")}


@pytest.mark.parametrize(("name", "arm"), TOOLS)
def test_tcp_agrees_with_the_published_table_and_the_tools_drawing(name: str, arm: str) -> None:
    robot = load(name)
    q = random_joints(robot, arm, 3)
    wanted = np.array([TABLES[name, arm](one) for one in q]) @ TOOLS[name, arm]
    np.testing.assert_allclose(robot.arm(arm).fk(q, "tcp"), wanted, rtol=0, atol=TOLERANCE)


def test_every_carried_tool_has_a_drawing() -> None:
    assert set(TOOLS) == {(name, arm) for name, arm in TABLES if load(name).tool(arm) is not None}


@pytest.mark.parametrize(
    ("name", "base", "T_other_base"), [("ur3e", "base", Rz(math.pi)), ("rx90l", "pedestal", T(0, 0, 0.42))]
)
def test_other_bases_agree_with_the_published_table(name: str, base: str, T_other_base: np.ndarray) -> None:
    robot = load(name)
    q = random_joints(robot, "arm", 4)
    wanted = np.array([T_other_base @ TABLES[name, "arm"](one) for one in q])
    np.testing.assert_allclose(robot.arm().fk(q, base=base), wanted, rtol=0, atol=TOLERANCE)


def test_a_platform_stands_where_its_joints_say() -> None:
    robot = load("robomap")
    for x, y, heading in np.random.default_rng(5).uniform((-25, -25, -7), (25, 25, 7), (POSES, 3)):
        poses = robot.link_poses({"x": x, "y": y, "heading": heading})
        np.testing.assert_allclose(poses["body"], T(x, y, 0) @ Rz(heading), rtol=0, atol=TOLERANCE)
        camera = T(x, y, 0) @ Rz(heading) @ T(0.05, 0, 1.1)
        np.testing.assert_allclose(poses["camera"], camera, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize(("name", "arm"), TABLES)
def test_jacobians_of_all_frames_are_their_derivatives(name: str, arm: str) -> None:
    found = load(name).arm(arm)
    step = 1e-6
    for q in random_joints(load(name), arm, 6)[:3]:
        for frame in found.frames:
            J = found.jacobian(q, frame, check_limits=False)
            R = found.fk(q, frame)[:3, :3]
            for j, move in enumerate(step * np.eye(found.dof)):
                ahead, behind = (found.fk(q + sense * move, frame, check_limits=False) for sense in (1, -1))
                rate = (ahead - behind) / (2.0 * step)
                spin = rate[:3, :3] @ R.T
                np.testing.assert_allclose(J[:, j], (*rate[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]), atol=1e-8)


def test_every_arm_of_the_catalogue_has_a_table() -> None:
    assert set(TABLES) == {(name, arm) for name in filter(is_built_in, names()) for arm in load(name).arms}


@pytest.mark.parametrize("name", ["irb120", "robomap", "rx90l", "ur3e", "yumi"])
def test_every_frame_agrees_with_mujoco_on_our_urdf(name: str) -> None:
    robot = load(name)
    spec = mujoco.MjSpec.from_string(robot.urdf(visuals=False))
    spec.compiler.fusestatic = False
    model = spec.compile()
    data = mujoco.MjData(model)
    moving = [edge for edge in robot.tree.edges if edge.moves]
    places = [model.joint(edge.name).qposadr[0] for edge in moving]
    bodies = {node: model.body(node).id for node in robot.tree.nodes if node != robot.facts.root}
    rng = np.random.default_rng(2)
    q = rng.uniform(
        [max(edge.lower, -7.0) for edge in moving], [min(edge.upper, 7.0) for edge in moving], (POSES, len(moving))
    )
    for finger, edge in enumerate(moving):
        if edge.mimic is not None:
            q[:, finger] = q[:, [other.name for other in moving].index(edge.mimic.joint)]
    arms = {
        arm.name: arm.fk(q[:, [[edge.name for edge in moving].index(joint) for joint in arm.chain.names]], "tcp")
        for arm in robot.arms.values()
        if "tcp" in arm.frames
    }
    worst = 0.0
    for row, joints in enumerate(q):
        data.qpos[places] = joints
        mujoco.mj_kinematics(model, data)
        ours = robot.link_poses(dict(zip((edge.name for edge in moving), joints, strict=True)))
        for node, body in bodies.items():
            worst = max(worst, float(np.abs(data.xpos[body] - ours[node][:3, 3]).max()))
            worst = max(worst, float(np.abs(data.xmat[body].reshape(3, 3) - ours[node][:3, :3]).max()))
        for arm, poses in arms.items():
            T_root_tcp = ours[robot.arm_facts(arm).base] @ poses[row]
            worst = max(worst, float(np.abs(T_root_tcp[:3, 3] - data.xpos[bodies[robot.link_of("tcp", arm)]]).max()))
    assert worst < TOLERANCE


@pytest.mark.parametrize("name", ["irb120", "rx90l", "ur3e", "yumi"])
def test_frames_of_an_arm_agree_with_the_whole_tree(name: str) -> None:
    robot = load(name)
    for arm in robot.arms.values():
        for base, T_base_other in arm.bases.items():
            q = robot.posture(arm=arm.name)
            tree = robot.link_poses(dict(zip(arm.chain.names, q, strict=True)))
            T_root_base = tree[base]
            np.testing.assert_allclose(tree[arm.base] @ T_base_other, T_root_base, rtol=0, atol=1e-12)
            for frame, pose in arm.fk_all(q, base).items():
                wanted = tree[robot.link_of(frame, arm.name)]
                np.testing.assert_allclose(T_root_base @ pose, wanted, rtol=0, atol=1e-12)
