"""Live joints in virtual time: they go out when a robot has reported, with what it was really sent and when."""

import math
import struct
from collections.abc import Iterator

import numpy as np
import pytest
from virtual_room import Request, VirtualRoom

from openpendant.messages import JointIntent
from openpendant.messages.operation import Connect, Engage, Intend, TakeControl
from virtual_cell import ARM, ROBOT, TICK_NS

FRAME_NS = 10**9 / 60
SECOND = 10**9 // TICK_NS


class Frame:
    """One message, taken apart."""

    def __init__(self, at_ns: int, data: bytes) -> None:
        values = struct.unpack(f"<{len(data) // 8}d", data)
        assert len(values) == 1 + 4 + 6 + 6
        self.at_ns = at_ns
        self.time_s, self.state_s, self.sent_s, self.intent_s, self.obeyed_s = values[:5]
        self.measured, self.sent = np.array(values[5:11]), np.array(values[11:])


class Room(VirtualRoom):
    """A room that keeps the joints that it is sent."""

    def begin(self) -> None:
        super().begin()
        self.frames: list[Frame] = []
        self.operation._people.stream = lambda data: self.frames.append(Frame(self.now, data))

    def done(self, request: Request) -> None:
        until = self.now + 10 * 10**9
        while not request.task.done():
            assert self.now < until, request.message
            self.step()
        request.task.result()

    def during(self, ticks: int) -> list[Frame]:
        """Return what comes while some ticks pass."""
        count = len(self.frames)
        self.ticks(ticks)
        return self.frames[count:]


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    made.enter("ann")
    made.done(made.ask("ann", Connect(id=1)))
    made.ticks(SECOND)
    yield made
    made.leave("ann")
    closing = made.asyncio.create_task(made.operation.close())
    while not closing.done():
        made.step()
    made.close()


def jog(room: Room, ticks: int) -> list[Frame]:
    """Let somebody jog axis 1, with a new intent every four ticks."""
    count = len(room.frames)
    for at in range(0, ticks, 4):
        velocity = (0.3 * (-1.0) ** (at // 400), 0.0, 0.0, 0.0, 0.0, 0.0)
        intent = JointIntent(source="", stamp_ns=room.now, arm=ARM, velocity=velocity)
        room.operation.intend("ann", Intend(robot=ROBOT, intent=intent), room.now)
        room.ticks(4)
    return room.frames[count:]


def engage(room: Room) -> None:
    room.done(room.ask("ann", TakeControl(id=2, robot=ROBOT)))
    room.done(room.ask("ann", Engage(id=3, robot=ROBOT, arm=ARM)))


def test_an_arm_that_rests_is_told_four_times_a_second(room: Room) -> None:
    frames = room.during(10 * SECOND)
    assert 35 <= len(frames) <= 41
    assert all(math.isnan(one.sent_s) and np.isnan(one.sent).all() for one in frames), "nothing was sent yet"


def test_joints_follow_the_reports_and_come_at_most_once_a_frame(room: Room) -> None:
    engage(room)
    frames = jog(room, 4 * SECOND)
    assert 0.75 * 4 * 60 * 0.8 <= len(frames) <= 4 * 60
    between = np.diff([one.at_ns for one in frames])
    assert between.min() >= FRAME_NS - TICK_NS
    times = [one.time_s for one in frames]
    assert (np.diff(times) > 0.0).all(), "each tells of another report"


@pytest.mark.parametrize("every", [20, 50])
def test_few_reports_are_few_messages(room: Room, every: int) -> None:
    """The number of messages is that of the robot's reports, not of looks."""
    engage(room)
    process = room.robot.process
    publish, told = process._publish_report, []

    def seldom(now: int) -> None:
        if not told or now - told[-1] >= every * TICK_NS:
            told.append(now)
            publish(now)

    process._publish_report = seldom  # type: ignore[method-assign]
    jog(room, 80)
    told.clear()
    frames = jog(room, 4 * SECOND)
    assert abs(len(frames) - len(told)) <= 1


def test_a_robot_that_reports_nothing_is_not_told_again(room: Room) -> None:
    engage(room)
    jog(room, SECOND)
    room.frozen_until = room.now + 2 * 10**9
    room.ticks(10)
    assert room.during(SECOND) == []


def test_a_frame_tells_what_was_really_sent_and_when(room: Room) -> None:
    engage(room)
    plant = room.loop.controller
    servo, sent = plant.servo, {}

    def keep(arm: str, q: np.ndarray) -> np.ndarray:
        done = servo(arm, q)
        sent[room.now] = done.copy()
        return done

    plant.servo = keep  # type: ignore[method-assign]
    frames = jog(room, SECOND)
    moving = [one for one in frames if not math.isnan(one.intent_s)]
    assert len(moving) > 40
    for one in moving:
        assert np.array_equal(sent[round(one.sent_s * 1e9)], one.sent)
        assert one.intent_s < one.obeyed_s <= one.sent_s <= one.time_s
        assert one.obeyed_s - one.intent_s == pytest.approx(TICK_NS * 1e-9, abs=1e-9), "obeyed in the next tick"
        assert one.state_s <= one.time_s
        assert one.at_ns * 1e-9 - one.time_s < 2 * FRAME_NS * 1e-9
    room.ticks(2 * SECOND)
    rest = room.frames[-1]
    assert math.isnan(rest.intent_s)
    assert rest.sent == pytest.approx(rest.measured, abs=1e-6), "it stands where it was sent"
