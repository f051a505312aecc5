"""answer_recording: a program as it runs, computed in another process, for a client's timeline."""

import asyncio
import logging

import numpy as np
from numpy.typing import NDArray

from openpendant.cell import WorkPool
from openpendant.errors import InputError, OpenPendantError
from openpendant.programs import Program, Recording, record_program
from openpendant.projects.talk import AskRecording, Recorded, Refusal
from openpendant.scene import Cell
from openpendant.spatial import quaternion_from_matrix

from .room import Client, ProjectRoom

__all__ = ["answer_recording"]

log = logging.getLogger("openpendant.server")
SHORTEST_DT_S, LONGEST_DT_S = 0.004, 1.0
_tasks: set[asyncio.Task[None]] = set()


def answer_recording(room: ProjectRoom, client: Client, question: AskRecording, pool: WorkPool) -> None:
    """Answer when it is there; other messages do not wait for it."""
    task = asyncio.get_running_loop().create_task(_answer(room, client, question, pool))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def _answer(room: ProjectRoom, client: Client, question: AskRecording, pool: WorkPool) -> None:
    shared = room.open.shared
    cell, programs, seq, name = shared.cell, shared.programs, shared.seq, question.program
    try:
        if name not in programs:
            raise InputError(f"there is no program named {name!r}")
        if not SHORTEST_DT_S <= question.dt_s <= LONGEST_DT_S:
            raise InputError(f"dt_s is {question.dt_s}; allowed is {SHORTEST_DT_S} to {LONGEST_DT_S}")
        future = pool.submit(run_recording, cell, programs[name], programs, str(room.open.folder), question.dt_s)
        found = await asyncio.wrap_future(future)
    except OpenPendantError as error:
        client.send(Refusal(id=question.id, message=str(error)))
        return
    except Exception:
        log.exception("could not record %s", name)
        client.send(Refusal(id=question.id, message="the server met an error of its own; its log tells more"))
        return
    client.send(
        Recorded(
            id=question.id,
            program=name,
            seq=seq,
            t=_plain(found.t, 4),
            q={key: _rows(q, 5) for key, q in found.q.items()},
            openings={key: _plain(values, 5) for key, values in found.openings.items()},
            tools={key: _rows(points, 5) for key, points in found.tools.items()},
            speeds={key: _plain(values, 5) for key, values in found.speeds.items()},
            distance_m=_plain(found.distance_m, 5),
            parts={name: _poses(T) for name, T in found.parts.items()},
            steps=[[one.program, one.step, round(one.start_s, 4), round(one.end_s, 4)] for one in found.steps],
            status=found.status,
            message=found.message,
        )
    )


def run_recording(cell: Cell, program: Program, programs: dict[str, Program], folder: str, dt_s: float) -> Recording:
    """Record a program, in whatever process."""
    return record_program(cell, program, programs=programs, folder=folder, dt_s=dt_s)


def _plain(values: NDArray[np.float64], digits: int) -> list[float]:
    return np.round(values, digits).tolist()


def _rows(values: NDArray[np.float64], digits: int) -> list[list[float]]:
    return np.round(values, digits).tolist()


def _poses(T: NDArray[np.float64]) -> list[list[float]]:
    rows = [[*pose[:3, 3].tolist(), *quaternion_from_matrix(pose[:3, :3]).tolist()] for pose in T]
    return [[round(value, 6) for value in row] for row in rows]
