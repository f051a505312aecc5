"""The addresses of the library: projects, demos, archives, meshes, exports."""

import asyncio
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from openpendant.cell import WorkerDied
from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import DemoInfo, ExportedFile, MeshInfo, NewProject, ProjectInfo, Removed
from openpendant.programs import Program, open_project, program_names
from openpendant.programs.export import export_program, fitting_forms
from openpendant.projects import Library, ProjectSummary
from openpendant.scene import Cell, demo_names, load_demo
from openpendant.scene.checking import MESH_ENDINGS
from openpendant.scene.demo_cells import FOLDER as DEMOS

from .aside import aside
from .mesh_files import MESHES, keep_mesh
from .openapi import answers_with
from .replies import reply_json
from .studio import Rooms

__all__ = ["KINDS", "add_project_routes"]

KINDS = (DemoInfo, ProjectInfo, NewProject, Removed, ExportedFile, MeshInfo)
LARGEST_BODY = 64 * 1024
LARGEST_UPLOAD = 64 * 1024 * 1024
T = TypeVar("T")


def add_project_routes(app: FastAPI, rooms: Rooms) -> None:
    """Give `app` the addresses of the library under /api/projects and /api/demos."""
    library = rooms.library

    def describe(one: ProjectSummary) -> ProjectInfo:
        room = rooms.find(one.id)
        return ProjectInfo(**msgspec.structs.asdict(one), people=0 if room is None else len(room.clients))

    async def demos() -> Response:
        """The demo cells."""
        return reply_json(await aside(all_demos))

    async def projects() -> Response:
        """The projects of this machine, the newest first."""
        found = await aside(library.projects)
        return reply_json([describe(one) for one in found])

    async def create(request: Request) -> Response:
        """Make a project, empty or from a demo cell."""
        wanted = await read_json(request, NewProject)
        made = await aside(lambda: library.create(wanted.title, wanted.demo))
        return reply_json(describe(await aside(lambda: library.summary(made))), status=201)

    async def project(name: str) -> Response:
        """One project."""
        return reply_json(describe(await aside(lambda: library.summary(name))))

    async def remove(name: str) -> Response:
        """Put a project into the trash."""
        library.path(name)
        room = rooms.find(name)
        if room is not None and room.clients:
            raise InputError(f"project {name!r} is open; close it in every window first")
        await rooms.close_project(name)
        return reply_json(Removed(kept=await aside(lambda: library.remove(name))))

    async def bring_back(kept: str) -> Response:
        """Take a project out of the trash."""
        return reply_json(describe(await aside(lambda: library.summary(library.bring_back(kept)))))

    async def duplicate(name: str) -> Response:
        """Copy a project."""
        await save_if_open(rooms, name)
        made = await aside(lambda: library.duplicate(name))
        return reply_json(describe(await aside(lambda: library.summary(made))), status=201)

    async def archive(name: str) -> Response:
        """A project as one zip file."""
        await save_if_open(rooms, name)
        data = await aside(lambda: library.pack(name))
        headers = {"content-disposition": f'attachment; filename="{name}.zip"', "cache-control": "no-store"}
        return Response(data, media_type="application/zip", headers=headers)

    async def take_in(request: Request) -> Response:
        """Add a project from a zip file; what is in it is not trusted."""
        data = await read_body(request, LARGEST_UPLOAD)
        made = await aside(lambda: library.take_in(data))
        return reply_json(describe(await aside(lambda: library.summary(made))), status=201)

    async def add_mesh(name: str, request: Request, file: str, scale: float = 1.0) -> Response:
        """Take a mesh file into a project, and say what is to be known of it."""
        folder = library.path(name)
        data = await read_body(request, LARGEST_UPLOAD)
        try:
            kept = await asyncio.wrap_future(rooms.imports.submit(keep_mesh, folder, file, data, scale))
        except WorkerDied:
            raise InputError(f"{file[:80]!r} was too much to be read; make the mesh smaller") from None
        return reply_json(kept, status=201)

    async def mesh(name: str, file: str) -> Response:
        """A mesh file of a project."""
        return mesh_file(library.path(name), file)

    async def forms(name: str, program: str) -> Response:
        """The forms that a program can be exported in and that its robot has a use for, the best first."""
        cell, programs, _ = await project_now(library, rooms, name)
        if program not in programs:
            raise UnknownNameError("program in this project", program, programs)
        return reply_json(await aside(lambda: list(fitting_forms(cell, programs[program]))))

    async def export(name: str, program: str, form: str) -> Response:
        """A program in a vendor's language."""
        cell, programs, folder = await project_now(library, rooms, name)
        if program not in programs:
            raise UnknownNameError("program in this project", program, programs)
        future = rooms.pool.submit(export_program, form, cell, programs[program], programs=programs, folder=folder)
        texts = await asyncio.wrap_future(future)
        return reply_json([ExportedFile(name=one.name, dialect=one.dialect, text=one.text) for one in texts])

    def add(method: str, path: str, answer: Any, responses: dict[int | str, dict[str, Any]]) -> None:
        app.add_api_route(path, answer, methods=[method], responses=responses)

    one = "/api/projects/{name}"
    created: dict[int | str, dict[str, Any]] = {201: answers_with(ProjectInfo)[200]}
    add("GET", "/api/demos", demos, answers_with(list[DemoInfo]))
    add("GET", "/api/projects", projects, answers_with(list[ProjectInfo]))
    app.add_api_route(
        "/api/projects",
        create,
        methods=["POST"],
        responses=created,
        openapi_extra=takes_json(NewProject),
        status_code=201,
    )
    app.add_api_route(
        "/api/archives", take_in, methods=["POST"], responses=created, openapi_extra=takes_bytes(), status_code=201
    )
    add("GET", one, project, answers_with(ProjectInfo))
    add("DELETE", one, remove, answers_with(Removed))
    add("POST", "/api/trash/{kept}", bring_back, answers_with(ProjectInfo))
    app.add_api_route(f"{one}/copies", duplicate, methods=["POST"], responses=created, status_code=201)
    add("GET", f"{one}/archive.zip", archive, {200: {"content": {"application/zip": {}}}})
    app.add_api_route(
        f"{one}/meshes",
        add_mesh,
        methods=["POST"],
        responses={201: answers_with(MeshInfo)[200]},
        openapi_extra=takes_bytes(),
        status_code=201,
    )
    add("GET", f"{one}/meshes/{{file}}", mesh, {200: {"content": {"application/octet-stream": {}}}})
    add("GET", f"{one}/programs/{{program}}/exports", forms, answers_with(list[str]))
    add("GET", f"{one}/programs/{{program}}/exports/{{form}}", export, answers_with(list[ExportedFile]))


def takes_json(kind: type[object]) -> dict[str, Any]:
    """Return what the description of the interface says of a body that is a message."""
    return {"requestBody": {"required": True, "content": answers_with(kind)[200]["content"]}}


def takes_bytes() -> dict[str, Any]:
    """Return what the description of the interface says of a body that is a file."""
    content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    return {"requestBody": {"required": True, "content": content}}


async def read_body(request: Request, most: int) -> bytes:
    """Return the body of a request; raises InputError where it is too large."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise InputError(f"the body has more than {most} bytes; that is the most allowed")
        parts.append(part)
    return b"".join(parts)


async def read_json(request: Request, kind: type[T]) -> T:
    """Return the body of a request as a message; raises InputError where it is none."""
    data = await read_body(request, LARGEST_BODY)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"the body does not fit: {error}") from None


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


async def project_now(library: Library, rooms: Rooms, name: str) -> tuple[Cell, dict[str, Program], Path]:
    """Return a project as it is now: as it is being edited where it is open, else as its files are."""
    folder = library.path(name)
    room = rooms.find(name)
    if room is not None:
        return room.open.shared.cell, room.open.shared.programs, folder
    project = await aside(lambda: open_project(folder))
    return project.cell, project.all_programs(), folder


async def save_if_open(rooms: Rooms, name: str) -> None:
    """Bring the files of a project up to date."""
    room = rooms.find(name)
    if room is not None and not room.open.is_saved:
        state = await room.save_now()
        if state.state in ("failed", "changed outside"):
            raise InputError(state.message)


def mesh_file(folder: Path, file: str) -> Response:
    """Return a mesh file of a project; raises UnknownNameError where there is none of that name."""
    known = {path.name: path for path in (folder / MESHES).glob("*") if path.suffix.lower() in MESH_ENDINGS}
    if file not in known:
        raise UnknownNameError("mesh in this project", file, known)
    headers = {"cache-control": "no-cache", "content-disposition": "attachment"}
    return FileResponse(known[file], media_type="application/octet-stream", headers=headers)
