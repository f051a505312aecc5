"""Motion against toppra and ruckig, in one run: `python -m benchmarks.motion`.

Every figure is the least of several runs, in time of the processor, all libraries warm, one thread.
"""

import math
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import ruckig
import toppra
from scipy.interpolate import CubicSpline

from openpendant import robots
from openpendant.motion import MoveJoint, MoveLine, Trajectory, find_speed, find_zone, joint_limits, plan, stop_along
from openpendant.motion.kernels.fastest import constraints, fastest
from openpendant.motion.timing import time_path
from openpendant.spatial import translation

ROBOT = robots.load("irb120")
ARM, LIMITS, HOME = ROBOT.arm(), joint_limits(ROBOT), ROBOT.posture()
CORNERS = [(0.0, 0.2, 0.0), (0.0, 0.2, -0.15), (0.0, -0.2, -0.15), (0.0, -0.2, 0.0), (0.0, 0.0, 0.0)]


def least_ms(call: Callable[[], object], runs: int = 15) -> float:
    call()
    best = math.inf
    for _ in range(runs):
        start = time.thread_time()
        call()
        best = min(best, time.thread_time() - start)
    return best * 1e3


def row(what: str, ours: str, other: str, goal: str, ok: bool | None) -> None:
    verdict = "" if ok is None else ("ok" if ok else "MISS")
    print(f"{what:<58}{ours:>14}{other:>26}{goal:>18}  {verdict}")


def spline_through(count: int) -> tuple[np.ndarray, np.ndarray, CubicSpline]:
    """Return knots, cells and the same curve for toppra, through random joints."""
    rng = np.random.default_rng(1)
    points = np.clip(HOME + rng.uniform(-0.6, 0.6, (count, 6)), ARM.limits_lower, ARM.limits_upper)
    s = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0) / LIMITS.velocity, axis=1)))
    curve = CubicSpline(s, points)
    fine = np.unique(np.concatenate([np.linspace(a, b, 11) for a, b in pairwise(s)]))
    cells = np.zeros((len(fine) - 1, 6, 6))
    for k in range(4):
        cells[:, k] = curve(fine[:-1], k) / math.factorial(k)
    return fine, cells, curve


def bench_path() -> None:
    s, cells, curve = spline_through(100)
    asked = np.full(len(s), math.inf)
    free = LIMITS.scaled(jerk=math.inf)
    velocity = toppra.constraint.JointVelocityConstraint(np.c_[-free.velocity, free.velocity])
    acceleration = toppra.constraint.JointAccelerationConstraint(np.c_[-free.acceleration, free.acceleration])
    path = toppra.SplineInterpolator(curve.x, curve(curve.x))

    def theirs(grid: np.ndarray | None) -> Any:
        solver = toppra.algorithm.TOPPRA(
            [velocity, acceleration],
            path,
            gridpoints=grid,
            solver_wrapper="seidel",
            parametrizer="ParametrizeConstAccel",
        )
        return solver.compute_trajectory(0, 0)

    def worst_of(trajectory: Any) -> float:
        t = np.arange(0.0, trajectory.duration, 0.001)
        return float((np.abs(trajectory(t, 2)) / free.acceleration).max())

    same_ms, auto_ms = least_ms(lambda: theirs(s), 5), least_ms(lambda: theirs(None), 3)
    same, auto = theirs(s), theirs(None)
    Q1, Q2 = curve(s, 1), curve(s, 2)
    cap = np.square(np.min(LIMITS.velocity / np.maximum(np.abs(Q1), 1e-12), axis=1))
    z, ends, share = np.empty(len(s)), np.zeros(2), np.ones(len(s))
    rows, steep, most = np.empty((len(s) - 1, 4, 6)), np.empty(len(s) - 1), np.array(LIMITS.acceleration)

    def pass_alone() -> None:
        constraints(s, Q1, Q2, most, rows, steep)
        fastest(rows, steep, share, cap, ends, z)

    kernel = least_ms(pass_alone)
    plain = least_ms(lambda: time_path(s, cells, asked, free))
    smooth = least_ms(lambda: time_path(s, cells, asked, LIMITS))
    ours_s = time_path(s, cells, asked, free).duration
    print(f"100 waypoints, {auto.duration:.1f} s of motion; toppra on our {len(s)} grid points accelerates")
    print(f"{worst_of(same):.2f} times the limit, on its own grid {worst_of(auto):.2f} times; ours never above 1")
    row(
        "  forward-backward pass alone, same grid",
        f"{kernel:.2f} ms",
        f"toppra {same_ms:.1f} ms",
        f"{same_ms / kernel:.0f}x, goal 10x",
        same_ms >= 10.0 * kernel,
    )
    for what, theirs_ms in (("same grid", same_ms), ("toppra's own grid", auto_ms)):
        row(
            f"  finished law, every limit re-checked; {what}",
            f"{plain:.2f} ms",
            f"toppra {theirs_ms:.1f} ms",
            f"{theirs_ms / plain:.0f}x, goal 10x",
            theirs_ms >= 10.0 * plain,
        )
    row("  the same with jerk limit", f"{smooth:.1f} ms", "toppra has none", f"{auto_ms / smooth:.1f}x", None)
    longer = 100.0 * (ours_s / auto.duration - 1.0)
    row(
        "  duration without jerk limit",
        f"{ours_s:.2f} s",
        f"toppra {auto.duration:.2f} s",
        f"{longer:+.1f} %, goal 5 %",
        longer <= 5.0,
    )


def bench_program() -> None:
    T = ARM.fk(HOME)
    print("four-corner MoveL program, 1.1 m, v1000: from targets to a checked trajectory")
    for zone in ("fine", "z10", "z50", "z200"):
        moves = [MoveLine(translation(*p) @ T, find_speed("v1000"), find_zone(zone)) for p in CORNERS]
        ms = least_ms(lambda moves=moves: plan(ARM, LIMITS, HOME, moves))
        found = plan(ARM, LIMITS, HOME, moves)
        assert isinstance(found, Trajectory)
        worst = max(found.worst_ratios())
        row(
            f"  {zone}: {found.duration:.2f} s, worst ratio to a limit {worst:.4f}",
            f"{ms:.2f} ms",
            "",
            "5 ms class (10)",
            ms <= 10.0,
        )
        if zone == "z50":
            stop = least_ms(lambda found=found: stop_along(found, 0.4 * found.duration))
            at = least_ms(lambda found=found: found.at(0.5), 200)
            row("  a stop along its path", f"{stop:.2f} ms", "", "", None)
            row("  one setpoint", f"{at * 1e3:.1f} us", "", "", None)


def bench_point_to_point() -> None:
    rng = np.random.default_rng(2)
    goal = np.clip(HOME + rng.uniform(-0.8, 0.8, 6), ARM.limits_lower, ARM.limits_upper)
    asked = ruckig.InputParameter(6)
    asked.current_position, asked.target_position = HOME.tolist(), goal.tolist()
    asked.max_velocity, asked.max_acceleration = LIMITS.velocity.tolist(), LIMITS.acceleration.tolist()
    asked.max_jerk = LIMITS.jerk.tolist()
    asked.synchronization = ruckig.Synchronization.Phase
    best, otg = ruckig.Trajectory(6), ruckig.Ruckig(6)
    theirs = least_ms(lambda: otg.calculate(asked, best), 200)
    ms = least_ms(lambda: plan(ARM, LIMITS, HOME, [MoveJoint(goal)]))
    found = plan(ARM, LIMITS, HOME, [MoveJoint(goal)])
    assert isinstance(found, Trajectory)
    longer = 100.0 * (found.duration / best.duration - 1.0)
    print("one joint move, jerk limited")
    row("  planning", f"{ms:.2f} ms", f"ruckig {theirs:.3f} ms", "", None)
    row(
        "  duration",
        f"{found.duration:.3f} s",
        f"ruckig {best.duration:.3f} s",
        f"{longer:+.2f} %, goal 1 %",
        longer <= 1.0,
    )


def main() -> None:
    toppra.setup_logging("ERROR")
    bench_path()
    bench_program()
    bench_point_to_point()


if __name__ == "__main__":
    main()
