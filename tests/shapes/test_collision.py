"""Collision shapes: their surface, what they contain, and their file."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openpendant.errors import RobotFileError
from openpendant.shapes import (
    Box,
    Capsule,
    CollisionShape,
    Hull,
    collision_mesh,
    contains,
    decode_collision,
    encode_collision,
    outside,
    sample_shape,
)

SHAPES: list[CollisionShape] = [
    Capsule((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), 0.02),
    Box((0.1, 0.0, 0.0), (0.05, 0.02, 0.01), ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))),
    Hull(((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1))),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_surface_of_a_shape_is_its_boundary(shape: CollisionShape) -> None:
    points = sample_shape(shape, 0.005)
    np.testing.assert_allclose(outside(shape, points), 0.0, atol=6e-4)
    mesh = collision_mesh(shape)
    middle = mesh.vertices.mean(axis=0)
    assert contains(shape, middle[None]).all()
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    assert ((np.cross(b - a, c - a) * (a - middle)).sum(axis=1) > 0).all()


@settings(max_examples=60)
@given(st.tuples(*[st.floats(-0.3, 0.3)] * 3), st.sampled_from(SHAPES[:2]))
def test_contains_agrees_with_geometry(point: tuple[float, float, float], shape: CollisionShape) -> None:
    x, y, z = point
    if isinstance(shape, Capsule):
        gap = np.hypot(x - min(max(x, 0.0), 0.1), np.hypot(y, z)) - 0.02
    else:
        gap = max(abs(y) - 0.05, abs(x - 0.1) - 0.02, abs(z) - 0.01)
    assert outside(shape, np.array([point]))[0] == pytest.approx(gap, abs=1e-12)


def test_collision_file_keeps_every_digit(tmp_path: Path) -> None:
    path = tmp_path / "collision.json"
    links = {"wrist": tuple(SHAPES), "flange": ()}
    path.write_bytes(encode_collision(links))
    assert decode_collision(path) == links


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "truncated"),
        ('{"format":2,"links":{}}', "format 2"),
        ('{"format":1,"links":{"a":[{"type":"egg"}]}}', "egg"),
    ],
)
def test_broken_collision_file_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "collision.json"
    path.write_text(text)
    with pytest.raises(RobotFileError, match=complaint) as error:
        decode_collision(path)
    assert str(path) in str(error.value)
