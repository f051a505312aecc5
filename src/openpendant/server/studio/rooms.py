"""Rooms: the open projects. A project is opened for its first client, and closed some time after its last."""

import asyncio

from openpendant.cell import WorkPool
from openpendant.projects import Library
from openpendant.server.aside import aside

from .room import ProjectRoom

__all__ = ["Rooms"]

CLOSE_AFTER_S = 30.0


class Rooms:
    """Every open project, by its id in the library."""

    def __init__(self, library: Library) -> None:
        """Open projects of `library`."""
        self.library = library
        self.pool = WorkPool()
        self._rooms: dict[str, ProjectRoom] = {}
        self._closing: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def find(self, project: str) -> ProjectRoom | None:
        """Return the room of a project that is open."""
        return self._rooms.get(project)

    def enter(self, project: str) -> ProjectRoom:
        """Return the room of a project; it is opened where it is not yet.

        Raises:
            UnknownNameError: The library has no such project.
            CellFileError: It cannot be read or used.
        """
        timer = self._closing.pop(project, None)
        if timer is not None:
            timer.cancel()
        room = self._rooms.get(project)
        if room is None:
            room = self._rooms[project] = ProjectRoom(project, self.library.path(project), self.pool)
        return room

    def left(self, project: str) -> None:
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
        room = self._rooms.pop(project, None)
        if room is not None:
            await room.close()

    async def close(self) -> None:
        """Close everything; what is not saved is saved."""
        for project in tuple(self._rooms):
            await self.close_project(project)
        await aside(self.pool.close)

    def _close_soon(self, project: str) -> None:
        self._closing.pop(project, None)
        room = self._rooms.get(project)
        if room is not None and not room.clients:
            task = asyncio.get_running_loop().create_task(self.close_project(project))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
