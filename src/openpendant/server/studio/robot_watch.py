"""RobotWatch: supervises that moving robots are attended, streams joints when robots report, publishes changes."""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

from openpendant.runtime import CellRuntime
from openpendant.said import say

from .control import RobotControl
from .current_run import CurrentRun
from .event_log import EventLog
from .people import RoomPeople
from .presence import SILENT_S, Presence
from .robot_status import JointNews, layout_of, news_in, pack_joints, report_of
from .started_cell import StartedCell
from .stop_control import StopControl

log = logging.getLogger("openpendant.server")
FRAME_S = 1.0 / 60.0
"""Joints are sent at most once in this time."""
POLL_S = 1.0 / 20.0
"""Without a report the robots are looked after this often."""
TELL_S = 0.1
REPEAT_S = 0.25
"""Joints that stand still are sent again after this time, so that who looks knows that they are news."""
AGAIN_S = 1.0
"""What still moves this long after a stop, without a holder of control or unsupervised, is stopped again."""


class RobotWatch:
    """Watches the robots of one project while they run, whatever goes wrong. Lives in the event loop."""

    def __init__(
        self,
        cell: StartedCell,
        control: RobotControl,
        runs: CurrentRun,
        stops: StopControl,
        presence: Presence,
        people: RoomPeople,
        events: EventLog,
        publish: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Watch nothing yet; `publish` sends people the present state."""
        self._cell, self._control, self._runs, self._stops = cell, control, runs, stops
        self._presence, self._people, self._events, self._publish, self._clock = (
            presence,
            people,
            events,
            publish,
            clock,
        )
        self._task: asyncio.Task[None] | None = None
        self._told_s = self._sent_s = 0.0
        self._news: JointNews = {}
        self._numbers: tuple[int, ...] = ()
        self._heard_of: CellRuntime | None = None
        self._wake = asyncio.Event()
        self._awake = False
        self._unwatched_s = clock() - AGAIN_S
        self.after_watch: Callable[[], None] = lambda: None
        """What else is to be seen to at each look."""

    def start(self) -> None:
        """Watch from now on."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._watch())

    async def end(self) -> None:
        """Watch no longer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _watch(self) -> None:
        """Look again and again: after any error the robots are stopped, and supervision continues."""
        while True:
            await self._wait_for_report()
            try:
                self._stop_unattended()
                self.after_watch()
                self._show()
            except Exception:
                self._stop_unwatched()

    async def _wait_for_report(self) -> None:
        """Wait until a robot has reported, or it is time to look after them anyway."""
        await asyncio.sleep(FRAME_S)
        loop = asyncio.get_running_loop()
        runtime = self._cell.on
        if runtime is not None and runtime is not self._heard_of:
            runtime.link.on_report(lambda: self._rouse(loop))
            self._heard_of = runtime
        late = loop.call_later(POLL_S - FRAME_S, self._wake.set)
        await self._wake.wait()
        late.cancel()
        self._wake.clear()
        self._awake = False

    def _rouse(self, loop: asyncio.AbstractEventLoop) -> None:
        """Called in a thread of the bus when a report has come."""
        if self._awake:
            return
        self._awake = True
        with suppress(RuntimeError):  # The server ends.
            loop.call_soon_threadsafe(self._wake.set)

    def _stop_unwatched(self) -> None:
        """Stop what cannot be supervised; repeated every second while that lasts."""
        now = self._clock()
        if now - self._unwatched_s < AGAIN_S:
            return
        self._unwatched_s = now
        log.exception("could not watch the robots")
        self._stops.stop(say("server.unwatched"))

    def _stop_unattended(self) -> None:
        """The holder of control of a moving robot must be present."""
        moving = {robot for robot in self._cell.robots if self._cell.moves(robot)}
        needed = {self._control.holder(robot) for robot in {*moving, *self._runs.moving}} - {""}
        for client in self._presence.silent(needed):
            name = self._people.name_or_somebody(client)
            why = say("control.silent", name=name, silent_s=SILENT_S)
            for robot in self._control.leave(client):
                self._events.note_event(robot, "silent", why, who=name)
            self._stops.stop(why)
            self._presence.forget(client)
            self._people.drop(client, str(why))
        alone = self._clock() - self._stops.last_s > AGAIN_S
        if alone and any(not self._control.holder(robot) for robot in self._runs.robots):
            self._stops.stop(say("control.nobody"))

    def _show(self) -> None:
        """Stream joints as they come, and publish what has changed."""
        runtime = self._cell.on
        if runtime is None:
            return
        now = self._clock()
        reports = {robot: report_of(runtime, robot) for robot in runtime.robots}
        numbers = tuple(0 if one is None else one.number for one in reports.values())
        news = news_in(reports)
        if numbers != self._numbers and (news != self._news or now - self._sent_s >= REPEAT_S):
            self._news, self._sent_s = news, now
            self._people.stream(pack_joints(reports, layout_of(runtime)))
        self._numbers = numbers
        if now - self._told_s >= TELL_S:
            self._told_s = now
            self._publish()
            self._events.add_new(runtime.events)
            self._events.poll()
