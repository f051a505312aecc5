"""The stop service by itself: who is let in, what it answers, and that it lives as long as its server."""

import asyncio
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest
from networked import Networked, TlsSocket, networked
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from openpendant.messages import PROTOCOL, Greeting
from openpendant.messages.operation import Stopped
from openpendant.messages.stop_service import LineHello, LineReply, LineRest
from openpendant.server import create_app, serving
from openpendant.server.stop_supervisor import StopSupervisor
from openpendant.stop_service import LineAddress, LineHalt, ServiceState, StopLine, StopNotice
from openpendant.stop_service.app import StopApp
from openpendant.stop_service.line import HEADER
from openpendant.stop_service.lines import RobotLines


class Robot:
    """A robot's process as the stop service sees it: it obeys and rests, or only hears."""

    def __init__(self, address: LineAddress, name: str, *, obeys: bool = True) -> None:
        self.heard: list[LineHalt] = []
        self._obeys = obeys
        self._ready = threading.Event()
        self.line = StopLine(address, name, self._take)

    def _take(self, halt: LineHalt) -> None:
        self._ready.wait(10.0)
        self.heard.append(halt)
        if self._obeys:
            self.line.reply(halt.number, obeyed=True)
            self.line.report_rest(halt.number, 0.1, 0.005, "along the path")

    def __enter__(self) -> "Robot":
        self._ready.set()
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()


def wait_for(condition: Callable[[], bool], what: str, within_s: float = 30.0) -> None:
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def stop_url(local: str, project: str) -> str:
    with connect(f"{local.replace('http', 'ws')}/ws/projects/{project}", max_size=None) as talk:
        talk.send(json.dumps({"type": "hello", "client": "ann", "name": "Ann"}))
        return json.loads(talk.recv(timeout=30))["stop_url"]


def post(url: str) -> Stopped:
    answer = httpx.post(url.replace("ws", "http", 1), timeout=30)
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=Stopped)


def ask(talk: ClientConnection | TlsSocket, number: int) -> Stopped:
    talk.send(json.dumps({"type": "stop", "id": number}))
    text = talk.recv(timeout=30)
    if json.loads(text) == {"type": "greeting", "protocol": PROTOCOL}:
        text = talk.recv(timeout=30)
    return msgspec.json.decode(text, type=Stopped)


@pytest.fixture(scope="module")
def app(page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[StopSupervisor, str]]:
    made = create_app(page, projects=tmp_path_factory.mktemp("projects"))
    with serving(made) as local:
        httpx.post(f"{local}/api/projects", json={"title": "cell"}, timeout=60)
        yield made.state.stops, local


def test_every_robot_of_the_project_is_stopped_and_no_other(app: tuple[StopSupervisor, str]) -> None:
    stops, local = app
    url = stop_url(local, "cell")
    with Robot(stops.line("cell"), "left") as left, Robot(stops.line("other"), "right") as right:
        with connect(url) as talk:
            wait_for(lambda: len(post(url).robots) == 1, "the robot has connected")
            said = ask(talk, 7)
            assert (said.id, said.by) == (7, "ann")
            assert [(one.robot, one.reached) for one in said.robots] == [("left", True)]
            if said.robots[0].rest_ms is None:
                said = msgspec.json.decode(talk.recv(timeout=30), type=Stopped)
            one = said.robots[0]
            assert (one.rest_ms, one.distance_mm, one.reason) == (100.0, 5.0, "along the path")
        assert {halt.who for halt in left.heard} == {"Ann"}
        assert not right.heard


def test_the_first_message_tells_the_protocol(app: tuple[StopSupervisor, str]) -> None:
    _, local = app
    with connect(stop_url(local, "cell")) as talk:
        assert msgspec.json.decode(talk.recv(timeout=30), type=Greeting) == Greeting(protocol=PROTOCOL)


def test_robots_that_do_not_answer_or_are_not_there_are_named(app: tuple[StopSupervisor, str]) -> None:
    stops, local = app
    url = stop_url(local, "cell")
    with Robot(stops.line("cell"), "deaf", obeys=False):
        stops.expect("cell", ("deaf", "lost"))
        wait_for(lambda: len(post(url).robots) == 2, "both are known")
        wait_for(lambda: post(url).robots[0].reason == "it did not respond within 0.5 s", "the deaf one is connected")
        deaf, lost = post(url).robots
        assert (deaf.robot, deaf.reached) == ("deaf", False)
        assert (lost.robot, lost.reached, lost.reason) == ("lost", False, "its process is not connected")
        stops.expect("cell", ())


def test_other_pages_names_and_messages_are_refused(app: tuple[StopSupervisor, str]) -> None:
    _, local = app
    url = stop_url(local, "cell")
    plain = url.replace("ws", "http", 1)
    own = f"http://127.0.0.1:{urlsplit(local).port}"
    for headers in ({"origin": "http://evil.example"}, {"host": "evil.example"}, {"origin": "null"}):
        assert httpx.post(plain, headers=headers, timeout=30).status_code == 403
        with pytest.raises(InvalidStatus):
            connect(url, origin=headers.get("origin", own), additional_headers=headers).close()  # type: ignore[arg-type]
    assert httpx.post(plain, headers={"origin": own}, timeout=30).status_code == 200
    assert httpx.get(plain, timeout=30).status_code == 405
    assert httpx.post(plain.replace("/stop/", "/go/"), timeout=30).status_code == 404


@pytest.mark.parametrize(
    ("address", "status"),
    [("127.0.0.1", 200), ("::1", 200), ("192.168.1.9", 403), ("not an address", 403), ("", 403)],
)
def test_the_door_of_this_machine_is_for_addresses_of_this_machine(address: str, status: int) -> None:
    told: list[StopNotice] = []
    door = StopApp(
        RobotLines("secret"), ServiceState, told.append, port=8001, page_port=8000, cookie="session", lan=False
    )

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(door, client=(address, 5000))  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport) as http:
            return await http.post("http://127.0.0.1:8001/stop/cell")

    assert asyncio.run(ask()).status_code == status
    assert [one.project for one in told] == (["cell"] if status == 200 else [])


def test_a_robot_without_the_secret_is_not_believed(app: tuple[StopSupervisor, str]) -> None:
    stops, local = app
    address: LineAddress = stops.line("cell")
    url = stop_url(local, "cell")
    with Robot(LineAddress(port=address.port, secret="wrong", project="cell"), "thief"):
        time.sleep(0.3)
        assert post(url).robots == ()


def test_it_is_started_again_at_the_same_address_and_robots_come_back(app: tuple[StopSupervisor, str]) -> None:
    stops, local = app
    url = stop_url(local, "cell")
    with Robot(stops.line("cell"), "arm"):
        wait_for(lambda: len(post(url).robots) == 1, "the robot has connected")
        before = stops.pid
        os.kill(before, signal.SIGKILL)
        wait_for(lambda: stops.pid not in (None, before), "the service is started again")
        assert stop_url(local, "cell") == url
        wait_for(lambda: len(post(url).robots) == 1, "the robot has connected again")


def test_it_ends_with_its_server(page: Path, tmp_path: Path) -> None:
    made = create_app(page, projects=tmp_path)
    with serving(made):
        wait_for(lambda: made.state.stops.pid is not None, "it runs")
        pid = made.state.stops.pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@contextmanager
def talk_lan(server: Networked, url: str, token: str) -> Iterator[TlsSocket]:
    talk = TlsSocket(url, server.ca, {"Authorization": f"Bearer {token}"} if token else {})
    try:
        yield talk
    finally:
        talk.close()


def test_over_the_network_everybody_who_is_paired_may_stop_and_nobody_else(tmp_path: Path, page: Path) -> None:
    with networked(tmp_path / "access", page) as server:
        httpx.post(f"{server.local}/api/projects", json={"title": "net"}, timeout=60)
        project = httpx.get(f"{server.local}/api/projects", timeout=60).json()[0]["id"]
        token = server.token("viewer")
        with server.project(project, token) as talk:
            talk.send(json.dumps({"type": "hello", "client": "vic", "name": "Vic"}))
            url = json.loads(talk.recv(timeout=30))["stop_url"]
        assert url.startswith("wss://127.0.0.1:")
        with talk_lan(server, url, token) as talk:
            assert ask(talk, 1).id == 1
        for wrong in ("", "nobody's"):
            with pytest.raises(InvalidStatus, match="401"), talk_lan(server, url, wrong):
                pass
        with server.client() as http:
            assert http.post(url.replace("wss", "https", 1)).status_code == 401
            assert (
                http.post(url.replace("wss", "https", 1), headers={"cookie": f"__Host-openpendant={token}"}).status_code
                == 200
            )
        with talk_lan(server, url, token) as talk:
            session = server.access.sessions.all()[0]
            server.access.sessions.revoke(session.id)
            wait_for(lambda: _refused(talk), "who is no longer paired is refused")


def _refused(talk: TlsSocket) -> bool:
    from websockets.exceptions import ConnectionClosed

    try:
        ask(talk, 2)
    except ConnectionClosed:
        return True
    return False


def test_a_page_may_open_the_socket_of_the_stop_service(app: tuple[StopSupervisor, str]) -> None:
    _, local = app
    port = urlsplit(stop_url(local, "cell")).port
    policy = httpx.get(local, timeout=30).headers["content-security-policy"]
    assert f"connect-src 'self' ws://127.0.0.1:{port} " in policy


def test_a_service_that_hangs_is_started_again(app: tuple[StopSupervisor, str]) -> None:
    stops, local = app
    url = stop_url(local, "cell")
    before = stops.pid
    os.kill(before, signal.SIGSTOP)
    wait_for(lambda: stops.pid not in (None, before), "the service is started again")
    post(url)
    with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), 5.0):
        pass


@pytest.mark.parametrize("rests", [False, True], ids=["not at rest yet", "at rest already"])
def test_every_stop_is_sent_however_soon_it_follows_another(rests: bool) -> None:
    lines, halts = RobotLines("secret"), []

    async def ask() -> None:
        server = await asyncio.start_server(lines.serve, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())

        async def hear() -> LineHalt:
            (size,) = HEADER.unpack(await asyncio.wait_for(reader.readexactly(HEADER.size), 10.0))
            return msgspec.msgpack.decode(await reader.readexactly(size), type=LineHalt)

        def say(message: LineHello | LineReply | LineRest) -> None:
            raw = msgspec.msgpack.encode(message)
            writer.write(HEADER.pack(len(raw)) + raw)

        say(LineHello(secret="secret", project="cell", robot="arm"))
        first = lines.stop("cell", "ann")
        while not first.now():
            await asyncio.sleep(0.001)
            first = lines.stop("cell", "ann")
        halts.append(await hear())
        say(LineReply(number=first.number, obeyed=True))
        if rests:
            say(LineRest(number=first.number, rest_s=0.1, distance_m=0.005, how="along the path"))
        await first.wait_reached()
        if rests:
            await first.wait_rest()
        # Whatever the machine does meanwhile: it is less than the time in which stops have one answer.
        first.began_ns = time.monotonic_ns()
        second = lines.stop("cell", "bob")
        halts.append(await hear())
        # What a robot that rests did before tells nothing of the new one.
        assert (second is first) is not rests
        assert second.now()[0].reached is not rests
        writer.close()
        server.close()

    asyncio.run(ask())
    assert [halt.who for halt in halts] == ["ann", "bob"]


def test_a_robot_that_takes_nothing_costs_no_memory() -> None:
    lines = RobotLines("secret")

    async def ask() -> int:
        server = await asyncio.start_server(lines.serve, "127.0.0.1", 0)
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname(), limit=1024)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        raw = msgspec.msgpack.encode(LineHello(secret="secret", project="cell", robot="arm"))
        writer.write(HEADER.pack(len(raw)) + raw)
        while not lines.stop("cell", "ann").now():
            await asyncio.sleep(0.001)
        for _ in range(200_000):
            lines.stop("cell", "ann")
        (line,) = lines._lines.values()
        waiting = line.writer.transport.get_write_buffer_size()
        writer.close()
        server.close()
        return waiting

    assert asyncio.run(ask()) < 100_000
