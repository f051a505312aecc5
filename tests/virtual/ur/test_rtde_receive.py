"""RTDEReceiveInterface of ur_rtde, unmodified, on a virtual UR3e."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from rtde_receive import RTDEReceiveInterface
from waiting import wait_until

from openpendant import robots
from openpendant.virtual.launch import VirtualHandle, start_virtual

START = (0.4, -1.6, 0.9, -1.2, -0.7, 0.3)
VECTORS = """
    getTargetQ getTargetQd getTargetQdd getTargetCurrent getTargetMoment getActualQ getActualQd getActualCurrent
    getJointControlOutput getActualTCPPose getActualTCPSpeed getActualTCPForce getTargetTCPPose getTargetTCPSpeed
    getJointTemperatures getActualJointVoltage getFtRawWrench getPayloadInertia
"""
SCALARS = """
    getActualExecutionTime getSpeedScaling getSpeedScalingCombined getTargetSpeedFraction getActualMomentum
    getActualMainVoltage getActualRobotVoltage getActualRobotCurrent getStandardAnalogInput0 getStandardAnalogInput1
    getStandardAnalogOutput0 getStandardAnalogOutput1 getPayload
"""


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", "127.0.11.1", start_q=START) as robot:
        yield robot


@pytest.fixture(scope="module")
def receive(robot: VirtualHandle) -> Iterator[RTDEReceiveInterface]:
    receive = RTDEReceiveInterface(robot.address)
    yield receive
    receive.disconnect()


@pytest.mark.parametrize("name", VECTORS.split())
def test_vectors_have_six_finite_numbers(receive: RTDEReceiveInterface, name: str):
    values = getattr(receive, name)()
    assert len(values) == 6
    assert np.isfinite(values).all()


@pytest.mark.parametrize("name", SCALARS.split())
def test_scalars_are_finite(receive: RTDEReceiveInterface, name: str):
    assert math.isfinite(getattr(receive, name)())


def test_the_arm_stands_where_it_was_told_to(receive: RTDEReceiveInterface):
    assert receive.getTargetQ() == pytest.approx(START)
    assert receive.getActualQ() == pytest.approx(START, abs=1e-3)


def test_the_pose_is_that_of_the_catalogue(receive: RTDEReceiveInterface):
    arm = robots.load("ur3e").arm()
    T_base_tool = arm.fk(np.array(START), base="base")
    x, y, z, rx, ry, rz = receive.getTargetTCPPose()
    assert (x, y, z) == pytest.approx(T_base_tool[:3, 3], abs=1e-4)
    angle = math.acos(np.clip((np.trace(T_base_tool[:3, :3]) - 1.0) / 2.0, -1.0, 1.0))
    assert np.linalg.norm((rx, ry, rz)) == pytest.approx(angle, abs=1e-3)


def test_modes_are_those_of_a_running_robot(receive: RTDEReceiveInterface):
    assert receive.getRobotMode() == 7
    assert receive.getSafetyMode() == 1
    assert list(receive.getJointMode()) == [253] * 6
    assert receive.getRobotStatus() & 1
    assert receive.getSafetyStatusBits() & 1
    assert receive.getRuntimeState() == 1
    assert not receive.isProtectiveStopped()
    assert not receive.isEmergencyStopped()


def test_signals_follow_the_wires(robot: VirtualHandle, receive: RTDEReceiveInterface):
    robot.control("input", name="standard_digital_3", value=True)
    wait_until(lambda: receive.getDigitalInState(3), "input 3")
    assert receive.getActualDigitalInputBits() & 0xFF == 0b1000
    robot.control("input", name="standard_digital_3", value=False)
    wait_until(lambda: not receive.getDigitalInState(3), "input 3 off")
    assert not receive.getDigitalOutState(0)
    assert receive.getActualDigitalOutputBits() == 0


def test_registers_can_be_read(receive: RTDEReceiveInterface):
    assert receive.getOutputIntRegister(12) == 0
    assert receive.getOutputDoubleRegister(12) == 0.0


def test_tool_and_payload_are_told(receive: RTDEReceiveInterface):
    assert len(receive.getActualToolAccelerometer()) == 3
    assert len(receive.getPayloadCog()) == 3


def test_samples_are_exactly_one_period_apart(robot: VirtualHandle):
    slow = RTDEReceiveInterface(robot.address, 25.0, ["timestamp", "actual_q"])
    seen: list[float] = []

    def ten() -> bool:
        stamp = slow.getTimestamp()
        if not seen or stamp != seen[-1]:
            seen.append(stamp)
        return len(seen) >= 10

    wait_until(ten, "ten samples")
    slow.disconnect()
    # A sample may be missed by whoever looks; what lies between two is then a multiple of the period.
    for before, now in pairwise(seen):
        periods = (now - before) / 0.04
        assert periods == pytest.approx(round(periods), abs=1e-6)
        assert round(periods) >= 1


def test_upper_range_registers_can_be_asked_for(robot: VirtualHandle):
    upper = RTDEReceiveInterface(robot.address, -1.0, [], False, True)  # noqa: FBT003 - the client's own signature
    assert upper.getOutputIntRegister(36) == 0
    upper.disconnect()


def test_three_clients_see_the_same_robot(robot: VirtualHandle):
    clients = [RTDEReceiveInterface(robot.address) for _ in range(3)]
    assert all(one.getTargetQ() == pytest.approx(START) for one in clients)
    for one in clients:
        one.disconnect()


def test_an_unknown_variable_is_refused(robot: VirtualHandle):
    with pytest.raises(RuntimeError, match=r"(?i)not.found|no_such_variable"):
        RTDEReceiveInterface(robot.address, 500.0, ["actual_q", "no_such_variable"])


def test_an_emergency_stop_is_seen(robot: VirtualHandle, receive: RTDEReceiveInterface):
    robot.press("emergency_stop")
    wait_until(receive.isEmergencyStopped, "the emergency stop")
    assert receive.getSafetyMode() == 7
    robot.press("emergency_reset")
    wait_until(lambda: not receive.isEmergencyStopped(), "the reset")
    robot.press("brake_release")
    wait_until(lambda: receive.getRobotMode() == 7, "the robot to run")


def test_a_client_comes_back_after_the_link_was_dropped():
    with start_virtual("ur3e", "127.0.11.2", start_q=START) as robot:
        own = RTDEReceiveInterface(robot.address)
        robot.fault("drop")
        wait_until(lambda: not own.isConnected(), "the loss to be noticed")
        assert own.reconnect()
        assert own.getTargetQ() == pytest.approx(START)
        own.disconnect()
