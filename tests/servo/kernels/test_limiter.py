"""Whatever is asked, no joint leaves its limits of position, velocity, acceleration or jerk."""

import numpy as np
import pytest
from streams import every_arm, play, random_posture, random_stream, singular_postures, worst_ratios

from openpendant.servo import Servo, ServoSettings
from openpendant.servo.kernels.limiter import advance, bounds, stop_span, stopping_room

ARMS = every_arm()
TICKS = (0.002, 0.004, 0.004032, 0.016)


def check_stream(seed: int, seconds: float) -> None:
    rng = np.random.default_rng(seed)
    case = ARMS[seed % len(ARMS)]
    dt = TICKS[rng.integers(len(TICKS))]
    keep = ("position", "rotation", "both")[rng.integers(3)]
    servo = Servo(case.arm, case.limits, dt, settings=ServoSettings(keep=keep))
    starts = list(singular_postures(case).values())
    at_singularity = rng.random() < 0.5
    q = starts[rng.integers(len(starts))] if at_singularity else random_posture(case, rng)
    servo.reset(q.clip(case.limits.lower, case.limits.upper))
    Q = play(servo, random_stream(case, rng, seconds, dt))
    velocity, acceleration, jerk, beyond = worst_ratios(Q, case.limits, dt)
    assert velocity <= 1.0 + 1e-9, (seed, case.name)
    assert acceleration <= 1.0 + 1e-7, (seed, case.name)
    assert jerk <= 1.0 + 1e-5, (seed, case.name)
    assert beyond <= 0.0, (seed, case.name)


@pytest.mark.parametrize("part", range(8))
def test_two_hundred_random_streams(part: int):
    for seed in range(25 * part, 25 * part + 25):
        check_stream(seed, 1.5)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_random_streams(part: int):
    for seed in range(1000 + 500 * part, 1500 + 500 * part):
        check_stream(seed, 4.0)


def test_a_joint_never_gets_where_it_cannot_stop():
    """One joint alone, ten thousand random wishes each in ranges from 0.01 to 6 rad."""
    V, A, J, dt = 3.0, 12.0, 240.0, 0.004
    rng = np.random.default_rng(5)
    for width in (0.01, 0.3, 6.0):
        limits = np.array([[-width / 2], [width / 2], [V], [A], [J]])
        rooms = np.array([stopping_room(V, A, J, dt)])
        q, v, a, box = 0.0, 0.0, 0.0, np.empty((2, 1))
        for _ in range(3000):
            wish = rng.uniform(-1.5 * V, 1.5 * V) if rng.random() < 0.2 else rng.choice([-V, V])
            for _ in range(rng.integers(1, 8)):
                bounds(np.array([q]), np.array([v]), np.array([a]), limits, rooms, dt, box)
                assert box[0, 0] <= 0.0 <= box[1, 0]
                way, v, a, low, high = advance(v, a, min(max(wish, box[0, 0]), box[1, 0]), A, J, dt)
                assert -width / 2 <= q + low
                assert q + high <= width / 2
                q += way
                assert abs(v) <= V
                assert abs(a) <= A


def test_stopping_is_what_it_says():
    low, high = stop_span(2.0, 0.0, 10.0, 200.0)
    v, a, x, top = 2.0, 0.0, 0.0, 0.0
    for _ in range(4000):
        way, v, a, _, _ = advance(v, a, 0.0, 10.0, 200.0, 1e-4)
        x += way
        top = max(top, x)
    assert (v, a) == (0.0, 0.0)
    assert high == pytest.approx(top, abs=1e-9)
    assert low == 0.0


@pytest.mark.parametrize("case", ARMS, ids=lambda c: c.name)
def test_reset_beyond_a_limit_or_too_fast_comes_back_to_rest(case):
    servo = Servo(case.arm, case.limits, 0.004)
    q = np.where(np.isfinite(case.limits.upper), case.limits.upper + 1e-4, 0.0)
    servo.reset(q, 2.0 * case.limits.velocity)
    for tick in range(400):
        step = servo.step(tick * 4_000_000)
        assert (np.abs(step.qd) <= case.limits.velocity).all()
    assert not step.moving
