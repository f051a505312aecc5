"""CellRuns: checks and runs of programs on the robots of a running cell."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from openpendant.errors import InputError, UnknownNameError
from openpendant.pool import Work, WorkPool, show_progress
from openpendant.programs import Program, Report, check_program, find_wiring_fault
from openpendant.programs.sequence import Resumption, place_fits
from openpendant.said import say
from openpendant.scene import Cell, Scene

from .link import CellLink
from .program_run import ProgramRun
from .remote_robot import RemoteRobot
from .run_life import RunLife
from .run_options import RunMode, RunOptions
from .stops import StopCounts


class CellRuns:
    """What programs do on the robots of a cell. `CellRuntime` brings link and robots."""

    def __init__(
        self, cell: Cell, folder: Path | None, programs: Mapping[str, Program], parts: Scene | None, pool: WorkPool
    ) -> None:
        """Begin without robots; arguments as for `CellRuntime`."""
        self.cell, self.folder, self.pool = cell, folder, pool
        self.scene = Scene(cell, folder)
        self.programs = dict(programs)
        self._link: CellLink | None = None
        self._robots: dict[str, RemoteRobot] = {}
        self._addresses: dict[str, str] = {}
        """Of real controllers, by robot."""
        self._virtual: dict[str, str] = {}
        """Of virtual controllers, by robot."""
        self._runs: list[ProgramRun] = []
        self._left = self.scene if parts is None else _carry_over(parts, self.scene)
        self._run: ProgramRun | None = None

    @property
    def left(self) -> Scene:
        """Where the last streamed run has parts and fingers, or has left them."""
        now = None if self._run is None else self._run.scene
        return self._left if now is None else now

    @property
    def link(self) -> CellLink:
        """This process's own client."""
        if self._link is None:
            raise InputError("the runtime is not running; use `with CellRuntime(...)`, or call start")
        return self._link

    def stop_counts(self) -> StopCounts:
        """Return the stops known now: what is requested now carries them, and a later stop makes it void."""
        return self.link.stop_counts()

    def begin_check(
        self,
        program: Program | str,
        *,
        inputs: Mapping[str, bool] | None = None,
        start_at: str | Resumption | None = None,
        loop: bool = False,
    ) -> Work[Report]:
        """Have a program checked from where the arms stand now, in a process of the pool; does not wait.

        Args:
            program: A program, or the name of one of the cell.
            inputs: Values of inputs that times and lengths are computed with, by signal; None: their initial values.
            start_at: The id of the step to begin with, with parts as the last run has left them; None: the first step.
            loop: Whether it begins again when it ends: then every round is checked.

        Returns:
            The report to come; its `result` raises as `check`. It can be cancelled.

        Raises:
            UnknownNameError: The cell has no program of that name.
        """
        start = {
            f"{robot}/{arm}": report.q_rest
            for robot in self._robots
            if (state := self.link.report(robot)) is not None
            for arm, report in state.arms.items()
        }
        return self.pool.begin(
            check_program,
            self.cell,
            self._program(program),
            programs=self.programs,
            folder=self.folder,
            start=start,
            inputs=inputs,
            start_at=start_at,
            scene=self._begins(start_at),
            loop=loop,
            progress=show_progress,
        )

    def check(
        self,
        program: Program | str,
        *,
        inputs: Mapping[str, bool] | None = None,
        start_at: str | Resumption | None = None,
        loop: bool = False,
    ) -> Report:
        """Return what would happen if a program ran from where the arms stand now.

        Args:
            program: A program, or the name of one of the cell.
            inputs: Values of inputs that times and lengths are computed with, by signal; None: their initial values.
            start_at: The id of the step to begin with, with parts as the last run has left them; None: the first step.
            loop: Whether it begins again when it ends: then every round is checked.

        Raises:
            UnknownNameError: The cell has no program of that name, or the program no step `start_at`.
            InputError: The program has a fault; names place and value.
        """
        return self.begin_check(program, inputs=inputs, start_at=start_at, loop=loop).result()

    def resumption_of(self, run: ProgramRun) -> Resumption:
        """Return how a run that was stopped continues from where its arm stands now: as `start_at` of another run.

        Args:
            run: Of this cell, also from before its robots were restarted.

        Raises:
            InputError: It has not ended before its end, its arm has not come to rest, or its program was edited there.
        """
        found = run.interrupted
        robot, _, arm = ("", "", "") if found is None else found.arm.partition("/")
        where = None if found is None or robot not in self._robots else found.resumption(self._robots[robot].q(arm))
        if where is None:
            raise InputError(say("run.not_stopped"))
        if not place_fits(where.place, self.programs):
            raise InputError(say("run.place_gone", program=run.program.name))
        return where

    def reset_parts(self) -> None:
        """Put all parts back where the cell says, out of every hand; nothing moves.

        Raises:
            InputError: A run is under way.
            LeaseError: Somebody else has control of a robot.
            ControllerError: A robot moves, or does not answer.
            BusError: A robot does not answer a request for control.
        """
        busy = next((run for run in self._runs if not run.life.over), None)
        if busy is not None:
            raise InputError(say("run.runs_already", program=busy.program.name))
        scene = self.left.restored()
        for robot in self._robots.values():
            robot.acquire()
            robot.arrange(scene)
        self._left, self._run = scene, None

    def _begins(self, start_at: str | Resumption | None) -> Scene | None:
        """A whole program begins with parts as the cell says; from its middle, as they were left."""
        return None if start_at is None else self.left

    def start_run(
        self,
        program: Program | str,
        *,
        mode: RunMode | None = None,
        report: Report | None = None,
        reduced: bool | None = None,
        loop: bool = False,
        start_at: str | None = None,
        single: bool = False,
        since: StopCounts | None = None,
    ) -> ProgramRun:
        """Begin to run a program; the run can be paused, resumed, stopped and waited for.

        Args:
            program: A program, or the name of one of the cell.
            mode: 'streamed': our trajectory, every setpoint through the gate; 'uploaded': the vendor's program runs
                on the controller, watched. None: streamed where all its robots take setpoints, else uploaded.
            report: Of `check`, from this start and of the same `start_at` and `loop`; None: checked now.
            reduced: Whether the tool stays under 250 mm/s also where the robot itself does not see to it.
            loop: Whether it begins again when it ends (streamed only).
            start_at: The id of the step to begin with (streamed only), as for `check`.
            single: Whether it pauses after its first step (streamed only).
            since: `stop_counts` when a person asked for it; a stop after that makes it void. None: now.

        Raises:
            InputError: The report is not clear, or of another program, cell or start; a tool is not wired; the mode
                does not allow `start_at`, `single` or `loop`; or the runtime is not running.
            UnknownNameError: The cell has no program of that name, or the program no step `start_at`.
            LeaseError: Somebody else has control of a robot.
            StoppedError: A stop came before the run began.
            ControllerError: A robot cannot move now.
            BusError: A robot does not answer a request for control.
        """
        options = RunOptions(mode=mode, reduced=reduced, loop=loop, start_at=start_at, single=single)
        run = self.prepare_run(program, options, since=since)
        self.check_run(run, report)
        self.begin_run(run)
        return run

    def prepare_run(
        self,
        program: Program | str,
        options: RunOptions,
        *,
        since: StopCounts | None = None,
        life: RunLife | None = None,
    ) -> ProgramRun:
        """Make a run that `check_run` and then `begin_run` lead on; a stop ends it wherever it is by then.

        Args:
            program: A program, or the name of one of the cell.
            options: How it is to run.
            since: As for `start_run`.
            life: Of a run that was asked for before its robots were there; None: it is asked for now.

        Raises:
            InputError: A tool is not wired, the mode does not allow an option, or the runtime is not running.
            UnknownNameError: The cell has no program of that name.
        """
        wanted = self._program(program)
        options.check()
        own = {**self.programs, wanted.name: wanted}
        fault = find_wiring_fault(Scene(self.cell), wanted, own, frozenset({*self._addresses, *self._virtual}))
        if fault:
            raise InputError(fault)
        counts = self.stop_counts() if since is None else since
        run = ProgramRun(self.cell, wanted, own, self._robots, self.folder, self.link, counts, options, life)
        self._runs = [*(one for one in self._runs if not one.life.over), run]
        return run

    def check_run(self, run: ProgramRun, report: Report | None = None) -> None:
        """Have a run checked from where the arms stand, once its robots are ready. Nothing moves.

        Args:
            run: From `prepare_run`. It has ended where this raises.
            report: Of `check`, from this start; None: checked now.

        Raises:
            StoppedError: It was stopped meanwhile.
            ControllerError: A robot is not ready, or the check makes no progress.
            OpenPendantError: It cannot be checked; says why.
        """
        with _ending(run):
            if report is None:
                how = run.options
                run.check(lambda: self.begin_check(run.program, start_at=how.start_at, loop=how.loop))
            else:
                run.use_report(report)

    def begin_run(self, run: ProgramRun) -> None:
        """Begin a run that was checked; raises as `start_run`, and then the run has ended.

        Args:
            run: From `prepare_run`, after `check_run`.
        """
        with _ending(run):
            run.begin(self._begins(run.options.start_at), self.pool)
        self._left, self._run = self.left, run

    def run(
        self,
        program: Program | str,
        *,
        mode: RunMode | None = None,
        report: Report | None = None,
        reduced: bool | None = None,
    ) -> ProgramRun:
        """Run a program to its end and return the run with its result.

        Args:
            program: A program, or the name of one of the cell.
            mode: 'streamed', 'uploaded' or None, as for `start_run`.
            report: Of `check`, from this start; None: checked now.
            reduced: Whether the tool stays under 250 mm/s also where the robot itself does not see to it.

        Raises:
            InputError: As `start_run`.
            UnknownNameError: The cell has no program of that name.
            LeaseError: Somebody else has control of a robot.
            StoppedError: A stop came before the run began.
            ControllerError: A robot cannot move now.
            BusError: A robot does not answer a request for control.
        """
        run = self.start_run(program, mode=mode, report=report, reduced=reduced)
        run.wait()
        return run

    def _program(self, program: Program | str) -> Program:
        if isinstance(program, Program):
            return program
        if program not in self.programs:
            raise UnknownNameError("program in this cell", program, self.programs)
        return self.programs[program]

    def _forbid_runs(self) -> None:
        """End every run, wherever it is by now: a stop was requested."""
        for run in tuple(self._runs):
            run.forbid()


@contextmanager
def _ending(run: ProgramRun) -> Generator[None]:
    """End a run that cannot continue, whatever the reason is."""
    try:
        yield
    except BaseException as error:
        run.fail(error)
        raise


def _carry_over(left: Scene, scene: Scene) -> Scene:
    """Return the scene with what is known of its parts and fingers from an older version of its cell."""
    known = {name for name, item in scene.objects.items() if left.objects.get(name) == item}
    arms = scene.arms
    return replace(
        scene,
        poses={name: T for name, T in left.poses.items() if name in known},
        carried={name: held for name, held in left.carried.items() if name in known and held.arm in arms},
        openings={arm: min(opening, arms[arm].travel_m) for arm, opening in left.openings.items() if arm in arms},
    )
