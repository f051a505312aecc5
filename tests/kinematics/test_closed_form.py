"""The closed forms: exact, complete against solvers of others, and choosable for any way to draw the same arm."""

import math

import arms
import numpy as np
import oracles
import pytest
import sets
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from ur_analytic_ik import ur3e as ur_analytic

from openpendant.errors import InputError
from openpendant.kinematics import Chain, forward, make_solver

SIX = {name: arms.ALL[name] for name in ("irb120", "rx90l", "ur3e")}
CHAINS = pytest.mark.parametrize("name", SIX)


def inside(chain: Chain, Q: np.ndarray) -> np.ndarray:
    return ((chain.lower - 1e-9 <= Q) & (chain.upper + 1e-9 >= Q)).all(axis=-1)


def endless(chain: Chain) -> Chain:
    """Return the same arm without joint limits."""
    free = np.full(chain.dof, math.inf)
    return Chain(
        chain.names, chain.order, chain.T_parent_joint, chain.axis, chain.prismatic, chain.T_last_flange, -free, free
    )


def test_the_geometry_chooses_the_form() -> None:
    titles = {name: make_solver(chain).title for name, chain in arms.ALL.items()}
    assert titles == {
        "irb120": "closed form, spherical wrist",
        "rx90l": "closed form, spherical wrist",
        "ur3e": "closed form, three parallel axes",
        "yumi_left": "numeric, damped least squares with restarts",
        "yumi_right": "numeric, damped least squares with restarts",
    }


@CHAINS
def test_a_hundred_thousand_poses_close(name: str) -> None:
    chain = SIX[name]
    joints = sets.random_joints(chain, 100_000, 10)
    poses = forward(chain, joints)
    Q, mask = make_solver(chain).solve(poses, joints)
    assert mask.any(axis=1).all()
    back = forward(chain, Q[mask])
    assert np.abs(back - np.repeat(poses, mask.sum(axis=1), axis=0)).max() < 1e-11
    assert inside(chain, Q[mask]).all()
    # The source is among the answers, in its own turn of each joint: it was the seed.
    missing = np.where(mask, np.abs(Q - joints[:, None]).max(axis=2), math.inf).min(axis=1)
    assert missing.max() < 1e-5


@CHAINS
def test_rows_outside_the_mask_are_solutions_beyond_a_limit_or_nothing(name: str) -> None:
    chain = SIX[name]
    poses = forward(chain, sets.random_joints(chain, 2000, 11))
    Q, mask = make_solver(chain).solve(poses)
    exists = np.isfinite(Q).all(axis=2)
    assert (np.isnan(Q).all(axis=2) | exists).all()
    assert (inside(chain, Q) == mask).all()
    assert np.abs(forward(chain, Q[exists]) - np.repeat(poses, exists.sum(axis=1), axis=0)).max() < 1e-11


@CHAINS
@pytest.mark.parametrize("where", ["random", "at limits"])
def test_no_branch_is_missing_against_eaik(name: str, where: str) -> None:
    chain = SIX[name]
    oracle = oracles.Eaik(chain)
    solver = make_solver(endless(chain))
    joints = sets.random_joints(chain, 400, 12) if where == "random" else sets.at_limits(chain, 400, 13)
    theirs = 0
    for q in joints:
        T = forward(chain, q)
        Q, mask = solver.solve(T, q)
        for row in oracle.solve(T):
            if np.abs(forward(chain, row) - T).max() < 1e-6:
                theirs += 1
                # Near a double root a residual of 1e-6 is an angle of 1e-3.
                assert oracles.among(row, Q[mask], 3e-3), f"{row} is missing for {q}"
    assert theirs > 4 * len(joints)


def test_no_branch_is_missing_against_ur_analytic_ik() -> None:
    chain = arms.UR3E
    solver = make_solver(endless(chain))
    joints = np.vstack([sets.random_joints(chain, 300, 14), sets.at_limits(chain, 100, 15)])
    theirs = 0
    for q in joints:
        # That solver's flange is the same frame; its base is the vendor's.
        T = forward(chain, q)
        np.testing.assert_allclose(ur_analytic.forward_kinematics(*q), T, atol=1e-12)
        Q, mask = solver.solve(T, q)
        for row in ur_analytic.inverse_kinematics(np.ascontiguousarray(T)):
            # A limit of axis 5 is a whole turn from zero, where axis 6 is free: any row is as good as theirs.
            if np.abs(forward(chain, row) - T).max() < 1e-6 and abs(math.sin(row[4])) > 1e-4:
                theirs += 1
                assert oracles.among(np.asarray(row), Q[mask], 3e-3)
    assert theirs > 5 * len(joints)


@pytest.mark.parametrize("off", [1e-4, -1e-4, 1e-6, 1e-9, 0.0])
@pytest.mark.parametrize(("name", "kind"), sets.SINGULAR)
def test_exact_at_and_around_singularities(name: str, kind: str, off: float) -> None:
    if off < 0.0 and kind == "elbow folded":
        off = -off
    if kind == "elbow folded":
        off = -off  # beyond pi is beyond the limit
    chain = SIX[name]
    joints = sets.near_singular(name, kind, off, 100, 16)
    solver = make_solver(chain)
    for q in joints:
        T = forward(chain, q)
        Q, mask = solver.solve(T, q)
        assert mask.any()
        assert np.abs(forward(chain, Q[mask]) - T).max() < 1e-11
        assert np.abs(Q[mask] - q).max(axis=1).min() < 1e-5, f"source {q} not among the answers"


@pytest.mark.parametrize(("name", "kind"), sets.SINGULAR)
def test_no_branch_is_missing_near_singularities(name: str, kind: str) -> None:
    chain = SIX[name]
    oracle = oracles.Eaik(chain)
    solver = make_solver(endless(chain))
    off = -1e-4 if kind == "elbow folded" else 1e-4
    for q in sets.near_singular(name, kind, off, 60, 17):
        T = forward(chain, q)
        Q, mask = solver.solve(T, q)
        for row in oracle.solve(T):
            if np.abs(forward(chain, row) - T).max() < 1e-9:
                assert oracles.among(row, Q[mask], 1e-4)


@pytest.mark.parametrize(("name", "kind"), [("irb120", "wrist"), ("rx90l", "wrist")])
def test_at_the_wrist_singularity_axis_4_stays_where_the_seed_has_it(name: str, kind: str) -> None:
    chain = SIX[name]
    for q in sets.near_singular(name, kind, 0.0, 20, 18):
        q[3], q[5] = 0.1 * q[3], 0.1 * q[5]
        seed = q.copy()
        seed[3], seed[5] = 0.3, q[5] + q[3] - 0.3
        Q, mask = make_solver(chain).solve(forward(chain, q), seed)
        nearest = Q[mask][np.abs(Q[mask] - seed).max(axis=1).argmin()]
        np.testing.assert_allclose(nearest, seed, atol=1e-7)


def test_ur_with_axis_6_free_leaves_the_seed_only_as_far_as_it_must() -> None:
    """With axis 5 at zero the turn of axis 6 is free; a seed out of the arm's stretch moves to the rim."""
    chain = arms.UR3E
    solver = make_solver(chain)
    moved = 0
    for q in sets.near_singular("ur3e", "wrist", 0.0, 100, 19):
        T = forward(chain, q)
        for away in (0.5, 1.5, 3.0):
            seed = q.copy()
            seed[5] += away
            Q, mask = solver.solve(T, seed)
            assert mask.any()
            assert np.abs(forward(chain, Q[mask]) - T).max() < 1e-11
            moved += np.abs(Q[mask][:, 5] - seed[5]).min() > 1e-6
    assert 0 < moved < 300


@CHAINS
def test_any_way_to_draw_the_arm_gives_the_same_joints(name: str) -> None:
    """Re-framed links, another base, another flange, turned axes with opposite signs, another counting of axes."""
    chain = SIX[name]
    rng = np.random.default_rng(20)
    for trial in range(12):
        frames = np.array([np.eye(4)] * 7)
        for T in frames[1:]:
            T[:3, :3] = Rotation.random(random_state=rng).as_matrix()
            T[:3, 3] = rng.normal(size=3)
        sign = rng.choice([-1.0, 1.0], 6)
        order = rng.permutation(6)
        base = np.eye(4)
        base[:3, :3] = Rotation.random(random_state=rng).as_matrix()
        base[:3, 3] = rng.normal(size=3)
        placements, axes = [], []
        for i in range(6):
            # A link frame may slide along its joint's axis and turn anyhow, if the axis is told in it.
            frames[i + 1][:3, 3] = rng.normal() * chain.axis[i]
            before = base if i == 0 else np.linalg.inv(frames[i])
            placements.append(before @ chain.T_parent_joint[i] @ frames[i + 1])
            axes.append(sign[i] * frames[i + 1][:3, :3].T @ chain.axis[i])
        low, high = chain.lower * sign, chain.upper * sign
        lower, upper = np.empty(6), np.empty(6)
        lower[order], upper[order] = np.minimum(low, high), np.maximum(low, high)
        flange = np.linalg.inv(frames[6]) @ chain.T_last_flange
        redrawn = Chain(chain.names, order, np.array(placements), np.array(axes), chain.prismatic, flange, lower, upper)
        solver = make_solver(redrawn)
        assert solver.title == make_solver(chain).title, f"trial {trial}"
        for q in sets.random_joints(chain, 30, 21 + trial):
            T = base @ forward(chain, q)
            mapped = np.empty(6)
            mapped[order] = sign * q
            np.testing.assert_allclose(forward(redrawn, mapped), T, atol=1e-12)
            Q, mask = solver.solve(T, mapped)
            assert np.abs(forward(redrawn, Q[mask]) - T).max() < 1e-11
            assert np.abs(Q[mask] - mapped).max(axis=1).min() < 1e-6
            assert mask.sum() == make_solver(chain).solve(forward(chain, q), q)[1].sum()


@settings(max_examples=60)
@given(
    offset=st.sampled_from([0.0, 0.15, -0.2]),
    sideways=st.sampled_from([0.0, 0.08, -0.12]),
    links=st.tuples(st.floats(0.2, 0.8), st.floats(0.2, 0.8)),
    seed=st.integers(0, 10_000),
)
def test_shoulder_offsets_forwards_and_sideways(
    offset: float, sideways: float, links: tuple[float, float], seed: int
) -> None:
    chain = endless(
        arms.chain(
            arms.SIX,
            [
                arms.place(),
                arms.place((offset, sideways, 0.3)),
                arms.place((0.02, 0, links[0])),
                arms.place((0, 0, 0.05)),
                arms.place((links[1], 0, 0)),
                arms.place((0.1, 0, 0)),
            ],
            [arms.Z, arms.Y, arms.Y, arms.X, arms.Y, arms.X],
            [(-180, 180)] * 6,
            arms.place((0.02, 0.01, 0.03), (0.1, 0.2, 0.3)),
        )
    )
    solver = make_solver(chain)
    assert solver.title == "closed form, spherical wrist"
    oracle = oracles.Eaik(chain)
    for q in np.random.default_rng(seed).uniform(-math.pi, math.pi, (5, 6)):
        T = forward(chain, q)
        Q, mask = solver.solve(T, q)
        assert np.abs(forward(chain, Q[mask]) - T).max() < 1e-11
        assert np.abs(Q[mask] - q).max(axis=1).min() < 1e-5
        for row in oracle.solve(T):
            if np.abs(forward(chain, row) - T).max() < 1e-8:
                assert oracles.among(row, Q[mask], 1e-3)


@CHAINS
def test_joints_are_turned_into_their_limits_and_towards_the_seed(name: str) -> None:
    chain = SIX[name]
    solver = make_solver(chain)
    for q in sets.random_joints(chain, 50, 22):
        T = forward(chain, q)
        Q, mask = solver.solve(T, q)
        far, far_mask = solver.solve(T, q + 2.0 * math.pi)
        np.testing.assert_array_equal(mask, far_mask)
        turns = (far[mask] - Q[mask]) / (2.0 * math.pi)
        np.testing.assert_allclose(turns, np.round(turns), atol=1e-9)
        assert inside(chain, far[mask]).all()
        better = far[mask] - 2.0 * math.pi
        allowed = better >= chain.lower - 1e-9
        nearer = np.abs(better - q - 2.0 * math.pi) < np.abs(far[mask] - q - 2.0 * math.pi) - 1e-9
        assert not (allowed & nearer).any()


@CHAINS
def test_what_is_no_pose_or_no_seed_is_refused(name: str) -> None:
    solver = make_solver(SIX[name])
    good = forward(SIX[name], np.full(6, 0.2))
    for bad in (good * 2.0, np.full((4, 4), math.nan), np.eye(3), good[:3]):
        with pytest.raises(InputError):
            solver.solve(bad)
    with pytest.raises(InputError, match=r"T\[1\]"):
        solver.solve(np.array([good, 2.0 * good]))
    with pytest.raises(InputError, match="seed"):
        solver.solve(good, np.zeros(5))
    with pytest.raises(InputError, match="seed contains nan"):
        solver.solve(good, np.full(6, math.nan))
    with pytest.raises(InputError, match="seed has shape"):
        solver.solve(np.array([good] * 3), np.zeros((2, 6)))
    Q, mask = solver.solve(np.empty((0, 4, 4)))
    assert Q.shape == (0, 8, 6)
    assert mask.shape == (0, 8)
