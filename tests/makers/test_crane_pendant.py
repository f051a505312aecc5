"""A crane's pendant: mains, faults, log, windows and terminal are those of every virtual controller."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from openpendant.virtual import Fault
from openpendant.virtual.launch import CONTROL_PORT, PANEL_PORT

HERE = "127.0.21.30"
START = (0.0, 0.4)


class Person:
    """Somebody at the control channel of a crane that is ticked by hand."""

    def __init__(self) -> None:
        from toy_crane.host import CraneHost

        self.host = CraneHost(HERE, START)
        self._socket = socket.create_connection((HERE, CONTROL_PORT))
        self._socket.settimeout(0.0)

    def close(self) -> None:
        self._socket.close()
        self.host.close()

    def ask(self, do: str, **values: object) -> dict[str, Any]:
        self._socket.sendall(json.dumps({"do": do, **values}).encode() + b"\n")
        return json.loads(self._read())

    def state(self) -> dict[str, Any]:
        return self.ask("state")["state"]

    def step(self, ticks: int) -> None:
        for _ in range(ticks):
            self.host.step()

    def get(self, path: str) -> tuple[bytes, bytes]:
        with socket.create_connection((HERE, PANEL_PORT)) as browser:
            browser.sendall(f"GET {path} HTTP/1.1\r\nHost: {HERE}:{PANEL_PORT}\r\n\r\n".encode())
            browser.settimeout(0.0)
            came = b""
            while b"\r\n\r\n" not in came:
                self.host.step()
                try:
                    came += browser.recv(1 << 16)
                except BlockingIOError:
                    continue
        head, _, body = came.partition(b"\r\n\r\n")
        return head, body

    def _read(self) -> bytes:
        came = b""
        while not came.endswith(b"\n"):
            self.host.step()
            try:
                came += self._socket.recv(1 << 16)
            except BlockingIOError:
                continue
        return came


@pytest.fixture
def person() -> Iterator[Person]:
    made = Person()
    yield made
    made.close()


def test_buttons_say_why_they_cannot_be_pressed(person: Person) -> None:
    assert person.ask("press", button="motors_on")["why"] == "motors_on cannot be pressed: The motors are on."
    assert person.ask("press", button="motors_off")["ok"]
    assert person.state()["robot_mode"] == "off"
    assert person.state()["buttons"]["motors_on"] is None
    known = "switch_on, motors_on, motors_off, turn_key, halt, answer"
    assert person.ask("press", button="play")["why"] == f"no button named 'play'; known: {known}"
    assert "not an order" in person.ask("script", text="x")["why"]


def test_a_line_at_the_terminal_moves_it(person: Person) -> None:
    assert person.ask("type", text="go 0.5 0.6 0.5")["ok"]
    person.step(5)
    assert person.state()["program_state"] == "PLAYING"
    assert person.ask("type", text="wait 1")["ok"]
    person.step(600)
    (arm,) = person.state()["arms"]
    assert np.allclose([joint["actual"] for joint in arm["joints"]], [0.5, 0.6], atol=1e-9)
    assert person.ask("type", text="fly")["ok"]
    told = person.state()["terminal"]
    assert told[:4] == ["> go 0.5 0.6 0.5", "ok", "> wait 1", "? a program is running"]
    assert told[4:] == ["> fly", "? line 1: 'fly' is no command"]


def test_a_window_waits_for_an_answer(person: Person) -> None:
    person.ask("type", text="say is the yard free?")
    person.step(5)
    assert person.state()["popup"]["text"] == "is the yard free?"
    assert person.ask("press", button="answer")["ok"]
    person.step(5)
    assert (person.state()["popup"], person.state()["program_state"]) == (None, "STOPPED")


def test_mains_and_boot(person: Person) -> None:
    person.ask("type", text="go 1.0 0.4 1.0")
    person.step(1000)
    assert person.ask("fault", kind="power_off")["ok"]
    assert person.state()["mains"] == "off"
    assert person.ask("press", button="motors_off")["why"] == "the controller is switched off"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((HERE, 7700))
    assert person.ask("press", button="switch_on")["ok"]
    assert person.state()["mains"] == "booting"
    person.step(260)
    shown = person.state()
    assert shown["mains"] == "on"
    assert [joint["actual"] for joint in shown["arms"][0]["joints"]] == list(START), "it comes up where it started"
    assert [row["text"] for row in shown["messages"]] == ["fault: power_off", "fault: power_on"]
    assert [row["number"] for row in shown["messages"]] == [1, 2]
    socket.create_connection((HERE, 7700)).close()


def test_a_frozen_crane_stands_still(person: Person) -> None:
    ticks = person.host.brain.tick_count
    person.host.cause(Fault("freeze", seconds=1.0))
    person.step(200)
    assert person.host.brain.tick_count == ticks
    person.step(100)
    assert person.host.brain.tick_count > ticks


def test_its_page_is_put_together_from_what_it_has(person: Person) -> None:
    head, body = person.get("/layout")
    assert head.startswith(b"HTTP/1.1 200")
    layout = json.loads(body)
    names = ["switch_on", "motors_on", "motors_off", "turn_key", "halt", "answer"]
    assert [one["name"] for one in layout["buttons"]] == names
    assert layout["terminal"].startswith("Terminal")
    assert (layout["stop"], layout["programs"], layout["speed"], layout["by_hand"]) == (None, None, False, False)
    assert set(person.state()["buttons"]) == {one["name"] for one in layout["buttons"]}
    head, body = person.get("/")
    assert b"200" in head
    assert b"panel.js" in body
