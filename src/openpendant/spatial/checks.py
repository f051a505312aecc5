"""Checks of arguments: numbers, rotations, transforms. The error says what is wrong."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError

Array = NDArray[np.float64]

TRANSFORM_TOLERANCE = 1e-5
"""How far an element of Rᵀ R may be from the unit matrix. Below it a matrix counts as a rotation."""


def check_numbers(values: ArrayLike, names: str) -> list[float]:
    """Return as many finite numbers as `names`, which are separated by commas, has words.

    Raises:
        InputError: More, fewer, or one that is not finite; names them all.
    """
    count = names.count(",") + 1
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = None
    if array is None or array.shape != (count,) or not np.isfinite(array).all():
        got = values if array is None else array.tolist()
        wanted = "a finite number" if count == 1 else f"{count} finite numbers"
        raise InputError(f"{names} must be {wanted}; got {got!r}")
    return array.tolist()


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
        raise InputError(f"{name} has shape {T.shape}; allowed: (4, 4){' or (N, 4, 4)' if batch else ''}")
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
            f"allowed: {TRANSFORM_TOLERANCE:g}"
        )
    if R.size and float(np.linalg.det(R).min()) < 0.0:
        raise InputError(f"{name} is a reflection (determinant -1); a rotation has determinant +1")
