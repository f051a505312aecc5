"""CellRuntime: a cell that runs: its bus, one process for each robot, virtual controllers, and work that takes long."""

import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import msgspec
from numpy.typing import ArrayLike

from openpendant.errors import ControllerError, InputError, UnknownNameError
from openpendant.makers import find_maker
from openpendant.messages import RobotEventKind, bus
from openpendant.pool import WorkPool
from openpendant.programs import Program
from openpendant.robots import load
from openpendant.said import join, say
from openpendant.scene import Cell, CellDocument, Scene, encode_cell
from openpendant.stop_service import LineAddress

from .bus import Bus
from .cell_runs import CellRuns
from .link import HOLD_S, REST_S, CellLink
from .pendant_watch import PendantWatch
from .remote_robot import RemoteRobot
from .settings import RobotSettings
from .stops import StopOutcome
from .supervision import Child, StartedProcess, SubprocessChild
from .virtual_process import OwnAddresses, VirtualProcess

if TYPE_CHECKING:
    from openpendant.virtual.launch import VirtualHandle

POLL_S = 0.03
SILENT_S = 5.0
"""A robot's process that is silent for this time hangs, and is restarted."""
BUILD_S = 180.0
"""Time the first start may take: kernels are compiled, pairs of links are sampled."""
KINEMATIC = "kinematic"
"""In place of an address: the robot runs without a controller, also where it could have a virtual one."""
MOST_ENDS = 3
"""A process that ends this many times before its first report will not do better."""


class CellRuntime(CellRuns):
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
            addresses: Of real controllers (or virtual ones that somebody else has started), by robot; "kinematic" for a
                robot that is to have none.
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
            hold_s: How long robots continue when nothing is received from this process.
            start: Joints by robot and arm where virtual and kinematic robots start; default: as the cell says.
            parts: Where an earlier run, maybe of an older version of this cell, has left parts and fingers.
            alive_ns: Returns when whoever controls the robots last showed that it is alive, monotonic nanoseconds;
                robots stop `hold_s` after that. Default: now.
            stop_line: Of a stop service that robots obey as well; None: there is none.
            pool: Where programs are checked; default: one of its own, which ends with it.

        Raises:
            UnknownNameError: An address is for a robot that the cell does not have.
            InputError: An address is for a robot that has no driver.
        """
        document = cell if isinstance(cell, CellDocument) else None
        if folder is None and document is not None:
            folder = document.folder
        plain = cell.cell if isinstance(cell, CellDocument) else cell
        super().__init__(plain, None if folder is None else Path(folder), programs or {}, parts, pool or WorkPool())
        self._own_pool = pool is None
        given_words = dict(addresses or {})
        self._addresses = {robot: address for robot, address in given_words.items() if address != KINEMATIC}
        self._kinematic = frozenset(given_words) - frozenset(self._addresses)
        self._models = {one.name: one.model for one in self.cell.robots}
        given: Mapping[str, str] = virtual if isinstance(virtual, Mapping) else {}
        self._virtual = {robot: address for robot, address in given.items() if robot not in given_words}
        self._choose = virtual is True
        """Whether addresses of virtual controllers are to be chosen at the start."""
        self._own_addresses = OwnAddresses()
        for robot, address in {**given_words, **self._virtual}.items():
            self._check_address(robot, address)
        self._name, self._hold_s, self._collisions = name, hold_s, collisions
        self._reduced, self._dead_man = reduced, dead_man
        self._alive_ns, self._stop_line = alive_ns, stop_line
        self._starts = {robot: dict(arms) for robot, arms in (start or {}).items()}
        self._children: dict[str, Child] = {}
        self._controllers: dict[str, Child] = {}
        self._pendants: dict[str, PendantWatch] = {}
        self._threads: list[threading.Thread] = []
        self._ended = threading.Event()
        self._bus: Bus | None = None

    @property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(arm.robot for arm in self.scene.arms.values()))

    def _check_address(self, robot: str, address: str) -> None:
        """Raise InputError or UnknownNameError where no driver can reach a robot there."""
        if robot not in self._names:
            raise UnknownNameError("robot with arms in this cell", robot, self._names)
        if robot in self._kinematic:
            return
        model = self._models[robot]
        maker = find_maker(load(model))
        if maker is None:
            raise InputError(say("connect.no_driver_at", robot=robot, address=address, model=model))
        maker.parse_address(address)

    def __enter__(self) -> Self:
        """Start, and wait until every robot has reported."""
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

    def start(self, within_s: float = BUILD_S) -> None:
        """Start all processes, and wait until every robot has reported. Does nothing where they have been started.

        Args:
            within_s: How long to wait, seconds.

        Raises:
            ControllerError: A robot does not report within the time.
            BusError: The bus cannot be opened.
        """
        if self._bus is not None:
            return
        self._bus = Bus.hub()
        self._link = link = CellLink(self._bus, self.cell.name, self._name, self._hold_s, self._alive_ns)
        if self._choose:
            able = [one for one in self.cell.robots if one.name not in self._kinematic]
            self._virtual = self._own_addresses.choose(able, self._addresses)
        for robot, address in self._virtual.items():
            child = Child(
                say("process.virtual_of", robot=robot),
                partial(self._start_virtual, robot, address),
                self._logger_of(robot),
            )
            self._controllers[robot] = child
            self._watch(child, time.monotonic)
        for robot in self._names:
            child = Child(say("process.of", robot=robot), partial(self._start_robot, robot), self._logger_of(robot))
            self._children[robot] = child
            self._watch(child, partial(link.last_report_s, robot))
            self._robots[robot] = RemoteRobot(robot, self.scene, link)
        children = (*self._children.values(), *self._controllers.values())

        def reported() -> bool:
            return all(link.last_report_s(robot) for robot in self._names)

        link.wait(lambda: reported() or any(child.ends >= MOST_ENDS for child in children), within_s)
        if not reported():
            silent = [robot for robot in self._names if not link.last_report_s(robot)]
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
        for watch in self._pendants.values():
            watch.refresh()
        for thread in self._threads:
            thread.join()
        if self._link is not None:
            self._link.close()
        for child in (*self._children.values(), *self._controllers.values()):
            child.close()
        self._own_addresses.close()
        if self._own_pool:
            self.pool.close()
        if self._bus is not None:
            self._bus.close()

    def robot(self, name: str) -> RemoteRobot:
        """Return a robot of the cell.

        Args:
            name: Name of the robot in the cell.

        Raises:
            UnknownNameError: The cell has no such robot with arms.
            InputError: The runtime is not running.
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

    def stop(self, *, rest_within_s: float = REST_S, press: str = "") -> dict[str, StopOutcome]:
        """Stop every robot and every run, whoever moves it; needs no control. Everything requested before is void.

        Args:
            rest_within_s: How long to wait until the robots are seen at rest, seconds; 0: only until they obey.
            press: The same for a stop that reaches the robots by the stop service too, so that it counts once.

        Returns:
            What became of it, by robot.

        Raises:
            InputError: The runtime is not running.
        """
        self._forbid_runs()
        return self.link.halt(self._robots, rest_within_s=rest_within_s, press=press)

    def virtual(self, robot: str) -> "VirtualHandle":
        """Return the virtual controller that was started for a robot: its pendant and its faults.

        Args:
            robot: Name of the robot in the cell.

        Raises:
            InputError: There is none.
        """
        child = self._controllers.get(robot)
        process = None if child is None else child.process
        if not isinstance(process, VirtualProcess):
            raise InputError(say("connect.no_virtual", robot=robot))
        return process.handle

    def pendant(self, robot: str) -> Mapping[str, Any] | None:
        """Return what the pendant of a robot's virtual controller shows; None: it has none, or it has not reported yet.

        Args:
            robot: Name of the robot in the cell.
        """
        if robot not in self._controllers or self._ended.is_set():
            return None
        if robot not in self._pendants:
            self._pendants[robot] = watch = PendantWatch(partial(self.virtual, robot), self._ended)
            self._threads.append(watch.thread)
        return self._pendants[robot].state

    def press(self, robot: str, button: str) -> None:
        """Press a button of the pendant of a robot's virtual controller.

        Args:
            robot: Name of the robot in the cell.
            button: As the controller calls it.

        Raises:
            InputError: The robot has no virtual controller.
            ControllerError: The button cannot be pressed; says why.
        """
        self.virtual(robot).press(button)
        if robot in self._pendants:
            self._pendants[robot].refresh()

    def pids(self) -> dict[str, int]:
        """Return the process of each robot that lives."""
        found = {robot: child.process for robot, child in self._children.items()}
        return {robot: process.pid for robot, process in found.items() if process is not None}

    def _logger_of(self, robot: str) -> Callable[[RobotEventKind, str], None]:
        return lambda kind, words: self.link.log_event(robot, kind, words)

    def _watch(self, child: Child, reported: Callable[[], float]) -> None:
        def poll() -> None:
            while not self._ended.wait(POLL_S):
                child.poll(time.monotonic(), reported(), SILENT_S, BUILD_S)

        thread = threading.Thread(target=poll, name=f"openpendant-{child.name}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _start_robot(self, robot: str) -> StartedProcess:
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
        return SubprocessChild([sys.executable, "-m", "openpendant.runtime.robot"], msgspec.json.encode(settings))

    def _start_virtual(self, robot: str, address: str) -> StartedProcess:
        given = self._joints(robot)
        placed = (arm for arm in self.scene.arms.values() if arm.robot == robot)
        q = {arm.arm: given.get(arm.arm, tuple(arm.q_start.tolist())) for arm in placed}
        model = self._models[robot]
        maker = find_maker(load(model))
        own = None if maker is None else maker.virtual
        options: Mapping[str, str] = {} if own is None else own.options_in_cell(self.cell, robot, self.folder, address)
        return VirtualProcess.start(model, address, q, options)

    def _joints(self, robot: str) -> dict[str, tuple[float, ...]]:
        given = self._starts.get(robot, {})
        return {arm: tuple(self.scene.arm(f"{robot}/{arm}").kinematics.check_q(q).tolist()) for arm, q in given.items()}
