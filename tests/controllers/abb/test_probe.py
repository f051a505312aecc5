"""What is said about an address before anybody connects to it, by Robot Web Services of a virtual controller."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from openpendant.controllers import Probed
from openpendant.controllers.abb import probe_abb
from openpendant.makers import find_maker
from openpendant.robots import load
from openpendant.virtual.abb import AbbHost
from openpendant.virtual.abb.start import AbbStart, make_host

HERE = "127.0.7.{}"
PORT = 8093


@contextmanager
def running(start: AbbStart) -> Iterator[AbbHost]:
    with ExitStack() as folders:
        host = make_host(start, folders)
        ended = threading.Event()
        thread = threading.Thread(target=host.run, args=(ended.is_set,))
        thread.start()
        try:
            yield host
        finally:
            ended.set()
            thread.join()


@pytest.fixture(scope="module")
def host() -> Iterator[AbbHost]:
    with running(AbbStart(bind=HERE.format(81), rws=PORT)) as made:
        yield made


def codes(found: tuple[Probed, ...]) -> list[str]:
    return [one.code for one in found]


def look(host: AbbHost, arms: int = 1) -> list[str]:
    return codes(probe_abb(host.address, PORT, model="IRB 120", arms=arms))


def test_a_controller_that_is_ready(host: AbbHost) -> None:
    found = probe_abb(host.address, PORT)
    assert codes(found) == ["found", "ready"]
    assert all(one.fine and not one.hopeless for one in found)
    assert "RobotWare 6." in found[0].message
    maker = find_maker(load("irb120"))
    assert maker is not None
    assert codes(maker.probe(maker.parse_address(f"tcp:{host.address}:{PORT}"), load("irb120"))) == ["found", "ready"]


def test_key_motors_and_stops(host: AbbHost) -> None:
    panel = host.brain.panel
    panel.set_mode("MANR")
    assert look(host) == ["found", "manual", "motors off"]
    panel.set_mode("AUTO")
    panel.set_emergency(pressed=True)
    (_, stop) = probe_abb(host.address, PORT)
    assert (stop.code, stop.value, stop.fine, stop.hopeless) == ("safety", "emergencystop", False, False)
    panel.set_emergency(pressed=False)
    assert look(host) == ["found", "motors off"]
    panel.set_motors(on=True)
    assert look(host) == ["found", "ready"]


def test_another_client_and_programs_that_run(host: AbbHost) -> None:
    host.rws.mastership.request("somebody", "rapid")
    (_, owner) = probe_abb(host.address, PORT)
    assert (owner.code, owner.value) == ("another owner", "rapid")
    host.rws.mastership.release("somebody", "rapid")
    host.brain.program.load("T_ROB1", "MODULE m\nPROC main()\nWaitTime 1E6;\nENDPROC\nENDMODULE", "m.mod", replace=True)
    host.brain.start("once")
    assert look(host) == ["found", "running"]
    host.brain.program.stop()
    assert look(host) == ["found", "ready"]


def test_another_robot(host: AbbHost) -> None:
    found = probe_abb(host.address, PORT, model="YuMi", arms=2)
    assert codes(found) == ["found", "other model", "no option 604-1"]
    assert "ROB_L, ROB_R" in found[1].message
    assert found[1].hopeless


@pytest.mark.parametrize(
    ("without", "expected", "hopeless"),
    [
        ("689-1", ["found", "no option 689-1"], False),
        ("616-1,623-1", ["found", "no task", "no option 616-1", "no option 623-1"], True),
    ],
)
def test_missing_options(without: str, expected: list[str], hopeless: bool) -> None:
    with running(AbbStart(bind=HERE.format(82), rws=PORT, without=without)) as host:
        found = probe_abb(host.address, PORT)
    assert codes(found) == expected
    assert any(one.hopeless for one in found) == hopeless


def test_a_name_that_nobody_has() -> None:
    (one,) = probe_abb("no-such-robot.invalid")
    assert (one.code, one.hopeless) == ("unknown name", True)


def test_a_machine_without_a_controller() -> None:
    (one,) = probe_abb(HERE.format(83))
    assert (one.code, one.hopeless) == ("refused", True)


class Elsewhere(BaseHTTPRequestHandler):
    """A web server that is no robot."""

    status = 200
    body = b"<html>hello</html>"

    def do_GET(self) -> None:
        self.send_response(self.status)
        if self.status == 401:
            self.send_header("WWW-Authenticate", 'Digest realm="x", nonce="1", qop="auth", algorithm=MD5')
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Closed(Elsewhere):
    """One that lets nobody in."""

    status = 401


@pytest.mark.parametrize(("kind", "code"), [(Elsewhere, "stranger"), (Closed, "no login")])
def test_other_web_servers(kind: type[Elsewhere], code: str) -> None:
    with HTTPServer((HERE.format(84), 0), kind) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        (one,) = probe_abb(HERE.format(84), server.server_port)
        server.shutdown()
        thread.join()
    assert (one.code, one.hopeless) == (code, True)


def test_one_that_talks_nonsense() -> None:
    with socket.create_server((HERE.format(85), 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.recv(1000)
                client.sendall(b"220 ready\r\n" * 3)

        thread = threading.Thread(target=serve)
        thread.start()
        (one,) = probe_abb(HERE.format(85), server.getsockname()[1], within_s=0.5)
        thread.join()
    assert one.code == "stranger"


def test_one_that_never_answers() -> None:
    with socket.create_server((HERE.format(86), 0)) as server:
        (one,) = probe_abb(HERE.format(86), server.getsockname()[1], within_s=0.2)
    assert one.code == "stranger"
