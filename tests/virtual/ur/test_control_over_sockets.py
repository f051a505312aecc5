"""A control program and its client over the network, as on a real arm: sockets and processes, 500 Hz by RTDE."""

import socket
import struct
from collections.abc import Iterator

import numpy as np
import pytest
from control_client import (
    DONE,
    FORWARD,
    POINTS,
    PROGRAM,
    SCALE,
    SERVO,
    SPLINE,
    START,
    STREAM,
    encode_point,
    encode_stream,
)
from ur_brain import READY, Array
from ur_talk import RtdeTalk, Talk

from openpendant.virtual.launch import VirtualHandle, start_virtual
from openpendant.virtual.ur import RuntimeState, SafetyMode

ADDRESS = "127.0.10.23"
COMMANDS = 50004
PATIENCE_S = 20.0
CYCLES = 1500
OUTPUTS = ("target_q", "target_qd", "runtime_state", "safety_mode", "output_int_register_20")
START_Q, END_Q = np.array(READY), np.add(READY, [0.3, -0.1, 0.1, 0.0, 0.1, 0.2])


class ControlOverSockets:
    """The client's side: three listening sockets, and one message for each state that comes."""

    def __init__(self, robot: VirtualHandle) -> None:
        self._robot = robot
        self._servers = {port: socket.create_server(("127.0.0.1", 0)) for port in (POINTS, COMMANDS, STREAM)}
        self._links: dict[int, socket.socket] = {}
        self._rtde = RtdeTalk(robot.address)
        self._rtde.outputs(OUTPUTS)
        assert self._rtde.start()
        self.q = self.qd = np.zeros(6)
        self.playing = self.normal = False
        self.guessed = 0
        self.look()

    def upload(self) -> None:
        """Send the program over the primary port, and be connected to by it."""
        for one in self._links.values():
            one.close()
        text = PROGRAM.read_text().replace("OPTIMIZED", "")
        for port, server in self._servers.items():
            text = text.replace(f'"127.0.0.1", {port}', f'"127.0.0.1", {server.getsockname()[1]}')
        self.command(text)
        for port, server in self._servers.items():
            server.settimeout(PATIENCE_S)
            self._links[port], _ = server.accept()
            self._links[port].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._links[port].settimeout(PATIENCE_S)

    def command(self, text: str) -> None:
        with Talk(self._robot.address, 30001) as primary:
            primary.send(text.encode() + b"\n")
            primary.some()

    def look(self) -> None:
        """Wait for the state of the next cycle."""
        values = self._rtde.state()
        self.q, self.qd = np.array(values[:6]), np.array(values[6:12])
        self.playing = values[12] == RuntimeState.PLAYING
        self.normal = values[13] == SafetyMode.NORMAL
        self.guessed = int(values[14])

    def until(self, what: str) -> None:
        for _ in range(10_000):
            if {"stopped": not self.playing, "stop": not self.normal, "normal": self.normal}[what]:
                return
            self.look()
        raise AssertionError(f"no {what}")

    def servo(self, q: Array, timeout_ms: int = 500) -> None:
        self._links[STREAM].sendall(encode_stream(SERVO, [round(one * SCALE) for one in q], timeout_ms))
        self.look()

    def swing(self) -> None:
        """Stream from one end to the other, and hold it there."""
        here = np.array(self.q)
        goal = END_Q if np.abs(here - START_Q).max() < np.abs(here - END_Q).max() else START_Q
        x = np.linspace(0.0, 1.0, CYCLES)
        for share in x * x * (3.0 - 2.0 * x):
            self.servo(here + share * (goal - here))
        for _ in range(CYCLES):
            self.servo(goal)
            if np.abs(self.qd).max() == 0.0:
                break
        assert self.q == pytest.approx(goal, abs=1e-3)

    def forward(self, *splines: tuple[Array, Array, float]) -> int:
        """Forward splines (joints, velocities, seconds) and stay alive until they have ended; return how."""
        self._links[STREAM].sendall(encode_stream(FORWARD, [START, len(splines)], 500))
        for q, qd, time_s in splines:
            self._links[POINTS].sendall(encode_point(SPLINE, q, qd, np.zeros(6), time_s))
        self._links[POINTS].settimeout(0.0)
        for count in range(10_000):
            if count % 10 == 0:
                self._links[STREAM].sendall(encode_stream(FORWARD, [0, 0], 500))
            self.look()
            try:
                (ended,) = struct.unpack(">i", self._links[POINTS].recv(4))
            except BlockingIOError:
                continue
            return int(ended)
        raise AssertionError("the trajectory has no end")

    def cut_off(self) -> bool:
        """Return whether the program has closed its end."""
        self._links[STREAM].settimeout(PATIENCE_S)
        return self._links[STREAM].recv(1) == b""

    def close(self) -> None:
        self._rtde.close()
        for one in (*self._servers.values(), *self._links.values()):
            one.close()


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", ADDRESS, start_q=READY) as robot:
        yield robot


@pytest.fixture
def client(robot: VirtualHandle) -> Iterator[ControlOverSockets]:
    client = ControlOverSockets(robot)
    client.upload()
    yield client
    client.command("stop program")
    client.until("stopped")
    client.close()


def test_setpoints_are_streamed(client: ControlOverSockets):
    before = client.guessed
    client.swing()
    assert client.normal
    assert client.playing
    assert client.guessed - before < 0.5 * CYCLES, "most come in time, on whatever machine"


def test_a_trajectory_of_splines_is_forwarded(client: ControlOverSockets):
    here = np.array(client.q)
    goal = START_Q if np.abs(here - END_Q).max() < 0.01 else END_Q
    knots = np.linspace(0.0, 1.0, 11)[1:]
    # A half wave: at rest at both ends.
    shares, rates = 0.5 - 0.5 * np.cos(np.pi * knots), 0.5 * np.pi * np.sin(np.pi * knots) / 2.0
    splines = [(here + s * (goal - here), r * (goal - here), 0.2) for s, r in zip(shares, rates, strict=True)]
    assert client.forward(*splines) == DONE
    assert client.q == pytest.approx(goal, abs=2e-3)
    assert client.normal
    assert client.playing


def test_a_silent_client_ends_the_program(client: ControlOverSockets):
    for n in range(200):
        client.servo(client.q + np.array([0.001, 0, 0, 0, 0, 0]) * min(1.0, n / 100), timeout_ms=100)
    client.until("stopped")
    assert np.abs(client.qd).max() == 0.0
    assert client.cut_off()


def test_the_program_is_told_to_stop(client: ControlOverSockets):
    client.servo(client.q)
    client.command("stop program")
    client.until("stopped")
    assert client.cut_off()
    assert client.normal


def test_it_recovers_from_a_protective_stop(client: ControlOverSockets, robot: VirtualHandle):
    for _ in range(100):
        client.servo(client.q)
    robot.control("protective_stop")
    client.until("stop")
    client.command("set unlock protective stop")
    client.until("normal")
    client.command("stop program")
    client.until("stopped")
    client.upload()
    client.swing()
    assert client.normal
