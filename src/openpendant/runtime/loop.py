"""RobotLoop: the synchronous tick of one robot: commands and intents in, setpoints through the gate, reports out.

It has no thread, socket or clock; `runtime.process` provides time and the bus.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable

import numpy as np

from openpendant.controllers import Controller, VendorTasks, VendorText
from openpendant.errors import ControllerError, InputError, OpenPendantError, UnknownNameError
from openpendant.gate import Gate, NotGranted
from openpendant.messages import Intent, RobotEventKind, bus
from openpendant.said import mode_word, safety_word, say

from .arm_executor import REST_RAD_S, ArmExecutor, ArmParts
from .corridor import Corridor
from .loop_clock import LoopClock
from .motions import PathMotion, ServoMotion
from .new_motions import approach_motion, check_pace, check_start, path_motion
from .robot_report import report_arms, report_capabilities, report_window
from .stop_meter import StopMeter

FROZEN_S = 0.8
"""A loop that stood still this long abandons its jobs: a lease ends in that time, and supervision was missing."""
STUMBLE_S = 0.04
"""After a gap this long it continues from rest: the robot has braked by itself, or is about to."""
READ_S = 0.05
"""In this time a loop that stood still reads what came meanwhile; until then no client counts as silent."""
STALE_S, STALE_STATES = 0.25, 3
"""A state older than this, and than this number of the controller's periods, counts as lost, less the loop's gaps."""
KEPT_EVENTS = 1000
LeasedCommand = (
    bus.Follow
    | bus.Approach
    | bus.Upload
    | bus.EngageArm
    | bus.PauseMotion
    | bus.ResumeMotion
    | bus.SetPace
    | bus.ReduceSpeed
    | bus.SetDigital
    | bus.MoveTool
    | bus.Arrange
)
"""Those that only the holder of the lease may give."""


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
            arrange: Called with where things are by now; None: there are no surroundings.
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
            parts.name: ArmExecutor(parts, index, controller, gate, self.report_event, self._begin_stop)
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
        self._note_state(frozen_s)
        for event in self.controller.events():
            self.report_event(event.kind, event.about, event.message)
        if frozen_s > FROZEN_S and self._was_moving:
            self.controller.stop("path")
            self._each(lambda drive: drive.abandon("held", say("process.frozen", frozen_s=frozen_s)))
        elif frozen_s > STUMBLE_S and self._was_moving:
            self.report_event("stumbled", "", say("process.late", late_ms=1000.0 * frozen_s))
            self._each(ArmExecutor.stumble)
        self._watch_robot()
        if frozen_s > STUMBLE_S:
            self.leases.outlive(now_ns + int(READ_S * 1e9))
        self._watch_lease(now_ns)
        for drive in self.drives.values():
            drive.tick(now_ns)
        if self.meter.tick(now_ns, self.stops, fresh=self._fresh()) is not None:
            self.report_event("stopped", "", self.meter.sentence)
        elif self._fresh() and self.meter.overdue(now_ns):
            self.report_event("fault", "", say("stop.overdue"))
            self._stop_now(say("stop.stopped_by_controller"))
        self._was_moving = not self.at_rest

    def _note_state(self, frozen_s: float) -> None:
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
        """Renew the lease of a holder that is alive."""
        self.leases.renew(renewal.holder, renewal.stamp_ns)

    def lose(self, holder: str) -> None:
        """Forget a client that has gone."""
        name = self.leases.name
        if self.leases.release(holder):
            self._lost(say("control.gone", name=name))

    def intend(self, intent: Intent, now_ns: int) -> None:
        """Take an intent; it counts where its source holds the lease and has engaged the arm."""
        drive = self.drives.get(intent.arm) if intent.arm else next(iter(self.drives.values()))
        if drive is None or intent.source != self.leases.holder or not isinstance(drive.motion, ServoMotion):
            return
        try:
            drive.motion.accept_intent(intent, now_ns)
        except InputError as error:
            self.report_event("warning", drive.parts.name, error.said)

    def command(self, command: bus.Command, now_ns: int) -> bus.Reply:
        """Do as commanded, or say why not."""
        try:
            return self._obey(command, now_ns)
        except InputError as error:
            return bus.Denied(reason=error.said, kind="input")
        except OpenPendantError as error:
            return bus.Denied(reason=error.said, kind="state")
        except Exception as error:  # A process that dies cannot stop its robot.
            fault = f"{type(error).__name__}: {error}"
            self.report_event("fault", type(command).__name__, fault)
            return bus.Denied(reason=fault, kind="state")

    def drain_events(self) -> list[bus.RobotEvent]:
        """Return what has happened since the last call."""
        new, self._new = self._new, []
        return new

    def report(self, now_ns: int) -> bus.RobotReport:
        """Return how the robot is now."""
        state, fresh = self.state, self._fresh(now_ns)
        self._reports += 1
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
            arms=report_arms(state, self.drives.values()),
            inputs=dict(state.inputs),
            outputs=dict(state.outputs),
            holder=self.leases.name,
            holder_id=self.leases.holder,
            pid=os.getpid(),
            timing=self.clock.timing(),
            reduced=self.gate.reduced,
            stops=self.stops,
            stopped=self.meter.last,
            operating=state.operating,
            capabilities=report_capabilities(self.controller.capabilities, self.drives),
            window=report_window(state.window),
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

    def _watch_robot(self) -> None:
        """Give up what moves when the robot no longer obeys."""
        fresh = self._fresh()
        can_move = fresh and self.state.can_move
        if can_move and not self._could_move:
            self.report_event("ready", "", "")
            for drive in self.drives.values():
                drive.keeps_sent = False  # Who knows where it was moved meanwhile.
        elif not can_move and (self._could_move or (self._busy and not (fresh and self._able()))):
            self._stand_down(self._why_not(fresh), fresh)
        self._could_move = can_move

    def _stand_down(self, reason: str, fresh: bool) -> None:
        """Give up what can no longer be done: a program on the controller needs no setpoints of ours.

        A stop that is under way continues while the driver accepts its setpoints.
        """
        lost = not (fresh and self._able())
        given_up = [drive for drive in self.drives.values() if lost or drive.corridor is None]
        if len(given_up) == len(self.drives) and (self._could_move or not all(drive.brakes for drive in given_up)):
            self.report_event("not ready", "", reason)
            if any(drive.corridor is not None for drive in given_up) or not any(drive.streams for drive in given_up):
                self.controller.stop("path")
        for drive in given_up:
            drive.fail(reason)

    @property
    def _busy(self) -> bool:
        return any(drive.busy for drive in self.drives.values())

    def _fresh(self, now_ns: int | None = None) -> bool:
        stale_ns = max(STALE_S * 1e9, STALE_STATES * self.controller.capabilities.state_ns)
        return self.state.connected and (now_ns or self._now_ns) - self._heard_ns < stale_ns

    def _able(self) -> bool:
        """Whether the robot itself could move, whoever steers it."""
        return self.state.mode == "ready" and self.state.safety in ("normal", "reduced")

    def _watch_lease(self, now_ns: int) -> None:
        silent = self.leases.expire(now_ns)
        if silent is not None:
            self._lost(say("control.silent", name=silent[0], silent_s=round(silent[1], 2)))

    def _lost(self, reason: str) -> None:
        self.report_event("lease lost", "", reason)
        self._each(lambda drive: drive.brake("stopped", reason))
        self.gate.hold("lease", reason)

    def _begin_stop(self, drive: ArmExecutor, how: bus.StopHow | None) -> None:
        self.meter.begin(drive, self._now_ns, how)

    def _each(self, act: Callable[[ArmExecutor], None]) -> None:
        for drive in self.drives.values():
            act(drive)

    def _obey(self, command: bus.Command, now_ns: int) -> bus.Reply:
        match command:
            case bus.Halt():
                return self._halt(command)
            case bus.EventsRequest(after=after):
                return bus.LoggedEvents(events=tuple(event for event in self._log if event.number > after))
            case bus.LeaseRequest():
                return self._lend(command, now_ns)
            case bus.DropLease(holder=holder):
                if self.leases.release(holder):
                    self._lost(say("control.given_back"))
                return bus.Accepted()
            case _:
                if command.holder != self.leases.holder:
                    return bus.Denied(reason=say("control.ask_first", robot=self.robot), kind="lease")
                if self._is_void(command):
                    void = say("robot.stopped_or_started_since", robot=self.robot)
                    return bus.Denied(reason=void, kind="stopped")
                return self._move(command)

    def _halt(self, halt: bus.Halt) -> bus.Halted:
        """Obey at once; whatever goes wrong with it, everything requested before is void."""
        self.stops += 1
        self.report_event("halt", halt.who, say("stop.stops", who=halt.who))
        fresh = self._fresh()
        reason = "" if fresh else self._why_not(fresh)
        for drive in self.drives.values():
            if drive.has_position and not (fresh and drive.rests):
                self._begin_stop(drive, None)
        if fresh and not self.meter.running:
            self.meter.note_rest(self.stops)
        try:
            if halt.kind == "now":
                self._stop_now(say("stop.by", who=halt.who))
            else:
                self.halt(say("stop.by", who=halt.who))
        except OpenPendantError as error:
            reason = error.said
        return bus.Halted(stops=self.stops, reason=reason)

    def _stop_now(self, reason: str) -> None:
        """Let the controller stop everything as fast as it can."""
        for drive in self.drives.values():
            if drive.has_position and not (self._fresh() and drive.rests):
                # How a program of the controller was stopped is reported by the driver, once that is known.
                streamed = drive.corridor is None and self.state.can_move
                means = self.controller.capabilities.fastest_stop if streamed else ""
                self.meter.begin(drive, self._now_ns, "by the controller", means)
        self.controller.stop("now")
        self._each(lambda drive: drive.abandon("stopped", reason))

    def _lend(self, request: bus.LeaseRequest, now_ns: int) -> bus.Reply:
        granted = self.leases.request(request.holder, request.name, request.hold_s, now_ns, take_over=request.take_over)
        if isinstance(granted, NotGranted):
            return bus.Denied(reason=granted.reason, kind="lease")
        if granted.taken_from:
            self._lost(say("control.takes_over", name=request.name, other=granted.taken_from))
        self.gate.trust(request.holder, clock_offset_ns=0)
        return bus.Accepted()

    def _is_void(self, command: LeasedCommand) -> bool:
        """Return whether a command was requested before the last stop; what moves nothing counts at any age."""
        match command:
            case bus.PauseMotion() | bus.Arrange() | bus.ReduceSpeed(reduced=True):
                return False
            case _:
                return command.stops < self.stops

    def _move(self, command: LeasedCommand) -> bus.Reply:
        match command:
            case bus.Follow():
                self._follow(command)
            case bus.Approach():
                self._approach(command)
            case bus.Upload():
                self._upload(command)
            case bus.EngageArm(job=job, arm=arm, holder=holder, needs_dead_man=needed):
                self._check_servo()
                drive = self._free(arm)
                dt = self.controller.capabilities.tick_ns * 1e-9
                motion = ServoMotion(drive.parts.make_servo(), drive.q_rest, dt, drive.parts.obstacles)
                drive.begin(job, motion, holder, needs_dead_man=needed or self._dead_man)
            case bus.PauseMotion():
                self._each(ArmExecutor.pause)
            case bus.ResumeMotion():
                self._check_ready()
                for drive in self.drives.values():
                    if drive.outcome == "paused":
                        drive.resume()
            case bus.SetPace(pace=pace):
                self._set_pace(pace)
            case bus.ReduceSpeed(reduced=reduced):
                self.gate.reduced = reduced
                self.report_event("reduced", "", say("word.on") if reduced else say("word.off"))
            case bus.SetDigital(name=name, value=value):
                self.controller.set_output(name, value)
            case bus.MoveTool(arm=arm, opening_m=opening, closes=closes):
                self.controller.tool(self._drive(arm).parts.name, opening, closes=closes)
            case bus.Arrange():
                if not self.at_rest:
                    raise ControllerError(say("robot.arrange_moving", robot=self.robot))
                if self._arrange is not None:
                    self._arrange(command)
        return bus.Accepted()

    def _follow(self, command: bus.Follow) -> None:
        self._check_servo()
        drive = self._free(command.arm, command.tcps)
        drive.begin(command.job, path_motion(command, drive, self.controller.capabilities, self.gate), command.holder)

    def _approach(self, command: bus.Approach) -> None:
        self._check_servo()
        drive = self._free(command.arm)
        drive.begin(command.job, approach_motion(command, drive, self.controller.capabilities), command.holder)

    def _upload(self, command: bus.Upload) -> None:
        first = bus.UploadedArm(arm=command.arm, corridor=command.corridor, q_start=command.q_start, tcps=command.tcps)
        watched = [self._watched(one) for one in (first, *command.others)]
        drives = tuple(drive for drive, _ in watched)
        names = [drive.parts.name for drive in drives]
        if len(set(names)) < len(names):
            raise InputError(f"{command.name} names an arm twice: {', '.join(names)}")
        strangers = {one.arm for one in command.beside} - {"", *names}
        if strangers:
            raise InputError(f"{command.name} also moves {', '.join(sorted(strangers))}, which nothing would watch")
        main = VendorText(command.dialect, command.name, command.text, command.task, names[0])
        beside = (VendorText(one.dialect, one.name, one.text, one.task, one.arm) for one in command.beside)
        self.controller.run(VendorTasks(command.name, (main, *beside)) if command.beside else main)
        for drive, corridor in watched:
            drive.begin_uploaded(command.job, corridor, command.holder, drives)

    def _watched(self, arm: bus.UploadedArm) -> tuple[ArmExecutor, Corridor]:
        """Return an arm that an upload can move, and its corridor."""
        drive = self._free(arm.arm, arm.tcps)
        corridor = Corridor.decode(arm.corridor)
        if corridor.points.shape[1] != drive.parts.limits.dof:
            raise InputError(f"corridor of {corridor.points.shape[1]} joints for {drive.parts.name}")
        check_start(drive, np.array(arm.q_start))
        return drive, corridor

    def _set_pace(self, pace: float) -> None:
        check_pace(pace)
        for drive in self.drives.values():
            if isinstance(drive.motion, PathMotion):
                drive.motion.set_pace(pace)

    def _check_servo(self) -> None:
        if not self.controller.capabilities.servo:
            raise InputError(say("robot.no_servo", robot=self.robot))

    def _check_ready(self) -> None:
        fresh = self._fresh()
        if not (fresh and self.state.can_move):
            raise ControllerError(say("robot.cannot_move", robot=self.robot, why=self._why_not(fresh)))

    def _drive(self, arm: str) -> ArmExecutor:
        if not arm:
            return next(iter(self.drives.values()))
        if arm not in self.drives:
            raise UnknownNameError("arm of this robot", arm, self.drives)
        return self.drives[arm]

    def _free(self, arm: str, tcps: bus.Tcps = ()) -> ArmExecutor:
        """Return an arm that can begin something new, which names these TCPs."""
        drive = self._drive(arm)
        self._check_ready()
        drive.end_idle_job()
        if drive.busy:
            raise ControllerError(say("robot.busy", arm=drive.parts.name, job=drive.job))
        if drive.speed > 5.0 * REST_RAD_S:
            raise ControllerError(say("robot.still_moving", arm=drive.parts.name))
        self.gate.name_tcps(drive.parts.name, np.array(tcps))
        return drive

    def report_event(self, kind: RobotEventKind, about: str, message: str) -> None:
        """Write something into the log."""
        self._events += 1
        event = bus.RobotEvent(
            robot=self.robot, number=self._events, stamp_ns=self._now_ns, kind=kind, about=about, message=message
        )
        self._log.append(event)
        self._new.append(event)
