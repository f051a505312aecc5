"""No client keeps the server busy, whatever it sends and however large a project is."""

import io
import json
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from networked import Networked, networked
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from openpendant.scene import Cell, CellDocument
from openpendant.user_folders import user_projects_folder

LONG = 8_000_000
"""Of a text in a project: more than the buffers of a socket take."""
TITLE = {"edit": "cell", "command": {"do": "set", "name": "", "field": "title", "value": "found"}}
LONG_LOOK = json.dumps({"type": "look", "selected": ["x" * 100] * 39_000})


@pytest.fixture
def server(tmp_path: Path, page: Path) -> Iterator[Networked]:
    with networked(tmp_path / "access", page) as found:
        yield found


def made(server: Networked, title: str) -> str:
    return httpx.post(f"{server.local}/api/projects", json={"title": title}, timeout=60).json()["id"]


def health_s(server: Networked) -> float:
    began = time.monotonic()
    assert httpx.get(f"{server.local}/api/health", timeout=10).status_code == 200
    return time.monotonic() - began


def read_on(socket: ClientConnection) -> None:
    """Read until the other side closes."""
    while True:
        socket.recv(timeout=30)


def hello(name: str) -> str:
    return json.dumps({"type": "hello", "client": name, "name": name})


def test_five_sockets_of_a_viewer_with_four_megabytes_each_keep_nobody_waiting(server: Networked) -> None:
    project, token = made(server, "busy"), server.token("viewer")
    with ExitStack() as stack:
        sockets = [stack.enter_context(server.project(project, token)) for _ in range(5)]
        for number, socket in enumerate(sockets):
            socket.send(hello(f"viewer {number}"))
            assert json.loads(socket.recv(timeout=30))["type"] == "whole"
        for socket in sockets:
            socket.send(LONG_LOOK)
        for socket in sockets:
            with pytest.raises(ConnectionClosed, match="at most 262144 are allowed"):
                read_on(socket)
        with connect(f"{server.local.replace('http', 'ws')}/ws/projects/{project}", max_size=None) as late:
            late.send(hello("late"))
            assert json.loads(late.recv(timeout=30))["type"] == "whole"
        assert health_s(server) < 5.0


def test_what_somebody_looks_at_is_cut_for_the_others(server: Networked) -> None:
    project = made(server, "looks")
    address = f"{server.local.replace('http', 'ws')}/ws/projects/{project}"
    with connect(address, max_size=None) as ann, connect(address, max_size=None) as bob:
        for socket, name in ((ann, "ann"), (bob, "bob")):
            socket.send(hello(name))
            assert json.loads(socket.recv(timeout=30))["type"] == "whole"
        ann.send(json.dumps({"type": "look", "mode": "m" * 5000, "selected": ["a" * 5000, *("b" * 100,) * 1000]}))
        while True:
            said = json.loads(bob.recv(timeout=30))
            if said["type"] == "people" and any(one["mode"] for one in said["people"]):
                break
        found = next(one for one in said["people"] if one["mode"])
        assert found["mode"] == "m" * 200
        assert len(found["selected"]) == 199
        assert all(len(name) == 100 for name in found["selected"])


def test_an_archive_with_seventeen_megabytes_of_notes_is_refused_with_words(server: Networked) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cell.json", json.dumps({"format": 1, "name": "notes", "notes": "x" * 17_000_000}))
    assert len(out.getvalue()) < 20_000
    answer = httpx.post(f"{server.local}/api/archives", content=out.getvalue(), timeout=60)
    assert answer.status_code == 422
    assert "'cell.json' in the archive has more than 16777216 bytes" in answer.json()["message"]


@pytest.mark.parametrize(("size", "opens"), [(17_000_000, True), (70_000_000, False)])
def test_a_project_longer_than_what_may_wait_is_opened_or_refused_with_words(
    server: Networked, size: int, opens: bool
) -> None:
    project = made(server, "long")
    place = user_projects_folder() / project
    CellDocument(Cell(name="long", notes="x" * size), place).save(overwrite=True)
    with connect(f"{server.local.replace('http', 'ws')}/ws/projects/{project}", max_size=None) as socket:
        socket.send(hello("ann"))
        if opens:
            whole = json.loads(socket.recv(timeout=30))
            assert whole["type"] == "whole"
            assert len(whole["cell"]["notes"]) == size
        else:
            with pytest.raises(ConnectionClosed, match="at most 67108864 can be opened"):
                socket.recv(timeout=30)
    assert health_s(server) < 5.0


def test_a_client_that_asks_for_the_whole_and_reads_nothing_is_kept_one_whole(server: Networked) -> None:
    project, asked = made(server, "whole"), 30
    CellDocument(Cell(name="whole", notes="x" * LONG), user_projects_folder() / project).save(overwrite=True)
    address = f"{server.local.replace('http', 'ws')}/ws/projects/{project}"
    with connect(address, max_size=None, max_queue=1) as deaf, connect(address, max_size=None) as other:
        for socket in (deaf, other):
            socket.send(hello("deaf" if socket is deaf else "other"))
            assert json.loads(socket.recv(timeout=30))["type"] == "whole"
        for _ in range(asked):
            deaf.send(json.dumps({"type": "resync"}))
        deaf.send(json.dumps({"type": "edit", "id": 1, "edit": TITLE}))
        # The server has heard all of that once others see the edit.
        while json.loads(other.recv(timeout=30))["type"] != "patch":
            pass
        assert health_s(server) < 5.0
        wholes, titles = 0, ["whole"]
        while (said := json.loads(deaf.recv(timeout=30))) != {"type": "done", "id": 1, "seq": 1}:
            if said["type"] == "whole":
                wholes += 1
                titles.append(said["cell"].get("title", ""))
    # One that waits, and what the buffers of the sockets took in the meantime.
    assert 1 <= wholes <= 4
    assert titles[-1] == "found", "what is sent is the project as it is then"
