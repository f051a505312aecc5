"""Labels of configurations and poses as vendors print them."""

import re
from itertools import product

import msgspec
import numpy as np
import pytest

from openpendant.errors import UnknownNameError
from openpendant.kinematics import Chain, forward, forward_all, make_solver
from openpendant.robots import load
from openpendant.robots.conventions import CONVENTIONS, Plain, find_convention
from openpendant.spatial import transform_from_ur, transform_from_vplus

SIX_AXES = ("irb120", "rx90l", "ur3e")


def unlimited(chain: Chain) -> Chain:
    """The same arm without limits, so that every branch of a pose exists."""
    free = np.full(chain.dof, np.inf)
    return Chain(
        names=chain.names,
        order=chain.order,
        T_parent_joint=chain.T_parent_joint,
        axis=chain.axis,
        prismatic=chain.prismatic,
        T_last_flange=chain.T_last_flange,
        lower=-free,
        upper=free,
    )


def random_joints(name: str, count: int, seed: int) -> np.ndarray:
    arm = load(name).arm()
    lower, upper = np.maximum(arm.limits_lower, -np.pi), np.minimum(arm.limits_upper, np.pi)
    return np.random.default_rng(seed).uniform(lower, upper, (count, 6))


@pytest.mark.parametrize("name", SIX_AXES)
def test_all_branches_of_a_pose_have_labels_of_their_own(name: str) -> None:
    robot = load(name)
    chain = unlimited(robot.arm().chain)
    solver = make_solver(chain)
    describe = robot.arm().describe
    full = 0
    for q in random_joints(name, 300, 3):
        solutions, mask = solver.solve(forward(chain, q))
        labels = [describe(solution) for solution in solutions[mask]]
        assert len(set(labels)) == len(labels), labels
        full += len(labels) == 8
    assert full > 30


@pytest.mark.parametrize("name", SIX_AXES)
def test_a_label_changes_only_through_a_singularity(name: str) -> None:
    """Walk from posture to posture; where the Jacobian keeps the sign of its determinant no label may change twice."""
    robot = load(name)
    arm = robot.arm()
    describe = arm.describe
    for start, end in zip(random_joints(name, 40, 4), random_joints(name, 40, 5), strict=True):
        path = [start + share * (end - start) for share in np.linspace(0, 1, 400)]
        labels = [re.sub(r"cf\d=-?\d+ ", "", describe(q)) for q in path]
        signs = [np.sign(np.linalg.det(arm.jacobian(q))) for q in path]
        for before, after, sign_before, sign_after in zip(labels, labels[1:], signs, signs[1:], strict=False):
            if sign_before == sign_after and before != after:
                # Two singularities at once within one small step would be needed.
                pytest.fail(f"{before} -> {after} without a singularity")


def test_abb_counts_quarter_turns() -> None:
    robot = load("irb120")
    for quarter in (-2, -1, 0, 1):
        q = np.radians([90 * quarter + 45, 0, 0, 90 * quarter + 44, 30, 90 * quarter + 43])
        q[3] = np.clip(q[3], np.radians(-159), np.radians(159))
        assert robot.label(q).startswith(f"cf1={quarter} cf4={quarter} cf6={quarter} ")
    assert "cf6=4" in robot.label(np.radians([0, 0, 0, 0, 30, 399]))
    assert "cf6=-5" in robot.label(np.radians([0, 0, 0, 0, 30, -399]))


@pytest.mark.parametrize(("behind", "back", "negative"), list(product((False, True), repeat=3)))
def test_abb_cfx_follows_the_table(behind: bool, back: bool, negative: bool) -> None:
    """Axis 2 leans the arm behind axis 1; axis 3 past the stretched elbow brings the wrist behind the lower arm."""
    robot = load("irb120")
    arm = robot.arm()
    stretched = np.degrees(np.arctan2(-0.302, 0.07))  # where forearm and lower arm are in line
    axis_3 = stretched + (-20 if back else 20)
    q = np.radians([0, -100 if behind else 60, axis_3, 0, -30 if negative else 30, 0])
    wrist = arm.fk_all(q)["link_5"][:3, 3]
    elbow = arm.fk_all(q)["link_3"][:3, 3] - (0, 0, 0.29)
    assert (wrist[0] < 0) == behind
    # In front of the lower arm: towards where it leans when axis 2 turns positive.
    lean = np.array([elbow[2], 0, -elbow[0]])
    assert (lean @ (wrist - (0, 0, 0.29)) < 0) == back
    assert robot.label(q).endswith(f"cfx={4 * behind + 2 * back + negative}")


def test_vplus_words_mean_what_they_say() -> None:
    robot = load("rx90l")
    arm = robot.arm()
    for q in random_joints("rx90l", 200, 6):
        poses = arm.fk_all(q)
        shoulder, elbow, wrist = (poses[link][:3, 3] for link in ("link_2", "link_3", "link_5"))
        moved = q.copy()
        moved[1] += 1e-6
        raises = arm.fk_all(moved, check_limits=False)["link_5"][2, 3] > wrist[2]
        line = wrist - shoulder
        share = (elbow - shoulder) @ line / (line @ line)
        above = elbow[2] > (shoulder + share * line)[2]
        words = ["RIGHTY" if raises else "LEFTY", "ABOVE" if above else "BELOW", "FLIP" if q[4] < 0 else "NOFLIP"]
        assert robot.label(q) == " ".join(words)


def test_ur_words_mean_what_they_say() -> None:
    robot = load("ur3e")
    arm = robot.arm()
    checked = 0
    for position in np.random.default_rng(7).uniform((0.15, -0.3, 0.1), (0.35, 0.3, 0.4), (60, 3)):
        T = np.diag((1.0, -1.0, -1.0, 1.0))
        T[:3, 3] = position
        for solution in arm.ik(T).solutions:
            poses = forward_all(arm.chain, solution.q)
            shoulder, elbow, wrist_1, wrist_2, wrist_3 = (poses[i][:3, 3] for i in (1, 2, 3, 4, 5))
            axis = poses[1][:3, 2]  # of the shoulder: the arm's plane is set off along it
            towards = np.array([*wrist_3[:2], 0])
            left = np.cross((0, 0, 1), towards)
            side = np.sign((wrist_1 - shoulder) @ axis) * axis @ left
            line = wrist_1 - shoulder
            line -= (line @ axis) * axis
            share = (elbow - shoulder) @ line / (line @ line)
            above = elbow[2] > (shoulder + share * line)[2]
            out = np.hypot(*(wrist_2 - (wrist_2 @ axis) * axis)[:2]) > np.hypot(
                *(wrist_1 - (wrist_1 @ axis) * axis)[:2]
            )
            words = dict(word.split() for word in solution.label.split(", "))
            assert words["shoulder"] == ("left" if side > 0 else "right")
            reach = line @ towards
            if reach > 0.05 * np.linalg.norm(towards):
                # Said for an arm that reaches out to its wrist; folded over its own base it is the mirror image.
                assert words["elbow"] == ("up" if above else "down")
                assert words["wrist"] == ("out" if out else "in")
                checked += 1
    assert checked > 100


def test_redundant_abb_arms_say_quarters_and_signs() -> None:
    robot = load("yumi")
    q = robot.posture("home", "left")
    assert robot.label(q, "left") == "cf1=0 cf4=0 cf6=0, axis 2 −, axis 3 +, axis 5 +"
    assert robot.print_pose(q, "left").title == "RAPID pose"


def test_abb_prints_a_robtarget() -> None:
    robot = load("irb120")
    assert robot.print_pose(np.zeros(6)) == ("RAPID robtarget", "[[374,0,630],[0.707107,0,0.707107,0],[0,0,0,0]]")
    q = np.radians([101, 52, -9, 1, 45, 6])
    place, turn, conf = msgspec.json.decode(robot.print_pose(q).text, type=tuple[list[float], list[float], list[int]])
    np.testing.assert_allclose(np.array(place) / 1000, robot.arm().fk(q)[:3, 3], atol=6e-7)
    assert np.linalg.norm(turn) == pytest.approx(1, abs=2e-6)
    assert conf == [1, 0, 0, 0]


def test_printed_poses_read_back() -> None:
    for name, read in (("rx90l", transform_from_vplus), ("ur3e", transform_from_ur)):
        robot = load(name)
        for q in random_joints(name, 20, 8):
            numbers = [float(word) for word in re.findall(r"-?\d+\.\d+", robot.print_pose(q, frame="tool0").text)]
            base = robot.arm_facts().controller_base or None
            np.testing.assert_allclose(read(numbers), robot.arm().fk(q, base=base), atol=3e-5)


def test_plain_prints_millimetres_and_angles() -> None:
    chain = load("irb120").arm().chain
    T = np.eye(4)
    T[:3, 3] = 0.1, -0.2, -1e-9
    printed = Plain().printer(chain)(T, np.zeros(6))
    assert printed.text == "x 100.000  y -200.000  z 0.000  roll 0.000  pitch 0.000  yaw 0.000"


def test_plain_names_the_joints_where_the_geometry_has_no_words() -> None:
    chain = load("yumi").arm("left").chain
    assert (
        Plain().describer(chain)(np.radians([0, -130, 30, 0, 40, 0, 135]))
        == "0.0° -130.0° 30.0° 0.0° 40.0° 0.0° 135.0°"
    )
    assert Plain().describer(load("irb120").arm().chain)(np.zeros(6)) == "shoulder +, elbow +, wrist +"


def test_conventions_are_found_by_name() -> None:
    assert set(CONVENTIONS) == {"abb", "plain", "ur", "vplus"}
    with pytest.raises(UnknownNameError, match="no convention named 'kuka'"):
        find_convention("kuka")
