"""The same arms in libraries that others wrote."""

import math

import numpy as np
import pinocchio as pin
from eaik.IK_HP import HPRobot

from openpendant.kinematics import Chain


def pinocchio_model(chain: Chain) -> tuple[pin.Model, int]:
    """Return the chain as a pinocchio model and the id of its flange frame."""
    model = pin.Model()
    parent = 0
    for i in range(chain.dof):
        placement = pin.SE3(chain.T_parent_joint[i])
        joint = (
            pin.JointModelPrismaticUnaligned(chain.axis[i])
            if chain.prismatic[i]
            else pin.JointModelRevoluteUnaligned(chain.axis[i])
        )
        parent = model.addJoint(parent, joint, placement, chain.names[chain.order[i]])
    frame = model.addFrame(pin.Frame("flange", parent, pin.SE3(chain.T_last_flange), pin.FrameType.OP_FRAME))
    return model, frame


def lines(chain: Chain) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return axes H (n, 3), offsets P (n + 1, 3) and the flange's rotation, at q = 0 in the base."""
    T = np.eye(4)
    directions, points = [], [np.zeros(3)]
    for T_parent_joint, axis in zip(chain.T_parent_joint, chain.axis, strict=True):
        T = T @ T_parent_joint
        directions.append(T[:3, :3] @ axis)
        points.append(T[:3, 3])
    T = T @ chain.T_last_flange
    points.append(T[:3, 3])
    return np.array(directions), np.diff(points, axis=0), T[:3, :3]


class Eaik:
    """EAIK; its least-squares rows are kept and every row is checked by the caller's forward kinematics."""

    def __init__(self, chain: Chain) -> None:
        H, P, self.R0 = lines(chain)
        self.robot = HPRobot(H, P)

    def solve(self, T: np.ndarray) -> np.ndarray:
        pose = T.copy()
        pose[:3, :3] = T[:3, :3] @ self.R0.T
        return np.array(self.robot.IK(pose).Q).reshape(-1, 6)


def wrapped(difference: np.ndarray) -> np.ndarray:
    """Return angles in [-pi, pi)."""
    return (difference + math.pi) % (2.0 * math.pi) - math.pi


def among(q: np.ndarray, rows: np.ndarray, tolerance: float) -> bool:
    """Return whether q is one of the rows, up to whole turns."""
    return bool(len(rows)) and bool((np.abs(wrapped(rows - q)).max(axis=1) < tolerance).any())
