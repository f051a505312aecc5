"""Collisions and cell files, measured: python -m benchmarks.scene

The same arm, bodies, obstacles and poses in our kernels and in python-fcl, in one run. A program of 100 moves is a
path of 2,001 poses. python-fcl looks at these poses and at nothing between them; `check_path` proves every
configuration of the path and finds the least distance as well.

    proof      check_path: every configuration, own links, least distance; looks: configurations it needed
    poses      touches_many: the poses alone, obstacles and own links
    fcl env    python-fcl, managers only, obstacles alone: the least that it can be asked
    fcl all    python-fcl, obstacles and own links, the latter pair by pair
    fcl dist   python-fcl, distance to the obstacles (a tenth of the poses, times ten)
    check      (fcl env + fcl dist) / proof: a check that also tells the least distance
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "scene"))

import fcl  # noqa: E402
from cells import pose, random_objects  # noqa: E402
from peers import FclWorld  # noqa: E402

from openpendant.scene import (  # noqa: E402
    BoxShape,
    Cell,
    CellObject,
    CellRobot,
    Clearance,
    CollisionWorld,
    Scene,
    load_cell,
    write_cell,
)
from openpendant.scene.collision import carriers as carrying  # noqa: E402
from openpendant.scene.collision.bodies import body_of_collision  # noqa: E402
from openpendant.shapes import capsule_round  # noqa: E402

MOVES = 100
PER_MOVE = 20


def main() -> None:
    print(__doc__)
    warm = world_of("irb120", 20, primitives=False)
    warm.check_path(walk(warm, 3))
    warm.touches_many(walk(warm, 3))
    for primitives in (False, True):
        bodies = "capsules against boxes" if primitives else "hulls against boxes, cylinders, spheres"
        print(f"\nIRB 120 with gripper, {bodies}; {MOVES} moves, {MOVES * PER_MOVE + 1} poses, milliseconds")
        heads = (
            "obstacles",
            "proof",
            "looks",
            "poses",
            "fcl env",
            "fcl all",
            "fcl dist",
            "env/poses",
            "all/poses",
            "check",
        )
        print(" ".join(f"{head:>9}" for head in heads), " least distance")
        for count in (20, 200, 2000):
            row(count, primitives=primitives)
    documents()


def row(count: int, *, primitives: bool) -> None:
    world = world_of("irb120", count, primitives=primitives)
    Q = walk(world, MOVES)
    proof = best(lambda: world.check_path(Q), 5)
    poses = best(lambda: world.touches_many(Q), 5)
    peer = FclWorld(world)
    environment = best(lambda: [peer.touches_environment(q) for q in Q], 2)
    everything = best(lambda: [peer.collides(q) for q in Q], 1)
    distances = best(lambda: [fcl_distance(peer, q) for q in Q[::10]], 1) * 10
    answer = world.check_path(Q)
    assert isinstance(answer, Clearance)
    check = (environment + distances) / proof
    numbers = (proof, poses, environment, everything, distances)
    shown = [f"{value * 1e3:.1f}" for value in numbers]
    shown.insert(1, str(answer.looked_at))
    ratios = [f"{value:.1f}×" for value in (environment / poses, everything / poses, check)]
    print(" ".join(f"{text:>9}" for text in (str(count), *shown, *ratios)), f" {answer.nearest}")


def world_of(model: str, count: int, *, primitives: bool) -> CollisionWorld:
    rng = np.random.default_rng(count + 1)
    objects = random_objects(rng, count, boxes_only=primitives)
    scene = Scene(Cell(name="bench", robots=(CellRobot(name="r", model=model),), objects=objects))
    robot = scene.robots["r"]
    shapes = robot.collision()
    if primitives:
        round_ = {link: tuple(_as_capsule(shape) for shape in parts) for link, parts in shapes.items()}
        carrying._of_links[robot] = round_
    else:
        carrying._of_links.pop(robot, None)
    return CollisionWorld(scene)


def _as_capsule(shape: object) -> carrying.Body:
    body = body_of_collision(shape)  # pyright: ignore[reportArgumentType]
    half = np.array(body.half)
    corners = body.corners if len(body.corners) else np.array(np.meshgrid(*[(-h, h) for h in half])).reshape(3, -1).T
    return body_of_collision(capsule_round(corners @ body.T[:3, :3].T + body.T[:3, 3]))


def walk(world: CollisionWorld, moves: int) -> np.ndarray:
    """A clear path with a random turn at each move."""
    rng = np.random.default_rng(8)
    arm = world.scene.arm().kinematics
    vertices = [free_start(world, rng)]
    while len(vertices) <= moves:
        q = np.clip(vertices[-1] + rng.normal(size=arm.dof) * 0.25, arm.limits_lower, arm.limits_upper)
        if isinstance(world.sweep(vertices[-1], q), Clearance):
            vertices.append(q)
    t = np.arange(moves * PER_MOVE + 1) / PER_MOVE
    return np.stack([np.interp(t, np.arange(moves + 1), column) for column in np.array(vertices).T], axis=1)


def free_start(world: CollisionWorld, rng: np.random.Generator) -> np.ndarray:
    start = world.scene.arm().q_start
    while world.collides(start) is not None:
        arm = world.scene.arm().kinematics
        start = np.clip(start + rng.normal(size=len(start)) * 0.5, arm.limits_lower, arm.limits_upper)
    return start


def fcl_distance(peer: FclWorld, q: np.ndarray) -> float:
    peer.place(q)
    data = fcl.DistanceData()
    peer.environment.distance(peer.robots, data, fcl.defaultDistanceCallback)
    return float(data.result.min_distance)


def documents() -> None:
    things = tuple(
        CellObject(name=f"thing {i}", shape=BoxShape(size=(0.1, 0.2, 0.3)), pose=pose(i * 0.001, 0.1, 0.2, 0.3))
        for i in range(10_000)
    )
    cell = Cell(name="many", objects=things)
    with tempfile.TemporaryDirectory() as folder:
        save = best(lambda: write_cell(Path(folder), cell), 3)
        load = best(lambda: load_cell(folder), 3)
        size = (Path(folder) / "cell.json").stat().st_size / 1e6
    print(f"\n10,000 objects ({size:.1f} MB): save {save * 1e3:.0f} ms, load {load * 1e3:.0f} ms")


def best(work: Callable[[], object], times: int) -> float:
    took: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return min(took)


if __name__ == "__main__":
    main()
