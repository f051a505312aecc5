"""Euler angles in the two flavours robots use: ZYX (URDF's roll, pitch, yaw; ABB) and ZYZ (V+). Radians."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import check_numbers, check_rotation

Array = NDArray[np.float64]

GIMBAL_SINE = 1e-12
"""Below this sine the two outer axes count as parallel and one of their angles is set to zero."""


def matrix_from_rpy(roll: float, pitch: float, yaw: float) -> Array:
    """Return R = Rz(yaw) Ry(pitch) Rx(roll), as URDF means `rpy`; raises InputError where one is not finite."""
    check_numbers((roll, pitch, yaw), "roll, pitch, yaw")
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rpy_from_matrix(R: ArrayLike) -> tuple[float, float, float]:
    """Return (roll, pitch, yaw) with R = Rz(yaw) Ry(pitch) Rx(roll) and pitch in [-pi/2, pi/2].

    At pitch = ±pi/2 only a sum of roll and yaw is determined; roll is then zero.

    Raises:
        InputError: `R` is not a rotation.
    """
    R = check_rotation(R)
    cosine = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], cosine)
    if cosine < GIMBAL_SINE:
        return 0.0, pitch, math.atan2(-R[0, 1], R[1, 1])
    yaw = math.atan2(R[1, 0], R[0, 0])
    # Roll from the remaining rotation about x, so that the product closes also close to the gimbal.
    cy, sy = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(sy * R[0, 2] - cy * R[1, 2], cy * R[1, 1] - sy * R[0, 1])
    return roll, pitch, yaw


def matrix_from_zyz(first: float, second: float, third: float) -> Array:
    """Return R = Rz(first) Ry(second) Rz(third); raises InputError where one is not finite."""
    check_numbers((first, second, third), "the angles about z, y, z")
    c1, s1 = math.cos(first), math.sin(first)
    c2, s2 = math.cos(second), math.sin(second)
    c3, s3 = math.cos(third), math.sin(third)
    return np.array(
        [
            [c1 * c2 * c3 - s1 * s3, -c1 * c2 * s3 - s1 * c3, c1 * s2],
            [s1 * c2 * c3 + c1 * s3, -s1 * c2 * s3 + c1 * c3, s1 * s2],
            [-s2 * c3, s2 * s3, c2],
        ]
    )


def zyz_from_matrix(R: ArrayLike) -> tuple[float, float, float]:
    """Return (first, second, third) with R = Rz(first) Ry(second) Rz(third) and second in [0, pi].

    At second = 0 or pi only a sum of the outer angles is determined; first is then zero.

    Raises:
        InputError: `R` is not a rotation.
    """
    R = check_rotation(R)
    sine = math.hypot(R[0, 2], R[1, 2])
    second = math.atan2(sine, R[2, 2])
    first = 0.0 if sine < GIMBAL_SINE else math.atan2(R[1, 2], R[0, 2])
    c, s = math.cos(first), math.sin(first)
    third = math.atan2(c * R[1, 0] - s * R[0, 0], c * R[1, 1] - s * R[0, 1])
    return first, second, third
