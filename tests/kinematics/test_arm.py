"""Arm: the calls people make, with frames, bases, labels and errors in words."""

import math
import re

import arms
import numpy as np
import pytest
import sets
from hypothesis import given, settings
from hypothesis import strategies as st

from openpendant.errors import InputError, UnknownNameError
from openpendant.kinematics import Arm, Attachment, IkSolution, forward, forward_all, jacobian
from openpendant.spatial import inverse

TCP = arms.place((0.01, 0.02, 0.1), (0.1, 0.2, 0.3))
HAND_EYE = arms.place((0.0, 0.05, 0.2), (0.0, 0.5, 0.0))
TURNED = arms.place((0.5, 0.1, 0.2), (0.0, 0.0, math.pi))


def label(q: np.ndarray) -> str:
    return f"elbow {'up' if q[2] > 0 else 'down'}"


def make(chain=arms.IRB120) -> Arm:
    n = chain.dof
    return Arm(
        "arm",
        chain,
        base="base_link",
        flange="tool0",
        frames={
            "tcp": Attachment(n - 1, chain.T_last_flange @ TCP),
            "forearm": Attachment(2, HAND_EYE),
            "pedestal": Attachment(-1, arms.place((0, 0, -0.4))),
        },
        bases={"cell": TURNED},
        joint_titles=tuple(f"Axis {i}" for i in range(1, n + 1)),
        describe=label,
    )


ARM = make()
JOINTS = sets.random_joints(arms.IRB120, 30, 50)
ALL = pytest.mark.parametrize("chain", arms.ALL.values(), ids=arms.ALL)


def test_frames_and_bases() -> None:
    for q in JOINTS:
        T = forward(arms.IRB120, q)
        np.testing.assert_allclose(ARM.fk(q), T, atol=1e-15)
        np.testing.assert_allclose(ARM.fk(q, "tool0", "base_link"), T, atol=1e-15)
        np.testing.assert_allclose(ARM.fk(q, "tcp"), T @ TCP, atol=1e-14)
        np.testing.assert_allclose(ARM.fk(q, "tcp", "cell"), inverse(TURNED) @ T @ TCP, atol=1e-14)
        np.testing.assert_allclose(ARM.fk(q, "forearm"), forward_all(arms.IRB120, q)[2] @ HAND_EYE, atol=1e-14)
        np.testing.assert_allclose(
            ARM.fk(q, "pedestal", "cell"), inverse(TURNED) @ arms.place((0, 0, -0.4)), atol=1e-14
        )
        for base in (None, "cell"):
            for name, pose in ARM.fk_all(q, base).items():
                np.testing.assert_allclose(pose, ARM.fk(q, name, base), atol=1e-14)
    assert set(ARM.fk_all(JOINTS[0])) == {"tool0", "tcp", "forearm", "pedestal"}
    batch = ARM.fk(JOINTS, "tcp", "cell")
    np.testing.assert_array_equal(batch[7], ARM.fk(JOINTS[7], "tcp", "cell"))


def test_jacobian_of_other_frames_is_their_derivative() -> None:
    step = 1e-6
    for frame, base in (("tool0", None), ("tcp", "cell"), ("forearm", None), ("pedestal", None)):
        for q in 0.9 * JOINTS[:5]:
            J = ARM.jacobian(q, frame, base)
            R = ARM.fk(q, frame, base)[:3, :3]
            for j in range(6):
                move = step * np.eye(6)[j]
                rate = (ARM.fk(q + move, frame, base) - ARM.fk(q - move, frame, base)) / (2.0 * step)
                spin = rate[:3, :3] @ R.T
                np.testing.assert_allclose(
                    J[:, j], (*rate[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]), atol=1e-8, err_msg=f"{frame} {j}"
                )


def test_ik_in_other_frames_and_bases() -> None:
    for q in JOINTS:
        result = ARM.ik(ARM.fk(q, "tcp", "cell"), seed=q, frame="tcp", base="cell")
        nearest = result.nearest
        assert isinstance(nearest, IkSolution)
        np.testing.assert_allclose(nearest.q, q, atol=1e-6)
        assert result.unreachable is None


@ALL
def test_solutions_are_sorted_labelled_distinct_and_inside(chain) -> None:
    arm = make(chain)
    for q in sets.random_joints(chain, 30, 51):
        T = arm.fk(q)
        result = arm.ik(T, seed=q)
        assert result.nearest is not None
        distances = [solution.distance_rad for solution in result.solutions]
        assert distances == sorted(distances)
        assert distances[0] <= 1e-6
        for solution in result.solutions:
            arm.check_q(solution.q)
            assert solution.label == label(solution.q)
            assert not solution.q.flags.writeable
            np.testing.assert_allclose(arm.fk(solution.q), T, atol=1e-9)
            limited = np.isfinite(chain.lower)
            room = np.minimum(solution.q - chain.lower, chain.upper - solution.q)[limited].min()
            assert solution.margin_rad == pytest.approx(max(room, 0.0), abs=1e-12)
            assert solution.distance_rad == pytest.approx(np.linalg.norm(solution.q - q))
        rows = np.array([solution.q for solution in result.solutions])
        for i in range(len(rows)):
            assert (np.abs(rows[i + 1 :] - rows[i]).max(axis=1) > 5e-7).all()


def test_an_arm_without_limits_has_a_margin_of_half_a_turn() -> None:
    free = arms.chain(arms.SIX, arms.UR3E.T_parent_joint, [arms.Z] * 6, [(-math.inf, math.inf)] * 6, np.eye(4))
    arm = Arm("arm", free, base="base", flange="tool0")
    result = arm.ik(arm.fk(np.full(6, 0.5)))
    assert {solution.margin_rad for solution in result.solutions} == {math.pi}


@ALL
def test_variants_are_all_whole_turns_inside_the_limits(chain) -> None:
    arm = make(chain)
    if chain.dof > 6:
        return
    for q in sets.random_joints(chain, 5, 52):
        T = arm.fk(q)
        plain = np.array([solution.q for solution in arm.ik(T, seed=q).solutions])
        turned = np.array([solution.q for solution in arm.ik(T, seed=q, variants=True).solutions])
        expected = 0
        for row in plain:
            count = 1
            for j in range(chain.dof):
                low, high = chain.lower[j], chain.upper[j]
                if math.isinf(low):
                    low, high = q[j] - math.tau, q[j] + math.tau
                count *= sum(low - 1e-9 <= row[j] + math.tau * k <= high + 1e-9 for k in range(-4, 5))
            expected += count
        assert len(turned) == expected
        np.testing.assert_allclose(arm.fk(turned), np.broadcast_to(T, (len(turned), 4, 4)), atol=1e-10)


@ALL
def test_batches_are_the_single_answers(chain) -> None:
    arm = make(chain)
    joints = sets.random_joints(chain, 6, 53)
    poses = arm.fk(joints)
    Q, mask = arm.ik_array(poses, joints)
    for result, q, T, rows, ok in zip(arm.ik_batch(poses, seed=joints), joints, poses, Q, mask, strict=True):
        single = arm.ik(T, seed=q)
        assert [s.q.tolist() for s in result.solutions] == [s.q.tolist() for s in single.solutions]
        one, one_mask = arm.ik_array(T, q)
        np.testing.assert_array_equal(one[one_mask], rows[ok])
    assert len(arm.ik_batch(poses)) == 6
    assert len(arm.ik_batch(poses, seed=joints[0])) == 6
    assert arm.ik_batch(poses[:0]) == []


def test_inputs_may_be_lists_read_only_or_of_another_layout() -> None:
    q = JOINTS[0]
    T = ARM.fk(q.tolist())
    frozen = q.copy()
    frozen.setflags(write=False)
    np.testing.assert_array_equal(ARM.fk(frozen), T)
    np.testing.assert_array_equal(ARM.fk(np.repeat(q, 2)[::2]), T)
    expected = ARM.ik_array(T, q)[0]
    for pose in (T.tolist(), np.asfortranarray(T)):
        np.testing.assert_array_equal(ARM.ik_array(pose, q)[0], expected)
        result = ARM.ik(pose, seed=ARM.ik(T, seed=frozen).nearest.q)
        np.testing.assert_allclose(result.nearest.q, q, atol=1e-9)


def test_q_at_a_limit_is_allowed_and_beyond_is_named() -> None:
    ARM.check_q(arms.IRB120.upper)
    ARM.fk(arms.IRB120.lower)
    ARM.check_q(arms.IRB120.upper + 9e-10)
    q = np.zeros(6)
    q[2] = math.radians(78.25)
    message = r"joint_3 \(Axis 3\) is at 1\.36572 rad \(78\.2°\); allowed: -110\.0° … 70\.0°"
    for call in (ARM.check_q, ARM.fk, ARM.fk_all, ARM.jacobian, ARM.manipulability, ARM.singularities):
        with pytest.raises(InputError, match=message):
            call(q)
    with pytest.raises(InputError, match=message):
        ARM.fk([np.zeros(6), q])
    with pytest.raises(InputError, match=message):
        ARM.fk(q, "forearm")
    np.testing.assert_allclose(ARM.fk(q, check_limits=False), forward(arms.IRB120, q), atol=1e-15)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([0.0] * 5, r"q has shape (5,); this arm has 6 joints"),
        ([[[0.0] * 6]], r"q has shape (1, 1, 6)"),
        ([0.0, 0.0, math.nan, 0.0, 0.0, 0.0], "q: joint_3 (Axis 3) is nan; joints must be finite"),
        ([0.0, 0.0, 0.0, 0.0, 0.0, math.inf], "q: joint_6 (Axis 6) is inf"),
        (["a"] * 6, "q is not an array of numbers"),
        (None, "q"),
    ],
)
def test_bad_joints_are_named(bad: object, message: str) -> None:
    for call in (ARM.fk, ARM.check_q, ARM.jacobian) if np.ndim(bad) < 3 else (ARM.fk,):
        with pytest.raises(InputError, match=re.escape(message)):
            call(bad)


def test_bad_poses_seeds_and_names_are_refused() -> None:
    T = ARM.fk(np.zeros(6))
    skew = T.copy()
    skew[0, 0] += 0.1
    for pose in (skew, T[:3], "pose", np.full((4, 4), math.nan)):
        for call in (ARM.ik, ARM.ik_array, lambda pose: ARM.ik(pose, frame="tcp", base="cell")):
            with pytest.raises(InputError):
                call(pose)
    with pytest.raises(InputError, match="deviates from the unit matrix"):
        ARM.ik(skew)
    with pytest.raises(InputError, match=r"T has shape \(4, 4\); a batch is"):
        ARM.ik_batch(T)
    with pytest.raises(InputError, match="2 seeds for 3 poses"):
        ARM.ik_batch([T] * 3, seed=np.zeros((2, 6)))
    with pytest.raises(InputError, match=r"seed has shape \(7,\)"):
        ARM.ik(T, seed=np.zeros(7))
    with pytest.raises(InputError, match=r"seed: joint_1 \(Axis 1\) is nan"):
        ARM.ik(T, seed=[math.nan] * 6)
    with pytest.raises(UnknownNameError, match=r"no frame named 'tpc'\. Did you mean tcp"):
        ARM.fk(np.zeros(6), "tpc")
    with pytest.raises(UnknownNameError, match="no base named 'world'"):
        ARM.ik(T, base="world")
    with pytest.raises(UnknownNameError, match="no base named"):
        ARM.fk_all(np.zeros(6), "world")
    with pytest.raises(InputError, match="forearm does not move with the flange"):
        ARM.ik(T, frame="forearm")


def test_an_arm_is_checked_when_made() -> None:
    with pytest.raises(InputError, match="6 joints but 2 joint titles"):
        Arm("arm", arms.IRB120, base="b", flange="f", joint_titles=("a", "b"))
    with pytest.raises(InputError, match="redundancy 6"):
        Arm("arm", arms.IRB120, base="b", flange="f", redundancy=6)
    with pytest.raises(InputError, match="fixed to joint 6"):
        Arm("arm", arms.IRB120, base="b", flange="f", frames={"x": Attachment(6, np.eye(4))})
    with pytest.raises(InputError, match="base cell"):
        Arm("arm", arms.IRB120, base="b", flange="f", bases={"cell": 2.0 * np.eye(4)})
    with pytest.raises(InputError, match="T_joint_frame"):
        Attachment(0, np.ones((4, 4)))
    with pytest.raises(InputError, match="joint -2"):
        Attachment(-2, np.eye(4))


def test_manipulability_is_yoshikawas() -> None:
    for chain in arms.ALL.values():
        arm = make(chain)
        for q in sets.random_joints(chain, 10, 54):
            singular = np.linalg.svd(jacobian(chain, q), compute_uv=False)
            assert arm.manipulability(q) == pytest.approx(np.prod(singular), rel=1e-6, abs=1e-9)
    assert ARM.manipulability(np.zeros(6)) == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=200)
@given(
    st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=0, max_size=8),
    st.sampled_from(["fk", "jacobian", "check_q", "manipulability", "singularities"]),
)
def test_any_list_of_numbers_gives_numbers_or_an_input_error(values: list[float], call: str) -> None:
    try:
        answer = getattr(ARM, call)(values)
    except InputError:
        return
    if call != "singularities":
        assert np.isfinite(answer).all()
