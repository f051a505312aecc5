"""A tool comes to rest on faces, edges and touched surfaces, at the angles of a weld, turned as little as can be."""

import math

import numpy as np
import pytest

from openpendant.errors import InputError
from openpendant.motion.process import PlacedBox, snap_to_edge, snap_to_face, snap_to_touch, turn_to_side
from openpendant.spatial import make_transform, matrix_from_rotation_vector

BOX = PlacedBox(make_transform(np.eye(3), [1.0, 0.0, 0.05]), np.array([0.4, 0.2, 0.1]))
DOWN = np.diag([1.0, -1.0, -1.0])
# The weld presets as they are taught: angle to the surface, lean against the weld, degrees.
PRESETS = [
    ("square", 90.0, 0.0),
    ("fillet", 45.0, 10.0),
    ("plain", 45.0, 0.0),
    ("lap", 60.0, 10.0),
    ("vertical", 45.0, -15.0),
]


def test_the_tool_stands_square_on_the_nearest_face():
    T = snap_to_face(BOX, make_transform(DOWN, [1.05, 0.02, 0.3]))
    assert T[:3, 3] == pytest.approx([1.05, 0.02, 0.1])
    assert np.allclose(T[:3, :3], DOWN)
    side = snap_to_face(BOX, make_transform(DOWN, [1.5, 0.02, 0.06]))
    assert side[:3, 3] == pytest.approx([1.2, 0.02, 0.06])
    assert side[:3, 2] == pytest.approx([-1.0, 0.0, 0.0])


@pytest.mark.parametrize(("preset", "angle", "travel"), PRESETS)
def test_the_tool_leans_over_the_nearest_edge_as_its_preset_says(preset, angle, travel):
    T = snap_to_edge(BOX, make_transform(DOWN, [1.1, 0.15, 0.12]), preset)
    assert T[:3, 3] == pytest.approx([1.1, 0.1, 0.1])
    lean, drag = math.radians(angle), math.radians(travel)
    z = [math.sin(drag), -math.cos(lean) * math.cos(drag), -math.sin(lean) * math.cos(drag)]
    assert T[:3, 2] == pytest.approx(z, abs=1e-12)
    assert T[0, 0] > 0.9, "of the two ways along the edge, the one that turns the tool less"


@pytest.mark.parametrize(("preset", "angle", "travel"), PRESETS)
def test_the_sides_of_a_box_turn_the_tool_and_leave_it_where_it_is(preset, angle, travel):
    tool = make_transform(DOWN, [0.3, 0.4, 0.5])
    outs = []
    for side in range(4):
        T = turn_to_side(BOX, tool, side, preset)
        assert T[:3, 3] == pytest.approx([0.3, 0.4, 0.5])
        assert np.allclose(T[:3, :3] @ T[:3, :3].T, np.eye(3))
        # Between tool and top of the box: its angle, less what the lean takes.
        sine = math.sin(math.radians(angle)) * math.cos(math.radians(travel))
        assert -T[2, 2] == pytest.approx(sine)
        outs.append(-T[:2, 2])
    if preset == "plain":
        ways = np.array(outs) / math.cos(math.radians(45.0))
        assert np.allclose(ways, [[1, 0], [0, 1], [-1, 0], [0, -1]]), "round the box, anticlockwise from above"
    edge = make_transform(DOWN, [1.1, 0.15, 0.12])
    assert np.allclose(turn_to_side(BOX, edge, 1, preset)[:3, :3], snap_to_edge(BOX, edge, preset)[:3, :3])
    with pytest.raises(InputError, match="side is 4; allowed: 0 to 3"):
        turn_to_side(BOX, tool, 4, preset)


def test_what_is_touched_near_an_edge_is_the_edge():
    tool = make_transform(DOWN, [0.5, 0.0, 0.5])
    for away, is_edge in ((0.011, True), (0.013, False)):
        T = snap_to_touch(BOX, [1.2 - away, 0.02, 0.1], [0.0, 0.0, 1.0], tool, "fillet")
        assert (T[0, 3] == pytest.approx(1.2)) == is_edge
        assert (T[2, 2] == pytest.approx(-1.0)) == (not is_edge)
    ball = snap_to_touch(None, [0.1, 0.0, 0.0], [2.0, 0.0, 0.0], tool, "fillet")
    assert ball[:3, 3] == pytest.approx([0.1, 0.0, 0.0])
    assert ball[:3, 2] == pytest.approx([-1.0, 0.0, 0.0])


def test_a_box_that_is_turned_is_no_other_box():
    random = np.random.default_rng(5)
    for _ in range(50):
        # About the vertical: which of two faces looks up more is a matter of the world.
        T = make_transform(matrix_from_rotation_vector([0.0, 0.0, random.uniform(-3.0, 3.0)]), random.uniform(-1, 1, 3))
        tool = make_transform(
            matrix_from_rotation_vector(random.uniform(-3, 3, 3)), random.uniform(-0.4, 0.4, 3) + BOX.T_world_box[:3, 3]
        )
        turned = PlacedBox(T @ BOX.T_world_box, BOX.size)
        assert np.allclose(snap_to_face(turned, T @ tool), T @ snap_to_face(BOX, tool))
        assert np.allclose(snap_to_edge(turned, T @ tool, "lap"), T @ snap_to_edge(BOX, tool, "lap"))


@pytest.mark.parametrize("size", [[0.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, math.nan, 1.0]])
def test_what_has_no_size_is_no_box(size):
    with pytest.raises(InputError, match="three positive numbers"):
        PlacedBox(np.eye(4), np.array(size))


def test_a_surface_without_a_direction_is_refused():
    with pytest.raises(InputError, match="normal"):
        snap_to_touch(None, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], np.eye(4), "square")
