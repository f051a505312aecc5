"""Solids: their meshes are closed, point outwards and have the volume that geometry says."""

import numpy as np
import pytest

from openpendant.errors import InputError
from openpendant.shapes import (
    Mesh,
    Solid,
    belt,
    box,
    capsule,
    cylinder,
    draped,
    ellipsoid,
    extrude,
    lathe,
    loft,
    plate,
    revolve,
    rounded,
    screw,
    skin,
    sphere,
    torus,
    tube,
)

PI = np.pi
ROUND_CONE = PI * 0.1 / 3 * (0.04**2 + 0.04 * 0.02 + 0.02**2)

CASES: dict[str, tuple[Solid, float]] = {
    "sphere": (sphere(0.05), 4 / 3 * PI * 0.05**3),
    "ellipsoid": (ellipsoid((0.06, 0.04, 0.03)), 4 / 3 * PI * 0.06 * 0.04 * 0.03),
    "box": (box((0.1, 0.2, 0.06)), 0.1 * 0.2 * 0.06),
    "capsule": (capsule((0, 0, 0), (0, 0.1, 0), 0.03), PI * 0.03**2 * 0.1 + 4 / 3 * PI * 0.03**3),
    "cylinder": (cylinder((0, 0, 0), (0.1, 0, 0), 0.04), PI * 0.04**2 * 0.1),
    "conical cylinder": (cylinder((0, 0, 0), (0, 0, 0.1), 0.04, radius_b=0.02), ROUND_CONE),
    "torus": (torus(0.06, 0.02), 2 * PI**2 * 0.06 * 0.02**2),
    "revolve": (revolve([(0, 0), (0.05, 0), (0.03, 0.1), (0, 0.1)]), PI * 0.1 / 3 * (0.05**2 + 0.03**2 + 0.0015)),
    "ring": (revolve([(0.03, 0), (0.05, 0), (0.05, 0.03), (0.03, 0.03)]), PI * (0.05**2 - 0.03**2) * 0.03),
    "extrude": (extrude(belt([(0, 0, 0.03), (0.1, 0, 0.03)]), 0, 0.05), (PI * 0.03**2 + 0.006) * 0.05),
    "loft": (loft([(0, (0, 0), (0.1, 0.08), 0), (0.1, (0.02, 0), (0.1, 0.08), 0)]), 0.1 * 0.08 * 0.1),
    "tube": (tube([(0, 0, 0), (0.05, 0, 0), (0.1, 0, 0)], 0.02), PI * 0.02**2 * 0.1 + 4 / 3 * PI * 0.02**3),
    "cut": (box((0.1, 0.1, 0.1)) - cylinder((0, 0, -0.1), (0, 0, 0.1), 0.03), 0.001 - PI * 0.03**2 * 0.1),
    "shared": (box((0.1, 0.1, 0.1)) & box((0.1, 0.1, 0.1)).move(0.04), 0.06 * 0.1 * 0.1),
    "joined": (box((0.1, 0.1, 0.1)) | box((0.1, 0.1, 0.1)).move(0.05), 0.15 * 0.1 * 0.1),
    "shell": (sphere(0.05).shell(0.02), 4 / 3 * PI * (0.05**3 - 0.03**3)),
}


def volume(mesh: Mesh) -> float:
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    return float((a * np.cross(b, c)).sum() / 6)


def is_closed(mesh: Mesh) -> bool:
    """Every edge is walked once in each direction, corners of equal place taken as one."""
    _, place = np.unique(np.round(mesh.vertices, 7), axis=0, return_inverse=True)
    f = place.reshape(-1)[mesh.faces]
    f = f[(f[:, 0] != f[:, 1]) & (f[:, 1] != f[:, 2]) & (f[:, 2] != f[:, 0])]
    edges = np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]])
    there, back = (sorted(map(tuple, e.tolist())) for e in (edges, edges[:, ::-1]))
    return there == back


@pytest.mark.parametrize("name", CASES)
def test_mesh_is_closed_and_has_the_volume_of_the_solid(name: str) -> None:
    solid, expected = CASES[name]
    mesh = skin(solid, cell=0.0025, triangles=6000)
    assert is_closed(mesh)
    assert volume(mesh) == pytest.approx(expected, rel=0.02)
    assert np.all(mesh.vertices >= solid.lower - 1e-3)
    assert np.all(mesh.vertices <= solid.upper + 1e-3)


@pytest.mark.parametrize("name", CASES)
def test_thinned_mesh_keeps_its_budget_and_its_shading(name: str) -> None:
    solid, expected = CASES[name]
    mesh = skin(solid, cell=0.003, triangles=1500)
    assert 100 < len(mesh.faces) <= 1500
    assert volume(mesh) == pytest.approx(expected, rel=0.04)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-9)
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    flat = np.cross(b - a, c - a)
    weight = np.linalg.norm(flat, axis=1)
    agree = (flat[:, None] * mesh.normals[mesh.faces]).sum(axis=2).min(axis=1) / np.maximum(weight, 1e-30)
    # Triangles are shaded as they lie, but for a bevel about a cell wide along sharp edges.
    assert weight[agree > 0.9].sum() > 0.88 * weight.sum()


def test_sharp_edges_stay_sharp_and_round_bodies_smooth() -> None:
    cube, ball = skin(box((0.1, 0.1, 0.1)), 0.003, 800), skin(sphere(0.05), 0.003, 800)
    big = np.abs(cube.normals[cube.faces]).max(axis=2)
    a, b, c = cube.vertices[cube.faces].transpose(1, 0, 2)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    assert area[(big > 0.98).all(axis=1)].sum() > 0.9 * area.sum()
    np.testing.assert_allclose(ball.normals, ball.vertices / np.linalg.norm(ball.vertices, axis=1)[:, None], atol=0.02)
    assert len(ball.vertices) == len(ball.faces) // 2 + 2


def test_blend_adds_a_fillet_and_carve_rounds_an_edge() -> None:
    a, b = box((0.2, 0.1, 0.02)), cylinder((0, 0, 0), (0, 0, 0.1), 0.03)
    plain, soft = volume(skin(a | b, 0.0025, 4000)), volume(skin(a.blend(b, 0.02), 0.0025, 4000))
    assert soft > 1.005 * plain
    cut, eased = volume(skin(a - b, 0.0025, 4000)), volume(skin(a.carve(b, 0.01), 0.0025, 4000))
    assert eased < 0.999 * cut
    assert volume(skin(a.meet(b, 0.004), 0.001, 4000)) < volume(skin(a & b, 0.001, 4000))


def test_turning_moving_and_mirroring_are_rigid() -> None:
    lump = box((0.1, 0.04, 0.03)).move(0.05, 0.02, 0.01)
    turned = lump.turn("z", 90).move(0.0, 0.0, 0.2).mirror("x")
    points = np.array([[0.05, 0.02, 0.01], [0.0, 0.0, 0.0], [0.12, -0.03, 0.05]]).T
    image = np.stack([points[1], points[0], points[2] + 0.2])
    np.testing.assert_allclose(turned.field(image), lump.field(points), atol=1e-12)
    mesh, image_mesh = skin(lump, 0.003, 500), skin(lump, 0.003, 500).turn((0, 0, 2), 90).move(0, 0, 0.2).mirror("x")
    assert volume(image_mesh) == pytest.approx(volume(mesh))
    np.testing.assert_allclose(image_mesh.vertices[:, 2], mesh.vertices[:, 2] + 0.2)


def test_twin_and_grow() -> None:
    both = skin(sphere(0.02, (0.0, 0.05, 0.0)).twin("y").grow(0.005), 0.002, 3000)
    assert volume(both) == pytest.approx(2 * 4 / 3 * PI * 0.025**3, rel=0.02)
    assert abs(both.vertices[:, 1].mean()) < 1e-3


def test_crisp_meshes_are_closed() -> None:
    for mesh, expected in (
        (lathe([(0, 0), (0.05, 0), (0.05, 0.02), (0, 0.02)], 64), PI * 0.05**2 * 0.02),
        (plate(belt([(0, 0, 0.03), (0.1, 0, 0.03)]), 0, 0.02), (PI * 0.03**2 + 0.006) * 0.02),
        (plate(rounded([(0, 0, 0.01), (0.1, 0, 0.01), (0.1, 0.1, 0.01), (0, 0.1, 0.01)]), 0, 0.02, 0.001), 0.0002),
    ):
        assert is_closed(mesh)
        assert volume(mesh) == pytest.approx(expected, rel=0.02)
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-9)
    head = screw(0.004, 0.003)
    assert head.vertices[:, 2].max() == pytest.approx(0.003)


def test_rounded_takes_either_direction_and_cuts_radii_down() -> None:
    corners = [(0.0, 0.0, 1.0), (0.1, 0.0, 1.0), (0.1, 0.1, 1.0), (0.0, 0.1, 1.0)]
    for order in (corners, corners[::-1]):
        outline = rounded(order, 16)
        np.testing.assert_allclose(np.linalg.norm(outline - 0.05, axis=1), 0.05, atol=1e-3)


def test_empty_solid_is_refused() -> None:
    with pytest.raises(InputError, match="no surface"):
        skin(sphere(0.02) - sphere(0.03), 0.003)


def test_draped_letters_lie_on_the_surface() -> None:
    ball = sphere(0.1)
    sign = plate(rounded([(-0.02, -0.02, 0), (0.02, -0.02, 0), (0.02, 0.02, 0), (-0.02, 0.02, 0)]), 0.0, 0.001)
    laid = draped(sign.move(z=0.2), ball, (0, 0, -3))
    height = laid.vertices[:, 2] - np.sqrt(0.1**2 - 2 * 0.02**2)
    np.testing.assert_allclose(sorted(set(np.round(height, 6))), [0.0, 0.001], atol=2e-5)
    with pytest.raises(InputError, match="falls past"):
        draped(sign.move(x=0.2, z=0.2), ball, (0, 0, -1))
