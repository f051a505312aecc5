"""Every convention of the registry: labels that tell branches apart, and poses that read back."""

import re

import numpy as np
import pytest
from joint_sets import random_joints

from openpendant.errors import UnknownNameError
from openpendant.kinematics import Chain, forward, make_solver
from openpendant.robots import load
from openpendant.robots.conventions import CONVENTIONS, find_convention
from openpendant.spatial import transform_from_ur, transform_from_vplus

SIX_AXES = ("irb120", "rx90l", "ur3e")


def unlimited(chain: Chain) -> Chain:
    """The same arm without limits, so that every branch of a pose exists."""
    free = np.full(chain.dof, np.inf)
    return Chain(
        names=chain.names,
        order=chain.order,
        T_parent_joint=chain.T_parent_joint,
        axis=chain.axis,
        prismatic=chain.prismatic,
        T_last_flange=chain.T_last_flange,
        lower=-free,
        upper=free,
    )


@pytest.mark.parametrize("name", SIX_AXES)
def test_all_branches_of_a_pose_have_labels_of_their_own(name: str) -> None:
    robot = load(name)
    chain = unlimited(robot.arm().chain)
    solver = make_solver(chain)
    describe = robot.arm().describe
    full = 0
    for q in random_joints(name, 300, 3):
        solutions, mask = solver.solve(forward(chain, q))
        labels = [describe(solution) for solution in solutions[mask]]
        assert len(set(labels)) == len(labels), labels
        full += len(labels) == 8
    assert full > 30


@pytest.mark.parametrize("name", SIX_AXES)
def test_a_label_changes_only_through_a_singularity(name: str) -> None:
    """Walk from posture to posture; where the Jacobian keeps the sign of its determinant no label may change twice."""
    robot = load(name)
    arm = robot.arm()
    describe = arm.describe
    for start, end in zip(random_joints(name, 40, 4), random_joints(name, 40, 5), strict=True):
        path = [start + share * (end - start) for share in np.linspace(0, 1, 400)]
        labels = [re.sub(r"cf\d=-?\d+ ", "", describe(q)) for q in path]
        signs = [np.sign(np.linalg.det(arm.jacobian(q))) for q in path]
        for before, after, sign_before, sign_after in zip(labels, labels[1:], signs, signs[1:], strict=False):
            if sign_before == sign_after and before != after:
                # Two singularities at once within one small step would be needed.
                pytest.fail(f"{before} -> {after} without a singularity")


def test_printed_poses_read_back() -> None:
    for name, read in (("rx90l", transform_from_vplus), ("ur3e", transform_from_ur)):
        robot = load(name)
        for q in random_joints(name, 20, 8):
            numbers = [float(word) for word in re.findall(r"-?\d+\.\d+", robot.print_pose(q, frame="tool0").text)]
            base = robot.arm_facts().controller_base or None
            np.testing.assert_allclose(read(numbers), robot.arm().fk(q, base=base), atol=3e-5)


def test_conventions_are_found_by_name() -> None:
    assert set(CONVENTIONS) == {"abb", "plain", "ur", "vplus"}
    with pytest.raises(UnknownNameError, match="no convention named 'kuka'"):
        find_convention("kuka")
