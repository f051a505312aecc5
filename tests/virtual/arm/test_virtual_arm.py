"""A virtual arm of any number of joints: a queue that grows while it rides, zones, stops, override, streams.

What is expected comes from the robots' facts, from the geometry that was programmed, and from motion.plan.
"""

import math

import numpy as np
import pytest
from virtual_arms import TICK_S, Trace, make_arm, off_line

from openpendant.errors import InputError
from openpendant.motion import MoveJoint, MoveLine, Speed, Trajectory, Zone, find_speed, find_zone, plan
from openpendant.robots import load
from openpendant.spatial import translation
from openpendant.virtual.arm import PathMove, VirtualArm, arm_model

ARMS = (("irb120", None, "ready"), ("yumi", "left", "at work"))
SQUARE_M = ((0.0, 0.08, 0.0), (0.0, 0.08, 0.08), (0.0, 0.0, 0.08), (0.0, 0.0, 0.0))
FINE_ZONE, CORNER = find_zone("fine"), find_zone("z10")


def square(arm: VirtualArm, speed: Speed, zone: Zone = CORNER) -> list[PathMove]:
    T = arm.T_base_tool
    moves = [MoveLine(translation(*place) @ T, speed=speed, zone=zone) for place in SQUARE_M]
    return [PathMove(move) for move in (*moves[:-1], MoveLine(moves[-1].T_end, speed=speed))]


@pytest.mark.parametrize(("robot", "name", "posture"), ARMS)
def test_moves_that_are_added_while_the_arm_rides_are_one_path(robot: str, name: str | None, posture: str):
    arm = make_arm(robot, name, posture)
    start, speed = arm.T_base_tool[:3, 3], find_speed("v200")
    trace, moves = Trace(arm), square(arm, speed)
    for asked in moves:
        arm.queue.add(asked)
        # The next one is only known when the arm is on its way.
        trace.tick(25)
        assert arm.mover.moving
    trace.until_done()
    assert (arm.queue.finished, arm.queue.missed, arm.queue.fault) == (4, 0, None)
    made = [one for n, one in enumerate(trace.made) if one is not None and one is not trace.made[n - 1]]
    assert made == moves

    corners = [start + place for place in SQUARE_M]
    lines = list(zip([start, *corners[:-1]], corners, strict=True))
    points = trace.xyz
    assert np.min([off_line(points, *line) for line in lines], axis=0).max() < CORNER.radius_m
    for corner in corners[:-1]:
        gap = np.linalg.norm(points - corner, axis=1)
        # The corner is cut, inside its zone only, and passed without a stop.
        assert 1e-3 < gap.min() < CORNER.radius_m
        assert trace.tool_speed[int(gap.argmin())] > 0.5 * speed.tool_m_s
    outside = np.min([np.linalg.norm(points - corner, axis=1) for corner in corners[:-1]], axis=0) > CORNER.radius_m
    assert np.min([off_line(points[outside], *line) for line in lines], axis=0).max() < 1e-4
    assert np.linalg.norm(points[-1] - start) < 1e-6

    facts = arm.model.limits
    assert trace.tool_speed.max() < 1.001 * speed.tool_m_s
    assert (np.abs(trace.qd).max(axis=0) <= facts.velocity).all()
    assert (np.abs(trace.qdd).max(axis=0) <= facts.stop.deceleration).all()


@pytest.mark.parametrize(("robot", "name", "posture"), ARMS)
def test_a_path_takes_as_long_as_it_is_planned(robot: str, name: str | None, posture: str):
    arm = make_arm(robot, name, posture)
    trace, moves = Trace(arm), square(arm, find_speed("v200"))
    model = arm.model
    planned = plan(model.arm, model.limits.scaled(jerk=math.inf), arm.plant.q, [asked.move for asked in moves])
    assert isinstance(planned, Trajectory)
    for asked in moves:
        arm.queue.add(asked)
    took = (trace.until_done() - 1) * TICK_S
    way = float(np.linalg.norm(np.diff(trace.xyz, axis=0), axis=1).sum())
    assert way / 0.2 < took
    # The planner knows all moves from the start and smooths nothing.
    assert planned.duration < took + 2 * TICK_S
    assert took < 1.05 * planned.duration + 0.016 + 8 * TICK_S


@pytest.mark.parametrize(("robot", "name", "posture"), ARMS)
def test_a_joint_move_is_as_fast_as_the_facts_allow(robot: str, name: str | None, posture: str):
    arm = make_arm(robot, name, posture)
    way = np.zeros(arm.model.dof)
    way[0], way[3] = 1.2, -0.4
    trace = Trace(arm)
    arm.queue.add(PathMove(MoveJoint(arm.plant.q + way)))
    took = (trace.until_done() - 1) * TICK_S
    facts = load(robot).facts
    joint = next(one for one in facts.joints if one.name == arm.model.arm.chain.names[0])
    v, a = math.radians(joint.velocity_deg_s or 0.0), math.radians(joint.acceleration_deg_s2 or 0.0)
    least = 1.2 / v + v / a
    assert least < took < least + 0.016 + 6 * TICK_S
    assert np.abs(trace.qd[:, 0]).max() == pytest.approx(v, rel=2e-3)
    # All joints go in step, straight.
    assert np.abs((trace.q[:, 3] - trace.q[0, 3]) / -0.4 - (trace.q[:, 0] - trace.q[0, 0]) / 1.2).max() < 1e-9


def test_the_tools_speed_binds_joint_moves_too():
    arm = make_arm("irb120", None, "ready")
    trace = Trace(arm)
    arm.queue.add(PathMove(MoveJoint(arm.plant.q + 0.1, speed=find_speed("v100"))))
    trace.until_done()
    assert trace.tool_speed.max() == pytest.approx(0.1, rel=2e-3)


@pytest.mark.parametrize(("robot", "name", "posture"), ARMS)
def test_a_stop_stays_on_the_path_and_a_pause_goes_on(robot: str, name: str | None, posture: str):
    arm = make_arm(robot, name, posture)
    T, line = arm.T_base_tool, translation(0.0, 0.15, 0.0)
    start, end = T[:3, 3], (line @ T)[:3, 3]
    arm.queue.add(PathMove(MoveLine(line @ T, speed=find_speed("v300"))))
    trace = Trace(arm)
    trace.until(lambda: len(trace.rows) > 2 and trace.tool_speed[-1] > 0.25)
    facts, qd = arm.model.limits, np.abs(trace.qd[-1])
    arm.mover.halted = True
    took = trace.until(lambda: arm.still) * TICK_S
    # No joint can stop sooner than its deceleration allows, and the leading one decides.
    least = float((qd / facts.stop.deceleration).max())
    assert least < took < 1.3 * least + 0.016 + 5 * TICK_S
    halfway = arm.mover.target.copy()
    trace.tick(50)
    assert (arm.mover.target == halfway).all()
    arm.mover.halted = False
    trace.tick(20)
    assert arm.mover.moving
    arm.mover.paused = True
    trace.until(lambda: arm.still)
    assert arm.queue.ahead == 1
    arm.mover.paused = False
    trace.until_done()
    assert off_line(trace.xyz, start, end).max() < 1e-4
    assert np.linalg.norm(trace.xyz[-1] - end) < 1e-6
    assert (np.abs(trace.qdd).max(axis=0) <= facts.stop.deceleration * 1.001).all()


def test_the_override_scales_speed_also_while_the_arm_rides():
    arm = make_arm("irb120", None, "ready")
    arm.queue.add(PathMove(MoveLine(translation(0.0, 0.25, 0.0) @ arm.T_base_tool, speed=find_speed("v200"))))
    trace = Trace(arm)
    trace.until(lambda: len(trace.rows) > 2 and trace.tool_speed[-1] > 0.199)
    arm.mover.slider = 0.5
    trace.tick(60)
    assert trace.tool_speed[-1] == pytest.approx(0.1, rel=1e-2)
    assert trace.tool_speed[-60:].min() > 0.099
    arm.mover.slider = 1.0
    trace.tick(80)
    assert trace.tool_speed[-1] == pytest.approx(0.2, rel=1e-2)


def test_a_move_that_comes_too_late_is_a_stop_at_the_corner():
    arm = make_arm("irb120", None, "ready")
    first, second, *_ = square(arm, find_speed("v200"))
    corner = np.array(first.move.T_end)[:3, 3]  # type: ignore[union-attr]
    arm.queue.add(first)
    trace = Trace(arm)
    trace.until(lambda: float(np.linalg.norm(arm.model.arm.fk(arm.mover.target)[:3, 3] - corner)) < 1.5e-3)
    arm.queue.add(second)
    trace.until_done()
    assert (arm.queue.finished, arm.queue.missed) == (2, 1)
    gap = np.linalg.norm(trace.xyz - corner, axis=1)
    assert gap.min() < 1e-6
    assert (trace.tool_speed[gap[1:] < 1e-6] < 1e-6).any()


def test_a_move_that_cannot_be_made_leaves_the_arm_at_the_end_of_those_before():
    arm = make_arm("irb120", None, "ready")
    good, *_ = square(arm, find_speed("v200"))
    arm.queue.add(good)
    arm.queue.add(PathMove(MoveLine(translation(2.0, 0.0, 0.0) @ arm.T_base_tool)))
    arm.queue.add(good)
    trace = Trace(arm)
    trace.until(lambda: arm.queue.fault is not None and arm.still and arm.queue.present is None)
    assert arm.queue.fault is not None
    assert arm.queue.fault.kind == "unreachable"
    assert (arm.queue.finished, arm.queue.waiting) == (1, 2)
    assert np.linalg.norm(trace.xyz[-1] - np.array(good.move.T_end)[:3, 3]) < 1e-6  # type: ignore[union-attr]
    arm.queue.clear()
    back = PathMove(MoveJoint(trace.q[0]))
    arm.queue.add(back)
    trace.until_done()
    assert arm.queue.finished == 2
    assert trace.q[-1] == pytest.approx(trace.q[0])


def test_forgetting_the_queue_brakes_on_the_path_and_new_moves_begin_there():
    arm = make_arm("irb120", None, "ready")
    moves = square(arm, find_speed("v200"))
    start, end = arm.T_base_tool[:3, 3], np.array(moves[0].move.T_end)[:3, 3]  # type: ignore[union-attr]
    for asked in moves:
        arm.queue.add(asked)
    trace = Trace(arm)
    trace.until(lambda: len(trace.rows) > 2 and trace.tool_speed[-1] > 0.19)
    arm.queue.clear()
    trace.until(lambda: arm.still)
    assert off_line(trace.xyz, start, end).max() < 1e-4
    q = trace.q[0]
    arm.queue.add(PathMove(MoveJoint(q)))
    trace.until_done()
    assert arm.plant.q == pytest.approx(q, abs=2e-3)


def test_dense_points_keep_their_speed():
    arm = make_arm("irb120", None, "ready")
    T, speed, step = arm.T_base_tool, find_speed("v200"), 0.004
    for n in range(1, 41):
        # A gentle wave of short lines, as from a file of points.
        T_next = translation(0.0, step * n, 0.002 * math.sin(0.2 * n)) @ T
        zone = find_zone("fine") if n == 40 else find_zone("z1")
        arm.queue.add(PathMove(MoveLine(T_next, speed=speed, zone=zone)))
    trace = Trace(arm)
    trace.until_done()
    assert arm.queue.missed == 0
    cruising = trace.tool_speed[len(trace.rows) // 4 : -len(trace.rows) // 4]
    assert cruising.min() > 0.15


@pytest.mark.parametrize(("robot", "name", "posture"), ARMS)
def test_streamed_joints_are_followed_by_their_look_ahead(robot: str, name: str | None, posture: str):
    arm = make_arm(robot, name, posture)
    q, claim = arm.plant.q.copy(), arm.mover.claim()
    assert claim is not None
    trace, ahead_s = Trace(arm), 0.06
    sent = []
    for n in range(500):
        wanted = q.copy()
        wanted[0] += 0.3 * (1.0 - math.cos(2.0 * n * TICK_S)) / 2.0
        sent.append(wanted)
        arm.mover.servo(wanted, ahead_s, 600.0)
        arm.mover.feed()
        trace.tick()
    late = np.interp(np.arange(300, 480) * TICK_S - ahead_s - 0.008, np.arange(500) * TICK_S, np.array(sent)[:, 0])
    assert np.abs(trace.q[300:480, 0] - late).max() < 2e-3
    # What nobody feeds any more comes to rest by itself.
    arm.mover.release(claim)
    trace.until(lambda: arm.still, 100)


@pytest.mark.parametrize(("robot", "name", "posture"), ARMS)
def test_streamed_poses_become_joints_near_the_arm(robot: str, name: str | None, posture: str):
    arm = make_arm(robot, name, posture)
    arm.set_tool(translation(0.0, 0.0, 0.12))
    T = translation(0.01, -0.02, 0.015) @ arm.T_base_tool
    q = arm.joints_near(T)
    assert q is not None
    assert np.abs(arm.model.arm.fk(q) @ arm.T_flange_tool - T).max() < 1e-8
    assert np.abs(q - arm.plant.q).max() < 0.2
    assert arm.joints_near(translation(3.0, 0.0, 0.0) @ T) is None


def test_a_joint_that_is_steered_into_its_limit_is_told_in_time():
    arm = make_arm("irb120", None, "ready")
    claim = arm.mover.claim()
    assert claim is not None
    qd = np.array([math.radians(200.0), 0, 0, 0, 0, 0])
    trace = Trace(arm)
    while arm.mover.limit_joint < 0:
        arm.mover.joint_speed(qd, 10.0)
        arm.mover.feed()
        trace.tick()
    assert arm.mover.limit_joint == 0
    arm.mover.brake()
    arm.mover.feed()
    trace.until(lambda: arm.still)
    upper = math.radians(165.0)
    assert upper - 0.3 < trace.q[-1, 0] <= upper


def test_the_tool_cannot_change_inside_a_zone():
    arm = make_arm("irb120", None, "ready")
    for asked in square(arm, find_speed("v200"))[:2]:
        arm.queue.add(asked)
    trace = Trace(arm)
    trace.tick(3)
    with pytest.raises(InputError, match="zone"):
        arm.set_tool(translation(0.0, 0.0, 0.1))


def test_what_is_no_limit_is_refused():
    move = MoveJoint(np.zeros(6))
    with pytest.raises(InputError, match="tool_acceleration"):
        PathMove(move, tool_acceleration=0.0)
    with pytest.raises(InputError, match="acceleration_fraction"):
        PathMove(move, acceleration_fraction=1.5)
    with pytest.raises(InputError, match="duration_s"):
        PathMove(move, duration_s=math.inf)
    with pytest.raises(InputError, match="Axis 1"):
        VirtualArm(arm_model(load("irb120")), [3.0, 0, 0, 0, 0, 0], tick_s=TICK_S)
