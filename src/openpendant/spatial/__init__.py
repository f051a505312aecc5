"""Rigid transforms, quaternions, the Euler flavours, and the frames of vendors and game engines.

In: plain numpy arrays, metres and radians (millimetres and degrees only in the vendors' own forms).
Out: the same. `T_a_b` maps coordinates in b to coordinates in a; quaternions are wxyz.
"""

from .checks import TRANSFORM_TOLERANCE, check_rotation, check_transform
from .engine import EngineAxes, engine_from_transform, transform_from_engine
from .euler import matrix_from_rpy, matrix_from_zyz, rpy_from_matrix, zyz_from_matrix
from .quaternion import (
    QUATERNION_TOLERANCE,
    check_quaternion,
    matrix_from_quaternion,
    multiply_quaternions,
    normalise_quaternion,
    quaternion_from_matrix,
)
from .rotation_vector import matrix_from_rotation_vector, rotation_vector_from_matrix
from .se3 import (
    exp_se3,
    inverse,
    log_se3,
    make_transform,
    pose_difference,
    rotation_x,
    rotation_y,
    rotation_z,
    translation,
)
from .vendor import (
    abb_euler_zyx,
    abb_orient_zyx,
    transform_from_ur,
    transform_from_vplus,
    ur_from_transform,
    vplus_from_transform,
)

__all__ = [
    "QUATERNION_TOLERANCE",
    "TRANSFORM_TOLERANCE",
    "EngineAxes",
    "abb_euler_zyx",
    "abb_orient_zyx",
    "check_quaternion",
    "check_rotation",
    "check_transform",
    "engine_from_transform",
    "exp_se3",
    "inverse",
    "log_se3",
    "make_transform",
    "matrix_from_quaternion",
    "matrix_from_rotation_vector",
    "matrix_from_rpy",
    "matrix_from_zyz",
    "multiply_quaternions",
    "normalise_quaternion",
    "pose_difference",
    "quaternion_from_matrix",
    "rotation_vector_from_matrix",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "rpy_from_matrix",
    "transform_from_engine",
    "transform_from_ur",
    "transform_from_vplus",
    "translation",
    "ur_from_transform",
    "vplus_from_transform",
    "zyz_from_matrix",
]
