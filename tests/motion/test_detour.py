"""Finding a way round, and moving along it."""

from itertools import pairwise

import numpy as np
import pytest
from motion_programs import arm_and_limits, worst_differences

from openpendant.errors import InputError
from openpendant.motion import Trajectory, detour_moves, find_detour, plan


def wall(q):
    """A wall between the two sides of joint 1 that only a raised arm passes."""
    return abs(q[0]) < 0.3 and q[1] > -0.8


def at_both_sides():
    arm, limits, home = arm_and_limits("irb120")
    left, right = home.copy(), home.copy()
    left[0], right[0] = -1.0, 1.0
    return arm, limits, left, right


def check_free(way, collides):
    for a, b in pairwise(way):
        count = max(2, int(np.abs(b - a).max() / 0.01) + 2)
        assert not any(collides(a + (b - a) * x) for x in np.linspace(0.0, 1.0, count))


@pytest.mark.parametrize("seed", range(4))
def test_it_goes_round_a_wall_and_can_be_timed(seed):
    arm, limits, left, right = at_both_sides()
    way = find_detour(wall, left, [right], limits, seed=seed)
    assert way is not None
    assert np.array_equal(way[0], left)
    assert np.array_equal(way[-1], right)
    assert len(way) >= 3
    check_free(way, wall)
    assert (way >= limits.lower).all()
    assert (way <= limits.upper).all()
    found = plan(arm, limits, left, detour_moves(way))
    assert isinstance(found, Trajectory)
    assert max(worst_differences(found)) <= 1.0 + 1e-9


def test_the_same_seed_finds_the_same_way():
    _, limits, left, right = at_both_sides()
    first, second = (find_detour(wall, left, [right], limits, seed=11) for _ in range(2))
    assert np.array_equal(first, second)


def test_a_free_way_is_straight():
    _, limits, left, right = at_both_sides()
    way = find_detour(lambda q: False, left, [right], limits)
    assert np.array_equal(way, [left, right])


def test_a_blocked_goal_is_left_out():
    _, limits, left, right = at_both_sides()
    other = right + 0.1
    way = find_detour(lambda q: np.allclose(q, right) or wall(q), left, [right, other], limits)
    assert np.array_equal(way[-1], other)


def test_no_way_is_an_answer():
    _, limits, left, right = at_both_sides()
    assert find_detour(lambda q: abs(q[0]) < 0.3, left, [right], limits, time_s=0.2) is None
    assert find_detour(lambda q: q[0] < 0.0, left, [right], limits) is None
    assert find_detour(lambda q: q[0] > 0.0, left, [right], limits) is None


def test_bad_input_is_refused():
    _, limits, left, right = at_both_sides()
    with pytest.raises(InputError, match="goal"):
        find_detour(wall, left, [], limits)
    with pytest.raises(InputError, match="beyond"):
        find_detour(wall, left, [right + 10.0], limits)
    with pytest.raises(InputError, match="6 finite"):
        find_detour(wall, left[:3], [right], limits)
