"""Euler angles of every flavour against scipy, and at their gimbals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from openpendant import spatial

angle = st.floats(-math.pi, math.pi)
ROTATIONS = Rotation.random(300, random_state=1)


def test_euler_flavours_agree_with_scipy() -> None:
    for rotation in ROTATIONS:
        R = rotation.as_matrix()
        yaw, pitch, roll = rotation.as_euler("ZYX")
        np.testing.assert_allclose(spatial.rpy_from_matrix(R), (roll, pitch, yaw), atol=1e-12)
        np.testing.assert_allclose(spatial.matrix_from_rpy(roll, pitch, yaw), R, atol=1e-14)
        np.testing.assert_allclose(spatial.zyz_from_matrix(R), rotation.as_euler("ZYZ"), atol=1e-12)
        np.testing.assert_allclose(spatial.matrix_from_zyz(*rotation.as_euler("ZYZ")), R, atol=1e-14)


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
