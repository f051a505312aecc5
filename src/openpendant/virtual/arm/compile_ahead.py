"""compile_arm_kernels: load or compile every kernel before a tick could have to wait for it."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from openpendant.motion import MoveArc, MoveJoint, MoveLine, Zone
from openpendant.spatial import translation

from .arm_model import ArmModel
from .arm_plant import ArmPlant
from .joints_near import joints_near
from .mover import Mover
from .path_move import PathMove
from .tracking import Tracking

TICK_S = 0.002


def compile_arm_kernels(model: ArmModel, q: ArrayLike, *, rise_s: float = 0.0) -> None:
    """Move an arm of no consequence in every way there is, from a posture that is not singular; `rise_s`: as its arm.

    Takes a quarter of a second from numba's cache, and half a minute the first time on a machine. One arm is enough for
    all with as many joints and the same kind of solver.
    """
    start, n = np.array(q, dtype=np.float64), model.dof
    mover = Mover(model, np.eye(4), start, tick_s=TICK_S, rise_s=rise_s)
    T = model.arm.fk(start)
    T_up, T_side = translation(0.0, 0.0, 0.01) @ T, translation(0.005, 0.005, 0.0) @ T
    zone = Zone(0.001)
    for move in (MoveJoint(start + 0.01, zone=zone), MoveLine(T_up, zone=zone), MoveArc(T_side, T, zone=zone)):
        mover.begin(PathMove(move))
        mover.lasting = True
        mover.step()
        mover.path.ends_soon(1.0)
    model.arm.ik_array(T, start)
    joints_near(model.arm, T, start + 0.01)
    mover.place(start)
    steer: tuple[Callable[[], None], ...] = (
        lambda: mover.servo(start + 0.01, 0.1, 300.0),
        lambda: mover.joint_speed(np.full(n, 0.1), 1.0),
        lambda: mover.tool_speed(np.full(6, 0.01), 1.0, 1.0),
    )
    for begin in steer:
        begin()
        # Without new commands the arm brakes instead.
        mover.feed()
        mover.step()
    plant = ArmPlant(model, Tracking(), start, tick_s=TICK_S, seed=0)
    plant.write_moments(np.empty(n))
