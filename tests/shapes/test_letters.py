"""Letters stand where they are asked to, facing outwards."""

import numpy as np
import pytest

from openpendant.errors import InputError
from openpendant.shapes import lettering

SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZe0123456789-"


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_fills_its_cell_and_is_raised(sign: str):
    mesh = lettering(sign, 0.06, raised=0.002, stroke=0.1)
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    assert np.all(low[:2] > [-0.027, -0.042])
    assert np.all(high[:2] < [0.027, 0.042])
    assert (low[2], high[2]) == (0.0, 0.002)


@pytest.mark.parametrize("sign", SIGNS)
def test_triangles_face_as_their_normals_tell(sign: str):
    mesh = lettering(sign, 0.06)
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    facing = np.einsum("fc,fc->f", np.cross(b - a, c - a), mesh.normals[mesh.faces[:, 0]])
    assert np.all(facing > 0)
    assert np.all(mesh.normals[:, 2] > -1e-12)


def test_the_sides_of_a_stroke_look_away_from_it():
    mesh = lettering("I", 0.06)
    sides = np.abs(mesh.normals[:, 2]) < 0.5
    assert np.all(np.einsum("vc,vc->v", mesh.vertices[sides, :2], mesh.normals[sides, :2]) > 0)


def test_a_line_is_centred_and_runs_along_x():
    mesh = lettering("HHH", 0.06, stroke=0.1)
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    np.testing.assert_allclose(low[:2], -high[:2], atol=1e-12)
    assert high[1] == pytest.approx(0.03)
    assert high[0] == pytest.approx(0.01 * (3 * 4 + 2 * 2.2) / 2 + 0.003)


def test_an_unknown_sign_is_named():
    with pytest.raises(InputError, match="'ß'"):
        lettering("RXß", 0.02)
