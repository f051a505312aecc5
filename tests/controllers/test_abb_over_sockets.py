"""The driver of ABB arms over real sockets, against a virtual controller in a process of its own."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from abb_pair import arms_of, moves, wave_from

from openpendant.controllers import SampledPath
from openpendant.controllers.abb import AbbDriver
from openpendant.virtual.launch import CONTROL_PORT, VirtualControl

ADDRESS = "127.0.12.60"
TICK_S = 0.004
PORTS = ((80,), (6520,), ())


class Process:
    """A controller, its control channel, and a driver that is called as a robot's loop does."""

    def __init__(self, folder: Path) -> None:
        self.rws_port, egm_port = free_port(socket.SOCK_STREAM, ADDRESS), free_port(socket.SOCK_DGRAM, "")
        script = Path(__file__).with_name("abb_process.py")
        command = [sys.executable, str(script), "irb120", ADDRESS, str(self.rws_port), str(egm_port), str(folder)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"
        self.control = VirtualControl(ADDRESS, CONTROL_PORT)
        self.driver = AbbDriver(ADDRESS, arms_of("irb120"), rws_port=self.rws_port, egm_port=egm_port)
        self.driver.connect()

    def close(self) -> None:
        self.driver.close()
        self.control.disconnect()
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(20.0)

    def until(self, there: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
        end, due = time.monotonic() + seconds, time.monotonic()
        while not there():
            assert time.monotonic() < end, f"no {what}: {self.driver.state}, {self.driver.events()[-5:]}"
            self.driver.poll(time.monotonic_ns())
            due = max(due + TICK_S, time.monotonic() - 0.05)
            time.sleep(max(0.0, due - time.monotonic()))

    def recover(self) -> None:
        self.control.fault("clear")
        state = lambda: self.driver.state  # noqa: E731
        self.until(lambda: state().can_move and not state().moving["arm"], "recovery")
        self.driver.events()

    @property
    def speed(self) -> float:
        return float(np.abs(self.driver.state.qd["arm"]).max())


def free_port(kind: int, address: str) -> int:
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    made = Process(tmp_path_factory.mktemp("controller"))
    yield made
    made.close()


def test_setpoints_paths_and_programs_go_over_the_wire(robot: Process):
    robot.recover()
    driver = robot.driver
    start = driver.state.q_target["arm"]
    rows = wave_from(start, 0.2, 1.0)
    driver.run(SampledPath("arm", rows))
    robot.until(lambda: driver.progress("arm").over, "the path")
    assert driver.progress("arm").finished, driver.progress("arm").ended
    assert driver.state.q["arm"] == pytest.approx(rows[-1], abs=5e-3)
    driver.run(moves("back", "    MoveAbsJ [[0,10,20,0,60,0],[9E9,9E9,9E9,9E9,9E9,9E9]], v500, fine, tool0;\n"))
    robot.until(lambda: driver.progress("arm").over, "the program")
    assert driver.progress("arm").finished, driver.progress("arm").ended
    robot.until(lambda: driver.state.can_move, "control")
    assert driver.state.q["arm"] == pytest.approx(start, abs=5e-3)


def round_of_chaos(robot: Process, seed: int) -> None:
    robot.recover()
    driver, random = robot.driver, np.random.default_rng(seed)
    body = "".join(
        f"      MoveAbsJ [[{degrees},10,20,0,60,0],[9E9,9E9,9E9,9E9,9E9,9E9]], v500, fine, tool0;\n"
        for degrees in (40, 0)
    )
    driver.run(moves("swing", f"    WHILE TRUE DO\n{body}    ENDWHILE\n"))
    robot.until(lambda: robot.speed > 0.3, "motion")
    ports = [robot.rws_port if port == 80 else port for port in PORTS[seed % len(PORTS)]]
    kind, seconds = "drop" if random.random() < 0.5 else "silence", float(random.uniform(0.1, 1.0))
    robot.control.fault(kind, ports=ports, seconds=seconds)
    driver.stop()
    robot.until(lambda: driver.progress("arm").over and robot.speed < 0.01, "rest")
    robot.recover()
    rest = np.array(driver.state.q["arm"])
    end = time.monotonic() + 0.5
    robot.until(lambda: time.monotonic() > end, "half a second")
    assert float(np.abs(driver.state.q["arm"] - rest).max()) < 2e-3


@pytest.mark.parametrize("seed", range(4))
def test_chaos_with_a_real_process(robot: Process, seed: int):
    round_of_chaos(robot, seed)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_two_hundred_rounds_with_a_real_process(robot: Process):
    for seed in range(200):
        round_of_chaos(robot, seed)
