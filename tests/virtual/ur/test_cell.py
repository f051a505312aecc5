"""A virtual arm in its cell: it stops when it touches something, and can get away again."""

import numpy as np
import pytest
from ur_brain import READY, Tracer, make_brain, run, start, tick

from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import Pose
from openpendant.scene import BoxShape, Cell, CellObject, CellRobot, Scene
from openpendant.virtual.ur import ErrorCode, RuntimeState, SafetyMode, Text, UrCell

# In base_link, which is the world here, the flange of READY is at x = +0.3: base is turned by 180° about z.
WALL = CellObject(
    name="wall", shape=BoxShape(size=(0.4, 0.05, 0.6)), pose=Pose(xyz=(0.3, 0.35, 0.3), wxyz=(1.0, 0.0, 0.0, 0.0))
)


@pytest.fixture(scope="module")
def cell() -> UrCell:
    robot = CellRobot(name="arm1", model="ur3e", pose=Pose(xyz=(0.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0)))
    return UrCell(Scene(Cell(name="test", robots=(robot,), objects=(WALL,))), "arm1")


def test_touching_a_wall_is_a_protective_stop_from_which_one_can_move_away(cell: UrCell):
    brain = make_brain(cell=cell, unlock_after_s=0.0)
    start(brain, f"movej({np.add(READY, [1.6, 0, 0, 0, 0, 0]).tolist()}, a=1, v=0.4)")
    trace = Tracer(brain)
    trace.until(lambda: brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP, 3000)
    told = list(brain.messages())
    report = next(message for message in told if isinstance(message, ErrorCode))
    assert report.code == 158
    assert "Collision detected by joint" in report.text
    assert any("wall" in message.text for message in told if isinstance(message, Text))
    trace.until(lambda: brain.read("runtime_state") == RuntimeState.PAUSED, 300)
    touched = brain.read("actual_q")[0]
    assert 0.05 < touched < 1.5
    # The stop takes a few milliseconds, not a way through the wall.
    assert trace.q[-1, 0] - touched < 0.05
    brain.unlock_protective_stop()
    run(brain, f"movej({list(READY)})")
    assert brain.read("safety_mode") == SafetyMode.NORMAL
    assert brain.read("target_q") == pytest.approx(READY)


def test_pressing_deeper_is_another_collision(cell: UrCell):
    brain = make_brain(cell=cell, unlock_after_s=0.0)
    into = f"movej({np.add(READY, [1.6, 0, 0, 0, 0, 0]).tolist()}, a=1, v=0.4)"
    start(brain, into)
    trace = Tracer(brain)
    trace.until(lambda: brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP, 3000)
    trace.tick(300)
    brain.unlock_protective_stop()
    brain.messages()
    assert brain.play()
    trace.until(lambda: brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP, 1000)


def test_free_motion_is_not_disturbed_and_nothing_is_jumped_over(cell: UrCell):
    brain = make_brain(cell=cell)
    run(brain, f"movej({np.add(READY, [-1.0, 0.1, 0, 0, 0, 0]).tolist()}, a=4, v=2)")
    assert brain.read("safety_mode") == SafetyMode.NORMAL
    seldom = make_brain(cell=cell, collision_period_s=0.5)
    start(seldom, f"movej({np.add(READY, [3.0, 0, 0, 0, 0, 0]).tolist()}, a=12, v=3)")
    tick(seldom, 700)
    assert seldom.read("safety_mode") == SafetyMode.PROTECTIVE_STOP


def test_a_cell_without_this_robot_is_refused():
    other = CellRobot(name="abb", model="irb120", pose=Pose(xyz=(0.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0)))
    scene = Scene(Cell(name="other", robots=(other,)))
    with pytest.raises(InputError, match="has no ur3e"):
        make_brain(cell=UrCell(scene))
    with pytest.raises(InputError, match="is a irb120"):
        make_brain(cell=UrCell(scene, "abb"))
    with pytest.raises(UnknownNameError):
        make_brain(cell=UrCell(scene, "nobody"))
