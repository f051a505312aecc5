"""Rooms: the open projects. A project is opened for its first client, and closed some time after its last."""

import asyncio
from weakref import WeakValueDictionary

from openpendant.errors import InputError
from openpendant.pool import WorkPool
from openpendant.projects import MOST_SCRATCH, Library, OpenProject
from openpendant.said import say
from openpendant.server.pulse import Pulse
from openpendant.server.stop_supervisor import StopSupervisor
from openpendant.server.threads import run_in_thread
from openpendant.stop_service import StopNotice

from .project_room import ProjectRoom

CLOSE_AFTER_S = 30.0


class Rooms:
    """Every open project, by its id in the library."""

    def __init__(self, library: Library, stops: StopSupervisor) -> None:
        """Open projects of `library`, whose robots obey the stop service."""
        self.library = library
        self.stops = stops
        self.pool = WorkPool()
        self.imports = WorkPool(1)
        """For meshes that come in: they take long, and nothing else waits for them."""
        self.nearness = WorkPool(1)
        """For hands that drag arms: cells stay laid out in its one worker."""
        self.pulse = Pulse()
        self._rooms: dict[str, ProjectRoom] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._closing: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def find(self, project: str) -> ProjectRoom | None:
        """Return the room of a project that is open."""
        return self._rooms.get(project)

    async def enter(self, project: str) -> ProjectRoom:
        """Return the room of a project; it is opened where it is not yet.

        Raises:
            UnknownNameError: The library has no such project.
            CellFileError: It cannot be read or used.
            ProjectInUseError: Another server has it open.
        """
        folder = self.library.path(project)
        timer = self._closing.pop(project, None)
        if timer is not None:
            timer.cancel()
        async with self._turn(project):
            room = self._rooms.get(project)
            if room is None:
                opened = await run_in_thread(lambda: OpenProject(folder))
                room = self._rooms[project] = ProjectRoom(project, opened, self.pool, self.pulse, self.stops)
        return room

    async def begin(self, robot: str, title: str, again: str = "") -> str:
        """Make a scratch project of one robot; return its id.

        Args:
            robot: Its name in the catalogue.
            title: Of the project.
            again: The id of one from before; where it is still there, nothing is made. Empty: a new one.

        Raises:
            InputError: Too many are open, or `again` is not the id of a scratch project.
        """
        scratch = self.library.scratch
        if scratch.path(again) is not None:
            return again
        names = scratch.names()
        idle = [name for name in names if name not in self._rooms]
        if len(names) >= MOST_SCRATCH:
            if not idle:
                raise InputError(say("project.most_scratch", most=MOST_SCRATCH))
            scratch.remove(idle[0])
        return await run_in_thread(lambda: scratch.make(robot, title, again))

    def _turn(self, project: str) -> asyncio.Lock:
        """Return what lets a project be opened and closed one after the other."""
        return self._turns.setdefault(project, asyncio.Lock())

    def note_stop(self, notice: StopNotice) -> None:
        """The stop service was asked for a stop: everything here that belongs to it ends too."""
        room = self._rooms.get(notice.project)
        if room is not None:
            room.note_stop(notice.client, notice.press)

    def close_if_empty(self, project: str) -> None:
        """Somebody has left: close the room a while after the last one."""
        room = self._rooms.get(project)
        if room is not None and not room.clients and project not in self._closing:
            loop = asyncio.get_running_loop()
            self._closing[project] = loop.call_later(CLOSE_AFTER_S, self._close_soon, project)

    async def close_project(self, project: str) -> None:
        """Close a project now, as before its folder is taken away."""
        timer = self._closing.pop(project, None)
        if timer is not None:
            timer.cancel()
        async with self._turn(project):
            room = self._rooms.pop(project, None)
            if room is not None:
                await room.close()
        if room is not None:
            await room.end()
        await run_in_thread(lambda: self.library.scratch.remove(project))

    async def close(self) -> None:
        """Close everything; what is not saved is saved."""
        for project in tuple(self._rooms):
            await self.close_project(project)
        self.pulse.close()
        await run_in_thread(self.imports.close)
        await run_in_thread(self.nearness.close)
        await run_in_thread(self.pool.close)
        await run_in_thread(self.library.scratch.close)

    def _close_soon(self, project: str) -> None:
        self._closing.pop(project, None)
        room = self._rooms.get(project)
        if room is not None and not room.clients:
            task = asyncio.get_running_loop().create_task(self.close_project(project))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
