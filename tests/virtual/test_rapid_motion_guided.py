"""Motion programs of abb-motion-program-exec whose motion abb-robot-client guides (EGM), both unmodified.

The controller is ticked by hand: each message is answered before the next tick, over a socket of this machine.
"""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from abb_motion_program_exec.abb_motion_program_exec_client import MotionProgram
from abb_motion_program_exec.commands.egm_commands import (
    EGMJointTargetConfig,
    EGMPathCorrectionConfig,
    EGMPoseTargetConfig,
    egm_minmax,
    egmframetype,
)
from abb_motion_program_exec.commands.rapid_types import confdata, fine, jointtarget, pose, robtarget, v50, v500
from abb_robot_client.egm import EGM
from motion_program_bench import TICK_S, MotionProgramBench

from openpendant.protocols.egm import decode_sensor
from openpendant.virtual.abb.unit import TOOL0, WOBJ0

Answer = Callable[[EGM], object]
NO_AXES = [9e9] * 6
START = [0.0, 10.0, 20.0, 0.0, 60.0, 0.0]
NEAR = [egm_minmax(-1e-3, 1e-3)] * 6
STOP = "motion_program_stop_egm"
NOTHING = pose([0, 0, 0], [1, 0, 0, 0])


class Guide:
    """A program, and the client that guides its arm."""

    def __init__(self, bench: MotionProgramBench) -> None:
        self.bench, self.guidance = bench, bench.brain.guidances["ROB_1"]
        self.client = EGM(port=0)
        self._robot = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._robot.bind(("127.0.0.1", 0))
        self._robot.settimeout(10.0)
        self._client = ("127.0.0.1", self.client.socket.getsockname()[1])
        self.heard = 0

    def close(self) -> None:
        self.client.close()
        self._robot.close()

    def tick(self, answer: Answer | None) -> None:
        before = np.degrees(self.bench.units[0].arm.plant.q)
        self.bench.brain.tick()
        for message in self.guidance.take_outbox():
            self._robot.sendto(message, self._client)
            came, state = self.client.receive_from_robot(timeout=10.0)
            assert came
            assert state.joint_angles == pytest.approx(before, abs=1e-6)
            self.heard += 1
            if answer is not None:
                assert answer(self.client)
                self.guidance.receive(decode_sensor(self._robot.recv(4096)))

    def lead(self, answer: Answer, seconds: float) -> None:
        """Lead the arm for a time, then end the guidance as the client's stop_egm does, and let the program end."""
        while self.guidance.state != "running":
            self.tick(answer)
        for _ in range(round(seconds / TICK_S)):
            self.tick(answer)
        assert self.bench.brain.program.running
        self.bench.brain.signals.write(STOP, 1.0)
        self.bench.finish()


@pytest.fixture
def guide(tmp_path: Path) -> Iterator[Guide]:
    made = Guide(MotionProgramBench(tmp_path, "irb120"))
    yield made
    made.close()


def test_joints_are_guided_until_the_client_ends_it(guide: Guide):
    bench = guide.bench
    made = MotionProgram(egm_config=EGMJointTargetConfig(*NEAR, 1000, 1000))
    made.MoveAbsJ(jointtarget(START, NO_AXES), v500, fine)
    made.EGMRunJoint(10, 0.05, 0.05)
    for _ in range(2):
        bench.begin(made)
        guide.lead(lambda egm: egm.send_to_robot(np.array([5.0, 12.0, 18.0, 1.0, 58.0, -4.0])), 0.8)
        assert bench.errors == []
        assert np.degrees(bench.units[0].arm.plant.q) == pytest.approx([5.0, 12.0, 18.0, 1.0, 58.0, -4.0], abs=0.02)
    log = bench.log(made)
    assert log.data[-1, 2:] == pytest.approx([5.0, 12.0, 18.0, 1.0, 58.0, -4.0], abs=0.05)


def test_poses_are_guided(guide: Guide):
    bench = guide.bench
    made = MotionProgram(
        egm_config=EGMPoseTargetConfig(
            NOTHING, egmframetype.EGM_FRAME_WOBJ, NOTHING, egmframetype.EGM_FRAME_WOBJ, *NEAR, 1000, 1000
        )
    )
    made.MoveAbsJ(jointtarget(START, NO_AXES), v500, fine)
    made.EGMRunPose(10, 0.05, 0.05, NOTHING)
    place, turn, *_ = bench.units[0].robtarget(TOOL0, WOBJ0)
    goal = (place[0] + 15.0, place[1] - 20.0, place[2] + 10.0)
    bench.begin(made)
    guide.lead(lambda egm: egm.send_to_robot_cart(np.array(goal), np.array(turn)), 0.8)
    assert bench.errors == []
    assert bench.units[0].robtarget(TOOL0, WOBJ0)[0] == pytest.approx(goal, abs=0.1)


def test_a_path_is_corrected(guide: Guide):
    bench = guide.bench
    place, turn, configuration, external = bench.units[0].robtarget(TOOL0, WOBJ0)
    made = MotionProgram(egm_config=EGMPathCorrectionConfig(NOTHING))
    made.MoveAbsJ(jointtarget(START, NO_AXES), v500, fine)
    made.EGMMoveL(
        robtarget([place[0], place[1] + 40.0, place[2]], list(turn), confdata(*configuration), list(external)),
        v50,
        fine,
    )
    arm = bench.units[0].arm
    seam = 1000.0 * arm.T_base_tool[:3, 3] + np.array([3.0, 0.0, 0.0])
    bench.begin(made)
    while bench.brain.program.running:
        # The seam is 3 mm beside the path, and is told as the sensor on the tool sees it.
        T = arm.T_base_tool
        off = T[:3, :3].T @ (seam - 1000.0 * T[:3, 3])
        guide.tick(lambda egm, off=off: egm.send_to_robot_path_corr(off, 0))
    assert bench.errors == []
    assert guide.heard > 5
    there = bench.units[0].robtarget(TOOL0, WOBJ0)[0]
    assert there == pytest.approx((place[0] + 3.0, place[1] + 40.0, place[2]), abs=0.5)


def test_other_programs_send_positions_where_the_module_is_loaded(guide: Guide):
    bench = guide.bench
    made = MotionProgram()
    made.MoveAbsJ(jointtarget([5.0, *START[1:]], NO_AXES), v500, fine)
    bench.begin(made)
    while bench.brain.program.running:
        guide.tick(None)
    heard = guide.heard
    assert heard > 20
    guide.tick(None)
    assert guide.heard == heard
    bench.brain.program.unload("T_ROB1", "MotionProgramGuided")
    bench.run(made)
    assert bench.errors == []


def test_what_does_not_fit_says_why(guide: Guide):
    bench = guide.bench
    joints, poses = (MotionProgram(egm_config=EGMJointTargetConfig(*NEAR, 1000, 1000)) for _ in range(2))
    joints.EGMRunPose(10, 0.05, 0.05, NOTHING)
    poses.EGMRunJoint(10, 0.05, 0.05)
    plain = MotionProgram()
    plain.EGMRunJoint(10, 0.05, 0.05)
    for made in (joints, plain):
        bench.run(made)
        assert bench.errors[0][:2] == ("Motion program failed", "command or value is not known")
    bench.brain.program.unload("T_ROB1", "MotionProgramGuided")
    bench.run(poses)
    assert bench.errors[0][:2] == ("Motion program failed", "module for this command is not loaded")
