"""Numbers that controllers and engines printed, and the conversions back."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from openpendant import spatial
from openpendant.errors import InputError
from openpendant.spatial import EngineAxes

POSES = [
    spatial.make_transform(rotation.as_matrix(), position)
    for rotation, position in zip(
        Rotation.random(40, random_state=2), np.random.default_rng(2).normal(size=(40, 3)), strict=True
    )
]


def test_orient_zyx_gives_the_quaternion_of_a_rapid_program() -> None:
    printed = np.array([0.0160149, -0.0323332, -0.999134, -0.0207343])
    computed = spatial.abb_orient_zyx(176.332, -1.91076, 177.684)
    assert min(np.abs(computed - printed).max(), np.abs(computed + printed).max()) < 1e-5
    np.testing.assert_allclose(spatial.abb_euler_zyx(printed), (176.332, -1.91076, 177.684), atol=2e-3)


def test_where_of_a_real_rx90_after_do_ready() -> None:
    """The controller printed joints and pose; the chain product is written out here."""
    j1, j2, j3, j4, j5, j6 = np.radians([-0.000, -90.001, 89.993, 0.000, -0.000, -0.005])
    half = math.pi / 2
    z = spatial.rotation_z
    y = spatial.rotation_y

    def move(R: np.ndarray, dz: float = 0.0) -> np.ndarray:
        return spatial.make_transform(R) @ spatial.translation(0, 0, dz)

    T = (
        move(z(j1))
        @ move(y(j2 + half), 0.45)
        @ move(y(j3 - half))
        @ move(z(j4), 0.45)
        @ move(y(j5))
        @ move(z(j6), 0.085)
    )
    X, Y, Z, yaw, pitch, roll = spatial.vplus_from_transform(T)
    np.testing.assert_allclose((X, Y, Z), (-0.077, 0.000, 985.000), atol=0.007)
    assert pitch == pytest.approx(0.008, abs=5e-4)
    # Close to pitch 0 only yaw + roll is well determined; the controller printed 179.999 and 179.995.
    assert math.remainder(yaw + roll - (179.999 + 179.995), 360.0) == pytest.approx(0.0, abs=2e-3)
    assert abs(yaw) == pytest.approx(179.999, abs=2e-3)


@pytest.mark.parametrize("T", POSES)
def test_vplus_and_ur_forms_close(T: np.ndarray) -> None:
    np.testing.assert_allclose(spatial.transform_from_vplus(spatial.vplus_from_transform(T)), T, atol=1e-13)
    np.testing.assert_allclose(spatial.transform_from_ur(spatial.ur_from_transform(T)), T, atol=1e-13)
    values = spatial.vplus_from_transform(T)
    np.testing.assert_allclose(np.degrees(Rotation.from_matrix(T[:3, :3]).as_euler("ZYZ")), values[3:], atol=1e-9)
    np.testing.assert_allclose(values[:3], 1000.0 * T[:3, 3])


def test_vendor_forms_refuse_what_is_no_pose() -> None:
    with pytest.raises(InputError, match="X, Y, Z, y, p, r must be 6 finite numbers"):
        spatial.transform_from_vplus((1, 2, 3))
    with pytest.raises(InputError, match="x, y, z, rx, ry, rz must be 6 finite numbers"):
        spatial.transform_from_ur((1, 2, 3, 4, 5, math.nan))


@pytest.mark.parametrize(
    ("axes", "robot"), [(EngineAxes.SWAPPED, (1.0, 3.0, 2.0)), (EngineAxes.FACING, (-1.0, -3.0, 2.0))]
)
def test_engine_positions(axes: EngineAxes, robot: tuple[float, ...]) -> None:
    T = spatial.transform_from_engine((1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0), axes)
    np.testing.assert_array_equal(T[:3, 3], robot)
    np.testing.assert_array_equal(T[:3, :3], np.eye(3))


def _engine_turn(axis: int, angle: float, vector: np.ndarray) -> np.ndarray:
    """Turn a vector the way a left-handed engine shows it: clockwise seen against the axis.

    For the engine's y (up) the turn takes z (forward) to x (right), as its users know it.
    """
    a, b = [(1, 2), (2, 0), (0, 1)][axis]
    result = vector.copy()
    result[a] = math.cos(angle) * vector[a] - math.sin(angle) * vector[b]
    result[b] = math.sin(angle) * vector[a] + math.cos(angle) * vector[b]
    return result


@pytest.mark.parametrize("axes", list(EngineAxes))
@pytest.mark.parametrize("axis", [0, 1, 2])
@given(angle=st.floats(-3.0, 3.0))
def test_engine_rotations_move_points_alike_on_both_sides(axes: EngineAxes, axis: int, angle: float) -> None:
    q = np.zeros(4)
    q[0], q[1 + axis] = math.cos(angle / 2), math.sin(angle / 2)
    T = spatial.transform_from_engine((0.0, 0.0, 0.0), q, axes)
    spatial.check_transform(T)
    for point in np.eye(3):
        seen = axes.matrix @ _engine_turn(axis, angle, point)
        np.testing.assert_allclose(T[:3, :3] @ (axes.matrix @ point), seen, atol=1e-12)


@pytest.mark.parametrize("axes", list(EngineAxes))
def test_engine_poses_close(axes: EngineAxes) -> None:
    for T in POSES:
        np.testing.assert_allclose(
            spatial.transform_from_engine(*spatial.engine_from_transform(T, axes), axes), T, atol=1e-13
        )
