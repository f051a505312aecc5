"""What a program's runner needs of robots that run in processes of their own: their state, and rides over the bus."""

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import (
    Capabilities,
    Controller,
    ControllerEvent,
    Job,
    Progress,
    RobotState,
    StopKind,
)
from openpendant.errors import ControllerError, InputError
from openpendant.messages import decode_said
from openpendant.motion import Trajectory
from openpendant.said import say

from .remote import RemoteRobot, reduced_pace
from .stops import StopCounts

__all__ = ["RUN_TICK_NS", "RemoteController", "RemoteRide"]

Array = NDArray[np.float64]

ENDED = {"stopped": "run.was_stopped", "held": "run.was_held", "failed": "run.failed"}
RUN_TICK_NS = 10_000_000
"""A run is stepped so often; setpoints are made in the robot's own process."""


class RemoteController:
    """A robot in another process, as a runner sees it. Nobody sends setpoints through it: `RemoteRide` sends paths."""

    def __init__(self, robot: RemoteRobot, *, reduced: bool, since: StopCounts) -> None:
        """Look at a robot; a stop after `since` makes all commands void.

        `reduced` keeps the tool under 250 mm/s also where its gate does not.
        """
        self.robot = robot
        self.reduced = reduced
        self.since = since
        self._asked_ns = 0
        self._tool: str | None = None

    @property
    def capabilities(self) -> Capabilities:
        """The tick of a run."""
        return Capabilities(RUN_TICK_NS)

    @property
    def state(self) -> RobotState:
        """The newest report. Joints are those that a motion from rest begins with."""
        report = self.robot.state
        arms = report.arms
        if not arms:
            raise ControllerError(
                say("robot.named", robot=self.robot.name, why=decode_said(report.reason, report.said))
            )
        return RobotState(
            report.time_ns,
            {name: np.array(arm.q_rest) for name, arm in arms.items()},
            {name: np.array(arm.qd) for name, arm in arms.items()},
            {name: arm.opening_m for name, arm in arms.items()},
            report.inputs,
            report.outputs,
            {name: arm.moving for name, arm in arms.items()},
            # A report that was written before the tool was told to move knows nothing of it.
            {name: arm.tool_moving or report.stamp_ns <= self._asked_ns for name, arm in arms.items()},
            report.state_ns,
            report.connected,
        )

    def connect(self) -> None:
        """Nothing: its own process does it."""

    def close(self) -> None:
        """Nothing: its own process does it."""

    def poll(self, now_ns: int) -> None:
        """Nothing: reports come by themselves."""

    def events(self) -> tuple[ControllerEvent, ...]:
        """Nothing: they are in the cell's log."""
        return ()

    def run(self, job: Job) -> None:
        """Refuse: paths go by `RemoteRide`."""
        raise InputError(f"{self.robot.name} takes whole trajectories over the bus, not {type(job).__name__}")

    def progress(self, arm: str) -> Progress:
        """Return whether the arm rests."""
        return Progress(int(not self.state.moving[arm]), 1)

    def servo(self, arm: str, q: Array) -> Array:
        """Refuse: setpoints are made in the robot's own process."""
        raise InputError(f"{self.robot.name}/{arm} takes whole trajectories over the bus, not {np.asarray(q).tolist()}")

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Open or close an arm's tool."""
        self.robot.move_tool(opening_m, arm, closes=closes, since=self.since)
        self._asked_ns = self.robot.now_ns()

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output."""
        self.robot.set_output(name, value, since=self.since)

    def stop(self, kind: StopKind = "path") -> None:
        """Stop the robot."""
        self.robot.stop(now=kind == "now")


class RemoteRide:
    """A trajectory that a robot's own process follows; keeps `programs.Riding`."""

    def __init__(self, trajectory: Trajectory, controller: Controller, arm: str, speed: float) -> None:
        """Send it."""
        if not isinstance(controller, RemoteController):
            raise InputError(f"a ride over the bus needs a robot on it, not {type(controller).__name__}")
        self._robot, self._arm, self._speed, self._since = controller.robot, arm, speed, controller.since
        self._reduced = reduced_pace(trajectory) if controller.reduced and not controller.robot.reduced else 1.0
        self._stopping = False
        self._job = self._robot.follow(trajectory, arm=arm, pace=speed * self._reduced, since=self._since)

    @property
    def at_rest(self) -> bool:
        """Whether it has arrived, or rests on its path.

        Raises:
            ControllerError: It was stopped, held or lost; says why.
        """
        return self._outcome() in ("done", "paused")

    @property
    def done(self) -> bool:
        """Whether it has arrived. Raises as `at_rest`."""
        return self._outcome() == "done"

    @property
    def place(self) -> float:
        """Where on its path it is."""
        arm = self._robot.state.arms.get(self._arm)
        return 0.0 if arm is None or arm.job != self._job else arm.place

    def stop(self) -> None:
        """Come to rest on the path."""
        if not self._stopping and self._outcome() == "running":
            self._stopping = True
            self._robot.pause()

    def go_on(self) -> None:
        """Go on along the path."""
        if self._stopping:
            self._robot.resume(since=self._since)
            self._stopping = False

    def set_speed(self, speed: float) -> None:
        """Go on at another override of speeds."""
        if speed != self._speed:
            self._speed = speed
            self._robot.set_pace(speed * self._reduced, since=self._since)

    def _outcome(self) -> str:
        outcome, reason = self._robot.outcome(self._job, self._arm)
        if outcome == "paused" and not self._stopping:
            return "running"  # An old report: it goes on already.
        if outcome in ("stopped", "held", "failed"):
            raise ControllerError(say(ENDED[outcome], robot=self._robot.name, why=reason))
        return outcome
