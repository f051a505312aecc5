"""Whatever is wanted, what is sent keeps the limits of the arm; and a stop can always be made."""

import numpy as np
import pytest
from gating import ARMS, DT, Stand, stand, worst
from hypothesis import given, settings
from hypothesis import strategies as st

from openpendant import robots
from openpendant.gate import Allowed, Held
from openpendant.kinematics import forward
from openpendant.motion import MoveJoint, joint_limits, plan


def keeps_limits(made: Stand) -> None:
    shares = worst(made.facts, made.rows)
    assert shares["beyond"] <= 1e-9, shares
    for what in ("velocity", "acceleration", "jerk"):
        assert shares[what] <= 1.0 + 1e-4, shares


def wild(made: Stand, rng: np.random.Generator, ticks: int) -> None:
    """Setpoints that no arm can follow: jumps, bursts, silence, old ones, no numbers, clocks that jump."""
    made.clutch_in()
    velocity, n = made.facts.limits.velocity, len(made.q)
    q = made.q
    stamp = None
    for _ in range(ticks):
        kind = rng.integers(12)
        if kind <= 3:
            q = made.q + rng.normal(size=n) * velocity * 0.1
        elif kind <= 6:
            q = q + np.sign(rng.normal(size=n)) * velocity * DT
        elif kind == 7:
            q = made.q + rng.normal(size=n) * 10.0
        elif kind == 8:
            made.silence(int(rng.integers(1, 40)))
        elif kind == 9:
            stamp = made.now_ns + int(rng.normal() * 3e8)
        elif kind == 10:
            q = np.where(rng.random(n) < 0.3, rng.choice([np.nan, np.inf, -np.inf]), q)
        for _ in range(int(rng.integers(1, 30))):
            answer = made.setpoint(q, stamp)
            if isinstance(answer, Held) and answer.latched:
                made.until_rest()
                made.clutch_in()
                q = made.q
        stamp = None
    made.gate.stop("enough")
    made.until_rest()


@pytest.mark.parametrize(("name", "arm"), ARMS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=12)
def test_whatever_comes_the_limits_are_kept(name: str, arm: str, seed: int):
    rng = np.random.default_rng(seed)
    robot = robots.load(name)
    lower, upper = (np.clip(bound, -6.0, 6.0) for bound in (robot.arm(arm).limits_lower, robot.arm(arm).limits_upper))
    made = stand(name, arm, q=rng.uniform(lower, upper))
    wild(made, rng, 25)
    keeps_limits(made)


@pytest.mark.parametrize(("name", "arm"), ARMS)
def test_what_was_planned_passes_as_it_is(name: str, arm: str):
    robot = robots.load(name)
    made = stand(name, arm)
    made.clutch_in()
    limits = joint_limits(robot, arm)
    q = np.clip(made.q + 0.5, limits.lower + 0.1, limits.upper - 0.1)
    path = plan(robot.arm(arm), limits, made.q, [MoveJoint(q)])
    Q = path.samples_at(np.arange(1, int(path.duration / DT) + 2) * DT).q
    for row in Q:
        answer = made.setpoint(row)
        assert isinstance(answer, Allowed)
        assert np.abs(answer.q - row).max() < 2e-5
    made.silence(10)
    assert np.abs(made.q - q).max() < 1e-6


def test_a_far_setpoint_is_reached_as_fast_as_the_limits_allow_and_not_overshot():
    made = stand()
    made.clutch_in()
    target = made.q + 0.25 * made.facts.limits.velocity
    answer = made.setpoint(target)
    assert isinstance(answer, Allowed)
    assert answer.slowed
    for _ in range(400):
        answer = made.setpoint(target)
    assert not answer.slowed
    rows = np.array(made.rows)
    assert np.abs(rows[-1] - target).max() < 1e-4
    assert (rows - target).max() < 1e-3
    keeps_limits(made)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_limit_is_approached_only_as_fast_as_the_joint_can_stop(side: float):
    made = stand("irb120", q=np.zeros(6))
    made.clutch_in()
    v = made.facts.limits.velocity
    for _ in range(1200):
        answer = made.setpoint(made.q + side * 0.2 * v)
        assert isinstance(answer, Allowed)
    limits = made.facts.limits
    edge = limits.upper if side > 0 else limits.lower
    assert np.abs(made.q - edge).max() < 1e-3
    rows = np.array(made.rows)
    qd = np.abs(np.diff(rows, axis=0)) / DT
    room = np.abs(edge - rows[:-1])
    most = limits.stop.deceleration
    assert (qd <= np.sqrt(2.0 * most * room) + most * DT).all()
    keeps_limits(made)


def test_a_joint_that_is_measured_beyond_its_limit_may_only_come_back():
    made = stand("irb120", q=[3.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    upper = made.facts.limits.upper[0]
    assert upper < 3.0
    made.clutch_in()
    for _ in range(100):
        made.setpoint(made.q + 0.5 * np.eye(6)[0])
    assert made.q[0] <= 3.0 + 1e-9
    for _ in range(400):
        made.setpoint(made.q - 0.3 * np.eye(6)[0])
    assert made.q[0] < upper


@pytest.mark.parametrize(("name", "arm"), ARMS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=6)
def test_the_tool_keeps_to_its_speed(name: str, arm: str, seed: int):
    rng = np.random.default_rng(seed)
    made = stand(name, arm, tool_speed_m_s=0.6)
    if seed % 2:
        made.gate.reduced = True
    allowed = 0.25 if seed % 2 else 0.6
    made.clutch_in()
    v = rng.normal(size=len(made.q)) * made.facts.limits.velocity
    slowed = False
    for k in range(300):
        if k % 60 == 0:
            v = rng.normal(size=len(made.q)) * made.facts.limits.velocity
        answer = made.setpoint(made.q + np.clip(v * 0.08, -0.25, 0.25))
        slowed |= isinstance(answer, Allowed) and "m/s" in answer.why
    T = forward(made.facts.chain, np.array(made.rows)) @ made.facts.T_flange_tool
    speed = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1) / DT
    assert speed.max() <= 1.01 * allowed
    assert slowed
    keeps_limits(made)


def test_reduced_speed_begins_while_the_arm_moves():
    made = stand()
    made.clutch_in()
    step = np.array([1.0, 0, 0, 0, 0, 0])
    for _ in range(150):
        made.setpoint(made.q + 0.2 * step)
    fast = np.linalg.norm(np.diff((forward(made.facts.chain, np.array(made.rows[-2:])))[:, :3, 3], axis=0)) / DT
    assert fast > 0.5
    made.gate.reduced = True
    for _ in range(150):
        made.setpoint(made.q + 0.2 * step)
    slow = np.linalg.norm(np.diff((forward(made.facts.chain, np.array(made.rows[-2:])))[:, :3, 3], axis=0)) / DT
    assert 0.2 < slow <= 0.25
    keeps_limits(made)
