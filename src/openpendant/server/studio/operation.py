"""Operation: the robots of one open project that run; who of the people has control; runs, jogging, stops.

Everything that waits for a robot happens in threads; the event loop only passes messages. A stop waits for nothing
else that is under way, and makes void what was asked for before it. Nothing moves without somebody who has control
and shows that they are there.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import msgspec

from openpendant.cell import CellRuntime, ProgramRun, StopCounts, StoppedError, WorkPool, robots_of
from openpendant.errors import ControllerError, InputError, OpenPendantError
from openpendant.projects import OpenProject
from openpendant.projects.operate import (
    AskControl,
    Connect,
    Disconnect,
    Engage,
    Events,
    FromOperator,
    GiveControl,
    Intend,
    Operating,
    Pause,
    Press,
    Probe,
    ProbeAnswer,
    Resume,
    Run,
    SetReduced,
    SetSpeed,
    SetTool,
    Step,
    Stop,
    Stopped,
    SwitchOutput,
    TakeControl,
)
from openpendant.said import say
from openpendant.stop_service import LineAddress

from .control import ControlBook
from .diary import Diary
from .people import People
from .presence import SILENT_S, Presence
from .reporting import layout_of, pack_joints, status_of
from .runbook import RunBook
from .started_cell import StartedCell, leased
from .stopping import not_reached, stop_robots

__all__ = ["Asked", "Operation"]

LOOK_S = 1.0 / 60.0
TELL_S = 0.1
REPEAT_S = 0.25
"""Joints that stand still are sent again after this time, so that who looks knows that they are news."""
AGAIN_S = 1.0
"""A run that still goes on so long after a stop, with nobody in control, is stopped again."""
STOP_THREADS = 16
"""So many stops may wait for robots to rest before the next one would have to wait for them."""


@dataclass(frozen=True)
class Asked:
    """Before which stops something was asked for: any later one makes it void, whoever it was sent by."""

    stops: int
    """Those of this project's people."""
    runtime: CellRuntime | None
    since: StopCounts | None
    """Those that the robots of `runtime` had obeyed."""


class Operation:
    """The running robots of one project."""

    def __init__(
        self,
        project: OpenProject,
        people: People,
        pool: WorkPool,
        alive_ns: Callable[[], int],
        stop_line: Callable[[], LineAddress | None],
    ) -> None:
        """Nothing runs yet.

        Args:
            project: Whose robots these are.
            people: In its room.
            pool: Where programs are checked before they run.
            alive_ns: Returns when this server was last seen alive, monotonic nanoseconds; else its robots stop.
            stop_line: Returns how robots reach the stop service; None: there is none.
        """
        self._project = project
        self._people = people
        self._book = ControlBook()
        self._runs = RunBook()
        self._presence = Presence()
        self._cell = StartedCell(project, pool, self._tell, alive_ns, stop_line)
        self._stop_threads = ThreadPoolExecutor(STOP_THREADS, "openpendant-stop")
        self._one = asyncio.Lock()
        self._waits: tuple[CellRuntime, StopCounts] | None = None
        """What a pending run waits for, and the stops before which it was asked for."""
        self._stops = 0
        """How often everything was stopped."""
        self._stopped_s = 0.0
        self._stopping: set[asyncio.Task[Stopped]] = set()
        self._task: asyncio.Task[None] | None = None
        self._told: Operating | None = None
        self._diary = Diary(people.tell)

    def now(self) -> Operating:
        """Return everything about the robots."""
        cell = self._cell
        runtime = cell.on
        return Operating(
            state=cell.state,
            message=cell.message,
            robots=()
            if runtime is None
            else tuple(status_of(runtime, name, cell.addresses, self._book) for name in runtime.robots),
            run=self._runs.now(),
            layout=() if runtime is None else layout_of(runtime),
            stale=cell.is_stale(),
            parts=() if runtime is None else self._runs.parts(),
        )

    def log(self) -> Events:
        """Return what has happened lately."""
        return self._diary.events()

    def holds(self, client: str) -> bool:
        """Return whether a client has control of a robot."""
        return self._book.holds(client)

    def asked(self) -> Asked:
        """Return what goes with something that somebody asks for now."""
        runtime = self._cell.on
        return Asked(self._stops, runtime, None if runtime is None else runtime.stop_counts())

    async def act(self, client: str, message: FromOperator, asked: Asked) -> ProbeAnswer | None:
        """Do what a client asks for; return the answer where there is more to say than that it is done.

        Raises:
            OpenPendantError: It cannot be done; one sentence for the person.
        """
        who, diary, answer = self._people.name(client), self._diary, None
        match message:
            case Stop(id=number):
                await self._stop_by(client, number)
            case Probe():
                answer = await self._cell.probe(message)
            case Connect(addresses=addresses):
                await self._connect(dict(addresses), who)
            case Disconnect():
                diary.note(who, "disconnect")
                await self._disconnect()
            case TakeControl() | GiveControl() | AskControl():
                await self._control(client, message)
            case Run():
                await self._start_run(client, message, asked)
            case Pause():
                robot = await self._on_run(client, lambda run: run.pause())
                diary.note(who, "pause", robot)
            case Resume():
                robot = await self._on_run(client, lambda run: run.resume(), asked)
                diary.note(who, "resume", robot)
            case Step():
                robot = await self._on_run(client, lambda run: run.step(), asked)
                diary.note(who, "step", robot)
            case SetSpeed(fraction=fraction):
                robot = await self._on_run(client, lambda run: run.set_speed(fraction), asked)
                diary.note_speed(who, robot, fraction)
                self._runs.set_speed(fraction)
            case _:
                await self._on_robot(client, message, asked)
        self._tell()
        return answer

    def intend(self, client: str, message: Intend, taken_ns: int) -> None:
        """Pass on what a person wants an arm to do now; silently nothing where they have no control.

        Args:
            client: Whose it is.
            message: What is wanted.
            taken_ns: When the sample was taken, on our monotonic clock, which the robots' processes share.
        """
        runtime = self._cell.on
        if runtime is None or self._book.holder(message.robot) != client:
            return
        robot = runtime.robot(message.robot)
        robot.intend(msgspec.structs.replace(message.intent, source=robot.client_id, stamp_ns=taken_ns))

    def present(self, client: str, at_ns: int) -> None:
        """A client was there at a time of our monotonic clock."""
        self._presence.hear(client, at_ns * 1e-9)

    def leave(self, client: str, name: str) -> tuple[str, ...]:
        """A client has gone: what it had control of comes to rest; return these robots."""
        self._presence.forget(client)
        pending = self._runs.pending
        lost = self._book.leave(client)
        if lost or (pending is not None and pending.client == client):
            self._stop(say("control.left", name=name))
            for robot in lost:
                self._diary.note(name, "leave", robot)
        self._tell()
        return lost

    async def close(self) -> None:
        """End everything."""
        await self._disconnect()
        self._cell.close()
        self._stop_threads.shutdown(wait=False, cancel_futures=True)

    async def _connect(self, addresses: dict[str, str], who: str) -> None:
        async with self._one:
            self._cell.check_startable()
            self._diary.note(who, "connect", what=", ".join(f"{robot}: {at}" for robot, at in addresses.items()))
            await self._cell.start(addresses, look=True)
            self._started()

    def _started(self) -> None:
        self._diary.begin_anew()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._watch())
        self._tell()

    async def _disconnect(self) -> None:
        self._void(say("connect.disconnected"))
        async with self._one:
            if self._task is not None:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
                self._task = None
            self._runs.forget()
            self._book.clear()
            await self._cell.end()
        self._tell()

    async def _renew(self, client: str, robots: tuple[str, ...]) -> None:
        """Restart the robots where the cell was edited since, for `robots`, that are to move.

        Raises:
            InputError: That would take another robot out of somebody's hands, or out of its run.
        """
        if not self._cell.is_stale():
            return
        self._check_unused(client, robots)
        await self._cell.restart()
        self._started()

    def _check_unused(self, client: str, robots: tuple[str, ...]) -> None:
        """Refuse to restart all robots while another one is in use."""
        robot = robots[0]
        if self._runs.active is not None:
            program = self._runs.active.program.name
            raise InputError(say("run.restart_running", robot=robot, program=program))
        for other in self._cell.robots:
            holder = self._book.holder(other)
            if other in robots:
                continue
            if holder not in ("", client):
                name = self._people.name(holder) or say("who.somebody")
                raise InputError(say("run.restart_held", robot=robot, name=name, other=other))
            if self._cell.moves(other):
                raise InputError(say("run.restart_moving", robot=robot, other=other))

    async def _start_run(self, client: str, wanted: Run, asked: Asked) -> None:
        async with self._one:
            self._check_not_stopped(asked)
            programs = self._project.shared.programs
            if wanted.program not in programs:
                raise InputError(say("run.no_program", program=wanted.program))
            program = programs[wanted.program]
            runtime = self._cell.robot(program.robot)
            robots = tuple(robot for robot in robots_of(program, programs) if robot in runtime.robots)
            for robot in robots:
                self._hold(client, robot)
            self._runs.ask(wanted, client, robots)
            self._waits = None if asked.since is None else (runtime, asked.since)
            self._tell()
            try:
                await self._renew(client, robots)
                self._check_not_stopped(asked)
                runtime, since = self._since(program.robot, asked)
                runtime.programs = programs
                self._waits = (runtime, since)
                run = await self._cell.aside(
                    lambda: runtime.start_run(
                        program,
                        mode=wanted.mode,
                        reduced=wanted.reduced,
                        loop=wanted.loop,
                        start_at=wanted.from_step or None,
                        single=wanted.single,
                        since=since,
                    ),
                )
            except OpenPendantError as error:
                stopped = isinstance(error, StoppedError) or self._stops != asked.stops
                self._runs.refuse(error.said, stopped=stopped)
                self._tell()
                raise
            self._runs.begin(run, robots)
            self._diary.note(self._people.name(client), "run", program.robot, wanted.program)

    async def _control(self, client: str, message: TakeControl | GiveControl | AskControl) -> None:
        """Let control go from one to another; what moves stops before it is taken from somebody, or left to nobody."""
        names, robot, diary = self._people.names(), message.robot, self._diary
        who = names.get(client, "")
        self._cell.robot(robot)
        match message:
            case TakeControl(take_over=take_over):
                self._check_here(client)
                lost = self._book.take(robot, client, names, take_over=take_over)
                if lost:
                    await self._stop(say("control.taken_over", name=who))
                elif self._stopping:
                    # Whoever had control has left just now: that stop would make void what is asked for next.
                    await asyncio.wait(set(self._stopping))
                diary.note(who, "take over" if lost else "take control", robot, names.get(lost, ""))
            case GiveControl(to=to):
                self._book.give(robot, client, to, names)
                if self._is_used(robot) and (not to or self._runs.pending is not None):
                    # A run goes on under somebody who is there: not with nobody, and not before it has begun.
                    await self._stop(say("control.given_away", name=who))
                diary.note(who, "hand over" if to else "give control", robot, names.get(to, ""))
            case AskControl():
                self._book.ask(robot, client)
                diary.note(who, "ask control", robot)

    async def _on_run(self, client: str, act: Callable[[ProgramRun], None], asked: Asked | None = None) -> str:
        """Do something with the run; return the robot that it is about."""
        run = self._runs.active
        if asked is not None:
            self._check_not_stopped(asked)
        if run is None:
            raise InputError(say("run.none"))
        self._hold(client, run.program.robot)
        await self._cell.aside(lambda: act(run))
        return run.program.robot

    async def _on_robot(self, client: str, message: FromOperator, asked: Asked) -> None:
        who, diary, aside = self._people.name(client), self._diary, self._cell.aside
        match message:
            case SwitchOutput(robot=robot, signal=signal, value=value):
                runtime = self._controlled(client, robot)
                since = self._since(robot, asked)[1]
                await aside(lambda: leased(runtime, robot).set_output(signal, value, since=since))
                diary.note(who, "switch on" if value else "switch off", robot, signal)
            case SetTool(robot=robot, arm=arm, opening_m=opening, closes=closes):
                runtime = self._controlled(client, robot)
                since = self._since(robot, asked)[1]
                await aside(lambda: leased(runtime, robot).move_tool(opening, arm, closes=closes, since=since))
                diary.note(who, "tool", robot, f"{1000.0 * opening:.1f} mm")
            case SetReduced(robot=robot, reduced=reduced):
                runtime = self._controlled(client, robot)
                await aside(lambda: leased(runtime, robot).set_reduced(reduced))
                diary.note(who, "reduce" if reduced else "lift reduced", robot)
            case Engage(robot=robot, arm=arm, needs_dead_man=needs):
                self._controlled(client, robot)
                async with self._one:
                    self._check_not_stopped(asked)
                    await self._renew(client, (robot,))
                self._check_not_stopped(asked)
                runtime, since = self._since(robot, asked)
                await aside(lambda: runtime.robot(robot).engage(arm, needs_dead_man=needs, since=since))
                diary.note(who, "jog", robot, arm)
            case Press(robot=robot, button=button):
                runtime = self._controlled(client, robot)
                await aside(lambda: runtime.virtual(robot).press(button))
                diary.note(who, "press", robot, button)
            case _:
                raise InputError(f"{type(message).__name__} is not for a robot")

    def _controlled(self, client: str, robot: str) -> CellRuntime:
        runtime = self._cell.robot(robot)
        self._hold(client, robot)
        return runtime

    def _hold(self, client: str, robot: str) -> None:
        """Have a client in control, also of a robot that nobody has; raises InputError where somebody else has it."""
        self._check_here(client)
        self._book.check(robot, client, self._people.names())

    def _check_here(self, client: str) -> None:
        """Refuse control to somebody who has left while they waited for it."""
        if client not in self._people.names():
            raise InputError(say("control.asker_left"))

    def _is_used(self, robot: str) -> bool:
        """Return whether a robot moves, or belongs to a run that is under way or about to begin."""
        return robot in self._runs.robots or self._cell.moves(robot)

    def _void(self, why: str) -> str:
        """Make void everything that was asked for; return the program of a run that was pending."""
        self._stops += 1
        return self._runs.stop(why)

    def _stop(self, why: str, by: str = "", number: int = 0) -> "asyncio.Task[Stopped]":
        """Stop everything, at once and whatever else is under way; what is returned waits until the robots rest.

        Args:
            why: For the run that it ends; empty: somebody pressed STOP.
            by: The client who did.
            number: Of their question.
        """
        self._stopped_s = time.monotonic()
        used = by != "" or any(self._is_used(robot) for robot in self._cell.robots)
        cancelled = self._void(why)
        halted = asyncio.get_running_loop().run_in_executor(
            self._stop_threads, stop_robots, self._cell.stoppable, self._cell.state == "starting"
        )

        async def wait() -> Stopped:
            stopped = Stopped(id=number, by=by, robots=await halted, cancelled=cancelled)
            if used or cancelled:
                self._people.tell(stopped)
            return stopped

        task = asyncio.get_running_loop().create_task(wait())
        self._stopping.add(task)
        task.add_done_callback(self._stopping.discard)
        self._tell()
        return task

    async def _stop_by(self, client: str, number: int) -> None:
        """Stop everything for a person.

        Raises:
            ControllerError: It has not reached every robot that runs; says which and why.
        """
        on, stopping = self._cell.on is not None, self._stop("", client, number)
        self._diary.note(self._people.name(client), "stop")
        stopped = await stopping
        if on and (why := not_reached(stopped.robots)):
            raise ControllerError(why)

    def _since(self, robot: str, asked: Asked) -> tuple[CellRuntime, StopCounts]:
        """Return what runs, and the stops that its robots had obeyed when something was asked for.

        Robots that have restarted since have obeyed none; our own are counted here.
        """
        runtime = self._cell.robot(robot)
        if runtime is asked.runtime and asked.since is not None:
            return runtime, asked.since
        return runtime, runtime.stop_counts()

    def _check_not_stopped(self, asked: Asked) -> None:
        """Refuse to begin what was asked for before a stop."""
        if self._stops != asked.stops:
            raise InputError(say("run.void"))

    def _look_after(self) -> None:
        """Stop what has nobody: whoever has control of what moves must show that they are there."""
        moving = {robot for robot in self._cell.robots if self._cell.moves(robot)}
        needed = {self._book.holder(robot) for robot in {*moving, *self._runs.moving}} - {""}
        for client in self._presence.silent(needed):
            name = self._people.name(client) or say("who.somebody")
            why = say("control.silent", name=name, silent_s=SILENT_S)
            for robot in self._book.leave(client):
                self._diary.say(robot, "silent", why, who=name)
            self._stop(why)
            self._presence.forget(client)
            self._people.drop(client, str(why))
        pending = self._runs.pending
        if pending is not None and self._waits is not None:
            runtime, since = self._waits
            if any(runtime.link.stopped_since(robot, since) for robot in pending.robots):
                # By another way than through here.
                self._void("")
                self._tell()
        alone = time.monotonic() - self._stopped_s > AGAIN_S
        if alone and any(not self._book.holder(robot) for robot in self._runs.robots):
            self._stop(say("control.nobody"))

    async def _watch(self) -> None:
        """Send joints as they come, tell what has changed, and see that somebody is there."""
        told = said = 0.0
        sent = b""
        while True:
            await asyncio.sleep(LOOK_S)
            self._look_after()
            runtime = self._cell.on
            if runtime is None:
                continue
            now = time.monotonic()
            joints = pack_joints(runtime, layout_of(runtime))
            if joints[8:] != sent or now - said >= REPEAT_S:
                sent, said = joints[8:], now
                self._people.stream(joints)
            if time.monotonic() - told >= TELL_S:
                told = time.monotonic()
                self._tell()
                self._diary.hear(runtime.events)
                self._diary.look()

    def _tell(self) -> None:
        now = self.now()
        if now != self._told:
            self._told = now
            self._people.tell(now)
