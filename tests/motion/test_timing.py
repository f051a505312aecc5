"""The time law against TOPP-RA and ruckig, and joint moves that start and stop together."""

import math

import numpy as np
import pytest
import ruckig
import toppra
from motion_programs import ARMS, T_TOOL, arm_and_limits
from scipy.interpolate import BPoly

from openpendant.motion import MoveJoint, MoveLine, Speed, Trajectory, Zone, plan
from openpendant.spatial import translation

toppra.setup_logging("ERROR")


class SamePath(toppra.interpolator.AbstractGeometricPath):
    """The path of a trajectory, as TOPP-RA wants it."""

    def __init__(self, trajectory, first, last):
        cells = trajectory.cells[first:last]
        s = trajectory.knots[first : last + 1]
        self.s = s - s[0]
        h = np.diff(self.s)
        # Powers to Bernstein form: derivatives of scipy's piecewise polynomials are exact.
        to_bernstein = np.array([[math.comb(i, k) / math.comb(5, k) for k in range(6)] for i in range(6)])
        scaled = cells * h[:, None, None] ** np.arange(6)[None, :, None]
        self.poly = BPoly(np.einsum("ik,ckn->icn", to_bernstein, scaled), self.s)

    def __call__(self, s, order=0):
        return self.poly(s, nu=order)

    @property
    def dof(self):
        return self.poly.c.shape[2]

    @property
    def path_interval(self):
        return np.array([self.s[0], self.s[-1]])


def toppra_duration(trajectory, grid):
    limits = trajectory.limits
    velocity = toppra.constraint.JointVelocityConstraint(np.c_[-limits.velocity, limits.velocity])
    acceleration = toppra.constraint.JointAccelerationConstraint(np.c_[-limits.acceleration, limits.acceleration])
    path = SamePath(trajectory, 0, len(trajectory.cells))
    solver = toppra.algorithm.TOPPRA(
        [velocity, acceleration],
        path,
        gridpoints=np.unique(np.concatenate([grid, path.s])),
        solver_wrapper="seidel",
        parametrizer="ParametrizeConstAccel",
    )
    return solver.compute_trajectory(0, 0).duration


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("seed", range(3))
def test_without_jerk_limit_it_is_as_fast_as_toppra(name, seed):
    arm, limits, home = arm_and_limits(name)
    rng = np.random.default_rng(seed)
    moves = []
    for index in range(5):
        q = np.clip(home + rng.uniform(-0.6, 0.6, arm.dof), arm.limits_lower, arm.limits_upper)
        moves.append(MoveJoint(q, zone=Zone(0.0 if index == 4 else 0.03)))
    found = plan(arm, limits.scaled(jerk=math.inf), home, moves, T_TOOL)
    assert isinstance(found, Trajectory)
    assert max(found.worst_ratios()[:2]) <= 1.0
    samples = found.sample(0.0005)
    assert (np.abs(samples.qdd) <= limits.acceleration).all()
    assert (np.abs(samples.qd) <= limits.velocity).all()
    best = toppra_duration(found, np.linspace(0.0, found.knots[-1], 400))
    assert found.duration <= 1.05 * best
    assert found.duration >= 0.98 * best


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("far", [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0])
def test_a_joint_move_is_as_fast_as_ruckig(name, far):
    arm, limits, home = arm_and_limits(name)
    rng = np.random.default_rng(7)
    for _ in range(3):
        q = np.clip(home + rng.uniform(-far, far, arm.dof), arm.limits_lower, arm.limits_upper)
        found = plan(arm, limits, home, [MoveJoint(q)])
        asked = ruckig.InputParameter(arm.dof)
        asked.current_position, asked.target_position = home.tolist(), q.tolist()
        asked.max_velocity, asked.max_acceleration = limits.velocity.tolist(), limits.acceleration.tolist()
        asked.max_jerk = limits.jerk.tolist()
        asked.synchronization = ruckig.Synchronization.Phase
        best = ruckig.Trajectory(arm.dof)
        ruckig.Ruckig(arm.dof).calculate(asked, best)
        assert best.duration * 0.9999 <= found.duration <= best.duration * 1.001


@pytest.mark.parametrize("name", ARMS)
def test_all_joints_start_and_stop_together(name):
    arm, limits, home = arm_and_limits(name)
    q = np.clip(home + np.linspace(0.2, -0.4, arm.dof), arm.limits_lower, arm.limits_upper)
    trajectory = plan(arm, limits, home, [MoveJoint(q)])
    samples = trajectory.sample(0.002)
    fraction = (samples.q - home) / (q - home)
    assert np.abs(fraction - fraction[:, :1]).max() < 1e-9
    assert (np.diff(fraction[:, 0]) >= -1e-12).all()


@pytest.mark.parametrize("percent", [1.0, 10.0, 50.0, 100.0])
def test_percent_is_of_the_leading_joint(percent):
    arm, limits, home = arm_and_limits("rx90l")
    q = home + np.array([1.6, 0.1, 0.1, 0.0, 0.0, 0.2])
    trajectory = plan(arm, limits, home, [MoveJoint(q, Speed.from_percent(percent))])
    fastest = np.abs(trajectory.sample(0.004).qd).max(axis=0) / limits.velocity
    assert fastest.max() == pytest.approx(percent / 100.0, rel=2e-3)


def test_the_tool_keeps_the_speed_it_was_told():
    arm, limits, home = arm_and_limits("irb120")
    T = arm.fk(home)
    line = MoveLine(translation(0.0, 0.2, 0.0) @ T, Speed.from_mm_s(100.0))
    trajectory = plan(arm, limits, home, [line])
    speed = trajectory.tool_speed(np.linspace(0.5, trajectory.duration - 0.5, 100))
    assert speed.max() <= 0.1
    assert speed.min() > 0.0985
    places = arm.fk(trajectory.samples_at(np.linspace(0.0, trajectory.duration, 200)).q)[:, :3, 3]
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).sum() == pytest.approx(0.2, abs=1e-7)
