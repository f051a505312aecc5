"""The addresses at which robots come in (a URDF, or a zip with a URDF and its meshes) and go again."""

import asyncio
from typing import Literal

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from openpendant.cell import WorkerDied
from openpendant.errors import InputError
from openpendant.messages import RobotSummary
from openpendant.robots import import_robot_file, load
from openpendant.robots import remove as remove_robot

from .aside import aside
from .describe import summarise
from .openapi import answers_with
from .projects import LARGEST_UPLOAD, read_body, takes_bytes
from .replies import reply_json
from .studio import Rooms

__all__ = ["add_robot_file_routes"]

MOST_AT_ONCE = 2


def add_robot_file_routes(app: FastAPI, rooms: Rooms) -> None:
    """Give `app` the addresses of the user's robots.

    They are made in a process of the rooms' pool: meshes take time, and may be bad.
    """
    coming: set[object] = set()

    async def take_in(request: Request, file: str, taken: Literal["refuse", "replace", "keep"] = "refuse") -> Response:
        """Make a URDF, or a zip with one, a robot of the user's catalogue; 409 where the name is taken."""
        if len(coming) >= MOST_AT_ONCE:
            raise InputError(f"{len(coming)} robots are coming in already; wait until they are there")
        ticket = object()
        coming.add(ticket)
        try:
            data = await read_body(request, LARGEST_UPLOAD)
            name = await asyncio.wrap_future(rooms.imports.submit(import_name, file, data, taken))
        except WorkerDied:
            raise InputError(f"{file[:80]!r} was too much to be read; make its meshes smaller") from None
        finally:
            coming.discard(ticket)
        return reply_json(summarise(await aside(lambda: load(name))), status=201)

    async def remove(name: str) -> Response:
        """Take an imported robot out of the catalogue; refused while a project has it. Answers what it was."""
        robot = await aside(lambda: load(name))
        holders = await aside(lambda: titles_with(rooms, name))
        if holders and robot.imported:
            raise InputError(f"{name} stands in {', '.join(holders)}; take it out there first")
        gone = summarise(robot)
        await aside(lambda: remove_robot(name))
        return reply_json(gone)

    app.add_api_route(
        "/api/robots",
        take_in,
        methods=["POST"],
        responses={201: answers_with(RobotSummary)[200]},
        openapi_extra=takes_bytes(),
        status_code=201,
    )
    app.add_api_route("/api/robots/{name}", remove, methods=["DELETE"], responses=answers_with(RobotSummary))


def titles_with(rooms: Rooms, robot: str) -> list[str]:
    """Return the titles of the projects that have a robot, as they are edited now or as their files say."""
    found: list[str] = []
    for project in rooms.library.projects():
        room = rooms.find(project.id)
        cell = None if room is None else room.open.shared.cell
        models = project.robots if cell is None else [one.model for one in cell.robots]
        if robot in models:
            found.append(project.title if cell is None else cell.title or cell.name)
    return found


def import_name(file: str, data: bytes, taken: Literal["refuse", "replace", "keep"]) -> str:
    """Import a robot and return its name, which crosses between processes where the robot itself does not."""
    return import_robot_file(file, data, taken=taken).name
