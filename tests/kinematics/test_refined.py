"""Arms that are nearly of a kind with a closed form: rounded descriptions, calibrated robots."""

import arms
import numpy as np
import oracles
import pytest
import sets
from scipy.spatial.transform import Rotation

from openpendant.errors import InputError
from openpendant.kinematics import Arm, Chain, forward, make_solver


def disturbed(chain: Chain, size: float, seed: int) -> Chain:
    """Return the chain with each joint placed a little off: `size` metres and radians."""
    rng = np.random.default_rng(seed)
    placements = chain.T_parent_joint.copy()
    for T in placements:
        T[:3, :3] = T[:3, :3] @ Rotation.from_rotvec(rng.normal(0.0, size, 3)).as_matrix()
        T[:3, 3] += rng.normal(0.0, size, 3)
    return Chain(
        chain.names, chain.order, placements, chain.axis, chain.prismatic, chain.T_last_flange, chain.lower, chain.upper
    )


@pytest.mark.parametrize("name", ["irb120", "rx90l", "ur3e"])
@pytest.mark.parametrize("size", [4e-6, 1e-4])
def test_every_branch_of_a_rounded_or_calibrated_arm(name: str, size: float) -> None:
    drawing = arms.ALL[name]
    chain = disturbed(drawing, size, 80)
    solver, ideal = make_solver(chain), make_solver(drawing)
    assert solver.title == f"{ideal.title}, refined"
    lost = total = 0
    for q in sets.random_joints(chain, 150, 81):
        T = forward(chain, q)
        Q, mask = solver.solve(T, q)
        assert np.abs(forward(chain, Q[mask]) - T).max() < 1e-11
        assert oracles.among(q, Q[mask], 1e-6)
        assert ((Q[mask] >= chain.lower - 1e-9) & (Q[mask] <= chain.upper + 1e-9)).all()
        total += int(ideal.solve(forward(drawing, q), q)[1].sum())
        lost += int(ideal.solve(forward(drawing, q), q)[1].sum()) - int(mask.sum())
    # Next to the rim and the limits a branch of one arm need not be one of the other.
    assert abs(lost) < 0.01 * total


def test_rounded_right_angles_are_recognised() -> None:
    chain = arms.UR3E
    placements = np.round(chain.T_parent_joint, 5)
    for T in placements:
        T[:3, :3] = Rotation.from_euler("ZYX", np.round(Rotation.from_matrix(T[:3, :3]).as_euler("ZYX"), 4)).as_matrix()
    rounded = Chain(
        chain.names, chain.order, placements, chain.axis, chain.prismatic, chain.T_last_flange, chain.lower, chain.upper
    )
    assert make_solver(rounded).title == "closed form, three parallel axes, refined"
    arm = Arm("arm", rounded, base="base", flange="tool0")
    for q in sets.random_joints(rounded, 20, 82):
        assert arm.ik(arm.fk(q), seed=q).nearest.distance_rad < 1e-6
    far = arm.fk(np.zeros(6))
    far[:3, 3] *= 3.0
    assert arm.ik(far, seed=np.zeros(6)).unreachable.kind == "far"
    assert {singular.name for singular in arm.singularities(np.zeros(6))} == {"wrist", "elbow", "shoulder"}


def test_batches_and_bad_input() -> None:
    chain = disturbed(arms.IRB120, 1e-5, 83)
    solver = make_solver(chain)
    joints = sets.random_joints(chain, 5, 84)
    poses = forward(chain, joints)
    Q, mask = solver.solve(poses, joints)
    for i in range(5):
        one, one_mask = solver.solve(poses[i], joints[i])
        np.testing.assert_array_equal(one_mask, mask[i])
        np.testing.assert_array_equal(one[one_mask], Q[i][mask[i]])
    with pytest.raises(InputError):
        solver.solve(2.0 * poses[0])
    with pytest.raises(InputError):
        solver.solve(poses[0], np.zeros(5))


def test_the_stretched_arm_is_not_lost() -> None:
    """Stretched, the arm of the drawing may be too short by the disturbance."""
    for seed in range(10):
        chain = disturbed(arms.RX90L, 1e-5, seed)
        q = np.radians([10, -80, 90, 5, 20, 5])
        T = forward(chain, q)
        Q, mask = make_solver(chain).solve(T, q + 0.01)
        assert mask.any()
        assert np.abs(forward(chain, Q[mask]) - T).max() < 1e-9
