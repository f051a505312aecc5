"""The application: every address of the server."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, WebSocket
from starlette.requests import Request
from starlette.responses import Response

from openpendant.messages import Health, Reach, RobotInfo, RobotSummary
from openpendant.projects import Library
from openpendant.robots import user_projects_folder
from openpendant.version import __version__

from .access import COOKIE, Access, Keeper, caller_of
from .aside import aside
from .calibration import CALIBRATION_KINDS, add_calibration_routes
from .client import STATIC, add_client
from .describe import describe, summarise
from .guard import Guard
from .live import talk
from .meshes import Meshes
from .openapi import add_schemas, answers_with
from .pairings import ACCESS_KINDS, add_access_routes
from .projects import KINDS, add_project_routes
from .reaches import Reaches
from .replies import add_error_replies, reply_json
from .robot_files import add_robot_file_routes
from .shelf import Shelf
from .solving import Solving
from .stop_supervisor import StopSupervisor
from .studio import Rooms, talk_project
from .warm import Warmth

__all__ = ["create_app"]

MESH_PREFIX = "meshes/"


def create_app(client: Path = STATIC, projects: Path | None = None, access: Access | None = None) -> FastAPI:
    """Return the application: REST under /api, websockets at /ws and for each open project, the page at /.

    Args:
        client: The folder with the built web client.
        projects: The folder of the projects; None: the user's own.
        access: Who may come in over the network, and what is written down; None: nobody, and nothing.
    """
    warmth = Warmth()
    access = Access() if access is None else access
    stops = StopSupervisor(COOKIE)
    rooms = Rooms(Library(user_projects_folder() if projects is None else projects), stops)

    def allow_stops() -> None:
        stops.allow(access.sessions.names, () if access.lan is None else tuple(access.lan.hosts))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        warmth.start()
        rooms.pulse.start()
        loop = asyncio.get_running_loop()
        stops.heard = lambda news: loop.call_soon_threadsafe(rooms.hear_stop, news) and None
        access.sessions.on_change(allow_stops)
        allow_stops()
        yield
        await rooms.close()
        await aside(access.sessions.flush)

    app = FastAPI(
        title="OpenPendant",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    # The one added last is met first.
    app.add_middleware(Keeper, access=access, routes=lambda: app.routes)
    app.add_middleware(Guard, lan=lambda: access.lan, stop_ports=stops.ports)
    app.state.stops, app.state.allow_stops = stops, allow_stops
    add_error_replies(app)
    add_routes(app, warmth, access)
    add_access_routes(app, access)
    add_project_routes(app, rooms)
    add_calibration_routes(app)
    add_robot_file_routes(app, rooms)

    async def live_project(socket: WebSocket, name: str) -> None:
        await talk_project(socket, rooms, name, access)

    app.add_api_websocket_route("/ws/projects/{name}", live_project)
    add_schemas(app, (*ACCESS_KINDS, Health, Reach, RobotInfo, RobotSummary, *KINDS, *CALIBRATION_KINDS))
    add_client(app, client)
    return app


def add_routes(app: FastAPI, warmth: Warmth, access: Access) -> None:
    """Give `app` everything but the page."""
    shelf, meshes, reaches = Shelf(), Meshes(), Reaches()
    solving = Solving(shelf)

    async def health() -> Response:
        """Which version serves, and whether it is warm."""
        return reply_json(Health(version=__version__, ready=warmth.ready))

    async def robots() -> Response:
        """The catalogue, one row a robot."""
        return reply_json([summarise(robot) for robot in await shelf.robots()])

    async def robot(name: str) -> Response:
        """Everything about one robot, beside its URDF and meshes."""
        return reply_json(describe(await shelf.robot(name)))

    async def urdf(name: str) -> Response:
        """The URDF; the addresses of its meshes are relative to its own."""
        text = (await shelf.robot(name)).urdf(mesh_prefix=MESH_PREFIX)
        return Response(text, media_type="application/xml", headers={"cache-control": "no-cache"})

    async def mesh(name: str, link: str, request: Request) -> Response:
        """The visual of one link as binary glTF, in the link's frame."""
        return await meshes.reply(await shelf.robot(name), link, request.headers)

    async def reach(name: str, arm: str | None = None) -> Response:
        """The outline of what the flange of an arm can reach; the first arm where none is named."""
        return reply_json(await reaches.of(await shelf.robot(name), arm))

    async def live(socket: WebSocket) -> None:
        bucket = None if caller_of(socket.scope).local else access.messages()
        await talk(socket, solving, bucket)

    def add(path: str, answer: Callable[..., Awaitable[Response]], responses: dict[int | str, dict[str, Any]]) -> None:
        app.add_api_route(path, answer, responses=responses)
        # Who may GET may also ask for the headers alone.
        app.add_api_route(path, answer, methods=["HEAD"], include_in_schema=False)

    own = "/api/robots/{name}"
    add("/api/health", health, answers_with(Health))
    add("/api/robots", robots, answers_with(list[RobotSummary]))
    add(own, robot, answers_with(RobotInfo))
    add(f"{own}/robot.urdf", urdf, {200: {"content": {"application/xml": {}}}})
    add(f"{own}/{MESH_PREFIX}{{link}}.glb", mesh, {200: {"content": {"model/gltf-binary": {}}}})
    add(f"{own}/reach", reach, answers_with(Reach))
    app.add_api_websocket_route("/ws", live)
