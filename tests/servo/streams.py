"""Streams of intents, as people and broken devices make them, and the arms they are tried on."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant import robots
from openpendant.kinematics import Arm
from openpendant.messages import Intent, JointIntent, Pose, PoseIntent, TwistIntent
from openpendant.motion import JointLimits, joint_limits
from openpendant.servo import Servo
from openpendant.spatial import matrix_from_rotation_vector, quaternion_from_matrix

Array = NDArray[np.float64]
FRAMES = ("world", "base", "tool", "view")
AXES = ("x", "y", "z", "rx", "ry", "rz")


@dataclass(frozen=True)
class Case:
    """An arm of the catalogue with its limits."""

    name: str
    arm: Arm
    limits: JointLimits
    home: Array


def every_arm() -> list[Case]:
    found: list[Case] = []
    for name in robots.names():
        robot = robots.load(name)
        for arm in robot.arms.values():
            home = robot.posture(None, arm.name)
            found.append(Case(f"{name}/{arm.name}", arm, joint_limits(robot, arm.name), home))
    return found


def singular_postures(case: Case) -> dict[str, Array]:
    """Postures in the middle of each kind of singularity, inside the limits."""
    q = case.home.copy()
    robot = case.name.split("/")[0]
    if robot == "irb120":
        return {
            "wrist": _with(q, {4: 0.0}),
            "elbow": _with(q, {2: np.arctan2(-0.302, 0.07) + np.pi - np.pi / 2 - 0.0}),
            "shoulder": _onto_axis(case),
            "zero": np.zeros(6),
        }
    if robot == "rx90l":
        return {"wrist": _with(q, {4: 0.0}), "elbow": _with(q, {2: np.pi / 2}), "shoulder": _onto_axis(case)}
    if robot == "ur3e":
        return {
            "wrist": _with(q, {4: 0.0}),
            "elbow": _with(q, {2: 0.0}),
            "shoulder": _onto_axis(case),
            "zero": np.zeros(6),
        }
    return {"zero": np.zeros(7), "stretched": _with(np.zeros(7), {1: -0.5})}


def _with(q: Array, values: dict[int, float]) -> Array:
    out = q.copy()
    for index, value in values.items():
        out[index] = value
    return out


def _onto_axis(case: Case) -> Array:
    """Return joints that bring the arm's singular distance of the shoulder to zero, by bending the second joint."""
    best, where = np.inf, case.home
    lower, upper = case.limits.lower[1], case.limits.upper[1]
    for value in np.linspace(max(lower, -3.0), min(upper, 3.0), 2001):
        q = _with(case.home, {1: float(value)})
        distance = next(s.distance for s in case.arm.singularities(q) if s.name == "shoulder")
        if distance < best:
            best, where = distance, q
    return where


def random_posture(case: Case, rng: np.random.Generator) -> Array:
    lower, upper = case.limits.lower.clip(-3.2), case.limits.upper.clip(max=3.2)
    return rng.uniform(lower, upper)


def random_stream(
    case: Case, rng: np.random.Generator, seconds: float, dt: float
) -> Iterator[tuple[int, list[Intent]]]:
    """Yield for each tick the time and the intents that arrive: noise, stalls, reversals, changes of mind."""
    kind = rng.integers(6)
    period = rng.choice([dt, 1 / 90, 1 / 30, 0.1])
    next_at, mute_until, held = 0.0, -1.0, True
    twist, pose_p, pose_r = rng.normal(size=6), np.zeros(3), np.zeros(3)
    joints = rng.normal(size=case.arm.dof)
    loud = 10.0 ** rng.uniform(-1.5, 1.0)
    frame, locked, scale = "base", (), 1.0
    for tick in range(int(seconds / dt)):
        t = tick * dt
        now = int(t * 1e9) + 1
        out: list[Intent] = []
        if rng.random() < 0.01:
            twist, joints = -twist, -joints
        if rng.random() < 0.004:
            twist, joints = rng.normal(size=6) * loud, rng.normal(size=case.arm.dof) * loud
            frame, scale = str(rng.choice(FRAMES)), float(rng.choice([0.0, 0.2, 1.0, 3.0]))
            locked = tuple(axis for axis in AXES if rng.random() < 0.1)
        if rng.random() < 0.002:
            mute_until = t + rng.uniform(0.0, 0.6)
        if rng.random() < 0.003:
            held = not held
        if rng.random() < 0.001:
            kind = rng.integers(6)
        pose_p, pose_r = pose_p + dt * twist[:3] * 0.3, pose_r + dt * twist[3:] * 0.5
        if t >= next_at and t > mute_until:
            next_at = t + period * rng.uniform(0.7, 1.3)
            late = int(rng.uniform(0.0, 0.03) * 1e9)
            noise = rng.normal(size=6) * 0.002 * rng.choice([0.0, 1.0, 30.0], p=[0.5, 0.48, 0.02])
            stamp = max(now - late, 0)
            common = {"source": "somebody", "stamp_ns": stamp, "clutch": bool(held), "scale": scale}
            if kind <= 1:
                linear, angular = twist[:3] + noise[:3], twist[3:] + noise[3:]
                out.append(
                    TwistIntent(**common, linear=_three(linear), angular=_three(angular), frame=frame, locked=locked)
                )
            elif kind <= 3:
                R = matrix_from_rotation_vector(pose_r + noise[3:])
                wxyz = quaternion_from_matrix(R)
                x, y, z = (float(v) for v in pose_p + noise[:3])
                w, i, j, k = (float(v) for v in wxyz / np.linalg.norm(wxyz))
                relative = kind == 2 or frame in ("tool", "view")
                pose = Pose(xyz=(x, y, z), wxyz=(w, i, j, k))
                out.append(PoseIntent(**common, pose=pose, relative=relative, frame=frame, locked=locked))
            elif kind == 4:
                out.append(JointIntent(**common, velocity=tuple(float(v) for v in joints)))
            else:
                target = np.clip(joints, case.limits.lower.clip(-6.0), case.limits.upper.clip(max=6.0))
                out.append(JointIntent(**common, target=tuple(float(v) for v in target)))
        yield now, out


def _three(values: Array) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z


def worst_ratios(Q: Array, limits: JointLimits, dt: float) -> tuple[float, float, float, float]:
    """Return velocity, acceleration and jerk of setpoints against their limits, and how far beyond a limit they go."""
    beyond = float(np.maximum(limits.lower - Q, Q - limits.upper).max())
    ratios = [
        float((np.abs(np.diff(Q, k, axis=0)) / dt**k / bound).max())
        for k, bound in ((1, limits.velocity), (2, limits.acceleration), (3, limits.jerk))
    ]
    return ratios[0], ratios[1], ratios[2], beyond


def play(servo: Servo, stream: Iterator[tuple[int, list[Intent]]]) -> Array:
    """Return the setpoints of a stream, the start first."""
    Q = [servo.q, servo.q, servo.q]
    for now, intents in stream:
        for intent in intents:
            servo.accept(intent, now)
        Q.append(servo.step(now).q)
    return np.array(Q)
