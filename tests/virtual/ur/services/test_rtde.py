"""A virtual controller that stood still takes what came meanwhile tick by tick, as a real one would have."""

import os
import signal
import time
from typing import Any, cast

import numpy as np
import pytest
from rtde_control import RTDEControlInterface
from rtde_receive import RTDEReceiveInterface
from ur_brain import READY, make_brain

from openpendant.protocols.rtde import ClientSession, InputsAgreed, Recipe
from openpendant.virtual.launch import start_virtual
from openpendant.virtual.ur import UrController
from openpendant.virtual.ur.services import RtdeService
from openpendant.virtual.wire import Link

ADDRESS = "127.0.12.47"
SETPOINTS = tuple(f"input_double_register_{number}" for number in range(24, 30))
SPEED_RAD_S = 0.7
TICK_S = 0.002
FOLLOW = """\
def follow():
  while True:
    q = [{registers}]
    servoj(q, t=0.002, lookahead_time=0.03, gain=2000)
  end
end
""".format(registers=", ".join(f"read_input_float_register({number})" for number in range(24, 30)))


class Box:
    """A host whose test says how many ticks are due."""

    def __init__(self) -> None:
        self.brain: UrController = make_brain()
        self.due = 1


class Client:
    """One connection to the service, without a socket."""

    def __init__(self, service: RtdeService) -> None:
        self.session, self.recipe = ClientSession(), cast(Recipe, None)
        self._service, self._link = service, cast(Link, self)
        service.opened(self._link)
        self.session.request_protocol(2)
        self.talk()
        self.session.set_up_inputs(SETPOINTS)
        self.talk()

    def talk(self) -> None:
        self._service.received(self._link, self.session.take_outbox())

    def send(self, data: bytes) -> None:
        """What the service sends."""
        self.recipe = next(
            (one.recipe for one in self.session.feed(data) if isinstance(one, InputsAgreed)), self.recipe
        )

    def close(self) -> None:
        self._service.closed(self._link)


class Stream:
    """Sends the setpoints of a steady motion, and makes ticks."""

    def __init__(self) -> None:
        self.box, self.sent = Box(), 0
        self.service = RtdeService(self.box)
        self.client = Client(self.service)

    @property
    def first(self) -> Any:
        return self.box.brain.read("input_double_register_24")

    def at(self, count: int) -> float:
        """The base in a setpoint."""
        return READY[0] + SPEED_RAD_S * TICK_S * count

    def send(self, count: int) -> None:
        for _ in range(count):
            self.sent += 1
            self.client.session.write(self.client.recipe, [self.at(self.sent), *READY[1:]])
        self.client.talk()

    def make_ticks(self, count: int) -> list[float]:
        """Make ticks that are due at once; return the speeds of the base."""
        speeds: list[float] = []
        for self.box.due in range(count, 0, -1):
            self.service.write_due()
            self.box.brain.tick()
            speeds.append(float(self.box.brain.read("target_qd")[0]))
        return speeds


@pytest.mark.parametrize("late", [2, 10, 40])
def test_setpoints_that_came_while_it_stood_still_do_not_make_the_arm_faster(late: int) -> None:
    stream = Stream()
    stream.send(1)
    stream.make_ticks(1)
    stream.box.brain.run_script(FOLLOW)
    speeds: list[float] = []
    for _ in range(400):
        stream.send(1)
        speeds = stream.make_ticks(1)
    assert speeds[0] == pytest.approx(SPEED_RAD_S, rel=0.001)
    for _ in range(20):
        stream.send(late)
        speeds += stream.make_ticks(late)
    assert max(speeds) < 1.01 * SPEED_RAD_S
    assert min(speeds) > 0.99 * SPEED_RAD_S


def test_in_time_the_newest_counts() -> None:
    stream = Stream()
    stream.send(5)
    stream.make_ticks(1)
    assert stream.first == stream.at(5)


def test_what_a_client_sent_before_it_went_is_not_lost() -> None:
    stream = Stream()
    stream.send(5)
    stream.client.close()
    assert stream.first == stream.at(5)


def test_a_process_that_stands_still_for_moments_makes_no_arm_faster() -> None:
    with start_virtual("ur3e", ADDRESS, start_q=READY) as robot:
        control, receive = RTDEControlInterface(ADDRESS), RTDEReceiveInterface(ADDRESS)
        speeds: list[float] = []
        try:
            for count in range(800):
                # A client that is late is slower, never faster.
                q = READY[0] + SPEED_RAD_S * TICK_S * count
                control.servoJ([q, *READY[1:]], 0.0, 0.0, TICK_S, 0.03, 2000.0)
                time.sleep(TICK_S)
                if count > 100:
                    speeds.append(float(np.abs(receive.getTargetQd()).max()))
                    if count % 100 in (0, 30):
                        os.kill(robot.process.pid, signal.SIGCONT if count % 100 else signal.SIGSTOP)
        finally:
            os.kill(robot.process.pid, signal.SIGCONT)
            control.stopScript()
            control.disconnect()
            receive.disconnect()
    assert 0.3 * SPEED_RAD_S < max(speeds) < 1.05 * SPEED_RAD_S
