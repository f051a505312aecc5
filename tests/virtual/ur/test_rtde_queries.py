"""RTDEControlInterface of ur_rtde, unmodified, on a virtual UR3e: what can be asked and set, stops, watchdog."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from rtde_control import RTDEControlInterface
from rtde_receive import RTDEReceiveInterface
from waiting import wait_until

from openpendant import robots
from openpendant.virtual.launch import VirtualHandle, start_virtual

HOME = [0.3, -1.5, 1.2, -1.2, -1.57, 0.2]
ASYNC = True


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", "127.0.11.50", start_q=HOME) as robot:
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


def test_forward_kinematics(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    assert control.getForwardKinematics() == pytest.approx(receive.getTargetTCPPose(), abs=1e-3)
    q = [0.1, -1.0, 0.8, -0.4, -1.2, 0.5]
    T = robots.load("ur3e").arm().fk(np.array(q), base="base")
    assert control.getForwardKinematics(q, [0.0] * 6)[:3] == pytest.approx(T[:3, 3], abs=1e-4)


def test_inverse_kinematics(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    pose = receive.getTargetTCPPose()
    assert control.getInverseKinematics(pose) == pytest.approx(HOME, abs=1e-4)
    near = [0.3, -1.5, 1.2, -1.2, -1.57, 0.2]
    assert control.getInverseKinematics(pose, near) == pytest.approx(HOME, abs=1e-4)
    assert control.getInverseKinematicsHasSolution(pose)
    assert not control.getInverseKinematicsHasSolution([3.0, *pose[1:]])


def test_pose_arithmetic(control: RTDEControlInterface):
    turned = control.poseTrans([0.1, 0.2, 0.3, 0.0, 0.0, math.pi / 2], [0.1, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert turned == pytest.approx([0.1, 0.3, 0.3, 0.0, 0.0, math.pi / 2], abs=1e-9)


def test_tool_and_payload(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    # The client does not wait for answers of this kind: it returns what it knows, the next call knows more.
    wait_until(
        lambda: control.getActualToolFlangePose()[:3] == pytest.approx(receive.getTargetTCPPose()[:3], abs=1e-3),
        "the flange",
    )
    flange = control.getActualToolFlangePose()
    assert control.setTcp([0.0, 0.0, 0.12, 0.0, 0.0, 0.0])
    assert control.getTCPOffset() == pytest.approx([0.0, 0.0, 0.12, 0.0, 0.0, 0.0])
    wait_until(
        lambda: abs(math.dist(receive.getTargetTCPPose()[:3], flange[:3]) - 0.12) < 1e-3, "the tool to be longer"
    )
    assert control.setTcp([0.0] * 6)
    assert control.setPayload(0.8, [0.0, 0.0, 0.05])
    wait_until(lambda: receive.getPayload() == pytest.approx(0.8), "the payload")
    assert receive.getPayloadCog() == pytest.approx([0.0, 0.0, 0.05])
    assert control.setTargetPayload(0.5, [0.0, 0.0, 0.02])
    wait_until(lambda: receive.getPayload() == pytest.approx(0.5), "the other payload")
    assert control.setGravity([0.0, 0.0, 9.82])


def test_the_force_sensor_is_zeroed(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    assert control.zeroFtSensor()
    wait_until(lambda: np.abs(receive.getActualTCPForce()).max() < 3.0, "small forces")
    assert control.ftRtdeInputEnable(False)  # noqa: FBT003 - the client's own signature


def test_facts_of_the_running_arm(control: RTDEControlInterface):
    wait_until(lambda: control.getStepTime() == pytest.approx(0.002), "the step time")
    wait_until(control.isSteady, "rest")
    wait_until(lambda: control.getActualJointPositionsHistory(5) == pytest.approx(HOME, abs=1e-3), "the history")
    wait_until(lambda: 0.5 < np.abs(control.getJointTorques()).max() < 60.0, "moments that hold the arm up")
    assert len(control.getTargetWaypoint()) == 6
    assert control.getRobotStatus() & 1
    assert control.isConnected()
    assert control.isProgramRunning()


def test_custom_scripts(robot: VirtualHandle, control: RTDEControlInterface):
    name = "output_double_register_20"
    assert control.sendCustomScriptFunction("own", "write_output_float_register(20, 4.25)\n")
    wait_until(lambda: robot.read(name)[name] == 4.25, "the register")
    assert control.reuploadScript()
    wait_until(control.isProgramRunning, "the script to run again")


def test_a_protective_stop_and_what_comes_after(
    robot: VirtualHandle, control: RTDEControlInterface, receive: RTDEReceiveInterface
):
    control.triggerProtectiveStop()
    wait_until(receive.isProtectiveStopped, "the protective stop")
    wait_until(lambda: np.abs(receive.getTargetQd()).max() < 1e-9, "rest")
    assert robot.state()["safety"] == "PROTECTIVE_STOP"

    def unlocked() -> bool:
        if robot.state()["safety"] == "PROTECTIVE_STOP":
            try:
                robot.press("unlock")
            except Exception:
                return False
        return not receive.isProtectiveStopped()

    wait_until(unlocked, "the release")
    assert control.reuploadScript()
    wait_until(control.isProgramRunning, "the script to run again")
    assert control.moveJ(HOME, 1.0, 2.0)


def test_the_watchdog_stops_the_script_when_nobody_kicks(
    robot: VirtualHandle, control: RTDEControlInterface, receive: RTDEReceiveInterface
):
    assert control.setWatchdog(1.0)
    for _ in range(20):
        assert control.kickWatchdog()
    assert control.isProgramRunning()
    control.moveJ([HOME[0] + 2.0, *HOME[1:]], 0.5, 1.0, ASYNC)
    wait_until(lambda: np.abs(receive.getTargetQd()).max() > 0.1, "the arm to move")
    wait_until(lambda: receive.getRuntimeState() == 1, "the watchdog to stop the script")
    wait_until(lambda: np.abs(receive.getTargetQd()).max() < 1e-9, "rest")
    assert control.reuploadScript()
    wait_until(control.isProgramRunning, "the script to run again")


def test_stop_script_and_reconnect(robot: VirtualHandle, control: RTDEControlInterface, receive: RTDEReceiveInterface):
    control.stopScript()
    wait_until(lambda: receive.getRuntimeState() == 1, "the script to stop")
    assert not control.isProgramRunning()
    assert control.reuploadScript()
    wait_until(control.isProgramRunning, "the script to run")


def test_a_second_controller_is_refused(robot: VirtualHandle, control: RTDEControlInterface):
    with pytest.raises(RuntimeError, match=r"(?i)in.use"):
        RTDEControlInterface(robot.address)
    assert control.isProgramRunning()
