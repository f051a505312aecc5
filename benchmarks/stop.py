"""STOP, measured on this machine: python -m benchmarks.stop [KIND ...]

From the moment a client sends STOP until the virtual UR3e is first sent a slower setpoint, and until all of its joints
rest, as the controller itself tells (asked about every millisecond). The arm swings at steady speed; the server is
idle, or busy with one of these (benchmarks.stop_load), whose rounds in the time of the measurement are counted:

    recording   a program of ten minutes is recorded, again and again
    import      a mesh of 80,000 triangles is cut into convex parts; another mesh each time, since parts are kept
    save        a project of 10,000 objects is edited and saved, again and again
    viewers     50 look on while somebody edits; one of them does not read, and its messages wait in the server
    messages    of 4 MB, one after the other, from a client on this machine, which may do everything: the harder case,
                since those who come over the network are held to a rate, and most of them to shorter messages
    hung        its event loop is blocked for five seconds
    stopped     the whole process is (SIGSTOP)

Goals: p99 at most 60 ms to the slower setpoint; at rest after at most 1.2 s. OPENPENDANT_STOPS sets how many stops
(100), and no kind takes longer than six minutes. Other work on the machine makes it worse: its load is printed, and
how much of the time the host of a virtual machine kept for itself. A run that such a pause has ended (a lease is
0.8 s) is started again, and counted. The exit code is 1 where a goal is missed.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.stop_load import KINDS, long_program
from benchmarks.studio_load import Served

import openpendant as op
from openpendant.client import ClientProject
from openpendant.programs import MoveAxis, Program, Repeat
from openpendant.scene import Add
from openpendant.virtual.launch import VirtualControl

GOAL_MS = 60.0
REST_GOAL_S = 1.2
AT_REST_RAD_S = 0.003
"""Speeds are read with noise of 0.0005 rad/s (standard deviation); six times that is no chance."""
ENDED = ("done", "stopped", "failed")
STOPS = int(os.environ.get("OPENPENDANT_STOPS", "100"))
LONGEST_S = 360.0
"""Of one kind."""
SWING = ((2.8, -1.57, 0.0, -1.57, 0.0, 0.0), (-2.8, -1.57, 0.0, -1.57, 0.0, 0.0))
SERVER = """
import signal, sys, time
signal.signal(signal.SIGUSR1, lambda *_: time.sleep(5.0))
sys.argv = ["openpendant", "serve", "--json", "--no-open", "--port", "0"]
from openpendant.cli import main
main()
"""


def main() -> None:
    """Measure, and print."""
    print(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        served = Served(Path(folder), [sys.executable, "-c", SERVER])
        try:
            missed = measure_all(served)
        finally:
            served.process.send_signal(signal.SIGCONT)
            served.close()
    if missed:
        sys.exit(1)


def measure_all(served: Served) -> list[str]:
    """Measure with an idle server, then with each kind of load; return what has missed its goal."""
    studio = op.connect(served.url, name="bench")
    name = studio.create("stop")
    wanted = sys.argv[1:] or ["idle", *KINDS, "hung", "stopped"]
    with studio.open(name) as project:
        project.edit_cell(Add(section="robots", item={"name": "ur3e", "model": "ur3e"}))
        steps = tuple(MoveAxis(id=f"m{number}", q=q, speed="20%") for number, q in enumerate(SWING))
        project.add_program(Program(name="swing", robot="ur3e", steps=(Repeat(id="s1", steps=steps),)))
        project.add_program(long_program("ur3e", (0.0, -1.57, 0.0, -1.57, 0.0, 0.0)))
        project.robots.start()
        project.robots.take_control("ur3e")
        # Its virtual controller may come later than the robot's own process.
        project.robots.wait_ready("ur3e")
        control = VirtualControl(project.robots.status("ur3e").address)
        missed = [kind for kind in wanted if not measure(kind, project, control, served)]
        control.disconnect()
        project.robots.end()
    met = len(wanted) - len(missed)
    print(f"STOP: {met} of {len(wanted)} met their goals" + (f"; MISS: {', '.join(missed)}" if missed else ""))
    return missed


def measure(kind: str, project: ClientProject, control: VirtualControl, served: Served) -> bool:
    """Measure with one kind of load, and print; return whether the goals were met."""
    restarts, stolen = Restarts(), stolen_s()
    stops: list[OneStop] = []
    with loaded(kind, served, project.id) as rounds:
        began = time.monotonic()
        # At least one round, however few stops are wanted: a load that does nothing is none.
        while time.monotonic() < began + LONGEST_S and (len(stops) < STOPS or (kind in KINDS and not rounds.count)):
            stops.append(stop_once(project, control, kind, served, restarts))
        done = rounds.count
    stolen = (stolen_s() - stolen) / (time.monotonic() - began) / (os.cpu_count() or 1)
    slower_ms = np.array([one.slower_s for one in stops]) * 1e3
    rest_s = max(one.rest_s for one in stops)
    p50, p99 = np.percentile(slower_ms, [50, 99])
    good = bool(p99 <= GOAL_MS and rest_s <= REST_GOAL_S and (done or kind not in KINDS))
    work = f", {done} rounds of it" if kind in KINDS else ""
    print(
        f"{kind:10s} p50 {p50:5.1f} ms, p99 {p99:5.1f} ms, worst {slower_ms.max():5.1f} ms of {len(stops)}; "
        f"at rest after at most {rest_s:.2f} s  {'ok' if good else 'MISS'}  "
        f"(load {os.getloadavg()[0]:.1f}, stolen {stolen:.1%}, started again {restarts.count}{work})",
        flush=True,
    )
    return good


@contextmanager
def loaded(kind: str, served: Served, project: str) -> "Iterator[Rounds]":
    """Keep the server busy for the time of the block; yields how many rounds of the load were done since it began."""
    rounds = Rounds()
    if kind not in KINDS:
        yield rounds
        return
    command = [sys.executable, "-m", "benchmarks.stop_load", served.url, project, kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as beside:
        try:
            assert beside.stdout is not None
            assert beside.stdout.readline() == "begun\n"
            counting = threading.Thread(target=rounds.count_in, args=(beside.stdout,))
            counting.start()
            yield rounds
            assert beside.poll() is None, f"the load of {kind} has ended by itself"
        finally:
            beside.kill()
    counting.join()


@dataclass(frozen=True)
class OneStop:
    """From one STOP, seconds."""

    slower_s: float
    """Until the first slower setpoint."""
    rest_s: float
    """Until all joints rest."""


class Rounds:
    """How many rounds of a load were done."""

    count = 0

    def count_in(self, lines: Iterable[str]) -> None:
        """Count until there are no more."""
        for _ in lines:
            self.count += 1


class Restarts:
    """How many runs ended before they were stopped."""

    count = 0


def stolen_s() -> float:
    """Return the processor time that the host of this virtual machine has kept for itself, seconds since it started."""
    return int(Path("/proc/stat").read_text().split()[8]) / os.sysconf("SC_CLK_TCK")


def stop_once(
    project: ClientProject, control: VirtualControl, kind: str, served: Served, restarts: Restarts
) -> OneStop:
    """Stop the swing once."""
    project.robots.run("swing")
    while (steady := wait_steady(control, project)) is None:
        print(f"  {kind}: {project.robots.run_status}", flush=True)
        restarts.count += 1
        project.robots.run("swing")
    time.sleep(random.uniform(0.0, 0.2))
    if kind in ("hung", "stopped"):
        os.kill(served.process.pid, signal.SIGUSR1 if kind == "hung" else signal.SIGSTOP)
        time.sleep(0.05)
    stopping = threading.Thread(target=project.robots.stop)
    began = time.monotonic()
    stopping.start()
    while speed(control) > 0.99 * steady:
        assert time.monotonic() < began + 10.0, "nothing slows down"
    slower_s = time.monotonic() - began
    while (fastest := float(np.abs(control.read("actual_qd")["actual_qd"]).max())) > AT_REST_RAD_S:
        assert time.monotonic() < began + 10.0, f"it still moves at {fastest:.3f} rad/s"
    rest_s = time.monotonic() - began
    if kind == "stopped":
        os.kill(served.process.pid, signal.SIGCONT)
    stopping.join()
    if kind == "hung":
        time.sleep(5.0)  # the stop service has answered; the server's own STOP, which voids what is asked before, comes
    project.robots.wait_for_end(60.0)
    return OneStop(slower_s, rest_s)


def speed(control: VirtualControl) -> float:
    """Return the speed that the controller wants of the first joint, rad/s."""
    return abs(float(control.read("target_qd")["target_qd"][0]))


def wait_steady(control: VirtualControl, project: ClientProject) -> float | None:
    """Wait until the arm swings at steady speed, far from the ends; return that speed, or None where the run ended."""
    end, since, last = time.monotonic() + 60.0, time.monotonic(), 0.0
    while time.monotonic() < end:
        time.sleep(0.005)
        values = control.read("target_qd", "target_q")
        now, at = abs(float(values["target_qd"][0])), float(values["target_q"][0])
        if abs(now - last) > 1e-3 or now < 0.1 or abs(at) > 2.0:
            since, last = time.monotonic(), now
        if time.monotonic() - since > 0.3 and abs(at) < 1.5:
            return now
        started = time.monotonic() > end - 55.0
        if started and (run := project.robots.run_status) is not None and run.status in ENDED:
            return None
    raise AssertionError(f"the arm does not swing: {project.robots.run_status}")


if __name__ == "__main__":
    main()
