"""answer_nearest: what comes nearest to arms that stand so, for a hand that drags them."""

import asyncio
import math
from weakref import WeakKeyDictionary

from openpendant.errors import InputError, OpenPendantError
from openpendant.programs import Near
from openpendant.projects.talk import AskNearest, NearestNow, Refusal
from openpendant.scene import Cell, CollisionWorld, Nearest, Scene
from openpendant.server.aside import aside

from .room import Client, ProjectRoom

__all__ = ["answer_nearest", "nearest_in"]

_tasks: set[asyncio.Task[None]] = set()
_turns: WeakKeyDictionary[ProjectRoom, asyncio.Lock] = WeakKeyDictionary()
_worlds: WeakKeyDictionary[ProjectRoom, tuple[Cell, CollisionWorld]] = WeakKeyDictionary()
"""The newest world of each room; documents never change, so the same cell means the same world."""


def answer_nearest(room: ProjectRoom, client: Client, question: AskNearest) -> None:
    """Answer when it is there; the first answer for a cell waits until its bodies are laid out."""
    task = asyncio.get_running_loop().create_task(_answer(room, client, question))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def _answer(room: ProjectRoom, client: Client, question: AskNearest) -> None:
    try:
        for key, q in question.joints.items():
            if not all(math.isfinite(value) for value in q):
                raise InputError(f"joints of {key} are {list(q)}; they must be finite")
        cell = room.open.shared.cell
        known = _worlds.get(room)
        if known is None or known[0] is not cell:
            folder = room.open.folder
            known = (cell, await aside(lambda: CollisionWorld(Scene(cell, folder))))
            _worlds[room] = known
        world = known[1]
        # One at a time. Not in the event loop: the first answer of all loads kernels, or has them compiled.
        async with _turns.setdefault(room, asyncio.Lock()):
            near, touches = await aside(lambda: nearest_in(world, question.joints))
    except OpenPendantError as error:
        client.send(Refusal(id=question.id, message=error.said))
        return
    client.send(NearestNow(id=question.id, near=near, touches=touches))


def nearest_in(world: CollisionWorld, joints: dict[str, tuple[float, ...]]) -> tuple[Near | None, bool]:
    """Return the pair that is too near, or else the nearest one; and whether it is too near.

    Raises:
        InputError: Bad joints or an unknown arm.
    """
    if not world.arms:
        return None, False
    hit = world.collides(joints)
    found = hit if hit is not None else world.distance(joints)
    return (near_of(found) if math.isfinite(found.distance_m) else None), hit is not None


def near_of(found: Nearest) -> Near:
    """Return a pair as messages have it."""
    ax, ay, az = (float(value) for value in found.point_a)
    bx, by, bz = (float(value) for value in found.point_b)
    return Near(
        distance_m=found.distance_m,
        a=found.a,
        b=found.b,
        point_a=(ax, ay, az),
        point_b=(bx, by, bz),
        margin_m=found.margin_m,
    )
