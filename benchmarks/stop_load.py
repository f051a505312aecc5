"""What a server may be busy with while somebody presses STOP: python -m benchmarks.stop_load URL PROJECT KIND

It prints one line when it has begun and one for each round that is done, until it is ended. Kinds, and their rounds:

    recording   a ten-minute program is recorded
    import      a mesh of 80,000 triangles, another one each time, is cut into convex parts
    save        a project of 10,000 objects is edited and saved
    viewers     50 look on; one of them reads nothing, and what it has not read waits in the server. Somebody edits a
                program five times a second. It has begun when all are connected and the deaf one has fallen behind
    messages    a message of 4 MB is refused; it comes from a client on this machine, which may do everything and as
                fast as it can. Others may not send messages as long or as often, so this is the harder case
"""

import asyncio
import io
import itertools
import json
import socket
import sys
import threading
import time
import zipfile
from pathlib import Path

import httpx
import msgspec
import numpy as np
from benchmarks.studio_load import open_deaf
from websockets.asyncio.client import connect as connect_async
from websockets.sync.client import connect

import openpendant as op
from openpendant.messages import Pose
from openpendant.programs import MoveAxis, Program, Wait
from openpendant.scene import Add, Move

__all__ = ["KINDS", "long_program"]

TRIANGLES = 80_000
OBJECTS = 10_000
VIEWERS = 50
EDIT_S = 0.2
BEHIND_S = 60.0


def long_program(robot: str, q: tuple[float, ...]) -> Program:
    """Return a program of about ten minutes."""
    there = tuple(value + 0.3 for value in q)
    steps = itertools.chain.from_iterable(
        (
            MoveAxis(id=f"a{n}", q=q, speed="10%"),
            MoveAxis(id=f"b{n}", q=there, speed="10%"),
            Wait(id=f"w{n}", seconds=8.0),
        )
        for n in range(60)
    )
    return Program(name="ten_minutes", robot=robot, steps=tuple(steps))


def record(url: str, project: str) -> None:
    with op.connect(url, name="load").open(project) as opened:
        begun()
        while True:
            opened.record("ten_minutes")
            done()


def take_in(url: str, project: str) -> None:
    # The server keeps the parts of a mesh by what is in it: another height each time, and in each measurement.
    heights = np.random.default_rng()
    begun()
    while True:
        answer = httpx.post(
            f"{url}/api/projects/{project}/meshes",
            params={"file": "wave.stl"},
            content=wave(heights.uniform(0.05, 0.15)),
            timeout=600,
        )
        assert answer.status_code == 201, answer.text
        done()


def wave(height_m: float) -> bytes:
    """Return a wavy sheet of a square metre as an STL file."""
    rows = int(np.sqrt(TRIANGLES / 2)) + 1
    u, v = np.meshgrid(np.linspace(0.0, 1.0, rows), np.linspace(0.0, 1.0, rows), indexing="ij")
    points = np.stack([u, v, height_m * np.sin(20.0 * u) * np.sin(17.0 * v)], axis=-1)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    faces = np.concatenate([np.stack([a, b, c], axis=-2), np.stack([a, c, d], axis=-2)]).reshape(-1, 3, 3)
    body = np.zeros(len(faces), dtype=[("n", "<f4", 3), ("p", "<f4", (3, 3)), ("x", "<u2")])
    body["p"] = faces
    return b"\0" * 80 + np.uint32(len(faces)).tobytes() + body.tobytes()


def save(url: str, _: str) -> None:
    studio = op.connect(url, name="load")
    name = studio.create("ten thousand")
    with studio.open(name) as opened:
        shape = {"type": "box", "size": (0.01, 0.01, 0.01)}
        first = {"name": "box 0", "shape": shape}
        opened.edit_cell(Add(section="objects", item=first))
    archive = studio.pack(name)
    opened_name = studio.take_in(_with_objects(archive))
    with studio.open(opened_name) as opened:
        begun()
        for number in itertools.count():
            pose = Pose(xyz=(number % 7 * 0.1, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))
            opened.edit_cell(Move(name="box 0", pose=pose))
            opened.save()
            done()


def _with_objects(archive: bytes) -> bytes:
    """Return an archive whose one object is there ten thousand times."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "cell.json":
                cell = json.loads(data)
                one = cell["objects"][0]
                cell["objects"] = [{**one, "name": f"box {number}"} for number in range(OBJECTS)]
                data = json.dumps(cell).encode()
            target.writestr(name, data)
    return out.getvalue()


def watch(url: str, project: str) -> None:
    address = f"{url.replace('http', 'ws', 1)}/ws/projects/{project}"
    connected = threading.Semaphore(0)
    threading.Thread(target=lambda: asyncio.run(_read_all(address, connected)), daemon=True).start()
    for _ in range(VIEWERS - 1):
        assert connected.acquire(timeout=60.0), f"not all of {VIEWERS - 1} viewers were let in"
    with op.connect(url, name="load").open(project) as opened:
        note = msgspec.structs.replace(opened.programs["ten_minutes"], name="edited")
        deaf, waited, behind, has_begun = open_deaf(address), 0, False, False
        until = time.monotonic() + BEHIND_S
        for number in itertools.count():
            opened.add_program(note) if number % 2 == 0 else opened.remove_program(note.name)
            time.sleep(EDIT_S if behind else EDIT_S / 10)
            waits = unsent(deaf)
            if waits is None:
                # The server cuts off who has not answered for long: another one comes.
                deaf, waits = open_deaf(address), 0
            # Where the connection takes no more, what comes from now on waits in the server.
            behind, waited = 0 < waits == waited, waits
            if has_begun:
                done()
            elif behind:
                has_begun = True
                begun()
            else:
                assert time.monotonic() < until, f"only {waits} bytes wait for the viewer who does not read"


async def _read_all(address: str, connected: threading.Semaphore) -> None:
    async def read(number: int) -> None:
        async with connect_async(address, max_size=None) as link:
            await link.send(json.dumps({"type": "hello", "client": f"viewer{number}", "name": f"viewer {number}"}))
            await link.recv()
            connected.release()
            async for _ in link:
                pass
        raise AssertionError(f"viewer {number} was sent away")

    await asyncio.gather(*(read(number) for number in range(VIEWERS - 1)))


def unsent(deaf: socket.socket) -> int | None:
    """Return how many bytes the server has handed to the connection that were not taken; None: it has cut it off."""
    try:
        ends = (deaf.getpeername()[1], deaf.getsockname()[1])
    except OSError:
        return None
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if tuple(int(fields[at].split(":")[1], 16) for at in (1, 2)) == ends:
            return int(fields[4].split(":")[0], 16)
    return None


def shout(url: str, project: str) -> None:
    text = json.dumps({"type": "look", "selected": ["x" * 100] * 38_000})
    with connect(f"{url.replace('http', 'ws')}/ws/projects/{project}", max_size=None) as talk:
        talk.send(json.dumps({"type": "hello", "client": "load", "name": "load"}))
        begun()
        while True:
            talk.send(text)
            said: str | bytes = b""
            while not (isinstance(said, str) and '"refused"' in said[:40]):
                said = talk.recv()
            done()


def begun() -> None:
    print("begun", flush=True)


def done() -> None:
    print("done", flush=True)


KINDS = {"recording": record, "import": take_in, "save": save, "viewers": watch, "messages": shout}

if __name__ == "__main__":
    KINDS[sys.argv[3]](sys.argv[1], sys.argv[2])
