"""`openpendant ik`: what it prints for people."""

import json

import numpy as np
import pytest
from verbs import said

import openpendant as op
from openpendant.kinematics import arm_angle

REACHED = "0.2,0.1,0.3,1,0,0,0"


pytestmark = pytest.mark.usefixtures("wide")


def test_ik_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "ik", "ur3e", REACHED, "--deg")
    assert "solutions, nearest to the seed first; joints in °" in text
    assert "configuration" in text
    out_of_reach = said(capsys, "ik", "ur3e", "2,0,0,1,0,0,0")
    assert "cannot be reached" in out_of_reach
    assert "Joints of the nearest reachable pose (in rad)" in out_of_reach


def test_ik_takes_rounded_quaternions_and_variants(capsys: pytest.CaptureFixture[str]) -> None:
    pose = "0.2,0.1,0.3,0.7071,0,0.7071,0"
    few = json.loads(said(capsys, "ik", "ur3e", pose, "--json"))["solutions"]
    many = json.loads(said(capsys, "ik", "ur3e", pose, "--json", "--variants", "--seed", "-0.5,0,0,0,0,0"))["solutions"]
    assert 0 < len(few) < len(many)


def test_ik_holds_the_redundancy_axis(capsys: pytest.CaptureFixture[str]) -> None:
    robot = op.load("yumi")
    q = robot.posture(arm="left")
    from openpendant.spatial import quaternion_from_matrix

    T = robot.arm("left").fk(q)
    pose = ",".join(map(repr, [*T[:3, 3].tolist(), *quaternion_from_matrix(T[:3, :3]).tolist()]))
    told = json.loads(said(capsys, "ik", "yumi", pose, "--arm", "left", "--redundancy", repr(float(q[6])), "--json"))
    assert told["solutions"]
    assert all(abs(one["q"][6] - q[6]) < 1e-9 for one in told["solutions"])


def test_ik_holds_the_arm_angle(capsys: pytest.CaptureFixture[str]) -> None:
    arm = op.load("yumi").arm("left")
    words = ("ik", "yumi", "0.4,0.2,0.3,0,0,1,0", "--json", "--deg", "--arm-angle")
    solutions = json.loads(said(capsys, *words, "-30"))["solutions"]
    assert solutions
    assert all(abs(arm_angle(arm, one["q"]) + np.radians(30)) < 1e-8 for one in solutions)


def test_one_solution_is_one_solution(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "ik", "irb120", "0.374,0,0.63,0.7071,0,0.7071,0", "--deg")
    assert "1 solution; joints in °" in text
    assert "-0.00" not in text


def test_a_platform_is_told_by_x_y_and_heading(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "fk", "robomap", "1,-2,90", "--deg", "--json"))
    assert (told["robot"], told["base"], told["frame"]) == ("robomap", "floor", "body")
    np.testing.assert_allclose(told["T"], [[0, -1, 0, 1], [1, 0, 0, -2], [0, 0, 1, 0], [0, 0, 0, 1]], atol=1e-12)
    text = said(capsys, "fk", "robomap", "1,-2,90", "--deg", "--frame", "camera")
    assert "camera in floor" in text
    assert "y -1.950000" in text
