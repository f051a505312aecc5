"""Rigid transforms: (4, 4) arrays `T_a_b` that map coordinates in b to coordinates in a."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError

from .rotation_vector import matrix_from_rotation_vector, rotation_vector_from_matrix

__all__ = [
    "TRANSFORM_TOLERANCE",
    "check_rotation",
    "check_transform",
    "exp_se3",
    "inverse",
    "log_se3",
    "make_transform",
    "pose_difference",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "translation",
]

Array = NDArray[np.float64]

TRANSFORM_TOLERANCE = 1e-5
"""How far an element of Rᵀ R may be from the unit matrix. Below it a matrix counts as a rotation."""


def rotation_x(angle: float) -> Array:
    """Return the (3, 3) rotation about x by `angle` radians."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def rotation_y(angle: float) -> Array:
    """Return the (3, 3) rotation about y by `angle` radians."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def rotation_z(angle: float) -> Array:
    """Return the (3, 3) rotation about z by `angle` radians."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def make_transform(R: ArrayLike | None = None, p: ArrayLike | None = None) -> Array:
    """Return the (4, 4) transform with rotation `R` (default: none) and translation `p` in metres (default: zero)."""
    T = np.eye(4)
    if R is not None:
        T[:3, :3] = R
    if p is not None:
        T[:3, 3] = p
    return T


def translation(x: float, y: float, z: float) -> Array:
    """Return the (4, 4) transform that moves by x, y, z metres."""
    return make_transform(None, (x, y, z))


def inverse(T: ArrayLike) -> Array:
    """Return `T_b_a` for `T_a_b`; works on (…, 4, 4). The rotation is transposed, not inverted."""
    T = np.asarray(T, dtype=np.float64)
    R_t = np.swapaxes(T[..., :3, :3], -1, -2)
    result = np.zeros_like(T)
    result[..., :3, :3] = R_t
    result[..., :3, 3] = -(R_t @ T[..., :3, 3:4])[..., 0]
    result[..., 3, 3] = 1.0
    return result


def exp_se3(twist: ArrayLike) -> Array:
    """Return the (4, 4) transform reached by moving one second with a constant twist.

    Args:
        twist: (6,) linear part in metres first, then the rotation vector in radians, both in the moving frame.
    """
    twist = np.asarray(twist, dtype=np.float64)
    v, w = twist[:3], twist[3:]
    angle = float(np.linalg.norm(w))
    W = _skew(w)
    if angle < 1e-6:
        # Third-order series: the closed coefficients lose all digits for small angles.
        V = np.eye(3) + 0.5 * W + W @ W / 6.0
    else:
        V = np.eye(3) + (1.0 - math.cos(angle)) / angle**2 * W + (angle - math.sin(angle)) / angle**3 * W @ W
    return make_transform(matrix_from_rotation_vector(w), V @ v)


def log_se3(T: ArrayLike) -> Array:
    """Return the (6,) twist whose `exp_se3` is `T`: metres first, then radians (angle at most pi)."""
    T = check_transform(T)
    w = rotation_vector_from_matrix(T[:3, :3])
    angle = float(np.linalg.norm(w))
    W = _skew(w)
    if angle < 1e-4:
        k = 1.0 / 12.0 + angle**2 / 720.0
    else:
        k = (1.0 - 0.5 * angle * math.sin(angle) / (1.0 - math.cos(angle))) / angle**2
    V_inverse = np.eye(3) - 0.5 * W + k * W @ W
    return np.concatenate([V_inverse @ T[:3, 3], w])


def pose_difference(T_a: ArrayLike, T_b: ArrayLike) -> tuple[float, float]:
    """Return how far two poses are apart: metres between the origins, radians between the orientations."""
    T_a = np.asarray(T_a, dtype=np.float64)
    T_b = np.asarray(T_b, dtype=np.float64)
    distance = float(np.linalg.norm(T_a[:3, 3] - T_b[:3, 3]))
    # The chord keeps its digits for small angles, where the trace would lose half of them.
    chord = float(np.linalg.norm(T_a[:3, :3] - T_b[:3, :3])) / math.sqrt(8.0)
    return distance, 2.0 * math.asin(min(1.0, chord))


def check_rotation(R: ArrayLike, name: str = "R") -> Array:
    """Return `R` as a (3, 3) float array.

    Raises:
        InputError: Wrong shape, not finite, not orthonormal within `TRANSFORM_TOLERANCE`, or a reflection.
    """
    R = _as_floats(R, name)
    if R.shape != (3, 3):
        raise InputError(f"{name} has shape {R.shape}; a rotation is a (3, 3) matrix")
    _check_rotations(R, name)
    return R


def check_transform(T: ArrayLike, name: str = "T", *, batch: bool = False) -> Array:
    """Return `T` as a (4, 4) float array; with `batch` (N, 4, 4) is allowed as well.

    Raises:
        InputError: Wrong shape, not finite, last row not 0 0 0 1, rotation not orthonormal within
            `TRANSFORM_TOLERANCE`, or a reflection. The message names the deviation.
    """
    T = _as_floats(T, name)
    if T.shape[-2:] != (4, 4) or T.ndim not in ((2, 3) if batch else (2,)):
        raise InputError(f"{name} has shape {T.shape}; allowed is (4, 4){' or (N, 4, 4)' if batch else ''}")
    row = np.abs(T[..., 3, :] - (0.0, 0.0, 0.0, 1.0)).max(initial=0.0)
    if row > TRANSFORM_TOLERANCE:
        raise InputError(f"the last row of {name} deviates from 0 0 0 1 by {row:.3g}")
    _check_rotations(T[..., :3, :3], f"the rotation of {name}")
    return T


def _as_floats(value: ArrayLike, name: str) -> Array:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers: {error}") from None
    if not np.isfinite(array).all():
        raise InputError(f"{name} contains {array[~np.isfinite(array)][0]}; all numbers must be finite")
    return array


def _check_rotations(R: Array, name: str) -> None:
    deviation = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(initial=0.0)
    if deviation > TRANSFORM_TOLERANCE:
        raise InputError(
            f"{name} is not orthonormal: RᵀR deviates from the unit matrix by {deviation:.3g}, "
            f"allowed is {TRANSFORM_TOLERANCE:g}"
        )
    if R.size and float(np.linalg.det(R).min()) < 0.0:
        raise InputError(f"{name} is a reflection (determinant -1); a rotation has determinant +1")


def _skew(w: Array) -> Array:
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
