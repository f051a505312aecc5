"""Externally guided motion of the virtual controller in its own time: no jump, where the sensor wants, and its end."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from abb_stand import READY, TICK_S, AbbBench

from openpendant.protocols.egm import (
    EgmCartesian,
    EgmHeader,
    EgmMessageType,
    EgmMotionState,
    EgmMotorState,
    EgmPlanned,
    EgmPose,
    EgmQuaternion,
    EgmRapidState,
    EgmRobot,
    EgmSensor,
    EgmSensorPathCorr,
    decode_robot,
    decode_sensor,
    encode_message,
)

DATA = (
    "VAR egmident id; VAR num state:=0; CONST egm_minmax near:=[-0.1,0.1]; PERS num seen:=-1; PERS bool lost:=FALSE;"
    "CONST pose base:=[[0,0,0],[1,0,0,0]];"
)
JOINTS = (
    'EGMGetId id; EGMSetupUC ROB_1,id,"default","UCdevice"\\Joint\\CommTimeout:=0.2;'
    "EGMActJoint id\\Tool:=tool0\\J1:=near\\J2:=near\\LpFilter:=20\\SampleRate:=4\\MaxSpeedDeviation:=60;"
    "EGMRunJoint id,EGM_STOP_HOLD\\J1\\J2\\CondTime:=0.5\\RampInTime:=0.2; seen:=EGMGetState(id); EGMReset id;"
)
RECOVERED = JOINTS + " ERROR IF ERRNO=ERR_UDPUC_COMM lost:=TRUE; TRYNEXT;"


class Sensor:
    """A PC that answers every message of the robot."""

    def __init__(self, bench: AbbBench) -> None:
        self.bench = bench
        self.messages: list[EgmRobot] = []
        self.wanted: EgmPlanned | None = None
        self.number = 0

    def tick(self) -> None:
        self.bench.brain.tick()
        for data in self.bench.brain.guidance.take_outbox():
            self.messages.append(decode_robot(data))
            if self.wanted is not None:
                self.number += 2
                self.send(self.wanted, self.number)

    def send(self, planned: EgmPlanned, number: int) -> None:
        header = EgmHeader(number, None, EgmMessageType.CORRECTION)
        self.bench.brain.guidance.receive(decode_sensor(encode_message(EgmSensor(header, planned))))

    def until(self, done: Any, most_s: float = 30.0) -> float:
        for tick in range(int(most_s / TICK_S)):
            if done():
                return tick * TICK_S
            self.tick()
        raise AssertionError(self.bench.errors)


@pytest.fixture
def sensor(tmp_path: Path) -> Sensor:
    return Sensor(AbbBench(tmp_path))


def guide(sensor: Sensor, body: str) -> None:
    sensor.bench.main(body, DATA)
    sensor.bench.start()
    sensor.until(lambda: sensor.messages)


def degrees(sensor: Sensor) -> Any:
    return np.degrees(sensor.bench.unit.arm.plant.q)


def test_joints_go_where_the_sensor_wants_and_the_program_goes_on(sensor: Sensor):
    guide(sensor, JOINTS)
    goal = np.degrees(READY) + np.array([10.0, -5.0, 3.0, 0.0, 0.0, 8.0])
    sensor.wanted = EgmPlanned(joints=tuple(goal))
    took = sensor.until(lambda: not sensor.bench.brain.program.running)
    assert sensor.bench.errors == []
    assert degrees(sensor) == pytest.approx(goal, abs=0.02)
    assert sensor.bench.read("seen") == "1"
    # Converged for 0.5 s after 10° at no more than 60°/s.
    assert 0.5 + 10.0 / 60.0 < took < 1.5
    speeds = np.abs(np.diff([one.feed_back.joints for one in sensor.messages if one.feed_back], axis=0)) / TICK_S
    assert speeds.max() < 66.0
    last = sensor.messages[-1]
    assert (last.motors, last.motion, last.rapid, last.converged) == (
        EgmMotorState.ON,
        EgmMotionState.RUNNING,
        EgmRapidState.RUNNING,
        True,
    )


def test_messages_come_every_4_ms_and_count(sensor: Sensor):
    guide(sensor, JOINTS)
    sensor.wanted = EgmPlanned(joints=tuple(np.degrees(READY)))
    for _ in range(50):
        sensor.tick()
    headers = [one.header for one in sensor.messages if one.header is not None]
    assert [one.sequence for one in headers] == list(range(1, len(headers) + 1))
    times = [one.time_ms for one in headers if one.time_ms is not None]
    assert set(np.diff(times)) == {4}
    pose = sensor.messages[-1].feed_back.pose  # type: ignore[union-attr]
    place = numbers_of(pose)
    T = sensor.bench.unit.arm.model.arm.fk(READY)
    assert place == pytest.approx(1000.0 * T[:3, 3], abs=0.02)


def numbers_of(pose: EgmPose | None) -> tuple[float, float, float]:
    assert pose is not None
    assert pose.position is not None
    return pose.position.x, pose.position.y, pose.position.z


def test_nothing_jumps_at_the_start(sensor: Sensor):
    """A sensor that wants the arm 90° away from the first message on."""
    guide(sensor, JOINTS)
    sensor.wanted = EgmPlanned(joints=(90.0, *np.degrees(READY)[1:]))
    targets = []
    for _ in range(100):
        sensor.tick()
        targets.append(sensor.bench.unit.arm.mover.target.copy())
    speed = np.degrees(np.diff(targets, axis=0)[:, 0]) / TICK_S
    acceleration = np.diff(speed) / TICK_S
    limits = sensor.bench.unit.arm.model
    assert speed[0] < 3.0
    assert speed.max() <= 66.0
    assert np.abs(acceleration).max() <= math.degrees(limits.hardest[0]) * 1.01


def test_poses_are_followed_in_the_frame_of_the_sensor(sensor: Sensor):
    frame = "[[100,0,50],[1,0,0,0]]"
    guide(
        sensor,
        'EGMGetId id; EGMSetupUC ROB_1,id,"default","UCdevice"\\Pose\\CommTimeout:=0.2;'
        f"EGMActPose id\\Tool:=tool0,base,EGM_FRAME_BASE,{frame},EGM_FRAME_BASE\\MaxSpeedDeviation:=90;"
        "EGMRunPose id,EGM_STOP_HOLD\\X\\Y\\Z\\CondTime:=0.3\\RampInTime:=0.1; EGMReset id;",
    )
    start = sensor.messages[-1].feed_back.pose  # type: ignore[union-attr]
    x, y, z = numbers_of(start)
    T = sensor.bench.unit.arm.model.arm.fk(READY)
    assert (x, y, z) == pytest.approx(1000.0 * T[:3, 3] - [100.0, 0.0, 50.0], abs=0.02)
    assert start is not None
    turn = start.orientation
    assert isinstance(turn, EgmQuaternion)
    sensor.wanted = EgmPlanned(pose=EgmPose(EgmCartesian(x, y + 40.0, z - 20.0), turn))
    sensor.until(lambda: not sensor.bench.brain.program.running)
    assert sensor.bench.errors == []
    guidance = sensor.bench.brain.guidance
    for bad in (
        EgmQuaternion(2.0, 0.0, 0.0, 0.0),
        EgmQuaternion(math.nan, 0.0, 0.0, 0.0),
        EgmQuaternion(1e300, 0.0, 0.0, 0.0),
    ):
        guidance.set_up(guidance.settings)
        sensor.send(EgmPlanned(pose=EgmPose(EgmCartesian(x, y, z), bad)), sensor.number + 1)
        sensor.send(EgmPlanned(pose=EgmPose(EgmCartesian(math.inf, y, z), turn)), sensor.number + 1)
        sensor.send(EgmPlanned(pose=EgmPose(EgmCartesian(1e300, y, z), turn)), sensor.number + 1)
    moved = 1000.0 * (sensor.bench.unit.arm.T_base_tool - T)[:3, 3]
    assert moved == pytest.approx([0.0, 40.0, -20.0], abs=0.1)


def test_a_silent_sensor_ends_it_with_an_error_that_programs_see(sensor: Sensor):
    guide(sensor, RECOVERED)
    sensor.wanted = EgmPlanned(joints=(40.0, *np.degrees(READY)[1:]))
    for _ in range(60):
        sensor.tick()
    sensor.wanted = None
    where = degrees(sensor)[0]
    took = sensor.until(lambda: not sensor.bench.brain.program.running)
    assert sensor.bench.errors == []
    assert sensor.bench.read("lost") == "TRUE"
    assert 0.2 <= took < 0.5
    sensor.until(lambda: sensor.bench.unit.in_position)
    # 0.2 s of silence at no more than 66°/s, and braking at the robot's own.
    assert abs(degrees(sensor)[0] - where) < 0.2 * 66.0 + 66.0**2 / (2.0 * math.degrees(stop_rad_s2(sensor))) + 2.0


def stop_rad_s2(sensor: Sensor) -> float:
    return float(sensor.bench.unit.arm.model.limits.acceleration[0])


def test_old_foreign_and_senseless_messages_change_nothing(sensor: Sensor):
    guide(sensor, JOINTS)
    here = tuple(np.degrees(READY))
    sensor.wanted = EgmPlanned(joints=here)
    for _ in range(20):
        sensor.tick()
    far = EgmPlanned(joints=(80.0, *here[1:]))
    take = sensor.bench.brain.guidance.receive
    sensor.wanted = None
    for _ in range(30):
        sensor.tick()
        sensor.number += 1
        sensor.send(EgmPlanned(joints=here), sensor.number)
        sensor.send(far, sensor.number - 5)
        sensor.send(EgmPlanned(joints=(80.0,)), sensor.number + 1)
        sensor.send(EgmPlanned(joints=(math.nan, *here[1:])), sensor.number + 1)
        sensor.send(EgmPlanned(pose=EgmPose(EgmCartesian(0.0, 0.0, 0.0))), sensor.number + 1)
        take(EgmSensorPathCorr(EgmHeader(sensor.number + 1)))
    assert degrees(sensor) == pytest.approx(here, abs=0.01)


def test_a_stopped_program_leads_no_more(sensor: Sensor):
    guide(sensor, JOINTS)
    sensor.wanted = EgmPlanned(joints=(60.0, *np.degrees(READY)[1:]))
    for _ in range(60):
        sensor.tick()
    sensor.bench.brain.program.stop()
    where = degrees(sensor)[0]
    for _ in range(200):
        sensor.tick()
    assert abs(degrees(sensor)[0] - where) < 66.0**2 / (2.0 * math.degrees(stop_rad_s2(sensor))) + 3.0
    assert sensor.bench.brain.guidance.state == "connected"


def test_positions_are_streamed_while_a_program_moves_the_arm(sensor: Sensor):
    guide(
        sensor,
        'EGMGetId id; EGMSetupUC ROB_1,id,"default","UCdevice"\\Joint; EGMStreamStart id\\SampleRate:=8;'
        "MoveAbsJ [[20,10,20,0,60,0],[9E9,9E9,9E9,9E9,9E9,9E9]],v1000,fine,tool0; EGMStreamStop id; EGMReset id;",
    )
    sensor.until(lambda: not sensor.bench.brain.program.running)
    assert sensor.bench.errors == []
    joints = [one.feed_back.joints[0] for one in sensor.messages if one.feed_back and one.feed_back.joints]
    assert joints[-1] == pytest.approx(20.0, abs=0.02)
    times = [one.header.time_ms for one in sensor.messages if one.header and one.header.time_ms is not None]
    assert set(np.diff(times)) == {8}
    assert {one.motion for one in sensor.messages} == {EgmMotionState.STOPPED}
