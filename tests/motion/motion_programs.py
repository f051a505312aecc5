"""Random programs for the property tests: seeded, on three arms of different kinematics."""

import functools
import math

import numpy as np

from openpendant import robots
from openpendant.motion import (
    Blocked,
    MoveArc,
    MoveJoint,
    MoveLine,
    Speed,
    Trajectory,
    find_zone,
    joint_limits,
    plan,
)
from openpendant.spatial import matrix_from_rotation_vector, translation

ARMS = ("irb120", "ur3e", "rx90l")
ZONES = ("fine", "z0", "z1", "z5", "z10", "z20", "z50", "z100", "z200")
T_TOOL = translation(0.03, 0.0, 0.12)


@functools.cache
def arm_and_limits(name):
    robot = robots.load(name)
    return robot.arm(), joint_limits(robot), robot.posture()


def random_speed(rng):
    kind = rng.integers(4)
    if kind == 0:
        return Speed()
    if kind == 1:
        return Speed.from_mm_s(float(rng.choice([20.0, 100.0, 500.0, 2000.0])))
    if kind == 2:
        return Speed.from_percent(float(rng.choice([5.0, 30.0, 80.0])))
    return Speed(turn_rad_s=float(rng.choice([0.5, 2.0])))


def shift(T, rng, far, turn):
    T = T.copy()
    T[:3, 3] += rng.uniform(-far, far, 3)
    axis = rng.normal(size=3)
    T[:3, :3] = T[:3, :3] @ matrix_from_rotation_vector(axis / np.linalg.norm(axis) * rng.uniform(0.0, turn))
    return T


def random_moves(rng, arm, home, count, speed=None):
    """Return moves near the home posture; many of them can be made, some cannot."""
    moves = []
    q = home
    T = arm.fk(home) @ T_TOOL
    for _ in range(count):
        zone = find_zone(str(rng.choice(ZONES)))
        v = random_speed(rng) if speed is None else speed
        kind = rng.integers(5)
        far = float(rng.choice([0.002, 0.03, 0.1]))
        if kind < 2:
            q = np.clip(home + rng.uniform(-0.5, 0.5, arm.dof), arm.limits_lower, arm.limits_upper)
            moves.append(MoveJoint(q, v, zone))
            T = arm.fk(q) @ T_TOOL
        elif kind < 4:
            T = shift(T, rng, far, 0.5 * float(rng.integers(2)))
            moves.append(MoveLine(T, v, zone))
        else:
            T_via = shift(T, rng, far, 0.0)
            T = shift(T, rng, far, 0.3)
            moves.append(MoveArc(T_via, T, v, zone, str(rng.choice(["path", "base"]))))
    return moves


@functools.cache
def planned(name, seed, count=5):
    """Return moves and their trajectory; programs that cannot be made are left out."""
    arm, limits, home = arm_and_limits(name)
    rng = np.random.default_rng([ARMS.index(name), seed])
    moves = random_moves(rng, arm, home, count)
    found = plan(arm, limits, home, moves, T_TOOL)
    while isinstance(found, Blocked):
        moves = moves[: found.move] + random_moves(rng, arm, home, 1) + moves[found.move + 1 :]
        if not isinstance(moves[found.move], MoveJoint) and rng.random() < 0.5:
            moves[found.move] = MoveJoint(home + rng.uniform(-0.3, 0.3, arm.dof))
        found = plan(arm, limits, home, moves, T_TOOL)
    assert isinstance(found, Trajectory)
    return moves, found


def worst_differences(trajectory, dt=0.001):
    """Return the largest ratios of velocity, acceleration and jerk to their limits, by differences of q."""
    q = trajectory.sample(dt).q[:-1]
    limits = trajectory.limits
    ratios = []
    for order, limit in enumerate((limits.velocity, limits.acceleration, limits.jerk), 1):
        d = np.diff(q, n=order, axis=0) / dt**order
        ratios.append(float((np.abs(d) / limit).max()) if len(d) else 0.0)
    return ratios


def angle_between(R_a, R_b):
    chord = np.linalg.norm(R_a - R_b, axis=(-2, -1)) / math.sqrt(8.0)
    return 2.0 * np.arcsin(np.minimum(chord, 1.0))
