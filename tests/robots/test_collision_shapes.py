"""Collision shapes of every robot with visuals: no visual vertex outside, nowhere more than 30 mm fatter."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from openpendant import robots
from openpendant.robots.bodies import find_collision
from openpendant.shapes import CollisionShape, build_parts, contains, joined, outside, sample_shape, sample_triangles

ROBOTS = [name for name in robots.names() if (robots.load(name).folder / "visuals.py").is_file()]
FAT_M = 0.030
SPACING_M = 0.004


Links = list[tuple[str, NDArray[np.float64], tuple[CollisionShape, ...]]]


@cache
def links_of(name: str) -> Links:
    """Triangles and shapes by link; links that are built alike appear once."""
    folder = robots.load(name).folder
    collision = find_collision(folder)
    parts = build_parts(folder)
    alike = {id(pieces): link for link, pieces in parts.items()}
    meshes = {link: joined(part.mesh for part in parts[link]) for link in alike.values()}
    return [(link, mesh.vertices[mesh.faces], collision[link]) for link, mesh in meshes.items()]


@pytest.fixture(params=ROBOTS)
def links(request: pytest.FixtureRequest) -> Links:
    return links_of(request.param)


def test_no_visual_vertex_is_outside(links: Links) -> None:
    for link, triangles, shapes in links:
        points = triangles.reshape(-1, 3)
        held = np.any([contains(shape, points) for shape in shapes], axis=0)
        assert held.all(), f"{link}: {np.count_nonzero(~held)} vertices outside"


def test_nowhere_fatter_than_30_mm(links: Links) -> None:
    for link, triangles, shapes in links:
        surface = cKDTree(sample_triangles(triangles, SPACING_M))
        for shape in shapes:
            points = sample_shape(shape, SPACING_M)
            for other in shapes:
                if other is not shape:
                    points = points[outside(other, points) > -1e-4]
            far = float(surface.query(points, distance_upper_bound=2 * FAT_M)[0].max(initial=0.0))
            # The nearest sample is up to its spacing farther than the surface itself.
            assert far < FAT_M, f"{link}: {far * 1000:.1f} mm"


def test_few_shapes_keep_a_check_quick(links: Links) -> None:
    counts = {link: len(shapes) for link, _, shapes in links}
    assert min(counts.values()) >= 1
    assert np.mean(list(counts.values())) <= 4 or max(counts.values()) <= 12, counts
