"""The control script of the client that most people use, run by the brain as it arrives, driven over registers."""

from collections.abc import Sequence

import numpy as np
import pytest
from control_script import control_script
from ur_brain import READY, Tracer, make_brain, tick, until

from openpendant.virtual.ur import RuntimeException, RuntimeState, UrController

MOVE_J, MOVE_L, SPEED_J, SERVO_J, SERVO_STOP, SPEED_STOP, FORWARD, INVERSE, STOP = 1, 3, 9, 11, 16, 15, 43, 46, 255


class Client:
    """Does over registers what the client does over RTDE."""

    def __init__(self, brain: UrController) -> None:
        self.brain = brain
        self.trace = Tracer(brain)
        doubles = [f"input_double_register_{n}" for n in range(12)]
        self._write = brain.compile_writer(["input_int_register_0", "input_int_register_1", *doubles])
        self._status = brain.compile_reader(["output_int_register_0"])

    def send(self, command: int, values: Sequence[float] = (), number: int = 0) -> None:
        self._write((command, number, *values, *(0.0,) * (12 - len(values))))

    def call(self, command: int, values: Sequence[float] = (), number: int = 0, most: int = 20_000) -> None:
        """Wait for ready, command, wait for done, and go back to ready."""
        self.trace.until(lambda: self._status() == (1,), 100)
        self.send(command, values, number)
        self.trace.until(lambda: self._status() == (2,), most)
        self.send(0)
        self.trace.until(lambda: self._status() == (1,), 100)

    def results(self) -> list[float]:
        return [self.brain.read(f"output_double_register_{n}") for n in range(6)]


@pytest.fixture
def client() -> Client:
    brain = make_brain()
    brain.run_script(control_script())
    until(brain, lambda: brain.read("output_int_register_0") == 1, 100)
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    return Client(brain)


def test_move_joints_and_lines(client: Client):
    goal = np.add(READY, [0.5, 0.1, -0.2, 0, 0, 0.3])
    client.call(MOVE_J, [*goal, 1.05, 1.4])
    assert client.brain.read("target_q") == pytest.approx(goal, abs=1e-9)
    pose = np.add(client.brain.read("target_TCP_pose"), [0, 0.03, 0.05, 0, 0, 0])
    client.call(MOVE_L, [*pose, 0.25, 1.2])
    assert client.brain.read("target_TCP_pose")[:3] == pytest.approx(pose[:3], abs=1e-7)


def test_a_move_without_waiting_can_be_replaced(client: Client):
    client.call(MOVE_J, [*np.add(READY, [2, 0, 0, 0, 0, 0]), 1.0, 1.4], number=1)
    client.trace.tick(500)
    assert client.brain.read("target_qd")[0] > 0.5
    client.call(MOVE_J, [*READY, 1.0, 1.4])
    assert client.brain.read("target_q") == pytest.approx(READY, abs=1e-9)


def test_servo_streaming_and_its_stop(client: Client):
    phases = np.arange(1500) * 0.002
    waves = 0.1 * np.sin(phases)[:, None] * np.ones(6)
    for wave in waves:
        client.send(SERVO_J, [*np.add(READY, wave), 0.0, 0.0, 0.002, 0.1, 300.0])
        client.trace.tick()
    late = np.add(READY, 0.1 * np.sin(phases[-1] - 0.11))
    assert client.brain.read("target_q") == pytest.approx(late, abs=0.003)
    client.send(0)
    client.call(SERVO_STOP, [10.0])
    client.trace.tick(100)
    assert np.abs(client.brain.read("target_qd")).max() == 0.0


def test_speed_streaming_and_its_stop(client: Client):
    client.send(SPEED_J, [0.3, 0, 0, 0, 0, 0, 1.0, 0.0])
    client.trace.tick(400)
    assert client.brain.read("target_qd")[0] == pytest.approx(0.3, abs=1e-6)
    client.send(0)
    client.call(SPEED_STOP, [5.0])
    client.trace.tick(50)
    assert np.abs(client.brain.read("target_qd")).max() == 0.0


def test_questions_are_answered_in_registers(client: Client):
    client.call(FORWARD)
    pose = client.results()
    assert pose[:3] == pytest.approx(client.brain.read("actual_TCP_pose")[:3], abs=1e-6)
    client.call(INVERSE, pose)
    assert client.results() == pytest.approx(READY, abs=1e-6)


def test_the_script_idles_for_a_minute_and_ends_when_told(client: Client):
    tick(client.brain, 30_000)
    assert client.brain.read("runtime_state") == RuntimeState.PLAYING
    client.send(STOP)
    until(client.brain, lambda: client.brain.read("runtime_state") == RuntimeState.STOPPED, 100)
    assert not [message for message in client.brain.messages() if isinstance(message, RuntimeException)]


def test_it_can_be_sent_again_and_again(client: Client):
    for _ in range(3):
        client.brain.run_script(control_script())
        tick(client.brain, 20)
        assert client.brain.read("output_int_register_0") == 1
    client.call(MOVE_J, [*np.add(READY, 0.05), 1.0, 1.4])
