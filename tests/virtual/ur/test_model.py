"""The controller's own kinematics: published DH, calibrated specimens, get_inverse_kin and get_forward_kin."""

import math

import numpy as np
import pytest
from ur_brain import READY, dh_product, failure, make_brain, run, tick, words

from openpendant.errors import InputError
from openpendant.protocols.ur_primary import ConfigurationInfo, KinematicsInfo
from openpendant.spatial import transform_from_ur
from openpendant.virtual.ur import SpecimenCalibration, UrController, ur_model

# Universal Robots, "DH parameters for calculations of kinematics and dynamics": a, d, alpha.
UR3E = np.array(
    [
        [0, 0.15185, math.pi / 2],
        [-0.24355, 0, 0],
        [-0.2132, 0, 0],
        [0, 0.13105, math.pi / 2],
        [0, 0.08535, -math.pi / 2],
        [0, 0.0921, 0],
    ]
)
UR5E = np.array(
    [
        [0, 0.1625, math.pi / 2],
        [-0.425, 0, 0],
        [-0.3922, 0, 0],
        [0, 0.1333, math.pi / 2],
        [0, 0.0997, -math.pi / 2],
        [0, 0.0996, 0],
    ]
)
SAMPLES = np.random.default_rng(4).uniform(-3.0, 3.0, size=(12, 6))


def table(published: np.ndarray, calibration: SpecimenCalibration | None = None) -> np.ndarray:
    dh = np.column_stack([published, np.zeros(6)])
    if calibration is not None:
        deltas = (calibration.delta_a, calibration.delta_d, calibration.delta_alpha, calibration.delta_theta)
        dh = dh + np.array(deltas).T
    return dh


def pose_at(brain: UrController, q: np.ndarray) -> np.ndarray:
    brain.place_arm(q)
    brain.tick()
    return transform_from_ur(brain.read("actual_TCP_pose"))


@pytest.mark.parametrize(("model", "published"), [("ur3e", UR3E), ("ur5e", UR5E)])
def test_forward_kinematics_as_published(model: str, published: np.ndarray):
    brain = make_brain(model=model, power=False)
    for q in SAMPLES:
        T = dh_product(table(published), q)
        assert pose_at(brain, q) == pytest.approx(T, abs=1e-9)
        assert brain.read("target_TCP_pose")[:3] == pytest.approx(T[:3, 3], abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_a_calibrated_arm_is_where_its_own_table_says(seed: int):
    calibration = SpecimenCalibration.typical(seed)
    brain = make_brain(calibration=calibration, power=False)
    own, drawn = table(UR3E, calibration), table(UR3E)
    off = []
    for q in SAMPLES:
        T = dh_product(own, q)
        assert pose_at(brain, q) == pytest.approx(T, abs=1e-9)
        off.append(np.linalg.norm(T[:3, 3] - dh_product(drawn, q)[:3, 3]))
    assert 2e-4 < np.mean(off) < 5e-3


def test_frames_far_along_parallel_axes_mean_the_same_arm():
    """Real calibrations slide the frames of shoulder and elbow by metres that cancel."""
    calibration = SpecimenCalibration(
        delta_d=(1e-4, 12.3, -12.0, -0.3, 0, 0),
        delta_alpha=(2e-4, 3e-5, -2e-5, 1e-4, 0, 0),
        delta_theta=(1e-6, 0.01, -0.02, 0.01, 0, 0),
    )
    brain = make_brain(calibration=calibration)
    q = np.array(brain.read("target_q"))
    assert transform_from_ur(brain.read("target_TCP_pose")) == pytest.approx(
        dh_product(table(UR3E, calibration), q), abs=1e-9
    )
    run(brain, "movel(pose_add(get_target_tcp_pose(), p[0, 0.05, 0, 0, 0, 0]))")
    after = dh_product(table(UR3E, calibration), np.array(brain.read("target_q")))
    before = dh_product(table(UR3E, calibration), q)
    assert after[:3, 3] - before[:3, 3] == pytest.approx([0, 0.05, 0], abs=1e-7)


@pytest.mark.parametrize("calibration", [None, SpecimenCalibration.typical(3)])
def test_the_kinematics_package_tells_the_calibrated_table(calibration: SpecimenCalibration | None):
    brain = make_brain(calibration=calibration)
    packages = brain.primary_state()
    own = next(package for package in packages if isinstance(package, KinematicsInfo))
    drawn = next(package for package in packages if isinstance(package, ConfigurationInfo))
    told = np.column_stack([own.dh_a, own.dh_d, own.dh_alpha, own.dh_theta])
    assert told == pytest.approx(table(UR3E, calibration), abs=1e-12)
    assert np.column_stack([drawn.dh_a, drawn.dh_d, drawn.dh_alpha]) == pytest.approx(UR3E, abs=1e-12)
    assert own.calibration_status == (0 if calibration is None else 1)
    assert SpecimenCalibration.typical(3).checksum != SpecimenCalibration.typical(4).checksum


@pytest.mark.parametrize("calibration", [None, SpecimenCalibration.typical(1)])
def test_inverse_kinematics_gives_back_what_forward_took(calibration: SpecimenCalibration | None):
    brain = make_brain(calibration=calibration)
    for q in SAMPLES[:6]:
        told = run(
            brain,
            f"""
            q = {q.tolist()}
            x = get_forward_kin(q)
            r = get_inverse_kin(x, qnear=q)
            i = 0
            while i < 6:
              write_output_float_register(i, r[i] - q[i])
              i = i + 1
            end
            textmsg(get_inverse_kin_has_solution(x))
            """,
        )
        assert words(told) == ["True"]
        assert [brain.read(f"output_double_register_{n}") for n in range(6)] == pytest.approx([0] * 6, abs=1e-6)


def test_kinematics_with_another_tool():
    brain = make_brain()
    told = run(
        brain,
        """
        q = get_target_joint_positions()
        tool = p[0, 0, 0.2, 0.1, 0, 0]
        a = get_forward_kin(q, tool)
        b = pose_trans(get_forward_kin(q), tool)
        textmsg(pose_dist(a, b) < 0.000001)
        r = get_inverse_kin(a, q, tcp=tool)
        textmsg(norm(r[1] - q[1]) < 0.000001)
        set_tcp(tool)
        sync()
        textmsg(pose_dist(get_target_tcp_pose(), a) < 0.000001)
        textmsg(pose_dist(get_actual_tool_flange_pose(), get_forward_kin(q, p[0, 0, 0, 0, 0, 0])) < 0.000001)
        textmsg(pose_dist(get_forward_kin(), get_actual_tcp_pose()) < 0.000001)
        """,
    )
    assert words(told) == ["True"] * 5


def test_poses_out_of_reach():
    brain = make_brain()
    told = run(
        brain,
        """
        textmsg(get_inverse_kin_has_solution(p[2, 0, 0, 0, 0, 0]))
        textmsg(is_within_safety_limits(p[2, 0, 0, 0, 0, 0]))
        textmsg(is_within_safety_limits(get_target_tcp_pose()))
        textmsg(is_within_safety_limits([0, -1, 1, 0, 0, 30]))
        textmsg(is_within_safety_limits([0, -1, 7, 0, 0, 0]))
        """,
    )
    assert words(told) == ["False", "False", "True", "True", "False"]
    assert "unable to find" in failure(make_brain(), "get_inverse_kin(p[2, 0, 0, 0, 0, 0])")


def test_the_last_joint_keeps_its_turn():
    brain = make_brain(start_q=(*READY[:5], 20.0))
    run(brain, "movej(pose_trans(get_target_tcp_pose(), p[0, 0, 0.01, 0, 0, 0.1]))")
    assert brain.read("target_q")[5] == pytest.approx(20.1, abs=0.05)


def test_the_elbow_is_told():
    brain = make_brain()
    tick(brain, 1)
    q = np.array(READY)
    elbow = dh_product(table(UR3E)[:2], q[:2])[:3, 3]
    assert brain.read("elbow_position") == pytest.approx(elbow, abs=1e-6)


def test_bad_calibrations_are_refused():
    with pytest.raises(InputError, match="six finite numbers"):
        SpecimenCalibration(delta_a=(1, 2, 3))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="six finite numbers"):
        SpecimenCalibration(delta_d=(math.nan,) * 6)
    assert ur_model("ur3e", SpecimenCalibration.typical(0)).calibration == SpecimenCalibration.typical(0)
