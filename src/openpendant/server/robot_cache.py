"""RobotCache: the robots of the catalogue, loaded without holding up the event loop."""

import asyncio
import logging

from openpendant.errors import RobotFileError
from openpendant.robots import Robot, load, names

from .threads import run_in_thread

log = logging.getLogger("openpendant.server")


class RobotCache:
    """Loads each robot in a thread the first time, however many clients ask for it at once."""

    def __init__(self) -> None:
        self._loaded: set[str] = set()
        self._loading = asyncio.Lock()

    async def robot(self, name: str) -> Robot:
        """Return a robot of the catalogue as its file now is; raises UnknownNameError, RobotFileError."""
        if name not in self._loaded:
            async with self._loading:
                robot = await run_in_thread(lambda: load(name))
                self._loaded.add(name)
                return robot
        return load(name)

    async def robots(self) -> list[Robot]:
        """Return all robots whose files can be used; a broken one must not hide the others."""
        found: list[Robot] = []
        for name in names():
            try:
                found.append(await self.robot(name))
            except RobotFileError as error:
                log.warning("left out: %s", error)
        return found
