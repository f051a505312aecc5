"""StopControl: stops everything, at once, and makes void what was requested before. Nothing can be in its way."""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from openpendant.errors import ControllerError, InputError
from openpendant.messages.operation import Stopped
from openpendant.projects.stop_reports import not_reached
from openpendant.runtime import CellRuntime, StopCounts
from openpendant.said import say

from .current_run import CurrentRun
from .event_log import EventLog
from .people import RoomPeople
from .started_cell import StartedCell
from .stop_report import stop_robots

log = logging.getLogger("openpendant.server")
STOP_THREADS = 16
"""Number of stops that may wait for robots to rest before the next one would have to wait for them."""
SAME_PRESS_S = 1.0
"""A press of STOP comes over two paths: the second is this late at most."""


@dataclass(frozen=True)
class StopMark:
    """The stops known when something was requested: any later one makes it void, whoever it was sent by."""

    stops: int
    """Those of this project's people."""
    runtime: CellRuntime | None
    since: StopCounts | None
    """Those that the robots of `runtime` had obeyed."""


class StopControl:
    """The stops of one project. Lives in the event loop; commands to robots are sent from threads."""

    def __init__(
        self,
        cell: StartedCell,
        runs: CurrentRun,
        people: RoomPeople,
        events: EventLog,
        publish: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Stop what runs in `cell`; `publish` sends people the present state."""
        self._cell, self._runs, self._people, self._events = cell, runs, people, events
        self._publish, self._clock = publish, clock
        self._threads = ThreadPoolExecutor(STOP_THREADS, "openpendant-stop")
        self._count = 0
        self._under_way: set[asyncio.Task[Stopped]] = set()
        self._voided_by_robots: tuple[str, float] = ("", 0.0)
        """The pending run that a stop by another path has cancelled, and when."""
        self.last_s = clock()
        """When everything was last stopped."""

    def mark(self) -> StopMark:
        """Return what goes with something that somebody requests now."""
        runtime = self._cell.on
        return StopMark(self._count, runtime, None if runtime is None else runtime.stop_counts())

    def refuse_void(self, mark: StopMark) -> None:
        """Raise InputError where a stop has come since something was requested."""
        if self._count != mark.stops:
            raise InputError(say("run.void"))

    def since(self, robot: str, mark: StopMark) -> tuple[CellRuntime, StopCounts]:
        """Return what runs, and the stops that its robots had obeyed when something was requested.

        Robots that have restarted since have obeyed none; our own are counted here.
        """
        runtime = self._cell.robot(robot)
        if runtime is mark.runtime and mark.since is not None:
            return runtime, mark.since
        return runtime, runtime.stop_counts()

    def void(self, why: str) -> str:
        """Make void everything that was requested; return the program of a run that was pending."""
        self._count += 1
        return self._runs.stop(why)

    def void_by_robots(self) -> None:
        """Make void what was requested before a stop that robots have obeyed; the reply to the same press says so."""
        self._voided_by_robots = self.void(""), self._clock()

    def _cancelled(self, why: str) -> str:
        """Make everything void; return the pending run that this press of STOP cancels, by whichever path."""
        (program, at_s), self._voided_by_robots = self._voided_by_robots, ("", 0.0)
        same_press = self._runs.robots == () and self._clock() - at_s < SAME_PRESS_S
        return self.void(why) or (program if same_press else "")

    def stop(self, why: str, by: str = "", number: int = 0, press: str = "") -> "asyncio.Task[Stopped]":
        """Stop everything, at once and whatever else is under way; what is returned waits until the robots rest.

        Args:
            why: For the run that it ends; empty: somebody pressed STOP.
            by: The client who did.
            number: Of their question.
            press: As `Stop.press`.
        """
        self.last_s = self._clock()
        run = self._runs.robots
        cancelled = self._cancelled(why)
        # Before anything that might fail: the stop is sent whatever else is wrong here.
        halted = asyncio.get_running_loop().run_in_executor(
            self._threads, stop_robots, self._cell.stoppable, self._cell.state == "starting", press
        )
        used = by != "" or run != () or any(self._cell.moves(robot) for robot in self._cell.robots)

        async def wait() -> Stopped:
            stopped = Stopped(id=number, by=by, robots=await halted, cancelled=cancelled)
            if used or cancelled:
                self._people.publish(stopped)
            return stopped

        task = asyncio.get_running_loop().create_task(wait())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            self._publish()
        except Exception:
            # The fault is reported by RobotWatch; the stop itself has been sent.
            log.exception("could not report a stop")
        return task

    async def stop_by(self, client: str, number: int, press: str) -> None:
        """Stop everything for a person.

        Raises:
            ControllerError: It has not reached every robot that runs; says which and why.
        """
        on = self._cell.on is not None
        stopping = self.stop("", client, number, press)
        self._events.note(self._people.name(client), "stop")
        stopped = await stopping
        if on and (why := not_reached(stopped.robots)):
            raise ControllerError(why)

    async def settle(self) -> None:
        """Wait for the stops that are under way."""
        if self._under_way:
            await asyncio.wait(set(self._under_way))

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)
