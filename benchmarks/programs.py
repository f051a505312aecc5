"""Whole checks of programs, measured: python -m benchmarks.programs

A program of 100 moves (joints and straight lines by turns, zones of 0 to 50 mm) among 20, 200 and 2,000 obstacles. Our
check plans and times every move, proves every configuration on the way, looks through the whole triangle of every
corner and finds the least distance. python-fcl is given the poses of the very same trajectory, one for every 10 ms, and
is asked for collisions (obstacles and own links) and for the least distance at a tenth of them, times ten; it plans
nothing, and what lies between two poses it does not see.

    check      check_program, all of it
    plan       of that, planning and timing (measured by itself)
    fcl touch  python-fcl, collisions at every pose
    fcl dist   python-fcl, distances
    ratio      (fcl touch + fcl dist) / check

All is processor time of one core, so that other work on the machine does not count.

Goals, at 200 obstacles: under 300 ms, and at least 2.5 times as fast as python-fcl, 5 times where all bodies are
primitives. Ten times the obstacles take less than ten times as long.
"""

import time
from collections.abc import Callable

import numpy as np
from benchmarks import scene as scenes

from openpendant.messages import Pose
from openpendant.motion import Trajectory
from openpendant.programs import Action, GoTo, InlinePoint, MoveAxis, Program, check_program
from openpendant.programs.check.trace import trace_program
from openpendant.scene import CollisionWorld
from openpendant.spatial import quaternion_from_matrix

MOVES = 100
EVERY_S = 0.01
GOAL_COUNT = 200
GOAL_MS = 300.0
GOAL_RATIO = {False: 2.5, True: 5.0}
ZONES = ("fine", "z10", "z20", "z50")


def main() -> None:
    print(__doc__)
    warm = scenes.world_of("irb120", 20, primitives=False)
    check_program(warm.scene.cell, random_program(warm, 6)[0], world=warm)
    for primitives in (False, True):
        bodies = "capsules against boxes" if primitives else "hulls against boxes, cylinders, spheres"
        print(f"\nIRB 120 with gripper, {bodies}; {MOVES} moves, milliseconds")
        heads = ("obstacles", "check", "plan", "poses", "fcl touch", "fcl dist", "ratio", "")
        print(" ".join(f"{head:>9}" for head in heads), " answer")
        took = {count: row(count, primitives=primitives) for count in (20, 200, 2000)}
        growth = took[2000] / took[200]
        print(f"ten times the obstacles: {growth:.1f} times the time  {'ok' if growth < 10.0 else 'MISS'}")


def row(count: int, *, primitives: bool) -> float:
    world = scenes.world_of("irb120", count, primitives=primitives)
    program, start = random_program(world, MOVES)
    given = {"r/arm": start}
    check = best(lambda: check_program(world.scene.cell, program, world=world, start=given), 3)
    plan = best(lambda: trace_program(world.scene.cell, program, start=given), 3)
    report = check_program(world.scene.cell, program, world=world, start=given)
    Q = poses_of([one.trajectory for one in trace_program(world.scene.cell, program, start=given).stretches])
    peer = scenes.FclWorld(world)
    began = time.process_time()
    touched = sum(peer.collides(q) for q in Q)
    touch = time.process_time() - began
    began = time.process_time()
    for q in Q[::10]:
        scenes.fcl_distance(peer, q)
    distance = (time.process_time() - began) * 10.0
    ratio = (touch + distance) / check
    good = ratio >= GOAL_RATIO[primitives] and check * 1e3 < GOAL_MS
    mark = ("ok" if good else "MISS") if count == GOAL_COUNT else ""
    numbers = [f"{value * 1e3:.0f}" for value in (check, plan)] + [str(len(Q))]
    numbers += [f"{value * 1e3:.0f}" for value in (touch, distance)] + [f"{ratio:.1f}×", mark]
    agrees = "" if not report.clear or not touched else f"; python-fcl says {touched} poses touch"
    print(" ".join(f"{text:>9}" for text in (str(count), *numbers)), f" {report.summary}{agrees}")
    return check


def best(work: Callable[[], object], times: int) -> float:
    took: list[float] = []
    for _ in range(times):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return min(took)


def poses_of(trajectories: list[Trajectory]) -> np.ndarray:
    return np.vstack([one.sample(EVERY_S).q for one in trajectories])


def random_program(world: CollisionWorld, moves: int) -> tuple[Program, tuple[float, ...]]:
    """A program that is clear move by move, joints and lines by turns, and where it starts."""
    rng = np.random.default_rng(8)
    placed = world.scene.arm()
    arm = placed.kinematics
    q = start = scenes.free_start(world, rng)
    steps: list[Action] = []
    while len(steps) < moves:
        zone = str(rng.choice(ZONES))
        step_id = f"s{len(steps)}"
        goal = np.clip(q + rng.normal(size=arm.dof) * 0.25, arm.limits_lower * 0.95, arm.limits_upper * 0.95)
        action: Action = MoveAxis(id=step_id, q=tuple(map(float, goal)), speed="80%", zone=zone)
        if len(steps) % 2:
            T = placed.T_world_tcp(q)
            p = T[:3, 3] + rng.uniform(-0.1, 0.1, 3)
            w, x, y, z = (float(value) for value in quaternion_from_matrix(T[:3, :3]))
            pose = Pose(xyz=(float(p[0]), float(p[1]), float(p[2])), wxyz=(w, x, y, z))
            action = GoTo(id=step_id, to=InlinePoint(pose=pose), how="line", speed="v800", zone=zone)
        one = Program(name="one", robot="r", steps=(action,))
        report = check_program(
            world.scene.cell, one, world=world, start={"r/arm": tuple(map(float, q))}, alternatives=False
        )
        if report.clear and report.clearance is not None and report.clearance.distance_m > 0.01:
            steps.append(action)
            q = trace_program(world.scene.cell, one, start={"r/arm": q}).main[-1].q
    return Program(name="bench", robot="r", steps=tuple(steps)), tuple(map(float, start))


if __name__ == "__main__":
    main()
