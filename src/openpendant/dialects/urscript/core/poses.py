"""Poses (the manual, "Module urmath": pose_*, interpolate_pose, rotvec2rpy, …).

Plain floats and quaternions (wxyz): a call takes a few microseconds, where arrays would take ten times as long.
The tests hold it to `openpendant.spatial`.
"""

import math
from typing import Any

from openpendant.dialects.urscript.builtin import Builtin, Parameter
from openpendant.dialects.urscript.failures import ScriptFailure
from openpendant.dialects.urscript.values import ScriptPose, Value, type_name

from .numbers import number, numbers

Triple = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
COST = 5
"""Steps of the budget."""
STRAIGHT = 1e-12
"""Below this cosine of the pitch, roll and yaw are one angle."""


def _pose(value: Any, what: str) -> ScriptPose:
    if type(value) is ScriptPose:
        if not all(map(math.isfinite, value)):
            raise ScriptFailure(f"Runtime error: {what}: {value} is not finite")
        return value
    raise ScriptFailure(f"Type error: {what} needs a pose, not {type_name(value)}")


def _quaternion(x: float, y: float, z: float) -> Quaternion:
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < 1e-8:
        return 1.0, 0.5 * x, 0.5 * y, 0.5 * z
    s = math.sin(0.5 * angle) / angle
    return math.cos(0.5 * angle), s * x, s * y, s * z


def _rotation_vector(q: Quaternion) -> Triple:
    w, x, y, z = q
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 * math.atan2(sine, w) / sine if sine > 1e-12 else 2.0
    return factor * x, factor * y, factor * z


def _times(a: Quaternion, b: Quaternion) -> Quaternion:
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def _back(q: Quaternion) -> Quaternion:
    w, x, y, z = q
    return w, -x, -y, -z


def _turn(q: Quaternion, x: float, y: float, z: float) -> Triple:
    w, a, b, c = q
    # v + 2 w (u × v) + 2 u × (u × v)
    tx, ty, tz = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
    return x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx


def compose(a: ScriptPose, b: ScriptPose) -> ScriptPose:
    """Return the pose `b`, given in the frame `a`, in the frame of `a` itself: T_a T_b."""
    q = _quaternion(a[3], a[4], a[5])
    x, y, z = _turn(q, b[0], b[1], b[2])
    return ScriptPose((a[0] + x, a[1] + y, a[2] + z, *_rotation_vector(_times(q, _quaternion(b[3], b[4], b[5])))))


def inverse_pose(a: ScriptPose) -> ScriptPose:
    """Return the inverse transform."""
    q = _back(_quaternion(a[3], a[4], a[5]))
    x, y, z = _turn(q, a[0], a[1], a[2])
    return ScriptPose((-x, -y, -z, *_rotation_vector(q)))


def _pose_trans(p_from: Any, p_from_to: Any) -> ScriptPose:
    return compose(_pose(p_from, "pose_trans"), _pose(p_from_to, "pose_trans"))


def _pose_inv(p_from: Any) -> ScriptPose:
    return inverse_pose(_pose(p_from, "pose_inv"))


def _pose_add(p_1: Any, p_2: Any) -> ScriptPose:
    a, b = _pose(p_1, "pose_add"), _pose(p_2, "pose_add")
    q = _times(_quaternion(a[3], a[4], a[5]), _quaternion(b[3], b[4], b[5]))
    return ScriptPose((a[0] + b[0], a[1] + b[1], a[2] + b[2], *_rotation_vector(q)))


def _pose_sub(p_to: Any, p_from: Any) -> ScriptPose:
    a, b = _pose(p_to, "pose_sub"), _pose(p_from, "pose_sub")
    q = _times(_quaternion(a[3], a[4], a[5]), _back(_quaternion(b[3], b[4], b[5])))
    return ScriptPose((a[0] - b[0], a[1] - b[1], a[2] - b[2], *_rotation_vector(q)))


def _pose_dist(p_from: Any, p_to: Any) -> float:
    return math.sqrt(sum(one * one for one in _pose_sub(p_to, p_from)))


def _point_dist(p_from: Any, p_to: Any) -> float:
    return math.dist(_pose(p_from, "point_dist")[:3], _pose(p_to, "point_dist")[:3])


def _interpolate(p_from: Any, p_to: Any, alpha: object) -> ScriptPose:
    a, b, share = _pose(p_from, "interpolate_pose"), _pose(p_to, "interpolate_pose"), number(alpha, "interpolate_pose")
    q = _quaternion(a[3], a[4], a[5])
    rx, ry, rz = _rotation_vector(_times(_back(q), _quaternion(b[3], b[4], b[5])))
    turned = _times(q, _quaternion(share * rx, share * ry, share * rz))
    place = [one + share * (other - one) for one, other in zip(a[:3], b[:3], strict=True)]
    return ScriptPose((*place, *_rotation_vector(turned)))


def _wrench_trans(T_from_to: Any, w_from: Any) -> Value:
    to, (fx, fy, fz, tx, ty, tz) = _pose(T_from_to, "wrench_trans"), numbers(w_from, "wrench_trans", 6)
    x, y, z = to[:3]
    back = _back(_quaternion(to[3], to[4], to[5]))
    # The torque loses the lever of the force: t - p × f.
    moved = (tx - (y * fz - z * fy), ty - (z * fx - x * fz), tz - (x * fy - y * fx))
    return (*_turn(back, fx, fy, fz), *_turn(back, *moved))


def _rotvec2rpy(rotation_vector: Any) -> Value:
    w, x, y, z = _quaternion(*numbers(rotation_vector, "rotvec2rpy", 3))
    r11, r21, r31 = 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)
    cosine = math.hypot(r11, r21)
    pitch = math.atan2(-r31, cosine)
    if cosine < STRAIGHT:
        return (0.0, pitch, math.atan2(-2 * (x * y - w * z), 1 - 2 * (x * x + z * z)))
    return (math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y)), pitch, math.atan2(r21, r11))


def _rpy2rotvec(rpy_vector: Any) -> Value:
    roll, pitch, yaw = numbers(rpy_vector, "rpy2rotvec", 3)
    turned = _times(_quaternion(0.0, 0.0, yaw), _times(_quaternion(0.0, pitch, 0.0), _quaternion(roll, 0.0, 0.0)))
    return _rotation_vector(turned)


_FROM, _TO = Parameter("p_from"), Parameter("p_to")

POSE_FUNCTIONS: tuple[Builtin, ...] = (
    Builtin(
        "pose_trans",
        (_FROM, Parameter("p_from_to")),
        _pose_trans,
        cost=COST,
    ),
    Builtin("pose_inv", (_FROM,), _pose_inv, cost=COST),
    Builtin("pose_add", (Parameter("p_1"), Parameter("p_2")), _pose_add, cost=COST),
    Builtin("pose_sub", (_TO, _FROM), _pose_sub, cost=COST),
    Builtin("pose_dist", (_FROM, _TO), _pose_dist, cost=COST),
    Builtin("point_dist", (_FROM, _TO), _point_dist),
    Builtin("interpolate_pose", (_FROM, _TO, Parameter("alpha")), _interpolate, cost=COST),
    Builtin("wrench_trans", (Parameter("T_from_to"), Parameter("w_from")), _wrench_trans, cost=COST),
    Builtin("rotvec2rpy", (Parameter("rotation_vector"),), _rotvec2rpy, cost=COST),
    Builtin("rpy2rotvec", (Parameter("rpy_vector"),), _rpy2rotvec, cost=COST),
)
