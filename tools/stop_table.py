"""The table of stopping times and distances in docs/gate.md: python tools/stop_table.py writes it.

Computed: from the stop limits in the facts, t = v / D + rise, s = v t / 2. Measured: one joint swings at that speed
on a kinematic robot behind its loop and gate, in virtual time, and is stopped; from the last setpoint before the stop.
Below it, of arms with a virtual controller: the controller's own fastest stop, by the joints that it reports.
"""

import math
import sys
from pathlib import Path

import numpy as np

from openpendant import robots
from openpendant.cell.building import build_robot
from openpendant.cell.crossing import encode_trajectory
from openpendant.cell.settings import RobotSettings
from openpendant.controllers import stop_time_s
from openpendant.messages import bus
from openpendant.motion import MoveJoint, Trajectory, joint_limits, plan
from openpendant.scene import Cell, CellRobot, encode_cell
from openpendant.virtual.ur import Tracking, UrController, UrOptions, ur_model

PAGE = Path(__file__).resolve().parent.parent / "docs" / "gate.md"
BETWEEN = "Measured on the virtual controller, by the joints that it reports: its own fastest stop (`stopj(40)`)."
BEGIN, END = "<!-- stops: tools/stop_table.py -->", "<!-- end of stops -->"
SHARES = (0.33, 0.66, 1.0)
MOST_TICKS, CONTROLLER_TICK_S = 4000, 0.002
STILL_RAD_S = 0.01
JOINTS = 3
"""Of each arm: those that carry it."""
MAKERS = {
    ("ur3e", 0): "0.18 rad, 159 ms",
    ("ur3e", 1): "0.20 rad, 154 ms",
    ("ur3e", 2): "0.15 rad, 92 ms",
}
"""UR3/CB3 user manual 3.10, appendix A.1: stop category 0 from 183°/s, full reach and load."""


class Swing:
    """One arm in virtual time."""

    def __init__(self, name: str, arm: str) -> None:
        """Build its loop on a kinematic robot."""
        cell = Cell(name="stops", robots=(CellRobot(name="robot", model=name),))
        settings = RobotSettings(
            cell="stops", document=encode_cell(cell).decode(), robot="robot", endpoint="tcp/127.0.0.1:1"
        )
        self.loop, self.arm = build_robot(settings, rehearsed=False).loop, arm
        self.limits = joint_limits(robots.load(name), arm)
        self.tick_ns, self.now = self.loop.controller.capabilities.tick_ns, 10**9
        self.loop.controller.connect()
        self.tick()
        self.tick()

    @property
    def q(self) -> np.ndarray:
        """Joints now."""
        return self.loop.controller.state.q[self.arm]

    def tick(self) -> np.ndarray:
        """Let one tick pass; return the joints."""
        self.now += self.tick_ns
        self.loop.renew(bus.LeaseRenewal(holder="table", stamp_ns=self.now))
        self.loop.tick(self.now)
        return np.array(self.q)

    def stop(self, joint: int, share: float) -> tuple[float, float] | None:
        """Swing a joint at a share of its speed and stop it: radians and seconds, None where there is no room."""
        dt, top = self.tick_ns * 1e-9, share * float(self.limits.velocity[joint])
        for side in (1.0, -1.0):
            end = self.q.copy()
            bound = self.limits.upper if side > 0.0 else self.limits.lower
            end[joint] = np.clip(end[joint] + side * 2.2, *sorted((end[joint], bound[joint] - side * 0.02)))
            found = plan(self.loop.drives[self.arm].parts.kinematics, self.limits, self.q, [MoveJoint(end)])
            if not isinstance(found, Trajectory):
                continue
            path = encode_trajectory(found)
            self.loop.command(bus.AskLease(holder="table", name="table", hold_s=1.0), self.now)
            self.loop.command(
                bus.Follow(
                    holder="table", job="swing", arm=self.arm, trajectory=path, pace=share, stops=self.loop.stops
                ),
                self.now,
            )
            before, now = self.tick(), self.tick()
            while self.loop.drives[self.arm].outcome == "running":
                if abs(now[joint] - before[joint]) / dt >= 0.995 * top:
                    return self._halt(joint)
                before, now = now, self.tick()
        return None

    def _halt(self, joint: int) -> tuple[float, float]:
        self.loop.command(bus.DropLease(holder="table"), self.now)
        rows = [self.tick()]
        while len(rows) < 3 or (rows[-1] != rows[-2]).any() or self.loop.drives[self.arm].outcome == "running":
            rows.append(self.tick())
        way = np.abs(np.diff(np.array(rows)[:, joint]))
        return float(way.sum()), float(np.count_nonzero(way > 1e-9)) * self.tick_ns * 1e-9


def table() -> str:
    """Return the table as Markdown."""
    lines = [
        "| arm | joint | deceleration | " + " | ".join(f"at {100 * share:.0f} %" for share in SHARES) + " | maker |",
        "|---|---|---|" + "---|" * (len(SHARES) + 1),
    ]
    for name in robots.names():
        robot = robots.load(name)
        if not robots.is_built_in(name) or not robot.arms:
            continue
        arm = next(iter(robot.arms))
        swing, stop = Swing(name, arm), joint_limits(robot, arm).stop
        for joint in range(JOINTS):
            cells = [_cell(swing, joint, share) for share in SHARES]
            most = math.degrees(float(stop.deceleration[joint]))
            maker = MAKERS.get((name, joint), "not published")
            lines.append(f"| {robot.title} | {joint + 1} | {most:.0f}°/s² | {' | '.join(cells)} | {maker} |")
    return "\n".join(lines)


def controller_table() -> str:
    """Return the table of the virtual controller's own stops as Markdown."""
    lines = [
        "| arm | joint | " + " | ".join(f"at {100 * share:.0f} %" for share in SHARES) + " | maker |",
        "|---|---|" + "---|" * (len(SHARES) + 1),
    ]
    robot = robots.load("ur3e")
    top = joint_limits(robot, "arm").velocity
    for joint in range(JOINTS):
        stops = [_stop_on_controller(joint, share * float(top[joint])) for share in SHARES]
        cells = " | ".join(f"{way:.2f} rad, {1000 * seconds:.0f} ms" for way, seconds in stops)
        lines.append(f"| {robot.title} | {joint + 1} | {cells} | {MAKERS['ur3e', joint]} |")
    return "\n".join(lines)


def tables() -> str:
    """Return both, as they are in the page."""
    return f"{table()}\n\n{BETWEEN}\n\n{controller_table()}"


def _stop_on_controller(joint: int, speed: float) -> tuple[float, float]:
    """Swing a joint of a virtual UR3e at a speed (rad/s), then `stopj(40)`: radians and seconds until it rests."""
    q = robots.load("ur3e").posture()
    options = UrOptions(power=True, tracking=Tracking(noise=0.0), tool_speed_m_s=20.0)
    brain = UrController(ur_model("ur3e"), start_q=tuple(q.tolist()), options=options)
    far = q.copy()
    far[joint] += 4.0 if joint == 0 else -4.0
    brain.run_script(f"def swing():\n  movej({far.tolist()}, a=12, v={speed})\nend\n")
    for _ in range(MOST_TICKS):
        brain.tick()
        if abs(brain.read("actual_qd")[joint]) > 0.99 * speed:
            break
    brain.run_script("def stop():\n  stopj(40)\nend\n")
    begin, rows = float(brain.read("actual_q")[joint]), 0
    for rows in range(MOST_TICKS):
        brain.tick()
        if rows and abs(brain.read("actual_qd")[joint]) < STILL_RAD_S:
            break
    return abs(float(brain.read("actual_q")[joint]) - begin), (rows + 1) * CONTROLLER_TICK_S


def _cell(swing: Swing, joint: int, share: float) -> str:
    stop, v = swing.limits.stop, share * float(swing.limits.velocity[joint])
    one = slice(joint, joint + 1)
    seconds = stop_time_s(np.array([v]), stop.deceleration[one], stop.jerk[one])
    measured = swing.stop(joint, share)
    seen = "no room" if measured is None else f"{measured[0]:.2f} rad, {1000 * measured[1]:.0f} ms"
    return f"{0.5 * v * seconds:.2f} rad, {1000 * seconds:.0f} ms ({seen})"


def main() -> None:
    """Write the table into the page, or say with `--check` whether it is up to date."""
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    new = f"\n{tables()}\n"
    if "--check" in sys.argv:
        sys.exit(0 if new == old else "docs/gate.md: the table of stops is out of date; run tools/stop_table.py")
    PAGE.write_text(head + BEGIN + new + END + tail, encoding="utf-8")


if __name__ == "__main__":
    main()
