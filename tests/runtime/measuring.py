"""How fast tool and elbow of an arm go, by another library's kinematics; for tests."""

import numpy as np
import pinocchio as pin
import pytest
from loop_bench import Bench

from openpendant import robots
from openpendant.scene import PlacedArm

ARMS = [(name, arm) for name in robots.names() for arm in robots.load(name).arms if robots.is_built_in(name)]
EACH_ARM = pytest.mark.parametrize(("model", "arm"), ARMS)
ELBOW = {6: 3, 7: 4}
"""Which joint is the elbow, by the number of joints."""


class ArmSpeeds:
    """Places and speeds of tool and elbow."""

    def __init__(self, placed: PlacedArm, T_flange_tool: np.ndarray | None = None) -> None:
        """Of the tool that the arm carries, or of a tool at another place on the flange."""
        chain = placed.kinematics.chain
        self.model, parent = pin.Model(), 0
        for i in range(chain.dof):
            joint = (pin.JointModelPrismaticUnaligned if chain.prismatic[i] else pin.JointModelRevoluteUnaligned)(
                chain.axis[i]
            )
            parent = self.model.addJoint(parent, joint, pin.SE3(chain.T_parent_joint[i]), str(i))
        T_tool = placed.T_flange_tcp if T_flange_tool is None else T_flange_tool
        tool = pin.SE3(chain.T_last_flange @ T_tool)
        self.tool = self.model.addFrame(pin.Frame("tool", parent, tool, pin.FrameType.OP_FRAME))
        self.order, self.elbow = chain.order, ELBOW[chain.dof]
        self.data = self.model.createData()

    def places(self, q: np.ndarray) -> np.ndarray:
        """Where tool and elbow are, (2, 3)."""
        pin.framesForwardKinematics(self.model, self.data, q[self.order])
        return np.array([self.data.oMf[self.tool].translation, self.data.oMi[self.elbow].translation])

    def at(self, q: np.ndarray, qd: np.ndarray) -> float:
        """Speed of the faster one, m/s."""
        step = 1e-4
        return float(np.linalg.norm(self.places(q + step * qd) - self.places(q), axis=1).max()) / step


class Measured(ArmSpeeds):
    """Of the arm on a bench, tick by tick."""

    def __init__(self, bench: Bench, T_flange_tool: np.ndarray | None = None) -> None:
        self.bench = bench
        scene = bench.nearby.around._world.scene
        super().__init__(next(arm for arm in scene.arms.values() if arm.arm == bench.arm), T_flange_tool)

    def fastest(self, since: int = 0) -> float:
        """Largest speed of either, m/s."""
        return self.fastest_of(np.array(self.bench.Q[since:]))

    def fastest_of(self, Q: np.ndarray) -> float:
        """The same of joints (N, n), one for each tick."""
        P = np.array([self.places(q) for q in Q])
        return float((np.linalg.norm(np.diff(P, axis=0), axis=2) / (self.bench.tick_ns * 1e-9)).max())


def away(bench: Bench, way: float) -> np.ndarray:
    """Joints some way from here, inside their limits."""
    limits = bench.limits
    middle = np.clip(0.0, limits.lower, limits.upper)
    sign = np.where(bench.q < middle + 1e-9, 1.0, -1.0)
    return np.clip(bench.q + way * sign, limits.lower + 0.05, limits.upper - 0.05)
