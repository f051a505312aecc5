"""A web page in a browser of this machine can reach loopback: no port of a virtual controller listens to it."""

import socket
from collections.abc import Iterator

import pytest
from ur_brain import failure, make_brain, run

from openpendant.virtual.launch import CONTROL_PORT, PANEL_PORT
from openpendant.virtual.ur import RuntimeState
from openpendant.virtual.ur.host import DASHBOARD_PORT, PRIMARY_PORT, REALTIME_PORT, RTDE_PORT, SECONDARY_PORT, UrHost
from openpendant.virtual.wire import NetworkSockets

ADDRESS = "127.0.12.41"
SCRIPT = 'def evil():\n  set_standard_digital_out(0, True)\n  socket_open("192.0.2.1", 80)\nend\n'
BODIES = {
    CONTROL_PORT: '{"do": "press", "button": "emergency_stop"}\n',
    DASHBOARD_PORT: "power off\n",
    PRIMARY_PORT: SCRIPT,
    SECONDARY_PORT: SCRIPT,
    REALTIME_PORT: SCRIPT,
    RTDE_PORT: "V\x00\x05",
}


@pytest.fixture(scope="module")
def host() -> Iterator[UrHost]:
    made = UrHost(ADDRESS, lambda sockets: make_brain(sockets=sockets))
    yield made
    made.close()


def request(method: str, port: int, body: str) -> bytes:
    head = (
        f"{method} / HTTP/1.1\r\nHost: {ADDRESS}:{port}\r\nOrigin: http://evil.example\r\n"
        f"Content-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


def talk(host: UrHost, port: int, pieces: list[bytes]) -> bool:
    """Send pieces, a few ticks apart; return whether the controller has cut the connection."""
    with socket.create_connection((ADDRESS, port)) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(0.0)
        for piece in pieces:
            try:
                sock.send(piece)
            except OSError:
                return True
            for _ in range(3):
                host.step()
        for _ in range(50):
            host.step()
            try:
                if not sock.recv(1 << 16):
                    return True
            except BlockingIOError:
                pass
            except OSError:
                return True
    return False


@pytest.mark.parametrize("port", BODIES)
@pytest.mark.parametrize("method", ["POST", "GET", "PUT", "OPTIONS"])
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "byte by byte"])
def test_a_request_of_a_browser_is_cut_off_unheard(host: UrHost, port: int, method: str, whole: bool) -> None:
    data = request(method, port, BODIES[port])
    pieces = [data] if whole else [data[n : n + 1] for n in range(12)] + [data[12:]]
    assert talk(host, port, pieces)
    brain = host.brain
    assert not brain.emergency_stop_pressed
    assert brain.read("runtime_state") == RuntimeState.STOPPED
    assert brain.read("actual_digital_output_bits") == 0
    assert brain.read("robot_mode") == 7


@pytest.mark.parametrize(("port", "line"), [(PRIMARY_PORT, b"PI = 3\n"), (DASHBOARD_PORT, b"PolyscopeVersion\n")])
def test_what_only_begins_alike_is_heard(host: UrHost, port: int, line: bytes) -> None:
    assert not talk(host, port, [line[:1], line[1:]])


def test_the_pendant_still_speaks_to_browsers(host: UrHost) -> None:
    with socket.create_connection((ADDRESS, PANEL_PORT)) as sock:
        sock.sendall(f"GET / HTTP/1.1\r\nHost: {ADDRESS}:{PANEL_PORT}\r\n\r\n".encode())
        for _ in range(10):
            host.step()
        assert sock.recv(1 << 16).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("where", ["192.0.2.1", "example.com", "0.0.0.0", "10.0.0.7"])
def test_programs_connect_to_loopback_only(where: str) -> None:
    words = failure(make_brain(sockets=NetworkSockets()), f'socket_open("{where}", 9)')
    assert f"socket_open to {where}" in words
    assert "--network" in words


def test_programs_connect_elsewhere_where_that_is_allowed() -> None:
    # Nobody answers there: documentation addresses are never routed.
    run(make_brain(sockets=NetworkSockets(loopback_only=False)), 'socket_open("192.0.2.1", 9)')
