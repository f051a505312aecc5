"""StartedCell: the robots of a project as processes: started, restarted after edits of the cell, ended."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal, TypeVar

import msgspec

from openpendant.errors import InputError, OpenPendantError
from openpendant.messages.operation import Probe, ProbeFinding, ProbeReply
from openpendant.pool import WorkPool
from openpendant.projects import OpenProject
from openpendant.runtime import KINEMATIC, CellRuntime, RemoteRobot
from openpendant.said import say
from openpendant.scene import Cell, Scene
from openpendant.stop_service import LineAddress

from .event_log import OWN_NAME
from .robot_probe import hopeless, probe_robot
from .robot_status import report_of

T = TypeVar("T")
Joints = dict[str, dict[str, tuple[float, ...]]]
"""By robot and arm, radians."""


class StartedCell:
    """What runs of a project's cell. Lives in the event loop; what takes long happens in threads."""

    def __init__(
        self,
        project: OpenProject,
        pool: WorkPool,
        changed: Callable[[], None],
        alive_ns: Callable[[], int],
        stop_line: Callable[[], LineAddress | None],
    ) -> None:
        """Nothing runs yet.

        Args:
            project: Whose robots these are.
            pool: Where programs are checked before they run.
            changed: Called whenever the state has changed.
            alive_ns: Returns when this server was last seen alive, monotonic nanoseconds; else its robots stop.
            stop_line: Returns how robots reach the stop service; None: there is none.
        """
        self.state: Literal["off", "starting", "on", "failed"] = "off"
        self.message = ""
        """Why it failed."""
        self.addresses: dict[str, str] = {}
        """Of real controllers, by robot, or `KINEMATIC`."""
        self.runtime: CellRuntime | None = None
        self._ending: CellRuntime | None = None
        self._project, self._pool, self._changed = project, pool, changed
        self._alive_ns, self._stop_line = alive_ns, stop_line
        self._threads = ThreadPoolExecutor(4, "openpendant-operation")
        self._compared: tuple[Cell | None, Cell | None, bool] = (None, None, False)

    @property
    def on(self) -> CellRuntime | None:
        """What runs, once all of it does."""
        return self.runtime if self.state == "on" else None

    @property
    def robots(self) -> tuple[str, ...]:
        """The robots that run, once all do."""
        return () if self.on is None else self.on.robots

    @property
    def stoppable(self) -> CellRuntime | None:
        """What a stop goes to: also what is only starting, or being ended."""
        return self.runtime or self._ending

    def robot(self, name: str) -> CellRuntime:
        """Return what runs, with this robot in it; raises InputError or UnknownNameError."""
        if self.on is None:
            raise InputError(say("connect.first"))
        self.on.robot(name)
        return self.on

    def moves(self, robot: str) -> bool:
        """Return whether a robot moves."""
        report = None if self.on is None else report_of(self.on, robot)
        return report is not None and any(arm.moving for arm in report.arms.values())

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do in a thread what waits for a robot."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def check_startable(self) -> None:
        """Raise InputError where the robots run already."""
        if self.state in ("starting", "on"):
            raise InputError(say("connect.already"))

    async def start(
        self, addresses: dict[str, str], start: Joints | None = None, parts: Scene | None = None, *, look: bool = False
    ) -> None:
        """Start all robots of the cell as it is now.

        Args:
            addresses: Of real controllers, by robot.
            start: Where virtual and kinematic ones start; default: as the cell says.
            parts: Where an earlier run has left parts.
            look: Whether to look first at what is at the addresses.

        Raises:
            OpenPendantError: They cannot be started; says why.
        """
        cell = self._project.shared.cell
        if not cell.robots:
            raise InputError(say("connect.no_robot"))
        self.state, self.message, self.addresses = "starting", "", addresses
        self._changed()
        try:
            for robot, address in addresses.items() if look else ():
                if address == KINEMATIC:
                    continue
                if why := hopeless(await self._find(robot, address)):
                    raise InputError(why)
            make = partial(
                CellRuntime,
                cell,
                addresses=addresses,
                programs=self._project.shared.programs,
                folder=self._project.folder,
                name=OWN_NAME,
                start=start,
                parts=parts,
                alive_ns=self._alive_ns,
                stop_line=self._stop_line(),
                pool=self._pool,
            )
            # Meshes may have to be read: not in the event loop.
            self.runtime = await self.in_thread(make)
            await self.in_thread(self.runtime.start)
        except OpenPendantError as error:
            self.state, self.message = "failed", error.said
            await self._end()
            self._changed()
            raise
        self.state = "on"

    async def restart(self) -> None:
        """End all robots, and start them with the cell as it is now, from where they stand; raises as `start`."""
        runtime = self.runtime
        if runtime is None:
            return
        start = {
            robot: {arm: one.q_rest for arm, one in report.arms.items()}
            for robot in runtime.robots
            if (report := report_of(runtime, robot)) is not None
        }
        self.state = "starting"
        self._changed()
        await self._end()
        known = {robot.name for robot in self._project.shared.cell.robots}
        kept = {robot: joints for robot, joints in start.items() if robot in known}
        await self.start(self.addresses, kept, runtime.left)

    async def end(self) -> None:
        """Bring all robots to rest and end them."""
        await self._end()
        self.state, self.message = "off", ""

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def is_stale(self) -> bool:
        """Return whether the cell was edited since the robots were started; what it is called does not count."""
        runtime, cell = self.runtime, self._project.shared.cell
        if runtime is None or runtime.cell is cell:
            return False
        if self._compared[0] is not runtime.cell or self._compared[1] is not cell:
            self._compared = (runtime.cell, cell, _bare(runtime.cell) != _bare(cell))
        return self._compared[2]

    async def probe(self, asked: Probe) -> ProbeReply:
        """Look at what is at an address."""
        address = asked.address.strip()
        if self.state in ("starting", "on") and address in self.addresses.values():
            raise InputError(say("connect.address_taken", address=address))
        findings = await self._find(asked.robot, address)
        return ProbeReply(id=asked.id, robot=asked.robot, address=address, findings=findings)

    async def _find(self, robot: str, address: str) -> tuple[ProbeFinding, ...]:
        cell = self._project.shared.cell
        return await asyncio.get_running_loop().run_in_executor(self._threads, probe_robot, cell, robot, address)

    async def _end(self) -> None:
        """Close what runs; until that is done, a stop still goes to its robots."""
        self._ending, self.runtime = self.runtime, None
        if self._ending is not None:
            await self.in_thread(self._ending.close)
        self._ending = None


def leased(runtime: CellRuntime, robot: str) -> RemoteRobot:
    """Return a robot with control of it, also where that was lost meanwhile: its process may have restarted."""
    found = runtime.robot(robot)
    found.acquire()
    return found


def _bare(cell: Cell) -> Cell:
    return msgspec.structs.replace(cell, title="", notes="")
