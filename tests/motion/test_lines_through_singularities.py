"""Lines through, close past and far from singular postures; and moves that cannot be made."""

import math

import numpy as np
import pytest
from motion_programs import arm_and_limits, worst_differences

from openpendant.motion import Blocked, MoveArc, MoveLine, Trajectory, find_speed, plan
from openpendant.spatial import make_transform, rotation_x, translation

SINGULAR = np.radians([0.0, -80.0, 160.0, 0.0, 0.0, 0.0])


def line_past(tilt):
    """Return start joints and a line of 200 mm that passes the wrist singularity of the RX90L at angle `tilt`."""
    arm, _, _ = arm_and_limits("rx90l")
    T = arm.fk(SINGULAR)
    R = T[:3, :3] @ rotation_x(tilt)
    start = make_transform(R, T[:3, 3] + [0.0, 0.0, 0.1])
    end = make_transform(R, T[:3, 3] - [0.0, 0.0, 0.1])
    return arm.ik(start, seed=SINGULAR).nearest.q, start, MoveLine(end, find_speed("v200"))


@pytest.mark.parametrize("tilt", [0.3, 0.05, 0.01, 0.001])
def test_past_a_singularity_it_slows_down(tilt):
    arm, limits, _ = arm_and_limits("rx90l")
    q, start, line = line_past(tilt)
    found = plan(arm, limits, q, [line])
    assert isinstance(found, Trajectory)
    assert max(found.worst_ratios()) <= 1.0
    assert max(worst_differences(found)) <= 1.0 + 1e-9
    T = arm.fk(found.sample(0.002).q, check_limits=False)
    assert np.abs(T[:, :2, 3] - start[:2, 3]).max() < 1e-6
    assert np.abs(T[:, :3, :3] - start[:3, :3]).max() < 2e-6
    slowest = found.tool_speed(np.linspace(0.3, found.duration - 0.3, 2000)).min()
    assert (slowest < 0.06) == (tilt <= 0.01)


@pytest.mark.parametrize("tilt", [0.0, 1e-12, 1e-9, 1e-7])
def test_through_a_singularity_it_goes_straight(tilt):
    arm, limits, _ = arm_and_limits("rx90l")
    q, start, line = line_past(tilt)
    found = plan(arm, limits, q, [line])
    assert isinstance(found, Trajectory)
    Q = found.sample(0.002).q
    assert Q[0, 4] * Q[-1, 4] < 0.0
    assert np.ptp(Q[:, 3]) < 1e-3
    T = arm.fk(Q, check_limits=False)
    assert np.abs(T[:, :2, 3] - start[:2, 3]).max() < 1e-6


@pytest.mark.parametrize("tilt", [1e-4, 1e-5, 1e-6])
def test_a_jump_is_an_error_with_its_place(tilt):
    arm, limits, _ = arm_and_limits("rx90l")
    q, _, line = line_past(tilt)
    found = plan(arm, limits, q, [line])
    assert isinstance(found, Blocked)
    assert (found.kind, found.move) == ("jump", 0)
    assert found.joint in ("J4", "J6")
    assert found.fraction == pytest.approx(0.5, abs=0.01)
    assert "singularity" in found.reason
    assert found.T is not None
    assert np.abs(found.T[:3, 3] - arm.fk(SINGULAR)[:3, 3]).max() < 0.002


def test_a_joint_limit_is_told_with_its_joint():
    arm, limits, home = arm_and_limits("irb120")
    T = arm.fk(home)
    centre = np.array([0.0, 0.0, T[2, 3]])
    turn = make_transform(np.array([[-1.0, 0, 0], [0, -1, 0], [0, 0, 1]]), [0, 0, 0])
    back = turn @ T
    back[:3, 3] = centre + np.array([-0.2, 0.25, 0.0])
    via = T.copy()
    via[:3, 3] = centre + np.array([0.1, 0.33, 0.0])
    found = plan(arm, limits, home, [MoveArc(via, back), MoveLine(translation(0.0, -0.5, 0.0) @ back)])
    assert isinstance(found, Blocked)
    assert found.kind in ("limit", "unreachable", "jump")
    assert 0.0 <= found.fraction <= 1.0


def test_out_of_reach_tells_how_far_it_got():
    arm, limits, home = arm_and_limits("ur3e")
    T = arm.fk(home)
    found = plan(arm, limits, home, [MoveLine(translation(1.0, 0.0, 0.0) @ T)])
    assert isinstance(found, Blocked)
    assert found.kind == "unreachable"
    assert 0.0 < found.fraction < 1.0
    assert "out of reach" in found.reason
    got_to = arm.fk(found.q, check_limits=False)[0, 3]
    assert got_to == pytest.approx(T[0, 3] + found.fraction, abs=1e-3)


def test_points_on_a_line_make_no_circle():
    arm, limits, home = arm_and_limits("ur3e")
    T = arm.fk(home)
    found = plan(arm, limits, home, [MoveArc(translation(0.0, 0.05, 0.0) @ T, translation(0.0, 0.1, 0.0) @ T)])
    assert isinstance(found, Blocked)
    assert found.kind == "degenerate"
    assert "circle" in found.reason


def test_a_wrist_may_turn_more_than_half_a_turn():
    arm, limits, home = arm_and_limits("ur3e")
    T = arm.fk(home)
    quarter = make_transform(np.array([[0.0, -1.0, 0], [1.0, 0, 0], [0, 0, 1]]), [0, 0, 0])
    moves = [MoveLine(T @ quarter), MoveLine(T @ quarter @ quarter), MoveLine(T @ quarter @ quarter @ quarter)]
    found = plan(arm, limits, home, moves)
    assert isinstance(found, Trajectory)
    assert abs(found.q_end[5] - home[5]) == pytest.approx(1.5 * math.pi, abs=1e-6)
