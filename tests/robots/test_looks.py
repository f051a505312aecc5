"""What is drawn agrees with the facts: neighbours meet at their joints, tips and feet are where they are told."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

from openpendant import robots
from openpendant.shapes import Mesh, Part, build_parts, joined, sample_triangles


@cache
def looks(name: str) -> dict[str, list[Part]]:
    return build_parts(Path(robots.load(name).folder))


def mesh_of(parts: list[Part]) -> Mesh:
    return joined(part.mesh for part in parts)


@pytest.mark.parametrize("name", ["ur3e", "rx90l"])
def test_neighbours_meet_at_their_joint(name: str):
    facts, parts = robots.load(name).facts, looks(name)
    points = {link: mesh_of(p) for link, p in parts.items()}
    met = 0
    for joint in facts.joints:
        if joint.kind == "fixed" or joint.parent not in points or joint.child not in points:
            continue
        roll, pitch, yaw = np.deg2rad(joint.rpy_deg)
        T = turn_z(yaw) @ turn_y(pitch) @ turn_x(roll)
        child, parent = points[joint.child], points[joint.parent]
        surface = sample_triangles(child.vertices[child.faces], 0.003) @ T.T + np.array(joint.xyz_m)
        gap, _ = cKDTree(sample_triangles(parent.vertices[parent.faces], 0.003)).query(surface)
        assert gap.min() < 0.003, f"{joint.name}: {gap.min() * 1000:.1f} mm of air"
        met += 1
    assert met >= 5


@pytest.mark.parametrize(("name", "link"), [("ur3e", "base_link_inertia"), ("rx90l", "pedestal"), ("robomap", "body")])
def test_it_stands_on_the_floor(name: str, link: str):
    assert mesh_of(looks(name)[link]).vertices[:, 2].min() == pytest.approx(0.0, abs=1e-3)


def test_the_wire_of_the_torch_ends_at_the_tool_centre_point():
    tool = robots.load("rx90l").facts.tools[0]
    along = np.array([np.sin(np.deg2rad(tool.tcp_rpy_deg[1])), 0.0, np.cos(np.deg2rad(tool.tcp_rpy_deg[1]))])
    vertices = mesh_of(looks("rx90l")[tool.link]).vertices
    tip = vertices[np.argmax(vertices @ along)]
    np.testing.assert_allclose(tip, tool.tcp_xyz_m, atol=5e-4)


def test_the_flange_face_is_where_tools_are_mounted():
    parts = looks("ur3e")["wrist_3_link"]
    assert mesh_of(parts).vertices[:, 2].max() == pytest.approx(0.0, abs=3e-4)
    facts = robots.load("rx90l").facts
    tool0 = next(frame for frame in facts.frames if frame.name == "tool0")
    assert mesh_of(looks("rx90l")["link_6"]).vertices[:, 2].max() == pytest.approx(tool0.xyz_m[2], abs=1e-6)


def test_the_platform_keeps_inside_its_footprint_and_its_camera_looks_ahead():
    facts = robots.load("robomap").facts
    assert facts.platform is not None
    vertices = mesh_of(looks("robomap")["body"]).vertices
    half = np.array(facts.platform.size_m[:2]) / 2
    assert np.all(np.abs(vertices[:, :2]) <= half + 1e-3)
    x, _, z = next(frame for frame in facts.frames if frame.name == facts.platform.camera).xyz_m
    head = vertices[np.abs(vertices[:, 2] - z) < 0.02]
    assert head[:, 0].max() == pytest.approx(x, abs=3e-3)


def turn_x(a: float) -> np.ndarray:
    return np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])


def turn_y(a: float) -> np.ndarray:
    return np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])


def turn_z(a: float) -> np.ndarray:
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
