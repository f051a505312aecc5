"""The address at which robots come in: a URDF, or a zip with a URDF and its meshes."""

import asyncio
from typing import Literal

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from openpendant.cell import WorkerDied, WorkPool
from openpendant.errors import InputError
from openpendant.messages import RobotSummary
from openpendant.robots import import_robot_file, load

from .describe import summarise
from .openapi import answers_with
from .projects import LARGEST_UPLOAD, read_body, takes_bytes
from .replies import reply_json

__all__ = ["add_robot_file_routes"]

MOST_AT_ONCE = 2


def add_robot_file_routes(app: FastAPI, pool: WorkPool) -> None:
    """Give `app` the address of new robots. They are made in a process of `pool`: meshes take time, and may be bad."""
    coming: set[object] = set()

    async def take_in(request: Request, file: str, taken: Literal["refuse", "replace", "keep"] = "refuse") -> Response:
        """Make a URDF, or a zip with one, a robot of the user's catalogue; 409 where the name is taken."""
        if len(coming) >= MOST_AT_ONCE:
            raise InputError(f"{len(coming)} robots are coming in already; wait until they are there")
        ticket = object()
        coming.add(ticket)
        try:
            data = await read_body(request, LARGEST_UPLOAD)
            name = await asyncio.wrap_future(pool.submit(import_name, file, data, taken))
        except WorkerDied:
            raise InputError(f"{file[:80]!r} was too much to be read; make its meshes smaller") from None
        finally:
            coming.discard(ticket)
        return reply_json(summarise(load(name)), status=201)

    app.add_api_route(
        "/api/robots",
        take_in,
        methods=["POST"],
        responses={201: answers_with(RobotSummary)[200]},
        openapi_extra=takes_bytes(),
        status_code=201,
    )


def import_name(file: str, data: bytes, taken: Literal["refuse", "replace", "keep"]) -> str:
    """Import a robot and return its name, which crosses between processes where the robot itself does not."""
    return import_robot_file(file, data, taken=taken).name
