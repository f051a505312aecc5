"""What a server may be busy with while somebody presses STOP: python -m benchmarks.stop_load URL PROJECT KIND

It prints one line when it has begun, and goes on until it is ended. Kinds:

    recording   a ten-minute program is recorded, again and again
    import      a mesh of 80,000 triangles is taken in, again and again
    save        a project of 10,000 objects is edited and saved, again and again
    messages    messages of 4 MB, one after the other
"""

import io
import itertools
import json
import sys
import zipfile

import httpx
import numpy as np
from websockets.sync.client import connect

import openpendant as op
from openpendant.messages import Pose
from openpendant.programs import MoveAxis, Program, Wait
from openpendant.scene import Add, Move

__all__ = ["KINDS", "long_program"]

TRIANGLES = 80_000
OBJECTS = 10_000


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
    return Program(name="ten minutes", robot=robot, steps=tuple(steps))


def record(url: str, project: str) -> None:
    with op.connect(url, name="load").open(project) as opened:
        begun()
        while True:
            opened.record("ten minutes")


def take_in(url: str, project: str) -> None:
    rows = int(np.sqrt(TRIANGLES / 2)) + 1
    u, v = np.meshgrid(np.linspace(0.0, 1.0, rows), np.linspace(0.0, 1.0, rows), indexing="ij")
    points = np.stack([u, v, 0.1 * np.sin(20.0 * u) * np.sin(17.0 * v)], axis=-1)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    faces = np.concatenate([np.stack([a, b, c], axis=-2), np.stack([a, c, d], axis=-2)]).reshape(-1, 3, 3)
    body = np.zeros(len(faces), dtype=[("n", "<f4", 3), ("p", "<f4", (3, 3)), ("x", "<u2")])
    body["p"] = faces
    data = b"\0" * 80 + np.uint32(len(faces)).tobytes() + body.tobytes()
    begun()
    while True:
        answer = httpx.post(
            f"{url}/api/projects/{project}/meshes", params={"file": "wave.stl"}, content=data, timeout=600
        )
        assert answer.status_code in (201, 422), answer.text


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


def begun() -> None:
    print("begun", flush=True)


KINDS = {"recording": record, "import": take_in, "save": save, "messages": shout}

if __name__ == "__main__":
    KINDS[sys.argv[3]](sys.argv[1], sys.argv[2])
