"""Services: what the routes of one application share, and how a route asks for it."""

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from .access import Access
from .kinematics_replies import Solving
from .precompiler import Precompiler
from .reach_cache import Reaches
from .robot_cache import RobotCache
from .robot_visuals import Meshes
from .studio import Rooms


@dataclass(frozen=True, eq=False)
class Services:
    """One of each for each application, at `app.state.services`."""

    access: Access
    rooms: Rooms
    precompiler: Precompiler
    robots: RobotCache
    solving: Solving
    meshes: Meshes = field(default_factory=Meshes)
    reaches: Reaches = field(default_factory=Reaches)
    robots_coming: set[object] = field(default_factory=set[object])
    """One for each robot file that is being taken in."""


async def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the application that a request or a websocket came to."""
    services: Services = connection.app.state.services
    return services


Served = Annotated[Services, Depends(services_of)]
"""The parameter of a route that needs them."""
