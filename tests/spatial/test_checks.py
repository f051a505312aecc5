"""Every conversion refuses what is no pose, no rotation or no number, and names it."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from openpendant import spatial
from openpendant.errors import InputError
from openpendant.spatial import EngineAxes

SKEW = np.ones((3, 3))
NAN = math.nan
FACING = EngineAxes.FACING


@pytest.mark.parametrize(
    "convert",
    [
        spatial.make_transform,
        spatial.quaternion_from_matrix,
        spatial.rotation_vector_from_matrix,
        spatial.rpy_from_matrix,
        spatial.zyz_from_matrix,
    ],
)
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (SKEW, "R is not orthonormal: RᵀR deviates from the unit matrix by 3, allowed: 1e-05"),
        (np.full((3, 3), NAN), "R contains nan"),
        (np.eye(2), r"R has shape \(2, 2\)"),
        (np.diag((1.0, 1.0, -1.0)), "R is a reflection"),
        ("turn", "R is not an array of numbers"),
    ],
)
def test_what_is_no_rotation_is_refused(convert: Callable[[object], object], bad: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        convert(bad)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: spatial.rotation_x(NAN), "the angle must be a finite number; got .nan"),
        (lambda: spatial.rotation_z(math.inf), "the angle must be a finite number; got .inf"),
        (lambda: spatial.matrix_from_rpy(0, NAN, 0), "roll, pitch, yaw must be 3 finite numbers"),
        (lambda: spatial.matrix_from_zyz(0, 0, math.inf), "about z, y, z must be 3 finite numbers"),
        (lambda: spatial.abb_orient_zyx(NAN, 0, 0), "must be 3 finite numbers"),
        (lambda: spatial.matrix_from_rotation_vector((1, 2)), "rx, ry, rz must be 3 finite numbers"),
        (lambda: spatial.multiply_quaternions((1, 0, 0, 0), (1, 0)), "w, x, y, z must be 4 finite numbers"),
        (lambda: spatial.translation(0, 0, NAN), "x, y, z must be 3 finite numbers"),
        (lambda: spatial.make_transform(None, (1, 2)), "x, y, z must be 3 finite numbers"),
        (lambda: spatial.transform_from_engine((0, NAN, 0), (1, 0, 0, 0), FACING), "x, y, z must be 3 finite"),
        (lambda: spatial.transform_from_ur("here"), "must be 6 finite numbers; got 'here'"),
        (lambda: spatial.exp_se3((1, 2, 3)), "vx, vy, vz, wx, wy, wz must be 6 finite numbers"),
        (lambda: spatial.inverse(np.eye(3)), r"shape \(4, 4\); got \(3, 3\)"),
        (lambda: spatial.pose_difference(np.eye(4), np.eye(3)), r"shape \(4, 4\); got \(3, 3\)"),
    ],
)
def test_bad_numbers_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()
