"""The servo slides along what is in the way, and never into it."""

import numpy as np
import pytest

from openpendant import robots
from openpendant.controllers import stop_time_s
from openpendant.messages import JointIntent, Pose, TwistIntent
from openpendant.motion import joint_limits
from openpendant.scene import BoxShape, Cell, CellObject, CellRobot, CollisionWorld, Scene
from openpendant.servo import Servo, obstacle_query

DT = 0.004
GAP_KEPT_M = 0.0015
"""So far an arm may come into its gap of 10 mm: joints brake with motion limits, and jerk makes them late."""


def at(x: float, y: float, z: float) -> Pose:
    return Pose(xyz=(x, y, z), wxyz=(1.0, 0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def world() -> CollisionWorld:
    table = CellObject(name="table", pose=at(0.5, 0.0, 0.05), shape=BoxShape(size=(0.6, 1.2, 0.1)))
    post = CellObject(name="post", pose=at(0.25, 0.35, 0.5), shape=BoxShape(size=(0.1, 0.1, 1.0)), margin_m=0.02)
    return CollisionWorld(
        Scene(Cell(name="c", robots=[CellRobot(name="r", model="irb120", pose=at(0, 0, 0))], objects=[table, post]))
    )


@pytest.fixture
def servo(world: CollisionWorld) -> Servo:
    placed = world.scene.arm(None)
    made = Servo(
        placed.kinematics,
        joint_limits(placed.model),
        DT,
        T_flange_tool=placed.T_flange_tcp,
        T_world_base=placed.T_world_base,
    )
    made.reset(placed.q_start)
    return made


def drive(world: CollisionWorld, servo: Servo, make, seconds: float, start: float = 0.0):
    query, key = obstacle_query(world), world.arms[0]
    nearest, why, T = np.inf, set(), [servo.T_world_tool]
    for tick in range(int(seconds / DT)):
        now = 1 + int((start + tick * DT) * 1e9)
        servo.accept(make(now), now)
        step = servo.step(now, query(servo.q))
        why |= set(step.why)
        T.append(servo.T_world_tool)
        if tick % 5 == 0:
            near = world.distance({key: step.q})
            nearest = min(nearest, near.distance_m - near.margin_m)
    return nearest, why, np.array(T)


def test_the_tool_slides_along_the_table(world: CollisionWorld, servo: Servo):
    def push(now: int) -> TwistIntent:
        return TwistIntent(source="a", stamp_ns=now, linear=(0.0, -0.1, -0.3))

    nearest, why, T = drive(world, servo, push, 2.5)
    assert nearest > 0.008
    assert "near table" in why
    sliding = T[-250:]
    assert np.diff(sliding[:, 1, 3]).mean() / DT < -0.08, "it goes on along the table"
    assert np.ptp(sliding[:, 2, 3]) < 0.003
    _, _, T = drive(world, servo, lambda now: TwistIntent(source="a", stamp_ns=now, linear=(0.0, 0.0, 0.2)), 0.5, 3.0)
    assert T[-1][2, 3] - T[0][2, 3] > 0.05, "and leaves it when asked"


@pytest.mark.parametrize("speed_m_s", [0.1, 0.25, 0.4])
def test_it_goes_as_near_as_its_stop_allows(world: CollisionWorld, servo: Servo, speed_m_s: float):
    """While it slows down, the way to its gap is enough for a stop, and not more than the longest stop takes."""
    stop = servo.limits.stop
    longest_s = float((servo.limits.velocity / stop.deceleration + stop.rise_s).max())
    query, key, rooms, needs = obstacle_query(world), world.arms[0], [], []
    for tick in range(round(2.0 / DT)):
        now = 1 + round(tick * DT * 1e9)
        servo.accept(TwistIntent(source="a", stamp_ns=now, linear=(0.0, 0.0, -speed_m_s)), now)
        near = world.distance({key: servo.step(now, query(servo.q)).q})
        rooms.append(near.distance_m - near.margin_m - servo.settings.obstacle_gap)
        needs.append(0.5 * stop_time_s(servo.qd, stop.deceleration, stop.jerk))
    room = np.array(rooms)
    speed = -np.gradient(room, DT)
    fastest = int(speed.argmax())
    assert speed[fastest] > 0.95 * speed_m_s
    braking = np.flatnonzero((speed > 0.3 * speed_m_s) & (speed < 0.8 * speed_m_s) & (np.arange(len(speed)) > fastest))
    left_s = room[braking] / speed[braking]
    assert left_s.max() <= longest_s + 2.0 * DT
    assert (left_s >= np.array(needs)[braking]).all()
    assert room.min() > -GAP_KEPT_M


def test_joint_jog_stops_before_the_post(world: CollisionWorld, servo: Servo):
    def jog(now: int) -> JointIntent:
        return JointIntent(source="a", stamp_ns=now, velocity=(1.5, 0.0, 0.0, 0.0, 0.0, 0.0))

    nearest, why, _ = drive(world, servo, jog, 2.0)
    assert nearest > 0.0
    assert "near post" in why


def test_random_pushes_never_touch(world: CollisionWorld, servo: Servo):
    rng = np.random.default_rng(4)
    for k in range(8):
        x, y, z, a, b, c = (float(v) for v in rng.normal(size=6) * [0.5, 0.5, 0.5, 1.0, 1.0, 1.0])

        def push(now: int, v=(x, y, z), w=(a, b, c)) -> TwistIntent:
            return TwistIntent(source="a", stamp_ns=now, linear=v, angular=w)

        nearest, _, _ = drive(world, servo, push, 1.0, 2.0 * k)
        assert nearest > 0.0, (k, x, y, z)


def test_what_is_around_agrees_with_the_nearest_pair(world: CollisionWorld):
    rng = np.random.default_rng(0)
    look, key = world.surroundings(within=0.5), world.arms[0]
    lower, upper = world.scene.arm(None).kinematics.limits_lower, world.scene.arm(None).kinematics.limits_upper
    for _ in range(40):
        q = rng.uniform(lower, upper) * 0.7
        rows, names = look(q)
        near = world.distance({key: q}, within=0.5)
        if not np.isfinite(near.distance_m):
            assert len(rows) == 0
            continue
        found = {name: row for row, name in zip(rows[::-1], names[::-1], strict=True)}
        row = found[near.b]
        assert row[0] + near.margin_m == pytest.approx(max(near.distance_m, 0.0), abs=1e-6) or near.distance_m <= 0.0
        if near.distance_m > 1e-6:
            assert np.linalg.norm(row[4:7]) == pytest.approx(1.0)
            assert row[1:4] - (row[0] + near.margin_m) * row[4:7] == pytest.approx(near.point_b, abs=1e-4)


def test_the_catalogue_is_what_the_servo_serves():
    assert {"irb120", "rx90l", "ur3e", "yumi"} <= set(robots.names())
