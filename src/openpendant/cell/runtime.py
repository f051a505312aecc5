"""CellRuntime: a cell that runs: its bus, one process for each robot, virtual controllers, and work that takes long."""

import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

import msgspec
from numpy.typing import ArrayLike

from openpendant.errors import ControllerError, InputError, OpenPendantError, UnknownNameError
from openpendant.messages import RobotEventKind, bus
from openpendant.programs import Program, Report, check_program, find_wiring_fault
from openpendant.said import join, say
from openpendant.scene import Cell, CellDocument, Scene, encode_cell
from openpendant.stop_service import LineAddress

from .building import has_virtual
from .bus import Bus
from .link import HOLD_S, REST_S, CellLink
from .pool import WorkPool
from .remote import RemoteRobot
from .runs import ProgramRun
from .settings import RobotSettings
from .stops import StopCounts, StopOutcome
from .supervision import Child, Started, SubprocessChild

if TYPE_CHECKING:
    from openpendant.virtual.launch import VirtualHandle

__all__ = ["CellRuntime"]

LOOK_S = 0.03
SILENT_S = 5.0
"""A robot's process that is silent for so long hangs, and is started anew."""
BUILD_S = 180.0
"""So long the first start may take: kernels are compiled, pairs of links are sampled."""
FIRST_ADDRESS, LAST_ADDRESS = 20, 250
"""Virtual controllers of runtimes get 127.0.0.20 and upwards, where nobody says otherwise."""
MOST_ENDS = 3
"""A process that ends so often before anything was heard of it will not do better."""
UR_PORTS = (29999, 30001, 30002, 30003, 30004)


def free_addresses() -> Iterator[str]:
    """Yield loopback addresses at which nobody listens on the ports of a virtual controller."""
    for number in range(FIRST_ADDRESS, LAST_ADDRESS):
        address = f"127.0.0.{number}"
        if all(_is_free(address, port) for port in UR_PORTS):
            yield address


def _is_free(address: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return False
        return True


class _Virtual:
    """A virtual controller as a supervised process."""

    def __init__(self, handle: "VirtualHandle") -> None:
        self.handle = handle

    @property
    def pid(self) -> int:
        return self.handle.process.pid

    def poll(self) -> int | None:
        return self.handle.process.poll()

    def kill(self, *, hung: bool = False) -> None:  # noqa: ARG002 - it prints no stacks
        self.handle.kill()

    def end(self) -> None:
        self.handle.close()


class CellRuntime:
    """Runs a cell until it is closed. Calls block, may come from any thread, and hide the threads inside."""

    def __init__(
        self,
        cell: Cell | CellDocument,
        *,
        addresses: Mapping[str, str] | None = None,
        virtual: Mapping[str, str] | bool = True,
        programs: Mapping[str, Program] | None = None,
        folder: Path | str | None = None,
        name: str = "runtime",
        reduced: bool | None = None,
        dead_man: bool | None = None,
        collisions: bool = True,
        hold_s: float = HOLD_S,
        start: Mapping[str, Mapping[str, ArrayLike]] | None = None,
        parts: Scene | None = None,
        alive_ns: Callable[[], int] = time.monotonic_ns,
        stop_line: LineAddress | None = None,
        pool: WorkPool | None = None,
    ) -> None:
        """Get ready; `start` (or `with`) starts the processes.

        Args:
            cell: Without fault.
            addresses: Of real controllers (or virtual ones that somebody else has started), by robot.
            virtual: Loopback addresses of virtual controllers to be started, by robot; True: chosen for all robots
                that have one; False: none, all robots without an address are kinematic.
            programs: Of the cell, by name, for runs and calls.
            folder: Of the cell, where mesh files are looked for; default: that of the document.
            name: Of this client, for people.
            reduced: Whether tools and elbows begin with a limit of 250 mm/s, which `RemoteRobot.set_reduced` lifts;
                default: on robots whose address was given.
            dead_man: Whether everybody who moves a robot by hand must hold a dead-man switch; default: on robots whose
                address was given.
            collisions: Whether the gates look at what is near.
            hold_s: How long robots go on when nothing is heard of this process.
            start: Joints by robot and arm where virtual and kinematic robots start; default: as the cell says.
            parts: Where an earlier run, maybe of an older version of this cell, has left parts and fingers.
            alive_ns: Returns when whoever controls the robots last showed that it is alive, monotonic nanoseconds;
                robots stop `hold_s` after that. Default: now.
            stop_line: Of a stop service that robots shall hear as well; None: there is none.
            pool: Where programs are checked; default: one of its own, which ends with it.

        Raises:
            UnknownNameError: An address is for a robot that the cell does not have.
            InputError: An address is for a robot that has no driver.
        """
        document = cell if isinstance(cell, CellDocument) else None
        self.cell = cell.cell if isinstance(cell, CellDocument) else cell
        if folder is None and document is not None:
            folder = document.folder
        self.folder = None if folder is None else Path(folder)
        self.scene = Scene(self.cell, self.folder)
        self.programs = dict(programs or {})
        self._own_pool = pool is None
        self.pool = pool or WorkPool()
        self._addresses = dict(addresses or {})
        self._virtual = self._choose(virtual)
        models = {one.name: one for one in self.cell.robots}
        for robot, address in {**self._addresses, **self._virtual}.items():
            if robot not in self._names:
                raise UnknownNameError("robot with arms in this cell", robot, self._names)
            if not has_virtual(models[robot]):
                raise InputError(say("connect.no_driver_at", robot=robot, address=address, model=models[robot].model))
        self._name, self._hold_s, self._collisions = name, hold_s, collisions
        self._reduced, self._dead_man = reduced, dead_man
        self._alive_ns, self._stop_line = alive_ns, stop_line
        self._starts = {robot: dict(arms) for robot, arms in (start or {}).items()}
        self._children: dict[str, Child] = {}
        self._controllers: dict[str, Child] = {}
        self._threads: list[threading.Thread] = []
        self._ended = threading.Event()
        self._bus: Bus | None = None
        self._link: CellLink | None = None
        self._runs: list[ProgramRun] = []
        self._robots: dict[str, RemoteRobot] = {}
        self._left = self.scene if parts is None else _carry_over(parts, self.scene)
        self._run: ProgramRun | None = None

    @property
    def left(self) -> Scene:
        """Where the last streamed run has parts and fingers, or has left them."""
        now = None if self._run is None else self._run.scene
        return self._left if now is None else now

    @property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(arm.robot for arm in self.scene.arms.values()))

    def _choose(self, virtual: Mapping[str, str] | bool) -> dict[str, str]:
        if isinstance(virtual, Mapping):
            return {robot: address for robot, address in virtual.items() if robot not in self._addresses}
        named = [one.name for one in self.cell.robots if virtual and has_virtual(one)]
        free = [robot for robot in named if robot not in self._addresses]
        return dict(zip(free, free_addresses(), strict=False))

    def __enter__(self) -> Self:
        """Start, and wait until every robot is heard of."""
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    @property
    def endpoint(self) -> str:
        """What other clients join by."""
        return self._session.endpoint

    @property
    def _session(self) -> Bus:
        if self._bus is None:
            raise InputError("the runtime is not running; use `with CellRuntime(...)`, or call start")
        return self._bus

    @property
    def link(self) -> CellLink:
        """This process's own client."""
        if self._link is None:
            raise InputError("the runtime is not running; use `with CellRuntime(...)`, or call start")
        return self._link

    def start(self, within_s: float = BUILD_S) -> None:
        """Start all processes, and wait until every robot is heard of.

        Raises:
            ControllerError: A robot is not heard of within the time.
            BusError: The bus cannot be opened.
        """
        if self._bus is not None:
            return
        self._bus = Bus.hub()
        self._link = link = CellLink(self._bus, self.cell.name, self._name, self._hold_s, self._alive_ns)
        for robot, address in self._virtual.items():
            child = Child(
                say("process.virtual_of", robot=robot),
                partial(self._start_virtual, robot, address),
                self._teller(robot),
            )
            self._controllers[robot] = child
            self._watch(child, time.monotonic)
        for robot in self._names:
            child = Child(say("process.of", robot=robot), partial(self._start_robot, robot), self._teller(robot))
            self._children[robot] = child
            self._watch(child, partial(link.heard_s, robot))
            self._robots[robot] = RemoteRobot(robot, self.scene, link)
        children = (*self._children.values(), *self._controllers.values())

        def heard() -> bool:
            return all(link.heard_s(robot) for robot in self._names)

        link.wait(lambda: heard() or any(child.ends >= MOST_ENDS for child in children), within_s)
        if not heard():
            silent = [robot for robot in self._names if not link.heard_s(robot)]
            faults = [child.fault for child in children if child.fault]
            raise ControllerError(
                say(
                    "connect.unheard",
                    robots=", ".join(silent),
                    why=join(faults, "list.semicolon") or say("connect.too_slow"),
                )
            )

    def close(self) -> None:
        """Bring everything to rest and end all processes; again is allowed."""
        self._ended.set()
        for thread in self._threads:
            thread.join()
        if self._link is not None:
            self._link.close()
        for child in (*self._children.values(), *self._controllers.values()):
            child.close()
        if self._own_pool:
            self.pool.close()
        if self._bus is not None:
            self._bus.close()

    def robot(self, name: str) -> RemoteRobot:
        """Return a robot of the cell.

        Raises:
            UnknownNameError: The cell has no such robot with arms.
        """
        self.link  # noqa: B018 - raises where nothing runs
        if name not in self._robots:
            raise UnknownNameError("robot with arms in this cell", name, self._robots)
        return self._robots[name]

    @property
    def robots(self) -> tuple[str, ...]:
        """The names of the robots that run."""
        return tuple(self._robots)

    @property
    def events(self) -> tuple[bus.RobotEvent, ...]:
        """The log of all robots, oldest first."""
        return self.link.events()

    def stop(self, *, rest_within_s: float = REST_S) -> dict[str, StopOutcome]:
        """Stop every robot and every run, whoever moves it; needs no control. Everything requested before is void.

        Args:
            rest_within_s: How long to wait until the robots are seen at rest; 0: only until they obey.

        Returns:
            What became of it, by robot.
        """
        for run in tuple(self._runs):
            run.forbid()
        return self.link.halt(self._robots, rest_within_s=rest_within_s)

    def stop_counts(self) -> StopCounts:
        """Return the stops known now: what is requested now carries them, and a later stop makes it void."""
        return self.link.stop_counts()

    def virtual(self, robot: str) -> "VirtualHandle":
        """Return the virtual controller that was started for a robot: its pendant and its faults.

        Raises:
            InputError: There is none.
        """
        child = self._controllers.get(robot)
        process = None if child is None else child.process
        if not isinstance(process, _Virtual):
            raise InputError(say("connect.no_virtual", robot=robot))
        return process.handle

    def pids(self) -> dict[str, int]:
        """Return the process of each robot that lives."""
        found = {robot: child.process for robot, child in self._children.items()}
        return {robot: process.pid for robot, process in found.items() if process is not None}

    def submit_check(
        self,
        program: Program | str,
        *,
        inputs: Mapping[str, bool] | None = None,
        start_at: str | None = None,
    ) -> "Future[Report]":
        """Have a program checked from where the arms stand now, in a process of its own. As `check`."""
        start = {
            f"{robot}/{arm}": report.q_rest
            for robot in self._robots
            if (state := self.link.report(robot)) is not None
            for arm, report in state.arms.items()
        }
        return self.pool.submit(
            check_program,
            self.cell,
            self._program(program),
            programs=self.programs,
            folder=self.folder,
            start=start,
            inputs=inputs,
            start_at=start_at,
            scene=self._begins(start_at),
        )

    def check(
        self,
        program: Program | str,
        *,
        inputs: Mapping[str, bool] | None = None,
        start_at: str | None = None,
    ) -> Report:
        """Return what would happen if a program ran from where the arms stand now.

        Args:
            program: Of the cell.
            inputs: As for `programs.check_program`.
            start_at: The id of the step to begin with, and then with parts where the last run has left them.

        Raises:
            InputError: The program has a fault; names place and value.
        """
        return self.submit_check(program, inputs=inputs, start_at=start_at).result()

    def _begins(self, start_at: str | None) -> Scene | None:
        """A whole program begins with parts as the cell says; from its middle, as they were left."""
        return None if start_at is None else self.left

    def start_run(
        self,
        program: Program | str,
        *,
        mode: Literal["streamed", "uploaded"] = "streamed",
        report: Report | None = None,
        reduced: bool | None = None,
        loop: bool = False,
        start_at: str | None = None,
        single: bool = False,
        since: StopCounts | None = None,
    ) -> ProgramRun:
        """Begin to run a program; the run can be paused, resumed, stopped and waited for.

        Args:
            program: Of the cell.
            mode: 'streamed': our trajectory, every setpoint through the gate; 'uploaded': the vendor's program runs
                on the controller, watched.
            report: Of `check`, from this start; made where it is missing.
            reduced: Whether the tool stays under 250 mm/s also where the robot itself does not see to it.
            loop: Whether it begins anew when it ends (streamed only).
            start_at: The id of the step to begin with (streamed only), as for `check`.
            single: Whether it pauses after its first step (streamed only).
            since: `stop_counts` when a person asked for it; a stop after that makes it void. None: now.

        Raises:
            InputError: The report is not clear, or of another program, cell or start.
            UnknownNameError: No step has the id `start_at`.
            LeaseError: Somebody else has control of a robot.
            StoppedError: A stop came before the run began.
            ControllerError: A robot cannot move now.
        """
        since = self.stop_counts() if since is None else since
        wanted = self._program(program)
        if mode not in ("streamed", "uploaded"):
            raise InputError(f"mode is {mode!r}; allowed is 'streamed' or 'uploaded'")
        if mode == "uploaded" and (start_at is not None or single):
            raise InputError(say("run.whole_only"))
        own = {**self.programs, wanted.name: wanted}
        fault = find_wiring_fault(Scene(self.cell), wanted, own, frozenset({*self._addresses, *self._virtual}))
        if fault:
            raise InputError(fault)
        run = ProgramRun(self.cell, wanted, own, self._robots, self.folder, self.link, since)
        self._runs = [*(one for one in self._runs if not one.life.over), run]
        try:
            run.wait_ready()
            if mode == "uploaded":
                run.start_uploaded(self.check(wanted) if report is None else report, reduced=reduced, pool=self.pool)
            else:
                run.start_streamed(
                    self.check(wanted, start_at=start_at) if report is None else report,
                    reduced=reduced,
                    loop=loop,
                    start_at=start_at,
                    scene=self._begins(start_at),
                    single=single,
                )
        except OpenPendantError as error:
            self._runs.remove(run)
            run.fail(error.said)
            raise
        self._left, self._run = self.left, run
        return run

    def run(
        self,
        program: Program | str,
        *,
        mode: Literal["streamed", "uploaded"] = "streamed",
        report: Report | None = None,
        reduced: bool | None = None,
    ) -> ProgramRun:
        """Run a program to its end; the run tells how it went. As `start_run`."""
        run = self.start_run(program, mode=mode, report=report, reduced=reduced)
        run.wait()
        return run

    def _program(self, program: Program | str) -> Program:
        if isinstance(program, Program):
            return program
        if program not in self.programs:
            raise UnknownNameError("program in this cell", program, self.programs)
        return self.programs[program]

    def _teller(self, robot: str) -> Callable[[RobotEventKind, str], None]:
        return lambda kind, words: self.link.tell(robot, kind, words)

    def _watch(self, child: Child, heard: Callable[[], float]) -> None:
        def look() -> None:
            while not self._ended.wait(LOOK_S):
                child.look(time.monotonic(), heard(), SILENT_S, BUILD_S)

        thread = threading.Thread(target=look, name=f"openpendant-{child.name}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _start_robot(self, robot: str) -> Started:
        settings = RobotSettings(
            cell=self.cell.name,
            document=encode_cell(self.cell).decode(),
            folder=None if self.folder is None else str(self.folder),
            robot=robot,
            endpoint=self.endpoint,
            address=self._addresses.get(robot) or self._virtual.get(robot),
            reduced=robot in self._addresses if self._reduced is None else self._reduced,
            dead_man=robot in self._addresses if self._dead_man is None else self._dead_man,
            stop_line=self._stop_line,
            collisions=self._collisions,
            start=self._joints(robot),
            stops=time.monotonic_ns(),
        )
        return SubprocessChild([sys.executable, "-m", "openpendant.cell.robot"], msgspec.json.encode(settings))

    def _start_virtual(self, robot: str, address: str) -> Started:
        entry = next(one for one in self.cell.robots if one.name == robot)
        placed = next(arm for arm in self.scene.arms.values() if arm.robot == robot)
        q = self._joints(robot).get(placed.arm, tuple(placed.q_start.tolist()))
        from openpendant.virtual.launch import start_virtual

        return _Virtual(start_virtual(entry.model, address, start_q=q))

    def _joints(self, robot: str) -> dict[str, tuple[float, ...]]:
        given = self._starts.get(robot, {})
        return {arm: tuple(self.scene.arm(f"{robot}/{arm}").kinematics.check_q(q).tolist()) for arm, q in given.items()}


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
