"""RemoteRobot: a robot of a running cell, for the caller: where it is, and moves that end with a reason."""

import uuid
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.controllers import VendorText
from openpendant.errors import ControllerError, InputError
from openpendant.messages import Intent, bus, decode_said
from openpendant.motion import Blocked, Move, MoveJoint, MoveLine, Speed, Trajectory, joint_limits, plan
from openpendant.said import say
from openpendant.scene import PlacedArm, Scene

from .bus import BusError
from .corridor import Corridor
from .crossing import encode_scene, encode_trajectory
from .link import CellLink
from .stops import StopCounts, StopOutcome

__all__ = ["Moved", "RemoteRobot", "reduced_pace"]

Array = NDArray[np.float64]

REDUCED_M_S = 0.245
"""A little under 250 mm/s."""
REACHED_RAD = 0.01
READY_S = 60.0
REST_S = 3.0
"""So long an arm may take to come to rest before the next move."""
LOST_S = 2.0
"""A job counts as lost when nothing is heard of its robot for so long."""


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


class RemoteRobot:
    """One robot of a cell. Calls block; they may come from any thread, one motion at a time for each arm."""

    def __init__(self, name: str, scene: Scene, link: CellLink) -> None:
        """Made by `CellRuntime.robot`.

        Args:
            name: In the cell.
            scene: Of the cell.
            link: To the bus.
        """
        self.name = name
        self._scene, self._link = scene, link
        self._limits = {arm.arm: joint_limits(arm.model, arm.arm) for arm in self._arms}

    @property
    def _arms(self) -> list[PlacedArm]:
        return [arm for arm in self._scene.arms.values() if arm.robot == self.name]

    def placed(self, arm: str = "") -> PlacedArm:
        """Return an arm where it stands; the first where no name is given."""
        found = next((one for one in self._arms if arm in ("", one.arm)), None)
        if found is None:
            raise InputError(f"{self.name} has no arm {arm!r}; it has {', '.join(one.arm for one in self._arms)}")
        return found

    @property
    def state(self) -> bus.RobotReport:
        """How it is now; `connected` is False, with the reason, where nothing fresh is known.

        Raises:
            ControllerError: Nothing was ever heard of it.
        """
        report = self._link.report(self.name)
        if report is None:
            raise ControllerError(say("robot.unheard", robot=self.name))
        return report

    @property
    def reduced(self) -> bool:
        """Whether its gate keeps tool and elbow to 250 mm/s, whatever moves them; `set_reduced` changes it."""
        return self.state.reduced

    @property
    def events(self) -> tuple[bus.RobotEvent, ...]:
        """Its log, oldest first."""
        return self._link.events(self.name)

    def q(self, arm: str = "") -> Array:
        """Return the measured joints of an arm, radians."""
        return np.array(self._arm(arm).q)

    def _arm(self, arm: str) -> bus.ArmReport:
        name = self.placed(arm).arm
        report = self.state
        if name not in report.arms:
            raise ControllerError(f"{self.name} tells nothing of {name}: {report.reason}")
        return report.arms[name]

    def wait_ready(self, within_s: float = READY_S) -> None:
        """Wait until the robot would take a command to move.

        Raises:
            ControllerError: It does not within the time; says why.
        """

        def ready() -> bool:
            report = self._link.report(self.name)
            return report is not None and report.ready

        if not self._link.wait(ready, within_s):
            report = self._link.report(self.name)
            why = say("robot.never_heard") if report is None else decode_said(report.reason, report.said)
            raise ControllerError(say("robot.not_ready", robot=self.name, within_s=within_s, why=why))

    def wait_rest(self, within_s: float = READY_S) -> bool:
        """Wait until no arm moves; return whether that is so."""
        return self._link.wait(lambda: not any(arm.moving for arm in self.state.arms.values()), within_s)

    def acquire(self, *, take_over: bool = False) -> None:
        """Ask for control; moves do it by themselves. Raises LeaseError where somebody else has it."""
        self._link.acquire(self.name, take_over=take_over)

    def release(self) -> None:
        """Give control back; what moves comes to rest."""
        self._link.release(self.name)

    def stop(self, *, now: bool = False) -> StopOutcome:
        """Stop the robot, whoever moves it, and return what became of it; needs no control.

        Args:
            now: As hard as the robot can, instead of along its path.
        """
        return self._link.halt((self.name,), now=now)[self.name]

    def pause(self) -> None:
        """Come to rest on the path."""
        self._command(bus.Pause(holder=self._link.id))

    def resume(self, *, since: StopCounts | None = None) -> None:
        """Go on along the same path. `since` as for `follow`."""
        self._command(bus.Resume(holder=self._link.id, stops=self._stops(since)))

    def set_pace(self, pace: float, *, since: StopCounts | None = None) -> None:
        """Set the override of speeds of the path under way, above 0 up to 1. `since` as for `follow`."""
        self._command(bus.SetPace(holder=self._link.id, pace=pace, stops=self._stops(since)))

    def set_reduced(self, reduced: bool) -> None:
        """Keep tool and elbow to 250 mm/s from now on, whatever moves them, or lift that."""
        self._command(bus.SetReduced(holder=self._link.id, reduced=reduced))

    def set_output(self, name: str, value: bool, *, since: StopCounts | None = None) -> None:
        """Set a digital output. `since` as for `follow`."""
        self._command(bus.SetDigital(holder=self._link.id, name=name, value=value, stops=self._stops(since)))

    def move_tool(
        self,
        opening_m: float = 0.0,
        arm: str = "",
        *,
        closes: bool | None = None,
        since: StopCounts | None = None,
    ) -> None:
        """Open or close an arm's tool: fingers of a simulated robot, and the outputs that the cell names for it.

        Args:
            opening_m: How far each finger goes; 0 without fingers.
            arm: Which; the first where no name is given.
            closes: Whether it closes; None: where fingers go to less than half of their travel.
            since: As for `follow`.
        """
        stops = self._stops(since)
        placed = self.placed(arm)
        closing = 2.0 * opening_m < placed.travel_m if closes is None else closes
        self._command(
            bus.MoveTool(holder=self._link.id, arm=placed.arm, opening_m=opening_m, closes=closing, stops=stops)
        )

    def arrange(self, scene: Scene) -> None:
        """Tell the robot's gate where parts are by now, in hands or elsewhere; the robot must rest."""
        self._command(encode_scene(scene, self._link.id))

    def move_joints(self, q: ArrayLike, *, arm: str = "", speed: Speed | None = None, reduced: bool = False) -> Moved:
        """Go to joints, all starting and stopping together; return when it is over.

        Args:
            q: Radians, in the vendor's counting.
            arm: Which; the first where no name is given.
            speed: What is not to be exceeded; default: the joints' own limits.
            reduced: Whether the tool stays under 250 mm/s also where the robot itself does not see to it.

        Raises:
            InputError: Joints that are not allowed.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped before it began.
            ControllerError: The robot cannot move now; says why.
        """
        q_end = self.placed(arm).kinematics.check_q(q)
        return self.move([MoveJoint(q_end, speed or Speed())], arm=arm, reduced=reduced)

    def move_line(
        self, T_base_tool: ArrayLike, *, arm: str = "", speed: Speed | None = None, reduced: bool = False
    ) -> Moved:
        """Bring the tool to a pose in the arm's base on a straight line; otherwise as `move_joints`."""
        return self.move([MoveLine(np.array(T_base_tool), speed or Speed())], arm=arm, reduced=reduced)

    def move(self, moves: list[Move], *, arm: str = "", reduced: bool = False) -> Moved:
        """Make moves without a rest between them; otherwise as `move_joints`."""
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
        self, trajectory: Trajectory, *, arm: str = "", pace: float = 1.0, since: StopCounts | None = None
    ) -> str:
        """Begin to follow a trajectory, and return the id of the job; `wait_job` waits for its end.

        Args:
            trajectory: From where the arm rests.
            arm: Which; the first where no name is given.
            pace: Override of speeds, above 0 up to 1.
            since: `CellLink.stop_counts` when this was requested: a stop after that makes it void. None: now.

        Raises:
            As `move_joints`.
        """
        job = f"path-{uuid.uuid4().hex[:12]}"
        stops = self._stops(since)
        message = encode_trajectory(trajectory)
        name = self.placed(arm).arm
        self._command(bus.Follow(holder=self._link.id, job=job, arm=name, trajectory=message, pace=pace, stops=stops))
        return job

    def upload(
        self,
        job: str,
        arm: str,
        text: VendorText,
        corridor: Corridor,
        q_start: tuple[float, ...],
        *,
        since: StopCounts | None = None,
    ) -> None:
        """Have the controller run a vendor's program, watched, as the job `job`. As `follow`."""
        self._command(
            bus.Upload(
                holder=self._link.id,
                job=job,
                arm=arm,
                dialect=text.dialect,
                name=text.name,
                text=text.text,
                corridor=corridor.encode(),
                q_start=q_start,
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
        """Go to joints with the velocity gain · sign(d) · |d / π| ** exponent, d the way left of each joint.

        Args:
            q: Radians, in the vendor's counting.
            arm: Which; the first where no name is given.
            gain: Speed at a distance of half a turn, rad/s.
            exponent: 1 is the proportional law; less is slower over large distances and quicker over small ones.
            tolerance_rad: When a joint counts as arrived.

        Raises:
            As `move_joints`.
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
            arm: Which; the first where no name is given.
            needs_dead_man: Whether intents count only while they say that the dead-man switch is held. Robots whose
                address was given need that whatever is said here.
            since: As for `follow`.

        Raises:
            As `move_joints`.
        """
        since = self._link.stop_counts() if since is None else since
        self._ensure()
        job = f"servo-{uuid.uuid4().hex[:12]}"
        self._command(
            bus.Engage(
                holder=self._link.id,
                job=job,
                arm=self.placed(arm).arm,
                needs_dead_man=needs_dead_man,
                stops=self._stops(since),
            )
        )
        return job

    @property
    def client_id(self) -> str:
        """The source that intents of this client must carry."""
        return self._link.id

    def now_ns(self) -> int:
        """Return the time of this client, as in `RobotReport.stamp_ns`."""
        return self._link.clock.now_ns()

    def intend(self, intent: Intent) -> None:
        """Send an intent; the newest counts."""
        self._link.intend(self.name, intent)

    def outcome(self, job: str, arm: str = "") -> tuple[bus.Outcome, str]:
        """Return how a job stands, and why."""
        report = self._link.report(self.name)
        found = None if report is None else report.arms.get(self.placed(arm).arm)
        if report is None or found is None:
            return "failed", say("robot.lost")
        if found.job != job:
            return "none", ""
        if found.outcome in ("running", "paused") and not report.connected:
            silent_s = self._link.clock.now_ns() * 1e-9 - self._link.heard_s(self.name)
            if silent_s > LOST_S or not self._link.alive(self.name):
                return "failed", decode_said(report.reason, report.said)
        return found.outcome, decode_said(found.reason, found.said)

    def wait_job(self, job: str, arm: str = "", within_s: float = 3600.0) -> tuple[bus.Outcome, str]:
        """Wait until a job is over; return how it ended, and why."""
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

    def _stops(self, since: StopCounts | None) -> int:
        return self._link.stops_of(self.name, since)

    def _command(self, command: bus.Command) -> None:
        if not self._link.holds(self.name):
            self._link.acquire(self.name)
        try:
            self._link.ask(self.name, command)
        except BusError as error:
            raise ControllerError(say("robot.no_answer", robot=self.name, why=error.said)) from None
