"""Chaos: links drop, processes freeze and die while a UR3e moves on its virtual controller.

Whatever happens: a controlled stop within the time and distance that the rules allow, as an observer of the controller
itself sees it; a state that tells the truth within 250 ticks of the controller; and a robot that moves again without
anybody's help.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from running_cells import one_robot, start_client, wait_for
from watching import Observer, Sample, worst_acceleration

from openpendant.errors import ControllerError, OpenPendantError
from openpendant.motion import Speed
from openpendant.runtime import CellRuntime
from openpendant.scene import encode_cell
from openpendant.virtual.launch import start_virtual
from openpendant.virtual.ur.model import ur_model
from processes import commands_of
from unsafe import promise

ADDRESS, LONELY = "127.0.13.10", "127.0.13.11"
KINDS = (
    "link drops",
    "client is killed",
    "controller freezes",
    "process is killed",
    "network is silent",
    "process freezes",
    "client freezes",
    "controller is killed",
)
ALWAYS = ("process is killed", "network is silent", "process freezes", "controller is killed")
"""In every run, since nothing else has them with a streamed arm; all are in soak. A link that drops and a controller
that freezes are in tests/controllers/ur/test_driver.py as well, clients in test_cell_runtime.py, and cuts under
uploaded programs, in virtual time, in tests/controllers/ur/test_program_stop.py."""
TRUTH_S = 0.5
"""250 ticks of the controller."""
REST_RAD_S = 0.02
LEASE_S, WATCHDOG_S, ALIVE_S = 0.8, 1.0 / 2.5, 0.15
"""A lease ends after so long (docs/gate.md). The controller stops its program after so long without a sign of the
process that moves it (the watchdog of its own script). That process gives no more signs after so long without one of
the robot's process."""
BEGINS_S = {
    "link drops": WATCHDOG_S,
    "client is killed": LEASE_S,
    "controller freezes": WATCHDOG_S,
    "process is killed": ALIVE_S + WATCHDOG_S,
    "network is silent": WATCHDOG_S,
    "process freezes": ALIVE_S + WATCHDOG_S,
    "client freezes": LEASE_S,
}
"""When the stop begins at the latest. A controller that is killed takes its arm with it."""
MAKERS_STOP_S = 0.159
"""UR3, base, from 183 °/s, stretched and loaded (docs/gate.md)."""
LAG_S = 0.1
"""A streamed UR3e is less than that behind its setpoints (docs/gate.md)."""
MOST_UNSEEN_S = 0.1
"""The observer asks every 2 ms. What it may have missed at the begin and at the end of a stop is allowed for, up to
this; where it saw less, the test fails."""
LIMIT = np.array(ur_model("ur3e").hardest)
AWAY = np.array([1.2, -0.4, 0.3, 0.2, 0.2, 0.2])
SPEED = Speed(joint_fraction=0.5)
TOP_RAD_S = 0.5 * np.array(ur_model("ur3e").velocity)


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    with CellRuntime(one_robot(), virtual={"arm": ADDRESS}, name="test") as made:
        made.robot("arm").wait_ready()
        yield made


@pytest.fixture
def observer() -> Iterator[Observer]:
    made = Observer(ADDRESS)
    yield made
    made.close()


def speed_of(samples: list[Sample]) -> float:
    return max(float(np.abs(sample.actual_qd).max()) for sample in samples)


def rests(observer: Observer, for_s: float = 0.3) -> bool:
    newest = observer.since(time.monotonic() - for_s)
    return len(newest) > 10 and speed_of(newest) < REST_RAD_S


def check_rest(samples: list[Sample], begins_s: float, what: str) -> None:
    """Hold an arm to the time and the way that it may take to rest from the first sample on, by the controller's clock.

    A controller that is frozen has no time, and is not seen.
    """
    at_s = np.array([one.timestamp for one in samples])
    moves = np.flatnonzero([float(np.abs(one.actual_qd).max()) > REST_RAD_S for one in samples])
    last = min(int(moves[-1]) + 1, len(samples) - 1) if len(moves) else 0
    gap_s = float(np.diff(at_s[: last + 1]).max(initial=0.0))
    unseen_s = min(gap_s, MOST_UNSEEN_S)
    took_s, most_s = float(at_s[last] - at_s[0]), begins_s + MAKERS_STOP_S + LAG_S
    way = np.abs(np.diff([one.actual_q for one in samples[: last + 1]], axis=0)).sum(axis=0)
    told = f"{what}: at rest after {took_s:.3f} s, {way.max():.3f} rad; unseen for {gap_s:.3f} s"
    promise(took_s <= most_s + 2.0 * unseen_s, f"{told}; allowed: {most_s:.3f} s")
    promise((way <= TOP_RAD_S * (most_s + 2.0 * unseen_s)).all(), told)


class Round:
    """One fault, and what follows."""

    def __init__(self, runtime: CellRuntime, observer: Observer, seed: int) -> None:
        self.runtime, self.observer = runtime, observer
        self.robot = runtime.robot("arm")
        self.random = random.Random(seed)
        self.kind = KINDS[seed % len(KINDS)]
        self.client: subprocess.Popen[str] | None = None
        self.thread: threading.Thread | None = None
        self.frozen = 0

    def run(self) -> None:
        self.robot.wait_ready()
        self.robot.stop()
        self.home = self.robot.q()
        try:
            self.begin()
            wait_for(self.fast, "a motion")
            time.sleep(0.3 * self.random.random())
            before = len(self.observer.samples)
            self.strike()
            self.look(before)
            self.recover()
        finally:
            self.clean()

    def fast(self) -> bool:
        newest = self.observer.newest()
        return newest is not None and float(np.abs(newest.target_qd).max()) > 0.5

    def begin(self) -> None:
        goals = [self.home + AWAY, self.home]
        if self.kind.startswith("client"):
            self.robot.release()
            document = encode_cell(self.runtime.cell).decode()
            self.client = start_client(self.runtime.endpoint, document, "arm", *(goal.tolist() for goal in goals))
            return

        def move() -> None:
            try:
                while all(self.robot.move_joints(goal, speed=SPEED).reached for goal in goals):
                    pass
            except OpenPendantError:
                return

        self.thread = threading.Thread(target=move)
        self.thread.start()

    def strike(self) -> None:
        seconds = 0.3 + self.random.random()
        self.struck_s = time.monotonic()
        match self.kind:
            case "link drops":
                self.runtime.virtual("arm").fault("drop", seconds=seconds)
            case "controller freezes":
                self.runtime.virtual("arm").fault("freeze", seconds=seconds)
            case "network is silent":
                self.runtime.virtual("arm").fault("silence", seconds=seconds)
            case "controller is killed":
                self.runtime.virtual("arm").kill()
            case "process is killed":
                os.kill(self.runtime.pids()["arm"], signal.SIGKILL)
            case "process freezes":
                self.frozen = self.runtime.pids()["arm"]
                os.kill(self.frozen, signal.SIGSTOP)
            case "client is killed":
                self.client.kill()
            case "client freezes":
                self.client.send_signal(signal.SIGSTOP)

    def look(self, before: int) -> None:
        """Watch the stop, and what the state says of it."""
        end = time.monotonic() + 10.0
        rested_s = 0.0
        while time.monotonic() < end:
            now = time.monotonic()
            if rests(self.observer):
                rested_s = rested_s or now
                if now - rested_s > TRUTH_S:
                    break
            else:
                rested_s = 0.0
            if now - self.struck_s > TRUTH_S:
                self.check_truth(now, rested_s)
            time.sleep(0.01)
        promise(rested_s, f"{self.kind}: the robot did not come to rest")
        worst = worst_acceleration(self.observer.samples[before:], LIMIT)
        assert worst < 1.1, f"{self.kind}: the stop took {worst:.2f} times what the controller allows"
        if self.kind in BEGINS_S:
            check_rest(self.observer.samples[before - 1 :], BEGINS_S[self.kind], self.kind)

    def check_truth(self, now: float, rested_s: float) -> None:
        state = self.robot.state
        if not state.connected:
            return
        newest = self.observer.newest()
        arm = state.arms["arm"]
        if rested_s and now - rested_s > TRUTH_S:
            assert not arm.moving, f"{self.kind}: the state says that the robot moves"
            away = float(np.abs(np.array(arm.q) - newest.actual_q).max())
            assert away < 0.01, f"{self.kind}: the state is {away} rad off"
        if self.moved_since(now - TRUTH_S):
            assert arm.moving, f"{self.kind}: the state says that the robot rests"

    def moved_since(self, start: float) -> bool:
        """Whether the robot was seen to move all the time since then; a frozen controller is not seen."""
        recent = self.observer.since(start)
        seen_s = [start, *(one.wall_s for one in recent)]
        longest_gap_s = max((b - a for a, b in pairwise(seen_s)), default=TRUTH_S)
        return longest_gap_s < 0.1 and min(float(np.abs(one.actual_qd).max()) for one in recent) > 0.1

    def recover(self) -> None:
        """Nobody helps; nothing moves by itself; then it moves again."""
        if self.frozen:
            os.kill(self.frozen, signal.SIGCONT)
            self.frozen = 0
        if self.thread is not None:
            self.thread.join()
        at = self.observer.newest().actual_q
        self.robot.wait_ready(90.0)
        wait_for(lambda: rests(self.observer), "rest")
        if self.kind != "controller is killed":
            moved = float(np.abs(self.observer.newest().actual_q - at).max())
            promise(moved < 0.01, f"{self.kind}: it moved by itself, {moved} rad")
        try:
            result = self.robot.move_joints(self.home, speed=SPEED)
        except ControllerError as error:
            told = [(event.stamp_ns, event.kind, event.message) for event in self.robot.events[-20:]]
            raise AssertionError(f"{self.kind}: {error} at {time.monotonic_ns()}; {told}") from error
        assert result.reached, f"{self.kind}: {result.outcome} {result.reason}"

    def clean(self) -> None:
        if self.frozen:
            os.kill(self.frozen, signal.SIGCONT)
        if self.client is not None:
            self.client.kill()
            self.client.wait()
            self.client.stdout.close()
        if self.thread is not None:
            self.runtime.stop()
            self.thread.join()


@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", [KINDS.index(kind) for kind in ALWAYS])
def test_chaos(runtime: CellRuntime, observer: Observer, seed: int) -> None:
    Round(runtime, observer, seed).run()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20, 220))
def test_long_chaos(runtime: CellRuntime, observer: Observer, seed: int) -> None:
    Round(runtime, observer, seed).run()


HOST = """
import sys, numpy as np
from openpendant.runtime import CellRuntime
from openpendant.motion import Speed
from openpendant.scene import Cell, CellRobot
cell = Cell(name="one", robots=(CellRobot(name="arm", model="ur3e"),))
with CellRuntime(cell, addresses={"arm": sys.argv[1]}, reduced=False) as runtime:
    arm = runtime.robot("arm")
    arm.wait_ready()
    print(runtime.pids()["arm"], flush=True)
    q = arm.q()
    while True:
        for goal in (q + np.array([1.2, -0.4, 0.3, 0.2, 0.2, 0.2]), q):
            arm.move_joints(goal, speed=Speed(joint_fraction=0.5))
"""


# Two processes that may take 30 s each to rest and end; the runtime of the other tests is ended in the same time, too.
@pytest.mark.timeout(180)
def test_when_the_whole_runtime_is_killed_its_robot_stops_and_can_be_had_again() -> None:
    with start_virtual("ur3e", LONELY) as virtual:
        observer = Observer(LONELY)
        try:
            host = subprocess.Popen([sys.executable, "-c", HOST, LONELY], stdout=subprocess.PIPE, text=True)
            try:
                assert host.stdout is not None
                robot = int(host.stdout.readline())
                wait_for(lambda: float(np.abs(observer.newest().target_qd).max()) > 0.8, "a motion")
                before = len(observer.samples)
            finally:
                host.kill()
                host.wait()
                host.stdout.close()
            wait_for(lambda: rests(observer), "rest", 10.0)
            check_rest(observer.samples[before - 1 :], LEASE_S, "the runtime is killed")
            assert worst_acceleration(observer.samples[before:], LIMIT) < 1.1
            wait_for(lambda: not commands_of([robot]), "the end of its process", 20.0)
            with CellRuntime(one_robot(), addresses={"arm": LONELY}) as again:
                again.robot("arm").wait_ready()
                assert again.robot("arm").move_joints(observer.newest().actual_q + 0.05).reached
        finally:
            observer.close()
        assert virtual.state()["safety"] == "NORMAL"
