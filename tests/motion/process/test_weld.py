"""Weld paths: the tool keeps its angle to edges and circles, and robots can follow them."""

import math

import numpy as np
import pytest
from motion_programs import arm_and_limits

from openpendant.errors import InputError
from openpendant.motion import MoveJoint, Trajectory, Zone, plan, weld_circle, weld_edge
from openpendant.spatial import make_transform, rotation_y

ALONG = np.array([0.0, 1.0, 0.0])
CENTRE, UP = np.array([0.65, 0.1, -0.15]), np.array([0.0, 0.0, 1.0])
T_TORCH = make_transform(rotation_y(math.radians(30.0)), [0.066076951545867, 0.0, 0.286602540378444])


def torch_trajectory(*paths):
    """Return the first of the paths that the RX90L can weld with its torch, and how."""
    arm, limits, home = arm_and_limits("rx90l")
    tcp = arm.frames["tcp"]
    assert np.abs(np.linalg.inv(arm.chain.T_last_flange) @ tcp.T_joint_frame - T_TORCH).max() < 1e-9
    for path in paths:
        for solution in arm.ik(path.T_start, seed=home, frame="tcp").solutions:
            found = plan(arm, limits, home, [MoveJoint(solution.q), *path.moves], T_TORCH)
            if isinstance(found, Trajectory):
                return arm, found
    raise AssertionError("no spin and no branch can weld it")


@pytest.mark.parametrize("degrees", [30.0, 45.0, 80.0])
@pytest.mark.parametrize("side", ["left", "right"])
def test_an_edge_is_welded_at_its_angle(degrees, side):
    start, end = CENTRE - 0.2 * ALONG, CENTRE + 0.2 * ALONG
    path = weld_edge(start, end, UP, side=side, angle=math.radians(degrees))
    z, x = path.T_start[:3, 2], path.T_start[:3, 0]
    assert math.degrees(math.asin(-z @ UP)) == pytest.approx(degrees)
    assert x @ [0.0, 1.0, 0.0] == pytest.approx(1.0)
    # The tool comes from +x, which is on the right when going along +y, so it points to -x.
    assert (z[0] < 0.0) == (side == "right")
    assert np.allclose(path.T_end[:3, 3], end)
    assert np.allclose(path.approach(0.05)[:3, 3], start - 0.05 * z)


def test_the_torch_welds_a_box_edge_at_constant_speed():
    path = weld_edge(CENTRE - 0.1 * ALONG, CENTRE + 0.1 * ALONG, UP, side="left")
    arm, found = torch_trajectory(path)
    span = found.spans[1]
    t = np.linspace(span.start_s + 0.1, span.end_s - 0.1, 200)
    assert found.tool_speed(t) == pytest.approx(0.010, rel=2e-3)
    T = arm.fk(found.samples_at(t).q) @ T_TORCH
    assert np.abs(T[:, 0, 3] - CENTRE[0]).max() < 1e-6
    assert np.abs(T[:, :3, :3] - path.T_start[:3, :3]).max() < 1e-6


@pytest.mark.parametrize("keep_spin", [True, False])
@pytest.mark.parametrize("sweep", [math.pi, -1.5 * math.pi])
def test_a_circle_is_followed_at_constant_angle(keep_spin, sweep):
    radius, middle = 0.06, np.array([0.6, 0.3, -0.4])
    spins = np.radians([0.0, 90.0, 180.0, -90.0, 135.0, -135.0])
    arm, found = torch_trajectory(
        *(weld_circle(middle, UP, radius, sweep=sweep, keep_spin=keep_spin, spin=spin) for spin in spins)
    )
    t = np.linspace(found.spans[1].start_s, found.duration, 800)
    T = arm.fk(found.samples_at(t).q) @ T_TORCH
    out = T[:, :3, 3] - middle
    assert np.abs(np.linalg.norm(out, axis=1) - radius).max() < 2e-6
    assert np.abs(out[:, 2]).max() < 2e-6
    lean = T[:, :3, 2]
    assert np.degrees(np.arcsin(-lean @ UP)) == pytest.approx(45.0, abs=1e-3)
    # The tool leans outwards, square to the direction of the weld.
    assert np.einsum("ij,ij->i", lean, out / radius) == pytest.approx(-math.cos(math.pi / 4), abs=1e-4)
    inside = (t > t[0] + 0.2) & (t < t[-1] - 0.2)
    assert found.tool_speed(t)[inside] == pytest.approx(0.010, rel=5e-3)


def test_a_full_circle_ends_where_it_began():
    path = weld_circle(CENTRE, UP, 0.05, zone=Zone(0.0))
    assert len(path.moves) == 4
    assert np.allclose(path.T_start, path.T_end, atol=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: weld_edge([0, 0, 0], [0, 0, 0], UP),
        lambda: weld_edge([0, 0, 0], [0, 0, 1], UP),
        lambda: weld_edge([0, 0, 0], [1, 0, 0], UP, angle=0.0),
        lambda: weld_edge([0, 0, 0], [1, 0, 0], UP, angle=2.0),
        lambda: weld_edge([0, 0, 0], [1, 0, 0], UP, travel=2.0),
        lambda: weld_edge([0, 0, math.nan], [1, 0, 0], UP),
        lambda: weld_edge([0, 0], [1, 0, 0], UP),
        lambda: weld_edge([0, 0, 0], [1, 0, 0], UP, side="up"),
        lambda: weld_circle([0, 0, 0], UP, -1.0),
        lambda: weld_circle([0, 0, 0], UP, 0.1, sweep=0.0),
        lambda: weld_circle([0, 0, 0], UP, 0.1, start=UP),
        lambda: weld_circle([0, 0, 0], [0, 0, 0], 0.1),
        lambda: weld_circle([0, 0, 0], UP, 0.1, side="top"),
    ],
)
def test_impossible_welds_are_refused(call):
    with pytest.raises(InputError):
        call()
