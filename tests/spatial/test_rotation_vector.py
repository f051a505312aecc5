"""Rotation vectors against scipy, near none and near half a turn."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from openpendant import spatial

ROTATIONS = Rotation.random(300, random_state=1)


def test_rotation_vectors_agree_with_scipy() -> None:
    for rotation in ROTATIONS:
        R = rotation.as_matrix()
        np.testing.assert_allclose(spatial.rotation_vector_from_matrix(R), rotation.as_rotvec(), atol=1e-12)
        np.testing.assert_allclose(spatial.matrix_from_rotation_vector(rotation.as_rotvec()), R, atol=1e-14)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0, -0.8), (0.36, 0.48, 0.8)])
@pytest.mark.parametrize("short", [0.0, 1e-12, 1e-8, 1e-5])
def test_rotation_vector_near_half_a_turn_and_near_none(axis: tuple[float, ...], short: float) -> None:
    for turn in (math.pi - short, short):
        R = Rotation.from_rotvec(np.array(axis) * turn).as_matrix()
        back = spatial.rotation_vector_from_matrix(R)
        np.testing.assert_allclose(spatial.matrix_from_rotation_vector(back), R, atol=1e-14)
        assert abs(np.linalg.norm(back) - turn) < 1e-12
