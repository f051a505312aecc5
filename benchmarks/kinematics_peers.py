"""The same arms in the libraries we measure against."""

import importlib
from collections.abc import Callable, Iterator

import numpy as np
import pinocchio as pin
import ssik
from eaik.IK_HP import HPRobot

from openpendant.kinematics import Chain


class Pinocchio:
    """Forward kinematics and Jacobian."""

    def __init__(self, chain: Chain) -> None:
        self.model = pin.Model()
        parent = 0
        for i in range(chain.dof):
            joint = pin.JointModelRevoluteUnaligned(chain.axis[i])
            for axis, aligned in zip(np.eye(3), (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ), strict=True):
                if np.array_equal(axis, chain.axis[i]):
                    joint = aligned()
            parent = self.model.addJoint(parent, joint, pin.SE3(chain.T_parent_joint[i]), f"joint {i}")
        flange = pin.Frame("flange", parent, pin.SE3(chain.T_last_flange), pin.FrameType.OP_FRAME)
        self.frame = self.model.addFrame(flange)
        self.data = self.model.createData()
        self.forward = pin.framesForwardKinematics

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        return pin.computeFrameJacobian(self.model, self.data, q, self.frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)


def lines(chain: Chain) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return axes H (n, 3), offsets P (n + 1, 3) and the flange's rotation at q = 0."""
    T = np.eye(4)
    axes, points = [], [np.zeros(3)]
    for T_parent_joint, axis in zip(chain.T_parent_joint, chain.axis, strict=True):
        T = T @ T_parent_joint
        axes.append(T[:3, :3] @ axis)
        points.append(T[:3, 3])
    T = T @ chain.T_last_flange
    points.append(T[:3, 3])
    return np.array(axes), np.diff(points, axis=0), T[:3, :3]


class Eaik:
    """All branches; poses are given without the flange's own rotation, prepared outside the measured time."""

    def __init__(self, chain: Chain) -> None:
        H, P, self.R0 = lines(chain)
        self.robot = HPRobot(H, P)

    def poses(self, T: np.ndarray) -> np.ndarray:
        result = T.copy()
        result[:, :3, :3] = T[:, :3, :3] @ self.R0.T
        return result


def all_branches(robot: str, chain: Chain) -> Iterator[tuple[str, Callable[[np.ndarray], object]]]:
    """Yield further solvers that give all branches of this arm."""
    prebuilt = {arm.name: arm.import_path for arm in ssik.list_arms()}.get(f"{robot}_ik")
    if prebuilt is not None:
        artifact = importlib.import_module(prebuilt)
        yield "ssik, prebuilt", lambda T: artifact.solve(T, respect_limits=False, enumerate_windings=False)
    else:
        H, P, R0 = lines(chain)
        limits = np.clip(np.column_stack([chain.lower, chain.upper]), -2.0 * np.pi, 2.0 * np.pi)
        live = ssik.Manipulator.from_axes(H, P, limits=limits)
        turn = np.eye(4)
        turn[:3, :3] = R0.T
        yield "ssik, live", lambda T: live.solve(T @ turn, respect_limits=False, enumerate_windings=False)
    if robot == "ur3e":
        from ur_analytic_ik import ur3e

        T_vendor_base = np.diag([-1.0, -1.0, 1.0, 1.0])
        yield "ur-analytic-ik", lambda T: ur3e.inverse_kinematics(T_vendor_base @ T)


class Toolbox:
    """roboticstoolbox's Levenberg-Marquardt with 100 restarts inside the joint limits."""

    def __init__(self, chain: Chain) -> None:
        import roboticstoolbox as rtb
        from spatialmath import SE3

        ets = rtb.ETS()
        turns = (rtb.ET.Rx, rtb.ET.Ry, rtb.ET.Rz)
        for i in range(chain.dof):
            j = int(chain.order[i])
            turn = turns[int(np.argmax(chain.axis[i]))]
            ets = ets * rtb.ET.SE3(SE3(chain.T_parent_joint[i], check=False))
            ets = ets * turn(qlim=[chain.lower[j], chain.upper[j]])
        self.ets = ets * rtb.ET.SE3(SE3(chain.T_last_flange, check=False))

    def solve(self, T: np.ndarray, seed: np.ndarray) -> object:
        return self.ets.ik_LM(T, q0=seed, tol=1e-12, joint_limits=True)


def ssik_seeded(robot: str, chain: Chain) -> Callable[[np.ndarray, np.ndarray], object]:
    """Return ssik's nearest solution for the left arm of YuMi, from its prebuilt artifact."""
    assert robot == "yumi"
    assert chain.dof == 7
    arm = importlib.import_module("ssik.prebuilt.abb.yumi_left_ik")
    return lambda T, seed: arm.solve(T, q_seed=seed, max_solutions=1)
