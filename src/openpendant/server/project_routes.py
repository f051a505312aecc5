"""The addresses of the library: projects, demos, archives, meshes, exports."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
from fastapi import APIRouter, WebSocket
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from openpendant.errors import InputError, UnknownNameError
from openpendant.makers import export_as, export_forms
from openpendant.messages import DemoInfo, ExportedFile, MeshInfo, NewProject, ProjectInfo, Removed, decode_said
from openpendant.origins import host_of
from openpendant.pool import WorkerDied
from openpendant.programs import Program, open_project, program_names
from openpendant.projects import ProjectSummary
from openpendant.said import say
from openpendant.scene import Cell, demo_names, load_demo
from openpendant.scene.demo_cells import FOLDER as DEMOS
from openpendant.scene.document import MESH_ENDINGS

from .access import caller_of
from .mesh_files import MESHES, keep_mesh
from .openapi import accepts_bytes, accepts_json, answers_with
from .replies import reply_json
from .request_bodies import LARGEST_UPLOAD, read_body, read_json
from .services import Served
from .studio import Rooms, serve_project
from .threads import run_in_thread

KINDS = (DemoInfo, ProjectInfo, NewProject, Removed, ExportedFile, MeshInfo)
PROJECT = "/api/projects/{name}"
CREATED: dict[int | str, dict[str, Any]] = {201: answers_with(ProjectInfo)[200]}

router = APIRouter()


@router.get("/api/demos", responses=answers_with(list[DemoInfo]))
async def demos() -> Response:
    """The demo cells."""
    return reply_json(await run_in_thread(all_demos))


@router.get("/api/projects", responses=answers_with(list[ProjectInfo]))
async def projects(served: Served, request: Request) -> Response:
    """The projects of this machine, the newest first."""
    found = await run_in_thread(served.rooms.library.projects)
    return reply_json([with_stop(served.rooms, describe(served.rooms, one), request) for one in found])


@router.post("/api/projects", responses=CREATED, openapi_extra=accepts_json(NewProject), status_code=201)
async def create(served: Served, request: Request) -> Response:
    """Make a project, empty or from a demo cell."""
    wanted = await read_json(request, NewProject)
    made = await run_in_thread(lambda: served.rooms.library.create(wanted.title, wanted.demo))
    return reply_json(await describe_one(served.rooms, made), status=201)


@router.post("/api/archives", responses=CREATED, openapi_extra=accepts_bytes(), status_code=201)
async def take_in(served: Served, request: Request) -> Response:
    """Add a project from a zip file; what is in it is not trusted."""
    data = await read_body(request, LARGEST_UPLOAD)
    made = await run_in_thread(lambda: served.rooms.library.take_in(data))
    return reply_json(await describe_one(served.rooms, made), status=201)


@router.post("/api/robots/{name}/cells", responses=CREATED, status_code=201)
async def begin(served: Served, name: str, again: str = "") -> Response:
    """Make a project of one robot to look at and work with; it goes after its last client, unless a copy is made.

    `again`: the id of one from before. Where it is gone, as after a new start of the server, it is made again.
    """
    robot = await served.robots.robot(name)
    made = await served.rooms.begin(robot.name, robot.title, again)
    return reply_json(await describe_one(served.rooms, made), status=201)


@router.get(PROJECT, responses=answers_with(ProjectInfo))
async def project(served: Served, name: str) -> Response:
    """One project."""
    return reply_json(await describe_one(served.rooms, name))


@router.delete(PROJECT, responses=answers_with(Removed))
async def remove(served: Served, name: str) -> Response:
    """Put a project into the trash."""
    served.rooms.library.kept_path(name)
    room = served.rooms.find(name)
    if room is not None and room.clients:
        raise InputError(say("project.open", project=name))
    await served.rooms.close_project(name)
    return reply_json(Removed(kept=await run_in_thread(lambda: served.rooms.library.remove(name))))


@router.post("/api/trash/{kept}", responses=answers_with(ProjectInfo))
async def bring_back(served: Served, kept: str) -> Response:
    """Take a project out of the trash."""
    name = await run_in_thread(lambda: served.rooms.library.bring_back(kept))
    return reply_json(await describe_one(served.rooms, name))


@router.post(f"{PROJECT}/copies", responses=CREATED, status_code=201)
async def duplicate(served: Served, name: str) -> Response:
    """Copy a project."""
    await save_if_open(served.rooms, name)
    made = await run_in_thread(lambda: served.rooms.library.duplicate(name))
    return reply_json(await describe_one(served.rooms, made), status=201)


@router.get(f"{PROJECT}/archive.zip", responses={200: {"content": {"application/zip": {}}}})
async def archive(served: Served, name: str) -> Response:
    """A project as one zip file."""
    await save_if_open(served.rooms, name)
    data = await run_in_thread(lambda: served.rooms.library.pack(name))
    headers = {"content-disposition": f'attachment; filename="{name}.zip"', "cache-control": "no-store"}
    return Response(data, media_type="application/zip", headers=headers)


@router.post(
    f"{PROJECT}/meshes",
    responses={201: answers_with(MeshInfo)[200]},
    openapi_extra=accepts_bytes(),
    status_code=201,
)
async def add_mesh(served: Served, name: str, request: Request, file: str, scale: float = 1.0) -> Response:
    """Take a mesh file into a project, and say what is to be known of it."""
    folder = served.rooms.library.path(name)
    data = await read_body(request, LARGEST_UPLOAD)
    try:
        kept = await asyncio.wrap_future(served.rooms.imports.submit(keep_mesh, folder, file, data, scale))
    except WorkerDied:
        raise InputError(say("mesh.too_much", file=file[:80])) from None
    return reply_json(kept, status=201)


@router.get(f"{PROJECT}/meshes/{{file}}", responses={200: {"content": {"application/octet-stream": {}}}})
async def mesh(served: Served, name: str, file: str) -> Response:
    """A mesh file of a project."""
    return mesh_file(served.rooms.library.path(name), file)


@router.get(f"{PROJECT}/programs/{{program}}/exports", responses=answers_with(list[str]))
async def forms(served: Served, name: str, program: str) -> Response:
    """The forms that a program can be exported in and that its robot has a use for, the best first."""
    cell, programs, _ = await project_now(served.rooms, name)
    if program not in programs:
        raise UnknownNameError("program in this project", program, programs)
    return reply_json(await run_in_thread(lambda: list(export_forms(cell, programs[program]))))


@router.get(f"{PROJECT}/programs/{{program}}/exports/{{form}}", responses=answers_with(list[ExportedFile]))
async def export(served: Served, name: str, program: str, form: str) -> Response:
    """A program in a vendor's language."""
    cell, programs, folder = await project_now(served.rooms, name)
    if program not in programs:
        raise UnknownNameError("program in this project", program, programs)
    future = served.rooms.pool.submit(export_as, form, cell, programs[program], programs=programs, folder=folder)
    texts = await asyncio.wrap_future(future)
    return reply_json([ExportedFile(name=one.name, dialect=one.dialect, text=one.text) for one in texts])


@router.websocket("/ws/projects/{name}")
async def live_project(socket: WebSocket, served: Served, name: str) -> None:
    """An open project, for one client."""
    await serve_project(socket, served.rooms, name, served.access)


def describe(rooms: Rooms, one: ProjectSummary) -> ProjectInfo:
    """Return the info of a project, with how many people have it open and which of its robots run."""
    info = ProjectInfo(**msgspec.structs.asdict(one))
    room = rooms.find(one.id)
    if room is None:
        return info
    robots = room.operation.now().robots
    running, moving = tuple(robot.name for robot in robots), any(robot.moving for robot in robots)
    return msgspec.structs.replace(info, people=len(room.clients), running=running, moving=moving)


def with_stop(rooms: Rooms, info: ProjectInfo, request: Request) -> ProjectInfo:
    """Return the info with where its robots are stopped, for the page that asks."""
    if not info.running:
        return info
    host = host_of(f"//{request.headers.get('host', '')}")
    url = rooms.stops.url(host, info.id, "", "", lan=not caller_of(request.scope).local)
    return msgspec.structs.replace(info, stop_url=url.partition("?")[0])


async def describe_one(rooms: Rooms, name: str) -> ProjectInfo:
    """Return the info of one project."""
    return describe(rooms, await run_in_thread(lambda: rooms.library.summary(name)))


def all_demos() -> list[DemoInfo]:
    """Return the demo cells."""
    found: list[DemoInfo] = []
    for name in demo_names():
        cell = load_demo(name).cell
        robots = [robot.model for robot in cell.robots]
        programs = list(program_names(DEMOS / name))
        found.append(
            DemoInfo(name=name, title=cell.title or cell.name, notes=cell.notes, robots=robots, programs=programs)
        )
    return found


async def project_now(rooms: Rooms, name: str) -> tuple[Cell, dict[str, Program], Path]:
    """Return a project as it is now: as it is being edited where it is open, else as its files are."""
    folder = rooms.library.path(name)
    room = rooms.find(name)
    if room is not None:
        return room.open.shared.cell, room.open.shared.programs, folder
    project = await run_in_thread(lambda: open_project(folder))
    return project.cell, project.all_programs(), folder


async def save_if_open(rooms: Rooms, name: str) -> None:
    """Bring the files of a project up to date."""
    room = rooms.find(name)
    if room is not None and not room.open.is_saved:
        state = await room.save_now()
        if state.state in ("failed", "changed outside"):
            raise InputError(decode_said(state.message, state.said))


def mesh_file(folder: Path, file: str) -> Response:
    """Return a mesh file of a project; raises UnknownNameError if there is none of that name."""
    known = {path.name: path for path in (folder / MESHES).glob("*") if path.suffix.lower() in MESH_ENDINGS}
    if file not in known:
        raise UnknownNameError("mesh in this project", file, known)
    headers = {"cache-control": "no-cache", "content-disposition": "attachment"}
    return FileResponse(known[file], media_type="application/octet-stream", headers=headers)
