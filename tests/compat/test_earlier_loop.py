"""The earlier system over the wire: its program on the virtual UR3e, its velocity loop in Python, its watchdog.

A program reads joint speeds from registers and hands them to speedj; a client closes the loop over RTDE.
"""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from openpendant.protocols.rtde import ClientSession, InputsAgreed, OutputsAgreed, ProtocolReplied, StateReceived
from openpendant.virtual.launch import VirtualHandle, start_virtual

TREE = """BeforeStart:
  tmp := [0, 0, 0, 0, 0, 0]
  write_output_integer_register(0, 0)
  rtde_set_watchdog("input_int_register_0", {frequency}, "{action}")
  popup("Start python connection, then press continue", title="Hello", blocking=True)
RobotProgram:
  movej([0, -1.6, 0, -1.6, 0, 0])
  write_output_integer_register(0, 1)
  sync()
  Loop:
    speedj(tmp, 1.5, 0.008)
Thread_1:
  Loop:
    tmp[0] = read_input_float_register(0)
    tmp[1] = read_input_float_register(1)
    tmp[2] = read_input_float_register(2)
    tmp[3] = read_input_float_register(3)
    tmp[4] = read_input_float_register(4)
    tmp[5] = read_input_float_register(5)
    sync()
"""
OUTPUTS = ("runtime_state", "actual_q", "actual_TCP_pose", "output_int_register_0")
SPEEDS = tuple(f"input_double_register_{index}" for index in range(6))
STOPPED, PLAYING, PAUSED = 1, 2, 4
GAIN, EXPONENT, REACHED_RAD = 3.0, 0.6, 0.01
PATIENCE_S = 60.0
SILENCE_S = 1.5
"""The watchdog waits for 1 s."""
BASE_RAD, SHOULDER_RAD = np.radians(60.0), np.radians(-30.0)
"""So far the moves go; how far is nothing to the loop and its watchdog."""


class Loop:
    """A client of RTDE that closes the loop: one state in, one row of speeds out."""

    def __init__(self, address: str) -> None:
        self._socket = socket.create_connection((address, 30004), timeout=PATIENCE_S)
        self._session = ClientSession()
        self._session.request_protocol(2)
        self._wait(ProtocolReplied)
        self._session.set_up_outputs(OUTPUTS, 125.0)
        self._wait(OutputsAgreed)
        self._session.set_up_inputs(SPEEDS)
        self._speeds = self._wait(InputsAgreed).recipe
        self._session.set_up_inputs(("input_int_register_0",))
        self._watchdog = self._wait(InputsAgreed).recipe
        self._session.start()
        self.state = {}
        self.receive()

    def _wait(self, kind):
        while True:
            self._socket.sendall(self._session.take_outbox())
            for event in self._session.feed(self._socket.recv(1 << 16)):
                if isinstance(event, kind):
                    return event

    def receive(self) -> None:
        event = self._wait(StateReceived)
        self.state = dict(zip(OUTPUTS, event.recipe.group(event.flat), strict=True))

    def send(self, speeds, *, watchdog: bool = True) -> None:
        self._session.write(self._speeds, [float(value) for value in speeds])
        if watchdog:
            self._session.write(self._watchdog, [0])
        self._socket.sendall(self._session.take_outbox())

    def until(self, condition, what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not condition(self.state):
            assert time.monotonic() < end, f"{what} did not happen within {PATIENCE_S} s"
            self.receive()

    def go(self, angles: np.ndarray) -> None:
        end = time.monotonic() + PATIENCE_S
        while True:
            self.receive()
            left = angles - np.array(self.state["actual_q"])
            if np.abs(left).max() < REACHED_RAD:
                self.send([0.0] * 6)
                return
            assert time.monotonic() < end, f"{left} rad are left"
            self.send(np.clip(GAIN * np.sign(left) * np.abs(left / np.pi) ** EXPONENT, -2.0, 2.0))

    def close(self) -> None:
        self._socket.close()


def start(tmp_path: Path, address: str, frequency: int, action: str) -> VirtualHandle:
    path = tmp_path / "loop.txt"
    path.write_text(TREE.format(frequency=frequency, action=action))
    robot = start_virtual("ur3e", address, program=path)
    robot.press("play")
    end = time.monotonic() + PATIENCE_S
    while robot.state()["popup"] is None:
        assert time.monotonic() < end, "the window did not open"
    return robot


@pytest.fixture(params=[("IGNORE", 1), ("PAUSE", 2), ("STOP", 3)], ids=lambda one: one[0])
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Loop]]:
    action, number = request.param
    with start(tmp_path, f"127.0.14.{20 + number}", 1, action) as robot:
        loop = Loop(f"127.0.14.{20 + number}")
        try:
            loop.send([0.0] * 6)
            assert loop.state["output_int_register_0"] == 0
            robot.press("continue")
            end = time.monotonic() + PATIENCE_S
            while loop.state["output_int_register_0"] != 1:
                assert time.monotonic() < end, "control was not handed over"
                loop.receive()
                loop.send([0.0] * 6)
            yield action, loop
        finally:
            loop.close()


def test_twelve_moves_and_a_silence_in_their_middle(running: tuple[str, Loop]) -> None:
    action, loop = running
    moves = 12 if action == "IGNORE" else 4
    for index in range(moves):
        base = BASE_RAD * (index if index < 6 else 11 - index) / 5.0
        shoulder = np.radians(-90.0) + SHOULDER_RAD * (index % 4) / 3.0
        if index == moves // 2:
            # Nothing is sent for longer than the watchdog waits: it acts as it is named.
            end = time.monotonic() + SILENCE_S
            while time.monotonic() < end:
                loop.receive()
            if action != "IGNORE":
                expected = PAUSED if action == "PAUSE" else STOPPED
                loop.until(lambda state, expected=expected: state["runtime_state"] == expected, action)
                return
            assert loop.state["runtime_state"] == PLAYING
        loop.go(np.array([base, shoulder, 0.0, -1.6, 0.0, 0.0]))
        assert len(loop.state["actual_TCP_pose"]) == 6
    assert loop.state["runtime_state"] == PLAYING
