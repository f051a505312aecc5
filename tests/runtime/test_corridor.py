"""The corridor of an uploaded program: every blend inside a zone is in it, what leaves it is seen."""

import numpy as np
import pytest

from openpendant import robots
from openpendant.errors import InputError
from openpendant.motion import MoveJoint, MoveLine, Trajectory, Zone, joint_limits, plan
from openpendant.runtime import Corridor, corridor_of
from openpendant.spatial import translation

ROBOT = robots.load("ur3e")
Q = np.radians([0.0, -80.0, 100.0, -110.0, -90.0, 0.0])


def trajectory() -> Trajectory:
    T = ROBOT.arm().fk(Q)
    moves = [
        MoveLine(translation(0.0, 0.15, 0.0) @ T, zone=Zone(0.05)),
        MoveLine(translation(0.0, 0.15, 0.15) @ T, zone=Zone(0.05)),
        MoveJoint(Q),
    ]
    found = plan(ROBOT.arm(), joint_limits(ROBOT), Q, moves)
    assert isinstance(found, Trajectory)
    return found


def test_the_path_and_other_blends_are_inside() -> None:
    path = trajectory()
    corridor = corridor_of([path])
    for row in path.sample(0.004).q:
        assert corridor.leaves(row) == 0.0
    for corner in path.corners:
        # The programmed point, as a controller that does not blend would go, and a chord, as one that cuts would.
        assert corridor.leaves(corner.q_corner) == 0.0
        assert corridor.leaves(0.5 * (corner.q_enter + corner.q_leave)) == 0.0


@pytest.mark.parametrize("joint", range(6))
def test_what_leaves_it_is_seen(joint: int) -> None:
    path = trajectory()
    corridor = corridor_of([path])
    away = path.at(0.5 * path.duration).q.copy()
    away[joint] += 0.5 if joint != 5 else -0.8
    assert corridor.leaves(away) > 0.1
    assert corridor.leaves(path.q_start) == 0.0


def test_it_crosses_the_bus() -> None:
    corridor = corridor_of([trajectory()])
    back = Corridor.decode(corridor.encode())
    assert (back.points == corridor.points).all()
    assert back.tolerance_rad == corridor.tolerance_rad


def test_nonsense_is_refused() -> None:
    with pytest.raises(InputError):
        corridor_of([])
    with pytest.raises(InputError):
        Corridor(np.zeros((0, 6)))
    with pytest.raises(InputError):
        Corridor(np.zeros((2, 6)), -1.0)
