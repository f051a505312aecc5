"""A server that hangs stops its robots: seen from the virtual controller, which nobody here disturbs."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import httpx
import numpy as np
import pytest
from benchmarks.studio_load import Served

import openpendant as op
from openpendant.client import ClientProject
from openpendant.programs import MoveAxis, Program, Repeat
from openpendant.scene import Add
from openpendant.virtual.launch import VirtualControl
from processes import children_of, commands_of
from unsafe import promise

pytestmark = [pytest.mark.live, pytest.mark.timeout(240)]
REST_WITHIN_S = 1.2
STOP_WITHIN_S = 0.7
"""Less than the time after which robots would stop by themselves."""
HANGS_S = 4.0
SERVER = """
import signal, sys, time
signal.signal(signal.SIGUSR1, lambda *_: time.sleep(4.0))

def hold_interpreter(*_):
    began = time.monotonic()
    while time.monotonic() < began + 4.0:
        sum(range(10_000_000))

signal.signal(signal.SIGUSR2, hold_interpreter)
sys.argv = ["openpendant", "serve", "--json", "--no-open", "--port", "0"]
from openpendant.cli import main
main()
"""
"""SIGUSR1 blocks the event loop; SIGUSR2 holds the interpreter too, a tenth of a second at a time."""


@dataclass
class Swinging:
    """A server whose virtual UR3e swings to and fro for ever."""

    served: Served
    project: ClientProject
    control: VirtualControl

    def speed(self) -> float:
        return float(np.abs(np.array(self.control.read("actual_qd")["actual_qd"])).max())

    def swing(self) -> None:
        """Run, and wait until the arm is fast."""
        self.project.robots.run("swing")
        end = time.monotonic() + 30.0
        while self.speed() < 0.6:
            assert time.monotonic() < end, self.project.robots.run_status

    def rest_s(self, within_s: float) -> float:
        """Return after how many seconds of its controller's clock the arm rests, and has rested for half a second."""
        began_s, last_s = self.seen()[0], 0.0
        until = time.monotonic() + within_s
        while time.monotonic() < until:
            at_s, speed = self.seen()
            if speed > 0.02:
                last_s = at_s - began_s
            elif at_s - began_s - last_s > 0.5:
                return last_s
            time.sleep(0.002)
        return last_s

    def seen(self) -> tuple[float, float]:
        """Return the controller's own time, seconds, and the speed of the fastest joint then, rad/s."""
        state = self.control.read("timestamp", "actual_qd")
        return float(state["timestamp"]), float(np.abs(np.array(state["actual_qd"])).max())


@pytest.fixture(scope="module")
def swinging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Swinging]:
    served = Served(tmp_path_factory.mktemp("home"), [sys.executable, "-c", SERVER])
    try:
        studio = op.connect(served.url, name="ann")
        with studio.open(studio.create("swing")) as project:
            project.edit_cell(Add(section="robots", item={"name": "ur3e", "model": "ur3e"}))
            ends = ((1.5, -1.57, 0.0, -1.57, 0.0, 0.0), (-1.5, -1.57, 0.0, -1.57, 0.0, 0.0))
            steps = tuple(MoveAxis(id=f"m{number}", q=q, speed="30%") for number, q in enumerate(ends))
            project.add_program(Program(name="swing", robot="ur3e", steps=(Repeat(id="s1", steps=steps),)))
            project.robots.start()
            project.robots.take_control("ur3e")
            # On a busy machine its virtual controller may still be starting.
            project.robots.wait_ready("ur3e")
            control = VirtualControl(project.robots.status("ur3e").address)
            yield Swinging(served, project, control)
            control.disconnect()
    finally:
        served.process.send_signal(signal.SIGCONT)
        served.close()


@pytest.mark.parametrize(
    "hang", [signal.SIGUSR1, signal.SIGUSR2, signal.SIGSTOP], ids=["loop blocked", "interpreter held", "stopped"]
)
def test_robots_rest_when_their_server_hangs(swinging: Swinging, hang: signal.Signals) -> None:
    swinging.swing()
    os.kill(swinging.served.process.pid, hang)
    promise((rest_s := swinging.rest_s(HANGS_S)) < REST_WITHIN_S, f"at rest after {rest_s:.2f} s")
    os.kill(swinging.served.process.pid, signal.SIGCONT)
    assert swinging.project.robots.wait_for_end(30.0).status != "done"


@pytest.mark.parametrize("hang", [0, signal.SIGUSR1, signal.SIGSTOP], ids=["idle", "loop blocked", "stopped"])
def test_a_stop_reaches_robots_whatever_their_server_does(swinging: Swinging, hang: int) -> None:
    swinging.swing()
    os.kill(swinging.served.process.pid, hang)
    began = time.monotonic()
    stopping = Thread(target=swinging.project.robots.stop)
    stopping.start()
    promise((rest_s := swinging.rest_s(HANGS_S)) < STOP_WITHIN_S, f"at rest after {rest_s:.2f} s")
    stopping.join(20.0)
    assert time.monotonic() - began < 20.0
    os.kill(swinging.served.process.pid, signal.SIGCONT)
    end = swinging.project.robots.wait_for_end(30.0)
    # A server that hung may see first that it has heard nothing for long.
    assert end.status == "stopped" or (hang and end.status == "failed"), end.message
    # A server that hung hears the stop late: when this one is answered, no other is on its way.
    swinging.project.robots.stop()


def test_a_stop_that_is_late_by_one_of_its_ways_spares_what_began_after_it(swinging: Swinging) -> None:
    service = next(
        pid
        for pid in children_of(swinging.served.process.pid)
        if b"openpendant.stop_service" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    os.kill(service, signal.SIGSTOP)
    try:
        assert all(one.reached for one in swinging.project.robots.stop())
        heard = swinging.project._stop_socket
        assert heard is not None
        before = max(heard.replies, default=0)
        swinging.project.robots.run("swing")
    finally:
        os.kill(service, signal.SIGCONT)
    end = time.monotonic() + 30.0
    while swinging.speed() < 0.6 or max(heard.replies, default=0) == before:
        assert time.monotonic() < end, swinging.project.robots.run_status
    status = swinging.project.robots.run_status
    assert status is not None
    assert status.status == "running", status
    swinging.project.robots.stop()


def test_the_server_hears_of_a_stop_that_came_by_the_stop_service_alone(swinging: Swinging) -> None:
    swinging.swing()
    url = swinging.project.stop_url.replace("ws", "http", 1)
    answer = httpx.post(url, timeout=30).json()
    assert [(one["robot"], one["reached"]) for one in answer["robots"]] == [("ur3e", True)]
    assert answer["robots"][0]["rest_ms"] < 1000.0 * STOP_WITHIN_S
    end = swinging.project.robots.wait_for_end(30.0)
    assert end.status == "stopped", end.message


def test_a_stop_that_does_not_reach_the_controller_is_not_called_reached(swinging: Swinging) -> None:
    swinging.swing()
    swinging.control.fault("silence", seconds=3.0)
    # Until the robot's process has noticed that nothing comes from its controller.
    end = time.monotonic() + 10.0
    while swinging.project.robots.status("ur3e").connected:
        assert time.monotonic() < end
        time.sleep(0.01)
    answer = httpx.post(swinging.project.stop_url.replace("ws", "http", 1), timeout=30).json()
    (told,) = answer["robots"]
    assert (told["robot"], told["reached"], told["rest_ms"]) == ("ur3e", False, None)
    assert "contact" in told["reason"]
    assert swinging.project.robots.wait_for_end(30.0).status in ("stopped", "failed")
    swinging.control.fault("clear")
    swinging.project.robots.wait_ready("ur3e")


def test_nothing_of_a_killed_server_stays(swinging: Swinging) -> None:
    """The last test of this server."""
    pid = swinging.served.process.pid
    children = children_of(pid)
    assert children
    os.kill(pid, signal.SIGKILL)
    swinging.served.process.wait()
    end = time.monotonic() + 20.0
    while left := commands_of(children):
        assert time.monotonic() < end, left
        time.sleep(0.05)
