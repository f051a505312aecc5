"""RemotePort: a robot in its own process as a run needs it; trajectories go over the bus."""

import time
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from openpendant.errors import ControllerError
from openpendant.messages import bus, decode_said
from openpendant.motion import Trajectory
from openpendant.programs.run import PortState
from openpendant.said import say

from .remote_robot import RemoteRobot, reduced_pace
from .stops import StopCounts

ENDED = {"stopped": "run.was_stopped", "held": "run.was_held", "failed": "run.failed"}
RUN_TICK_S = 0.01
"""Between two steps of a run; setpoints are made in the robot's own process."""
REST_S = 3.0
"""How long soft joints may swing on after a path until the next one begins."""


class RemotePort:
    """Keeps `programs.run.RobotPort`."""

    tick_s = RUN_TICK_S

    def __init__(
        self,
        robot: RemoteRobot,
        *,
        reduced: bool,
        since: StopCounts,
        arrange: Callable[[], None],
        tcps: Mapping[str, bus.Tcps],
    ) -> None:
        """Command a robot; a stop after `since` makes all commands void.

        Args:
            robot: That the caller has control of.
            reduced: Whether the tool stays under 250 mm/s also where the robot's own gate does not see to it.
            since: The stops that were obeyed when the run was requested.
            arrange: Has the gates know where parts are by now; called before each trajectory.
            tcps: Those that the program names, by robot/arm.
        """
        self._robot, self._reduced, self._since, self._arrange = robot, reduced, since, arrange
        self._tcps = tcps
        self._asked_ns = 0
        self._playback: RemotePlayback | None = None

    @property
    def state(self) -> PortState:
        """The newest report."""
        report = self._robot.state
        arms = report.arms
        if not arms:
            raise ControllerError(
                say("robot.named", robot=self._robot.name, why=decode_said(report.reason, report.said))
            )
        return PortState(
            {name: np.array(arm.q_rest) for name, arm in arms.items()},
            report.inputs,
            report.outputs,
            # A report from before the tool command does not reflect it.
            {name: arm.tool_moving or report.stamp_ns <= self._asked_ns for name, arm in arms.items()},
        )

    @property
    def place(self) -> float:
        """Where on its present or last trajectory the robot is; 0: it had none yet."""
        return 0.0 if self._playback is None else self._playback.place

    def play(self, trajectory: Trajectory, arm: str, speed: float) -> "RemotePlayback":
        """Send a trajectory to an arm."""
        self._arrange()
        slower = reduced_pace(trajectory) if self._reduced and not self._robot.reduced else 1.0
        tcps = self._tcps.get(f"{self._robot.name}/{arm}", ())
        self._playback = RemotePlayback(trajectory, self._robot, arm, speed, slower, self._since, tcps)
        return self._playback

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Open or close an arm's tool."""
        self._robot.move_tool(opening_m, arm, closes=closes, since=self._since)
        self._asked_ns = self._robot.now_ns()

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output."""
        self._robot.set_output(name, value, since=self._since)

    def pass_tick(self) -> None:
        """Nothing: the robot has its own clock."""


class RemotePlayback:
    """A trajectory that a robot's own process follows. Keeps `programs.run.Playback`."""

    def __init__(
        self,
        trajectory: Trajectory,
        robot: RemoteRobot,
        arm: str,
        speed: float,
        slower: float,
        since: StopCounts,
        tcps: bus.Tcps,
    ) -> None:
        """Send it, to be followed at the override `speed` times the factor `slower`; the gate keeps `tcps` slow too."""
        self._robot, self._arm, self._speed, self._since = robot, arm, speed, since
        self._slower = slower
        self._stopping = False
        self._job = when_at_rest(
            partial(robot.follow, trajectory, arm=arm, pace=speed * slower, tcps=tcps, since=since)
        )

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

    def resume(self) -> None:
        """Continue along the path."""
        if self._stopping:
            self._robot.resume(since=self._since)
            self._stopping = False

    def set_speed(self, speed: float) -> None:
        """Continue at another override of speeds."""
        if speed != self._speed:
            self._speed = speed
            self._robot.set_pace(speed * self._slower, since=self._since)

    def _outcome(self) -> str:
        outcome, reason = self._robot.outcome(self._job, self._arm)
        if outcome == "paused" and not self._stopping:
            return "running"  # An old report: it has resumed already.
        if outcome in ("stopped", "held", "failed"):
            raise ControllerError(say(ENDED[outcome], robot=self._robot.name, why=reason))
        return outcome


def when_at_rest(begin: Callable[[], str]) -> str:
    """Begin a path, and once more as long as its arm still swings after the one before; raises what `begin` raises."""
    end = time.monotonic() + REST_S
    while True:
        try:
            return begin()
        except ControllerError as error:
            if error.code != "robot.still_moving" or time.monotonic() > end:
                raise
        time.sleep(RUN_TICK_S)
