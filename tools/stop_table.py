"""The tables of stopping times and distances in docs/gate.md: python tools/stop_table.py writes them.

Computed: from the stop limits in the facts, t = v / D + rise, s = v t / 2. Measured: one joint swings at that speed
behind its loop and gate, in virtual time, and is stopped. On a kinematic robot, from the last setpoint before the stop.
On a virtual controller, from where the joint is when STOP arrives until the controller reports that it rests; its
servoj follows the setpoints as the driver has it. Below that, the controller's own fastest stop.
"""

import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from servoed_ur import loop_of_ur

from openpendant import robots
from openpendant.controllers import stop_time_s
from openpendant.messages import bus
from openpendant.motion import MoveJoint, Trajectory, joint_limits, plan
from openpendant.runtime import RobotLoop
from openpendant.runtime.bus_codec import encode_trajectory
from openpendant.runtime.robot_builder import build_robot
from openpendant.runtime.settings import RobotSettings
from openpendant.scene import Cell, CellRobot, encode_cell
from openpendant.virtual.ur import Tracking, UrController, UrOptions, ur_model

PAGE = Path(__file__).resolve().parent.parent / "docs" / "gate.md"
STREAMED = (
    "Measured on the virtual controller, by the joints that it reports, from the moment STOP arrives: loop and gate "
    "stream the stop, and servoj\nfollows it 40 ms late with the look-ahead and gain that the driver gives it."
)
FASTEST = "Measured on the virtual controller likewise: its own fastest stop (`stopj(40)`)."
BEGIN, END = "<!-- stops: tools/stop_table.py -->", "<!-- end of stops -->"
SHARES = (0.33, 0.66, 1.0)
MOST_TICKS, CONTROLLER_TICK_S = 4000, 0.002
STILL_RAD_S = 0.01
JOINTS = 3
"""Of each arm: those that carry it."""
STREAMED_JOINTS = (0, 1, 2, 3)
"""Of a UR: base, shoulder, elbow, and the first of its wrists."""
MAKERS = {
    ("ur3e", 0): "0.18 rad, 159 ms",
    ("ur3e", 1): "0.20 rad, 154 ms",
    ("ur3e", 2): "0.15 rad, 92 ms",
}
"""UR3/CB3 user manual 3.10, appendix A.1: stop category 0 from 183°/s, full reach and load."""
NOT_FOUND, NOT_PUBLISHED = "not found", "not published"
"""Of an arm whose maker's stopping distances were not found, and of a joint that the maker's table leaves out."""
STARTS = {("yumi", 0): (0.0,) * 7}
"""By model and joint: where it swings from, if there is no room about the posture of the catalogue. YuMi's arms stand
before its body there, and are stretched out to the sides here."""


class Swing:
    """One arm behind its loop and gate, in virtual time."""

    def __init__(self, loop: RobotLoop, arm: str, name: str) -> None:
        """Begin at rest where it stands."""
        self.loop, self.arm = loop, arm
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

    def get_fast(self, joint: int, share: float) -> bool:
        """Let a joint swing until it has a share of its speed; return False where there is no room for that."""
        dt, top = self.tick_ns * 1e-9, share * float(self.limits.velocity[joint])
        for side in (1.0, -1.0):
            end = self.q.copy()
            bound = self.limits.upper if side > 0.0 else self.limits.lower
            end[joint] = np.clip(end[joint] + side * 2.2, *sorted((end[joint], bound[joint] - side * 0.02)))
            found = plan(self.loop.drives[self.arm].parts.kinematics, self.limits, self.q, [MoveJoint(end)])
            if not isinstance(found, Trajectory):
                continue
            path = encode_trajectory(found)
            self.loop.command(bus.LeaseRequest(holder="table", name="table", hold_s=1.0), self.now)
            self.loop.command(
                bus.Follow(
                    holder="table", job="swing", arm=self.arm, trajectory=path, pace=share, stops=self.loop.stops
                ),
                self.now,
            )
            before, now = self.tick(), self.tick()
            while self.loop.drives[self.arm].outcome == "running":
                if abs(now[joint] - before[joint]) / dt >= 0.995 * top:
                    return True
                before, now = now, self.tick()
            while not self.loop.drives[self.arm].rests:
                self.tick()
        return False

    def stop(self, joint: int) -> tuple[float, float]:
        """Stop: radians and seconds of the setpoints."""
        self.loop.command(bus.DropLease(holder="table"), self.now)
        rows = [self.tick()]
        while len(rows) < 3 or (rows[-1] != rows[-2]).any() or self.loop.drives[self.arm].outcome == "running":
            rows.append(self.tick())
        way = np.abs(np.diff(np.array(rows)[:, joint]))
        return float(way.sum()), float(np.count_nonzero(way > 1e-9)) * self.tick_ns * 1e-9


def kinematic(name: str, arm: str, start: tuple[float, ...] | None = None) -> Swing:
    """Return a kinematic robot; `start`: where it begins, if not in the posture of the catalogue."""
    cell = Cell(name="stops", robots=(CellRobot(name="robot", model=name),))
    settings = RobotSettings(
        cell="stops",
        document=encode_cell(cell).decode(),
        robot="robot",
        endpoint="tcp/127.0.0.1:1",
        start={} if start is None else {arm: start},
    )
    return Swing(build_robot(settings, rehearsed=False).loop, arm, name)


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
        stop = joint_limits(robot, arm).stop
        posture = kinematic(name, arm)
        for joint in range(JOINTS):
            start = STARTS.get((name, joint))
            swing = posture if start is None else kinematic(name, arm, start)
            cells = [_cell(swing, joint, share) for share in SHARES]
            most = math.degrees(float(stop.deceleration[joint]))
            maker = MAKERS.get((name, joint), NOT_FOUND)
            lines.append(f"| {robot.title} | {joint + 1} | {most:.0f}°/s² | {' | '.join(cells)} | {maker} |")
    return "\n".join(lines)


def streamed_table() -> str:
    """Return the table of stops that are streamed to the virtual controller as Markdown."""
    return _ur_table(STREAMED_JOINTS, stop_streamed)


def controller_table() -> str:
    """Return the table of the virtual controller's own stops as Markdown."""
    return _ur_table(range(JOINTS), _stop_on_controller)


def tables() -> str:
    """Return all, as they are in the page."""
    return f"{table()}\n\n{STREAMED}\n\n{streamed_table()}\n\n{FASTEST}\n\n{controller_table()}"


def stop_streamed(joint: int, share: float) -> tuple[float, float]:
    """Swing a joint of a virtual UR3e that is streamed to, then STOP: radians and seconds until it rests."""
    loop, arm = loop_of_ur("ur3e", robots.load("ur3e").posture())
    swing = Swing(loop, "arm", "ur3e")
    assert swing.get_fast(joint, share), f"no room for joint {joint + 1}"
    begin, ticks = float(arm.q[joint]), 0
    loop.command(bus.Halt(who="table"), swing.now)
    while ticks == 0 or abs(float(arm.qd[joint])) >= STILL_RAD_S:
        assert ticks < MOST_TICKS, "it goes on"
        swing.tick()
        ticks += 1
    return abs(float(arm.q[joint]) - begin), ticks * CONTROLLER_TICK_S


def _ur_table(joints: Iterable[int], stop: Callable[[int, float], tuple[float, float]]) -> str:
    lines = [
        "| arm | joint | " + " | ".join(f"at {100 * share:.0f} %" for share in SHARES) + " | maker |",
        "|---|---|" + "---|" * (len(SHARES) + 1),
    ]
    robot = robots.load("ur3e")
    for joint in joints:
        stops = [stop(joint, share) for share in SHARES]
        cells = " | ".join(f"{way:.2f} rad, {1000 * seconds:.0f} ms" for way, seconds in stops)
        lines.append(f"| {robot.title} | {joint + 1} | {cells} | {MAKERS.get(('ur3e', joint), NOT_PUBLISHED)} |")
    return "\n".join(lines)


def _stop_on_controller(joint: int, share: float) -> tuple[float, float]:
    """Swing a joint of a virtual UR3e by its own program, then `stopj(40)`: radians and seconds until it rests."""
    robot = robots.load("ur3e")
    q, speed = robot.posture(), share * float(joint_limits(robot, "arm").velocity[joint])
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
    measured = swing.stop(joint) if swing.get_fast(joint, share) else None
    seen = "no room" if measured is None else f"{measured[0]:.2f} rad, {1000 * measured[1]:.0f} ms"
    return f"{0.5 * v * seconds:.2f} rad, {1000 * seconds:.0f} ms ({seen})"


def main() -> None:
    """Write the tables into the page, or say with `--check` whether they are up to date."""
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    new = f"\n{tables()}\n"
    if "--check" in sys.argv:
        sys.exit(0 if new == old else "docs/gate.md: the tables of stops are out of date; run tools/stop_table.py")
    PAGE.write_text(head + BEGIN + new + END + tail, encoding="utf-8")


if __name__ == "__main__":
    main()
