"""ProgramRun: a program on its way through the robots of a running cell, streamed or uploaded."""

import threading
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np

from openpendant.controllers import Controller
from openpendant.errors import ControllerError, InputError, OpenPendantError
from openpendant.messages import bus
from openpendant.motion import Trajectory
from openpendant.programs import Program, Report, RunEvent, Runner, RunStatus, called_by, fingerprint_of
from openpendant.scene import Cell, CollisionWorld, Scene

from .link import CellLink
from .pool import WorkPool
from .remote import RemoteRobot
from .riding import RUN_TICK_NS, RemoteController, RemoteRide
from .uploading import prepare_upload

__all__ = ["ProgramRun"]

START_RAD = 0.01
"""So near to where the check began every arm must stand."""


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
    ) -> None:
        """Made by `CellRuntime.start_run`."""
        self.program = program
        self.status: RunStatus = "ready"
        self.message = ""
        """Why it failed or was stopped."""
        self._cell, self._programs, self._folder = cell, dict(programs), folder
        self._link = link
        needed = _robots_of(program, self._programs)
        self._robots = {name: robots[name] for name in needed if name in robots}
        self._runner: Runner | None = None
        self._begins: tuple[str | None, Scene | None] = (None, None)
        self._arranged: Scene | None = None
        self._job: tuple[RemoteRobot, str, str] | None = None
        self._over = threading.Event()
        self._stop_asked = False

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
        """Wait until every robot of it tells where it stands and would move; a check before that knows nothing of it.

        Raises:
            ControllerError: One does not within ten seconds; says why.
        """
        for robot in self._robots.values():
            robot.wait_ready(10.0)

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
        self._begins = (start_at, scene)
        self._check_report(report)
        self.wait_ready()
        for robot in self._robots.values():
            robot.acquire()
        controllers = {name: RemoteController(robot, reduced=bool(reduced)) for name, robot in self._robots.items()}
        others = {name: one for name, one in self._programs.items() if name != self.program.name}
        self._runner = Runner(
            self._cell,
            self.program,
            controllers,
            programs=others,
            folder=self._folder,
            world=None if scene is None else CollisionWorld(scene),
            loop=loop,
            make_ride=self._ride,
        )
        self._check_allowed()
        self._runner.start(start_at)
        if single:
            self._runner.step()
        self.status = "running"
        self._begin(self._tick_runner)

    def start_uploaded(self, report: Report, *, reduced: bool | None, pool: WorkPool) -> None:
        """Begin on the robot's own controller. See `CellRuntime.start_run`."""
        self._check_report(report)
        robot = self._robots.get(self.program.robot)
        if robot is None:
            raise InputError(f"robot {self.program.robot!r} does not run")
        robot.wait_ready(10.0)
        robot.acquire()
        slow = robot.reduced or bool(reduced)
        others = {name: one for name, one in self._programs.items() if name != self.program.name}
        ready = pool.submit(
            prepare_upload, self._cell, self.program, others, self._folder, report.start.q, reduced=slow
        ).result()
        self._check_allowed()
        arm = ready.arm.split("/", 1)[1]
        job = f"upload-{uuid.uuid4().hex[:12]}"
        robot.upload(job, arm, ready.text, ready.corridor, report.start.q[ready.arm])
        self._job = (robot, job, arm)
        if self._stop_asked:
            # A stop that came while it was sent may have reached the robot before it.
            self._link.halt(self._robots)
        self.status = "running"
        self._begin(self._follow_upload)

    def pause(self) -> None:
        """Come to rest on the path; a run that is uploaded can only be stopped.

        Raises:
            InputError: It is uploaded.
        """
        self._streamed("paused").pause()

    def resume(self) -> None:
        """Go on after a pause."""
        self._streamed("resumed").resume()

    def step(self) -> None:
        """Make one step and pause."""
        self._streamed("stepped").step()

    def set_speed(self, fraction: float) -> None:
        """Set the override of all speeds, above 0 up to 1."""
        self._streamed("slowed down").set_speed(fraction)

    def stop(self) -> None:
        """Come to rest and end. The robots are told at once, whatever the run is at."""
        self.forbid()
        self._link.halt(self._robots)

    def forbid(self) -> None:
        """Begin nothing new, and end; to tell the robots is up to the caller."""
        self._stop_asked = True
        if self._runner is not None:
            self._runner.stop()

    def wait(self, within_s: float | None = None) -> RunStatus:
        """Wait until it is over (or `within_s` have passed), and return how it stands."""
        self._over.wait(within_s)
        return self.status

    def _streamed(self, done: str) -> Runner:
        if self._runner is None:
            raise InputError(f"a run on the robot's own controller cannot be {done}; it can be stopped")
        return self._runner

    def _check_allowed(self) -> None:
        if self._stop_asked:
            raise ControllerError(f"{self.program.name} was stopped before it began")

    def _check_report(self, report: Report) -> None:
        """Refuse a report that does not say that exactly this program is clear from exactly here."""
        if not report.clear:
            raise InputError(f"{self.program.name} is not clear: {report.summary}")
        q = {key: np.array(joints) for key, joints in report.start.q.items()}
        start_at, scene = self._begins
        wanted = fingerprint_of(self._cell, self._programs, q, start_at=start_at, scene=scene)
        if report.program != self.program.name or report.fingerprint != wanted:
            raise InputError(f"the report is of another cell or program than {self.program.name} is now; check again")
        for name, robot in self._robots.items():
            for arm in robot.state.arms:
                key = f"{name}/{arm}"
                away = float(np.abs(robot.q(arm) - q[key]).max()) if key in q else np.inf
                if away > START_RAD:
                    raise InputError(f"{key} is {away:.3f} rad away from where the check began; check again")

    def _ride(self, trajectory: Trajectory, controller: Controller, arm: str, speed: float) -> RemoteRide:
        """Begin a ride, with gates that know where parts are by now."""
        runner = self._runner
        if runner is not None and runner.props.scene is not self._arranged:
            self._arranged = runner.props.scene
            for robot in self._robots.values():
                robot.arrange(self._arranged)
        return RemoteRide(trajectory, controller, arm, speed)

    def _begin(self, work: Callable[[], None]) -> None:
        threading.Thread(target=work, name=f"openpendant-run-{self.program.name}", daemon=True).start()

    def _tick_runner(self) -> None:
        runner = self._runner
        if runner is None:
            return
        due = time.monotonic()
        try:
            while True:
                self.status = status = runner.tick()
                self.message = runner.message
                if status not in ("running", "paused"):
                    break
                due = max(due + RUN_TICK_NS * 1e-9, time.monotonic())
                time.sleep(max(0.0, due - time.monotonic()))
        except OpenPendantError as error:
            self._end("stopped" if self._stop_asked else "failed", str(error))
        except Exception as error:
            # Whoever waits for the run must hear of it, whatever it was.
            self._end("failed", f"{type(error).__name__}: {error}")
            raise
        else:
            self._end(self.status, self.message)

    def _follow_upload(self) -> None:
        if self._job is None:
            return
        robot, job, arm = self._job
        outcome, reason = robot.wait_job(job, arm)
        ends: dict[bus.Outcome, RunStatus] = {"done": "done", "stopped": "stopped"}
        self._end(ends.get(outcome, "failed"), reason)

    def _end(self, status: RunStatus, message: str) -> None:
        if status != "done":
            # A path that was paused to be stopped still waits to be resumed.
            with suppress(OpenPendantError):
                self._link.halt(self._robots)
        self.status, self.message = status, message
        self._over.set()


def _robots_of(program: Program, programs: Mapping[str, Program]) -> list[str]:
    """Return the robots of a program and of all that it calls."""
    names, waiting, seen = [program.robot], [program], {program.name}
    while waiting:
        for name in called_by(waiting.pop()):
            if name not in seen and name in programs:
                seen.add(name)
                waiting.append(programs[name])
                names.append(programs[name].robot)
    return list(dict.fromkeys(names))
