"""Functions of poses. Millimetres, degrees, quaternions (w, x, y, z), as programs have them."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from .faults import RapidFailure
from .values import added, crossed, scaled, subtracted, turned

Numbers = Sequence[float]
Tuple = tuple[float, ...]


def orient_zyx(z: float, y: float, x: float) -> Tuple:
    """OrientZYX: about z, then the new y, then the new x."""
    return turned(turned(_about(2, z), _about(1, y)), _about(0, x))


def _about(axis: int, degrees: float) -> Tuple:
    half = math.radians(degrees) / 2.0
    vector = [0.0, 0.0, 0.0]
    vector[axis] = math.sin(half)
    return (math.cos(half), *vector)


def euler_zyx(x: object, y: object, z: object, rotation: Numbers) -> float:
    """EulerZYX: one of the angles of OrientZYX."""
    w, a, b, c = normed(rotation)
    if y is not None:
        return math.degrees(math.asin(max(-1.0, min(1.0, 2.0 * (w * b - c * a)))))
    if z is not None:
        return math.degrees(math.atan2(2.0 * (w * c + a * b), 1.0 - 2.0 * (b * b + c * c)))
    if x is None:
        raise RapidFailure("", "EulerZYX needs \\X, \\Y or \\Z")
    return math.degrees(math.atan2(2.0 * (w * a + b * c), 1.0 - 2.0 * (a * a + b * b)))


def normed(rotation: Numbers) -> Tuple:
    """NOrient: a quaternion of length one."""
    length = math.sqrt(sum(value * value for value in rotation))
    if not 0.5 < length < 2.0:
        raise RapidFailure("ERR_ILLQUAT", "the orientation is not a unit quaternion")
    return tuple(value / length for value in rotation)


def rotated(rotation: Numbers, vector: Numbers) -> Tuple:
    """Return a vector turned by a quaternion."""
    w, x, y, z = rotation
    return turned(turned(rotation, (0.0, *vector)), (w, -x, -y, -z))[1:]


def pose_mult(a: tuple[Tuple, Tuple], b: tuple[Tuple, Tuple]) -> tuple[Tuple, Tuple]:
    """PoseMult"""
    first = normed(a[1])
    return added(a[0], rotated(first, b[0])), normed(turned(first, normed(b[1])))


def pose_inv(pose: tuple[Tuple, Tuple]) -> tuple[Tuple, Tuple]:
    """PoseInv"""
    w, x, y, z = normed(pose[1])
    back = (w, -x, -y, -z)
    return scaled(rotated(back, pose[0]), -1.0), back


def pose_vect(pose: tuple[Tuple, Tuple], vector: Tuple) -> Tuple:
    """PoseVect"""
    return added(pose[0], rotated(normed(pose[1]), vector))


def offs(point: tuple[Any, ...], x: float, y: float, z: float) -> tuple[Any, ...]:
    """Offs: a robtarget moved along its frame."""
    return (added(point[0], (x, y, z)), *point[1:])


def rel_tool(
    point: tuple[Any, ...], dx: float, dy: float, dz: float, rx: float | None, ry: float | None, rz: float | None
) -> tuple[Any, ...]:
    """RelTool: a robtarget moved along the tool and turned about its axes x, then y, then z."""
    rotation = normed(point[1])
    turn = turned(turned(_about(0, rx or 0.0), _about(1, ry or 0.0)), _about(2, rz or 0.0))
    return (added(point[0], rotated(rotation, (dx, dy, dz))), normed(turned(rotation, turn)), *point[2:])


def distance(a: Numbers, b: Numbers) -> float:
    """Distance"""
    return math.dist(a, b)


def def_frame(one: tuple[Any, ...], two: tuple[Any, ...], three: tuple[Any, ...], origin: float | None) -> Any:
    """DefFrame: x from the first point to the second, y towards the third."""
    a, b, c = one[0], two[0], three[0]
    x = _unit(subtracted(b, a))
    z = _unit(crossed(x, subtracted(c, a)))
    y = crossed(z, x)
    where = a
    if origin == 2.0:
        where = b
    elif origin == 3.0:
        where = added(a, scaled(x, sum(p * q for p, q in zip(subtracted(c, a), x, strict=True))))
    elif origin not in (None, 1.0):
        raise RapidFailure("", "DefFrame \\Origin is 1, 2 or 3")
    return where, _quaternion((x, y, z))


def _unit(vector: Numbers) -> Tuple:
    length = math.hypot(*vector)
    if length < 1e-9:
        raise RapidFailure("ERR_FRAME", "the points make no frame")
    return tuple(value / length for value in vector)


def _quaternion(columns: Sequence[Numbers]) -> Tuple:
    (a, b, c), (d, e, f), (g, h, i) = columns
    parts = [1.0 + a + e + i, 1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i]
    largest = max(range(4), key=parts.__getitem__)
    rows = (
        (parts[0], f - h, g - c, b - d),
        (f - h, parts[1], b + d, g + c),
        (g - c, b + d, parts[2], f + h),
        (b - d, g + c, f + h, parts[3]),
    )
    by = 0.5 / math.sqrt(parts[largest])
    return tuple(value * by for value in rows[largest])


def dot_prod(a: Numbers, b: Numbers) -> float:
    """DotProd"""
    return sum(x * y for x, y in zip(a, b, strict=True))


def vect_magn(vector: Numbers) -> float:
    """VectMagn"""
    return math.hypot(*vector)


POSE_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "orientzyx": orient_zyx,
    "eulerzyx": euler_zyx,
    "norient": normed,
    "posemult": pose_mult,
    "poseinv": pose_inv,
    "posevect": pose_vect,
    "dotprod": dot_prod,
    "vectmagn": vect_magn,
    "distance": distance,
    "offs": offs,
    "reltool": rel_tool,
    "defframe": def_frame,
}
