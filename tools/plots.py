"""Write the plots of docs/images: a blended corner, and the speeds along a path. Run by `make images`."""

from pathlib import Path

import matplotlib
import numpy as np

import openpendant as op
from openpendant.motion import MoveLine, Speed, Trajectory, find_zone, joint_limits, plan

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


if __name__ == "__main__":
    draw_corner()
    draw_speeds()
