"""Forward kinematics and Jacobian against matrix products written out, published numbers, and pinocchio."""

import math
import pickle

import arms
import numpy as np
import oracles
import pinocchio as pin
import pytest
import sets
from arms import DEG, HALF, place, rx, ry, rz

from openpendant.errors import InputError
from openpendant.kinematics import Chain, forward, forward_all, jacobian

CHAINS = pytest.mark.parametrize("chain", arms.ALL.values(), ids=arms.ALL)


def turn(R: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3] = R
    return T


def shift(x: float, y: float, z: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def dh(a: float, d: float, alpha: float, theta: float) -> np.ndarray:
    c, s, ca, sa = math.cos(theta), math.sin(theta), math.cos(alpha), math.sin(alpha)
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])


def irb120(q: np.ndarray) -> np.ndarray:
    """Denavit-Hartenberg with the dimensions of the product specification: 290, 270, 70, 302, 72 mm."""
    return (
        dh(0, 0.290, -HALF, q[0])
        @ dh(0.270, 0, 0, q[1] - HALF)
        @ dh(0.070, 0, -HALF, q[2])
        @ dh(0, 0.302, HALF, q[3])
        @ dh(0, 0, -HALF, q[4])
        @ dh(0, 0.072, 0, q[5] + math.pi)
    )


def vplus(q: np.ndarray, d4: float) -> np.ndarray:
    """Rz(J1) Ry(J2+90) Tz(a3) Ry(J3-90) Rz(J4) Tz(d4) Ry(J5) Rz(J6) Tz(85 mm)."""
    return (
        turn(rz(q[0])) @ turn(ry(q[1] + HALF)) @ shift(0, 0, 0.45) @ turn(ry(q[2] - HALF)) @ turn(rz(q[3]))
        @ shift(0, 0, d4) @ turn(ry(q[4])) @ turn(rz(q[5])) @ shift(0, 0, 0.085)
    )  # fmt: skip


def ur3e(q: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    for (a, d, alpha), theta in zip(arms.UR3E_DH, q, strict=True):
        T = T @ dh(a, d, alpha, theta)
    return T


def yumi(q: np.ndarray) -> np.ndarray:
    """The left arm by elementary turns and shifts; axis 7 stands third."""
    T = shift(0.05355, 0.0725, 0.41492) @ turn(rz(2.318) @ ry(-0.5716) @ rx(0.9781)) @ turn(rz(q[0]))
    T = T @ shift(0.03, 0, 0.1) @ turn(rx(HALF)) @ turn(rz(q[1]))
    T = T @ shift(-0.03, 0.17283, 0) @ turn(rx(-HALF)) @ turn(rz(q[6]))
    T = T @ shift(-0.04188, 0, 0.07873) @ turn(ry(-HALF) @ rx(HALF)) @ turn(rz(q[2]))
    T = T @ shift(0.0405, 0.16461, 0) @ turn(rx(-HALF)) @ turn(rz(q[3]))
    T = T @ shift(-0.027, 0, 0.10039) @ turn(rx(HALF)) @ turn(rz(q[4]))
    return T @ shift(0.027, 0.029, 0) @ turn(rx(-HALF)) @ turn(rz(q[5]))


@pytest.mark.parametrize(
    ("chain", "product"),
    [
        (arms.IRB120, irb120),
        (arms.RX90L, lambda q: vplus(q, 0.65)),
        (arms.RX90, lambda q: vplus(q, 0.45)),
        (arms.UR3E, ur3e),
        (arms.YUMI_LEFT, yumi),
    ],
    ids=["irb120", "rx90l", "rx90", "ur3e", "yumi"],
)
def test_forward_is_the_product_of_the_published_matrices(chain: Chain, product) -> None:
    joints = sets.random_joints(chain, 1000, 3)
    computed = forward(chain, joints)
    assert computed.shape == (1000, 4, 4)
    for q, T in zip(joints, computed, strict=True):
        np.testing.assert_allclose(T, product(q), atol=1e-12)
    np.testing.assert_array_equal(forward(chain, joints[0]), computed[0])


@CHAINS
def test_forward_and_jacobian_agree_with_pinocchio(chain: Chain) -> None:
    model, frame = oracles.pinocchio_model(chain)
    data = model.createData()
    for q in sets.random_joints(chain, 200, 4):
        in_chain = q[chain.order]
        pin.framesForwardKinematics(model, data, in_chain)
        np.testing.assert_allclose(forward(chain, q), data.oMf[frame].homogeneous, atol=1e-13)
        J = pin.computeFrameJacobian(model, data, in_chain, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        np.testing.assert_allclose(jacobian(chain, q)[:, chain.order], J, atol=1e-13)
        frames = forward_all(chain, q)
        for i in range(chain.dof):
            np.testing.assert_allclose(frames[i], data.oMi[i + 1].homogeneous, atol=1e-13)
        np.testing.assert_allclose(frames[-1], data.oMf[frame].homogeneous, atol=1e-13)


@CHAINS
def test_jacobian_is_the_derivative(chain: Chain) -> None:
    step = 1e-6
    for q in sets.random_joints(chain, 20, 5):
        J = jacobian(chain, q)
        R = forward(chain, q)[:3, :3]
        for j in range(chain.dof):
            move = step * np.eye(chain.dof)[j]
            rate = (forward(chain, q + move) - forward(chain, q - move)) / (2.0 * step)
            spin = rate[:3, :3] @ R.T
            np.testing.assert_allclose(J[:3, j], rate[:3, 3], atol=1e-8)
            np.testing.assert_allclose(J[3:, j], (spin[2, 1], spin[0, 2], spin[1, 0]), atol=1e-8)


def test_irb120_home_is_where_the_data_sheet_says() -> None:
    T = forward(arms.IRB120, np.zeros(6))
    np.testing.assert_allclose(T[:3, 3], (0.374, 0.0, 0.630), atol=1e-15)
    np.testing.assert_allclose(T[:3, 2], (1.0, 0.0, 0.0), atol=1e-15)


def test_rx90_reading_of_a_real_controller() -> None:
    q = np.array([-0.000, -90.001, 89.993, 0.000, -0.000, -0.005]) * DEG
    T = forward(arms.RX90, q)
    np.testing.assert_allclose(1000.0 * T[:3, 3], (-0.077, 0.000, 985.000), atol=0.007)
    assert math.degrees(math.acos(T[2, 2])) == pytest.approx(0.008, abs=5e-4)


def test_ready_of_the_rx90l_points_straight_up() -> None:
    T = forward(arms.RX90L, np.array([0, -90, 90, 0, 0, 0]) * DEG)
    np.testing.assert_allclose(T, shift(0, 0, 1.185), atol=1e-15)


def test_yumi_arms_mirror_each_other_at_home() -> None:
    """The two first-joint placements are rounded to 4 digits, so the mirror image holds to about a millimetre."""
    home = np.array([0, -130, 30, 0, 40, 0, 135]) * DEG
    left = forward(arms.YUMI_LEFT, home)
    right = forward(arms.YUMI_RIGHT, home * (-1, 1, 1, -1, 1, -1, -1))
    np.testing.assert_allclose(left[:3, 3] * (1, -1, 1), right[:3, 3], atol=3e-3)


def test_sliding_joints() -> None:
    chain = Chain(
        names=("lift", "swing", "out"),
        order=np.arange(3),
        T_parent_joint=np.array([place((0.1, 0, 0)), place((0, 0, 0.2), (0, 0.3, 0)), place((0.4, 0, 0))]),
        axis=np.array([(0, 0, 1), (0, 1, 0), (1, 0, 0)]),
        prismatic=np.array([True, False, True]),
        T_last_flange=place((0.05, 0, 0)),
        lower=np.array([0.0, -2.0, 0.0]),
        upper=np.array([0.5, 2.0, 0.3]),
    )
    model, frame = oracles.pinocchio_model(chain)
    data = model.createData()
    for q in sets.random_joints(chain, 20, 6):
        pin.framesForwardKinematics(model, data, q)
        np.testing.assert_allclose(forward(chain, q), data.oMf[frame].homogeneous, atol=1e-14)
        J = pin.computeFrameJacobian(model, data, q, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        np.testing.assert_allclose(jacobian(chain, q), J, atol=1e-14)


def test_a_chain_is_read_only_also_after_pickling() -> None:
    copy = pickle.loads(pickle.dumps(arms.YUMI_LEFT))
    np.testing.assert_array_equal(forward(copy, np.zeros(7)), forward(arms.YUMI_LEFT, np.zeros(7)))
    for chain in (arms.YUMI_LEFT, copy):
        with pytest.raises(ValueError, match="read-only"):
            chain.lower[0] = 0.0


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(InputError, match=r"shape \(5,\)"):
        forward(arms.IRB120, np.zeros(5))
    with pytest.raises(InputError, match=r"shape \(2, 6\)"):
        jacobian(arms.IRB120, np.zeros((2, 6)))
    with pytest.raises(InputError, match="q contains nan; joints must be finite"):
        forward(arms.IRB120, [0.0, 0.0, math.nan, 0.0, 0.0, 0.0])
    with pytest.raises(InputError, match="q is not an array of numbers"):
        jacobian(arms.IRB120, "home")
    with pytest.raises(InputError, match="permutation"):
        arms.chain(["a", "b"], [np.eye(4)] * 2, [arms.Z] * 2, [(0, 1)] * 2, np.eye(4), order=[0, 0])
    with pytest.raises(InputError, match="unit vectors"):
        arms.chain(["a"], [np.eye(4)], [(0, 0, 2.0)], [(0, 1)], np.eye(4))
    with pytest.raises(InputError, match="joint a has limits"):
        arms.chain(["a"], [np.eye(4)], [arms.Z], [(1, 0)], np.eye(4))
    with pytest.raises(InputError, match=r"needs axis of shape \(1, 3\)"):
        arms.chain(["a"], [np.eye(4)], [arms.Z] * 2, [(0, 1)], np.eye(4))
