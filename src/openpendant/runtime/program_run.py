"""ProgramRun: a program on its way through the robots of a running cell, streamed or uploaded."""

import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from openpendant.errors import ControllerError, InputError, OpenPendantError
from openpendant.messages import bus
from openpendant.pool import Work, WorkPool
from openpendant.programs import Program, Report, RunEvent, RunStatus, called_by, fingerprint_of, named_tcps
from openpendant.programs.run import Breakpoints, Runner
from openpendant.programs.sequence import Resumption
from openpendant.said import say
from openpendant.scene import Cell, CollisionWorld, Scene

from .interrupted_run import InterruptedRun
from .link import CellLink
from .remote_port import RUN_TICK_S, RemotePort
from .remote_robot import REST_S, RemoteRobot
from .run_life import RunLife, RunState
from .run_options import RunMode, RunOptions
from .run_watch import RunWatch
from .run_work import wait_for_work
from .stops import StopCounts, StoppedError
from .upload import prepare_upload

START_RAD = 0.01
"""So near to where the check began every arm must stand."""
STOPPING_S = 2.0
"""A controller that still runs its program this long after a stop has not obeyed it."""
TOGETHER: tuple[bus.Outcome, ...] = ("running", "paused", "none", "failed", "held", "stopped", "done")
"""How a job of several arms stands, by how each of them does: as the first of these that there is."""
READY_S = 10.0
"""How long a run waits for a robot that is not ready."""


class ProgramRun:
    """One run. It pins the cell and the programs as they are when it is made."""

    def __init__(
        self,
        cell: Cell,
        program: Program,
        programs: Mapping[str, Program],
        robots: Mapping[str, RemoteRobot],
        folder: Path | None,
        link: CellLink,
        since: StopCounts,
        options: RunOptions | None = None,
        life: RunLife | None = None,
    ) -> None:
        """Made by `CellRuntime.prepare_run`; a stop after `since` makes it void."""
        self.program = program
        self.options = RunOptions() if options is None else options
        self.life = RunLife(program.name) if life is None else life
        """Its state, and what leads from one to the next."""
        self._cell, self._programs, self._folder = cell, dict(programs), folder
        self._link, self._since = link, since
        needed = robots_of(program, self._programs)
        self._robots = {name: robots[name] for name in needed if name in robots}
        self._report: Report | None = None
        self._runner: Runner | None = None
        self._begins: tuple[str | Resumption | None, Scene | None, bool] = (None, None, False)
        self._arranged: Scene | None = None
        self._job: tuple[RemoteRobot, str, tuple[str, ...]] | None = None
        self._ports: dict[str, RemotePort] = {}
        self._watch = RunWatch(link, self._robots, since)
        self._stopping_ns = 0
        self.interrupted: InterruptedRun | None = None
        """Where it can be resumed, once it has ended before its end (streamed); None: nowhere."""
        self.mode: RunMode = "streamed"
        """How it runs, once its robots are ready."""

    @property
    def status(self) -> RunStatus:
        """How it stands: 'ready' until it begins, then 'running' or 'paused', at last 'done', 'failed' or 'stopped'."""
        return self.life.status

    @property
    def state(self) -> RunState:
        """How it stands, in full."""
        return self.life.state

    @property
    def message(self) -> str:
        """What it waits for, or why it failed or was stopped."""
        return self.life.message

    @property
    def events(self) -> tuple[RunEvent, ...]:
        """What has happened, step by step; events of an uploaded run are in the robot's own log."""
        return () if self._runner is None else tuple(self._runner.events)

    @property
    def step_id(self) -> str | None:
        """The step whose turn it is (streamed)."""
        return None if self._runner is None else self._runner.step_id

    @property
    def step_in(self) -> str:
        """The program whose step it is: its own, or one that it calls."""
        return self.program.name if self._runner is None else self._runner.step_in

    @property
    def variables(self) -> Mapping[str, float]:
        """Variables of the program whose step it is, as they are by now (streamed)."""
        return {} if self._runner is None else self._runner.variables

    @property
    def begun(self) -> bool:
        """Whether it was started on its robots."""
        return self._runner is not None or self._job is not None

    @property
    def scene(self) -> Scene | None:
        """Where parts and fingers are by now (streamed); None: nothing has begun."""
        return None if self._runner is None else self._runner.props.scene

    def wait_ready(self) -> None:
        """Wait until every robot of it would move and rests; a check before that begins where no run can.

        Raises:
            StoppedError: It was stopped meanwhile.
            ControllerError: One is not ready within ten seconds, or still moves; says why.
            InputError: It is to be streamed, and a robot takes no setpoints; or an upload does not allow an option.
        """
        self.life.advance("checking")
        self._wait_ready()
        for name, robot in self._robots.items():
            if not robot.wait_rest(REST_S):
                raise ControllerError(say("robot.still_moving", arm=name))
        self.life.raise_if_over()
        self.mode = self._choose_mode()

    def _wait_ready(self) -> None:
        for robot in self._robots.values():
            robot.wait_ready(READY_S, unless=lambda: self.life.over)
        self.life.raise_if_over()

    def check(self, begin_check: Callable[[], Work[Report]]) -> None:
        """Wait until its robots are ready, and have it checked from where they stand. Nothing moves.

        Args:
            begin_check: Has it checked; called when they are ready.

        Raises:
            StoppedError: It was stopped meanwhile.
            ControllerError: A robot is not ready, or the check makes no progress.
            OpenPendantError: It cannot be checked; says why.
        """
        self.wait_ready()
        self._report = wait_for_work(begin_check(), self.life, self._link)

    def use_report(self, report: Report) -> None:
        """Wait until its robots are ready. Nothing begins unless they are where the report does.

        Args:
            report: Of `CellRuntime.check`.

        Raises:
            StoppedError: It was stopped meanwhile.
            ControllerError: A robot is not ready.
            InputError: A robot takes no setpoints, or an upload does not allow an option.
        """
        self.wait_ready()
        self._report = report

    def begin(self, scene: Scene | None, pool: WorkPool) -> None:
        """Begin what was checked, as its options say.

        Args:
            scene: Where parts and fingers are when it begins; None: as the cell says.
            pool: Where a vendor's program is written.

        Raises:
            InputError: It was not checked, or as `start_streamed` and `start_uploaded`; so are the other errors.
        """
        report, how = self._report, self.options
        if report is None:
            raise InputError(f"{self.program.name} was not checked")
        if self.mode == "uploaded":
            self.start_uploaded(report, reduced=how.reduced, pool=pool)
        else:
            self.start_streamed(
                report,
                reduced=how.reduced,
                loop=how.loop,
                start_at=how.start_at,
                scene=scene,
                single=how.single,
            )

    def _choose_mode(self) -> RunMode:
        """Return how it will run: as wanted, or streamed where all its robots take setpoints."""
        wanted = self.options.mode
        deaf = next((name for name, robot in self._robots.items() if not robot.state.capabilities.servo), "")
        if wanted == "streamed" and deaf:
            raise InputError(say("run.no_servo", robot=deaf))
        mode = wanted or ("uploaded" if deaf else "streamed")
        self.options.check(mode)
        return mode

    def start_streamed(
        self,
        report: Report,
        *,
        reduced: bool | None,
        loop: bool,
        start_at: str | Resumption | None = None,
        scene: Scene | None = None,
        single: bool = False,
    ) -> None:
        """Begin, every setpoint made here and passed by the gates. Called by `begin`.

        Args:
            report: Of the check of this program from where the arms stand.
            reduced: Whether the tool stays under 250 mm/s also where a robot itself does not see to it; None: no.
            loop: Whether it begins again when it ends; the report is of the same.
            start_at: The id of the step to begin with, or where an earlier run was interrupted; None: the first.
            scene: Where parts and fingers are when it begins; None: as the cell says.
            single: Whether it pauses after its first step.

        Raises:
            InputError: The report is not clear, or of another program, cell or start; or the run has begun before.
            UnknownNameError: No step has the id `start_at`.
            LeaseError: Somebody else has control of a robot.
            StoppedError: A stop came before the run began.
            ControllerError: A robot is not ready; says why.
            BusError: A robot does not answer a request for control.
        """
        self.life.advance("starting")
        self._begins = (start_at, scene, loop)
        self._check_report(report)
        self._wait_ready()
        for robot in self._robots.values():
            robot.acquire()
        tcps = named_tcps(Scene(self._cell, self._folder), self.program, self._programs)
        self._ports = {
            name: RemotePort(robot, reduced=bool(reduced), since=self._since, arrange=self._arrange, tcps=tcps)
            for name, robot in self._robots.items()
        }
        others = {name: one for name, one in self._programs.items() if name != self.program.name}
        self._runner = Runner(
            self._cell,
            self.program,
            self._ports,
            programs=others,
            folder=self._folder,
            world=None if scene is None else CollisionWorld(scene),
            loop=loop,
        )
        self._runner.set_breakpoints(self.options.breakpoints)
        self._runner.start(start_at)
        if single:
            self._runner.step()
        self._begin(self._tick_runner)

    def start_uploaded(self, report: Report, *, reduced: bool | None, pool: WorkPool) -> None:
        """Begin on the robot's own controller. Called by `begin`.

        Args:
            report: Of the check of this program from where the arms stand.
            reduced: Whether the tool stays under 250 mm/s also where the robot itself does not see to it; None: no.
            pool: Where the vendor's program is written.

        Raises:
            InputError: The report is not clear, or of another program, cell or start; the robot does not run; or the
                program cannot be written in its language.
            LeaseError: Somebody else has control of the robot.
            StoppedError: A stop came before the run began.
            ControllerError: The robot is not ready, or refuses the program; says why.
            BusError: The robot does not answer a request for control.
        """
        self.life.advance("starting")
        self._check_report(report)
        robot = self._robots.get(self.program.robot)
        if robot is None:
            raise InputError(say("run.robot_off", robot=self.program.robot))
        self._wait_ready()
        robot.acquire()
        slow = robot.reduced or bool(reduced)
        others = {name: one for name, one in self._programs.items() if name != self.program.name}
        export = pool.begin(
            prepare_upload, self._cell, self.program, others, self._folder, report.start.q, reduced=slow
        )
        ready = wait_for_work(export, self.life, self._link)
        arm = ready.arm.split("/", 1)[1]
        job = f"upload-{uuid.uuid4().hex[:12]}"
        q_start = report.start.q[ready.arm]
        robot.upload(
            job, arm, ready.text, ready.corridor, q_start, tcps=ready.tcps, others=ready.others, since=self._since
        )
        self._job = (robot, job, (arm, *(one.name for one in ready.others)))
        try:
            self._begin(self._follow_upload)
        except StoppedError:
            # The robot has taken the program, so the stop that came meanwhile has not reached it.
            self._link.halt(self._robots, rest_within_s=0.0)
            raise

    def pause(self) -> None:
        """Come to rest on the path; a run that is uploaded can only be stopped.

        Raises:
            InputError: It is uploaded.
        """
        self._streamed("run.paused").pause()

    def resume(self) -> None:
        """Resume after a pause."""
        self._streamed("run.resumed").resume()

    def step(self) -> None:
        """Make one step and pause."""
        self._streamed("run.stepped").step()

    def set_speed(self, fraction: float) -> None:
        """Set the override of all speeds, also of the move under way.

        Args:
            fraction: Share of the programmed speeds, 0.01 to 1.

        Raises:
            InputError: The fraction is out of range, or the run is not streamed.
        """
        self._streamed("run.slowed").set_speed(fraction)

    def set_breakpoints(self, breakpoints: Breakpoints) -> None:
        """Pause before these steps, by program and id, and before no others.

        Args:
            breakpoints: Names of programs with ids of steps.

        Raises:
            InputError: The run is not streamed.
        """
        if self._runner is None:
            raise InputError(say("run.no_breakpoints"))
        self._runner.set_breakpoints(breakpoints)

    def stop(self) -> None:
        """Come to rest and end. The stop is sent to the robots at once, in every phase of the run."""
        self.forbid()
        self._link.halt(self._robots)

    def forbid(self) -> None:
        """Begin nothing new, and end; the caller stops the robots."""
        self.life.stop()
        if self._runner is not None:
            self._runner.stop()

    def fail(self, error: BaseException) -> None:
        """End a run that could not begin.

        Args:
            error: Why.
        """
        self.life.end("stopped" if isinstance(error, StoppedError) else "failed", error_text(error))

    def wait(self, within_s: float | None = None) -> RunStatus:
        """Wait until the run is over, and return how it stands then.

        Args:
            within_s: How long to wait at most, seconds; None: without limit.
        """
        self.life.wait(within_s)
        return self.status

    def _streamed(self, done: str) -> Runner:
        if self._runner is None:
            raise InputError(say("run.only_stopped", done=say(done)))
        return self._runner

    def _check_report(self, report: Report) -> None:
        """Refuse a report that does not say that exactly this program is clear from exactly here."""
        if not report.clear:
            raise InputError(say("run.not_clear", program=self.program.name, why=report.summary))
        q = {key: np.array(joints) for key, joints in report.start.q.items()}
        start_at, scene, loop = self._begins
        wanted = fingerprint_of(self._cell, self._programs, q, start_at=start_at, scene=scene, loop=loop)
        if report.program != self.program.name or report.fingerprint != wanted:
            raise InputError(say("run.report_old", program=self.program.name))
        for name, robot in self._robots.items():
            for arm in robot.state.arms:
                key = f"{name}/{arm}"
                away = float(np.abs(robot.q(arm) - q[key]).max()) if key in q else np.inf
                if away > START_RAD:
                    raise InputError(say("run.start_moved", arm=key, away_rad=away))

    def _arrange(self) -> None:
        """Have the gates know where parts are by now."""
        runner = self._runner
        if runner is not None and runner.props.scene is not self._arranged:
            self._arranged = runner.props.scene
            for robot in self._robots.values():
                robot.arrange(self._arranged)

    def _begin(self, tick: Callable[[], bool]) -> None:
        """Let it run from now on; raises StoppedError where a stop came first."""
        for robot in self._robots:
            self._link.stops_of(robot, self._since)
        self.life.advance("running")
        self._watch.begin()
        self._link.clock.every(RUN_TICK_S, tick, f"openpendant-run-{self.program.name}")

    def _tick_runner(self) -> bool:
        """Let one tick pass; return whether it continues."""
        runner = self._runner
        if runner is None or self.life.over:
            return False
        try:
            status = runner.tick()
            if status in ("running", "paused"):
                self._watch.poll()
                self.life.follow(runner.message, paused=status == "paused")
                self._watch.watch_progress(self._progress(runner), waits=runner.waits)
                return True
            self._end(status, runner.message)
        except OpenPendantError as error:
            # A robot may refuse a request from before a stop sooner than its report shows the stop.
            stopped = isinstance(error, StoppedError) or self.life.state == "stopping" or self._watch.stopped
            self._end("stopped" if stopped else "failed", error.said)
        except Exception as error:
            # Whoever waits for the run must be notified of any error.
            self._end("failed", error_text(error))
            raise
        return False

    def _progress(self, runner: Runner) -> tuple[object, ...]:
        """Return a value that changes while the run makes progress."""
        places = tuple(port.place for port in self._ports.values())
        openings = tuple(arm.opening_m for one in self._robots.values() for arm in one.state.arms.values())
        return (len(runner.events), places, openings, runner.status)

    def _follow_upload(self) -> bool:
        """Look how the program on the controller stands; return whether it continues."""
        if self._job is None or self.life.over:
            return False
        robot, job, arms = self._job
        stopping = self.life.state == "stopping" or self._watch.stopped
        try:
            self._watch.poll(stops=False)
            outcome, reason = min((robot.outcome(job, arm) for arm in arms), key=lambda one: TOGETHER.index(one[0]))
            # What the robot's process knows of it watches itself: there it fails where it makes no progress.
            self._watch.watch_progress((outcome,), waits=stopping or outcome != "none")
        except OpenPendantError as error:
            self._end("failed", error.said)
            return False
        now_ns = self._link.clock.now_ns()
        if stopping:
            self._stopping_ns = self._stopping_ns or now_ns
            if outcome in ("none", "running") and now_ns - self._stopping_ns > STOPPING_S * 1e9:
                outcome, reason = "failed", say("run.still_runs", robot=robot.name, after_s=STOPPING_S)
        if outcome in ("none", "running", "paused"):
            return True
        self._end("done" if outcome == "done" else "stopped" if outcome == "stopped" else "failed", reason)
        return False

    def _end(self, status: RunStatus, message: str) -> None:
        if status != "done":
            # Robots that a stop has not reached yet may still move, or wait to be resumed. The others must not be
            # stopped once more: that would make void what was requested after the stop.
            moving = [robot for robot in self._robots if not self._link.stopped_since(robot, self._since)]
            self._link.halt(moving, rest_within_s=0.0)
            self._note_interruption()
        self.life.end("done" if status == "done" else "stopped" if status == "stopped" else "failed", message)

    def _note_interruption(self) -> None:
        """Keep where it was, and where its arm comes to rest."""
        found = None if self._runner is None else self._runner.interruption
        if found is not None:
            self.interrupted = InterruptedRun(found, self._robots[found.arm.split("/", 1)[0]])
            self._link.clock.every(RUN_TICK_S, self.interrupted.watch, f"openpendant-rest-{self.program.name}")


def error_text(error: BaseException) -> str:
    """Return the message for people about an error that has ended a run."""
    return error.said if isinstance(error, OpenPendantError) else f"{type(error).__name__}: {error}"


def robots_of(program: Program, programs: Mapping[str, Program]) -> list[str]:
    """Return the robots of a program and of all that it calls, its own first."""
    names, waiting, seen = [program.robot], [program], {program.name}
    while waiting:
        for name in called_by(waiting.pop()):
            if name not in seen and name in programs:
                seen.add(name)
                waiting.append(programs[name])
                names.append(programs[name].robot)
    return list(dict.fromkeys(names))
