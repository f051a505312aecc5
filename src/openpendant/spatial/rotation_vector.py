"""Rotation vectors: axis times angle in radians, as UR controllers print orientations."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import check_numbers
from .quaternion import quaternion_from_matrix

Array = NDArray[np.float64]


def matrix_from_rotation_vector(rotation_vector: ArrayLike) -> Array:
    """Return the (3, 3) rotation about the direction of a (3,) vector by its length in radians.

    Raises:
        InputError: It is not three finite numbers.
    """
    x, y, z = check_numbers(rotation_vector, "rx, ry, rz")
    angle = math.sqrt(x * x + y * y + z * z)
    # sin(a)/a and (1-cos(a))/a² written so that small angles keep their digits.
    a = math.sin(angle) / angle if angle > 1e-8 else 1.0
    half = math.sin(0.5 * angle) / (0.5 * angle) if angle > 1e-8 else 1.0
    b = 0.5 * half * half
    W = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + a * W + b * (W @ W)


def rotation_vector_from_matrix(R: ArrayLike) -> Array:
    """Return the (3,) rotation vector of a (3, 3) rotation; its length is at most pi.

    At exactly half a turn both signs mean the same; the one with its first nonzero component positive is returned.

    Raises:
        InputError: `R` is not a rotation.
    """
    q = quaternion_from_matrix(R)
    sine = math.sqrt(q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
    angle = 2.0 * math.atan2(sine, float(q[0]))
    factor = angle / sine if sine > 1e-12 else 2.0
    return factor * q[1:]
