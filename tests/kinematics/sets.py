"""Sets of joints to test with: random, singular, at the limits."""

import math
from collections.abc import Callable

import arms
import numpy as np

from openpendant.kinematics import Chain, forward


def random_joints(chain: Chain, count: int, seed: int) -> np.ndarray:
    """Return (count, n) joints spread evenly over the limits (one turn where there are none)."""
    low = np.where(np.isfinite(chain.lower), chain.lower, -math.pi)
    high = np.where(np.isfinite(chain.upper), chain.upper, math.pi)
    return np.random.default_rng(seed).uniform(low, high, (count, chain.dof))


def at_limits(chain: Chain, count: int, seed: int) -> np.ndarray:
    """Return random joints of which one, at times two, are exactly at a limit; each limit gets its turn."""
    rng = np.random.default_rng(seed)
    joints = random_joints(chain, count, seed)
    limits = [
        (j, limit) for j in range(chain.dof) for limit in (chain.lower[j], chain.upper[j]) if math.isfinite(limit)
    ]
    for i, q in enumerate(joints):
        for j, limit in (limits[i % len(limits)], limits[rng.integers(len(limits))])[: rng.integers(1, 3)]:
            q[j] = limit
    return joints


def _wrist_radius(chain: Chain, q: np.ndarray, point: np.ndarray) -> float:
    """Return the signed radius of a point of the flange in the arm's plane; zero is the shoulder singularity."""
    T = forward(chain, q)
    w = T[:3, :3] @ point + T[:3, 3]
    return math.cos(q[0]) * w[0] + math.sin(q[0]) * w[1]


def _put_over_axis_1(chain: Chain, q: np.ndarray, point: np.ndarray, off: float) -> bool:
    """Change q[1] so that the reach point is `off` from the shoulder singularity; return whether that is possible."""
    low, high = max(chain.lower[1], -math.pi), min(chain.upper[1], math.pi)
    grid = np.linspace(low, high, 73)
    values = []
    for value in grid:
        q[1] = value
        values.append(_wrist_radius(chain, q, point) - off)
    for a, b, at_a, at_b in zip(grid[:-1], grid[1:], values[:-1], values[1:], strict=True):
        if at_a * at_b < 0.0:
            for _ in range(80):
                q[1] = 0.5 * (a + b)
                if at_a * (_wrist_radius(chain, q, point) - off) > 0.0:
                    a = q[1]
                else:
                    b = q[1]
            return True
    return False


def _shoulder(chain: Chain, point: tuple[float, float, float]) -> Callable[[np.ndarray, float], bool]:
    return lambda q, off: _put_over_axis_1(chain, q, np.array(point), off)


def _joint(index: int, value: float) -> Callable[[np.ndarray, float], bool]:
    def put(q: np.ndarray, off: float) -> bool:
        q[index] = value + off
        return True

    return put


SINGULAR = {
    ("irb120", "wrist"): _joint(4, 0.0),
    # Stretched where joint 5 is in line with joints 2 and 3: the forearm is bent by atan(302 / 70) at zero.
    ("irb120", "elbow"): _joint(2, -math.atan2(302.0, 70.0)),
    ("irb120", "shoulder"): _shoulder(arms.IRB120, (0.0, 0.0, -0.072)),
    ("rx90l", "wrist"): _joint(4, 0.0),
    ("rx90l", "elbow"): _joint(2, math.pi / 2),
    ("rx90l", "shoulder"): _shoulder(arms.RX90L, (0.0, 0.0, -0.085)),
    ("ur3e", "wrist"): _joint(4, 0.0),
    ("ur3e", "wrist turned"): _joint(4, math.pi),
    ("ur3e", "elbow"): _joint(2, 0.0),
    ("ur3e", "elbow folded"): _joint(2, math.pi),
    ("ur3e", "shoulder"): _shoulder(arms.UR3E, (0.0, 0.0, -0.0921)),
}
"""(arm, kind) → a function that moves q to `off` from that singularity."""


def near_singular(arm: str, kind: str, off: float, count: int, seed: int) -> np.ndarray:
    """Return (count, 6) joints `off` (radians, for shoulders metres) from a singularity, inside the limits."""
    chain = arms.ALL[arm]
    put = SINGULAR[arm, kind]
    found = []
    for q in random_joints(chain, 4 * count, seed):
        if put(q, off) and (q >= chain.lower).all() and (q <= chain.upper).all():
            found.append(q)
        if len(found) == count:
            break
    assert len(found) == count, f"only {len(found)} of {count} joints for {arm} {kind}"
    return np.array(found)
