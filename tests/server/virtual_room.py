"""An open project with its robot in virtual time: the server's own operation, its threads, workers and event loop.

Nothing happens at the same time: at every tick first the robot's process moves, then the event loop, then each thread
that waits, one after the other. So every example is repeated exactly, and no test waits for a clock.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np

from openpendant.controllers import Job, KinematicRobot, SampledPath, VendorText
from openpendant.messages.operation import FromOperator, FromRobots, Operating, Stopped
from openpendant.messages.stop_service import LineHalt
from openpendant.programs import Program, Report, check_program, fingerprint_of
from openpendant.runtime import CellLink, CellRuntime, Corridor, RemoteRobot
from openpendant.runtime.upload import Uploadable, prepare_upload
from openpendant.scene import Cell, Signal
from openpendant.server.studio.operation import Operation
from openpendant.server.studio.people import RoomPeople
from virtual_cell import (
    ARM,
    CELL,
    PROGRAMS,
    ROBOT,
    SWINGS,
    TICK_NS,
    WAITS,
    MemoryBus,
    VirtualCell,
    clear_report,
    empty_world,
)

STILL_WORK_S = 1.0
"""In these tests a worker without progress is ended sooner."""
NEVER = 10**18
SPOKEN_NS = 100_000_000
"""A page says so often that somebody is there."""


def uploaded_path(q: np.ndarray) -> np.ndarray:
    """Return where the arm goes, tick by tick, while its controller runs a program: the base swings once."""
    along = 0.5 - 0.5 * np.cos(np.linspace(0.0, 2.0 * np.pi, 400))
    Q = np.repeat(q[None, :], len(along), axis=0)
    Q[:, 0] += np.where(q[0] > 0.0, -0.3, 0.3) * along
    return Q


class UploadingRobot(KinematicRobot):
    """A plant whose controller runs vendors' programs, all alike."""

    def run(self, job: Job) -> None:
        """Begin a program."""
        if isinstance(job, VendorText):
            job = SampledPath(ARM, uploaded_path(np.array(self.state.q[ARM])))
        super().run(job)


class Worker:
    """A thread that goes on only when it has its turn, until it waits for time to pass."""

    def __init__(self, work: Callable[[], Any], future: "asyncio.Future[Any]") -> None:
        self._work, self._future = work, future
        self._go, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self.over = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def turn(self) -> None:
        """Let it go on. Called by the thread in which time passes."""
        self._go.release()
        self._back.acquire()

    def park(self) -> None:
        """Wait for the next turn. Called by the thread itself."""
        self._back.release()
        self._go.acquire()

    def _run(self) -> None:
        self._go.acquire()
        try:
            result = self._work()
        except BaseException as error:
            if not self._future.done():
                self._future.set_exception(error)
        else:
            if not self._future.done():
                self._future.set_result(result)
        self.over = True
        self._back.release()


class VirtualLoop(asyncio.SelectorEventLoop):
    """The event loop of the server, in virtual time; its threads are `Worker`s."""

    def __init__(self, room: "VirtualRoom") -> None:
        super().__init__()
        self._room = room

    def time(self) -> float:
        """Return virtual seconds."""
        return self._room.now * 1e-9

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":
        """Have something done in a thread."""
        future = self.create_future()
        self._room.workers.append(Worker(lambda: func(*args), future))
        return future

    def turn(self) -> None:
        """Do what is due."""
        for _ in range(3):
            self.call_soon(self.stop)
            self.run_forever()


class VirtualWork:
    """One check or export that takes virtual time; keeps `pool.Work`."""

    def __init__(self, room: "VirtualRoom", kind: str, until: int, make: Callable[[], Any]) -> None:
        self._room, self._kind, self._until, self._make = room, kind, until, make
        self.cancelled = False

    @property
    def done(self) -> bool:
        """Whether its time has come."""
        return self._kind != "hangs" and self._room.now >= self._until

    @property
    def progress(self) -> int:
        """Grows with time, unless it hangs."""
        return 0 if self._kind == "hangs" else self._room.now

    def result(self) -> Any:
        """Return what was asked for."""
        if self._kind == "breaks":
            raise ZeroDivisionError("the check is broken")
        return self._make()

    def cancel(self) -> None:
        """Nobody waits for it."""
        self.cancelled = True


class VirtualPool:
    """Workers; keeps `pool.WorkPool`."""

    def __init__(self, room: "VirtualRoom") -> None:
        self._room = room
        self.kind, self.ticks = "works", 0
        """How the next pieces of work go, and how long they take."""
        self.works: list[VirtualWork] = []

    def begin(self, function: Any, *args: Any, **options: Any) -> VirtualWork:
        """Begin a piece of work."""
        make = {check_program: check, prepare_upload: export}[function]
        work = VirtualWork(self._room, self.kind, self._room.now + self.ticks * TICK_NS, lambda: make(*args, **options))
        self.works.append(work)
        return work


def check(
    cell: Cell, program: Program, *, programs: Mapping[str, Program], start: Mapping[str, Any], **options: Any
) -> Report:
    """Return a clear report of a program from where the arm stands."""
    report = clear_report(program.name)
    q = {key: np.array(joints) for key, joints in start.items()}
    known = {**programs, program.name: program}
    mark = fingerprint_of(cell, known, q, start_at=options["start_at"], scene=options["scene"])
    begin = msgspec.structs.replace(report.start, q={key: tuple(joints.tolist()) for key, joints in q.items()})
    return msgspec.structs.replace(report, start=begin, fingerprint=mark)


def export(*args: Any, **_: Any) -> Uploadable:
    """Return a program as its controller runs it."""
    program, start = args[1], args[4]
    q = np.array(start[f"{ROBOT}/{ARM}"])
    return Uploadable(VendorText("urscript", program.name, ""), Corridor(uploaded_path(q)), f"{ROBOT}/{ARM}")


class VirtualRuntime(CellRuntime):
    """The runtime of the cell; its robot's process is that of the room."""

    def __init__(self, room: "VirtualRoom", cell: Cell, **options: Any) -> None:
        super().__init__(cell, virtual=False, **options)
        self._room = room

    def start(self, within_s: float = 10.0) -> None:
        """Start the robot."""
        self._room.start_process()
        self._session_of_link = session = MemoryBus(self._room, "me")
        self._link = CellLink(session, self.cell.name, "studio", 0.8, lambda: self._room.now, clock=self._room)
        self._robots = {ROBOT: RemoteRobot(ROBOT, self.scene, self._link)}
        self._link.wait(lambda: self.link.last_report_s(ROBOT) > 0.0, within_s)

    def close(self) -> None:
        """End it."""
        if self._link is not None:
            self._link.close()
            self._session_of_link.close()
        if self._room.robot is not None:
            self._room.loop.halt("its runtime ends")
            self.link.wait(lambda: not self._room.moving and self._room.loop.at_rest, 3.0)
        self._room.kill(NEVER)


@dataclass(eq=False)
class Request:
    """What a client has asked for, and what became of it."""

    client: str
    message: FromOperator
    at: int
    task: "asyncio.Task[Any]"


@dataclass(eq=False)
class VirtualRoom(VirtualCell):
    """A room with its people and one robot."""

    names: dict[str, str] = field(default_factory=dict)
    """Who is here."""
    frozen: set[str] = field(default_factory=set)
    """Those of them who say nothing any more; their connections stay open."""
    workers: list[Worker] = field(default_factory=list)
    told: Operating | None = None
    stopped: list[tuple[int, Stopped]] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    spoke: dict[str, int] = field(default_factory=dict)
    """When somebody last showed that they are there."""

    def begin(self) -> None:
        """Open the project; nothing runs yet."""
        self.robot, self.born, self.loop = None, NEVER, None  # pyright: ignore[reportAttributeAccessIssue]
        self.asyncio = VirtualLoop(self)
        self.pool = VirtualPool(self)
        self.project = SimpleNamespace(
            shared=SimpleNamespace(cell=CELL, programs={one.name: one for one in (SWINGS, WAITS)} | PROGRAMS),
            folder=Path("virtual"),
        )
        self._patches = [
            patch("openpendant.server.studio.started_cell.CellRuntime", lambda *a, **k: VirtualRuntime(self, *a, **k)),
            patch("openpendant.programs.run.runner.CollisionWorld", lambda _: empty_world()),
            patch("openpendant.runtime.run_work.STILL_WORK_S", STILL_WORK_S),
        ]
        for one in self._patches:
            one.start()
        people = RoomPeople(lambda: dict(self.names), self._take, lambda _: None, self._drop)
        project: Any = self.project
        pool: Any = self.pool
        self.operation = Operation(project, people, pool, lambda: self.now, lambda: None, clock=lambda: self.now * 1e-9)
        self.you = CellLink(MemoryBus(self, "you"), CELL.name, "you", 1.0, clock=self)

    def close(self) -> None:
        """End the loop; every thread must have ended before."""
        for one in self._patches:
            one.stop()
        self.asyncio.close()

    def make_plant(self) -> KinematicRobot:
        """Return the arm, where it is; its controller runs programs too."""
        made = super().make_plant()
        return UploadingRobot(made.arms, made.inputs, made.outputs, made.tick_ns)

    # Time.

    def step(self) -> None:
        """Let one tick pass; a thread waits for its turn in the next one."""
        mine = next((one for one in self.workers if one.thread is threading.current_thread()), None)
        if mine is not None:
            mine.park()
            return
        super().step()
        if self.now % SPOKEN_NS < TICK_NS:
            for client in self.names:
                if client not in self.frozen:
                    self.speak(client)
        self.asyncio.turn()
        for worker in tuple(self.workers):
            if not worker.over:
                worker.turn()
        self.workers = [worker for worker in self.workers if not worker.over]

    def wait(self, changed: threading.Condition, within_s: float) -> None:
        """Wait with the lock open, as others take it meanwhile."""
        end = self.now + max(TICK_NS, int(min(within_s, 0.01) * 1e9))
        while self.now < end:
            changed.release()
            try:
                self.step()
            finally:
                changed.acquire()

    # People.

    def speak(self, client: str) -> None:
        """Somebody shows that they are there."""
        self.spoke[client] = self.now
        self.operation.present(client, self.now)

    def enter(self, client: str) -> None:
        """Somebody opens the project."""
        self.names[client] = client
        self.frozen.discard(client)

    def leave(self, client: str) -> None:
        """Somebody closes it; the room calls this in the event loop."""
        self.names.pop(client, None)
        self.asyncio.call_soon(self.operation.leave, client, client)

    def ask(self, client: str, message: FromOperator) -> Request:
        """Somebody asks for something."""
        act = self.operation.act(client, message, self.operation.mark())
        request = Request(client, message, self.now, self.asyncio.create_task(act))
        self.requests.append(request)
        return request

    def service_stop(self, press: str, client: str) -> None:
        """STOP comes by the stop service: to the robot at once, and to the server."""
        if self.robot is not None:
            self.robot.process._halts.append(LineHalt(number=self.now, who=client, press=press))

    def edit(self) -> None:
        """Somebody edits the cell."""
        cell: Cell = self.project.shared.cell
        name = f"more {len(cell.signals)}"
        self.project.shared.cell = msgspec.structs.replace(cell, signals=(*cell.signals, Signal(name=name, kind="out")))

    def _take(self, message: FromRobots) -> None:
        if isinstance(message, Operating):
            self.told = message
        elif isinstance(message, Stopped):
            self.stopped.append((self.now, message))

    def _drop(self, client: str, why: str) -> None:
        """The room cuts off whoever is silent: their connection closes soon."""
        self.dropped.append(client)
        self.leave(client)
