"""RunControl: begins and changes runs, for a client that has control and is present."""

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Literal

import msgspec

from openpendant.errors import InputError
from openpendant.messages.operation import (
    Pause,
    Resume,
    ResumeStopped,
    Run,
    SetBreakpoints,
    SetSpeed,
    SingleStep,
)
from openpendant.projects import OpenProject
from openpendant.runtime import (
    CellRuntime,
    ProgramRun,
    RunLife,
    RunOptions,
    StopCounts,
    StoppedError,
    error_text,
    robots_of,
)
from openpendant.said import say

from .cell_connection import CellConnection
from .control import RobotControl
from .current_run import CurrentRun
from .event_log import EventLog
from .people import RoomPeople
from .presence import SILENT_S, Presence
from .started_cell import StartedCell
from .stop_control import StopControl, StopMark

POLL_S = 1.0 / 60.0
Change = Literal["pause", "resume", "step"]


class RunControl:
    """The runs of one project, one at a time. Lives in the event loop; robots and workers are waited for in threads."""

    def __init__(
        self,
        project: OpenProject,
        cell: StartedCell,
        connection: CellConnection,
        control: RobotControl,
        runs: CurrentRun,
        stops: StopControl,
        presence: Presence,
        people: RoomPeople,
        log: EventLog,
        publish: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing was run yet."""
        self._project, self._cell, self._connection, self._control = project, cell, connection, control
        self._runs, self._stops, self._presence = runs, stops, presence
        self._people, self._log, self._publish, self._clock = people, log, publish, clock
        self._counts: tuple[CellRuntime, StopCounts] | None = None
        """The stops before which the newest run was requested."""

    async def start(self, client: str, wanted: Run, mark: StopMark, resumed: ProgramRun | None = None) -> None:
        """Check a program from where the arms stand, and begin to run it.

        Args:
            client: Who wants it.
            wanted: What is to run.
            mark: The stops known when it was requested.
            resumed: The stopped run that continues; None: it begins as `wanted` says.

        Raises:
            OpenPendantError: It does not begin; one sentence for the person.
        """
        async with self._connection.turn:
            runtime, run = await self._prepare(client, wanted, mark, resumed)
        # Long work blocks nothing: it ends when the run does.
        life = run.life
        with self._ending(life):
            await self._cell.in_thread(lambda: runtime.check_run(run))
            if not await self._wait_for_presence(client, life):
                name = self._people.name_or_somebody(client)
                raise InputError(say("run.unattended", program=wanted.program, name=name, silent_s=SILENT_S))
            self._runs.attended(life)
            await self._cell.in_thread(lambda: runtime.begin_run(run))
        did = "run" if resumed is None else "resume stopped"
        self._log.note(self._people.name(client), did, run.program.robot, wanted.program)

    async def resume_stopped(self, client: str, message: ResumeStopped, mark: StopMark) -> None:
        """Run on where the last run was stopped; what was requested before that STOP stays void.

        Raises:
            OpenPendantError: It does not begin; one sentence for the person.
        """
        if self._runs.under_way is not None:
            raise InputError(say("run.runs_already", program=self._runs.under_way.name))
        if self._runs.interrupted is None:
            raise InputError(say("run.not_stopped"))
        asked, run = self._runs.interrupted
        wanted = msgspec.structs.replace(
            asked, id=message.id, from_step="", single=False, breakpoints=message.breakpoints
        )
        await self.start(client, wanted, mark, run)

    async def reset_parts(self, client: str) -> None:
        """Count all parts as being back where the cell says.

        Raises:
            OpenPendantError: A run is under way, somebody else has control, or a robot moves; one sentence.
        """
        runtime = self._cell.on
        if runtime is None:
            raise InputError(say("connect.first"))
        for robot in runtime.robots:
            self._control.claim(robot, client, self._people.names())
        await self._cell.in_thread(runtime.reset_parts)
        for robot in runtime.robots:
            self._log.note(self._people.name(client), "reset parts", robot)

    async def _prepare(
        self, client: str, wanted: Run, mark: StopMark, resumed: ProgramRun | None
    ) -> tuple[CellRuntime, ProgramRun]:
        """Begin the life of a run; restart the robots for it where the cell was edited. Returns what runs it."""
        self._stops.refuse_void(mark)
        programs = self._project.shared.programs
        if wanted.program not in programs:
            raise InputError(say("run.no_program", program=wanted.program))
        program = programs[wanted.program]
        runtime = self._cell.robot(program.robot)
        robots = tuple(robot for robot in robots_of(program, programs) if robot in runtime.robots)
        for robot in robots:
            self._control.claim(robot, client, self._people.names())
        life = self._runs.begin(wanted, client, robots)
        self._counts = None if mark.since is None else (runtime, mark.since)
        self._publish()
        with self._ending(life):
            await self._connection.restart_if_edited(client, robots, life)
            self._stops.refuse_void(mark)
            runtime, since = self._counts = self._stops.since(program.robot, mark)
            runtime.programs = programs
            options = RunOptions(
                mode=wanted.mode,
                reduced=wanted.reduced,
                loop=wanted.loop,
                start_at=wanted.from_step or None if resumed is None else runtime.resumption_of(resumed),
                single=wanted.single,
                breakpoints=frozenset(wanted.breakpoints),
            )
            run = await self._cell.in_thread(lambda: runtime.prepare_run(program, options, since=since, life=life))
            self._runs.prepared(run)
        return runtime, run

    async def change(
        self, client: str, message: Pause | Resume | SingleStep | SetSpeed | SetBreakpoints, mark: StopMark
    ) -> None:
        """Pause, resume, step or slow down the run, or give it other breakpoints.

        Raises:
            OpenPendantError: It cannot be done; one sentence for the person.
        """
        who = self._people.name(client)
        match message:
            case Pause():
                robot = await self._on_run(client, lambda run: run.pause())
                self._log.note(who, "pause", robot)
            case Resume():
                await self._require_presence(client)
                robot = await self._on_run(client, lambda run: run.resume(), mark)
                self._log.note(who, "resume", robot)
            case SingleStep():
                await self._require_presence(client)
                robot = await self._on_run(client, lambda run: run.step(), mark)
                self._log.note(who, "step", robot)
            case SetBreakpoints(breakpoints=breakpoints):
                await self._on_run(client, lambda run: run.set_breakpoints(frozenset(breakpoints)))
            case SetSpeed(fraction=fraction):
                robot = await self._on_run(client, lambda run: run.set_speed(fraction), mark)
                self._log.note_speed(who, robot, fraction)
                self._runs.set_speed(fraction)

    def void_if_stopped(self) -> None:
        """Cancel a pending run whose robots were stopped by another path than this one."""
        if self._runs.pending is None or self._counts is None:
            return
        runtime, since = self._counts
        if any(runtime.link.stopped_since(robot, since) for robot in self._runs.robots):
            self._stops.void_by_robots()
            self._publish()

    async def _on_run(self, client: str, act: Callable[[ProgramRun], None], mark: StopMark | None = None) -> str:
        """Do something with the run; return the robot that it is about."""
        run = self._runs.active
        if mark is not None:
            self._stops.refuse_void(mark)
        if run is None:
            raise InputError(say("run.none"))
        self._control.claim(run.program.robot, client, self._people.names())
        await self._cell.in_thread(lambda: act(run))
        return run.program.robot

    @contextmanager
    def _ending(self, life: RunLife) -> Generator[None]:
        """End a run that does not begin, whatever the reason is."""
        try:
            yield
        except BaseException as error:
            life.end("stopped" if isinstance(error, StoppedError) else "failed", error_text(error))
            self._publish()
            raise

    async def _wait_for_presence(self, client: str, life: RunLife) -> bool:
        """Return whether a client shows from now on that it is there: nothing begins to move on an old word.

        Raises:
            StoppedError: The run for which it was waited is over.
        """
        asked = self._clock()
        while not self._presence.present_since(client, asked):
            life.raise_if_over()
            if self._clock() >= asked + SILENT_S:
                return False
            await asyncio.sleep(POLL_S)
        self._presence.rely_on(client)
        return True

    async def _require_presence(self, client: str) -> None:
        """Have a run continue only for somebody who shows that they are there."""
        life = self._runs.under_way
        if life is not None and not await self._wait_for_presence(client, life):
            name = self._people.name_or_somebody(client)
            raise InputError(say("control.silent", name=name, silent_s=SILENT_S))
