"""A loop on a kinematic robot in virtual time, for tests."""

import numpy as np

from openpendant import robots
from openpendant.messages import Pose, bus
from openpendant.motion import MoveJoint, Trajectory, joint_limits, plan
from openpendant.runtime.bus_codec import encode_trajectory
from openpendant.runtime.robot_builder import build_robot
from openpendant.runtime.settings import RobotSettings
from openpendant.scene import BoxShape, Cell, CellObject, CellRobot, encode_cell

ME = "me"


def cell_of(model: str, *objects: CellObject) -> Cell:
    return Cell(name="bench", robots=(CellRobot(name="robot", model=model),), objects=objects)


def box(name: str, size: tuple[float, float, float], xyz: tuple[float, float, float]) -> CellObject:
    return CellObject(name=name, shape=BoxShape(size=size), pose=Pose(xyz=xyz, wxyz=(1.0, 0.0, 0.0, 0.0)))


class Bench:
    """Ticks a loop, and writes down where the arm is at every tick."""

    def __init__(
        self,
        model: str = "ur3e",
        *objects: CellObject,
        arm: str = "",
        cell: Cell | None = None,
        rehearsed: bool = False,
        **more: object,
    ) -> None:
        cell = cell_of(model, *objects) if cell is None else cell
        settings = RobotSettings(
            cell="bench", document=encode_cell(cell).decode(), robot="robot", endpoint="tcp/127.0.0.1:1", **more
        )
        built = build_robot(settings, rehearsed=rehearsed)
        self.loop, self.nearby = built.loop, built.nearby
        self.arm = arm or next(iter(self.loop.drives))
        self.robot = robots.load(model)
        self.limits = joint_limits(self.robot, self.arm)
        self.tick_ns = self.loop.controller.capabilities.tick_ns
        self.now = 10**9
        self.renewing = True
        self.Q: list[np.ndarray] = []
        self.loop.controller.connect()
        self.ticks(2)

    @property
    def q(self) -> np.ndarray:
        return self.loop.controller.state.q[self.arm]

    @property
    def drive(self):
        return self.loop.drives[self.arm]

    def near(self) -> float:
        """Distance to what is nearest, metres."""
        return self.nearby.around.distance(self.arm, self.q, 1.0)[0]

    def ticks(self, count: int) -> None:
        for _ in range(count):
            self.now += self.tick_ns
            if self.renewing:
                self.loop.renew(bus.LeaseRenewal(holder=ME, stamp_ns=self.now))
            self.loop.tick(self.now)
            self.Q.append(np.array(self.q))

    def until(self, *outcomes: str, most: int = 20_000) -> str:
        for _ in range(most):
            self.ticks(1)
            if self.drive.outcome in outcomes:
                return self.drive.outcome
        raise AssertionError(f"{self.drive.outcome} after {most} ticks, not {outcomes}")

    def ask(self, command: bus.Command) -> bus.Reply:
        return self.loop.command(command, self.now)

    def take(self, **more: object) -> bus.Reply:
        return self.ask(bus.LeaseRequest(**{"holder": ME, "name": "Me", "hold_s": 0.5, **more}))

    def path(self, q_end: np.ndarray, q_start: np.ndarray | None = None) -> Trajectory:
        found = plan(
            self.drive.parts.kinematics, self.limits, self.q if q_start is None else q_start, [MoveJoint(q_end)]
        )
        assert isinstance(found, Trajectory)
        return found

    def follow(self, trajectory: Trajectory, job: str = "job", pace: float = 1.0, tcps: bus.Tcps = ()) -> bus.Reply:
        message = encode_trajectory(trajectory)
        stops = self.loop.stops
        return self.ask(
            bus.Follow(holder=ME, job=job, arm=self.arm, trajectory=message, pace=pace, tcps=tcps, stops=stops)
        )

    def worst(self, since: int = 0) -> tuple[float, float]:
        """Largest ratio of velocity and acceleration to their limits; what slows a joint down counts as a stop."""
        Q = np.array(self.Q[since:])
        dt = self.tick_ns * 1e-9
        v = np.abs(np.diff(Q, axis=0)) / dt
        a = np.abs(np.diff(Q, n=2, axis=0)) / dt**2
        most = np.where(v[1:] <= v[:-1] + 1e-9, self.limits.stop.deceleration, self.limits.acceleration)
        return float((v / self.limits.velocity).max()), float((a / most).max())

    def rests(self) -> bool:
        return bool(np.abs(self.Q[-1] - self.Q[-2]).max() == 0.0)
