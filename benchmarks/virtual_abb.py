"""Virtual ABB controllers, measured on this machine: python -m benchmarks.virtual_abb

    ready       from starting the process to the first answer of Robot Web Services; the least of some starts
    EGM         so many controllers (one of them a YuMi, whose two arms are guided) with guided motion at 250 Hz; what
                one client of all of them sees: how far the time between two messages of an arm is from 4 ms
    late        how late the controllers themselves began their ticks, p99
    CPU         of one controller, in percent of a core
    round trip  from a setpoint of the client to the first message with another planned joint

Goals: ready 1.5 s; 4 robots with a period error of p99 under 2 ms; round trip p99 under 12 ms. Other work on the
machine makes all of them worse: the busy share of its cores is printed. Statements of RAPID: benchmarks.rapid.
"""

import os
import selectors
import socket
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from benchmarks.virtual import cpu_s, machine_busy_s, selectable, verdict

from openpendant.protocols.egm import (
    EgmHeader,
    EgmMessageType,
    EgmPlanned,
    EgmRobot,
    EgmSensor,
    decode_robot,
    encode_message,
)
from openpendant.virtual.launch import VirtualHandle, start_virtual

GOAL_READY_S = 1.5
GOAL_ROBOTS, GOAL_PERIOD_MS = 4, 2.0
GOAL_ROUND_TRIP_MS = 12.0
SECONDS = 8.0
ROUND_TRIPS = 200
STEP_DEG, SEEN_DEG = 0.5, 1e-3
RWS_PORT = 8080
EGM_PORT = 6510
TASKS = {"irb120": ("T_ROB1",), "yumi": ("T_ROB_L", "T_ROB_R")}
FOLLOW = """MODULE follow
  VAR egmident id;
  CONST egm_minmax near:=[-0.1,0.1];
  PROC main()
    EGMGetId id;
    EGMSetupUC ROB_ID,id,"default","UCdevice"\\Joint\\CommTimeout:=60;
    EGMActJoint id\\J1:=near\\J2:=near\\SampleRate:=4\\MaxSpeedDeviation:=200;
    EGMRunJoint id,EGM_STOP_HOLD\\J1\\J2\\CondTime:=1E6\\RampInTime:=0;
  ENDPROC
ENDMODULE
"""


def main() -> None:
    print(__doc__)
    ready()
    for count in (1, 2, 4):
        robots(count)
    round_trip()


class Sensor:
    """What guides one arm: it answers every message with the joints that the arm had at first, or others."""

    def __init__(self, address: str, port: int) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, port))
        self.times: list[int] = []
        self.q: tuple[float, ...] = ()
        self.external: tuple[float, ...] = ()
        self._peer: tuple[str, int] = ("", 0)
        self._number = 0

    def read(self) -> EgmRobot:
        data, self._peer = self.socket.recvfrom(4096)
        self.times.append(time.perf_counter_ns())
        message = decode_robot(data)
        if not self.q and message.feed_back is not None:
            self.q = message.feed_back.joints or ()
            self.external = message.feed_back.external_joints or ()
        self.answer()
        return message

    def answer(self) -> None:
        self._number += 1
        header = EgmHeader(self._number, None, EgmMessageType.CORRECTION)
        planned = EgmPlanned(joints=self.q, external_joints=self.external)
        self.socket.sendto(encode_message(EgmSensor(header, planned)), self._peer)


def start(stack: ExitStack, model: str, address: str) -> tuple[VirtualHandle, list[Sensor]]:
    """Start a controller whose arms follow sensors."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    (folder / "follow.mod").write_text(FOLLOW)
    sensors = [Sensor(address, EGM_PORT + 100 + place) for place in range(len(TASKS[model]))]
    for sensor in sensors:
        stack.callback(sensor.socket.close)
    program = ",".join(f"{task}:{folder / 'follow.mod'}" for task in TASKS[model])
    egm = f"{address}:{EGM_PORT + 100}"
    robot = stack.enter_context(start_virtual(model, address, program=program, egm=egm, rws=RWS_PORT))
    robot.press("start")
    for sensor in sensors:
        sensor.socket.settimeout(10.0)
        sensor.read()
    return robot, sensors


def ready() -> None:
    took: dict[str, list[float]] = {"irb120": [], "yumi": []}
    for model, times in took.items():
        for _ in range(5):
            began = time.perf_counter()
            with start_virtual(model, "127.0.15.61", rws=RWS_PORT) as robot:
                with socket.create_connection((robot.address, RWS_PORT), timeout=10.0) as client:
                    client.sendall(b"GET /rw/panel/ctrlstate HTTP/1.1\r\nHost: robot\r\n\r\n")
                    client.recv(4096)
                times.append(time.perf_counter() - began)
        least = min(times)
        print(
            f"{model} ready to first answer of Robot Web Services: {least:.2f} s (median {np.median(times):.2f} s), "
            f"goal {GOAL_READY_S} s  {verdict(good=least <= GOAL_READY_S)}"
        )


def robots(count: int) -> None:
    with ExitStack() as stack:
        # The last one is a YuMi.
        models = ["irb120"] * (count - 1) + ["yumi"]
        started = [start(stack, model, f"127.0.15.{62 + place}") for place, model in enumerate(models)]
        handles, sensors = [one for one, _ in started], [one for _, found in started for one in found]
        with selectors.DefaultSelector() as selector:
            for sensor in sensors:
                selector.register(sensor.socket, selectors.EVENT_READ, sensor)
            listen(selector, 1.0)
            for sensor in sensors:
                sensor.times.clear()
            before, busy = [cpu_s(one) for one in handles], machine_busy_s()
            began = time.perf_counter()
            listen(selector, SECONDS)
            took = time.perf_counter() - began
        cpu = [(cpu_s(one) - was) / took * 100.0 for one, was in zip(handles, before, strict=True)]
        share = (machine_busy_s() - busy) / took / (os.cpu_count() or 1) * 100.0
        errors = np.concatenate([np.abs(np.diff(sensor.times) / 1e6 - 4.0) for sensor in sensors])
        late = max(one.control("pace")["pace"]["late_p99_us"] for one in handles) / 1e3
    p50, p99 = np.percentile(errors, (50, 99))
    mark = f"  goal {GOAL_PERIOD_MS} ms  {verdict(good=p99 < GOAL_PERIOD_MS)}" if count == GOAL_ROBOTS else ""
    print(
        f"{count} robot{'s' if count > 1 else ' '}, {len(sensors)} arms: EGM period error p50 {p50:.2f} ms, "
        f"p99 {p99:.2f} ms, late p99 {late:.2f} ms, CPU {np.mean(cpu):.0f} % each, cores busy {share:.0f} %{mark}"
    )


def listen(selector: selectors.BaseSelector, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for key, _ in selector.select(0.1):
            key.data.read()


def round_trip() -> None:
    took: list[float] = []
    rng = np.random.default_rng(1)
    with ExitStack() as stack:
        _, (sensor,) = start(stack, "irb120", "127.0.15.70")
        for turn in range(ROUND_TRIPS):
            before = settled(sensor)
            time.sleep(float(rng.uniform(0.0, 0.008)))
            while selectable(sensor.socket):
                before = planned(sensor.read())
            sensor.q = (*sensor.q[:5], sensor.q[5] + (STEP_DEG if turn % 2 else -STEP_DEG))
            sent = time.perf_counter_ns()
            sensor.answer()
            while abs(planned(sensor.read())[5] - before[5]) < SEEN_DEG:
                pass
            took.append((sensor.times[-1] - sent) / 1e6)
    p50, p99 = np.percentile(took, (50, 99))
    print(
        f"EGM round trip: p50 {p50:.2f} ms, p99 {p99:.2f} ms, goal {GOAL_ROUND_TRIP_MS} ms  "
        f"{verdict(good=p99 < GOAL_ROUND_TRIP_MS)}"
    )


def settled(sensor: Sensor) -> tuple[float, ...]:
    """Answer until the planned joints stand still; return them."""
    before = planned(sensor.read())
    while abs((now := planned(sensor.read()))[5] - before[5]) > SEEN_DEG / 100.0:
        before = now
    return now


def planned(message: EgmRobot) -> tuple[float, ...]:
    """Return the joints of the first six axes that the controller plans."""
    assert message.planned is not None
    return message.planned.joints or ()


if __name__ == "__main__":
    sys.exit(main())
