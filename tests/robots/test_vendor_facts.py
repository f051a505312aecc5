"""Numbers that the makers, or people with the real robot, publish."""

import math
import re

import msgspec
import numpy as np
import pytest

from openpendant.robots import Robot, load


def degrees(*values: float) -> np.ndarray:
    return np.radians(values)


def test_irb120_stands_at_374_0_630_when_all_axes_are_zero() -> None:
    robot = load("irb120")
    pose = robot.arm().fk(robot.posture("home"))
    np.testing.assert_allclose(pose[:3, 3], (0.374, 0, 0.630), atol=1e-12)
    np.testing.assert_allclose(pose[:3, 2], (1, 0, 0), atol=1e-12)


def test_rx90l_with_the_short_forearm_prints_what_a_real_rx90_printed() -> None:
    long = load("rx90l").facts
    joints = tuple(
        msgspec.structs.replace(joint, xyz_m=(0.0, 0.0, 0.45)) if joint.xyz_m[2] == 0.65 else joint
        for joint in long.joints
    )
    short = Robot(msgspec.structs.replace(long, joints=joints), load("rx90l").folder, imported=False)
    printed = short.print_pose(degrees(-0.000, -90.001, 89.993, 0.000, -0.000, -0.005))
    assert printed.title == "V+ where"
    numbers = [float(word) for word in re.findall(r"-?\d+\.\d+", printed.text)]
    # The controller rounds its joints to 0.001°, which is 0.02 mm at the flange.
    np.testing.assert_allclose(numbers[:3], (-0.077, 0.000, 985.000), atol=0.02)
    np.testing.assert_allclose(numbers[3:], (179.999, 0.008, 179.995), atol=0.0015)


def test_rx90l_ready_is_straight_up_at_its_full_reach() -> None:
    robot = load("rx90l")
    pose = robot.arm().fk(robot.posture("READY"))
    np.testing.assert_allclose(pose, np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1.185], [0, 0, 0, 1]]), atol=1e-12)
    floor = robot.arm().fk(robot.posture("READY"), base="pedestal")
    assert floor[2, 3] == pytest.approx(1.185 + 0.42)


def test_ur3e_base_is_base_link_turned_by_half_a_turn() -> None:
    arm = load("ur3e").arm()
    q = degrees(10, -80, 100, -110, -90, 30)
    ros, controller = arm.fk(q), arm.fk(q, base="base")
    np.testing.assert_allclose(controller[:3, 3], ros[:3, 3] * (-1, -1, 1), atol=1e-12)


def test_ur3e_pose_is_printed_in_the_controllers_base() -> None:
    robot = load("ur3e")
    q = robot.posture("ready")
    numbers = [float(word) for word in re.findall(r"-?\d+\.\d+", robot.print_pose(q).text)]
    np.testing.assert_allclose(numbers[:3], robot.arm().fk(q, base="base")[:3, 3], atol=6e-6)


@pytest.mark.parametrize(("arm", "axis_7"), [("left", 135), ("right", -135)])
def test_yumi_home_is_that_of_the_controller(arm: str, axis_7: float) -> None:
    robot = load("yumi")
    q = robot.posture("home", arm)
    np.testing.assert_allclose(q, degrees(0, -130, 30, 0, 40, 0, axis_7), atol=1e-15)
    np.testing.assert_array_equal(robot.posture(arm=arm), q)
    np.testing.assert_array_equal(robot.arm(arm).chain.order + 1, (1, 2, 7, 3, 4, 5, 6))


def test_yumi_arms_mirror_each_other_at_home() -> None:
    robot = load("yumi")
    left, right = (robot.arm(arm).fk(robot.posture("home", arm))[:3, 3] for arm in ("left", "right"))
    # The published mounting angles of the two sides differ by up to 0.2°.
    np.testing.assert_allclose(left * (1, -1, 1), right, atol=0.002)


@pytest.mark.parametrize(("arm", "side"), [("left", 1.0), ("right", -1.0)])
def test_yumi_home_is_where_a_controller_reads_it(arm: str, side: float) -> None:
    """What controllers print there; the published mounting of axis 1 is up to 0.2° off, the lengths 1.5 mm."""
    robot = load("yumi")
    text = robot.print_pose(robot.posture("home", arm), arm).text
    place, turn = msgspec.json.decode(text, type=tuple[list[float], list[float]])
    np.testing.assert_allclose(place, (-9.578, side * 182.610, 198.628), atol=1.7)
    printed = (0.066010726, side * 0.842420918, -0.111214912, side * 0.523068661)
    assert 2.0 * math.acos(abs(np.dot(turn, printed))) < math.radians(0.18)


@pytest.mark.parametrize("arm", ["left", "right"])
def test_yumi_controllers_flange_is_36_mm_from_the_wrist(arm: str) -> None:
    robot = load("yumi")
    chain = robot.arm(arm).chain
    wrist_to_flange = chain.T_parent_joint[-1][1, 3] + robot.T_flange_controller(arm)[2, 3]
    assert wrist_to_flange == pytest.approx(0.036)
    np.testing.assert_allclose(robot.T_flange_controller(arm)[:3, :3], np.diag((-1.0, -1.0, 1.0)), atol=1e-12)
    q = robot.posture("at work", arm)
    assert robot.print_pose(q, arm) == robot.print_pose(q, arm, "tool0") == robot.print_pose(q, arm, "controller_tool0")


@pytest.mark.parametrize("name", ["irb120", "ur3e", "rx90l"])
def test_other_controllers_share_our_flange(name: str) -> None:
    np.testing.assert_array_equal(load(name).T_flange_controller(), np.eye(4))


@pytest.mark.parametrize(
    ("name", "limits", "speeds"),
    [
        (
            "irb120",
            ((-165, 165), (-110, 110), (-110, 70), (-160, 160), (-120, 120), (-400, 400)),
            (250, 250, 250, 320, 320, 420),
        ),
        (
            "rx90l",
            ((-160, 160), (-227.5, 47.5), (-52.5, 232.5), (-270, 270), (-105, 120), (-270, 270)),
            (236, 200, 286, 401, 320, 580),
        ),
        (
            "ur3e",
            ((-360, 360), (-360, 360), (-180, 180), (-360, 360), (-360, 360), (-math.inf, math.inf)),
            (180, 180, 180, 360, 360, 360),
        ),
        (
            "yumi",
            ((-168.5, 168.5), (-143.5, 43.5), (-123.5, 80), (-290, 290), (-88, 138), (-229, 229), (-168.5, 168.5)),
            (180, 180, 180, 400, 400, 400, 180),
        ),
    ],
)
def test_limits_are_those_of_the_maker(
    name: str, limits: tuple[tuple[float, float], ...], speeds: tuple[float, ...]
) -> None:
    robot = load(name)
    for arm in robot.arms.values():
        np.testing.assert_allclose(np.degrees(arm.limits_lower), [low for low, _ in limits])
        np.testing.assert_allclose(np.degrees(arm.limits_upper), [high for _, high in limits])
        velocity = [robot.tree.edge(joint).velocity for joint in arm.chain.names]
        np.testing.assert_allclose(np.degrees(np.array(velocity, dtype=float)), speeds)


@pytest.mark.parametrize(
    ("name", "payload", "reach"), [("irb120", 3, 0.58), ("rx90l", 3.5, 1.185), ("ur3e", 3, 0.5), ("yumi", 0.5, 0.559)]
)
def test_payload_and_reach_are_those_of_the_data_sheet(name: str, payload: float, reach: float) -> None:
    facts = load(name).facts
    assert (facts.payload_kg, facts.reach_m) == (payload, reach)


def test_tools_point_as_described() -> None:
    for name, distance in (("irb120", 0.125), ("yumi", 0.136)):
        robot = load(name)
        for arm in robot.arms.values():
            q = robot.posture(arm=arm.name)
            T_tool_tcp = np.linalg.inv(arm.fk(q)) @ arm.fk(q, "tcp")
            np.testing.assert_allclose(
                T_tool_tcp, np.block([[np.eye(3), np.array([[0], [0], [distance]])], [0, 0, 0, 1]]), atol=1e-12
            )
    robot = load("rx90l")
    q = robot.posture("ready to weld")
    torch = robot.arm().fk(q, "tcp")
    np.testing.assert_allclose(torch[:3, 2], (0, 0, -1), atol=1e-12)
    T_tool_tcp = np.linalg.inv(robot.arm().fk(q)) @ torch
    # The neck: 140 mm straight, an arc of 30° with radius 120 mm, then 100 mm along the electrode.
    bend = math.radians(30)
    end = np.array([0.12 * (1 - math.cos(bend)), 0, 0.14 + 0.12 * math.sin(bend)])
    np.testing.assert_allclose(T_tool_tcp[:3, 3], end + 0.1 * np.array([math.sin(bend), 0, math.cos(bend)]), atol=1e-12)


def test_fingers_open_away_from_each_other() -> None:
    robot = load("irb120")
    tool = robot.tool()
    assert tool is not None
    leader = tool.fingers[0]
    closed, opened = robot.link_poses(), robot.link_poses({leader.joint: leader.travel_m})
    shift = [
        np.linalg.inv(closed["tool0"]) @ (opened[finger.link] - closed[finger.link])[:, 3] for finger in tool.fingers
    ]
    np.testing.assert_allclose(shift[0][:3], (0, 0.025, 0), atol=1e-12)
    np.testing.assert_allclose(shift[1][:3], (0, -0.025, 0), atol=1e-12)


def test_robomap_drives_where_it_is_told() -> None:
    robot = load("robomap")
    poses = robot.link_poses({"x": 2.0, "y": 1.0, "heading": math.pi / 2})
    np.testing.assert_allclose(poses["body"][:3, 3], (2, 1, 0), atol=1e-12)
    np.testing.assert_allclose(poses["camera"][:3, 0], (0, 1, 0), atol=1e-12)
    np.testing.assert_allclose(poses["camera"][:3, 3], (2, 1.05, 1.1), atol=1e-12)
