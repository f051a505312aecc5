"""A TCP from touches, a work object from three points: exact where the world is exact, honest where not."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.scene import frame_from_three_points, tcp_from_touches
from openpendant.spatial import make_transform, matrix_from_rotation_vector, matrix_from_rpy


def touches(
    tcp: np.ndarray, point: np.ndarray, count: int, rng: np.random.Generator, spread: float
) -> list[np.ndarray]:
    out = []
    for _ in range(count):
        R = matrix_from_rotation_vector(rng.normal(size=3) * spread)
        out.append(make_transform(R, point - R @ tcp))
    return out


@given(st.integers(0, 2**32 - 1), st.integers(4, 12))
@settings(max_examples=40)
def test_exact_touches_give_the_tcp(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    tcp, point = rng.uniform(-0.3, 0.3, 3), rng.uniform(-1, 1, 3)
    fit = tcp_from_touches(touches(tcp, point, count, rng, 1.0))
    np.testing.assert_allclose(fit.xyz, tcp, atol=1e-9)
    np.testing.assert_allclose(fit.point, point, atol=1e-9)
    assert fit.rms < 1e-10
    assert fit.residuals.shape == (count,)


def test_the_residual_tells_how_well_it_fits() -> None:
    rng = np.random.default_rng(4)
    tcp = np.array([0.02, -0.01, 0.2])
    errors, rms = [], []
    for _ in range(300):
        poses = touches(tcp, np.array([0.5, 0.1, 0.2]), 6, rng, 0.8)
        for T in poses:
            T[:3, 3] += rng.normal(size=3) * 0.001 / math.sqrt(3)
        fit = tcp_from_touches(poses)
        errors.append(np.linalg.norm(fit.xyz - tcp) / fit.uncertainty)
        rms.append(fit.rms)
        assert fit.worst == fit.residuals.max()
    assert 0.4 < np.mean(errors) < 1.5
    assert 0.0005 < np.mean(rms) < 0.001


def test_touches_that_cannot_tell_are_refused() -> None:
    rng = np.random.default_rng(1)
    tcp = np.array([0.0, 0.0, 0.1])
    with pytest.raises(InputError, match="3 touches; a tool needs at least 4"):
        tcp_from_touches(touches(tcp, np.zeros(3), 3, rng, 1.0))
    with pytest.raises(InputError, match="same orientation"):
        tcp_from_touches([np.eye(4)] * 5)
    about_z = [make_transform(matrix_from_rotation_vector([0, 0, a]), [0, 0, -0.1]) for a in (0.0, 0.5, 1.0, 2.0)]
    with pytest.raises(InputError, match=r"about one axis only \(the flange's direction -?0.00, -?0.00, -?1.00\)"):
        tcp_from_touches(about_z)
    with pytest.raises(InputError, match="touch 2"):
        tcp_from_touches([np.eye(4), np.ones((4, 4)), np.eye(4), np.eye(4)])


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_three_points_give_the_frame(seed: int) -> None:
    rng = np.random.default_rng(seed)
    T = make_transform(matrix_from_rpy(*rng.uniform(-3, 3, 3)), rng.uniform(-1, 1, 3))
    a, b, c = rng.uniform(0.1, 1), rng.uniform(-0.5, 0.5), rng.uniform(0.1, 1)
    local = np.array([[0, 0, 0, 1], [a, 0, 0, 1], [b, c, 0, 1], [0.3, 0.2, 0.002, 1]])
    points = (T @ local.T).T[:, :3]
    fit = frame_from_three_points(*points[:3], further=[points[3]])
    np.testing.assert_allclose(fit.T, T, atol=1e-9)
    assert fit.x_length == pytest.approx(a)
    assert fit.y_length == pytest.approx(c)
    assert fit.height_residuals == pytest.approx([0.002])


def test_points_that_cannot_tell_are_refused() -> None:
    with pytest.raises(InputError, match=r"1.00 mm apart"):
        frame_from_three_points([0, 0, 0], [0.001, 0, 0], [0, 1, 0])
    with pytest.raises(InputError, match="the three lie on one line"):
        frame_from_three_points([0, 0, 0], [1, 0, 0], [2, 0.01, 0])
    with pytest.raises(InputError, match="in_xy is"):
        frame_from_three_points([0, 0, 0], [1, 0, 0], [0, float("nan"), 0])
    with pytest.raises(InputError, match="origin is"):
        frame_from_three_points("abc", [1, 0, 0], [0, 1, 0])
