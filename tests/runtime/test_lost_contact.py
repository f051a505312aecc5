"""Where a controller falls silent, a streamed arm still brakes along its path, as long as setpoints are taken."""

from pathlib import Path

import numpy as np
import pytest
from test_stops import FACTOR, Stopped, shortest

from openpendant.controllers import StopKind, brake_joints
from openpendant.errors import LinkError
from openpendant.messages import bus
from openpendant.motion import MoveLine, Speed, Trajectory, plan
from openpendant.runtime.bus_codec import encode_trajectory

ROOT = Path(__file__).resolve().parent.parent.parent

from servoed_ur import TICK_NS, ServoedUr, loop_of_ur  # noqa: E402

ME = "me"
DT = TICK_NS * 1e-9
SILENT_S = 0.25
"""A state older than this is not believed (docs/gate.md, 'following')."""
LAG_S = 0.042
"""Of a streamed UR: 30 ms of look-ahead, 12 ms of smoothing and transport."""
SWING_RAD = 0.005
"""A servoj of this gain swings 3 mrad beyond the last setpoint and back."""
PATH_M = 0.001
OVER = 1.02
"""Rounding of a sampled stop."""


class SilentUr(ServoedUr):
    """Its states can stay away, and its setpoints can be refused."""

    silent = refuses = False

    def __init__(self, model: str, arm: str, q: np.ndarray) -> None:
        super().__init__(model, arm, q)
        self.stopped: list[StopKind] = []

    def poll(self, now_ns: int) -> None:
        heard = self._state
        super().poll(now_ns)
        if self.silent:
            self._state = heard

    def servo(self, arm: str, q: np.ndarray) -> np.ndarray:
        if self.refuses:
            raise LinkError("setpoints are refused")
        return super().servo(arm, q)

    def stop(self, kind: StopKind = "path") -> None:
        self.stopped.append(kind)


class Ride:
    """An arm on a fast straight line of its tool, on which its joints turn unevenly."""

    def __init__(self) -> None:
        self.loop, controller = loop_of_ur("ur3e", np.array([0.0, -1.9, 2.2, -1.9, -1.57, 0.0]), SilentUr)
        assert isinstance(controller, SilentUr)
        self.ur, self.now = controller, 10**9
        self.drive = self.loop.drives["arm"]
        self.arm, self.limits = self.drive.parts.kinematics, self.drive.parts.limits
        self.ticks(3)
        start = self.arm.fk(self.drive.q_rest)
        end = start.copy()
        end[:3, 3] += (0.0, -0.45, 0.0)
        path = plan(self.arm, self.limits, self.drive.q_rest, [MoveLine(end, Speed(tool_m_s=0.7))])
        assert isinstance(path, Trajectory), path
        self.path = path
        self.start, self.along = start[:3, 3], np.array([0.0, 1.0, 0.0])
        assert self.ask(bus.LeaseRequest(holder=ME, name="Me", hold_s=1.0)) == bus.Accepted()
        follow = bus.Follow(holder=ME, job="line", arm="arm", trajectory=encode_trajectory(path), stops=self.loop.stops)
        assert self.ask(follow) == bus.Accepted()

    def ask(self, command: bus.Command) -> bus.Reply:
        return self.loop.command(command, self.now)

    def ticks(self, count: int) -> None:
        for _ in range(count):
            self.now += TICK_NS
            self.loop.renew(bus.LeaseRenewal(holder=ME, stamp_ns=self.now))
            self.loop.tick(self.now)

    def until_silence_is_noticed(self) -> None:
        """The controller falls silent; tick until the last tick in which that may go unnoticed."""
        self.ur.silent = True
        self.ticks(round(SILENT_S / DT) - 1)
        assert self.drive.doing == "path"

    def off_line_m(self, Q: np.ndarray) -> float:
        """How far the flange is beside its line at the worst of these joints."""
        p = np.array([self.arm.fk(q)[:3, 3] for q in Q]) - self.start
        return float(np.linalg.norm(p - np.outer(p @ self.along, self.along), axis=1).max())


@pytest.mark.parametrize("after", [60, 90, 120, 150])
def test_an_arm_that_is_not_heard_brakes_along_its_path(after: int) -> None:
    ride = Ride()
    ride.ticks(after)
    ride.until_silence_is_noticed()
    begun = len(ride.ur.sent)
    ride.ticks(1)
    assert ride.drive.doing == "stopping"
    Q = [ride.ur.q]
    for _ in range(200):
        ride.ticks(1)
        Q.append(ride.ur.q)
    stopped = Stopped(np.array(ride.ur.sent[begun - 3 :]), DT)
    seconds, distance = shortest(ride.path, stopped, ride.limits.stop)
    assert stopped.steps[0] > DT, "it was fast"
    assert (np.diff(stopped.steps) < 1e-9).all(), "slower at every tick"
    felt = np.abs(np.diff(stopped.Q[1:], n=2, axis=0)) / DT**2
    assert (felt <= OVER * ride.limits.stop.deceleration).all()
    assert stopped.seconds <= FACTOR * seconds + DT
    assert stopped.distance <= FACTOR * distance + stopped.steps[0]
    assert ride.off_line_m(stopped.Q) < PATH_M
    away = np.abs(np.array(Q) - stopped.Q[-1]).max(axis=1)
    arrived_s = (1 + int(np.flatnonzero(away > SWING_RAD)[-1]) + 1) * DT
    # The last bit of the way is crept along: as an exponential with the lag as its time.
    assert arrived_s <= stopped.seconds + 2.0 * LAG_S
    assert ride.ur.stopped == [], "the driver takes setpoints"
    assert (ride.drive.outcome, ride.drive.reason) == ("failed", "no contact with the controller")
    told = [event.kind for event in ride.loop.drain_events()]
    assert told.count("not ready") == 1


@pytest.mark.parametrize("brakes", [0, 1, 20])
def test_what_the_driver_refuses_is_left_to_the_controller(brakes: int) -> None:
    ride = Ride()
    ride.ticks(100)
    ride.until_silence_is_noticed()
    ride.ticks(brakes)
    ride.ur.refuses = True
    ride.ticks(1)
    assert ride.ur.stopped == ["path"]
    assert (ride.drive.outcome, ride.drive.reason) == ("failed", "no contact with the controller")
    ride.ticks(50)
    assert ride.ur.stopped == ["path"]
    assert not ride.drive.busy


def test_a_stop_that_was_pressed_before_goes_on_as_that_stop() -> None:
    ride = Ride()
    ride.ticks(100)
    ride.until_silence_is_noticed()
    ride.ask(bus.Halt(who="somebody"))
    begun = len(ride.ur.sent)
    ride.ticks(200)
    assert ride.off_line_m(np.array(ride.ur.sent[begun:])) < PATH_M
    assert (ride.drive.outcome, ride.drive.reason) == ("stopped", "stopped by somebody")
    ride.ur.silent = False
    ride.ticks(30)
    measure = ride.loop.meter.last
    assert measure is not None
    assert measure.how == "along the path"


def test_the_arm_of_the_test_would_leave_its_line_joint_by_joint() -> None:
    """Else the bound above could not fail: joints that stop straight leave it by several times as much."""
    ride = Ride()
    ride.ticks(100)
    ride.until_silence_is_noticed()
    before = np.array(ride.ur.sent[-2:])
    stop = ride.limits.stop
    rows = brake_joints(before[1], (before[1] - before[0]) / DT, stop.deceleration, stop.jerk, DT)
    assert ride.off_line_m(rows) > 3.0 * PATH_M
