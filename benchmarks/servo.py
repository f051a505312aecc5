"""The servo against pink and mink, in one run: `python -m benchmarks.servo`.

A straight line at 250 mm/s through the wrist singularity of an IRB 120, the wrist tilted by a small angle, 4 ms a tick.
All three go the same way and solve with DAQP. Times are the least CPU time of a tick.
"""

import math
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from openpendant import robots
from openpendant.messages import Pose, TwistIntent
from openpendant.motion import joint_limits
from openpendant.scene import BoxShape, Cell, CellObject, CellRobot, CollisionWorld, Scene
from openpendant.servo import Servo, obstacle_query
from openpendant.spatial import matrix_from_rotation_vector, rotation_vector_from_matrix

DT, SPEED, SECONDS = 0.004, 0.25, 0.9
ROBOT = robots.load("irb120")
ARM, LIMITS = ROBOT.arm(), joint_limits(ROBOT)
GOAL_US = 40.0
Poses = Callable[[int], np.ndarray]


def start(delta: float) -> np.ndarray:
    """Return joints 80 mm above the singular posture, with the tool tilted by delta."""
    q = np.array([0.0, 0.5, 0.1, 0.0, 0.0, 0.0])
    T = ARM.fk(q)
    T[:3, :3] = matrix_from_rotation_vector(np.array([0.0, 0.0, delta])) @ T[:3, :3]
    T[2, 3] += 0.08
    return ARM.ik(T, seed=q + np.array([0, 0, 0, 0, 0.1, 0])).solutions[0].q


def ours(q: np.ndarray) -> tuple[np.ndarray, float]:
    servo = Servo(ARM, LIMITS, DT)
    servo.reset(q)
    Q, best = [q], math.inf
    for tick in range(int(SECONDS / DT)):
        now = 1 + int(tick * DT * 1e9)
        began = time.process_time_ns()
        servo.take(TwistIntent(source="b", stamp_ns=now, linear=(0.0, 0.0, -SPEED)), now)
        Q.append(servo.step(now).q)
        best = min(best, time.process_time_ns() - began)
    return np.array(Q), best


def reference(q: np.ndarray) -> Poses:
    """Return where the tool should be at a tick, with the ramp that our reference makes of a step."""
    T = ARM.fk(q)

    def pose(tick: int) -> np.ndarray:
        t, ramp = tick * DT, 0.1
        way = SPEED * (0.5 * t * t / ramp if t < ramp else t - 0.5 * ramp)
        out = T.copy()
        out[2, 3] -= way
        return out

    return pose


def with_pink(q: np.ndarray, urdf: str) -> tuple[np.ndarray, float]:
    import pink
    import pinocchio as pin
    from pink.tasks import FrameTask

    model = pin.buildModelFromXML(urdf)
    names = [model.names[i] for i in range(1, model.njoints)]
    order = [names.index(name) for name in ARM.chain.names]
    keep = np.zeros(model.nq)
    keep[order] = q
    model.velocityLimit[order] = LIMITS.velocity
    configuration = pink.Configuration(model, model.createData(), keep)
    task = FrameTask(ARM.flange, position_cost=10.0, orientation_cost=0.1)
    pose, Q, best = reference(q), [q], math.inf
    for tick in range(int(SECONDS / DT)):
        began = time.process_time_ns()
        task.set_target(pin.SE3(pose(tick)))
        v = pink.solve_ik(configuration, [task], DT, solver="daqp", damping=1e-8)
        configuration.integrate_inplace(v, DT)
        best = min(best, time.process_time_ns() - began)
        Q.append(configuration.q[order].copy())
    return np.array(Q), best


def with_mink(q: np.ndarray, urdf: str) -> tuple[np.ndarray, float]:
    import mink
    import mujoco

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.urdf"
        path.write_text(urdf.replace("<robot ", '<robot xmlns:m="m" ', 1))
        spec = mujoco.MjSpec.from_file(str(path))
    spec.compiler.fusestatic = False
    model = spec.compile()
    addresses = [model.jnt_qposadr[model.joint(name).id] for name in ARM.chain.names]
    configuration = mink.Configuration(model)
    full = configuration.q.copy()
    full[addresses] = q
    configuration.update(full)
    body = (
        ARM.flange
        if ARM.flange in [model.body(i).name for i in range(model.nbody)]
        else model.body(model.nbody - 1).name
    )
    task = mink.FrameTask(body, "body", position_cost=10.0, orientation_cost=0.1)
    limit = mink.VelocityLimit(model, dict(zip(ARM.chain.names, LIMITS.velocity.tolist(), strict=True)))
    limits = [mink.ConfigurationLimit(model), limit]
    T_body_flange = np.linalg.inv(configuration.get_transform_frame_to_world(body, "body").as_matrix()) @ ARM.fk(q)
    pose, Q, best = reference(q), [q], math.inf
    for tick in range(int(SECONDS / DT)):
        began = time.process_time_ns()
        task.set_target(mink.SE3.from_matrix(pose(tick) @ np.linalg.inv(T_body_flange)))
        v = mink.solve_ik(configuration, [task], DT, "daqp", damping=1e-8, limits=limits)
        configuration.integrate_inplace(v, DT)
        best = min(best, time.process_time_ns() - began)
        Q.append(configuration.q[addresses].copy())
    return np.array(Q), best


def figures(Q: np.ndarray) -> tuple[float, float, float, float, float, float]:
    """Return the greatest velocity, acceleration and jerk against their limits, mm and degrees aside, mm made."""
    T = ARM.fk(Q, check_limits=False)
    bounds = ((1, LIMITS.velocity), (2, LIMITS.acceleration), (3, LIMITS.jerk))
    rest = np.vstack([Q[:1], Q[:1], Q[:1], Q])
    v, a, j = (float((np.abs(np.diff(rest, k, axis=0)) / DT**k / bound).max()) for k, bound in bounds)
    aside = 1000.0 * float(np.linalg.norm(T[:, :2, 3] - T[0, :2, 3], axis=1).max())
    turned = max(float(np.linalg.norm(rotation_vector_from_matrix(X[:3, :3] @ T[0, :3, :3].T))) for X in T)
    return v, a, j, aside, math.degrees(turned), 1000.0 * float(T[0, 2, 3] - T[-1, 2, 3])


def bench_crossing() -> None:
    urdf = ROBOT.urdf(visuals=False)
    print("a line through the wrist singularity; position before rotation; ratios to the joint limits")
    titles = ("us a tick", "velocity", "accel.", "jerk", "mm aside", "degrees", "mm made")
    print(" " * 24 + "".join(f"{title:>10}" for title in titles))
    for delta in (0.05, 0.01, 0.001):
        q = start(delta)
        rows = {"openpendant": ours(q), "pink": with_pink(q, urdf), "mink": with_mink(q, urdf)}
        mine = rows["openpendant"][1]
        for name, (Q, best) in rows.items():
            v, a, j, aside, turned, made = figures(Q)
            ratio = (
                ""
                if name == "openpendant"
                else f"   {best / mine:.1f}x our time, {v / figures(rows['openpendant'][0])[0]:.1f}x our peak speed"
            )
            print(
                f"  {name:<12} tilt {delta:<6}{best / 1000.0:>9.1f}{v:>10.2f}{a:>10.1f}{j:>10.1f}"
                f"{aside:>10.3f}{turned:>10.2f}{made:>10.0f}{ratio}"
            )


def bench_tick() -> None:
    print("one tick, least CPU time")
    for name in ("irb120", "rx90l", "ur3e", "yumi"):
        robot = robots.load(name)
        arm = robot.arm()
        servo = Servo(arm, joint_limits(robot), 0.002)
        servo.reset(robot.posture())
        best = math.inf
        for tick in range(4000):
            now = 1 + tick * 2_000_000
            turn = 0.1 * math.sin(tick / 100.0)
            servo.take(TwistIntent(source="b", stamp_ns=now, linear=(0.0, turn, 0.0), angular=(0.0, 0.0, turn)), now)
            began = time.process_time_ns()
            servo.step(now)
            best = min(best, time.process_time_ns() - began)
        verdict = "ok" if best / 1000.0 < GOAL_US else "MISS"
        print(f"  {name:<10}{best / 1000.0:>8.1f} us   goal {GOAL_US:.0f} us  {verdict}")


def bench_obstacles() -> None:
    rng = np.random.default_rng(0)
    boxes = [
        CellObject(name=f"box {k}", pose=_at(*p), shape=BoxShape(size=(0.05, 0.05, 0.05)))
        for k, p in enumerate(rng.uniform((-1.0, -1.0, 0.0), (1.0, 1.0, 1.2), (200, 3)))
        if np.linalg.norm(p[:2]) > 0.5 or p[2] > 0.9
    ]
    world = CollisionWorld(
        Scene(Cell(name="b", robots=[CellRobot(name="r", model="irb120", pose=_at(0, 0, 0))], objects=boxes))
    )
    placed = world.scene.arm(None)
    servo = Servo(placed.kinematics, LIMITS, DT, T_flange_tool=placed.T_flange_tcp)
    servo.reset(placed.q_start)
    query, looks, steps = obstacle_query(world), math.inf, math.inf
    for tick in range(2000):
        now = 1 + int(tick * DT * 1e9)
        servo.take(TwistIntent(source="b", stamp_ns=now, linear=(0.1 * math.cos(tick / 50.0), 0.0, 0.0)), now)
        began = time.process_time_ns()
        near = query(servo.q)
        between = time.process_time_ns()
        servo.step(now, near)
        looks, steps = min(looks, between - began), min(steps, time.process_time_ns() - between)
    print(f"among {len(boxes)} boxes: what is near {looks / 1000.0:.1f} us, tick with it {steps / 1000.0:.1f} us")


def _at(x: float, y: float, z: float) -> Pose:
    return Pose(xyz=(float(x), float(y), float(z)), wxyz=(1.0, 0.0, 0.0, 0.0))


def main() -> None:
    warnings.simplefilter("ignore")
    bench_tick()
    bench_obstacles()
    bench_crossing()


if __name__ == "__main__":
    main()
