"""The fit of collision shapes: they contain the mesh and follow it closely."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from openpendant.robots import load
from openpendant.shapes import (
    Box,
    Capsule,
    CollisionShape,
    Hull,
    Mesh,
    Solid,
    box,
    build_parts,
    capsule,
    contains,
    cylinder,
    fit_collision,
    outside,
    sample_shape,
    sample_triangles,
    skin,
    sphere,
)


def farthest(shapes: tuple[CollisionShape, ...], mesh: Mesh) -> float:
    """Distance of the shapes' common surface from the mesh, on dense samples."""
    surface = cKDTree(sample_triangles(mesh.vertices[mesh.faces], 0.003))
    worst = 0.0
    for shape in shapes:
        points = sample_shape(shape, 0.006)
        for other in shapes:
            if other is not shape:
                points = points[outside(other, points) > -1e-4]
        worst = max(worst, float(surface.query(points)[0].max(initial=0.0)))
    return worst


BODIES: dict[str, tuple[Solid, type[CollisionShape], int]] = {
    "bar": (capsule((0, 0, 0), (0.2, 0.1, 0), 0.03), Capsule, 1),
    "brick": (box((0.2, 0.1, 0.06), 0.004).turn((1, 2, 3), 40), Box, 1),
    "fork": (box((0.12, 0.16, 0.06), 0.01) - box((0.1, 0.09, 0.2), centre=(0.03, 0, 0)), Hull, 4),
    "elbow": (box((0.3, 0.06, 0.06), 0.01) | box((0.06, 0.06, 0.3), 0.01, centre=(0.12, 0, 0.12)), Hull, 4),
    "thick": (box((0.3, 0.3, 0.2), 0.02) | cylinder((0, 0, 0), (0, 0, 0.3), 0.06, 0.01), Hull, 4),
}


@pytest.mark.parametrize("name", BODIES)
def test_fit_contains_the_mesh_and_stays_near_it(name: str) -> None:
    solid, _, most = BODIES[name]
    mesh = skin(solid, 0.004, 1500)
    shapes = fit_collision([mesh])
    assert len(shapes) <= most
    assert np.any([contains(s, mesh.vertices) for s in shapes], axis=0).all()
    assert farthest(shapes, mesh) <= 0.03


@pytest.mark.parametrize("name", ["bar", "brick"])
def test_simple_bodies_get_simple_shapes(name: str) -> None:
    solid, kind, _ = BODIES[name]
    (shape,) = fit_collision([skin(solid, 0.004, 1500)])
    assert isinstance(shape, kind)


def test_parts_far_apart_get_their_own_shapes() -> None:
    pair = [skin(sphere(0.03, (x, 0, 0)), 0.004, 400) for x in (0.0, 0.4)]
    shapes = fit_collision(pair)
    assert len(shapes) == 2
    assert farthest(shapes, pair[0] + pair[1]) < 0.01


def test_the_same_meshes_get_the_same_shapes() -> None:
    parts = max(build_parts(load("irb120").folder).values(), key=len)
    meshes = [part.mesh for part in parts]
    assert len(meshes) > 1
    assert fit_collision(meshes) == fit_collision(meshes)
