"""Write the plots of docs/images: corner, speeds along a path, singularity. Run by `make images`."""

from pathlib import Path

import matplotlib
import numpy as np

import openpendant as op
from openpendant.messages import TwistIntent
from openpendant.motion import MoveLine, Speed, Trajectory, find_zone, joint_limits, plan
from openpendant.servo import Servo, ServoSettings
from openpendant.spatial import matrix_from_rotation_vector, rotation_vector_from_matrix

matplotlib.use("Agg")
from matplotlib import pyplot as plt

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
ZONES = {"fine": "#97a3b1", "z10": "#2f9e62", "z30": "#3b82f6", "z50": "#d9921a"}
ROBOT = op.load("irb120")
ARM = ROBOT.arm()


def square(zone: str) -> Trajectory:
    """Return a rectangle of 300 × 100 mm with that zone at its inner corners, driven at 1000 mm/s."""
    q = ROBOT.posture()
    T = ARM.fk(q)
    moves = []
    for k, (dx, dy) in enumerate([(0.0, 0.15), (0.1, 0.15), (0.1, -0.15), (0.0, -0.15), (0.0, 0.0)]):
        T_end = T.copy()
        T_end[:3, 3] += (dx, dy, -0.05)
        moves.append(MoveLine(T_end, Speed.from_mm_s(1000.0), find_zone(zone if k < 4 else "fine")))
    answer = plan(ARM, joint_limits(ROBOT), q, moves)
    assert isinstance(answer, Trajectory), answer
    return answer


def draw_corner() -> None:
    figure, axes = plt.subplots(figsize=(6.4, 3.0), layout="constrained")
    for zone, color in ZONES.items():
        path = ARM.fk(square(zone).sample(0.002).q)[:, :2, 3] * 1000
        axes.plot(path[:, 1], path[:, 0], color=color, label=zone, linewidth=1.8)
    axes.set(xlabel="y in mm", ylabel="x in mm", aspect="equal", title="The same points with four zones")
    axes.legend(frameon=False, loc="center")
    figure.savefig(IMAGES / "blended-corner.png", dpi=120)


def draw_speeds() -> None:
    figure, (tool, joints) = plt.subplots(2, 1, figsize=(6.4, 5.2), sharex=True, layout="constrained")
    for zone, color in ZONES.items():
        trajectory = square(zone)
        t = np.linspace(0.0, trajectory.duration, 2000)
        tool.plot(t, trajectory.tool_speed(t) * 1000, color=color, label=f"{zone}: {trajectory.duration:.2f} s")
    samples = square("z50").sample(0.002)
    share = samples.qd / joint_limits(ROBOT).velocity * 100
    joints.plot(samples.t, share, linewidth=1.2, label=[f"axis {k + 1}" for k in range(6)])
    tool.set(ylabel="tool speed in mm/s")
    joints.set(xlabel="time in s", ylabel="joint speed in % (z50)")
    for axes in (tool, joints):
        axes.legend(frameon=False, fontsize="small", ncols=2)
    figure.savefig(IMAGES / "speeds.png", dpi=120)


def crossing(keep: str, delta: float) -> tuple[np.ndarray, np.ndarray]:
    """Return setpoints and poses of a line through the wrist singularity, passed at an angle of delta."""
    q = np.array([0.0, 0.5, 0.1, 0.0, 0.0, 0.0])
    T = ARM.fk(q)
    T[:3, :3] = matrix_from_rotation_vector(np.array([0.0, 0.0, delta])) @ T[:3, :3]
    T[2, 3] += 0.08
    servo = Servo(ARM, joint_limits(ROBOT), 0.004, settings=ServoSettings(keep=keep))
    servo.reset(ARM.ik(T, seed=q + np.array([0, 0, 0, 0, 0.1, 0])).solutions[0].q)
    Q, poses = [servo.q], [servo.T_world_tool]
    for tick in range(200):
        now = 1 + tick * 4_000_000
        servo.take(TwistIntent(source="plot", stamp_ns=now, linear=(0.0, 0.0, -0.25)), now)
        Q.append(servo.step(now).q)
        poses.append(servo.T_world_tool)
    return np.array(Q), np.array(poses)


def draw_servo() -> None:
    figure, (joints, errors) = plt.subplots(2, 1, figsize=(6.4, 5.2), sharex=True, layout="constrained")
    Q, T = crossing("position", 0.05)
    t = np.arange(len(Q)) * 0.004
    share = np.gradient(Q, 0.004, axis=0) / joint_limits(ROBOT).velocity * 100
    joints.plot(t, share, linewidth=1.4, label=[f"axis {k + 1}" for k in range(6)])
    turned = [np.degrees(np.linalg.norm(rotation_vector_from_matrix(X[:3, :3] @ T[0, :3, :3].T))) for X in T]
    aside = np.linalg.norm(T[:, :2, 3] - T[0, :2, 3], axis=1) * 1000
    errors.plot(t, turned, color="#d9921a", label="rotation in °")
    errors.plot(t, aside, color="#3b82f6", label="position in mm")
    joints.set(ylabel="joint speed in % of the limit", title="A straight line past a wrist singularity, 3° beside it")
    errors.set(xlabel="time in s", ylabel="how far off")
    for axes in (joints, errors):
        axes.legend(frameon=False, fontsize="small", ncols=3)
    figure.savefig(IMAGES / "servo-singularity.png", dpi=120)


if __name__ == "__main__":
    draw_corner()
    draw_speeds()
    draw_servo()
