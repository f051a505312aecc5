"""compile_kernels: compile the kernels of motion before somebody waits for them."""

from openpendant.kinematics import Arm
from openpendant.spatial import translation

from .limits import JointLimits
from .moves import MoveJoint, MoveLine
from .path_stop import stop_along
from .plan import plan
from .trajectory import Trajectory
from .zone import Zone


def compile_kernels(arm: Arm, limits: JointLimits) -> None:
    """Plan a small motion and a stop with an arm, so that all kernels are compiled.

    Compiling takes about half a minute the first time and a second from numba's cache. One arm is enough for all
    arms with as many joints.
    """
    q = 0.5 * (limits.lower.clip(-1.0, 1.0) + limits.upper.clip(-1.0, 1.0)) + 0.1
    q = q.clip(limits.lower, limits.upper)
    T = arm.fk(q)
    zone = Zone(0.001)
    lines = [MoveLine(translation(0.0, y, 0.002) @ T, zone=zone) for y in (0.0, 0.002)]
    aside = MoveJoint((q + 0.02).clip(limits.lower, limits.upper), zone=zone)
    for moves in ([*lines, MoveJoint(q)], [aside, MoveJoint(q)]):
        for bounds in (limits, limits.scaled(jerk=float("inf"))):
            found = plan(arm, bounds, q, moves)
            if isinstance(found, Trajectory) and bounds is limits:
                found.at(0.0)
                stop_along(found, 0.5 * found.duration)
