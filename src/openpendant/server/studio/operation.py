"""Operation: the robots of one open project that run; who of the people has control; runs, jogging, stops.

Everything that waits for a robot happens in threads; the event loop only passes messages. A stop waits for nothing
else that is under way.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import msgspec

from openpendant.cell import CellRuntime, ProgramRun
from openpendant.errors import InputError, OpenPendantError
from openpendant.messages import bus
from openpendant.projects import OpenProject
from openpendant.projects.operate import (
    AskControl,
    Connect,
    Disconnect,
    Engage,
    Event,
    Events,
    FromOperator,
    FromRobots,
    GiveControl,
    Intend,
    Operating,
    Pause,
    Press,
    Resume,
    Run,
    RunStatus,
    SetSpeed,
    SetTool,
    Stop,
    SwitchOutput,
    TakeControl,
)
from openpendant.scene import Cell

from .control import ControlBook
from .reporting import layout_of, pack_joints, report_of, status_of

__all__ = ["Operation", "People"]

LOOK_S = 1.0 / 60.0
TELL_S = 0.1
REPEAT_S = 0.25
"""Joints that stand still are sent again after this time, so that who looks knows that they are news."""
MOST_EVENTS = 300

Joints = dict[str, dict[str, tuple[float, ...]]]
"""By robot and arm, radians."""
log = logging.getLogger("openpendant.server")


class People:
    """What an operation must know of the people in the room."""

    def __init__(
        self,
        names: Callable[[], dict[str, str]],
        tell: Callable[[FromRobots], None],
        stream: Callable[[bytes], None],
    ) -> None:
        """Names by client; tell everybody; send everybody the newest joints."""
        self.names = names
        self.tell = tell
        self.stream = stream


class Operation:
    """The running robots of one project."""

    def __init__(self, project: OpenProject, people: People) -> None:
        """Nothing runs yet."""
        self._project = project
        self._people = people
        self._book = ControlBook()
        self._state: Literal["off", "starting", "on", "failed"] = "off"
        self._message = ""
        self._runtime: CellRuntime | None = None
        self._addresses: dict[str, str] = {}
        self._run: ProgramRun | None = None
        self._run_status: RunStatus | None = None
        self._threads = ThreadPoolExecutor(4, "openpendant-operation")
        self._stops = ThreadPoolExecutor(2, "openpendant-stop")
        self._one = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._told: Operating | None = None
        self._heard: dict[str, int] = {}
        self._log: list[Event] = []
        self._wall = time.time() - time.monotonic()

    def now(self) -> Operating:
        """Return everything about the robots."""
        runtime = self._runtime
        robots = () if runtime is None or self._state != "on" else runtime.robots
        return Operating(
            state=self._state,
            message=self._message,
            robots=()
            if runtime is None
            else tuple(status_of(runtime, name, self._addresses, self._book) for name in robots),
            run=self._run_now(),
            layout=() if runtime is None or self._state != "on" else layout_of(runtime),
            stale=runtime is not None and runtime.cell is not self._project.shared.cell,
        )

    def log(self) -> Events:
        """Return what has happened lately."""
        return Events(events=tuple(self._log))

    async def act(self, client: str, message: FromOperator) -> None:
        """Do what a client asks for.

        Raises:
            OpenPendantError: It cannot be done; one sentence for the person.
        """
        names = self._people.names()
        match message:
            case Stop():
                await self._stop_all()
            case Connect(addresses=addresses):
                await self._connect(dict(addresses))
            case Disconnect():
                await self._disconnect()
            case TakeControl(robot=robot, take_over=take_over):
                self._robot(robot)
                lost = self._book.take(robot, client, names, take_over=take_over)
                if lost:
                    await self._stop_all()
                    self._note(robot, "control", f"{names.get(client, '')} takes over from {names.get(lost, '')}")
            case GiveControl(robot=robot, to=to):
                self._book.give(robot, client, to, names)
            case AskControl(robot=robot):
                self._robot(robot)
                self._book.ask(robot, client)
            case Run():
                await self._start_run(client, message, names)
            case Pause():
                await self._on_run(client, names, lambda run: run.pause())
            case Resume():
                await self._on_run(client, names, lambda run: run.resume())
            case SetSpeed(fraction=fraction):
                await self._on_run(client, names, lambda run: run.set_speed(fraction))
                if self._run_status is not None:
                    self._run_status = msgspec.structs.replace(self._run_status, speed=fraction)
            case _:
                await self._on_robot(client, message, names)
        self._tell()

    def intend(self, client: str, message: Intend) -> None:
        """Pass on what a person wants an arm to do now; silently nothing where they have no control."""
        runtime = self._runtime
        if runtime is None or self._book.holder(message.robot) != client or self._state != "on":
            return
        robot = runtime.robot(message.robot)
        intent = msgspec.structs.replace(message.intent, source=robot.client_id, stamp_ns=time.monotonic_ns())
        robot.intend(intent)

    def leave(self, client: str) -> None:
        """A client has gone: what it had control of comes to rest."""
        lost = self._book.leave(client)
        if lost and self._state == "on":
            self._note(lost[0], "control", "whoever had control has left; stopped")
            self._stops.submit(self._halt)
        self._tell()

    async def close(self) -> None:
        """End everything."""
        await self._disconnect()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._stops.shutdown(wait=False, cancel_futures=True)

    def _robot(self, name: str) -> CellRuntime:
        runtime = self._runtime
        if runtime is None or self._state != "on":
            raise InputError("the robots are not connected; connect them first")
        runtime.robot(name)
        return runtime

    async def _aside(self, work: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _connect(self, addresses: dict[str, str]) -> None:
        async with self._one:
            if self._state in ("starting", "on"):
                raise InputError("the robots are connected already; disconnect them first")
            await self._start(self._project.shared.cell, addresses, {})

    async def _start(
        self, cell: Cell, addresses: dict[str, str], start: dict[str, dict[str, tuple[float, ...]]]
    ) -> None:
        if not cell.robots:
            raise InputError("the cell has no robot yet; add one first")
        self._state, self._message, self._addresses = "starting", "", addresses
        self._tell()
        try:
            runtime = CellRuntime(
                cell,
                addresses=addresses,
                programs=self._project.shared.programs,
                folder=self._project.folder,
                name="studio",
                start=start,
            )
            self._runtime = runtime
            await self._aside(runtime.start)
        except OpenPendantError as error:
            broken, self._runtime = self._runtime, None
            self._state, self._message = "failed", str(error)
            if broken is not None:
                await self._aside(broken.close)
            self._tell()
            raise
        self._state = "on"
        self._heard.clear()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._watch())
        self._tell()

    async def _disconnect(self) -> None:
        async with self._one:
            if self._task is not None:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
                self._task = None
            runtime, self._runtime = self._runtime, None
            self._run = None
            self._book.clear()
            if runtime is not None:
                await self._aside(runtime.close)
            self._state, self._message = "off", ""
        self._tell()

    async def _renew(self) -> None:
        """Start the robots anew where the cell was edited since, from where they stand."""
        runtime = self._runtime
        if runtime is None or runtime.cell is self._project.shared.cell:
            return
        start = {
            robot: {arm: one.q_rest for arm, one in report.arms.items()}
            for robot in runtime.robots
            if (report := report_of(runtime, robot)) is not None
        }
        self._state = "starting"
        self._tell()
        await self._aside(runtime.close)
        self._runtime = None
        known = {robot.name for robot in self._project.shared.cell.robots}
        kept = {robot: joints for robot, joints in start.items() if robot in known}
        await self._start(self._project.shared.cell, self._addresses, kept)

    async def _start_run(self, client: str, asked: Run, names: dict[str, str]) -> None:
        async with self._one:
            shared = self._project.shared
            if asked.program not in shared.programs:
                raise InputError(f"there is no program named {asked.program!r}")
            program = shared.programs[asked.program]
            self._robot(program.robot)
            self._book.check(program.robot, client, names)
            if self._run is not None and self._run.status in ("running", "paused"):
                raise InputError(f"{self._run.program.name} runs already; stop it first")
            self._run = None
            self._run_status = RunStatus(
                program=asked.program,
                mode=asked.mode,
                status="checking",
                message="",
                step=None,
                by=client,
                speed=1.0,
            )
            self._tell()
            try:
                await self._renew()
                runtime = self._robot(program.robot)
                runtime.programs = shared.programs
                loop = asyncio.get_running_loop()
                self._run = await loop.run_in_executor(
                    self._threads,
                    lambda: runtime.start_run(program, mode=asked.mode, reduced=asked.reduced, loop=asked.loop),
                )
            except OpenPendantError as error:
                self._run_status = msgspec.structs.replace(self._run_status, status="failed", message=str(error))
                self._tell()
                raise
            self._note(program.robot, "run", f"{names.get(client, '')} runs {asked.program}")

    async def _on_run(self, client: str, names: dict[str, str], act: Callable[[ProgramRun], None]) -> None:
        run = self._run
        if run is None or run.status not in ("running", "paused"):
            raise InputError("no program runs")
        self._book.check(run.program.robot, client, names)
        await self._aside(lambda: act(run))

    async def _on_robot(self, client: str, message: FromOperator, names: dict[str, str]) -> None:
        match message:
            case SwitchOutput(robot=robot, signal=signal, value=value):
                runtime = self._controlled(client, robot, names)
                await self._aside(lambda: runtime.robot(robot).set_output(signal, value))
            case SetTool(robot=robot, arm=arm, opening_m=opening):
                runtime = self._controlled(client, robot, names)
                await self._aside(lambda: runtime.robot(robot).move_tool(opening, arm))
            case Engage(robot=robot, arm=arm):
                self._controlled(client, robot, names)
                async with self._one:
                    await self._renew()
                runtime = self._robot(robot)
                await self._aside(lambda: _engage(runtime, robot, arm))
            case Press(robot=robot, button=button):
                runtime = self._controlled(client, robot, names)
                await self._aside(lambda: _press(runtime, robot, button))
            case _:
                raise InputError(f"{type(message).__name__} is not for a robot")

    def _controlled(self, client: str, robot: str, names: dict[str, str]) -> CellRuntime:
        runtime = self._robot(robot)
        self._book.check(robot, client, names)
        return runtime

    async def _stop_all(self) -> None:
        """Stop everything, at once and whatever else is under way."""
        await asyncio.get_running_loop().run_in_executor(self._stops, self._halt)

    def _halt(self) -> None:
        runtime, run = self._runtime, self._run
        if runtime is None:
            return
        acts: list[Callable[[], None]] = [runtime.robot(robot).stop for robot in runtime.robots]
        if run is not None and run.status in ("running", "paused"):
            acts.insert(0, run.stop)
        for act in acts:
            try:
                act()
            except OpenPendantError as error:
                log.warning("a robot could not be told to stop: %s", error)

    def _run_now(self) -> RunStatus | None:
        run, known = self._run, self._run_status
        if run is None or known is None:
            return known
        self._run_status = msgspec.structs.replace(known, status=run.status, message=run.message, step=run.step_id)
        return self._run_status

    async def _watch(self) -> None:
        """Send joints as they come, and tell what has changed."""
        told = said = 0.0
        sent = b""
        while True:
            await asyncio.sleep(LOOK_S)
            runtime = self._runtime
            if runtime is None or self._state != "on":
                continue
            now = time.monotonic()
            joints = pack_joints(runtime, layout_of(runtime), now)
            if joints[8:] != sent or now - said >= REPEAT_S:
                sent, said = joints[8:], now
                self._people.stream(joints)
            if time.monotonic() - told >= TELL_S:
                told = time.monotonic()
                self._tell()
                self._tell_events(runtime.events)

    def _tell(self) -> None:
        now = self.now()
        if now != self._told:
            self._told = now
            self._people.tell(now)

    def _tell_events(self, events: tuple[bus.RobotEvent, ...]) -> None:
        fresh = [event for event in events if event.number > self._heard.get(event.robot, -1)]
        if not fresh:
            return
        for event in fresh:
            self._heard[event.robot] = max(event.number, self._heard.get(event.robot, -1))
        self._add([self._event(e.robot, e.stamp_ns, e.kind, e.about, e.message) for e in fresh])

    def _note(self, robot: str, kind: str, message: str) -> None:
        self._add([self._event(robot, time.monotonic_ns(), kind, "", message)])

    def _event(self, robot: str, stamp_ns: int, kind: str, about: str, message: str) -> Event:
        number = self._log[-1].number + 1 if self._log else 0
        time_s = round(self._wall + stamp_ns * 1e-9, 3)
        return Event(number=number, robot=robot, time_s=time_s, kind=kind, about=about, message=message)

    def _add(self, events: list[Event]) -> None:
        first = self._log[-1].number + 1 if self._log else 0
        numbered = [msgspec.structs.replace(event, number=first + i) for i, event in enumerate(events)]
        self._log = [*self._log, *numbered][-MOST_EVENTS:]
        self._people.tell(Events(events=tuple(numbered)))


def _engage(runtime: CellRuntime, robot: str, arm: str) -> None:
    runtime.robot(robot).engage(arm)


def _press(runtime: CellRuntime, robot: str, button: str) -> None:
    runtime.virtual(robot).press(button)
