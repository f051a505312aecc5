"""reply_simulation: a program as it runs, computed and encoded in another process, for a client's timeline."""

import asyncio
import logging
import math
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError, OpenPendantError
from openpendant.messages import speak_plainly
from openpendant.messages.project import Refusal, Simulated, SimulationRequest
from openpendant.pool import WorkPool
from openpendant.programs import Program, Simulation, simulate_program
from openpendant.said import say
from openpendant.scene import Cell
from openpendant.spatial import quaternion_from_matrix

from .project_room import Client, ProjectRoom

log = logging.getLogger("openpendant.server")
SHORTEST_DT_S, LONGEST_DT_S = 0.004, 1.0
LONGEST_REPLY = 8 * 1024 * 1024
"""Bytes; a longer recording is sent with fewer samples."""
MOST_WAITING = 20
"""Recordings of one project that wait to be made."""
_tasks: set[asyncio.Task[None]] = set()
_waiting: dict[ProjectRoom, int] = {}
_encode = msgspec.json.Encoder(enc_hook=speak_plainly).encode


def reply_simulation(room: ProjectRoom, client: Client, request: SimulationRequest, pool: WorkPool) -> None:
    """Answer when it is there; other messages do not wait for it."""
    if _waiting.get(room, 0) >= MOST_WAITING:
        client.send(Refusal(id=request.id, message=say("request.recordings", count=MOST_WAITING)))
        return
    _waiting[room] = _waiting.get(room, 0) + 1
    task = asyncio.get_running_loop().create_task(_reply(room, client, request, pool))
    _tasks.add(task)
    task.add_done_callback(lambda done: _settle(room, done))


def _settle(room: ProjectRoom, task: "asyncio.Task[None]") -> None:
    _tasks.discard(task)
    _waiting[room] -= 1
    if not _waiting[room]:
        del _waiting[room]


async def _reply(room: ProjectRoom, client: Client, request: SimulationRequest, pool: WorkPool) -> None:
    shared = room.open.shared
    cell, programs, seq, name = shared.cell, shared.programs, shared.seq, request.program
    try:
        if name not in programs:
            raise InputError(say("run.no_program", program=name[:80]))
        if not SHORTEST_DT_S <= request.dt_s <= LONGEST_DT_S:
            raise InputError(say("request.dt", dt_s=request.dt_s, least_s=SHORTEST_DT_S, most_s=LONGEST_DT_S))
        future = pool.submit(run_recording, cell, programs[name], programs, str(room.open.folder), request, seq)
        found = await asyncio.wrap_future(future)
    except OpenPendantError as error:
        client.send(Refusal(id=request.id, message=error.said))
        return
    except Exception:
        log.exception("could not record %s", name)
        client.send(Refusal(id=request.id, message=say("server.own_error")))
        return
    client.outbox.put(found)


def run_recording(
    cell: Cell, program: Program, programs: dict[str, Program], folder: str, request: SimulationRequest, seq: int
) -> str:
    """Record a program, in whatever process; return the message for the client, short enough to be sent."""
    found = simulate_program(cell, program, programs=programs, folder=folder, dt_s=request.dt_s)
    every = 1
    while True:
        data = _encode(_message(found, request, seq, every))
        if len(data) <= LONGEST_REPLY or every >= len(found.t):
            return data.decode()
        every = max(every + 1, math.ceil(every * len(data) / LONGEST_REPLY))


def _message(found: Simulation, request: SimulationRequest, seq: int, every: int) -> Simulated:
    """Return every n-th sample, and always the last one."""
    at = np.unique(np.append(np.arange(0, len(found.t), every), max(0, len(found.t) - 1)))[: len(found.t)]
    return Simulated(
        id=request.id,
        program=request.program,
        seq=seq,
        t=_rounded(found.t[at], 4),
        q={key: _rounded(q[at], 5) for key, q in found.q.items()},
        openings={key: _rounded(values[at], 5) for key, values in found.openings.items()},
        tools={key: _rounded(points[at], 5) for key, points in found.tools.items()},
        speeds={key: _rounded(values[at], 5) for key, values in found.speeds.items()},
        distance_m=_rounded(found.distance_m[at], 5),
        parts={name: _poses(T[at]) for name, T in found.parts.items()},
        steps=[[one.program, one.step, round(one.start_s, 4), round(one.end_s, 4)] for one in found.steps],
        status=found.status,
        message=found.message,
    )


def _rounded(values: NDArray[np.float64], digits: int) -> Any:
    return np.round(values, digits).tolist()


def _poses(T: NDArray[np.float64]) -> list[list[float]]:
    rows = [[*pose[:3, 3].tolist(), *quaternion_from_matrix(pose[:3, :3]).tolist()] for pose in T]
    return [[round(value, 6) for value in row] for row in rows]
