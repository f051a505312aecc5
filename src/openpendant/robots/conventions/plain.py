"""Plain words, for robots of which we know only the geometry."""

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Chain
from openpendant.spatial import rpy_from_matrix

from .convention import Describe, Print, PrintedPose
from .ports import ANY_NAME
from .posture import ZERO, OffsetWrist, SphericalWrist, offset_wrist, spherical_wrist

Array = NDArray[np.float64]


class Plain:
    """Words that need no vendor."""

    title = "plain"
    ports = ANY_NAME

    def describer(self, chain: Chain) -> Describe:
        """Return words for shoulder, elbow and wrist where the geometry has them, else the joints themselves."""
        arm = spherical_wrist(chain) or offset_wrist(chain)
        if arm is None:
            return partial(_joints, chain)
        return partial(_describe, arm)

    def printer(self, chain: Chain) -> Print:  # noqa: ARG002
        """Print x y z in mm and roll, pitch, yaw in degrees (R = Rz(yaw) Ry(pitch) Rx(roll))."""
        return lambda T, _: PrintedPose("mm and roll, pitch, yaw", _millimetres(T))


def _describe(arm: SphericalWrist | OffsetWrist, q: Array) -> str:
    return ", ".join(
        f"{part} {'+' if value > -ZERO else '−'}"
        for part, value in zip(("shoulder", "elbow", "wrist"), arm.posture(q), strict=True)
    )


def _millimetres(T: Array) -> str:
    place = (1000.0 * float(value) for value in T[:3, 3])
    turn = (math.degrees(angle) for angle in rpy_from_matrix(T[:3, :3]))
    words = ("x", "y", "z", "roll", "pitch", "yaw")
    # Adding zero turns -0.0 into 0.0.
    return "  ".join(f"{word} {round(value, 3) + 0.0:.3f}" for word, value in zip(words, (*place, *turn), strict=True))


def _joints(chain: Chain, q: Array) -> str:
    slides = np.zeros(chain.dof, dtype=np.bool_)
    slides[chain.order] = chain.prismatic
    return " ".join(
        f"{1000.0 * float(value):.0f} mm" if slide else f"{math.degrees(float(value)):.1f}°"
        for value, slide in zip(q, slides, strict=True)
    )
