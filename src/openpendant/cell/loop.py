"""RobotLoop: the synchronous tick of one robot: commands and intents in, setpoints through the gate, reports out.

It has no thread, socket or clock; `cell.process` gives it time and the bus.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from openpendant.controllers import Controller, VendorText
from openpendant.errors import ControllerError, InputError, OpenPendantError, UnknownNameError
from openpendant.gate import Gate, NotGranted
from openpendant.messages import Intent, RobotEventKind, bus
from openpendant.motion import Trajectory
from openpendant.said import how_word, mode_word, safety_word, say

from .corridor import Corridor
from .crossing import decode_trajectory
from .drive import REST_RAD_S, ArmParts, Drive
from .motions import JOIN_S, ApproachMotion, PathMotion, PathTop, ServoMotion
from .stop_meter import StopMeter
from .timing import LoopClock

__all__ = ["RobotLoop"]

START_RAD = 0.01
"""So near to where it rests a path must begin."""
FROZEN_S = 0.8
"""A loop that stood still so long gives up what it was doing: a lease ends in that time, and nobody saw to it."""
STUMBLE_S = 0.04
"""After so long a gap it goes on from rest: the robot has braked by itself, or is about to."""
READ_S = 0.05
"""In this time a loop that stood still reads what came meanwhile; before, nobody counts as silent."""
STALE_S = 0.25
"""A state older than this is not believed; the time in which the loop stood still and could not read is not counted."""
LEAST_PACE = 1e-4
"""The least override of a path: the least of a run, and below that what keeps a fast tool to reduced speed."""
WITHIN = 1.0 + 1e-3
LOOK_S = 0.005
"""So finely the speeds of tool and elbow are looked at along a path."""
KEPT_EVENTS = 1000


class RobotLoop:
    """Everything between the bus and one controller."""

    def __init__(
        self,
        robot: str,
        controller: Controller,
        gate: Gate,
        arms: Iterable[ArmParts],
        arrange: Callable[[bus.Arrange], None] | None = None,
        *,
        dead_man: bool = False,
        stops: int = 0,
    ) -> None:
        """Begin at rest.

        Args:
            robot: Its name in the cell.
            controller: Connected or about to be.
            gate: Of all its arms.
            arms: Its arms, as the controller calls them.
            arrange: Told where things are by now; None: nothing stands around.
            dead_man: Whether everybody who moves it by hand must hold a dead-man switch.
            stops: Where the count of Halts begins; above that of every loop before it.
        """
        self.robot = robot
        self.stops = stops
        """Halts obeyed so far: what was requested under a smaller count is refused."""
        self.controller = controller
        self.leases = gate.leases
        self.clock = LoopClock(controller.capabilities.tick_ns)
        self.gate = gate
        self.state = controller.state
        """As it was read at the last tick."""
        self._arrange, self._dead_man = arrange, dead_man
        self.meter = StopMeter()
        self.drives = {
            parts.name: Drive(parts, index, controller, gate, self.tell, self._begin_stop)
            for index, parts in enumerate(arms)
        }
        self._now_ns = self._heard_ns = 0
        self._reports = self._events = 0
        self._could_move = self._was_moving = False
        self._log: deque[bus.RobotEvent] = deque(maxlen=KEPT_EVENTS)
        self._new: list[bus.RobotEvent] = []

    @property
    def at_rest(self) -> bool:
        """Whether nothing of ours moves."""
        return not any(drive.outcome == "running" and not drive.idles for drive in self.drives.values())

    def tick(self, now_ns: int) -> None:
        """Let one tick pass."""
        frozen_s = (now_ns - self._now_ns) * 1e-9 if self._now_ns else 0.0
        self._now_ns = now_ns
        self.controller.poll(now_ns)
        self._see(frozen_s)
        for event in self.controller.events():
            self.tell(event.kind, event.about, event.message)
        if frozen_s > FROZEN_S and self._was_moving:
            self.controller.stop("path")
            self._each(lambda drive: drive.abandon("held", say("process.frozen", frozen_s=frozen_s)))
        elif frozen_s > STUMBLE_S and self._was_moving:
            self.tell("stumbled", "", say("process.late", late_ms=1000.0 * frozen_s))
            self._each(Drive.stumble)
        self._look_at_robot()
        if frozen_s > STUMBLE_S:
            self.leases.outlive(now_ns + int(READ_S * 1e9))
        self._look_at_lease(now_ns)
        for drive in self.drives.values():
            drive.tick(now_ns)
        measure = self.meter.tick(now_ns, self.stops, fresh=self._fresh())
        if measure is not None:
            how, distance_mm = how_word(measure.how), 1000.0 * measure.distance_m
            self.tell("stopped", "", say("stop.measured", rest_s=measure.rest_s, distance_mm=distance_mm, how=how))
        elif self._fresh() and self.meter.overdue(now_ns):
            self.tell("fault", "", say("stop.overdue"))
            self.controller.stop("now")
            self._each(lambda drive: drive.abandon("stopped", say("stop.stopped_by_controller")))
        self._was_moving = not self.at_rest

    def _see(self, frozen_s: float) -> None:
        state = self.controller.state
        if state.stamp_ns != self.state.stamp_ns or self._heard_ns == 0:
            self._heard_ns = state.stamp_ns
        elif frozen_s > STUMBLE_S:
            self._heard_ns += int(frozen_s * 1e9)
        self.state = state
        for drive in self.drives.values():
            drive.state, drive.heard_ns = state, self._heard_ns

    def halt(self, reason: str) -> None:
        """Bring everything to rest, whoever moves it."""
        self._each(lambda drive: drive.brake("stopped", reason))
        # A program on the controller is stopped again by each further STOP: the first may not have got through.
        if not self._busy or any(drive.corridor is not None for drive in self.drives.values()):
            self.controller.stop("path")

    def renew(self, renewal: bus.LeaseRenewal) -> None:
        """Hear that a holder is alive."""
        self.leases.renew(renewal.holder, renewal.stamp_ns)

    def lose(self, holder: str) -> None:
        """Hear that a client has gone for good."""
        name = self.leases.name
        if self.leases.release(holder):
            self._lost(say("control.gone", name=name))

    def intend(self, intent: Intent, now_ns: int) -> None:
        """Take an intent; it counts where its source holds the lease and has engaged the arm."""
        drive = self.drives.get(intent.arm) if intent.arm else next(iter(self.drives.values()))
        if drive is None or intent.source != self.leases.holder or not isinstance(drive.motion, ServoMotion):
            return
        try:
            drive.motion.take(intent, now_ns)
        except InputError as error:
            self.tell("warning", drive.parts.name, error.said)

    def command(self, command: bus.Command, now_ns: int) -> bus.Answer:
        """Do as commanded, or say why not."""
        try:
            return self._obey(command, now_ns)
        except InputError as error:
            return bus.Denied(reason=error.said, kind="input")
        except OpenPendantError as error:
            return bus.Denied(reason=error.said, kind="state")
        except Exception as error:  # A process that dies cannot stop its robot.
            fault = f"{type(error).__name__}: {error}"
            self.tell("fault", type(command).__name__, fault)
            return bus.Denied(reason=fault, kind="state")

    def drain_events(self) -> list[bus.RobotEvent]:
        """Return what has happened since the last call."""
        new, self._new = self._new, []
        return new

    def report(self, now_ns: int) -> bus.RobotReport:
        """Return how the robot is now."""
        state = self.state
        self._reports += 1
        fresh = self._fresh(now_ns)
        # Before a controller was heard for the first time, its joints are not zero but unknown.
        heard = state.stamp_ns > 0 or state.mode != "unknown"
        return bus.RobotReport(
            robot=self.robot,
            number=self._reports,
            stamp_ns=now_ns,
            state_ns=state.stamp_ns,
            time_ns=state.time_ns,
            connected=fresh,
            ready=fresh and state.can_move,
            reason="" if fresh and state.can_move else self._why_not(fresh),
            mode=state.mode,
            safety=state.safety,
            arms={name: self._arm(drive) for name, drive in self.drives.items() if heard and name in state.q},
            inputs=dict(state.inputs),
            outputs=dict(state.outputs),
            holder=self.leases.name,
            holder_id=self.leases.holder,
            pid=os.getpid(),
            timing=self.clock.timing(),
            reduced=self.gate.reduced,
            stops=self.stops,
            stopped=self.meter.last,
        )

    def _arm(self, drive: Drive) -> bus.ArmReport:
        state, name = self.state, drive.parts.name
        qd = state.qd[name]
        return bus.ArmReport(
            q=tuple(state.q[name].tolist()),
            q_rest=tuple(drive.q_rest.tolist()),
            q_target=tuple(state.q_target.get(name, state.q[name]).tolist()),
            qd=tuple(qd.tolist()),
            moving=(drive.outcome == "running" and not drive.idles)
            or bool(state.moving.get(name, False))
            or drive.speed > REST_RAD_S,
            doing=drive.doing,
            job=drive.job,
            outcome=drive.outcome,
            reason=drive.reason,
            place=0.0 if drive.motion is None else float(drive.motion.place),
            opening_m=float(state.openings.get(name, 0.0)),
            tool_moving=bool(state.tool_moving.get(name, False)),
        )

    def _why_not(self, fresh: bool) -> str:
        state = self.state
        if not fresh:
            return say("robot.no_contact")
        if state.safety not in ("normal", "reduced"):
            return say("robot.safety", safety=safety_word(state.safety))
        if state.mode != "ready":
            return say("robot.mode", mode=mode_word(state.mode))
        return say("robot.no_setpoints")

    def _look_at_robot(self) -> None:
        """Give up what moves when the robot no longer obeys."""
        fresh = self._fresh()
        can_move = fresh and self.state.can_move
        if can_move and not self._could_move:
            self.tell("ready", "", "")
        elif not can_move and (self._could_move or (self._busy and not (fresh and self._able()))):
            self._stand_down(self._why_not(fresh), fresh)
        self._could_move = can_move

    def _stand_down(self, reason: str, fresh: bool) -> None:
        """Give up what can no longer be done: a program on the controller needs no setpoints of ours."""
        lost = not (fresh and self._able())
        given_up = [drive for drive in self.drives.values() if lost or drive.corridor is None]
        if len(given_up) == len(self.drives):
            self.tell("not ready", "", reason)
            self.controller.stop("path")
        for drive in given_up:
            drive.abandon("failed", reason)

    @property
    def _busy(self) -> bool:
        return any(drive.busy for drive in self.drives.values())

    def _fresh(self, now_ns: int | None = None) -> bool:
        return self.state.connected and (now_ns or self._now_ns) - self._heard_ns < STALE_S * 1e9

    def _able(self) -> bool:
        """Whether the robot itself could move, whoever steers it."""
        return self.state.mode == "ready" and self.state.safety in ("normal", "reduced")

    def _look_at_lease(self, now_ns: int) -> None:
        silent = self.leases.expire(now_ns)
        if silent is not None:
            self._lost(say("control.silent", name=silent[0], silent_s=round(silent[1], 2)))

    def _lost(self, reason: str) -> None:
        self.tell("lease lost", "", reason)
        self._each(lambda drive: drive.brake("stopped", reason))
        self.gate.hold("lease", reason)

    def _begin_stop(self, drive: Drive, how: bus.StopHow | None) -> None:
        self.meter.begin(drive, self._now_ns, how)

    def _each(self, act: Callable[[Drive], None]) -> None:
        for drive in self.drives.values():
            act(drive)

    def _obey(self, command: bus.Command, now_ns: int) -> bus.Answer:
        match command:
            case bus.Halt():
                return self._halt(command)
            case bus.AskEvents(after=after):
                return bus.Events(events=tuple(event for event in self._log if event.number > after))
            case bus.AskLease():
                return self._lend(command, now_ns)
            case bus.DropLease(holder=holder):
                if self.leases.release(holder):
                    self._lost(say("control.given_back"))
                return bus.Accepted()
            case _:
                if command.holder != self.leases.holder:
                    return bus.Denied(reason=say("control.ask_first", robot=self.robot), kind="lease")
                if not isinstance(command, bus.Pause | bus.Arrange | bus.SetReduced) and command.stops < self.stops:
                    void = say("robot.stopped_or_started_since", robot=self.robot)
                    return bus.Denied(reason=void, kind="stopped")
                return self._move(command)

    def _halt(self, halt: bus.Halt) -> bus.Halted:
        """Obey at once; whatever goes wrong with it, everything requested before is void."""
        self.stops += 1
        self.tell("halt", halt.who, say("stop.stops", who=halt.who))
        fresh = self._fresh()
        reason = "" if fresh else self._why_not(fresh)
        for drive in self.drives.values():
            if drive.is_known and not (fresh and drive.rests):
                self._begin_stop(drive, "by the controller" if halt.kind == "now" else None)
        if fresh and not self.meter.running:
            self.meter.note_rest(self.stops)
        try:
            if halt.kind == "now":
                self.controller.stop("now")
                self._each(lambda drive: drive.abandon("stopped", say("stop.by", who=halt.who)))
            else:
                self.halt(say("stop.by", who=halt.who))
        except OpenPendantError as error:
            reason = error.said
        return bus.Halted(stops=self.stops, reason=reason)

    def _lend(self, ask: bus.AskLease, now_ns: int) -> bus.Answer:
        answer = self.leases.request(ask.holder, ask.name, ask.hold_s, now_ns, take_over=ask.take_over)
        if isinstance(answer, NotGranted):
            return bus.Denied(reason=answer.reason, kind="lease")
        if answer.taken_from:
            self._lost(say("control.takes_over", name=ask.name, other=answer.taken_from))
        self.gate.trust(ask.holder, clock_offset_ns=0)
        return bus.Accepted()

    def _move(
        self,
        command: bus.Follow
        | bus.Approach
        | bus.Upload
        | bus.Engage
        | bus.Pause
        | bus.Resume
        | bus.SetPace
        | bus.SetReduced
        | bus.SetDigital
        | bus.MoveTool
        | bus.Arrange,
    ) -> bus.Answer:
        match command:
            case bus.Follow():
                self._follow(command)
            case bus.Approach():
                self._approach(command)
            case bus.Upload():
                self._upload(command)
            case bus.Engage(job=job, arm=arm, holder=holder, needs_dead_man=needed):
                drive = self._free(arm)
                dt = self.controller.capabilities.tick_ns * 1e-9
                motion = ServoMotion(drive.parts.make_servo(), drive.q_rest, dt, drive.parts.obstacles)
                drive.begin(job, motion, holder, needs_dead_man=needed or self._dead_man)
            case bus.Pause():
                self._each(Drive.pause)
            case bus.Resume():
                self._check_ready()
                for drive in self.drives.values():
                    if drive.outcome == "paused":
                        drive.resume()
            case bus.SetPace(pace=pace):
                self._set_pace(pace)
            case bus.SetReduced(reduced=reduced):
                self.gate.reduced = reduced
                self.tell("reduced", "", say("word.on") if reduced else say("word.off"))
            case bus.SetDigital(name=name, value=value):
                self.controller.set_output(name, value)
            case bus.MoveTool(arm=arm, opening_m=opening, closes=closes):
                self.controller.tool(self._drive(arm).parts.name, opening, closes=closes)
            case bus.Arrange():
                if not self.at_rest:
                    raise ControllerError(f"{self.robot} moves; things around it are arranged while it rests")
                if self._arrange is not None:
                    self._arrange(command)
        return bus.Accepted()

    def _follow(self, command: bus.Follow) -> None:
        drive = self._free(command.arm)
        _check_pace(command.pace)
        trajectory = decode_trajectory(command.trajectory)
        limits = drive.parts.limits
        if trajectory.dof != limits.dof:
            raise InputError(f"path of {trajectory.dof} joints for {drive.parts.name}, which has {limits.dof}")
        trajectory = replace(trajectory, limits=limits)
        worst = trajectory.worst_ratios()
        if not all(ratio <= WITHIN for ratio in worst):
            raise InputError(f"the path passes limits of {drive.parts.name}: velocity, acceleration, jerk × {worst}")
        self._check_start(drive, trajectory.q_start)
        tick_ns = self.controller.capabilities.tick_ns
        top = self._top(drive, trajectory)
        drive.begin(command.job, PathMotion(trajectory, drive.q_rest, tick_ns, command.pace, top), command.holder)

    def _top(self, drive: Drive, trajectory: Trajectory) -> PathTop:
        """Return how fast tool and elbow get along a trajectory, and may get from where the arm rests."""
        name = drive.parts.name
        along = trajectory.sample(LOOK_S)
        lead = (1.5 / JOIN_S * np.abs(drive.q_rest - trajectory.q_start))[None, :]
        return PathTop(
            self.gate.speeds_along(name, along.q, along.qd),
            LOOK_S,
            self.gate.speed_limit(name, drive.q_rest),
            float(self.gate.speeds_along(name, along.q[:1], lead)[0]),
        )

    def _approach(self, command: bus.Approach) -> None:
        drive = self._free(command.arm)
        limits = drive.parts.limits
        q = drive.parts.kinematics.check_q(command.q)
        for name, value in (("gain", command.gain), ("tolerance_rad", command.tolerance_rad)):
            if not 0.0 < value < np.inf:
                raise InputError(f"{name} is {value}; it must be a positive number")
        if not 0.1 <= command.exponent <= 2.0:
            raise InputError(f"exponent is {command.exponent}; allowed is 0.1 to 2")
        dt = self.controller.capabilities.tick_ns * 1e-9
        motion = ApproachMotion(
            drive.q_rest,
            q,
            limits,
            dt,
            gain=command.gain,
            exponent=command.exponent,
            tolerance=command.tolerance_rad,
        )
        drive.begin(command.job, motion, command.holder)

    def _upload(self, command: bus.Upload) -> None:
        drive = self._free(command.arm)
        corridor = Corridor.decode(command.corridor)
        if corridor.points.shape[1] != drive.parts.limits.dof:
            raise InputError(f"corridor of {corridor.points.shape[1]} joints for {drive.parts.name}")
        self._check_start(drive, np.array(command.q_start))
        self.controller.run(VendorText(command.dialect, command.name, command.text))
        drive.begin_uploaded(command.job, corridor, command.holder)

    def _set_pace(self, pace: float) -> None:
        _check_pace(pace)
        for drive in self.drives.values():
            if isinstance(drive.motion, PathMotion):
                drive.motion.set_pace(pace)

    def _check_start(self, drive: Drive, q_start: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
        away = np.abs(drive.q_measured - q_start) if q_start.shape == drive.q_measured.shape else np.array([np.inf])
        if not float(away.max()) <= START_RAD:
            joint = int(away.argmax()) + 1
            raise ControllerError(
                f"the path begins {float(away.max()):.4f} rad away from where joint {joint} of {drive.parts.name} is; "
                f"allowed is {START_RAD}"
            )

    def _check_ready(self) -> None:
        fresh = self._fresh()
        if not (fresh and self.state.can_move):
            raise ControllerError(say("robot.cannot_move", robot=self.robot, why=self._why_not(fresh)))

    def _drive(self, arm: str) -> Drive:
        if not arm:
            return next(iter(self.drives.values()))
        if arm not in self.drives:
            raise UnknownNameError("arm of this robot", arm, self.drives)
        return self.drives[arm]

    def _free(self, arm: str) -> Drive:
        """Return an arm that can begin something new."""
        drive = self._drive(arm)
        self._check_ready()
        drive.make_room()
        if drive.busy:
            raise ControllerError(say("robot.busy", arm=drive.parts.name, job=drive.job))
        if drive.speed > 5.0 * REST_RAD_S:
            raise ControllerError(say("robot.still_moving", arm=drive.parts.name))
        return drive

    def tell(self, kind: RobotEventKind, about: str, message: str) -> None:
        """Write something into the log."""
        self._events += 1
        event = bus.RobotEvent(
            robot=self.robot, number=self._events, stamp_ns=self._now_ns, kind=kind, about=about, message=message
        )
        self._log.append(event)
        self._new.append(event)


def _check_pace(pace: float) -> None:
    if not LEAST_PACE <= pace <= 1.0:
        raise InputError(f"pace {pace}; allowed is {LEAST_PACE:g} to 1")
