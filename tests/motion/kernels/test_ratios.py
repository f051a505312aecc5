"""The check of a finished trajectory: whatever is wrong with it shows in its worst ratios."""

import math
from dataclasses import replace

import numpy as np
import pytest
from motion_programs import T_TOOL, arm_and_limits, planned

from openpendant.motion import Blocked, MoveJoint, MoveLine, Trajectory, plan
from openpendant.spatial import translation


@pytest.fixture
def good():
    trajectory = planned("irb120", 2)[1]
    assert max(trajectory.worst_ratios()) <= 1.0
    return trajectory


@pytest.mark.parametrize(("power", "ratio"), [(0, 0), (1, 1), (2, 2)])
def test_a_jump_at_a_knot_is_seen(good, power, ratio):
    cells = good.cells.copy()
    moving = int(np.searchsorted(good.knots, good.place_at(0.3 * good.duration)))
    cells[moving:, power, 2] += 1e-6 if power == 0 else 1e-5 * cells[moving, 1, 2]
    assert replace(good, cells=cells).worst_ratios()[ratio] == math.inf


@pytest.mark.parametrize(("power", "ratio"), [(0, 0), (1, 1), (2, 2)])
def test_a_jump_at_a_break_is_seen(good, power, ratio):
    law = good.law.copy()
    law[len(law) // 3 :, power] += 1e-5
    assert replace(good, law=law).worst_ratios()[ratio] == math.inf


def test_a_joint_beyond_its_limit_is_seen(good):
    highest = good.sample(0.001).q[:, 1].max()
    upper = np.array(good.limits.upper)
    upper[1] = highest - 1e-6
    limits = replace(good.limits, upper=upper)
    assert math.inf in replace(good, limits=limits).worst_ratios()


@pytest.mark.parametrize("name", ["irb120", "rx90l"])
def test_a_joint_that_is_beyond_its_limit_only_between_two_points_is_blocked(name):
    arm, limits, home = arm_and_limits(name)
    left, right = (translation(0.0, y, 0.0) @ arm.fk(home) @ T_TOOL for y in (-0.12, 0.12))
    aside = plan(arm, limits, home, [MoveLine(left)], T_TOOL)
    assert isinstance(aside, Trajectory)
    start = aside.q_end
    across = [MoveLine(right)]
    q = plan(arm, limits, start, across, T_TOOL).sample(0.001).q
    turning = np.flatnonzero(q.max(axis=0) > np.maximum(q[0], q[-1]) + 1e-3)
    assert len(turning) > 0
    for joint in turning.tolist():
        # The limit lies just beside where the joint turns: by far less than the points are apart.
        upper = np.array(limits.upper)
        upper[joint] = q[:, joint].max() - 1e-7
        blocked = plan(arm, replace(limits, upper=upper), start, across, T_TOOL)
        assert isinstance(blocked, Blocked)
        assert (blocked.kind, blocked.move, blocked.joint) == ("limit", 0, arm.joint_titles[joint])
        assert 0.0 < blocked.fraction < 1.0
        upper[joint] += 2e-7
        assert isinstance(plan(arm, replace(limits, upper=upper), start, across, T_TOOL), Trajectory)


def test_a_move_that_ends_at_a_limit_is_not_blocked():
    arm, limits, home = arm_and_limits("irb120")
    q = home.copy()
    q[0] = limits.upper[0]
    found = plan(arm, limits, home, [MoveJoint(q), MoveJoint(home)])
    assert isinstance(found, Trajectory)
    assert max(found.worst_ratios()) <= 1.0
    assert found.at(found.spans[0].end_s).q[0] == pytest.approx(limits.upper[0], abs=1e-12)
