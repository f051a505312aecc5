"""Joints to measure with: random ones, and ones at a given distance from a singularity."""

import math

import numpy as np

from openpendant.kinematics import Arm, Chain


def random_joints(chain: Chain, count: int, seed: int) -> np.ndarray:
    """Return (count, n) joints spread evenly over the limits, one turn at most."""
    low, high = np.maximum(chain.lower, -math.pi), np.minimum(chain.upper, math.pi)
    return np.random.default_rng(seed).uniform(low, high, (count, chain.dof))


def near_singular(arm: Arm, kind: str, off: float, count: int, seed: int) -> np.ndarray:
    """Return (count, n) joints at `off` (radians; metres for the shoulder) from one kind of singularity."""
    found: list[np.ndarray] = []
    for q in random_joints(arm.chain, 20 * count, seed):
        moved = _over_axis_1(arm, q, off) if kind == "shoulder" else _in_line(arm, kind, q, off)
        if moved is not None and (moved >= arm.limits_lower).all() and (moved <= arm.limits_upper).all():
            found.append(moved)
        if len(found) == count:
            break
    return np.array(found)


def _distance(arm: Arm, kind: str, q: np.ndarray) -> float:
    return next(singular.distance for singular in arm.solver.singular_distances(q) if singular.name == kind)


def _in_line(arm: Arm, kind: str, q: np.ndarray, off: float) -> np.ndarray | None:
    joint = int(arm.chain.order[4 if kind == "wrist" else 2])
    here = _distance(arm, kind, q)
    probe = q.copy()
    probe[joint] += 1e-4
    closer = _distance(arm, kind, probe) < here
    moved = q.copy()
    moved[joint] += (here if closer else -here) + off
    return moved


def _over_axis_1(arm: Arm, q: np.ndarray, off: float) -> np.ndarray | None:
    joint = int(arm.chain.order[1])
    moved = q.copy()

    def radius(angle: float) -> float:
        moved[joint] = angle
        return _distance(arm, "shoulder", moved)

    grid = np.linspace(max(arm.limits_lower[joint], -math.pi), min(arm.limits_upper[joint], math.pi), 60)
    at = int(np.argmin([radius(angle) for angle in grid]))
    if not 0 < at < len(grid) - 1:
        return None
    low, high = grid[at - 1], grid[at + 1]
    for _ in range(100):
        a, b = low + (high - low) / 3.0, high - (high - low) / 3.0
        low, high = (low, b) if radius(a) < radius(b) else (a, high)
    zero = 0.5 * (low + high)
    if radius(zero) > 1e-7:
        return None
    low, high = zero, zero + 0.05
    if off > 0.0 and radius(high) > off:
        for _ in range(80):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if radius(middle) < off else (low, middle)
    moved[joint] = low if off > 0.0 else zero
    return moved
