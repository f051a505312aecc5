"""The application: every address of the server."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from openpendant.projects import Library
from openpendant.user_folders import user_projects_folder
from openpendant.version import __version__

from . import access_routes, calibration_routes, catalogue_routes, project_routes, robot_routes, snap_routes
from .access import COOKIE, Access, Authorisation
from .access_routes import ACCESS_KINDS
from .calibration_routes import CALIBRATION_KINDS
from .catalogue_routes import CATALOGUE_KINDS
from .guard import Guard
from .kinematics_replies import Solving
from .openapi import add_schemas
from .precompiler import Precompiler
from .project_routes import KINDS
from .replies import add_error_replies
from .robot_cache import RobotCache
from .services import Services
from .snap_routes import SNAP_KINDS
from .static_files import STATIC, add_client
from .stop_supervisor import StopSupervisor
from .studio import Rooms
from .threads import run_in_thread


def create_app(client: Path = STATIC, projects: Path | None = None, access: Access | None = None) -> FastAPI:
    """Return the application: REST under /api, websockets at /ws and for each open project, the page at /.

    Args:
        client: The folder with the built web client.
        projects: The folder of the projects; None: the user's own.
        access: Who may come in over the network, and what is logged; None: no access, no log.
    """
    warmth = Precompiler()
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
        stops.on_stop = lambda notice: loop.call_soon_threadsafe(rooms.note_stop, notice) and None
        access.sessions.on_change(allow_stops)
        allow_stops()
        yield
        await rooms.close()
        await run_in_thread(access.sessions.flush)

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
    app.add_middleware(Authorisation, access=access, routes=lambda: app.routes)
    app.add_middleware(Guard, lan=lambda: access.lan, stop_ports=stops.ports)
    app.state.stops, app.state.allow_stops = stops, allow_stops
    robots = RobotCache()
    app.state.services = Services(access, rooms, warmth, robots, Solving(robots))
    add_error_replies(app)
    for addresses in (catalogue_routes, access_routes, project_routes, calibration_routes, snap_routes, robot_routes):
        # One by one, and not as a router in a router: Authorisation looks up what each address needs.
        app.router.routes.extend(addresses.router.routes)
    add_schemas(app, (*ACCESS_KINDS, *CATALOGUE_KINDS, *KINDS, *CALIBRATION_KINDS, *SNAP_KINDS))
    add_client(app, client)
    return app
