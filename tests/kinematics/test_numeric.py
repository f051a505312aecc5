"""The numeric solver: success, exactness, restarts, limits; for arms of any number of joints."""

import importlib
import math

import arms
import numpy as np
import oracles
import pytest
import sets
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from openpendant.errors import InputError
from openpendant.kinematics import Chain, forward, make_solver
from openpendant.kinematics.numeric import NumericSolver


def inside(chain: Chain, Q: np.ndarray) -> np.ndarray:
    return ((chain.lower - 1e-9 <= Q) & (chain.upper + 1e-9 >= Q)).all(axis=-1)


@pytest.mark.parametrize("side", ["yumi_left", "yumi_right"])
def test_a_hundred_thousand_poses_of_yumi_close(side: str) -> None:
    """Half of them with the seed far away, half with one close by."""
    chain = arms.ALL[side]
    joints = sets.random_joints(chain, 100_000, 30)
    poses = forward(chain, joints)
    seeds = np.clip(joints + np.random.default_rng(31).normal(0.0, 0.05, joints.shape), chain.lower, chain.upper)
    seeds[::2] = np.clip(0.1, chain.lower, chain.upper)
    Q, mask = make_solver(chain).solve(poses, seeds)
    assert (~mask).sum() <= 0.0005 * len(joints)
    found = Q[mask]
    assert np.abs(forward(chain, found) - poses[mask[:, 0]]).max() < 1e-9
    assert inside(chain, found).all()


@pytest.mark.parametrize("side", ["left", "right"])
def test_yumi_has_solutions_exactly_where_ssik_has(side: str) -> None:
    """Random poses in front of the robot, about a third of them out of reach."""
    chain = arms.ALL[f"yumi_{side}"]
    theirs = importlib.import_module(f"ssik.prebuilt.abb.yumi_{side}_ik")
    rng = np.random.default_rng(32)
    solver = make_solver(chain)
    counts = {True: 0, False: 0}
    for _ in range(80):
        T = np.eye(4)
        T[:3, :3] = Rotation.random(random_state=rng).as_matrix()
        T[:3, 3] = rng.uniform((0.1, -0.5, -0.1), (0.6, 0.5, 0.7))
        solutions = theirs.solve(T, respect_limits=True)
        for solution in solutions[:1]:
            q = np.empty(7)
            q[chain.order] = np.asarray(solution.q)
            np.testing.assert_allclose(forward(chain, q), T, atol=1e-9)
        Q, mask = solver.solve(T)
        assert bool(mask[0]) == bool(solutions)
        counts[bool(mask[0])] += 1
        if mask[0]:
            assert np.abs(forward(chain, Q[0]) - T).max() < 1e-9
    assert min(counts.values()) > 10


def test_the_same_question_gets_the_same_answer() -> None:
    chain = arms.YUMI_LEFT
    poses = forward(chain, sets.random_joints(chain, 20, 33))
    first, _ = NumericSolver(chain).solve(poses)
    second, _ = NumericSolver(chain).solve(poses)
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", ["irb120", "ur3e"])
def test_many_starts_find_the_branches_of_a_six_axis_arm(name: str) -> None:
    chain = arms.ALL[name]
    numeric, closed = NumericSolver(chain), make_solver(chain)
    found = wanted = 0
    for q in sets.random_joints(chain, 60, 34):
        T = forward(chain, q)
        Q, mask = numeric.solve(T, q)
        assert np.abs(forward(chain, Q[mask]) - T).max() < 1e-10
        assert np.abs(Q[mask] - q).max(axis=1).min() < 1e-6
        exact, exact_mask = closed.solve(T, q)
        for row in exact[exact_mask]:
            wanted += 1
            found += oracles.among(row, Q[mask], 1e-5)
        for row in Q[mask]:
            assert oracles.among(row, exact[exact_mask], 1e-5)
    assert found > 0.97 * wanted


def general_six_axis_arm(rng: np.random.Generator) -> Chain:
    """An arm with axes in general position: no closed form fits."""
    placements = []
    for _ in range(6):
        T = np.eye(4)
        T[:3, :3] = Rotation.random(random_state=rng).as_matrix()
        T[:3, 3] = rng.uniform(-0.3, 0.3, 3)
        placements.append(T)
    return arms.chain(arms.SIX, placements, [arms.Z] * 6, [(-170, 170)] * 6, arms.place((0.1, 0, 0.1)))


@settings(max_examples=25)
@example(809)  # found by the 101st to 200th start only
@given(st.integers(0, 10_000))
def test_arms_in_general_position(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = general_six_axis_arm(rng)
    solver = make_solver(chain)
    assert isinstance(solver, NumericSolver)
    q = rng.uniform(chain.lower, chain.upper)
    T = forward(chain, q)
    Q, mask = solver.solve(T)
    assert mask.any()
    assert np.abs(forward(chain, Q[mask]) - T).max() < 1e-9
    assert inside(chain, Q[mask]).all()
    assert np.isnan(Q[~mask]).all()


@pytest.mark.parametrize("joints", [1, 2, 3, 4, 5, 8, 9])
def test_arms_of_any_number_of_joints(joints: int) -> None:
    rng = np.random.default_rng(35)
    placements = [arms.place((0.1, 0.05, 0.2), tuple(rng.uniform(-1.5, 1.5, 3))) for _ in range(joints)]
    chain = arms.chain(
        [f"j{i}" for i in range(joints)], placements, [arms.Z] * joints, [(-120, 120)] * joints, arms.place((0, 0, 0.1))
    )
    solver = make_solver(chain)
    for q in sets.random_joints(chain, 20, 36):
        T = forward(chain, q)
        Q, mask = solver.solve(T, q + 0.01)
        assert mask.any()
        assert np.abs(forward(chain, Q[mask]) - T).max() < 1e-9


def test_a_gantry_with_sliding_joints() -> None:
    """Three slides and a wrist: a sliding joint is never turned by 2 pi."""
    chain = Chain(
        names=("x", "y", "z", "a", "b", "c"),
        order=np.arange(6),
        T_parent_joint=np.array([np.eye(4)] * 6),
        axis=np.array([arms.X, arms.Y, arms.Z, arms.Z, arms.Y, arms.Z]),
        prismatic=np.array([True] * 3 + [False] * 3),
        T_last_flange=arms.place((0.0, 0.0, 0.1)),
        lower=np.array([0.0, 0.0, 0.0, -3.0, -2.0, -3.0]),
        upper=np.array([10.0, 10.0, 2.0, 3.0, 2.0, 3.0]),
    )
    solver = make_solver(chain)
    for q in sets.random_joints(chain, 30, 37):
        T = forward(chain, q)
        Q, mask = solver.solve(T, np.array([9.0, 9.0, 1.0, 0.1, 0.1, 0.1]))
        assert mask.any()
        assert inside(chain, Q[mask]).all()
        assert np.abs(Q[mask][:, :3] - q[:3]).max() < 1e-9


def test_a_joint_at_its_limit_is_found() -> None:
    chain = arms.YUMI_LEFT
    solver = make_solver(chain)
    for q in sets.at_limits(chain, 200, 38):
        T = forward(chain, q)
        Q, mask = solver.solve(T, np.clip(q + 0.03, chain.lower, chain.upper))
        assert mask.all()
        assert inside(chain, Q).all()
        assert np.abs(forward(chain, Q[0]) - T).max() < 1e-9


def test_rounded_rotations_are_met_as_the_rotation_they_mean() -> None:
    chain = arms.YUMI_LEFT
    T = np.round(forward(chain, sets.random_joints(chain, 1, 39)[0]), 6)
    Q, mask = make_solver(chain).solve(T)
    assert mask.all()
    assert np.abs(forward(chain, Q[0]) - T).max() < 5e-6


def test_what_is_no_pose_or_no_seed_is_refused() -> None:
    solver = make_solver(arms.YUMI_LEFT)
    good = forward(arms.YUMI_LEFT, np.zeros(7))
    for bad in (good * 2.0, np.full((4, 4), math.nan), np.eye(3)):
        with pytest.raises(InputError):
            solver.solve(bad)
    with pytest.raises(InputError, match=r"T\[1\]"):
        solver.solve(np.array([good, 2.0 * good]))
    with pytest.raises(InputError, match="seed has shape"):
        solver.solve(good, np.zeros(6))
    with pytest.raises(InputError, match="seed contains inf"):
        solver.solve(good, np.full(7, math.inf))
    many = arms.chain([str(i) for i in range(30)], [np.eye(4)] * 30, [arms.Z] * 30, [(-1, 1)] * 30, np.eye(4))
    with pytest.raises(InputError, match="up to 26"):
        make_solver(many)
