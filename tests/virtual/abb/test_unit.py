"""robtargets and jointtargets of ABB's mechanical units, there and back, against the kinematics of the catalogue."""

import math

import numpy as np
import pytest

from openpendant.dialects.rapid import RapidFailure
from openpendant.kinematics import arm_angle
from openpendant.robots import load
from openpendant.robots.conventions import find_confdata
from openpendant.spatial import rotation_vector_from_matrix
from openpendant.virtual.abb import MechanicalUnit
from openpendant.virtual.abb.unit import NO_AXIS, TOOL0, WOBJ0
from openpendant.virtual.arm import VirtualArm, arm_model

GRIP = (True, ((10.0, -20.0, 125.0), (0.5, 0.5, 0.5, 0.5)), TOOL0[2])
TABLE = (*WOBJ0[:3], ((300.0, 50.0, 100.0), (0.8, 0.0, 0.0, 0.6)), ((0.0, 10.0, 0.0), (1.0, 0.0, 0.0, 0.0)))


def unit_of(model: str, arm: str | None = None, posture: str | None = None) -> MechanicalUnit:
    robot = load(model)
    return MechanicalUnit("ROB", "T_ROB", VirtualArm(arm_model(robot, arm), robot.posture(posture, arm), tick_s=0.004))


@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_robtargets_give_the_joints_of_their_configuration(seed: int):
    unit = unit_of("irb120", posture="ready")
    arm = unit.arm.model.arm
    confdata = find_confdata(arm.chain)
    assert confdata is not None
    rng = np.random.default_rng(seed)
    near = unit.arm.plant.q
    for q in rng.uniform(arm.limits_lower, arm.limits_upper, (2_500, 6)):
        robtarget = unit.robtarget_of(q, GRIP, TABLE)
        found = unit.solve(robtarget, GRIP, TABLE, configuration=True, near=near)
        assert robtarget[2] == confdata(q)
        # The configuration names one solution of the arm: the joints that the pose came from.
        assert np.abs(found - q).max() < 1e-6


def test_borders_of_a_configuration_belong_to_it():
    unit = unit_of("irb120")
    arm = unit.arm.model.arm
    for degrees in (
        (0, 0, 0, 0, 0, 0),
        (90, 20, 10, -90, 60, 180),
        (0, 10, 20, 0, 60, -360),
        (-90, 0, 0, 90, -30, 270),
    ):
        q = np.radians(degrees)
        for off in (-1e-9, 0.0, 1e-9):
            robtarget = unit.robtarget_of(q + off, TOOL0, WOBJ0)
            found = unit.solve(robtarget, TOOL0, WOBJ0, configuration=True, near=q)
            assert np.abs(arm.fk(found) - arm.fk(q)).max() < 1e-6
            assert found == pytest.approx(q, abs=1e-4)


def test_a_configuration_is_a_solution_of_the_arm_or_beyond_its_limits():
    unit = unit_of("irb120", posture="ready")
    arm = unit.arm.model.arm
    confdata = find_confdata(arm.chain)
    assert confdata is not None
    rng = np.random.default_rng(7)
    failed = 0
    for q in rng.uniform(arm.limits_lower, arm.limits_upper, (60, 6)):
        place, turn, (cf1, cf4, cf6, _), outer = unit.robtarget_of(q, TOOL0, WOBJ0)
        own = {confdata(one.q): one.q for one in arm.ik(arm.fk(q), variants=True).solutions}
        for cfx in range(8):
            target = (place, turn, (cf1, cf4, cf6, float(cfx)), outer)
            wanted = own.get((int(cf1), int(cf4), int(cf6), cfx))
            if wanted is None:
                failed += 1
                with pytest.raises(RapidFailure) as caught:
                    unit.solve(target, TOOL0, WOBJ0, configuration=True, near=q)
                assert caught.value.error == "ERR_ROBLIMIT"
            else:
                assert unit.solve(target, TOOL0, WOBJ0, configuration=True, near=q) == pytest.approx(wanted, abs=1e-9)
    assert failed > 100


@pytest.mark.parametrize("model", ["irb120", "yumi"])
def test_errors_are_those_of_our_reach(model: str):
    unit = unit_of(model)
    arm = unit.arm.model.arm
    rng = np.random.default_rng(5)
    seen = {"ERR_ROBLIMIT": 0, "ERR_OUTSIDE_REACH": 0, "": 0}
    T_flange_controller = unit.arm.model.T_flange_controller
    for q in rng.uniform(arm.limits_lower, arm.limits_upper, (40 if model == "irb120" else 6, arm.dof)):
        place, turn, configuration, _ = unit.robtarget_of(q, TOOL0, WOBJ0)
        for share in (0.4, 1.0, 1.5, 4.0):
            target = (tuple(share * value for value in place), turn, configuration, (NO_AXIS,) * 6)
            T = unit.tool_pose_of(target, WOBJ0) @ np.linalg.inv(T_flange_controller)
            missed = arm.ik(T, seed=q, variants=True).unreachable
            error = "" if missed is None else "ERR_ROBLIMIT" if missed.kind == "limit" else "ERR_OUTSIDE_REACH"
            if missed is None:
                unit.solve(target, TOOL0, WOBJ0, configuration=model == "yumi", near=q)
            else:
                with pytest.raises(RapidFailure) as caught:
                    unit.solve(target, TOOL0, WOBJ0, configuration=model == "yumi", near=q)
                assert (caught.value.error, str(caught.value)) == (error, missed.reason)
            seen[error] += 1
    assert seen["ERR_OUTSIDE_REACH"]
    assert seen[""]
    assert seen["ERR_ROBLIMIT"] or model == "yumi"


@pytest.mark.parametrize("side", ["left", "right"])
def test_seven_axes_keep_their_arm_angle(side: str):
    unit = unit_of("yumi", side, "at work")
    arm = unit.arm.model.arm
    rng = np.random.default_rng(11)
    for q in rng.uniform(0.8 * arm.limits_lower, 0.8 * arm.limits_upper, (25, 7)):
        jointtarget = unit.jointtarget_of(q)
        assert [len(part) for part in jointtarget] == [6, 6]
        assert jointtarget[1][0] == pytest.approx(math.degrees(q[6]))
        assert jointtarget[1][1:] == (NO_AXIS,) * 5
        assert unit.joints_of(jointtarget) == pytest.approx(q)
        robtarget = unit.robtarget_of(q, GRIP, TABLE)
        assert robtarget[2] == (*(math.floor(q[axis] / (math.pi / 2)) for axis in (0, 3, 5)), 0)
        assert robtarget[3][0] == pytest.approx(math.degrees(arm_angle(arm, q)))
        # Whatever confdata says: the joints nearest to where the arm is.
        strange = (robtarget[0], robtarget[1], (3.0, -2.0, 1.0, 1011.0), robtarget[3])
        assert unit.solve(strange, GRIP, TABLE, configuration=True, near=q) == pytest.approx(q, abs=1e-6)


def test_an_arm_angle_out_of_reach_is_neared_and_one_that_is_not_given_is_free():
    unit = unit_of("yumi", "left", "at work")
    arm, q = unit.arm.model.arm, unit.arm.plant.q.copy()
    place, turn, configuration, outer = unit.robtarget_of(q, TOOL0, WOBJ0)
    free = unit.solve((place, turn, configuration, (NO_AXIS,) * 6), TOOL0, WOBJ0, configuration=True, near=q)
    assert free == pytest.approx(q, abs=1e-6)
    angles = [math.degrees(arm_angle(arm, one.q)) for one in arm.ik(arm.fk(q), seed=q, variants=True).solutions]
    beyond = next(
        wanted
        for wanted in range(-180, 180, 10)
        if not arm.ik(arm.fk(q), seed=q, arm_angle=math.radians(wanted)).solutions
    )
    target = (place, turn, configuration, (float(beyond), *outer[1:]))
    found = unit.solve(target, TOOL0, WOBJ0, configuration=True, near=q)
    aside = abs(math.remainder(math.degrees(arm_angle(arm, found)) - beyond, 360.0))
    assert aside == pytest.approx(min(abs(math.remainder(one - beyond, 360.0)) for one in angles), abs=0.5)
    T_off = np.linalg.inv(arm.fk(q)) @ arm.fk(found)
    assert np.abs(T_off[:3, 3]).max() < 1e-6
    assert np.abs(rotation_vector_from_matrix(T_off[:3, :3])).max() < 1e-6


def test_axis_7_must_be_given_and_be_in_its_limits():
    unit = unit_of("yumi", "right")
    for eax_a, said in ((NO_AXIS, "axis 7 is not given"), (170.0, "axis 7 at 170.0°")):
        with pytest.raises(RapidFailure, match=said) as caught:
            unit.joints_of(((0.0, -130.0, 30.0, 0.0, 40.0, 0.0), (eax_a, *(NO_AXIS,) * 5)))
        assert caught.value.error == "ERR_ROBLIMIT"
