"""RemoteRobot: a robot of a running cell, for the caller: where it is, and moves that end with a reason."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.controllers import VendorTasks, VendorText, texts_of
from openpendant.messages import Intent, bus, decode_said
from openpendant.motion import Blocked, Move, MoveJoint, MoveLine, Speed, Trajectory, joint_limits, plan
from openpendant.said import say
from openpendant.scene import Scene

from .bus_codec import encode_trajectory
from .corridor import Corridor, WatchedArm
from .link import CellLink
from .robot_commands import RobotCommands
from .stops import StopCounts

Array = NDArray[np.float64]

REDUCED_M_S = 0.245
"""A little under 250 mm/s."""
REACHED_RAD = 0.01
REST_S = 3.0
"""Time an arm may take to come to rest before the next move."""
LOST_S = 2.0
"""A job counts as lost when its robot has been silent for this time."""


@dataclass(frozen=True, eq=False)
class Moved:
    """How a move has ended."""

    reached: bool
    """Whether every joint is within 0.01 rad of where it should be."""
    outcome: bus.Outcome
    reason: str
    """Why it was not reached."""
    q: NDArray[np.float64]
    """(n,) measured joints at the end; the last that are known."""


def reduced_pace(trajectory: Trajectory, tool_m_s: float = REDUCED_M_S) -> float:
    """Return the pace, up to 1, at which the tool's point of a trajectory stays under a speed."""
    times = np.arange(0.0, trajectory.duration + 0.01, 0.01)
    fastest = float(trajectory.tool_speed(times).max(initial=0.0))
    return 1.0 if fastest <= tool_m_s else tool_m_s / fastest


class RemoteRobot(RobotCommands):
    """One robot of a cell. Calls block; they may come from any thread, one motion at a time for each arm."""

    def __init__(self, name: str, scene: Scene, link: CellLink) -> None:
        """Made by `CellRuntime.robot`.

        Args:
            name: In the cell.
            scene: Of the cell.
            link: To the bus.
        """
        super().__init__(name, scene, link)
        self._limits = {arm.arm: joint_limits(arm.model, arm.arm) for arm in self._arms}

    def move_joints(self, q: ArrayLike, *, arm: str = "", speed: Speed | None = None, reduced: bool = False) -> Moved:
        """Go to joints, all starting and stopping together; return when it is over.

        Args:
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).
            arm: Name of the arm; empty: the first.
            speed: What is not to be exceeded; None: the joints' own limits.
            reduced: Whether the tool stays under 250 mm/s also where the robot itself does not see to it.

        Returns:
            How it ended; a move that cannot be executed is not `reached` and has the reason.

        Raises:
            InputError: Unknown arm, or joints that are not allowed.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped before it began.
            ControllerError: The robot cannot move now, or does not answer; says why.
            BusError: The robot does not answer a request for control.
        """
        q_end = self.placed(arm).kinematics.check_q(q)
        return self.move([MoveJoint(q_end, speed or Speed())], arm=arm, reduced=reduced)

    def move_line(
        self, T_base_tool: ArrayLike, *, arm: str = "", speed: Speed | None = None, reduced: bool = False
    ) -> Moved:
        """Bring the tool to a pose on a straight line; return when it is over.

        Args:
            T_base_tool: (4, 4): pose of the TCP in the arm's base, metres.
            arm: Name of the arm; empty: the first.
            speed: What is not to be exceeded; None: the joints' own limits.
            reduced: Whether the tool stays under 250 mm/s also where the robot itself does not see to it.

        Returns:
            How it ended; a move that cannot be executed is not `reached` and has the reason.

        Raises:
            InputError: Unknown arm, or a matrix that is not a pose.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped before it began.
            ControllerError: The robot cannot move now, or does not answer; says why.
            BusError: The robot does not answer a request for control.
        """
        return self.move([MoveLine(np.array(T_base_tool), speed or Speed())], arm=arm, reduced=reduced)

    def move(self, moves: list[Move], *, arm: str = "", reduced: bool = False) -> Moved:
        """Make moves without a rest between them; return when they are over.

        Args:
            moves: The first from where the arm rests; poses are of the TCP in the arm's base.
            arm: Name of the arm; empty: the first.
            reduced: Whether the tool stays under 250 mm/s also where the robot itself does not see to it.

        Returns:
            How they ended; moves that cannot be executed are not `reached` and have the reason.

        Raises:
            InputError: Unknown arm, or a move with values that are not allowed.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped before it began.
            ControllerError: The robot cannot move now, or does not answer; says why.
            BusError: The robot does not answer a request for control.
        """
        since = self._link.stop_counts()
        placed = self.placed(arm)
        self._ensure()
        q_start = np.array(self._arm(arm).q_rest)
        planned = plan(placed.kinematics, self._limits[placed.arm], q_start, moves, placed.T_flange_tcp)
        if isinstance(planned, Blocked):
            return Moved(reached=False, outcome="failed", reason=planned.reason, q=self.q(arm))
        pace = reduced_pace(planned) if reduced and not self.reduced else 1.0
        job = self.follow(planned, arm=arm, pace=pace, since=since)
        return self._ended(job, placed.arm, planned.q_end)

    def follow(
        self,
        trajectory: Trajectory,
        *,
        arm: str = "",
        pace: float = 1.0,
        tcps: bus.Tcps = (),
        since: StopCounts | None = None,
    ) -> str:
        """Begin to follow a trajectory, and return the id of the job; `wait_job` waits for its end.

        Args:
            trajectory: From where the arm rests.
            arm: Name of the arm; empty: the first.
            pace: Share of the planned speed, above 0 up to 1.
            tcps: Points on the flange, metres, that keep to speed and spaces beside the tool's own.
            since: `CellLink.stop_counts` when this was requested: a stop after that makes it void. None: now.

        Raises:
            InputError: Unknown arm, a trajectory that breaks its limits, or a pace out of range.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped before it began.
            ControllerError: The arm does not rest at the trajectory's start, or the robot cannot move now; says why.
            BusError: The robot does not answer a request for control.
        """
        job = f"path-{uuid.uuid4().hex[:12]}"
        stops = self._stops(since)
        message = encode_trajectory(trajectory)
        name = self.placed(arm).arm
        self._command(
            bus.Follow(holder=self._link.id, job=job, arm=name, trajectory=message, pace=pace, tcps=tcps, stops=stops)
        )
        return job

    def upload(
        self,
        job: str,
        arm: str,
        text: VendorText | VendorTasks,
        corridor: Corridor,
        q_start: tuple[float, ...],
        *,
        tcps: bus.Tcps = (),
        others: Sequence[WatchedArm] = (),
        since: StopCounts | None = None,
    ) -> None:
        """Have the controller run a vendor's program, watched.

        Args:
            job: The id of the job, for `wait_job`.
            arm: Name of the arm that the program moves.
            text: The program; of several tasks, the first moves the arm.
            corridor: Checked joints of the arm; one that leaves them is stopped.
            q_start: (n,): joints where the program was checked to begin, radians (metres where a joint slides).
            tcps: As for `follow`.
            others: Arms that the programs of other tasks move; all of them are one job with one stop.
            since: `CellLink.stop_counts` when this was requested: a stop after that makes it void. None: now.

        Raises:
            InputError: Unknown arm, a corridor of another arm, or a program that this robot does not run.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped before it began.
            ControllerError: The arm does not rest at `q_start`, or the robot cannot move now; says why.
            BusError: The robot does not answer a request for control.
        """
        first, *rest = texts_of(text)
        beside = (
            bus.TaskText(dialect=one.dialect, name=one.name, text=one.text, task=one.task, arm=one.arm) for one in rest
        )
        self._command(
            bus.Upload(
                holder=self._link.id,
                job=job,
                arm=arm,
                dialect=first.dialect,
                name=text.name,
                text=first.text,
                task=first.task,
                beside=tuple(beside),
                others=tuple(one.encode() for one in others),
                corridor=corridor.encode(),
                q_start=q_start,
                tcps=tcps,
                stops=self._stops(since),
            )
        )

    def approach(
        self,
        q: ArrayLike,
        *,
        arm: str = "",
        gain: float = 2.0,
        exponent: float = 0.6,
        tolerance_rad: float = 0.002,
    ) -> Moved:
        """Go to joints with the velocity gain · sign(d) · |d / π| ** exponent, d the distance left of each joint.

        Args:
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).
            arm: Name of the arm; empty: the first.
            gain: Speed at a distance of half a turn, rad/s.
            exponent: 0.1 to 2; 1 is the proportional law, less is slower over large distances and quicker over small.
            tolerance_rad: Distance at which a joint counts as arrived, radians.

        Returns:
            How it ended.

        Raises:
            InputError: Unknown arm, joints that are not allowed, or a gain, exponent or tolerance out of range.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped before it began.
            ControllerError: The robot cannot move now, or does not answer; says why.
            BusError: The robot does not answer a request for control.
        """
        since = self._link.stop_counts()
        placed = self.placed(arm)
        q_end = placed.kinematics.check_q(q)
        self._ensure()
        job = f"approach-{uuid.uuid4().hex[:12]}"
        self._command(
            bus.Approach(
                holder=self._link.id,
                job=job,
                arm=placed.arm,
                q=tuple(q_end.tolist()),
                gain=gain,
                exponent=exponent,
                tolerance_rad=tolerance_rad,
                stops=self._stops(since),
            )
        )
        return self._ended(job, placed.arm, q_end)

    def engage(self, arm: str = "", *, needs_dead_man: bool = False, since: StopCounts | None = None) -> str:
        """Clutch in: intents of this client (their source must be `client_id`) move the arm; return the job's id.

        Args:
            arm: Name of the arm; empty: the first.
            needs_dead_man: Whether intents count only while they say that the dead-man switch is held. Robots whose
                address was given need that whatever is said here.
            since: `CellLink.stop_counts` when this was requested: a stop after that makes it void. None: now.

        Raises:
            InputError: Unknown arm.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped before it began.
            ControllerError: The robot cannot move now, or does not answer; says why.
            BusError: The robot does not answer a request for control.
        """
        since = self._link.stop_counts() if since is None else since
        self._ensure()
        job = f"servo-{uuid.uuid4().hex[:12]}"
        self._command(
            bus.EngageArm(
                holder=self._link.id,
                job=job,
                arm=self.placed(arm).arm,
                needs_dead_man=needs_dead_man,
                stops=self._stops(since),
            )
        )
        return job

    def intend(self, intent: Intent) -> None:
        """Send an intent; the newest counts. It is not answered.

        Args:
            intent: Joint, twist or pose command; its source is `client_id`, its stamp on the clock of `now_ns`.

        Raises:
            BusError: It cannot be sent.
        """
        self._link.intend(self.name, intent)

    def outcome(self, job: str, arm: str = "") -> tuple[bus.Outcome, str]:
        """Return how a job stands, and why; 'none' where the arm does something else.

        Args:
            job: The id of the job.
            arm: Name of the arm; empty: the first.

        Raises:
            InputError: The robot has no such arm.
        """
        report = self._link.report(self.name)
        found = None if report is None else report.arms.get(self.placed(arm).arm)
        if report is None or found is None:
            return "failed", say("robot.lost")
        if found.job != job:
            return "none", ""
        if found.outcome in ("running", "paused") and not report.connected:
            silent_s = self._link.clock.now_ns() * 1e-9 - self._link.last_report_s(self.name)
            if silent_s > LOST_S or not self._link.alive(self.name):
                return "failed", decode_said(report.reason, report.said)
        return found.outcome, decode_said(found.reason, found.said)

    def wait_job(self, job: str, arm: str = "", within_s: float = 3600.0) -> tuple[bus.Outcome, str]:
        """Wait until a job is over; return how it ended, and why.

        Args:
            job: The id of the job.
            arm: Name of the arm; empty: the first.
            within_s: How long to wait, seconds; then it is returned as it stands.

        Raises:
            InputError: The robot has no such arm.
        """
        seen, begun_ns = False, self._link.clock.now_ns()
        ended: tuple[bus.Outcome, str] = ("running", "")

        def over() -> bool:
            nonlocal seen, ended
            ended = self.outcome(job, arm)
            seen = seen or ended[0] != "none"
            if ended[0] == "none" and (seen or self._link.clock.now_ns() - begun_ns > LOST_S * 1e9):
                ended = ("failed", say("process.forgot"))
                return True
            return ended[0] not in ("none", "running", "paused")

        self._link.wait(over, within_s)
        return ended

    def _ended(self, job: str, arm: str, q_end: Array) -> Moved:
        outcome, reason = self.wait_job(job, arm)
        q = self.q(arm)
        reached = outcome == "done" and bool((np.abs(q - q_end) <= REACHED_RAD).all())
        if outcome == "done" and not reached:
            reason = f"joints are {np.abs(q - q_end).max():.4f} rad away from where they should be"
        return Moved(reached, outcome, reason, q)

    def _ensure(self) -> None:
        """Have a robot that is ready and rests, and control of it."""
        self.wait_ready(10.0)
        self._link.acquire(self.name)
        self.wait_rest(REST_S)
