"""ArmExecutor: one arm of a robot in its loop: the motion under way, its gate, and how the motion ended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import Controller
from openpendant.errors import ControllerError, OpenPendantError
from openpendant.gate import Allowed, Gate, Held, Setpoint
from openpendant.kinematics import Arm
from openpendant.messages import Intent, RobotEventKind
from openpendant.messages.bus import Doing, Outcome, StopHow
from openpendant.motion import JointLimits
from openpendant.said import say
from openpendant.servo import Obstacles, Servo

from .corridor import Corridor
from .motions import Motion, PathMotion, ServoMotion

Array = NDArray[np.float64]

TARGET_RAD = 0.02
"""A controller's own target that is farther from the measured joints than this is not where the arm rests."""
LONGEST_STOP = 5000
"""Ticks."""
SETTLED_RAD, ENOUGH_RAD = 0.0003, 0.002
"""So near to its last setpoint an arm counts as arrived: at first, and after a while."""
SETTLE_S, LONGEST_SETTLE_S = 0.3, 1.0
"""How long to wait for the one, and for the other."""
STILL_S = 2.0
"""A path or an approach that makes no progress for this time is given up."""
ENDED: dict[Outcome, RobotEventKind] = {
    "done": "job done",
    "stopped": "job stopped",
    "held": "job held",
    "failed": "job failed",
}
REST_RAD_S = 0.01
"""Slower than this an arm counts as resting."""


@dataclass(frozen=True, eq=False)
class ArmParts:
    """What a loop needs to move one arm."""

    name: str
    """As the controller calls it."""
    kinematics: Arm
    limits: JointLimits
    make_servo: Callable[[], Servo]
    obstacles: Callable[[NDArray[np.float64]], Obstacles] | None = None
    """From joints to what is near, for the servo to slide along; None: there is nothing."""
    p_flange_tcp: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    """(3,): the tool's point, metres."""


class ArmExecutor:
    """Moves one arm. Whoever owns it calls `tick` once in every tick of the robot."""

    def __init__(
        self,
        parts: ArmParts,
        index: int,
        controller: Controller,
        gate: Gate,
        tell: Callable[[RobotEventKind, str, str], None],
        stopping: Callable[["ArmExecutor", StopHow | None], None],
    ) -> None:
        """Begin at rest.

        Args:
            parts: Of the arm.
            index: Which arm of its robot it is.
            controller: Of the robot.
            gate: Of the robot.
            tell: Called with the kind of an event, what it is about, and its message.
            stopping: Called before this arm is stopped, with how where that is not as its motion stops.
        """
        self.parts = parts
        self.state = controller.state
        """The robot's newest state, as its owner has read it at this tick."""
        self.heard_ns = self.state.stamp_ns
        """When the state came; the time in which the loop stood still and could not read is not counted."""
        self._index = index
        self._tick_s = controller.capabilities.tick_ns * 1e-9
        self.job = ""
        self.outcome: Outcome = "none"
        self.reason = ""
        self.motion: Motion | None = None
        self.corridor: Corridor | None = None
        """Of a program that runs on the controller."""
        self._together: Sequence[ArmExecutor] = ()
        self._controller, self._gate, self._report_event, self._stopping = controller, gate, tell, stopping
        self._ending: tuple[Outcome, str] | None = None
        self._source = ""
        self._settling = 0
        self._leaving = self._needs_dead_man = False
        self.sent: Array | None = None
        """The newest setpoint as the driver has sent it; None: none was."""
        self.keeps_sent = False
        """Whether the arm still has to keep to it."""
        self.sent_ns = self.obeyed_ns = 0
        """When that was sent, and when the first one was that follows `intent`; 0: none was."""
        self.intent: Intent | None = None
        """That the newest setpoint follows; None: it follows none."""
        self._last: Array | None = None
        self._wanted: Array | None = None
        self._still, self._place, self._slowed = 0, -1.0, ""

    @property
    def doing(self) -> Doing:
        """What moves it."""
        if self._ending is not None:
            return "stopping"
        if self.motion is None:
            return "nothing" if self.corridor is None else "uploaded"
        return self.motion.doing

    @property
    def busy(self) -> bool:
        """Whether a job is under way, paused or coming to rest."""
        return self.outcome in ("running", "paused")

    @property
    def streams(self) -> bool:
        """Whether setpoints are sent for a job."""
        return self.motion is not None and self.outcome == "running"

    @property
    def brakes(self) -> bool:
        """Whether setpoints are sent that bring it to rest permanently."""
        return self.streams and self._ending is not None and self._ending[0] != "paused"

    @property
    def idles(self) -> bool:
        """Whether a hand could move it but does not: it rests, and something else may begin."""
        waits = isinstance(self.motion, ServoMotion) and self.outcome == "running" and self.motion.waits
        return waits and self._ending is None and self._gate.at_rest(self.parts.name)

    @property
    def limited_by(self) -> tuple[str, ...]:
        """Why it does not do all that a hand asks: the servo's words, then the gate's."""
        if not isinstance(self.motion, ServoMotion) or self.outcome != "running":
            return ()
        return (*self.motion.limited_by, self._slowed) if self._slowed else self.motion.limited_by

    @property
    def has_position(self) -> bool:
        """Whether the controller has said where this arm is."""
        return self.parts.name in self.state.q

    @property
    def rests(self) -> bool:
        """Whether it rests as measured, and nothing is on its way to it."""
        coming = self.outcome == "running" and not self.idles
        return not (coming or self.moves) and self._gate.at_rest(self.parts.name)

    @property
    def moves(self) -> bool:
        """Whether it moves as measured."""
        return bool(self.state.moving.get(self.parts.name, False)) or self.speed > REST_RAD_S

    @property
    def p_tool(self) -> Array:
        """The tool's point in the arm's base, as measured, metres."""
        T = self.parts.kinematics.fk(self.q_measured, check_limits=False)
        return T[:3, :3] @ self.parts.p_flange_tcp + T[:3, 3]

    @property
    def stops_how(self) -> StopHow:
        """How what moves it comes to rest."""
        if isinstance(self.motion, PathMotion):
            return "along the path"
        return "by the controller" if self.motion is None else "joint by joint"

    @property
    def q_measured(self) -> Array:
        """Measured joints."""
        return self.state.q[self.parts.name]

    @property
    def q_rest(self) -> Array:
        """Where a motion from rest begins: where the controller wants the joints, or else where they are."""
        state = self.state
        q, wanted = state.q[self.parts.name], state.q_target.get(self.parts.name)
        return q if wanted is None or float(np.abs(wanted - q).max()) > TARGET_RAD else wanted

    @property
    def speed(self) -> float:
        """Of the fastest joint, rad/s."""
        return float(np.abs(self.state.qd[self.parts.name]).max())

    def begin(self, job: str, motion: Motion, source: str, *, needs_dead_man: bool = False) -> None:
        """Begin a motion from rest; where it `needs_dead_man`, it continues only while the switch is held.

        Raises:
            ControllerError: The gate does not let it begin; says why.
        """
        self._needs_dead_man = needs_dead_man
        self._clutch_in(source)
        self._start(job, source)
        self.motion = motion

    def begin_uploaded(self, job: str, corridor: Corridor, source: str, together: Sequence["ArmExecutor"] = ()) -> None:
        """Watch a program that the controller runs; what stops one of the arms that it moves `together` stops all."""
        self._start(job, source)
        self.corridor, self._together = corridor, together or (self,)

    def pause(self) -> None:
        """Come to rest on the path; what has no path is stopped. A path that only settles at its end ends as it is."""
        if isinstance(self.motion, PathMotion) and self._ending is None:
            if not self.motion.arrived:
                self._ending = ("paused", "")
                self.motion.brake()
        elif self.outcome == "running":
            self.brake("stopped", say("robot.not_pausable"))

    def resume(self) -> None:
        """Resume after a pause.

        Raises:
            ControllerError: Nothing is paused, or the gate refuses to continue.
        """
        if self.outcome != "paused" or not isinstance(self.motion, PathMotion):
            raise ControllerError(say("robot.not_paused", arm=self.parts.name))
        self._clutch_in(self._source)
        self.outcome, self._settling = "running", 0
        self.motion.resume()
        self._report_event("resumed", self.job, self.parts.name)

    def brake(self, outcome: Outcome, reason: str) -> None:
        """Come to rest in a controlled way, along the path if there is one; then the job has this outcome."""
        if not self.busy or (self._ending is not None and self._ending[0] != "paused"):
            return
        if not self.rests:
            self._stopping(self, None)
        self._ending = (outcome, reason)
        if self.outcome == "paused":
            self._finish()
        elif self.motion is None:
            self._controller.stop("path")
        else:
            self._leaving = True
            self._gate.stop(reason, [self.parts.name])

    def end_idle_job(self) -> None:
        """End the job of a hand that does not move it."""
        if self.idles:
            self._gate.release(self._source, self.parts.name)
            self._ending = ("done", "")
            self._finish()

    def abandon(self, outcome: Outcome, reason: str) -> None:
        """Send nothing more: the controller itself is to stop, or has stopped."""
        if self.busy and self.has_position and not self.rests:
            self._stopping(self, "by the controller")
        if self.busy:
            self._ending = (outcome, reason)
            self._finish()
        self._gate.stop(reason, [self.parts.name])
        self._forget_stop()
        self.keeps_sent = False

    def fail(self, reason: str) -> None:
        """Fail, because the robot was lost or cannot move.

        A streamed motion brakes as for any other stop: its setpoints may still arrive although no state is received.
        `tick` leaves the rest to the controller if the driver accepts none.
        """
        if self.streams:
            self.brake("failed", reason)
        else:
            self.abandon("failed", reason)

    def stumble(self) -> None:
        """Nothing was sent for a while: the arm has come to rest at the last setpoint. Continue from there."""
        if self.motion is None or self.outcome != "running" or self._last is None:
            return
        name = self.parts.name
        self._gate.stop("nothing was sent for a while", [name])
        self._forget_stop()
        if self._leaving:
            return
        held = self._gate.clutch_in(self._source, name, self._last, needs_dead_man=self._needs_dead_man)
        if held is None:
            self.motion.rest_here(self._last)
        else:
            self.abandon("held", held.reason)

    def tick(self, now_ns: int) -> None:
        """Send the setpoint of this tick, or watch what the controller does."""
        try:
            if self.corridor is not None:
                self._watch(self.corridor)
            elif self.motion is not None and self.outcome == "running":
                self._move(self.motion, now_ns)
            elif not self._gate.at_rest(self.parts.name):
                self._coast(now_ns)
        except OpenPendantError as error:
            self._leave_to_controller(error.said)
        except Exception as error:  # A process that dies cannot stop its robot.
            self._leave_to_controller(f"{type(error).__name__}: {error}")

    def _leave_to_controller(self, reason: str) -> None:
        """Let the controller stop the arm; what has failed already keeps its reason."""
        if self._ending is not None and self._ending[0] == "failed":
            reason = self._ending[1]
        self._controller.stop("path")
        self.abandon("failed", reason)

    def _clutch_in(self, source: str) -> None:
        if not self._gate.at_rest(self.parts.name):
            raise ControllerError(say("robot.still_moving", arm=self.parts.name))
        held = self._gate.clutch_in(source, self.parts.name, self.q_rest, needs_dead_man=self._needs_dead_man)
        if held is not None:
            raise ControllerError(held.reason)

    def _start(self, job: str, source: str) -> None:
        self.job, self.outcome, self.reason = job, "running", ""
        self._source, self._ending, self._settling, self._leaving = source, None, 0, False
        self._last = self._wanted = None
        self.keeps_sent = False
        self._still, self._place, self._slowed = 0, -1.0, ""
        self._report_event("job started", job, self.parts.name)

    def _move(self, motion: Motion, now_ns: int) -> None:
        state, name = self.state, self.parts.name
        if self._leaving:
            self._coast(now_ns)
            if self._gate.at_rest(name):
                self._finish()
            return
        if isinstance(motion, PathMotion):
            motion.limit_speed(self._gate.speed_limit(name))
        q = motion.next(now_ns)
        if isinstance(motion, ServoMotion) and motion.barred and motion.waits and self._gate.at_rest(name):
            # At once, and not a tick later: what comes next must not find it busy.
            self._gate.stop(motion.barred, [name])
            self._ending = ("held", motion.barred)
            self._finish()
            return
        if q is None:
            if self._wanted is None or self._gate.at_rest(name):
                return
            q = self._wanted  # What is wanted rests; what the gate lets pass is still on its way there.
        self._wanted = q
        # The gate takes each stamp of a source once; arms of one robot are moved by the same source.
        setpoint = Setpoint(
            self._source,
            name,
            q,
            now_ns + self._index,
            dead_man=motion.dead_man,
            intent_ns=motion.intent_ns,
            ahead=motion.ahead(),
        )
        verdict = self._gate.pass_setpoint(setpoint, state.q[name], now_ns, measured_ns=self.heard_ns)
        if isinstance(verdict, Held):
            self._leaving = True
            self._stopping(self, None)
            if verdict.kind == "dead-man" and motion.released:
                self._ending = ("done", "")
            else:
                self._ending = ("held", verdict.reason)
                self._report_event("held", name, verdict.reason)
        elif verdict.slowed:
            motion.sent(verdict.q)
        self._slowed = verdict.why if isinstance(verdict, Allowed) and verdict.slowed else ""
        before = self._last
        if verdict.q is not None:
            self._last = self._send(verdict.q, now_ns, None if isinstance(verdict, Held) else motion.intent)
        if self._leaving:
            return
        if self._ending is None and motion.arrived and self._settled(q):
            self._ending = ("done", "")
            self._leave()
        elif self._ending is not None and (motion.at_rest or motion.arrived):
            self._leave()
        else:
            self._watch_progress(motion, before, "" if isinstance(verdict, Held) else verdict.why)

    def _watch_progress(self, motion: Motion, before: Array | None, why: str) -> None:
        """Give up a path or an approach that has stood still for too long; a hand may rest."""
        moved = before is None or self._last is None or not np.array_equal(before, self._last)
        if moved or motion.place != self._place or isinstance(motion, ServoMotion):
            self._still, self._place = 0, motion.place
            return
        self._still += 1
        if self._still * self._tick_s > STILL_S:
            if why:
                raise ControllerError(say("run.job_no_progress_why", job=self.job, still_s=STILL_S, why=why))
            raise ControllerError(say("run.job_no_progress", job=self.job, still_s=STILL_S))

    def _leave(self) -> None:
        """Release the arm: it rests when the gate says so."""
        self._leaving = True
        self._gate.release(self._source, self.parts.name)

    def _coast(self, now_ns: int) -> None:
        """Send the way to rest."""
        state, name = self.state, self.parts.name
        verdict = self._gate.tick(name, state.q[name], now_ns, measured_ns=self.heard_ns)
        if isinstance(verdict, Held) and verdict.q is not None:
            self._last = self._send(verdict.q, now_ns, None)

    def _send(self, q: Array, now_ns: int, intent: Intent | None) -> Array:
        """Send a setpoint, note what it follows, and return what was really sent."""
        sent = self._controller.servo(self.parts.name, q)
        self.sent, self.sent_ns, self.keeps_sent = sent, now_ns, True
        if intent is not self.intent:
            self.intent, self.obeyed_ns = intent, 0 if intent is None else now_ns
        return sent

    def _forget_stop(self) -> None:
        """Let the gate's stop run out without sending it: the robot has stopped by itself."""
        for _ in range(LONGEST_STOP):
            if self._gate.at_rest(self.parts.name):
                return
            self._gate.tick(self.parts.name, None, 0)

    def _settled(self, q: Array) -> bool:
        self._settling += 1
        away = float(np.abs(self.q_measured - q).max())
        passed_s = self._settling * self._tick_s
        near = SETTLED_RAD if passed_s < SETTLE_S else ENOUGH_RAD
        return passed_s > LONGEST_SETTLE_S or (self._settling > 3 and away < near and self.speed < REST_RAD_S)

    def _watch(self, corridor: Corridor) -> None:
        away = corridor.leaves(self.q_measured)
        if away > 0.0 and self._ending is None:
            self._hold_all(say("hold.corridor", arm=self.parts.name, away_rad=away))
        broken = self._gate.watch(self.parts.name, self.q_measured, self.state.qd[self.parts.name])
        if broken and self._ending is None:
            self._hold_all(broken)
        progress = self._controller.progress(self.parts.name)
        if progress.over and self.speed < REST_RAD_S:
            if self._ending is None:
                self._ending = ("done", "") if progress.finished else ("failed", progress.ended)
            self._finish()

    def _hold_all(self, reason: str) -> None:
        """Stop every arm that the program moves."""
        for one in self._together:
            if one.job == self.job:
                one.brake("held", reason)

    def _finish(self) -> None:
        self.outcome, self.reason = self._ending or ("done", "")
        self._ending, self._leaving = None, False
        if self.outcome == "paused":
            self._report_event("paused", self.job, self.parts.name)
            return
        self.motion = self.corridor = None
        words = say("robot.named", robot=self.parts.name, why=self.reason) if self.reason else self.parts.name
        self._report_event(ENDED.get(self.outcome, "job failed"), self.job, words)
