"""Distances of convex bodies: exact where there is a formula, and as coal has them elsewhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peers import coal_distance, our_distance

from openpendant.scene.collision.bodies import Body, body_of_collision, body_of_shape
from openpendant.scene.collision.kernels.gjk import at_least
from openpendant.scene.collision.kernels.rows import BALL, BOUND, SPINE
from openpendant.scene.document.cell import BoxShape, CylinderShape, SphereShape
from openpendant.shapes import Box, Capsule, Hull
from openpendant.spatial import make_transform, matrix_from_rpy

seeds = st.integers(0, 2**32 - 1)


def random_T(rng: np.random.Generator, reach: float) -> np.ndarray:
    return make_transform(matrix_from_rpy(*rng.uniform(-3.1, 3.1, 3)), rng.uniform(-reach, reach, 3))


def random_body(rng: np.random.Generator, kind: int, T: np.ndarray) -> Body:
    a, b, c = (float(v) for v in rng.uniform(0.02, 0.4, 3))
    if kind == 0:
        return body_of_shape(BoxShape(size=(a, b, c)), T)
    if kind == 1:
        return body_of_shape(CylinderShape(radius=a / 2, length=b), T)
    if kind == 2:
        return body_of_shape(SphereShape(radius=a / 2), T)
    if kind == 3:
        return body_of_collision(Capsule((0.0, 0.0, -b), (0.1, 0.0, b), a / 4)).moved(T)
    points = rng.normal(size=(30, 3)) * (a, b, c) / 2
    return body_of_collision(Hull(tuple((float(x), float(y), float(z)) for x, y, z in points))).moved(T)


def surface_points(body: Body, rng: np.random.Generator) -> np.ndarray:
    """Points of the body that are farthest in random directions."""
    out = []
    for _ in range(60):
        d = rng.normal(size=3)
        local = body.T[:3, :3].T @ d
        if len(body.corners):
            p = body.corners[int(np.argmax(body.corners @ local))]
        elif body.kind == 1:
            p = np.sign(local) * np.array(body.half)
        else:
            flat = np.hypot(local[0], local[1])
            p = np.array([*(local[:2] / flat * body.half[0]), np.sign(local[2]) * body.half[2]])
        out.append(body.T[:3, :3] @ p + body.T[:3, 3] + d / np.linalg.norm(d) * body.radius)
    return np.array(out)


@given(seeds, st.integers(0, 4), st.integers(0, 4))
@settings(max_examples=300)
def test_distance_is_that_of_coal(seed: int, kind_a: int, kind_b: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = random_body(rng, kind_a, random_T(rng, 0.4)), random_body(rng, kind_b, random_T(rng, 0.4))
    d, points = our_distance(a, b)
    reference = coal_distance(a, b)
    if reference > 1e-6:
        assert d == pytest.approx(reference, abs=3e-6)
        assert np.linalg.norm(points[:3] - points[3:]) == pytest.approx(d, abs=1e-7)
        # The plane between the nearest points parts the bodies: no point of either is beyond it.
        n = (points[3:] - points[:3]) / d
        assert ((surface_points(a, rng) - points[:3]) @ n).max() < 1e-6
        assert ((surface_points(b, rng) - points[3:]) @ n).min() > -1e-6
    elif reference < -1e-6:
        assert d <= 1e-7
    assert at_least(a.row(), a.row(), b.row(), b.row()) <= max(d, reference, 0.0) + 1e-9


@given(seeds)
@settings(max_examples=60)
def test_capsules_by_dense_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ends = rng.uniform(-0.5, 0.5, (4, 3))
    radii = rng.uniform(0.01, 0.1, 2)
    a = body_of_collision(Capsule(tuple(ends[0]), tuple(ends[1]), radii[0]))
    b = body_of_collision(Capsule(tuple(ends[2]), tuple(ends[3]), radii[1]))
    d, _ = our_distance(a, b)
    t = np.linspace(0, 1, 400)
    p = ends[0] + t[:, None] * (ends[1] - ends[0])
    q = ends[2] + t[:, None] * (ends[3] - ends[2])
    dense = np.sqrt(((p[:, None] - q[None]) ** 2).sum(axis=2)).min() - radii.sum()
    assert dense - 0.004 < d < dense + 1e-9


@pytest.mark.parametrize(
    ("gap", "turn"), [(0.1, 0.0), (1e-3, 0.0), (1e-6, 0.0), (0.0, 0.0), (-0.01, 0.0), (0.05, np.pi / 4)]
)
def test_boxes_side_by_side(gap: float, turn: float) -> None:
    """Parallel faces: where many pairs of points are nearest, and rounding is worst."""
    a = body_of_shape(BoxShape(size=(0.2, 0.2, 0.2)), np.eye(4))
    half = 0.1 if turn == 0.0 else 0.1 * np.sqrt(2)
    b = body_of_shape(
        BoxShape(size=(0.2, 0.2, 0.2)), make_transform(matrix_from_rpy(0, 0, turn), [0.1 + half + gap, 0, 0])
    )
    d, _ = our_distance(a, b)
    assert d == pytest.approx(max(gap, 0.0), abs=2e-9)


def test_flat_and_thin_bodies() -> None:
    floor = body_of_shape(BoxShape(size=(40.0, 40.0, 0.01)), make_transform(None, [0, 0, -0.005]))
    needle = body_of_collision(Capsule((0.0, 0.0, 0.5), (0.3, 0.0, 0.2), 1e-5))
    assert our_distance(floor, needle)[0] == pytest.approx(0.2 - 1e-5, abs=1e-9)
    plate = body_of_collision(Hull(((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 1.0, 1.0), (1.0, 1.0, 1.0))))
    assert our_distance(floor, plate)[0] == pytest.approx(1.0, abs=1e-9)


def test_enough_is_enough() -> None:
    a = body_of_shape(SphereShape(radius=0.1), np.eye(4))
    b = body_of_shape(BoxShape(size=(0.1, 0.1, 0.1)), make_transform(None, [3.0, 0.2, 0.1]))
    exact, _ = our_distance(a, b)
    early, points = our_distance(a, b, 0.5)
    assert 0.5 < early <= exact
    assert np.isnan(points).all()


@given(seeds, st.integers(0, 4))
@settings(max_examples=60)
def test_what_holds_a_body_holds_it(seed: int, kind: int) -> None:
    rng = np.random.default_rng(seed)
    body = random_body(rng, kind, random_T(rng, 1.0))
    row = body.row()
    local = (surface_points(body, rng) - body.T[:3, 3]) @ body.T[:3, :3]
    assert np.linalg.norm(local, axis=1).max() <= row[BALL] + 1e-9
    assert (np.abs(local) <= row[BOUND : BOUND + 3] + 1e-9).all()
    start, end = row[SPINE : SPINE + 3], row[SPINE + 3 : SPINE + 6]
    axis = end - start
    t = np.clip((local - start) @ axis / max(float(axis @ axis), 1e-30), 0.0, 1.0)
    assert np.linalg.norm(local - start - t[:, None] * axis, axis=1).max() <= row[SPINE + 6] + 1e-9
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    assert (surface_points(body, rng) @ direction).max() <= body.farthest(direction) + 1e-9


@given(seeds, st.integers(0, 4))
@settings(max_examples=40)
def test_a_shrunk_body_is_inside(seed: int, kind: int) -> None:
    rng = np.random.default_rng(seed)
    body = random_body(rng, kind, random_T(rng, 1.0))
    small = body.shrunk(0.001)
    for direction in rng.normal(size=(30, 3)):
        unit = direction / np.linalg.norm(direction)
        inside = body.farthest(unit) - small.farthest(unit)
        assert 0.0 < inside < 0.03


def test_a_box_of_a_link_keeps_its_axes() -> None:
    R = matrix_from_rpy(0.3, 0.2, 0.1)
    rows = tuple((float(x), float(y), float(z)) for x, y, z in R.T)
    box = body_of_collision(Box((0.1, 0.2, 0.3), (0.05, 0.1, 0.2), (rows[0], rows[1], rows[2])))
    np.testing.assert_allclose(box.T, make_transform(R, [0.1, 0.2, 0.3]))
