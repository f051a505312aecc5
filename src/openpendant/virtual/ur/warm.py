"""warm_up: load or compile every kernel before a tick could have to wait for it."""

from collections.abc import Callable

import numpy as np

from openpendant.kinematics import Arm
from openpendant.motion import JointLimits, MoveArc, MoveJoint, MoveLine

from .compliance import Compliance
from .installation import Installation
from .kernels.arm import pose_of, rotation_vector
from .kernels.steering import solve_near
from .model import UrModel
from .mover import Mover
from .path import AskedMove

__all__ = ["warm_up"]

_warm: set[str] = set()


def warm_up(model: UrModel, arm: Arm, limits: JointLimits) -> None:
    """Move an arm of no consequence in every way there is; once for each kind of solver and process.

    Takes a quarter of a second from numba's cache, and half a minute the first time on a machine.
    """
    if arm.solver.title in _warm:
        return
    _warm.add(arm.solver.title)
    q = np.radians([0.0, -80.0, 100.0, -110.0, -90.0, 0.0])
    installation = Installation(model)
    installation.set_tcp(installation.tcp)
    mover = Mover(model, arm, limits, installation, q)
    T = arm.fk(q)
    T_up, T_side = T.copy(), T.copy()
    T_up[2, 3] += 0.01
    T_side[:3, 3] += (0.005, 0.005, 0.0)
    for move in (MoveJoint(q + 0.01), MoveLine(T_up), MoveArc(T_side, T)):
        mover.go(AskedMove(move, isinstance(move, MoveJoint), 1.0, 10.0, radius_m=0.001))
        mover.lasting = True
        mover.step()
        mover.path.ends_soon(1.0)
    arm.ik_array(T, q)
    solve_near(model.dh(), np.ascontiguousarray(T[:3]), q + 0.01)
    mover.place(q)
    steer: tuple[Callable[[], None], ...] = (
        lambda: mover.servo(q + 0.01, 0.1, 300.0),
        lambda: mover.joint_speed(np.full(6, 0.1), 1.0),
        lambda: mover.tool_speed(np.full(6, 0.01), 1.0, 1.0),
    )
    for begin in steer:
        begin()
        # What nobody feeds brakes instead.
        mover.feed()
        mover.step()
    Compliance(model, installation).hand_velocity(q)
    pose_of(np.ascontiguousarray(T[:3]), np.empty(6))
    rotation_vector(np.ascontiguousarray(T[:3, :3]), np.empty(3))
