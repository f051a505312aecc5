"""Unreachable is a value: why in words, by how much, and the nearest pose that can be had."""

import math

import arms
import numpy as np
import pytest
import sets
from arms import DEG
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from openpendant.kinematics import Arm, Attachment, Followed, IkResult, Unreachable
from openpendant.spatial import pose_difference

ARMS = {
    name: Arm(
        name,
        chain,
        base="base_link",
        flange="tool0",
        frames={"tcp": Attachment(chain.dof - 1, chain.T_last_flange @ arms.place((0.0, 0.0, 0.12)))},
        bases={"cell": arms.place((0.3, 0.2, 0.1), (0.0, 0.0, 1.0))},
        joint_titles=tuple(f"Axis {i + 1}" for i in range(chain.dof)),
    )
    for name, chain in arms.ALL.items()
}
READY = np.array([0, -90, 90, 0, 0, 0]) * DEG


def missed(result: IkResult) -> Unreachable:
    assert result.solutions == ()
    assert result.nearest is None
    assert result.most_central is None
    assert result.unreachable is not None
    return result.unreachable


def test_too_far_by_42_millimetres() -> None:
    answer = missed(ARMS["rx90l"].ik(arms.place((0, 0, 1.185 + 0.042)), seed=READY))
    assert answer.reason == "too far: the wrist would need 42 mm more reach"
    assert answer.kind == "far"
    assert answer.joint is None
    assert answer.excess == pytest.approx(0.042, abs=1e-12)
    np.testing.assert_allclose(answer.T_nearest, arms.place((0, 0, 1.185)), atol=1e-6)


def test_a_hair_too_far_is_said_with_its_digits() -> None:
    answer = missed(ARMS["rx90l"].ik(arms.place((0, 0, 1.185 + 2e-7)), seed=READY))
    assert answer.reason == "too far: the wrist would need 0.0002 mm more reach"


def test_too_near_by_15_millimetres() -> None:
    """The links of 650 and 450 mm fold to 200 mm, the wrist would be at 185."""
    answer = missed(ARMS["rx90l"].ik(arms.place((0, 0, 0.185 + 0.085)), seed=READY))
    assert answer.reason == "too near: the wrist would be 15 mm closer to the shoulder than the arm can fold"
    assert answer.kind == "near"
    assert answer.excess == pytest.approx(0.015, abs=1e-12)


def test_ur_too_close_to_axis_1() -> None:
    """Axes 5 and 6 meet 131.05 mm beside axis 1; here they would have to meet 100 mm from it."""
    answer = missed(ARMS["ur3e"].ik(arms.place((0.1, 0.0, 0.4 + 0.0921)), seed=np.full(6, 0.5)))
    assert answer.reason == "too near: the wrist would be 31 mm too close to axis 1"
    assert answer.excess == pytest.approx(0.03105, abs=1e-12)


def test_ur_too_far_counts_from_what_the_two_long_links_can_span() -> None:
    arm = ARMS["ur3e"]
    stretched = np.array([0.0, 0.0, 0.0, -0.4, 1.0, 0.3])
    T = arm.fk(stretched)
    # At q = 0 the long links lie along -x of the base: straight outwards.
    T[0, 3] -= 0.03
    answer = missed(arm.ik(T, seed=stretched))
    assert answer.kind == "far"
    assert answer.excess == pytest.approx(0.03, abs=2e-3)
    back = T.copy()
    back[0, 3] += answer.excess + 1e-4
    assert arm.ik(back, seed=stretched).solutions


def test_beyond_a_limit_names_the_joint_and_the_least_excess() -> None:
    arm = ARMS["irb120"]
    named = 0
    for q in sets.random_joints(arm.chain, 300, 60):
        q[2] = 78.2 * DEG
        result = arm.ik(arm.fk(q, check_limits=False), seed=q)
        if result.unreachable is None:
            continue
        answer = missed(result)
        assert answer.kind == "limit"
        assert answer.excess is not None
        assert 0.0 < answer.excess <= 8.2 * DEG + 1e-6
        if answer.joint == "joint_3 (Axis 3)" and abs(answer.excess - 8.2 * DEG) < 1e-6:
            assert answer.reason == "joint_3 (Axis 3) would be at 78.2°, 8.2° past its limit of 70.0°"
            named += 1
    assert named > 5


def test_beyond_a_limit_of_a_numeric_arm() -> None:
    arm = ARMS["yumi_left"]
    kinds = []
    rng = np.random.default_rng(61)
    for _ in range(120):
        q = rng.uniform(1.6 * arm.limits_lower, 1.6 * arm.limits_upper)
        result = arm.ik(arm.fk(q, check_limits=False), seed=np.clip(q, arm.limits_lower, arm.limits_upper))
        if result.unreachable is not None:
            kinds.append(result.unreachable.kind)
            assert result.unreachable.excess is not None
            assert result.unreachable.excess > 0.0
            assert "past its limit" in result.unreachable.reason
    assert kinds.count("limit") == len(kinds) > 5


def test_numeric_arms_say_too_far_and_too_near() -> None:
    arm = ARMS["yumi_left"]
    far = missed(arm.ik(arms.place((1.5, 0.2, 0.4))))
    assert far.kind == "far"
    assert far.reason.startswith("too far: the flange would need ")
    assert far.excess == pytest.approx(np.linalg.norm(far.T_nearest[:3, 3] - (1.5, 0.2, 0.4)), abs=0.1)
    two = Arm(
        "two",
        arms.chain(
            ["a", "b"],
            [arms.place(), arms.place((0.5, 0, 0))],
            [arms.Z] * 2,
            [(-170, 170)] * 2,
            arms.place((0.3, 0, 0)),
        ),
        base="base",
        flange="tip",
    )
    near = missed(two.ik(arms.place((0.15, 0.0, 0.0))))
    assert near.kind == "near"
    assert near.excess == pytest.approx(0.05, abs=1e-6)
    turned = missed(two.ik(arms.place((0.6, 0.1, 0.0), (0.0, 1.0, 0.0))))
    assert turned.kind == "orientation"
    assert turned.reason == "the position can be reached, but not with this orientation"
    assert turned.excess is None


@pytest.mark.parametrize("name", ARMS)
def test_the_nearest_pose_is_in_the_asked_frame_and_base(name: str) -> None:
    arm = ARMS[name]
    q = np.clip(np.full(arm.dof, 0.4), arm.limits_lower, arm.limits_upper)
    T = arm.fk(q, "tcp", "cell")
    T[:3, 3] += (0.0, 0.0, 2.0)
    answer = missed(arm.ik(T, seed=q, frame="tcp", base="cell"))
    np.testing.assert_allclose(answer.T_nearest, arm.fk(answer.q_nearest, "tcp", "cell"), atol=1e-14)
    assert not answer.q_nearest.flags.writeable
    assert not answer.T_nearest.flags.writeable


def drag(arm: Arm, start: np.ndarray, offsets: np.ndarray) -> list[Followed]:
    """Follow the start pose moved by each offset in turn; the last answer is the next seed."""
    T_start = arm.fk(start)
    answers = []
    q = start
    for offset in offsets:
        T = T_start.copy()
        T[:3, 3] += offset
        answers.append(arm.follow(T, q))
        answer = answers[-1]
        assert np.abs(answer.q - q).max() < 0.6, f"jump of {np.abs(answer.q - q).max():.2f} rad at {offset}"
        arm.check_q(answer.q)
        np.testing.assert_allclose(answer.T, arm.fk(answer.q), atol=1e-14)
        assert answer.reached == (answer.reason is None)
        if answer.reached:
            np.testing.assert_allclose(answer.T, T, atol=1e-9)
        q = answer.q
    return answers


@pytest.mark.parametrize("name", ARMS)
def test_dragging_out_of_reach_and_back_never_jumps(name: str) -> None:
    arm = ARMS[name]
    start = np.clip(np.array([0.3, -0.4, 0.5, 0.3, 0.7, 0.2, 0.4][: arm.dof]), arm.limits_lower, arm.limits_upper)
    if name == "rx90l":
        start = np.array([20, -60, 110, 20, 40, 10]) * DEG
    outwards = arm.fk(start)[:3, 3] - arm.chain.T_parent_joint[0, :3, 3]
    outwards /= np.linalg.norm(outwards)
    way = 0.005 * np.array([*range(1, 161), *range(159, -1, -1)])[:, None] * outwards
    answers = drag(arm, start, way)
    assert answers[0].reached
    assert not answers[159].reached
    assert answers[159].reason
    assert answers[-1].reached
    # Out there the tool stays at the rim: it moves no more than the hand, and less and less.
    out = np.array([answer.T[:3, 3] for answer in answers[100:160]])
    assert np.linalg.norm(np.diff(out, axis=0), axis=1).max() < 0.011


@pytest.mark.parametrize("name", ARMS)
def test_following_inside_the_reach_is_the_nearest_solution(name: str) -> None:
    arm = ARMS[name]
    for q in 0.8 * sets.random_joints(arm.chain, 20, 62):
        q = np.clip(q, arm.limits_lower, arm.limits_upper)
        T = arm.fk(np.clip(q + 0.01, arm.limits_lower, arm.limits_upper), "tcp", "cell")
        answer = arm.follow(T, q, frame="tcp", base="cell")
        assert answer.reached
        np.testing.assert_allclose(answer.T, T, atol=1e-9)
        assert np.abs(answer.q - q).max() < 0.3


def test_where_a_posture_ends_and_another_goes_on_it_is_said() -> None:
    arm = ARMS["ur3e"]
    start = np.array([0.3, -0.4, 0.5, 0.3, 0.7, 0.2])
    outwards = arm.fk(start)[:3, 3] / np.linalg.norm(arm.fk(start)[:3, 3])
    answers = drag(arm, start, 0.005 * np.arange(1, 40)[:, None] * outwards)
    assert "this posture ends here; another one can reach it" in {answer.reason for answer in answers}


def test_without_a_seed_the_nearest_pose_is_looked_for_from_several_starts() -> None:
    arm = ARMS["irb120"]
    behind = arms.place((-0.9, 0.3, 0.3), (0.0, -math.pi / 2, 0.0))
    answer = missed(arm.ik(behind))
    assert np.linalg.norm(answer.T_nearest[:3, 3] - behind[:3, 3]) < 0.45


coordinate = st.floats(-1e6, 1e6) | st.floats(-1.0, 1.0)


@settings(max_examples=150)
@given(
    st.tuples(coordinate, coordinate, coordinate), st.integers(0, 1000), st.sampled_from(sorted(ARMS)), st.booleans()
)
def test_every_pose_gets_a_finite_answer(position, turn: int, name: str, seeded: bool) -> None:
    arm = ARMS[name]
    T = np.eye(4)
    T[:3, :3] = Rotation.random(random_state=turn).as_matrix()
    T[:3, 3] = position
    seed = sets.random_joints(arm.chain, 1, turn)[0] if seeded else None
    result = arm.ik(T, seed=seed)
    if result.unreachable is None:
        for solution in result.solutions:
            arm.check_q(solution.q)
            assert pose_difference(arm.fk(solution.q), T)[0] < 1e-9
        assert result.solutions
    else:
        answer = missed(result)
        arm.check_q(answer.q_nearest)
        assert np.isfinite(answer.T_nearest).all()
        assert answer.reason
        assert answer.excess is None or (math.isfinite(answer.excess) and answer.excess > 0.0)
