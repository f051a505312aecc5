"""Quaternions against scipy, and what is refused."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from openpendant import spatial
from openpendant.errors import InputError

ROTATIONS = Rotation.random(300, random_state=1)


def test_quaternions_agree_with_scipy() -> None:
    for rotation in ROTATIONS:
        R = rotation.as_matrix()
        x, y, z, w = rotation.as_quat(canonical=True)
        np.testing.assert_allclose(spatial.quaternion_from_matrix(R), (w, x, y, z), atol=1e-14)
        np.testing.assert_allclose(spatial.matrix_from_quaternion((w, x, y, z)), R, atol=1e-14)
        np.testing.assert_allclose(spatial.matrix_from_quaternion((-w, -x, -y, -z)), R, atol=1e-14)


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
