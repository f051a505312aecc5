"""The addresses at which robots come in (a URDF, or a zip with a URDF and its meshes) and go again."""

import asyncio
from typing import Literal

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from openpendant.errors import InputError
from openpendant.messages import RobotSummary
from openpendant.pool import WorkerDied
from openpendant.robots import import_robot_file, load
from openpendant.robots import remove as remove_robot
from openpendant.said import join, say

from .openapi import accepts_bytes, answers_with
from .replies import reply_json
from .request_bodies import LARGEST_UPLOAD, read_body
from .robot_description import summarise
from .services import Served
from .studio import Rooms
from .threads import run_in_thread

MOST_AT_ONCE = 2

router = APIRouter()


@router.post(
    "/api/robots",
    responses={201: answers_with(RobotSummary)[200]},
    openapi_extra=accepts_bytes(),
    status_code=201,
)
async def take_in(
    served: Served, request: Request, file: str, taken: Literal["refuse", "replace", "keep"] = "refuse"
) -> Response:
    """Make a URDF, or a zip with one, a robot of the user's catalogue; 409 where the name is taken."""
    # In a process of the rooms' pool: meshes take time, and may be bad.
    coming = served.robots_coming
    if len(coming) >= MOST_AT_ONCE:
        raise InputError(say("robot.coming", count=len(coming)))
    ticket = object()
    coming.add(ticket)
    try:
        data = await read_body(request, LARGEST_UPLOAD)
        name = await asyncio.wrap_future(served.rooms.imports.submit(import_name, file, data, taken))
    except WorkerDied:
        raise InputError(say("robot.too_much", file=file[:80])) from None
    finally:
        coming.discard(ticket)
    return reply_json(summarise(await run_in_thread(lambda: load(name))), status=201)


@router.delete("/api/robots/{name}", responses=answers_with(RobotSummary))
async def remove(served: Served, name: str) -> Response:
    """Take an imported robot out of the catalogue; refused while a project has it. Answers what it was."""
    robot = await run_in_thread(lambda: load(name))
    holders = await run_in_thread(lambda: titles_with(served.rooms, name))
    if holders and robot.imported:
        raise InputError(say("robot.in_use", robot=name, projects=join(holders, "list.comma")))
    gone = summarise(robot)
    await run_in_thread(lambda: remove_robot(name))
    return reply_json(gone)


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
