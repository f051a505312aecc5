"""Quaternions, wxyz. They are checked, never renormalised silently."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError

from .checks import check_numbers, check_rotation

Array = NDArray[np.float64]

QUATERNION_TOLERANCE = 2e-6
"""How far the norm of a unit quaternion may be from one; RAPID prints 6 digits, which costs up to 1e-6."""


def check_quaternion(q: ArrayLike, name: str = "quaternion") -> Array:
    """Return `q` as a (4,) float array, wxyz.

    Raises:
        InputError: Wrong length, not finite, or its norm is not 1 within `QUATERNION_TOLERANCE`.
    """
    q = _as_four(q, name)
    norm = math.hypot(*q.tolist())
    if abs(norm - 1.0) > QUATERNION_TOLERANCE:
        raise InputError(f"{name} has norm {norm:.8g}; a unit quaternion has norm 1 within {QUATERNION_TOLERANCE:g}")
    return q


def normalise_quaternion(q: ArrayLike) -> Array:
    """Return `q` (wxyz) divided by its norm: what a person does who typed rounded numbers.

    Raises:
        InputError: Wrong length, not finite, or shorter than 1e-6.
    """
    q = _as_four(q, "quaternion")
    norm = float(np.linalg.norm(q))
    if norm < 1e-6:
        raise InputError(f"quaternion {q.tolist()} has norm {norm:.3g}; it has no direction")
    return q / norm


def matrix_from_quaternion(q: ArrayLike) -> Array:
    """Return the (3, 3) rotation of a unit quaternion (wxyz).

    Raises:
        InputError: The quaternion is not a unit quaternion.
    """
    w, x, y, z = check_quaternion(q)
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def quaternion_from_matrix(R: ArrayLike) -> Array:
    """Return the unit quaternion (wxyz) of a (3, 3) rotation, with w >= 0.

    Where w = 0 the first nonzero of x, y, z is positive, so that equal rotations give equal numbers.

    Raises:
        InputError: `R` is not a rotation.
    """
    R = check_rotation(R)
    # Each row holds 4 q_i q_j; the row of the greatest component is the best conditioned.
    products = np.array(
        [
            [1.0 + R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], 1.0 + R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], 1.0 - R[0, 0] + R[1, 1] - R[2, 2], R[1, 2] + R[2, 1]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], 1.0 - R[0, 0] - R[1, 1] + R[2, 2]],
        ]
    )
    row = products[int(np.argmax(np.diagonal(products)))]
    q = row / np.linalg.norm(row)
    leading = q[np.abs(q) > 1e-15][0]
    return -q if leading < 0.0 else q


def multiply_quaternions(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the Hamilton product of two quaternions (wxyz): first turn by b, then by a, in fixed axes."""
    aw, ax, ay, az = check_numbers(a, "w, x, y, z")
    bw, bx, by, bz = check_numbers(b, "w, x, y, z")
    return np.array(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ]
    )


def _as_four(q: ArrayLike, name: str) -> Array:
    try:
        array = np.asarray(q, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers: {error}") from None
    if array.shape != (4,):
        raise InputError(f"{name} has shape {array.shape}; a quaternion has the four numbers w, x, y, z")
    if not np.isfinite(array).all():
        raise InputError(f"{name} is {array.tolist()}; all four numbers must be finite")
    return array
