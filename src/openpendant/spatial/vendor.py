"""Poses in the numbers that controllers show: ABB OrientZYX, V+ x y z y p r, UR p[…]. Degrees and mm where they do."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import check_numbers, check_transform
from .euler import matrix_from_rpy, matrix_from_zyz, rpy_from_matrix, zyz_from_matrix
from .quaternion import matrix_from_quaternion, quaternion_from_matrix
from .rotation_vector import matrix_from_rotation_vector, rotation_vector_from_matrix
from .se3 import make_transform

Array = NDArray[np.float64]


def abb_orient_zyx(z_deg: float, y_deg: float, x_deg: float) -> Array:
    """Return the quaternion (wxyz) of RAPID's OrientZYX(z, y, x): R = Rz Ry Rx, angles in degrees."""
    return quaternion_from_matrix(matrix_from_rpy(math.radians(x_deg), math.radians(y_deg), math.radians(z_deg)))


def abb_euler_zyx(quaternion: ArrayLike) -> tuple[float, float, float]:
    """Return (z, y, x) in degrees of a unit quaternion (wxyz), what RAPID's EulerZYX gives for each axis."""
    roll, pitch, yaw = rpy_from_matrix(matrix_from_quaternion(quaternion))
    return math.degrees(yaw), math.degrees(pitch), math.degrees(roll)


def vplus_from_transform(T: ArrayLike) -> tuple[float, float, float, float, float, float]:
    """Return (X, Y, Z, y, p, r) of a (4, 4) pose as V+ prints it: millimetres and ZYZ Euler angles in degrees."""
    T = check_transform(T)
    yaw, pitch, roll = zyz_from_matrix(T[:3, :3])
    x, y, z = (1000.0 * float(value) for value in T[:3, 3])
    return x, y, z, math.degrees(yaw), math.degrees(pitch), math.degrees(roll)


def transform_from_vplus(values: ArrayLike) -> Array:
    """Return the (4, 4) pose of V+'s TRANS(X, Y, Z, y, p, r): millimetres and degrees in, metres out."""
    x, y, z, yaw, pitch, roll = check_numbers(values, "X, Y, Z, y, p, r")
    R = matrix_from_zyz(math.radians(yaw), math.radians(pitch), math.radians(roll))
    return make_transform(R, (0.001 * x, 0.001 * y, 0.001 * z))


def ur_from_transform(T: ArrayLike) -> Array:
    """Return the (6,) of a UR pose p[x, y, z, rx, ry, rz]: metres and a rotation vector in radians."""
    T = check_transform(T)
    return np.concatenate([T[:3, 3], rotation_vector_from_matrix(T[:3, :3])])


def transform_from_ur(values: ArrayLike) -> Array:
    """Return the (4, 4) pose of a UR p[x, y, z, rx, ry, rz]: metres and a rotation vector in radians."""
    pose = check_numbers(values, "x, y, z, rx, ry, rz")
    return make_transform(matrix_from_rotation_vector(pose[3:]), pose[:3])
