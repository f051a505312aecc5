"""Virtual UR3e controllers, measured on this machine: python -m benchmarks.virtual

    ready     from starting the process to the first RTDE data package; the least of some starts
    robots    so many controllers at 500 Hz, each with ur_rtde's control script running and its arm on servoJ of its
              own script; what one client of all of them sees: how far the time between two packages is from 2 ms
    late      how late the controller itself began its ticks, p99
    CPU       of one controller, in percent of a core
    servo     from ur_rtde's servoJ to the first package with another target_q

Goals: ready 1.5 s; 4 robots with a period error of p99 under 2 ms; servo p99 under 8 ms. Other work on the machine
makes all of them worse: the busy share of its cores is printed.
"""

import os
import selectors
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from rtde_control import RTDEControlInterface

from openpendant.protocols.rtde import ClientSession, OutputsAgreed, ProtocolAnswered, StartAnswered, StateReceived
from openpendant.virtual.launch import VirtualHandle, start_virtual

GOAL_READY_S = 1.5
GOAL_ROBOTS, GOAL_PERIOD_MS = 4, 2.0
GOAL_SERVO_MS = 8.0
SECONDS = 8.0
HOME = [0.0, -1.6, 1.2, -1.2, -1.57, 0.0]
SERVO = (0.0, 0.0, 0.002, 0.03, 2000.0)
SEEN_RAD = 1e-5
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def main() -> None:
    print(__doc__)
    ready()
    for count in (1, 2, 4, 8):
        robots(count)
    servo()


def verdict(*, good: bool) -> str:
    return "ok" if good else "MISS"


class Watch:
    """An RTDE client that notes when packages come."""

    def __init__(self, address: str, names: Sequence[str]) -> None:
        self.socket = socket.create_connection((address, 30004), timeout=10.0)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.session = ClientSession()
        self.times: list[int] = []
        self.session.request_protocol(2)
        self._wait(ProtocolAnswered)
        self.session.set_up_outputs(names)
        self._wait(OutputsAgreed)
        self.session.start()
        self._wait(StartAnswered)

    def _wait(self, kind: type) -> None:
        self.socket.sendall(self.session.take_outbox())
        while not any(isinstance(event, kind) for event in self.session.feed(self.socket.recv(65536))):
            pass

    def read(self) -> list[tuple[float, ...]]:
        data = self.socket.recv(65536)
        now = time.perf_counter_ns()
        found = [event.flat for event in self.session.feed(data) if isinstance(event, StateReceived)]
        self.times += [now] * len(found)
        return found

    def next(self) -> list[tuple[float, ...]]:
        while not (found := self.read()):
            pass
        return found


def ready() -> None:
    took: list[float] = []
    for _ in range(5):
        began = time.perf_counter()
        with start_virtual("ur3e", "127.0.15.1") as robot:
            said = time.perf_counter() - began
            watch = Watch(robot.address, ["timestamp"])
            watch.next()
            took.append(time.perf_counter() - began)
            watch.socket.close()
    least = min(took)
    print(
        f"ready to first RTDE package: {least:.2f} s (median {np.median(took):.2f} s; ports open after {said:.2f} s), "
        f"goal {GOAL_READY_S} s  {verdict(good=least <= GOAL_READY_S)}"
    )


def robots(count: int) -> None:
    addresses = [f"127.0.15.{10 + i}" for i in range(count)]
    with ExitStack() as stack:
        handles = [stack.enter_context(start_virtual("ur3e", one, start_q=HOME)) for one in addresses]
        controls = [RTDEControlInterface(one) for one in addresses]
        watches = [Watch(one, ["timestamp", "actual_q", "target_q"]) for one in addresses]
        with selectors.DefaultSelector() as selector:
            for watch in watches:
                selector.register(watch.socket, selectors.EVENT_READ, watch)
            listen(selector, 1.0)
            for watch in watches:
                watch.times.clear()
            before, busy = [cpu_s(one) for one in handles], machine_busy_s()
            began = time.perf_counter()
            listen(selector, SECONDS)
            took = time.perf_counter() - began
        cpu = [(cpu_s(one) - was) / took * 100.0 for one, was in zip(handles, before, strict=True)]
        share = (machine_busy_s() - busy) / took / (os.cpu_count() or 1) * 100.0
        errors = np.concatenate([np.abs(np.diff(watch.times) / 1e6 - 2.0) for watch in watches])
        late = max(one.control("pace")["pace"]["late_p99_us"] for one in handles) / 1e3
        for control in controls:
            control.stopScript()
            control.disconnect()
        for watch in watches:
            watch.socket.close()
    p50, p99 = np.percentile(errors, (50, 99))
    mark = f"  goal {GOAL_PERIOD_MS} ms  {verdict(good=p99 < GOAL_PERIOD_MS)}" if count == GOAL_ROBOTS else ""
    print(
        f"{count} robot{'s' if count > 1 else ' '}: period error p50 {p50:.2f} ms, p99 {p99:.2f} ms, "
        f"late p99 {late:.2f} ms, "
        f"CPU {np.mean(cpu):.0f} % each, cores busy {share:.0f} %{mark}"
    )


def listen(selector: selectors.BaseSelector, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for key, _ in selector.select(0.1):
            key.data.read()


def servo() -> None:
    with start_virtual("ur3e", "127.0.15.40", start_q=HOME, noise=0.0) as robot:
        control = RTDEControlInterface(robot.address)
        watch = Watch(robot.address, ["target_q"])
        q, took = list(HOME), []
        rng = np.random.default_rng(1)
        for _ in range(200):
            before = settle(control, watch, q)
            time.sleep(float(rng.uniform(0.0, 0.004)))
            while selectable(watch.socket):
                before = (watch.read() or [before])[-1]
            q[5] += 0.01 if q[5] <= 0.0 else -0.01
            sent = time.perf_counter_ns()
            control.servoJ(q, *SERVO)
            while abs(watch.next()[-1][5] - before[5]) < SEEN_RAD:
                pass
            took.append((watch.times[-1] - sent) / 1e6)
        control.servoStop()
        control.stopScript()
        control.disconnect()
        watch.socket.close()
    p50, p99 = np.percentile(took, (50, 99))
    print(
        f"servo round trip: p50 {p50:.2f} ms, p99 {p99:.2f} ms, goal {GOAL_SERVO_MS} ms  "
        f"{verdict(good=p99 < GOAL_SERVO_MS)}"
    )


def settle(control: RTDEControlInterface, watch: Watch, q: list[float]) -> tuple[float, ...]:
    """Hold q until the target stands still; return it."""
    control.servoJ(q, *SERVO)
    before = watch.next()[-1]
    while abs((now := watch.next()[-1])[5] - before[5]) > SEEN_RAD / 100:
        before = now
    return now


def selectable(own: socket.socket) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(own, selectors.EVENT_READ)
        return bool(selector.select(0))


def cpu_s(robot: VirtualHandle) -> float:
    fields = Path(f"/proc/{robot.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def machine_busy_s() -> float:
    user, nice, system, _, _, irq, soft, *_ = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
    return (user + nice + system + irq + soft) / TICKS_PER_S


if __name__ == "__main__":
    sys.exit(main())
