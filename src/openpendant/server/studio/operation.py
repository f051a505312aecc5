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
from openpendant.projects import OpenProject
from openpendant.projects.operate import (
    AskControl,
    Connect,
    Disconnect,
    Engage,
    Events,
    FromOperator,
    FromRobots,
    GiveControl,
    Intend,
    Operating,
    PartPlace,
    Pause,
    Press,
    Probe,
    ProbeAnswer,
    ProbeFinding,
    Resume,
    Run,
    RunStatus,
    SetSpeed,
    SetTool,
    Step,
    Stop,
    SwitchOutput,
    TakeControl,
)
from openpendant.scene import Cell, Scene

from .control import ControlBook
from .diary import OWN_NAME, Diary, plain
from .probing import hopeless, look_at
from .reporting import layout_of, pack_joints, parts_of, report_of, status_of

__all__ = ["Operation", "People"]

LOOK_S = 1.0 / 60.0
TELL_S = 0.1
REPEAT_S = 0.25
"""Joints that stand still are sent again after this time, so that who looks knows that they are news."""

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
        self._stopped = 0
        """How often everything was told to stop."""
        self._task: asyncio.Task[None] | None = None
        self._told: Operating | None = None
        self._diary = Diary(people.tell)
        self._parts: tuple[Scene | None, tuple[PartPlace, ...]] = (None, ())
        self._compared: tuple[Cell | None, Cell | None, bool] = (None, None, False)

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
            stale=self._is_stale(),
            parts=self._parts_now(),
        )

    def log(self) -> Events:
        """Return what has happened lately."""
        return self._diary.events()

    async def act(self, client: str, message: FromOperator) -> ProbeAnswer | None:
        """Do what a client asks for; return the answer where there is more to say than that it is done.

        Raises:
            OpenPendantError: It cannot be done; one sentence for the person.
        """
        names = self._people.names()
        who, diary, answer = names.get(client, ""), self._diary, None
        match message:
            case Stop():
                await self._stop_all()
                diary.note(who, "stop")
            case Probe():
                answer = await self._probe(message)
            case Connect(addresses=addresses):
                await self._connect(dict(addresses), who)
            case Disconnect():
                diary.note(who, "disconnect")
                await self._disconnect()
            case TakeControl() | GiveControl() | AskControl():
                await self._control(client, message, names)
            case Run():
                await self._start_run(client, message, names)
            case Pause():
                robot = await self._on_run(client, names, lambda run: run.pause())
                diary.note(who, "pause", robot)
            case Resume():
                robot = await self._on_run(client, names, lambda run: run.resume())
                diary.note(who, "resume", robot)
            case Step():
                robot = await self._on_run(client, names, lambda run: run.step())
                diary.note(who, "step", robot)
            case SetSpeed(fraction=fraction):
                robot = await self._on_run(client, names, lambda run: run.set_speed(fraction))
                diary.note_speed(who, robot, fraction)
                if self._run_status is not None:
                    self._run_status = msgspec.structs.replace(self._run_status, speed=fraction)
            case _:
                await self._on_robot(client, message, names)
        self._tell()
        return answer

    def intend(self, client: str, message: Intend) -> None:
        """Pass on what a person wants an arm to do now; silently nothing where they have no control."""
        runtime = self._runtime
        if runtime is None or self._book.holder(message.robot) != client or self._state != "on":
            return
        robot = runtime.robot(message.robot)
        intent = msgspec.structs.replace(message.intent, source=robot.client_id, stamp_ns=time.monotonic_ns())
        robot.intend(intent)

    def leave(self, client: str, name: str) -> tuple[str, ...]:
        """A client has gone: what it had control of comes to rest; return these robots."""
        lost = self._book.leave(client)
        if lost and self._state == "on":
            self._stops.submit(self._halt)
            for robot in lost:
                self._diary.note(name, "leave", robot)
        self._tell()
        return lost

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

    async def _connect(self, addresses: dict[str, str], who: str) -> None:
        async with self._one:
            if self._state in ("starting", "on"):
                raise InputError("the robots are connected already; disconnect them first")
            self._diary.note(who, "connect", what=", ".join(f"{robot}: {at}" for robot, at in addresses.items()))
            await self._start(self._project.shared.cell, addresses, {}, look=True)

    async def _start(
        self,
        cell: Cell,
        addresses: dict[str, str],
        start: dict[str, dict[str, tuple[float, ...]]],
        parts: Scene | None = None,
        *,
        look: bool = False,
    ) -> None:
        if not cell.robots:
            raise InputError("the cell has no robot yet; add one first")
        self._state, self._message, self._addresses = "starting", "", addresses
        self._tell()
        try:
            for robot, address in addresses.items() if look else ():
                if why := hopeless(await self._find(robot, address)):
                    raise InputError(why)
            runtime = CellRuntime(
                cell,
                addresses=addresses,
                programs=self._project.shared.programs,
                folder=self._project.folder,
                name=OWN_NAME,
                start=start,
                parts=parts,
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
        self._diary.begin_anew()
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

    def _is_stale(self) -> bool:
        """Return whether the cell was edited since the robots were started; what it is called does not count."""
        runtime, cell = self._runtime, self._project.shared.cell
        if runtime is None or runtime.cell is cell:
            return False
        if self._compared[0] is not runtime.cell or self._compared[1] is not cell:
            self._compared = (runtime.cell, cell, _bare(runtime.cell) != _bare(cell))
        return self._compared[2]

    async def _renew(self) -> None:
        """Start the robots anew where the cell was edited since, from where they stand."""
        runtime = self._runtime
        if runtime is None or not self._is_stale():
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
        await self._start(self._project.shared.cell, self._addresses, kept, runtime.left)

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
            self._run, stops = None, self._stopped
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
                self._check_not_stopped(stops)
                runtime = self._robot(program.robot)
                runtime.programs = shared.programs
                loop = asyncio.get_running_loop()
                self._run = await loop.run_in_executor(
                    self._threads,
                    lambda: runtime.start_run(
                        program,
                        mode=asked.mode,
                        reduced=asked.reduced,
                        loop=asked.loop,
                        start_at=asked.from_step or None,
                        single=asked.single,
                    ),
                )
                if self._stopped != stops:
                    await self._stop_all()
            except OpenPendantError as error:
                status = "failed" if self._stopped == stops else "stopped"
                self._run_status = msgspec.structs.replace(self._run_status, status=status, message=str(error))
                self._tell()
                raise
            self._diary.note(names.get(client, ""), "run", program.robot, asked.program)

    async def _control(
        self, client: str, message: TakeControl | GiveControl | AskControl, names: dict[str, str]
    ) -> None:
        """Let control go from one to another; whatever moves stops before it is taken from somebody."""
        who, robot, diary = names.get(client, ""), message.robot, self._diary
        self._robot(robot)
        match message:
            case TakeControl(take_over=take_over):
                lost = self._book.take(robot, client, names, take_over=take_over)
                if lost:
                    await self._stop_all()
                diary.note(who, "take over" if lost else "take control", robot, names.get(lost, ""))
            case GiveControl(to=to):
                self._book.give(robot, client, to, names)
                diary.note(who, "hand over" if to else "give control", robot, names.get(to, ""))
            case AskControl():
                self._book.ask(robot, client)
                diary.note(who, "ask control", robot)

    async def _probe(self, asked: Probe) -> ProbeAnswer:
        """Look at what is at an address."""
        address = asked.address.strip()
        if self._state in ("starting", "on") and address in self._addresses.values():
            raise InputError(f"{address} is connected already")
        findings = await self._find(asked.robot, address)
        return ProbeAnswer(id=asked.id, robot=asked.robot, address=address, findings=findings)

    async def _find(self, robot: str, address: str) -> tuple[ProbeFinding, ...]:
        cell = self._project.shared.cell
        return await asyncio.get_running_loop().run_in_executor(self._threads, look_at, cell, robot, address)

    async def _on_run(self, client: str, names: dict[str, str], act: Callable[[ProgramRun], None]) -> str:
        """Do something with the run; return the robot that it is about."""
        run = self._run
        if run is None or run.status not in ("running", "paused"):
            raise InputError("no program runs")
        self._book.check(run.program.robot, client, names)
        await self._aside(lambda: act(run))
        return run.program.robot

    async def _on_robot(self, client: str, message: FromOperator, names: dict[str, str]) -> None:
        who, diary = names.get(client, ""), self._diary
        match message:
            case SwitchOutput(robot=robot, signal=signal, value=value):
                runtime = self._controlled(client, robot, names)
                await self._aside(lambda: runtime.robot(robot).set_output(signal, value))
                diary.note(who, "switch on" if value else "switch off", robot, signal)
            case SetTool(robot=robot, arm=arm, opening_m=opening):
                runtime = self._controlled(client, robot, names)
                await self._aside(lambda: runtime.robot(robot).move_tool(opening, arm))
                diary.note(who, "tool", robot, f"{1000.0 * opening:.1f} mm")
            case Engage(robot=robot, arm=arm):
                self._controlled(client, robot, names)
                stops = self._stopped
                async with self._one:
                    await self._renew()
                self._check_not_stopped(stops)
                runtime = self._robot(robot)
                await self._aside(lambda: _engage(runtime, robot, arm))
                diary.note(who, "jog", robot, arm)
            case Press(robot=robot, button=button):
                runtime = self._controlled(client, robot, names)
                await self._aside(lambda: _press(runtime, robot, button))
                diary.note(who, "press", robot, button)
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
        self._stopped += 1
        runtime = self._runtime
        if runtime is None or self._state != "on":
            return  # Robots that are only starting do not move.
        try:
            runtime.stop()
        except OpenPendantError as error:
            log.warning("%s", error)

    def _check_not_stopped(self, stops: int) -> None:
        """Refuse to begin what was asked for before a stop."""
        if self._stopped != stops:
            raise InputError("stopped before it began")

    def _run_now(self) -> RunStatus | None:
        run, known = self._run, self._run_status
        if run is None or known is None:
            return known
        self._run_status = msgspec.structs.replace(
            known, status=run.status, message=plain(run.message), step=run.step_id
        )
        return self._run_status

    def _parts_now(self) -> tuple[PartPlace, ...]:
        scene = None if self._run is None or self._state != "on" else self._run.scene
        if scene is not self._parts[0]:
            self._parts = (scene, parts_of(scene))
        return self._parts[1]

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


def _bare(cell: Cell) -> Cell:
    return msgspec.structs.replace(cell, title="", notes="")


def _engage(runtime: CellRuntime, robot: str, arm: str) -> None:
    runtime.robot(robot).engage(arm)


def _press(runtime: CellRuntime, robot: str, button: str) -> None:
    runtime.virtual(robot).press(button)
