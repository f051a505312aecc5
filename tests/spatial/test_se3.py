"""Rigid transforms: the group, its exponential, and what is refused."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from openpendant import spatial
from openpendant.errors import InputError

number = st.floats(-3.0, 3.0)
twists = st.tuples(number, number, number, number, number, number).map(np.array)


@given(twists)
def test_exp_agrees_with_pinocchio_and_log_undoes_it(twist: np.ndarray) -> None:
    T = spatial.exp_se3(twist)
    np.testing.assert_allclose(T, pin.exp6(twist).homogeneous, atol=1e-10)
    if np.linalg.norm(twist[3:]) < 3.1:
        np.testing.assert_allclose(spatial.log_se3(T), twist, atol=1e-8)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-7, 1e-5, 1e-3])
def test_exp_and_log_at_small_angles(angle: float) -> None:
    twist = np.array([0.3, -0.2, 0.9, 0.6 * angle, 0.0, 0.8 * angle])
    np.testing.assert_allclose(spatial.exp_se3(twist), pin.exp6(twist).homogeneous, atol=1e-14)
    np.testing.assert_allclose(spatial.log_se3(spatial.exp_se3(twist)), twist, atol=1e-14)


@given(twists, twists)
def test_inverse_of_a_product(a: np.ndarray, b: np.ndarray) -> None:
    A, B = spatial.exp_se3(a), spatial.exp_se3(b)
    np.testing.assert_allclose(spatial.inverse(A) @ A, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(spatial.inverse(A @ B), spatial.inverse(B) @ spatial.inverse(A), atol=1e-12)
    np.testing.assert_allclose(spatial.inverse(np.array([A, B])), [spatial.inverse(A), spatial.inverse(B)])


def test_pose_difference_is_distance_and_angle() -> None:
    for turn in (0.0, 1e-9, 0.3, 3.0, math.pi):
        T = spatial.make_transform(Rotation.from_rotvec([0.0, turn, 0.0]).as_matrix(), (0.3, 0.4, 0.0))
        distance, angle = spatial.pose_difference(np.eye(4), T)
        assert distance == pytest.approx(0.5, abs=1e-15)
        assert angle == pytest.approx(turn, rel=1e-9, abs=1e-15)


def test_translation_moves_the_origin_only() -> None:
    T = spatial.translation(1.0, -2.0, 0.5)
    np.testing.assert_array_equal(T @ (0, 0, 0, 1), (1.0, -2.0, 0.5, 1.0))
    np.testing.assert_array_equal(T[:3, :3], np.eye(3))


def _with(T: np.ndarray, at: tuple[int, int], value: float) -> np.ndarray:
    T = T.copy()
    T[at] = value
    return T


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (_with(np.eye(4), (0, 3), math.nan), "contains nan"),
        (_with(np.eye(4), (1, 1), math.inf), "contains inf"),
        (_with(np.eye(4), (0, 0), 1.01), r"deviates from the unit matrix by 0\.0201"),
        (_with(np.eye(4), (0, 1), 1e-4), "deviates from the unit matrix by 0.0001"),
        (np.diag([1.0, 1.0, -1.0, 1.0]), "reflection"),
        (_with(np.eye(4), (3, 0), 0.1), "last row of T_tool deviates from 0 0 0 1 by 0.1"),
        (np.eye(3), r"shape \(3, 3\)"),
        (np.zeros((2, 4, 4)), r"shape \(2, 4, 4\)"),
        ("identity", "not an array of numbers"),
    ],
)
def test_what_is_no_transform_is_refused_in_words(bad: object, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        spatial.check_transform(bad, "T_tool")  # type: ignore[arg-type]
    assert "T_tool" in str(caught.value)


def test_good_transforms_pass_also_in_batches() -> None:
    T = np.array([spatial.exp_se3(twist) for twist in np.random.default_rng(0).normal(size=(5, 6))])
    assert spatial.check_transform(T, batch=True).shape == (5, 4, 4)
    assert spatial.check_transform(T[:0], batch=True).shape == (0, 4, 4)
    rounded = np.round(T[0], 6)
    np.testing.assert_array_equal(spatial.check_transform(rounded), rounded)


def test_rotations_are_checked_alike() -> None:
    assert spatial.check_rotation(np.eye(3)).shape == (3, 3)
    with pytest.raises(InputError, match="R_tool is not orthonormal"):
        spatial.check_rotation(2.0 * np.eye(3), "R_tool")
    with pytest.raises(InputError, match=r"shape \(4, 4\)"):
        spatial.check_rotation(np.eye(4))
