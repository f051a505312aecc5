"""reply_nearest: what comes nearest to arms that stand so, for a hand that drags them.

Bodies are laid out and compared in a worker process: meshes may have to be cut first, which takes seconds, and the
server's own process has robots that stop where it is late.
"""

import asyncio
import math
import uuid
from pathlib import Path
from weakref import WeakKeyDictionary

from openpendant.errors import InputError, OpenPendantError
from openpendant.messages.project import NearestNow, NearestRequest, Refusal
from openpendant.pool import WorkPool
from openpendant.programs import Near
from openpendant.said import say
from openpendant.scene import Cell, CollisionWorld, Scene

from .project_room import Client, ProjectRoom

MOST_WORLDS = 4
"""Number of cells that a worker keeps ready."""

_tasks: set[asyncio.Task[None]] = set()
_turns: WeakKeyDictionary[ProjectRoom, asyncio.Lock] = WeakKeyDictionary()
_names: WeakKeyDictionary[ProjectRoom, tuple[Cell, str]] = WeakKeyDictionary()
"""By room its newest cell, and the name by which the worker knows it; documents never change."""
_worlds: dict[str, CollisionWorld] = {}
"""In the worker: the cells that it was asked about last, by name."""


def reply_nearest(room: ProjectRoom, client: Client, request: NearestRequest, pool: WorkPool) -> None:
    """Answer when it is there; the first answer for a cell waits until its bodies are laid out."""
    task = asyncio.get_running_loop().create_task(_reply(room, client, request, pool))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def _reply(room: ProjectRoom, client: Client, request: NearestRequest, pool: WorkPool) -> None:
    try:
        for key, q in request.joints.items():
            if not all(math.isfinite(value) for value in q):
                raise InputError(say("request.joints_finite", arm=key, joints=str(list(q))))
        async with _turns.setdefault(room, asyncio.Lock()):
            cell, folder = room.open.shared.cell, room.open.folder
            known = _names.get(room)
            name = known[1] if known is not None and known[0] is cell else uuid.uuid4().hex
            _names[room] = (cell, name)
            # A cell may be long: it is sent where the worker does not know it, once.
            found = await asyncio.wrap_future(pool.submit(nearest_by_name, name, request.joints))
            if found is None:
                found = await asyncio.wrap_future(pool.submit(nearest_in_cell, name, cell, folder, request.joints))
            near, touches = found
    except OpenPendantError as error:
        client.send(Refusal(id=request.id, message=error.said))
        return
    client.send(NearestNow(id=request.id, near=near, touches=touches))


def nearest_by_name(name: str, joints: dict[str, tuple[float, ...]]) -> tuple[Near | None, bool] | None:
    """Return what `nearest_in` does for a cell that this process has laid out; None: it has not."""
    world = _worlds.get(name)
    return None if world is None else nearest_in(world, joints)


def nearest_in_cell(
    name: str, cell: Cell, folder: Path, joints: dict[str, tuple[float, ...]]
) -> tuple[Near | None, bool]:
    """Lay a cell out, keep it by its name, and return what `nearest_in` does."""
    _worlds[name] = world = CollisionWorld(Scene(cell, folder))
    while len(_worlds) > MOST_WORLDS:
        del _worlds[next(iter(_worlds))]
    return nearest_in(world, joints)


def nearest_in(world: CollisionWorld, joints: dict[str, tuple[float, ...]]) -> tuple[Near | None, bool]:
    """Return the pair that is too near, or else the nearest one; and whether it is too near.

    Raises:
        InputError: Bad joints or an unknown arm.
    """
    if not world.arms:
        return None, False
    hit = world.collides(joints)
    found = hit if hit is not None else world.distance(joints)
    return Near.of(found), hit is not None
