"""ProgramRun: a program on its way through the robots of a running cell, streamed or uploaded."""

import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from openpendant.controllers import Controller
from openpendant.errors import ControllerError, InputError, OpenPendantError
from openpendant.motion import Trajectory
from openpendant.programs import Program, Report, RunEvent, Runner, RunStatus, called_by, fingerprint_of
from openpendant.said import say
from openpendant.scene import Cell, CollisionWorld, Scene

from .link import CellLink
from .pool import WorkPool
from .remote import REST_S, RemoteRobot
from .riding import RUN_TICK_NS, RemoteController, RemoteRide
from .run_life import RunLife, RunState
from .run_watch import RunWatch
from .stops import StopCounts, StoppedError
from .uploading import prepare_upload

__all__ = ["ProgramRun", "robots_of"]

START_RAD = 0.01
"""So near to where the check began every arm must stand."""
STOPPING_S = 2.0
"""A controller that still runs its program so long after a stop has not obeyed it."""


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
    ) -> None:
        """Made by `CellRuntime.start_run`; a stop after `since` makes it void."""
        self.program = program
        self.life = RunLife(program.name)
        """Its state, and what leads from one to the next."""
        self._cell, self._programs, self._folder = cell, dict(programs), folder
        self._link, self._since = link, since
        needed = robots_of(program, self._programs)
        self._robots = {name: robots[name] for name in needed if name in robots}
        self._runner: Runner | None = None
        self._begins: tuple[str | None, Scene | None] = (None, None)
        self._arranged: Scene | None = None
        self._job: tuple[RemoteRobot, str, str] | None = None
        self._ride: RemoteRide | None = None
        self._watch = RunWatch(link, self._robots, since)
        self._stopping_ns = 0

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
        """What has happened, step by step; of an uploaded run the robot's own log tells."""
        return () if self._runner is None else tuple(self._runner.events)

    @property
    def step_id(self) -> str | None:
        """The step whose turn it is (streamed)."""
        return None if self._runner is None else self._runner.step_id

    @property
    def scene(self) -> Scene | None:
        """Where parts and fingers are by now (streamed); None: nothing has begun."""
        return None if self._runner is None else self._runner.props.scene

    def wait_ready(self) -> None:
        """Wait until every robot of it would move and rests; a check before that begins where no run can.

        Raises:
            ControllerError: One is not ready within ten seconds, or still moves; says why.
        """
        self.life.advance("checking")
        for robot in self._robots.values():
            robot.wait_ready(10.0)
        for name, robot in self._robots.items():
            if not robot.wait_rest(REST_S):
                raise ControllerError(say("robot.still_moving", arm=name))

    def start_streamed(
        self,
        report: Report,
        *,
        reduced: bool | None,
        loop: bool,
        start_at: str | None = None,
        scene: Scene | None = None,
        single: bool = False,
    ) -> None:
        """Begin, every setpoint made here and passed by the gates. See `CellRuntime.start_run`."""
        self.life.advance("starting")
        self._begins = (start_at, scene)
        self._check_report(report)
        for robot in self._robots.values():
            robot.wait_ready(10.0)
        for robot in self._robots.values():
            robot.acquire()
        controllers = {
            name: RemoteController(robot, reduced=bool(reduced), since=self._since)
            for name, robot in self._robots.items()
        }
        others = {name: one for name, one in self._programs.items() if name != self.program.name}
        self._runner = Runner(
            self._cell,
            self.program,
            controllers,
            programs=others,
            folder=self._folder,
            world=None if scene is None else CollisionWorld(scene),
            loop=loop,
            make_ride=self._begin_ride,
        )
        self._runner.start(start_at)
        if single:
            self._runner.step()
        self._begin(self._tick_runner)

    def start_uploaded(self, report: Report, *, reduced: bool | None, pool: WorkPool) -> None:
        """Begin on the robot's own controller. See `CellRuntime.start_run`."""
        self.life.advance("starting")
        self._check_report(report)
        robot = self._robots.get(self.program.robot)
        if robot is None:
            raise InputError(say("run.robot_off", robot=self.program.robot))
        robot.wait_ready(10.0)
        robot.acquire()
        slow = robot.reduced or bool(reduced)
        others = {name: one for name, one in self._programs.items() if name != self.program.name}
        ready = pool.submit(
            prepare_upload, self._cell, self.program, others, self._folder, report.start.q, reduced=slow
        ).result()
        arm = ready.arm.split("/", 1)[1]
        job = f"upload-{uuid.uuid4().hex[:12]}"
        robot.upload(job, arm, ready.text, ready.corridor, report.start.q[ready.arm], since=self._since)
        self._job = (robot, job, arm)
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
        """Go on after a pause."""
        self._streamed("run.resumed").resume()

    def step(self) -> None:
        """Make one step and pause."""
        self._streamed("run.stepped").step()

    def set_speed(self, fraction: float) -> None:
        """Set the override of all speeds, above 0 up to 1."""
        self._streamed("run.slowed").set_speed(fraction)

    def stop(self) -> None:
        """Come to rest and end. The robots are told at once, whatever the run is at."""
        self.forbid()
        self._link.halt(self._robots)

    def forbid(self) -> None:
        """Begin nothing new, and end; to tell the robots is up to the caller."""
        self.life.stop()
        if self._runner is not None:
            self._runner.stop()

    def fail(self, message: str) -> None:
        """End a run that could not begin."""
        self.life.end("failed", message)

    def wait(self, within_s: float | None = None) -> RunStatus:
        """Wait until it is over (or `within_s` have passed), and return how it stands."""
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
        start_at, scene = self._begins
        wanted = fingerprint_of(self._cell, self._programs, q, start_at=start_at, scene=scene)
        if report.program != self.program.name or report.fingerprint != wanted:
            raise InputError(say("run.report_old", program=self.program.name))
        for name, robot in self._robots.items():
            for arm in robot.state.arms:
                key = f"{name}/{arm}"
                away = float(np.abs(robot.q(arm) - q[key]).max()) if key in q else np.inf
                if away > START_RAD:
                    raise InputError(say("run.start_moved", arm=key, away_rad=away))

    def _begin_ride(self, trajectory: Trajectory, controller: Controller, arm: str, speed: float) -> RemoteRide:
        """Begin a ride, with gates that know where parts are by now."""
        runner = self._runner
        if runner is not None and runner.props.scene is not self._arranged:
            self._arranged = runner.props.scene
            for robot in self._robots.values():
                robot.arrange(self._arranged)
        self._ride = RemoteRide(trajectory, controller, arm, speed)
        return self._ride

    def _begin(self, tick: Callable[[], bool]) -> None:
        """Let it run from now on; raises StoppedError where a stop came first."""
        for robot in self._robots:
            self._link.stops_of(robot, self._since)
        self.life.advance("running")
        self._watch.begin()
        self._link.clock.every(RUN_TICK_NS * 1e-9, tick, f"openpendant-run-{self.program.name}")

    def _tick_runner(self) -> bool:
        """Let one tick pass; return whether it goes on."""
        runner = self._runner
        if runner is None or self.life.over:
            return False
        try:
            status = runner.tick()
            if status in ("running", "paused"):
                self._watch.look()
                self.life.follow(runner.message, paused=status == "paused")
                self._watch.look_for_progress(self._progress(runner), waits=runner.waits)
                return True
            self._end(status, runner.message)
        except OpenPendantError as error:
            # A robot may refuse what was asked before a stop sooner than its report tells of the stop.
            stopped = isinstance(error, StoppedError) or self.life.state == "stopping" or self._watch.stopped
            self._end("stopped" if stopped else "failed", error.said)
        except Exception as error:
            # Whoever waits for the run must hear of it, whatever it was.
            self._end("failed", f"{type(error).__name__}: {error}")
            raise
        return False

    def _progress(self, runner: Runner) -> tuple[object, ...]:
        """Return what changes as long as the run gets on."""
        place = 0.0 if self._ride is None else self._ride.place
        openings = tuple(arm.opening_m for one in self._robots.values() for arm in one.state.arms.values())
        return (len(runner.events), place, openings, runner.status)

    def _follow_upload(self) -> bool:
        """Look how the program on the controller stands; return whether it goes on."""
        if self._job is None or self.life.over:
            return False
        robot, job, arm = self._job
        try:
            self._watch.look(stops=False)
        except OpenPendantError as error:
            self._end("failed", error.said)
            return False
        outcome, reason = robot.outcome(job, arm)
        now_ns = self._link.clock.now_ns()
        if self.life.state == "stopping" or self._watch.stopped:
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
        self.life.end("done" if status == "done" else "stopped" if status == "stopped" else "failed", message)


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
