"""V+ (Stäubli, Adept): LEFTY, ABOVE, FLIP and the numbers that `where` prints.

The words are defined as for the PUMA (C. S. G. Lee and M. Ziegler, "A geometric approach in
solving the inverse kinematics of PUMA robots", 1984), whose joints V+ counts alike:

    RIGHTY    a positive turn of joint 2 raises the wrist; LEFTY: it lowers it
    ABOVE     the elbow is above the line from shoulder to wrist; BELOW: under it
    FLIP      joint 5 is negative; NOFLIP: it is positive
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Chain
from openpendant.said import say
from openpendant.spatial import vplus_from_transform

from .convention import Describe, Print, PrintedPose
from .plain import Plain
from .ports import PortRules
from .posture import ZERO, SphericalWrist, spherical_wrist

Array = NDArray[np.float64]


class VPlus:
    """Words of V+ controllers."""

    title = "V+"
    ports = PortRules(
        allowed={
            "in": say("ports.numbers_in"),
            "out": say("ports.numbers_out"),
        },
        numbers={"in": (range(1001, 1513), range(2001, 2513)), "out": (range(1, 513), range(2001, 2513))},
    )

    def describer(self, chain: Chain) -> Describe:
        """Return for example 'LEFTY ABOVE NOFLIP'."""
        arm = spherical_wrist(chain)
        if arm is None:
            return Plain().describer(chain)
        return partial(_describe, arm)

    def printer(self, chain: Chain) -> Print:  # noqa: ARG002
        """Print X Y Z in mm from the shoulder and y p r in degrees (ZYZ), as `where` names them."""
        return lambda T, _: PrintedPose("V+ where", _where(T))


def _describe(arm: SphericalWrist, q: Array) -> str:
    posture = arm.posture(q)
    lefty = posture.shoulder > -ZERO
    above = (posture.elbow > -ZERO) == lefty
    return (
        f"{'LEFTY' if lefty else 'RIGHTY'} {'ABOVE' if above else 'BELOW'} "
        f"{'NOFLIP' if posture.wrist > -ZERO else 'FLIP'}"
    )


def _where(T: Array) -> str:
    return "  ".join(f"{name} {_fixed(value)}" for name, value in zip("XYZypr", vplus_from_transform(T), strict=True))


def _fixed(value: float) -> str:
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text
