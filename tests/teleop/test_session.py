"""A device that drives a robot, in virtual time: what it drives, and what becomes of the arm when the hand is gone."""

import numpy as np
import pytest
from test_stops import FACTOR, own_stop

from at_once import AtOnce
from openpendant.cli.teleop_lines import CellLine
from openpendant.motion import joint_limits
from openpendant.teleop import PAD, DeviceSample, DeviceSession, TwistMapping
from virtual_cell import ARM, TICK_NS, VirtualCell

pytestmark = pytest.mark.virtual_time

READ_TICKS = 2
"""Between two samples of the pad: 8 ms."""
TICK_S = TICK_NS * 1e-9
MOMENTS = 100
RESTS_RAD_S = 1e-3
"""Held at rest by the servo."""
CREEPS_M = 0.0005


class HeldPad:
    """A pad of numbers, plugged in or not."""

    title = "Pad"
    controls = ("right trigger", *(binding.control for binding in PAD.axes))

    def __init__(self) -> None:
        self.values: dict[str, float] = {}
        self.plugged = True

    def read(self, now_ns: int) -> DeviceSample:
        return DeviceSample(now_ns, self.plugged, dict(self.values) if self.plugged else {})

    def close(self) -> None:
        self.plugged = False


class Driver:
    """Somebody with a pad, and an arm in virtual time."""

    def __init__(self) -> None:
        self.cell, self.pad = VirtualCell(), HeldPad()
        self.line = CellLine(self.cell.arms["me"], "")
        self.session = DeviceSession(self.pad, TwistMapping(PAD), self.line, AtOnce())

    def steps(self, count: int, **values: float) -> None:
        """Hold controls for so many samples."""
        self.pad.values = {name.replace("_", " "): value for name, value in values.items()}
        for _ in range(count):
            self.session.step()
            self.cell.ticks(READ_TICKS)

    def tool(self) -> np.ndarray:
        placed = self.line.robot.placed("")
        return (placed.kinematics.fk(self.cell.q, check_limits=False) @ placed.T_flange_tcp)[:3, 3]


def test_a_held_trigger_and_a_stick_move_the_tool_and_letting_go_stops_it() -> None:
    driver = Driver()
    start = driver.tool()
    driver.steps(20, left_stick_x=1.0)
    assert not driver.cell.moving, "no trigger is held"
    driver.steps(3)
    driver.steps(60, right_trigger=1.0, left_stick_x=1.0)
    assert driver.cell.moving
    assert driver.session.engaged
    driver.steps(50, right_trigger=1.0)
    # The tool's point rests; what its rotation has given way to the position is turned back yet.
    at = driver.tool()
    driver.steps(50, right_trigger=1.0)
    assert np.linalg.norm(driver.tool() - at) < CREEPS_M
    assert driver.cell.speed < RESTS_RAD_S, f"{driver.cell.speed} rad/s, although the stick rests"
    assert driver.session.engaged, "the trigger is held on"
    way = driver.tool() - start
    # 0.25 m/s to the right (-y) for 0.48 s, less what it takes to get there and more for the stop.
    assert 0.06 < -way[1] < 0.13, way
    assert np.abs(way[[0, 2]]).max() < 0.002
    driver.steps(3)
    driver.steps(20, right_trigger=1.0, dpad_up=1.0)
    assert driver.cell.moving, "pressed again, it drives again"


def test_what_the_robot_has_ended_needs_a_new_press() -> None:
    driver = Driver()
    driver.steps(3)
    driver.steps(20, right_trigger=1.0, left_stick_y=1.0)
    assert driver.cell.moving
    driver.cell.arms["you"].stop()
    driver.steps(60, right_trigger=1.0, left_stick_y=1.0)
    assert not driver.cell.moving
    assert driver.session.why
    driver.steps(3)
    driver.steps(20, right_trigger=1.0, left_stick_y=-1.0)
    assert driver.cell.moving


def test_somebody_elses_robot_is_not_driven_and_it_says_whose_it_is() -> None:
    driver = Driver()
    driver.cell.arms["you"].acquire()
    driver.steps(3)
    driver.steps(30, right_trigger=1.0, left_stick_y=1.0)
    assert not driver.cell.moving
    assert "you has control" in driver.session.why
    driver.cell.arms["you"].release()
    driver.steps(30, right_trigger=1.0, left_stick_y=1.0)
    assert not driver.cell.moving, "the trigger is still held"


def test_a_pad_that_is_pulled_at_any_moment_leaves_an_arm_that_rests_within_the_shortest_stop() -> None:
    """A hundred random moments of random drives: time to rest, and the way of every joint."""
    driver, rng = Driver(), np.random.default_rng(15)
    stop = joint_limits(driver.line.robot.placed("").model, ARM).stop
    Q: list[np.ndarray] = []
    driver.cell.each_tick.append(lambda: Q.append(np.array(driver.cell.q)))
    sticks = [binding.control.replace(" ", "_") for binding in PAD.axes]
    sign, moved = 1.0, 0
    for moment in range(MOMENTS):
        driver.steps(2)
        # To and fro, so that it stays where it can move.
        sign = -sign
        drive = {name: sign * float(rng.uniform(0.3, 1.0)) for name in rng.permutation(sticks[:2])[: 1 + moment % 2]}
        driver.steps(int(rng.integers(4, 30)), right_trigger=1.0, **drive)
        driver.cell.ticks(int(rng.integers(READ_TICKS)))
        begin = len(Q) - 1
        driver.pad.plugged = False
        driver.cell.ticks(READ_TICKS)  # The pad is gone since just after the last sample.
        driver.steps(45)
        steps = np.abs(np.diff(np.array(Q[begin:]), axis=0))
        assert steps[-1].max() == 0.0, f"{moment}: it moves on"
        assert not driver.session.engaged
        moving = np.flatnonzero(steps.max(axis=1) > 0.0)
        # Until the next sample nobody knows of it; then a tick until it is noticed, and one setpoint is on its way.
        unknown = READ_TICKS + 2
        fast = steps[:unknown].max(axis=0) / TICK_S
        stop_s = max(own_stop(*one) for one in zip(fast, stop.deceleration, stop.jerk, strict=True))
        most_s = unknown * TICK_S + FACTOR * stop_s + TICK_S
        took_s = (moving[-1] + 1) * TICK_S if len(moving) else 0.0
        assert took_s <= most_s, (moment, took_s, most_s)
        allowed = fast * (unknown * TICK_S + 2.0 * TICK_S + 0.5 * FACTOR * stop_s) + 1e-6
        assert (steps.sum(axis=0) <= allowed).all(), (moment, steps.sum(axis=0), allowed)
        moved += bool(len(moving))
        # Plugged in again with the trigger held, it drives nothing.
        driver.pad.plugged = True
        at = driver.cell.q.copy()
        driver.steps(5, right_trigger=1.0, left_stick_y=sign)
        assert np.abs(driver.cell.q - at).max() == 0.0
    assert moved > 0.9 * MOMENTS
