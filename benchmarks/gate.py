"""What a setpoint costs in the gate, among 200 obstacles: python -m benchmarks.gate

Microseconds of processor time for one setpoint of each arm of the catalogue, as percentiles. 'free': the arm swings
where nothing is near; 'near': setpoints push it towards what stands nearest, at the edge of what the look-ahead allows;
'path': rows of a checked path. All rules are on: lease, freshness, limits, tool speed, distance, own links.
"""

import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "scene"))

from cells import random_objects  # noqa: E402

from openpendant import robots  # noqa: E402
from openpendant.gate import Allowed, CellSurroundings, Gate, Setpoint, facts_in_cell  # noqa: E402
from openpendant.motion import MoveJoint, Trajectory, joint_limits, plan  # noqa: E402
from openpendant.scene import Cell, CellRobot, CollisionWorld, Scene  # noqa: E402

OBSTACLES = 200
TICK_NS = 2_000_000
CALLS = 1500
GOAL_US = 300.0


def main() -> None:
    print(__doc__)
    print(f"{'arm':>14} {'way':>6} {'p50':>8} {'p99':>8} {'most':>8}   goal: p99 under {GOAL_US:g} µs")
    good = True
    for name in robots.names():
        for arm in robots.load(name).arms:
            for way in ("free", "near", "path"):
                # The same setpoints three times over: what other processes take from one run they do not from all.
                times = np.minimum.reduce([measure(name, arm, way) for _ in range(3)])
                p50, p99, most = (float(np.percentile(times, p)) for p in (50, 99, 100))
                good &= p99 < GOAL_US
                mark = "ok" if p99 < GOAL_US else "MISSED"
                print(f"{name + '/' + arm:>14} {way:>6} {p50:8.1f} {p99:8.1f} {most:8.1f}   {mark}")
    print("all goals met" if good else "goals missed")


def measure(name: str, arm: str, way: str) -> np.ndarray:
    rng = np.random.default_rng(4)
    cell = Cell(name="bench", robots=(CellRobot(name="r", model=name),), objects=random_objects(rng, OBSTACLES))
    world = CollisionWorld(Scene(cell))
    key = f"r/{arm}"
    q = free_start(world, key, rng)
    gate = Gate({arm: facts_in_cell(world, key)}, TICK_NS, surroundings=CellSurroundings(world, "r"))
    gate.grant("bench", clock_offset_ns=0)
    gate.reduced = way != "path"
    ahead = path_rows(world, key, q) if way == "path" else None
    now, times, v, start_q = 0, [], np.zeros(len(q)), q
    gate.clutch_in("bench", arm, q)
    at = 0
    for k in range(CALLS + 50):
        if k % 200 == 0:
            v = rng.normal(size=len(q)) if way == "near" else v
        if way == "free":
            wanted = start_q + 0.05 * (1.0 - np.cos(k * 0.004)) * np.sign(np.sin(np.arange(len(q)) + 0.5))
        elif way == "near":
            wanted = q + 0.1 * v / np.abs(v).max()
        else:
            assert ahead is not None
            if at == len(ahead):
                gate.stop()
                while not gate.at_rest(arm):
                    gate.tick(arm, None, now)
                ahead, at = ahead[::-1], 0
                gate.clutch_in("bench", arm, q)
            wanted = ahead[at]
        now += TICK_NS
        rows = None if ahead is None else ahead[at + 1 :]
        setpoint = Setpoint("bench", arm, wanted, now, ahead=rows)
        start = time.thread_time_ns()
        answer = gate.pass_setpoint(setpoint, q, now, measured_ns=now)
        took = time.thread_time_ns() - start
        assert isinstance(answer, Allowed), answer
        q, at = answer.q, at + 1
        if k >= 50:
            times.append(took / 1000.0)
    return np.array(times)


def free_start(world: CollisionWorld, key: str, rng: np.random.Generator) -> np.ndarray:
    arm = world.scene.arm(key)
    q = arm.q_start
    lower, upper = arm.kinematics.limits_lower, arm.kinematics.limits_upper
    while world.collides({key: q}) is not None or world.distance({key: q}).distance_m < 0.02:
        q = np.clip(arm.q_start + rng.normal(size=len(q)) * 0.4, lower, upper)
    return q


def path_rows(world: CollisionWorld, key: str, q: np.ndarray) -> np.ndarray:
    placed = world.scene.arm(key)
    limits = joint_limits(placed.model, placed.arm)
    for size in (0.5, 0.3, 0.2, 0.1, 0.05, 0.02):
        for seed in range(40):
            aim = np.clip(q + np.random.default_rng(seed).normal(size=len(q)) * size, limits.lower, limits.upper)
            planned = plan(placed.kinematics, limits, q, [MoveJoint(aim)])
            if isinstance(planned, Trajectory):
                rows = planned.samples_at(np.arange(1, int(planned.duration / 0.002) + 2) * 0.002).q
                if not world.touches_many(rows, key).any():
                    return rows
    raise RuntimeError(f"no free path for {key}")


if __name__ == "__main__":
    main()
