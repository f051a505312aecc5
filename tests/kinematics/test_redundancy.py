"""Seven axes: solutions over the redundancy, by a held joint and by the arm angle."""

import math

import arms
import numpy as np
import oracles
import pytest
import sets

from openpendant.errors import InputError
from openpendant.kinematics import Arm, arm_angle, forward_all, jacobian

YUMI = Arm("left", arms.YUMI_LEFT, base="yumi_body", flange="tool0", redundancy=6)
JOINTS = sets.random_joints(arms.YUMI_LEFT, 40, 40)


def close_by(q: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng(41)
    return np.clip(q + rng.normal(0.0, 0.05, 7), YUMI.limits_lower, YUMI.limits_upper)


def test_solutions_over_the_self_motion_all_meet_the_pose() -> None:
    for q in JOINTS:
        T = YUMI.fk(q)
        result = YUMI.ik(T, seed=close_by(q))
        assert len(result.solutions) > 5
        for solution in result.solutions:
            np.testing.assert_allclose(YUMI.fk(solution.q), T, atol=1e-10)
        distances = [solution.distance_rad for solution in result.solutions]
        assert distances == sorted(distances)
        rows = np.array([solution.q for solution in result.solutions])
        assert np.ptp(rows, axis=0).max() > 0.3


def test_nearest_is_at_least_as_near_as_the_source_and_stands_square_to_the_self_motion() -> None:
    square = 0
    for q in JOINTS:
        seed = close_by(q)
        nearest = YUMI.ik(YUMI.fk(q), seed=seed).nearest
        assert nearest is not None
        assert nearest.distance_rad <= np.linalg.norm(q - seed) + 1e-9
        assert nearest.distance_rad == pytest.approx(np.linalg.norm(nearest.q - seed))
        free = np.linalg.svd(jacobian(YUMI.chain, nearest.q))[2][-1]
        square += abs(free @ (nearest.q - seed)) < 1e-5
    assert square > 0.9 * len(JOINTS)


def test_most_central_is_far_from_the_limits() -> None:
    for q in JOINTS[:10]:
        result = YUMI.ik(YUMI.fk(q), seed=q)
        best = max(min((s.q - YUMI.limits_lower).min(), (YUMI.limits_upper - s.q).min()) for s in result.solutions)
        assert result.most_central is not None
        assert result.most_central.margin_rad == pytest.approx(best)


def test_a_held_axis_7_gives_every_branch_with_it() -> None:
    for q in JOINTS:
        result = YUMI.ik(YUMI.fk(q), seed=close_by(q), redundancy=float(q[6]))
        rows = np.array([solution.q for solution in result.solutions])
        np.testing.assert_array_equal(rows[:, 6], q[6])
        np.testing.assert_allclose(YUMI.fk(rows), np.broadcast_to(YUMI.fk(q), (len(rows), 4, 4)), atol=1e-10)
        assert oracles.among(q, rows, 1e-6)


def test_a_held_arm_angle_gives_the_source_back() -> None:
    for q in JOINTS:
        wanted = arm_angle(YUMI, q)
        result = YUMI.ik(YUMI.fk(q), seed=close_by(q), arm_angle=wanted)
        for solution in result.solutions:
            np.testing.assert_allclose(YUMI.fk(solution.q), YUMI.fk(q), atol=1e-10)
            assert math.remainder(arm_angle(YUMI, solution.q) - wanted, math.tau) == pytest.approx(0.0, abs=1e-8)
        assert oracles.among(q, np.array([solution.q for solution in result.solutions]), 1e-5)


def test_arm_angle_is_the_turn_of_the_elbow_about_the_line() -> None:
    """Written out again with cross products from the frames of the joints."""
    for q in JOINTS:
        frames = forward_all(YUMI.chain, q)
        shoulder, elbow, wrist = (frames[i][:3, 3] for i in (1, 3, 5))
        line = (wrist - shoulder) / np.linalg.norm(wrist - shoulder)
        across_axis = np.cross(frames[0][:3, 2], line)
        across_elbow = np.cross(elbow - shoulder, line)
        sine = np.cross(across_axis, across_elbow) @ line
        assert arm_angle(YUMI, q) == pytest.approx(math.atan2(sine, across_axis @ across_elbow), abs=1e-12)


def test_jogging_the_arm_angle_keeps_the_tool_still_and_the_joints_together() -> None:
    q = np.radians([0, -130, 30, 0, 40, 0, 135])
    T = YUMI.fk(q)
    angle = arm_angle(YUMI, q)
    for _ in range(10):
        angle += math.radians(1.0)
        nearest = YUMI.ik(T, seed=q, arm_angle=angle).nearest
        assert nearest is not None
        assert np.abs(nearest.q - q).max() < 0.2
        np.testing.assert_allclose(YUMI.fk(nearest.q), T, atol=1e-10)
        q = nearest.q


def test_whole_turns_of_a_redundant_arm() -> None:
    for q in JOINTS[:10]:
        plain = YUMI.ik(YUMI.fk(q), seed=q, redundancy=float(q[6]))
        turned = YUMI.ik(YUMI.fk(q), seed=q, redundancy=float(q[6]), variants=True)
        assert len(turned.solutions) >= len(plain.solutions)
        for solution in turned.solutions:
            np.testing.assert_allclose(YUMI.fk(solution.q), YUMI.fk(q), atol=1e-9)


def test_no_solution_with_the_held_value_is_said_in_words() -> None:
    answers = [YUMI.ik(YUMI.fk(q), seed=q, redundancy=value) for q in JOINTS[:8] for value in np.linspace(-2.9, 2.9, 8)]
    missed = [answer.unreachable for answer in answers if answer.unreachable is not None]
    assert missed
    for unreachable in missed:
        assert unreachable.kind == "redundancy"
        assert unreachable.reason.startswith("there is no solution with yumi_joint_7_l at ")
        YUMI.check_q(unreachable.q_nearest)


def test_parameters_are_checked() -> None:
    T = YUMI.fk(JOINTS[0])
    with pytest.raises(InputError, match=r"yumi_joint_7_l is at 3 rad \(171\.9°\); allowed: -168\.5° … 168\.5°"):
        YUMI.ik(T, redundancy=3.0)
    with pytest.raises(InputError, match="finite"):
        YUMI.ik(T, redundancy=math.nan)
    with pytest.raises(InputError, match="finite"):
        YUMI.ik(T, arm_angle=math.inf)
    with pytest.raises(InputError, match="give only one of them"):
        YUMI.ik(T, redundancy=0.0, arm_angle=0.0)
    nameless = Arm("left", arms.YUMI_LEFT, base="yumi_body", flange="tool0")
    with pytest.raises(InputError, match="names no joint"):
        nameless.ik(T, redundancy=0.0)
    six = Arm("arm", arms.IRB120, base="base_link", flange="tool0")
    with pytest.raises(InputError, match="has no redundancy parameter"):
        six.ik(six.fk(np.zeros(6)), redundancy=0.0)
    with pytest.raises(InputError, match="needs seven"):
        arm_angle(six, np.zeros(6))


def test_most_central_is_nearly_the_best_that_a_sweep_of_axis_7_finds() -> None:
    for q in JOINTS[:3]:
        T = YUMI.fk(q)
        found = YUMI.ik(T, seed=q).most_central
        assert found is not None
        swept = [YUMI.ik(T, seed=q, redundancy=float(v)).most_central for v in np.radians(np.arange(-168, 169, 6))]
        assert found.margin_rad > 0.95 * max(solution.margin_rad for solution in swept if solution is not None)
