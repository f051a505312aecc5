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
