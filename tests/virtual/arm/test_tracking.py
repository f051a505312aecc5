"""The arm behind the drives: lag, noise, elasticity, moments, and the report of its deviation."""

import numpy as np
import pytest
from ur_brain import READY, Tracer, make_brain, run, start, tick

from openpendant.errors import InputError
from openpendant.virtual.ur import Tracking, UrController

LINE = "movel(pose_add(get_target_tcp_pose(), p[0, 0.15, 0, 0, 0, 0]), v=0.25, a=1.2)"


def test_joints_are_late_by_what_the_drives_lack():
    tracking = Tracking(frequency_hz=10.0, damping=1.0, feed_forward=0.5, noise=0.0)
    brain = make_brain(tracking=tracking)
    start(brain, "speedj([0.5, 0, 0, 0, 0, 0], 2, 2)")
    tick(brain, 900)
    late = (brain.read("target_q")[0] - brain.read("actual_q")[0]) / 0.5
    assert late == pytest.approx(2.0 * (1.0 - 0.5) / (2.0 * np.pi * 10.0), abs=1e-6)
    assert brain.read("actual_qd")[0] == pytest.approx(0.5, abs=1e-6)


def test_an_arm_at_rest_reaches_its_target():
    brain = make_brain()
    run(brain, LINE)
    tick(brain, 500)
    assert brain.read("actual_q") == pytest.approx(brain.read("target_q"), abs=1e-9)
    assert np.abs(brain.read("actual_qd")).max() < 1e-7


def samples(brain: UrController) -> np.ndarray:
    rows = []
    for _ in range(500):
        brain.tick()
        rows.append(brain.read("actual_q"))
    return np.array(rows)


def test_noise_has_its_size_and_its_seed():
    one, two, other = (make_brain(tracking=Tracking(noise=1.0), seed=seed) for seed in (7, 7, 8))
    a, b, c = samples(one), samples(two), samples(other)
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)
    assert (a - READY).std() == pytest.approx(1e-5, rel=0.1)
    loud = samples(make_brain(tracking=Tracking(noise=10.0)))
    assert (loud - READY).std() == pytest.approx(1e-4, rel=0.1)
    assert np.ptp(samples(make_brain()), axis=0).max() == 0.0


def test_a_soft_arm_swings_and_hangs_through():
    soft = make_brain(tracking=Tracking(noise=0.0, elastic_hz=8.0, sag_rad_per_nm=2e-4))
    stiff = make_brain()
    for brain in (soft, stiff):
        run(brain, "movej([1.0, -1.4, 1.7, -1.9, -1.57, 0], a=6, v=2)")
    after = [Tracer(brain) for brain in (soft, stiff)]
    for trace in after:
        trace.tick(400)
    swing = [np.ptp(np.array(trace.rows)[:, 12], axis=0) for trace in after]
    assert swing[0] > 10.0 * swing[1]
    # It comes to rest where the springs hold the weight.
    tick(soft, 3000)
    sag = np.array(soft.read("target_q")) - soft.read("actual_q")
    assert sag[1] == pytest.approx(2e-4 * soft.read("target_moment")[1], rel=0.01)
    assert soft.deviation().largest_m > 2.0 * stiff.deviation().largest_m


def test_the_deviation_is_reported_along_and_across_the_path():
    brain = make_brain()
    run(brain, LINE)
    told = brain.deviation()
    assert told.ticks > 300
    assert 1e-4 < told.largest_m < 2e-3
    assert told.mean_m < told.largest_m
    assert told.largest_cross_m < told.largest_m
    lag = make_brain(tracking=Tracking(noise=0.0, frequency_hz=5.0, feed_forward=0.0))
    run(lag, LINE)
    assert lag.deviation().largest_m > 10.0 * told.largest_m
    run(brain, "sleep(0.01)")
    assert brain.deviation().ticks == 0


def test_moments_hold_the_arm_and_its_payload():
    brain = make_brain(start_q=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    tick(brain, 2)
    bare = np.array(brain.read("target_moment"))
    run(brain, "set_payload(2.0, [0, 0, 0.05])")
    tick(brain, 2)
    loaded = np.array(brain.read("target_moment"))
    # Stretched out along -x: 2 kg at 0.457 m from the shoulder.
    assert abs(loaded[1] - bare[1]) == pytest.approx(2.0 * 9.82 * 0.45675, rel=0.05)
    assert abs(loaded[0]) < 1e-9
    assert brain.read("payload") == 2.0
    assert brain.read("payload_cog") == (0.0, 0.0, 0.05)
    assert np.abs(brain.read("actual_current")).max() > 1.0


def test_payload_gravity_and_force_sensor_are_reported():
    brain = make_brain()
    run(
        brain,
        """
        set_tcp(p[0, 0, 0.1, 0, 0, 0])
        set_payload(1.5)
        set_target_payload(1.0, [0, 0, 0.02], [0.1, 0.1, 0.1, 0, 0, 0])
        set_payload_mass(1.2)
        set_payload_cog([0.01, 0, 0.02])
        set_gravity([0, 9.82, 0])
        """,
    )
    assert brain.read("payload") == 1.2
    assert brain.read("payload_cog") == (0.01, 0.0, 0.02)
    assert brain.read("payload_inertia") == (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)
    assert brain.read("target_gravity") == (0.0, 9.82, 0.0)
    brain.push_tool([0, 0, 10, 0, 0, 0])
    tick(brain, 1)
    assert brain.read("actual_TCP_force") == pytest.approx((0, 0, 10, 0, 0, 0))
    assert brain.read("tcp_force_scalar") == pytest.approx(10.0)
    run(brain, "zero_ftsensor()")
    tick(brain, 1)
    assert brain.read("actual_TCP_force") == pytest.approx((0, 0, 0, 0, 0, 0))


def test_an_arm_that_cannot_follow_stops():
    brain = make_brain(tracking=Tracking(frequency_hz=1.0, feed_forward=0.0, noise=0.0))
    start(brain, "movej([2, -1.4, 1.7, -1.9, -1.57, 0], a=5, v=2)")
    tick(brain, 300)
    assert brain.dashboard("safetymode") == "Safetymode: PROTECTIVE_STOP"
    codes = [message.title for message in brain.messages() if hasattr(message, "level")]
    assert codes == ["C153A0"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"frequency_hz": 0.0},
        {"damping": -1.0},
        {"feed_forward": 1.5},
        {"noise": float("nan")},
        {"elastic_hz": 0.0},
        {"sag_rad_per_nm": -1.0},
    ],
)
def test_impossible_tracking_is_refused(wrong: dict[str, float]):
    with pytest.raises(InputError):
        Tracking(**wrong)
    with pytest.raises(InputError):
        make_brain().push_tool([1, 2, 3])
