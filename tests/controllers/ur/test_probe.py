"""What is said about an address before anybody connects to it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from openpendant.controllers import Probed
from openpendant.controllers.ur import probe_ur
from openpendant.protocols.dashboard import replies

HERE = "127.0.7.{}"
READY = {
    "get robot model": "UR3",
    "PolyscopeVersion": "URSoftware 5.12.0.1101319",
    "is in remote control": "true",
    "safetystatus": "Safetystatus: NORMAL",
    "robotmode": "Robotmode: RUNNING",
}


@contextmanager
def listening(address: str, greeting: str, answers: dict[str, str]) -> Iterator[None]:
    """Serve the dashboard port of an address, one client after the other."""
    with socket.create_server((address, 29999)) as server:

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client, client.makefile("rb") as lines:
                    client.sendall(greeting.encode() + b"\n")
                    for line in lines:
                        client.sendall(answers[line.decode().strip()].encode() + b"\n")

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        server.shutdown(socket.SHUT_RDWR)
    thread.join(5.0)


def codes(found: tuple[Probed, ...]) -> list[str]:
    return [one.code for one in found]


def test_a_name_that_nobody_has() -> None:
    (one,) = probe_ur("no-such-robot.invalid")
    assert one.code == "unknown name"
    assert not one.fine
    assert "no-such-robot.invalid" in one.message


def test_a_machine_without_a_controller() -> None:
    (one,) = probe_ur(HERE.format(1))
    assert one.code == "refused"
    assert HERE.format(1) in one.message


def test_something_else_on_the_port() -> None:
    with listening(HERE.format(2), "SSH-2.0-OpenSSH", {}):
        assert codes(probe_ur(HERE.format(2))) == ["stranger"]


def test_something_that_says_nothing() -> None:
    with socket.create_server((HERE.format(3), 29999)):
        assert codes(probe_ur(HERE.format(3), within_s=0.1)) == ["stranger"]


@pytest.mark.parametrize(
    ("said", "code", "words"),
    [
        ({"is in remote control": "false"}, "local control", "remote control"),
        ({"robotmode": "Robotmode: POWER_OFF"}, "no power", "POWER_OFF"),
        ({"robotmode": "Robotmode: IDLE"}, "brakes", "brakes"),
        ({"safetystatus": "Safetystatus: PROTECTIVE_STOP"}, "safety", "PROTECTIVE_STOP"),
        ({"get robot model": "UR10"}, "other model", "UR10"),
    ],
)
def test_a_robot_that_would_not_move_says_why(said: dict[str, str], code: str, words: str) -> None:
    with listening(HERE.format(4), replies.GREETING, {**READY, **said}):
        found = probe_ur(HERE.format(4), "ur3e")
    assert codes(found) == ["found", code, "no states"]
    assert words in found[1].message
    assert [one.fine for one in found] == [True, False, False]


def test_a_robot_that_tells_no_states() -> None:
    with listening(HERE.format(5), replies.GREETING, READY):
        found = probe_ur(HERE.format(5), "ur3e")
    assert codes(found) == ["found", "no states"]
    assert "30004" in found[1].message
