"""Every robot of the catalogue that has visuals: all links drawn, light enough, well shaded, in files others read."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial import cKDTree

from openpendant import robots
from openpendant.robots.bodies import find_collision, find_visuals
from openpendant.shapes import Part, build_parts, joined, sample_triangles

ROBOTS = [name for name in robots.names() if (robots.load(name).folder / "visuals.py").is_file()]


@cache
def parts_of(name: str) -> dict[str, list[Part]]:
    return build_parts(robots.load(name).folder)


@pytest.mark.parametrize("name", ROBOTS)
def test_every_link_that_can_be_seen_is_drawn_and_nothing_else(name: str) -> None:
    facts = robots.load(name).facts
    seen = {link.name for link in facts.links if link.visual} | {tool.link for tool in facts.tools}
    seen |= {finger.link for tool in facts.tools for finger in tool.fingers}
    assert set(parts_of(name)) == seen
    assert all(len(part.mesh.faces) > 0 for link in parts_of(name).values() for part in link)


@pytest.mark.parametrize("name", ROBOTS)
def test_it_stays_under_its_budget_of_triangles(name: str) -> None:
    assert 5_000 < sum(len(p.mesh.faces) for link in parts_of(name).values() for p in link) < 40_000


@pytest.mark.parametrize("name", ROBOTS)
def test_normals_are_unit_and_point_outwards(name: str) -> None:
    lean = area = 0.0
    for part in (p for link in parts_of(name).values() for p in link):
        mesh = part.mesh
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-6)
        a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
        flat = np.cross(b - a, c - a)
        size = np.linalg.norm(flat, axis=1)
        agree = (flat[:, None] * mesh.normals[mesh.faces]).sum(axis=2).min(axis=1)
        lean += float(size[agree < 0.5 * size].sum())
        area += float(size.sum())
    assert lean < 0.03 * area


@pytest.mark.parametrize("name", ROBOTS)
def test_its_files_hold_what_was_built(name: str) -> None:
    folder, parts = robots.load(name).folder, parts_of(name)
    visuals = find_visuals(folder)
    assert set(visuals) == set(find_collision(folder)) == set(parts)
    for link, path in visuals.items():
        scene = trimesh.load(path)
        assert len(scene.to_geometry().faces) == sum(len(p.mesh.faces) for p in parts[link])
        assert {g.visual.material.name for g in scene.geometry.values()} == {p.material.color for p in parts[link]}


@pytest.mark.parametrize("name", ROBOTS)
def test_neighbours_meet_without_air_wherever_the_joint_stands(name: str) -> None:
    robot, parts = robots.load(name), parts_of(name)
    points: dict[str, np.ndarray] = {}
    for link, pieces in parts.items():
        mesh = joined(p.mesh for p in pieces)
        points[link] = sample_triangles(mesh.vertices[mesh.faces], 0.003)
    for edge in robot.tree.edges:
        if not edge.moves or edge.parent not in points or edge.child not in points:
            continue
        parent = cKDTree(points[edge.parent])
        for value in (max(edge.lower, -7.0), 0.0, min(edge.upper, 7.0)):
            poses = robot.link_poses({edge.name: value} if edge.mimic is None else None)
            T = np.linalg.inv(poses[edge.parent]) @ poses[edge.child]
            near = parent.query(points[edge.child] @ T[:3, :3].T + T[:3, 3], distance_upper_bound=0.003)[0]
            assert np.isfinite(near).any(), f"{edge.name} at {value:.2f}: more than 3 mm of air"


def test_an_imported_robot_uses_its_own_files(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "arm.glb").write_bytes(b"glTF")
    assert find_visuals(tmp_path) == {"arm": tmp_path / "meshes" / "arm.glb"}
    assert find_collision(tmp_path) == {}
