"""Named distances to singular postures."""

import math

import arms
import numpy as np
import pytest
import sets
from arms import DEG

from openpendant.kinematics import Arm, jacobian

ARMS = {name: Arm(name, chain, base="base_link", flange="tool0") for name, chain in arms.ALL.items()}


def distances(name: str, q: np.ndarray) -> dict[str, float]:
    return {singular.name: singular.distance for singular in ARMS[name].singularities(q)}


@pytest.mark.parametrize("off", [0.0, 1e-6, 0.01])
@pytest.mark.parametrize(("name", "kind"), sets.SINGULAR)
def test_the_distance_is_what_was_put_there(name: str, kind: str, off: float) -> None:
    if kind == "elbow folded":
        off = -off
    for q in sets.near_singular(name, kind, off, 20, 70):
        found = distances(name, q)[kind.split()[0]]
        assert found == pytest.approx(abs(off), abs=1e-7)


@pytest.mark.parametrize("name", ["irb120", "rx90l", "ur3e"])
def test_small_distances_and_small_determinants_go_together(name: str) -> None:
    """The determinant of the Jacobian is a product over the three kinds, so it vanishes exactly where one does."""
    chain = arms.ALL[name]
    ratios = []
    for q in sets.random_joints(chain, 300, 71):
        found = distances(name, q)
        product = math.sin(found["wrist"]) * math.sin(found["elbow"]) * found["shoulder"]
        ratios.append(abs(np.linalg.det(jacobian(chain, q))) / product)
    # What remains of the determinant is the two link lengths, the same in every posture.
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-6)


def test_a_person_is_warned_within_five_degrees_and_thirty_millimetres() -> None:
    q = np.array([10, 20, -20, 30, 4.9, 10]) * DEG
    wrist, elbow, shoulder = ARMS["irb120"].singularities(q)
    assert (wrist.name, wrist.unit, wrist.near) == ("wrist", "rad", True)
    assert (elbow.name, elbow.unit, elbow.near) == ("elbow", "rad", False)
    assert (shoulder.name, shoulder.unit, shoulder.near) == ("shoulder", "m", False)
    q[4] = 5.1 * DEG
    assert not any(singular.near for singular in ARMS["irb120"].singularities(q))
    for off, near in ((0.029, True), (0.031, False)):
        q = sets.near_singular("irb120", "shoulder", off, 1, 72)[0]
        assert ARMS["irb120"].singularities(q)[2].near is near


def test_arms_without_named_kinds_tell_their_smallest_singular_value() -> None:
    arm = ARMS["yumi_left"]
    for q in sets.random_joints(arm.chain, 50, 73):
        (singular,) = arm.singularities(q)
        J = jacobian(arm.chain, q)
        J[:3] /= arm.solver.length
        assert singular.name == "arm"
        assert singular.unit == "1"
        assert singular.distance == pytest.approx(np.linalg.svd(J, compute_uv=False)[-1])
    shares = [arm.singularities(q)[0].near for q in sets.random_joints(arm.chain, 300, 74)]
    assert 0 < sum(shares) < 60


@pytest.mark.parametrize(("name", "kind"), [case for case in sets.SINGULAR if not case[1].startswith("elbow")])
def test_of_a_continuum_the_solution_nearest_to_the_seed_is_found(name: str, kind: str) -> None:
    """With the arm elsewhere than at the source, no solution may be farther away than the source itself."""
    arm = ARMS[name]
    rng = np.random.default_rng(71)
    for q in sets.near_singular(name, kind, 0.0, 40, 72):
        seed = np.clip(q + rng.normal(0.0, 0.05, 6), arm.limits_lower, arm.limits_upper)
        T = arm.fk(q)
        result = arm.ik(T, seed=seed)
        assert result.nearest is not None
        # At a double root a rounding of 1e-15 in the pose is 1e-7 in the joints.
        assert result.nearest.distance_rad <= np.linalg.norm(q - seed) + 1e-6
        for solution in result.solutions:
            arm.check_q(solution.q)
            np.testing.assert_allclose(arm.fk(solution.q), T, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("name", "kind"), sets.SINGULAR)
def test_a_singular_pose_is_reached_from_anywhere(name: str, kind: str) -> None:
    """However far away the seed is, and whatever value it gives a free joint."""
    arm = ARMS[name]
    poses = arm.fk(sets.near_singular(name, kind, 0.0, 40, 73))
    for T, seed in zip(poses, sets.random_joints(arm.chain, 40, 74), strict=True):
        assert arm.ik(T, seed=seed).solutions
