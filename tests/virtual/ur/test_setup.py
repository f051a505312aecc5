"""A controller started with a cell, a calibration and soft joints, seen by ur_rtde: all three are really there."""

from collections.abc import Iterator

import numpy as np
import pytest
from rtde_control import RTDEControlInterface
from rtde_receive import RTDEReceiveInterface
from waiting import wait_until

import openpendant as op
from openpendant.scene import Scene, load_demo
from openpendant.virtual import VirtualHandle, start_virtual

ADDRESS = "127.0.18.2"
PROTECTIVE = 3
ASYNC = True


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual(
        "ur3e", ADDRESS, cell="bench", calibration="typical", seed=4, options=["--elastic", "8"]
    ) as robot:
        yield robot


@pytest.fixture(scope="module")
def control(robot: VirtualHandle) -> Iterator[RTDEControlInterface]:
    control = RTDEControlInterface(robot.address)
    yield control
    control.disconnect()


@pytest.fixture(scope="module")
def receive(robot: VirtualHandle) -> Iterator[RTDEReceiveInterface]:
    receive = RTDEReceiveInterface(robot.address)
    yield receive
    receive.disconnect()


def test_it_starts_where_the_cell_says(receive: RTDEReceiveInterface):
    start = Scene(load_demo("bench").cell).arm("ur3e").q_start
    np.testing.assert_allclose(receive.getTargetQ(), start, atol=1e-9)


def test_its_tool_is_where_this_very_arm_has_it(receive: RTDEReceiveInterface):
    nominal = op.load("ur3e").arm().fk(receive.getActualQ(), base="base")[:3, 3]
    told = np.array(receive.getActualTCPPose()[:3])
    # Typical arms are built some tenths of a millimetre to some millimetres beside the drawing.
    assert 1e-5 < float(np.linalg.norm(told - nominal)) < 0.01


def test_soft_joints_swing_after_a_stop(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    home = receive.getTargetQ()
    control.moveJ([home[0] + 0.3, *home[1:]], 3.0, 10.0, ASYNC)
    wait_until(lambda: abs(receive.getTargetQ()[0] - home[0] - 0.3) < 1e-6, "the end of the move")
    beside = max(abs(receive.getActualQ()[0] - receive.getTargetQ()[0]) for _ in range(200))
    wait_until(lambda: abs(receive.getActualQ()[0] - receive.getTargetQ()[0]) < 1e-3, "rest")
    assert beside > 1e-4
    assert control.moveJ(home, 1.0, 2.0)


def test_the_bench_stops_it(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    pose = receive.getActualTCPPose()
    pose[2] -= 0.6
    control.moveL(pose, 0.2, 1.0, ASYNC)
    wait_until(lambda: receive.getSafetyMode() == PROTECTIVE, "a protective stop")
    assert receive.getActualTCPPose()[2] > pose[2] + 0.05
