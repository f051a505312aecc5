"""RTDEControlInterface of ur_rtde, unmodified, on a virtual UR3e: servo, speed, jog, freedrive, force."""

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from rtde_control import RTDEControlInterface
from rtde_receive import RTDEReceiveInterface
from waiting import wait_until

from openpendant.virtual.launch import VirtualHandle, start_virtual

HOME = [0.0, -1.6, 1.2, -1.2, -1.57, 0.0]
DT = 0.002


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", "127.0.11.40", start_q=HOME) as robot:
        yield robot


@pytest.fixture(scope="module")
def shared(robot: VirtualHandle) -> Iterator[RTDEControlInterface]:
    control = RTDEControlInterface(robot.address)
    yield control
    control.stopScript()
    control.disconnect()


@pytest.fixture
def control(shared: RTDEControlInterface) -> RTDEControlInterface:
    """A control interface with the arm at home."""
    assert shared.moveJ(HOME, 3.0, 10.0)
    return shared


@pytest.fixture(scope="module")
def receive(robot: VirtualHandle) -> Iterator[RTDEReceiveInterface]:
    receive = RTDEReceiveInterface(robot.address)
    yield receive
    receive.disconnect()


def stream(control: RTDEControlInterface, send: Callable[[int], bool], count: int) -> None:
    for i in range(count):
        start = control.initPeriod()
        assert send(i)
        control.waitPeriod(start)


def at_rest(receive: RTDEReceiveInterface) -> bool:
    return bool(np.abs(receive.getTargetQd()).max() < 1e-6)


def test_servo_j_follows(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    def send(i: int) -> bool:
        q = [*HOME]
        q[0] += 0.3 * (1.0 - math.cos(math.pi * min(i / 300, 1.0))) / 2.0
        return control.servoJ(q, 0.0, 0.0, DT, 0.1, 300.0)

    stream(control, send, 400)
    goal = [HOME[0] + 0.3, *HOME[1:]]
    wait_until(lambda: send(400) and np.allclose(receive.getTargetQ(), goal, atol=2e-3), "the target")
    assert control.servoStop(10.0)
    wait_until(lambda: at_rest(receive), "rest")


def test_servo_l_follows(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    start = receive.getTargetTCPPose()

    def send(i: int) -> bool:
        pose = [*start]
        pose[2] -= 0.05 * min(i / 250, 1.0)
        return control.servoL(pose, 0.0, 0.0, DT, 0.1, 300.0)

    stream(control, send, 300)
    wait_until(lambda: send(300) and abs(receive.getTargetTCPPose()[2] - start[2] + 0.05) < 1e-3, "the pose")
    assert control.servoStop()
    wait_until(lambda: at_rest(receive), "rest")


def test_servo_c_follows(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    goal = receive.getTargetTCPPose()
    goal[2] -= 0.04
    assert control.servoC(goal, 0.25, 1.2, 0.0)
    wait_until(lambda: abs(receive.getTargetTCPPose()[2] - goal[2]) < 1e-3, "the pose")
    # The client sends servoC without clearing it, so that its own script is not ready for the first stop.
    wait_until(control.servoStop, "the stop")
    wait_until(lambda: at_rest(receive), "rest")


def test_speed_j_moves_at_that_speed_and_stops(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    qd = [0.0, 0.0, 0.0, 0.0, 0.0, 0.5]
    assert control.speedJ(qd, 2.0, 0.0)
    wait_until(lambda: abs(receive.getTargetQd()[5] - 0.5) < 1e-6, "the speed")
    assert control.speedStop(4.0)
    wait_until(lambda: at_rest(receive), "rest")


def test_speed_l_moves_straight(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    start = receive.getTargetTCPPose()
    assert control.speedL([0.0, 0.0, -0.05, 0.0, 0.0, 0.0], 0.5, 0.0)
    wait_until(lambda: start[2] - receive.getTargetTCPPose()[2] > 0.02, "two centimetres")
    assert control.speedStop()
    wait_until(lambda: at_rest(receive), "rest")
    pose = receive.getTargetTCPPose()
    assert pose[:2] == pytest.approx(start[:2], abs=5e-4)


@pytest.mark.parametrize("feature", [RTDEControlInterface.FEATURE_BASE, RTDEControlInterface.FEATURE_TOOL])
def test_jog(control: RTDEControlInterface, receive: RTDEReceiveInterface, feature: int):
    start = np.array(receive.getTargetTCPPose())
    assert control.jogStart([0.0, 0.0, 0.05, 0.0, 0.0, 0.0], feature)
    wait_until(lambda: np.linalg.norm(np.array(receive.getTargetTCPPose()) - start) > 0.01, "the jog")
    assert control.jogStop()
    wait_until(lambda: at_rest(receive), "rest")
    up = receive.getTargetTCPPose()[2] - start[2]
    assert up > 0.0 if feature == RTDEControlInterface.FEATURE_BASE else up < 0.0


def test_jog_in_a_frame_of_ones_own(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    start = receive.getTargetTCPPose()
    turned = [0.0, 0.0, 0.0, math.pi / 2, 0.0, 0.0]
    assert control.jogStart([0.0, 0.05, 0.0, 0.0, 0.0, 0.0], RTDEControlInterface.FEATURE_CUSTOM, 0.5, turned)
    wait_until(lambda: receive.getTargetTCPPose()[2] - start[2] > 0.01, "the jog upwards")
    assert control.jogStop()
    wait_until(lambda: at_rest(receive), "rest")


def test_freedrive_lets_a_hand_move_the_arm(
    robot: VirtualHandle, control: RTDEControlInterface, receive: RTDEReceiveInterface
):
    start = np.array(receive.getActualTCPPose())
    assert control.freedriveMode()
    wait_until(lambda: control.getFreedriveStatus() >= 0, "a status")
    robot.control("push", wrench=[0.0, 0.0, -30.0, 0.0, 0.0, 0.0])
    wait_until(lambda: np.linalg.norm(np.array(receive.getActualTCPPose()) - start) > 0.01, "the arm to give way")
    robot.control("push", wrench=[0.0] * 6)
    assert control.endFreedriveMode()
    assert control.isProgramRunning()


def test_teach_mode_lets_a_hand_move_the_arm(
    robot: VirtualHandle, control: RTDEControlInterface, receive: RTDEReceiveInterface
):
    start = np.array(receive.getActualTCPPose())
    assert control.teachMode()
    robot.control("push", wrench=[0.0, 30.0, 0.0, 0.0, 0.0, 0.0])
    wait_until(lambda: np.linalg.norm(np.array(receive.getActualTCPPose()) - start) > 0.01, "the arm to give way")
    robot.control("push", wrench=[0.0] * 6)
    assert control.endTeachMode()


def test_force_mode_is_taken_and_ended(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    frame, selection, limits = [0.0] * 6, [0, 0, 1, 0, 0, 0], [2.0, 2.0, 1.5, 1.0, 1.0, 1.0]
    assert control.forceModeSetDamping(0.1)
    assert control.forceModeSetGainScaling(0.5)
    stream(control, lambda _: control.forceMode(frame, selection, [0.0, 0.0, -10.0, 0.0, 0.0, 0.0], 2, limits), 50)
    assert control.forceModeStop()
    wait_until(lambda: at_rest(receive), "rest")
    assert control.isProgramRunning()


def test_contact_is_looked_for(control: RTDEControlInterface):
    assert control.startContactDetection()
    assert not control.readContactDetection()
    assert not control.stopContactDetection()
    assert control.toolContact([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]) == 0
