"""The addresses of the catalogue: robots, their descriptions and bodies, what they reach, kinematics live."""

from fastapi import APIRouter, WebSocket
from starlette.requests import Request
from starlette.responses import Response

from openpendant.messages import Health, Reach, RobotInfo, RobotSummary, ToolKind, ToolOrder
from openpendant.scene import TOOL_KINDS, CellTool, make_tool
from openpendant.version import __version__

from .access import caller_of
from .live import serve_live
from .openapi import accepts_json, answers_with
from .replies import reply_json
from .request_bodies import read_json
from .robot_description import describe, summarise
from .services import Served

CATALOGUE_KINDS = (CellTool, Health, Reach, RobotInfo, RobotSummary, ToolKind, ToolOrder)
MESH_PREFIX = "meshes/"
ROBOT = "/api/robots/{name}"

router = APIRouter()


# Who may GET may also ask for the headers alone.
@router.get("/api/health", responses=answers_with(Health))
@router.head("/api/health", include_in_schema=False)
async def health(served: Served) -> Response:
    """Which version serves, and whether it is warm."""
    return reply_json(Health(version=__version__, ready=served.precompiler.ready))


@router.get("/api/robots", responses=answers_with(list[RobotSummary]))
@router.head("/api/robots", include_in_schema=False)
async def robots(served: Served) -> Response:
    """The catalogue, one row a robot."""
    return reply_json([summarise(robot) for robot in await served.robots.robots()])


@router.get(ROBOT, responses=answers_with(RobotInfo))
@router.head(ROBOT, include_in_schema=False)
async def robot(served: Served, name: str) -> Response:
    """Everything about one robot, beside its URDF and meshes."""
    return reply_json(describe(await served.robots.robot(name)))


@router.get(f"{ROBOT}/robot.urdf", responses={200: {"content": {"application/xml": {}}}})
@router.head(f"{ROBOT}/robot.urdf", include_in_schema=False)
async def urdf(served: Served, name: str) -> Response:
    """The URDF; the addresses of its meshes are relative to its own."""
    text = (await served.robots.robot(name)).urdf(mesh_prefix=MESH_PREFIX)
    return Response(text, media_type="application/xml", headers={"cache-control": "no-cache"})


@router.get(f"{ROBOT}/{MESH_PREFIX}{{link}}.glb", responses={200: {"content": {"model/gltf-binary": {}}}})
@router.head(f"{ROBOT}/{MESH_PREFIX}{{link}}.glb", include_in_schema=False)
async def mesh(served: Served, name: str, link: str, request: Request) -> Response:
    """The visual of one link as binary glTF, in the link's frame."""
    return await served.meshes.reply(await served.robots.robot(name), link, request.headers)


@router.get(f"{ROBOT}/reach", responses=answers_with(Reach))
@router.head(f"{ROBOT}/reach", include_in_schema=False)
async def reach(served: Served, name: str, arm: str | None = None) -> Response:
    """The outline of what the flange of an arm can reach; the first arm where none is named."""
    return reply_json(await served.reaches.of(await served.robots.robot(name), arm))


@router.get("/api/tools", responses=answers_with(list[ToolKind]))
@router.head("/api/tools", include_in_schema=False)
async def tools() -> Response:
    """The library of tools, and their measures."""
    return reply_json(list(TOOL_KINDS))


@router.post("/api/tools/{kind}", responses=answers_with(CellTool), openapi_extra=accepts_json(ToolOrder))
async def tool(kind: str, request: Request) -> Response:
    """A tool of the library, made to measure, for a cell."""
    wanted = await read_json(request, ToolOrder)
    return reply_json(make_tool(kind, wanted.name, wanted.measures, signal=wanted.signal))


@router.websocket("/ws")
async def live(socket: WebSocket, served: Served) -> None:
    """Kinematics, asked and answered."""
    bucket = None if caller_of(socket.scope).local else served.access.messages()
    await serve_live(socket, served.solving, bucket)
