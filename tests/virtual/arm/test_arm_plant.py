"""Drives, brakes, encoders and soft joints of a virtual arm."""

import math

import numpy as np
import pytest
from virtual_arms import TICK_S, Trace, make_arm

from openpendant.motion import MoveJoint, find_speed
from openpendant.robots import Robot, load
from openpendant.virtual.arm import PathMove, Tracking


def test_joints_are_late_by_what_the_drives_lack():
    tracking = Tracking(frequency_hz=15.0, damping=1.0, feed_forward=0.8, noise=0.0)
    arm = make_arm("irb120", None, "ready", tracking=tracking)
    way = np.array([2.4, 0, 0, 0, 0, 0])
    arm.queue.add(PathMove(MoveJoint(arm.plant.q + way)))
    trace, late = Trace(arm), []
    while arm.queue.ahead:
        trace.tick()
        late.append(arm.mover.target[0] - arm.plant.q[0])
    # 2ζ(1 - κ) / ω at constant speed.
    expected = 2.0 * (1.0 - 0.8) / (math.tau * 15.0) * math.radians(250.0)
    assert late[len(late) // 2] == pytest.approx(expected, rel=2e-3)
    trace.tick(100)
    assert arm.plant.q == pytest.approx(arm.mover.target, abs=1e-9)


def test_encoders_read_with_noise_and_the_same_for_a_seed():
    arms = [make_arm("yumi", "left", seed=seed, tracking=Tracking()) for seed in (1, 1, 2)]
    rows = []
    for _ in range(2000):
        for arm in arms:
            arm.tick()
        rows.append([arm.plant.measured[0] - arm.plant.q for arm in arms])
    noise = np.array(rows)
    assert noise[:, 0].std() == pytest.approx(1e-5, rel=0.05)
    assert (noise[:, 0] == noise[:, 1]).all()
    assert (noise[:, 0] != noise[:, 2]).any()


@pytest.mark.parametrize(("robot", "name"), [("irb120", None), ("yumi", "right")])
def test_brakes_stop_a_moving_arm_by_their_deceleration(robot: str, name: str | None):
    arm = make_arm(robot, name)
    arm.queue.add(PathMove(MoveJoint(arm.plant.q + np.eye(arm.model.dof)[0], speed=find_speed("50%"))))
    trace = Trace(arm)
    trace.tick(60)
    q, qd, brake = float(arm.plant.q[0]), float(arm.plant.qd[0]), float(arm.model.limits.stop.deceleration[0])
    assert qd > 0.9 * 0.5 * arm.model.limits.velocity[0]
    arm.close_brakes()
    ticks = 0
    while arm.plant.qd[0]:
        arm.tick()
        ticks += 1
    assert ticks * TICK_S == pytest.approx(qd / brake, abs=2 * TICK_S)
    assert float(arm.plant.q[0]) - q == pytest.approx(qd * qd / (2.0 * brake), rel=0.02)
    held = arm.plant.q.copy()
    for _ in range(50):
        arm.tick()
    assert (arm.plant.q == held).all()
    assert arm.queue.ahead == 0
    # The drives take over where the brakes hold, without a jolt.
    arm.release_brakes()
    for _ in range(50):
        arm.tick()
        assert arm.plant.q == pytest.approx(held, abs=1e-12)


def test_soft_joints_swing_and_hang_through():
    soft = Tracking(noise=0.0, elastic_hz=8.0, elastic_damping=0.05, sag_rad_per_nm=1e-4)
    arm = make_arm("irb120", None, "ready", tracking=soft)
    trace = Trace(arm)
    trace.tick(1000)
    expected = 1e-4 * held_moments(load("irb120"), arm.plant.q)
    assert arm.mover.target - arm.plant.q == pytest.approx(expected, abs=1e-6)
    arm.queue.add(PathMove(MoveJoint(arm.plant.q + np.eye(6)[0] * 0.5)))
    trace.until_done()
    swing = []
    for _ in range(250):
        arm.tick()
        swing.append(arm.plant.q[0] - arm.mover.target[0])
    crossings = np.flatnonzero(np.diff(np.sign(np.array(swing) - swing[-1])))
    assert np.diff(crossings).mean() * 2.0 * TICK_S == pytest.approx(1.0 / 8.0, rel=0.1)


@pytest.mark.parametrize(("robot", "name"), [("irb120", None), ("yumi", "left"), ("rx90l", None)])
def test_moments_are_the_slope_of_potential_energy(robot: str, name: str | None):
    arm, found = make_arm(robot, name), load(robot)
    moments = np.empty(arm.model.dof)
    arm.plant.write_moments(moments)
    assert moments == pytest.approx(held_moments(found, arm.plant.q, name), abs=1e-6)
    assert np.abs(moments).max() > 1.0
    arm.plant.payload[:] = 0.0
    arm.plant.gravity[:] = 0.0
    arm.plant.write_moments(moments)
    assert (moments == 0.0).all()


def held_moments(robot: Robot, q: np.ndarray, arm: str | None = None) -> np.ndarray:
    """Differentiate the potential energy of all links, as the tree of the robot places them."""
    facts, tool = robot.arm_facts(arm), robot.tool(arm)

    def energy(joints: np.ndarray) -> float:
        poses = robot.tree.poses(dict(zip(facts.joints, joints.tolist(), strict=True)))
        T_base = np.linalg.inv(poses[facts.base])
        total = 0.0
        for link in robot.facts.links:
            total += link.mass_kg * 9.80665 * float((T_base @ poses[link.name] @ [*link.com_m, 1.0])[2])
        if tool is not None:
            total += tool.mass_kg * 9.80665 * float((T_base @ poses[facts.flange] @ [*tool.com_m, 1.0])[2])
        return total

    step = 1e-5 * np.eye(len(q))
    return np.array([(energy(q + one) - energy(q - one)) / 2e-5 for one in step])
