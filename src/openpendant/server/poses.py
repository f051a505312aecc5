"""Crossings between `Pose` on the wire and (4, 4) transforms."""

import numpy as np
from numpy.typing import NDArray

from openpendant.messages import Pose
from openpendant.spatial import (
    check_quaternion,
    make_transform,
    matrix_from_quaternion,
    normalise_quaternion,
    quaternion_from_matrix,
)

Array = NDArray[np.float64]


def pose_from_transform(T: Array) -> Pose:
    """Return the pose of a (4, 4) transform."""
    x, y, z = (float(value) for value in T[:3, 3])
    qw, qx, qy, qz = (float(value) for value in quaternion_from_matrix(T[:3, :3]))
    return Pose(xyz=(x, y, z), wxyz=(qw, qx, qy, qz))


def transform_from_pose(pose: Pose) -> Array:
    """Return the (4, 4) transform of a pose; raises InputError where its quaternion is not a unit quaternion."""
    # Within the tolerance of the check the last digits were lost on the way: make the matrix exactly a rotation.
    wxyz = normalise_quaternion(check_quaternion(pose.wxyz, "pose.wxyz"))
    return make_transform(matrix_from_quaternion(wxyz), pose.xyz)
