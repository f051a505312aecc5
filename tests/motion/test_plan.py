"""Plans of small programs: what they tell about themselves, corners, odd programs, bad input."""

import math
from itertools import pairwise

import numpy as np
import pytest
from motion_programs import arm_and_limits, worst_differences

from openpendant import robots
from openpendant.errors import InputError
from openpendant.motion import (
    FINE,
    JointLimits,
    MoveArc,
    MoveJoint,
    MoveLine,
    StopLimits,
    Trajectory,
    assumed_stop,
    compile_kernels,
    find_speed,
    find_zone,
    joint_limits,
    plan,
)
from openpendant.spatial import make_transform, rotation_z, translation

CORNERS = [(0.0, 0.2, 0.0), (0.0, 0.2, -0.15), (0.0, -0.2, -0.15), (0.0, -0.2, 0.0), (0.0, 0.0, 0.0)]


def rectangle(zone, speed="v1000"):
    arm, limits, home = arm_and_limits("irb120")
    T = arm.fk(home)
    moves = [MoveLine(translation(*p) @ T, find_speed(speed), find_zone(zone)) for p in CORNERS]
    return plan(arm, limits, home, moves)


def test_larger_zones_are_faster_than_stops():
    durations = {zone: rectangle(zone).duration for zone in ("fine", "z50", "z100")}
    assert durations["z100"] < durations["z50"] < durations["fine"]
    assert durations["z50"] < 0.9 * durations["fine"]


def test_zones_are_cut_to_half_of_a_short_move():
    trajectory = rectangle("z200")
    assert [corner.cut for corner in trajectory.corners] == [True] * 4
    assert trajectory.corners[0].reached_m == pytest.approx(0.075, rel=0.03)
    assert not any(corner.cut for corner in rectangle("z50").corners)
    assert rectangle("z50").corners[0].reached_m == pytest.approx(0.05, abs=1e-9)


def test_spans_follow_each_other():
    trajectory = rectangle("z50")
    assert [span.move for span in trajectory.spans] == [0, 1, 2, 3, 4]
    assert trajectory.spans[0].start_s == 0.0
    assert trajectory.spans[-1].end_s == pytest.approx(trajectory.duration)
    for one, after in pairwise(trajectory.spans):
        assert one.end_s == after.start_s
        assert one.corner.enter_s < one.end_s < one.corner.leave_s
        assert trajectory.move_at(0.5 * (one.start_s + one.end_s)) == one.move
    assert trajectory.spans[-1].corner is None
    Q, owner = trajectory.path()
    assert len(Q) == len(owner) + 1


def test_turning_back_on_the_spot_is_a_stop():
    arm, limits, home = arm_and_limits("irb120")
    T = arm.fk(home)
    there = MoveLine(translation(0.0, 0.1, 0.0) @ T, zone=find_zone("z10"))
    trajectory = plan(arm, limits, home, [there, MoveLine(T)])
    assert [corner.space for corner in trajectory.corners] == ["stop"]
    joint = plan(arm, limits, home, [MoveJoint(home + 0.1, zone=find_zone("z10")), MoveJoint(home)])
    assert [corner.space for corner in joint.corners] == ["stop"]


def test_a_move_to_where_it_is_takes_no_time_and_makes_the_stop_it_asks_for():
    arm, limits, home = arm_and_limits("irb120")
    T = arm.fk(home)
    first = MoveLine(translation(0.0, 0.1, 0.0) @ T, zone=find_zone("z10"))
    again = MoveLine(first.T_end, zone=FINE)
    last = MoveLine(translation(0.05, 0.1, 0.0) @ T)
    trajectory = plan(arm, limits, home, [first, again, last])
    assert trajectory.spans[1].duration_s == 0.0
    assert trajectory.corners == ()
    still = plan(arm, limits, home, [MoveJoint(home), MoveLine(T)])
    assert still.duration == 0.0
    assert np.array_equal(still.at(0.0).q, home)
    assert still.sample(0.01).q.shape == (1, 6)


@pytest.mark.parametrize("orientation", ["base", "path"])
def test_an_arc_carries_the_tool_round_or_not(orientation):
    arm, limits, home = arm_and_limits("ur3e")
    T = arm.fk(home)
    radius = 0.05
    turn = make_transform(rotation_z(0.5 * math.pi))
    centre = T[:3, 3] - np.array([radius, 0.0, 0.0])
    via, end = T.copy(), T.copy()
    via[:3, 3] = centre + radius * np.array([math.sqrt(0.5), math.sqrt(0.5), 0.0])
    end[:3, 3] = centre + np.array([0.0, radius, 0.0])
    if orientation == "path":
        end[:3, :3] = turn[:3, :3] @ T[:3, :3]
    trajectory = plan(arm, limits, home, [MoveArc(via, end, orientation=orientation)])
    assert isinstance(trajectory, Trajectory)
    poses = arm.fk(trajectory.sample(0.002).q)
    out = poses[:, :3, 3] - centre
    assert np.abs(np.linalg.norm(out, axis=1) - radius).max() < 1e-6
    assert np.abs(poses[-1] - end).max() < 1e-9
    if orientation == "base":
        assert np.abs(poses[:, :3, :3] - T[:3, :3]).max() < 1e-6
    else:
        seen = np.einsum("nij,ni->nj", poses[:, :3, :3], out / radius)
        assert np.abs(seen - seen[0]).max() < 1e-5


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_half_circle_does_not_turn_a_tool_that_keeps_its_orientation(side):
    """Carried along the circle by 180° and turned back by 180°: that may not become a whole turn by rounding."""
    arm, limits, home = arm_and_limits("ur3e")
    rng = np.random.default_rng(4)
    for off_m in (1e-6, 1e-3):
        for _ in range(30):
            # What a person taught: about half a circle, read from encoders.
            T, end = arm.fk(home), arm.fk(home + 1e-5 * rng.normal(size=6))
            via = translation(0.04, 0.04 * side, 0.0) @ T
            end = translation(0.0, 0.08 * side, 0.0) @ end
            via[:3, 3] += off_m * rng.uniform(-1.0, 1.0, 3)
            end[:3, 3] += off_m * rng.uniform(-1.0, 1.0, 3)
            trajectory = plan(arm, limits, home, [MoveArc(via, end)])
            assert isinstance(trajectory, Trajectory)
            R = arm.fk(trajectory.sample(0.01).q)[:, :3, :3]
            turned = np.arccos(np.clip((np.einsum("nij,ij->n", R, T[:3, :3]) - 1.0) / 2.0, -1.0, 1.0))
            # The circle is tilted by what the points are off, and the tool with it.
            assert turned.max() < 2.0 * off_m / 0.04 + 1e-3


@pytest.mark.parametrize("arm_name", ["left", "right"])
def test_a_redundant_arm_moves_on_lines(arm_name):
    robot = robots.load("yumi")
    arm, limits, home = robot.arm(arm_name), joint_limits(robot, arm_name), robot.posture(arm=arm_name)
    T = arm.fk(home)
    zone = find_zone("z10")
    moves = [
        MoveLine(translation(0.0, 0.0, 0.05) @ T, find_speed("v200"), zone),
        MoveLine(translation(0.05, 0.0, 0.05) @ T, find_speed("v200"), zone),
        MoveJoint(home + 0.05, zone=zone),
        MoveLine(T, find_speed("v200")),
    ]
    trajectory = plan(arm, limits, home, moves)
    assert isinstance(trajectory, Trajectory)
    assert max(worst_differences(trajectory)) <= 1.0 + 1e-9
    assert [corner.space for corner in trajectory.corners] == ["joint"] * 3
    line = trajectory.samples_at(np.linspace(0.0, trajectory.corners[0].enter_s, 40)).q
    assert np.abs(arm.fk(line)[:, :2, 3] - T[:2, 3]).max() < 1e-6
    assert np.abs(arm.fk(trajectory.q_end) - T).max() < 1e-9
    assert trajectory.duration < 3.0


def test_a_redundant_arm_brings_its_redundancy_joint_where_it_is_told():
    robot = robots.load("yumi")
    arm, limits = robot.arm("left"), joint_limits(robot, "left")
    start = np.radians([20.0, -80.0, 30.0, 60.0, 40.0, 30.0, 100.0])
    goal = float(start[arm.redundancy]) + 0.1
    line = MoveLine(translation(0.0, 0.0, 0.03) @ arm.fk(start), redundancy=goal)
    trajectory = plan(arm, limits, start, [line])
    assert isinstance(trajectory, Trajectory)
    assert trajectory.q_end[arm.redundancy] == pytest.approx(goal, abs=1e-9)
    assert np.abs(arm.fk(trajectory.sample(0.002).q)[:, :2, 3] - arm.fk(start)[:2, 3]).max() < 1e-6


def test_limits_come_from_the_facts():
    limits = joint_limits(robots.load("irb120"))
    assert math.degrees(limits.velocity[0]) == pytest.approx(250.0)
    assert math.degrees(limits.acceleration[5]) == pytest.approx(1680.0)
    assert np.allclose(limits.jerk, 20.0 * limits.acceleration)
    assert limits.scaled(jerk=math.inf).jerk[0] == math.inf
    assert (limits.scaled(acceleration=3.0).stop.deceleration >= 3.0 * limits.acceleration).all()


def test_stops_are_no_shorter_than_the_maker_of_the_ur3_publishes():
    """UR3/CB3 manual, stop category 0, 183°/s, full reach and load: radians and seconds of base, shoulder, elbow."""
    stop = joint_limits(robots.load("ur3e")).stop
    v = math.radians(183.0)
    for i, (far, long) in enumerate(((0.18, 0.159), (0.20, 0.154), (0.15, 0.092))):
        seconds = v / stop.deceleration[i] + stop.rise_s[i]
        assert seconds >= long
        assert 0.5 * v * seconds >= far


@pytest.mark.parametrize("name", robots.names())
def test_every_arm_can_stop_harder_than_it_moves(name: str):
    robot = robots.load(name)
    for arm in robot.arms:
        limits = joint_limits(robot, arm)
        assert (limits.stop.deceleration >= 1.25 * limits.acceleration).all()
        assert (limits.stop.rise_s <= 0.02).all()


def test_bad_limits_are_refused():
    good = joint_limits(robots.load("irb120"))
    with pytest.raises(InputError, match="velocity"):
        JointLimits(good.lower, good.upper, good.velocity * 0.0, good.acceleration, good.jerk, good.stop)
    with pytest.raises(InputError, match="lower"):
        JointLimits(good.upper, good.lower, good.velocity, good.acceleration, good.jerk, good.stop)
    with pytest.raises(InputError, match="stops decelerate"):
        JointLimits(
            good.lower, good.upper, good.velocity, good.acceleration, good.jerk, assumed_stop(0.5 * good.acceleration)
        )
    with pytest.raises(InputError, match="rise_s"):
        StopLimits(good.stop.deceleration, 0.0 * good.stop.rise_s)
    with pytest.raises(InputError, match="one number"):
        JointLimits(good.lower, good.upper, good.velocity[:3], good.acceleration, good.jerk, good.stop)


def test_bad_plans_are_refused():
    arm, limits, home = arm_and_limits("irb120")
    with pytest.raises(InputError, match="at least one"):
        plan(arm, limits, home, [])
    with pytest.raises(InputError, match="7 joints"):
        plan(
            arm,
            JointLimits(
                *(np.append(getattr(limits, n), 1.0) for n in ("lower", "upper", "velocity", "acceleration", "jerk")),
                assumed_stop(np.append(limits.acceleration, 1.0)),
            ),
            home,
            [MoveJoint(home)],
        )
    with pytest.raises(InputError, match="q_end"):
        plan(arm, limits, home, [MoveJoint(home[:5])])
    with pytest.raises(InputError, match="allowed"):
        plan(arm, limits, home, [MoveJoint(home + 10.0)])
    with pytest.raises(InputError):
        MoveJoint([0.0, math.nan])
    with pytest.raises(InputError, match="orthonormal"):
        MoveLine(np.diag([2.0, 1.0, 1.0, 1.0]))
    with pytest.raises(InputError, match="orientation"):
        MoveArc(np.eye(4), np.eye(4), orientation="tool")


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan])
def test_bad_sampling_is_refused(bad):
    trajectory = rectangle("fine")
    with pytest.raises(InputError):
        trajectory.sample(bad)
    with pytest.raises(InputError):
        trajectory.slow_down(bad)
    with pytest.raises(InputError):
        trajectory.at(math.nan)


def test_before_and_after_it_rests():
    trajectory = rectangle("z50")
    for t in (-1.0, trajectory.duration + 1.0):
        _, qd, qdd = trajectory.at(t)
        assert not qd.any()
        assert not qdd.any()


@pytest.mark.parametrize("name", robots.names())
def test_every_arm_of_the_catalogue_can_be_warmed_up_and_moved(name):
    robot = robots.load(name)
    for arm_name, arm in robot.arms.items():
        limits = joint_limits(robot, arm_name)
        compile_kernels(arm, limits)
        home = robot.posture(arm=arm_name)
        trajectory = plan(arm, limits, home, [MoveJoint(np.clip(home + 0.1, arm.limits_lower, arm.limits_upper))])
        assert max(worst_differences(trajectory)) <= 1.0 + 1e-9
