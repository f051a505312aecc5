"""Quaternions, Euler flavours and rotation vectors against scipy, which was written by others."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from openpendant import spatial
from openpendant.errors import InputError

angle = st.floats(-math.pi, math.pi)
ROTATIONS = Rotation.random(300, random_state=1)


def test_quaternions_agree_with_scipy() -> None:
    for rotation in ROTATIONS:
        R = rotation.as_matrix()
        x, y, z, w = rotation.as_quat(canonical=True)
        np.testing.assert_allclose(spatial.quaternion_from_matrix(R), (w, x, y, z), atol=1e-14)
        np.testing.assert_allclose(spatial.matrix_from_quaternion((w, x, y, z)), R, atol=1e-14)
        np.testing.assert_allclose(spatial.matrix_from_quaternion((-w, -x, -y, -z)), R, atol=1e-14)


def test_euler_flavours_agree_with_scipy() -> None:
    for rotation in ROTATIONS:
        R = rotation.as_matrix()
        yaw, pitch, roll = rotation.as_euler("ZYX")
        np.testing.assert_allclose(spatial.rpy_from_matrix(R), (roll, pitch, yaw), atol=1e-12)
        np.testing.assert_allclose(spatial.matrix_from_rpy(roll, pitch, yaw), R, atol=1e-14)
        np.testing.assert_allclose(spatial.zyz_from_matrix(R), rotation.as_euler("ZYZ"), atol=1e-12)
        np.testing.assert_allclose(spatial.matrix_from_zyz(*rotation.as_euler("ZYZ")), R, atol=1e-14)


def test_rotation_vectors_agree_with_scipy() -> None:
    for rotation in ROTATIONS:
        R = rotation.as_matrix()
        np.testing.assert_allclose(spatial.rotation_vector_from_matrix(R), rotation.as_rotvec(), atol=1e-12)
        np.testing.assert_allclose(spatial.matrix_from_rotation_vector(rotation.as_rotvec()), R, atol=1e-14)


@given(angle, angle, angle)
def test_every_flavour_closes(a: float, b: float, c: float) -> None:
    R = spatial.rotation_z(a) @ spatial.rotation_y(b) @ spatial.rotation_x(c)
    for back in (
        spatial.matrix_from_rpy(*spatial.rpy_from_matrix(R)),
        spatial.matrix_from_zyz(*spatial.zyz_from_matrix(R)),
        spatial.matrix_from_quaternion(spatial.quaternion_from_matrix(R)),
        spatial.matrix_from_rotation_vector(spatial.rotation_vector_from_matrix(R)),
    ):
        np.testing.assert_allclose(back, R, atol=2e-11)


@pytest.mark.parametrize("tilt", [0.0, 1e-13, 1e-9, 1e-6])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_flavours_close_at_their_gimbals(tilt: float, side: float) -> None:
    R = spatial.matrix_from_rpy(0.4, side * (math.pi / 2 - tilt), -1.1)
    np.testing.assert_allclose(spatial.matrix_from_rpy(*spatial.rpy_from_matrix(R)), R, atol=2e-12)
    R = spatial.matrix_from_zyz(0.7, tilt if side > 0 else math.pi - tilt, 1.9)
    np.testing.assert_allclose(spatial.matrix_from_zyz(*spatial.zyz_from_matrix(R)), R, atol=2e-12)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0, -0.8), (0.36, 0.48, 0.8)])
@pytest.mark.parametrize("short", [0.0, 1e-12, 1e-8, 1e-5])
def test_rotation_vector_near_half_a_turn_and_near_none(axis: tuple[float, ...], short: float) -> None:
    for turn in (math.pi - short, short):
        R = Rotation.from_rotvec(np.array(axis) * turn).as_matrix()
        back = spatial.rotation_vector_from_matrix(R)
        np.testing.assert_allclose(spatial.matrix_from_rotation_vector(back), R, atol=1e-14)
        assert abs(np.linalg.norm(back) - turn) < 1e-12


def test_quaternion_product_is_the_product_of_matrices() -> None:
    for a, b in zip(ROTATIONS[:50], ROTATIONS[50:100], strict=True):
        qa, qb = (spatial.quaternion_from_matrix(r.as_matrix()) for r in (a, b))
        product = spatial.matrix_from_quaternion(spatial.multiply_quaternions(qa, qb))
        np.testing.assert_allclose(product, (a * b).as_matrix(), atol=1e-14)


def test_quaternions_are_refused_rather_than_renormalised() -> None:
    with pytest.raises(InputError, match=r"norm 0\.9999"):
        spatial.matrix_from_quaternion((0.7071, 0.7071, 0.0, 0.0))
    half = math.sqrt(0.5)
    normalised = spatial.normalise_quaternion((0.7071, 0.7071, 0.0, 0.0))
    np.testing.assert_allclose(normalised, (half, half, 0.0, 0.0), atol=1e-15)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ((1.0, 0.0, 0.0), r"shape \(3,\)"),
        ((math.nan, 0.0, 0.0, 1.0), "finite"),
        ((0.0, 0.0, 0.0, 0.0), "norm 0"),
        ("wxyz", "not an array of numbers"),
    ],
)
def test_bad_quaternions_are_named(bad: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        spatial.matrix_from_quaternion(bad)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        spatial.normalise_quaternion(bad)  # type: ignore[arg-type]
