"""Several arms under one clock: they see each other, and can move in step."""

import numpy as np
import pytest
from virtual_arms import TICK_S, Trace, make_arm

from openpendant.errors import InputError, UnknownNameError
from openpendant.motion import MoveJoint, MoveLine, find_speed
from openpendant.scene import CollisionWorld
from openpendant.spatial import translation
from openpendant.virtual.arm import ArmCell, ArmGroup, PathMove, TickClock

ARMS = ("left", "right")


@pytest.fixture(scope="module")
def alone() -> ArmCell:
    return ArmCell.alone("yumi")


@pytest.fixture
def yumi(alone: ArmCell) -> ArmGroup:
    arms = {name: make_arm("yumi", name, "at work") for name in ARMS}
    return ArmGroup(arms, TickClock(250), model="yumi", cell=alone)


def test_an_arm_that_moves_into_the_other_is_noticed_by_both(yumi: ArmGroup, alone: ArmCell):
    left = yumi.arms["left"]
    left.queue.add(PathMove(MoveLine(translation(0.0, -0.35, 0.0) @ left.T_base_tool, speed=find_speed("v200"))))
    touch = None
    while touch is None and left.queue.ahead:
        before = left.plant.q.copy()
        touch = yumi.tick()
    assert touch is not None
    assert (touch.a.startswith("yumi/gripper_l"), touch.b.startswith("yumi/gripper_r")) == (True, True)
    assert touch.felt == (("left", 6), ("right", 6))
    assert "touches" in str(touch)
    # It is noticed where the bodies of the cell say so, and not 20 ms earlier.
    world = CollisionWorld(alone.scene)
    still = {"yumi/right": yumi.arms["right"].plant.q}
    assert world.contacts({"yumi/left": left.plant.q, **still})
    back = before + (before - left.plant.q) * 6.0
    assert not world.contacts({"yumi/left": back, **still})
    # The controller stops it; it can get away again.
    left.mover.halted = True
    while not left.still:
        yumi.tick()
    left.queue.clear()
    left.mover.halted = False
    left.queue.add(PathMove(MoveLine(translation(0.0, 0.2, 0.0) @ left.T_base_tool, speed=find_speed("v200"))))
    for _ in range(400):
        assert yumi.tick() is None
    assert left.queue.ahead == 0
    assert not world.contacts({"yumi/left": left.plant.q, **still})


def test_both_arms_move_into_each_other(yumi: ArmGroup):
    for name, sideways in (("left", -0.25), ("right", 0.25)):
        arm = yumi.arms[name]
        arm.queue.add(PathMove(MoveLine(translation(0.0, sideways, 0.0) @ arm.T_base_tool, speed=find_speed("v200"))))
    touches = [touch for touch in (yumi.tick() for _ in range(300)) if touch is not None]
    assert touches
    # Within one look they come nearer by 8 mm.
    assert touches[0].depth_m < 0.4 * 0.02 + 1e-3


def test_arms_at_rest_are_not_looked_at(yumi: ArmGroup):
    assert [yumi.tick() for _ in range(50)] == [None] * 50
    assert yumi.clock.ticks == 50
    assert yumi.clock.seconds == pytest.approx(0.2)


def test_moves_of_both_arms_begin_and_end_together(yumi: ArmGroup):
    traces = {name: Trace(arm) for name, arm in yumi.arms.items()}
    starts = {name: arm.plant.q.copy() for name, arm in yumi.arms.items()}
    for way in (0.5, -0.5, 0.2):
        left = PathMove(MoveJoint(starts["left"] + [0, 0, 0, 0, 0, 0, way], speed=find_speed("50%")))
        right = PathMove(MoveJoint(starts["right"] + [0, 0, 0.1 * way, 0, 0, 0, 0.5], speed=find_speed("20%")))
        yumi.move_together({"left": left, "right": right})
    for _ in range(3000):
        yumi.tick()
        for trace in traces.values():
            trace.note()
        if not yumi.waiting and not any(arm.queue.ahead for arm in yumi.arms.values()):
            break
    moving = np.array([np.abs(trace.qd).max(axis=1) > 1e-6 for trace in traces.values()])
    edges = [np.flatnonzero(np.diff(row.astype(int))) for row in moving]
    assert len(edges[0]) == 5 or len(edges[0]) == 6
    assert len(edges[0]) == len(edges[1])
    assert np.abs(edges[0] - edges[1]).max() <= 2
    # As fast as the slower one can.
    fastest = [np.abs(trace.qd).max(axis=0) / yumi.arms[name].model.limits.velocity for name, trace in traces.items()]
    assert max(float(fastest[0].max()) / 0.5, float(fastest[1].max()) / 0.2) == pytest.approx(1.0, abs=0.01)


def test_a_move_that_one_arm_cannot_make_moves_neither(yumi: ArmGroup):
    left, right = yumi.arms["left"], yumi.arms["right"]
    far = PathMove(MoveLine(translation(2.0, 0.0, 0.0) @ left.T_base_tool))
    yumi.move_together({"right": PathMove(MoveJoint(right.plant.q + 0.1)), "left": far})
    for _ in range(20):
        yumi.tick()
    assert left.queue.fault is not None
    assert left.still
    assert right.still
    with pytest.raises(UnknownNameError):
        yumi.move_together({"middle": far})


def test_moves_of_both_arms_that_have_not_begun_can_be_forgotten(yumi: ArmGroup):
    left, right = yumi.arms["left"], yumi.arms["right"]
    q = left.plant.q.copy()
    for way in (0.1, 0.5):
        end = np.array([0, 0, 0, 0, 0, 0, way])
        yumi.move_together({"left": PathMove(MoveJoint(q + end)), "right": PathMove(MoveJoint(right.plant.q + 0.05))})
    yumi.tick()
    assert yumi.waiting == 1
    yumi.stop_together()
    for _ in range(2000):
        yumi.tick()
        if left.still and right.still and not left.queue.ahead:
            break
    assert yumi.waiting == 0
    assert left.plant.q[6] == pytest.approx(q[6] + 0.1, abs=1e-3)


def test_a_cell_without_the_robot_is_refused(alone: ArmCell):
    arms = {"arm": make_arm("irb120")}
    with pytest.raises(InputError, match="is a yumi, not a irb120"):
        ArmGroup(arms, TickClock(round(1.0 / TICK_S)), model="irb120", cell=alone)
