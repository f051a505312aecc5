"""Rigid transforms: (4, 4) arrays `T_a_b` that map coordinates in b to coordinates in a."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError

from .checks import check_numbers, check_rotation, check_transform
from .rotation_vector import matrix_from_rotation_vector, rotation_vector_from_matrix

Array = NDArray[np.float64]


def rotation_x(angle: float) -> Array:
    """Return the (3, 3) rotation about x by `angle` radians; raises InputError where it is not finite."""
    check_numbers((angle,), "the angle")
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def rotation_y(angle: float) -> Array:
    """Return the (3, 3) rotation about y by `angle` radians; raises InputError where it is not finite."""
    check_numbers((angle,), "the angle")
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def rotation_z(angle: float) -> Array:
    """Return the (3, 3) rotation about z by `angle` radians; raises InputError where it is not finite."""
    check_numbers((angle,), "the angle")
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def make_transform(R: ArrayLike | None = None, p: ArrayLike | None = None) -> Array:
    """Return the (4, 4) transform with rotation `R` (default: none) and translation `p` in metres (default: zero).

    Raises:
        InputError: `R` is not a rotation, or `p` is not three finite numbers.
    """
    T = np.eye(4)
    if R is not None:
        T[:3, :3] = check_rotation(R)
    if p is not None:
        T[:3, 3] = check_numbers(p, "x, y, z")
    return T


def translation(x: float, y: float, z: float) -> Array:
    """Return the (4, 4) transform that moves by x, y, z metres."""
    return make_transform(None, (x, y, z))


def inverse(T: ArrayLike) -> Array:
    """Return `T_b_a` for `T_a_b`; works on (…, 4, 4). The rotation is transposed, not inverted, and not checked.

    Raises:
        InputError: Another shape.
    """
    T = _as_transforms(T)
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

    Raises:
        InputError: The twist is not six finite numbers.
    """
    numbers = np.array(check_numbers(twist, "vx, vy, vz, wx, wy, wz"))
    v, w = numbers[:3], numbers[3:]
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
    T_a, T_b = _as_transforms(T_a), _as_transforms(T_b)
    distance = float(np.linalg.norm(T_a[:3, 3] - T_b[:3, 3]))
    # The chord keeps its digits for small angles, where the trace would lose half of them.
    chord = float(np.linalg.norm(T_a[:3, :3] - T_b[:3, :3])) / math.sqrt(8.0)
    return distance, 2.0 * math.asin(min(1.0, chord))


def _as_transforms(T: ArrayLike) -> Array:
    array = np.asarray(T, dtype=np.float64)
    if array.shape[-2:] != (4, 4):
        raise InputError(f"a transform has shape (4, 4); got {array.shape}")
    return array


def _skew(w: Array) -> Array:
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
