"""Meshes: the visuals of a robot as glTF, from the package or the cache."""

import asyncio
from pathlib import Path
from weakref import WeakKeyDictionary

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response

from openpendant.errors import UnknownNameError
from openpendant.robots import Robot

from .threads import run_in_thread


class Meshes:
    """Where the meshes of each robot are. Requests wait while they are made, the event loop does not."""

    def __init__(self) -> None:
        self._paths: WeakKeyDictionary[Robot, dict[str, Path]] = WeakKeyDictionary()
        self._making: WeakKeyDictionary[Robot, asyncio.Lock] = WeakKeyDictionary()

    async def reply(self, robot: Robot, link: str, headers: Headers) -> Response:
        """Return the glTF of one link, or 304 where the client has it; raises UnknownNameError."""
        paths = await self.paths(robot)
        if link not in paths:
            raise UnknownNameError("mesh", link, paths)
        path = paths[link]
        # The folder of a built-in robot's bodies is named by what they are made from: installed files may all have one
        # time. Meshes of an imported robot have another time when they are made again.
        stat = path.stat()
        tag = f'"{path.parent.name}-{stat.st_mtime_ns:x}-{stat.st_size:x}"'
        caching = {"etag": tag, "cache-control": "no-cache"}
        if tag in (known.strip() for known in headers.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers=caching)
        return FileResponse(path, media_type="model/gltf-binary", headers=caching)

    async def paths(self, robot: Robot) -> dict[str, Path]:
        """Return the file of every link that has a visual; makes them at the first call."""
        async with self._making.setdefault(robot, asyncio.Lock()):
            if robot not in self._paths:
                self._paths[robot] = await run_in_thread(robot.visual_paths)
            return self._paths[robot]
