"""Universal Robots: shoulder, elbow and wrist, and poses as p[x, y, z, rx, ry, rz].

UR's controller has no word for a configuration; it takes the solution nearest to `qnear`. The
words here are those of the literature on this kind of arm, defined by what a person sees:

    shoulder left   seen from the base axis towards the wrist, the arm's plane is on the left
    elbow up        the elbow is above the line from shoulder to wrist 1, for an arm that reaches
                    out to its wrist
    wrist out       for a tool that points down, wrist 2 is farther out than wrist 1; in: nearer
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Chain
from openpendant.said import say
from openpendant.spatial import ur_from_transform

from .convention import Describe, Print, PrintedPose
from .plain import Plain
from .ports import PortKind, PortRules
from .posture import ZERO, OffsetWrist, offset_wrist

Array = NDArray[np.float64]


def _ports(kind: PortKind) -> tuple[str, ...]:
    groups = (("standard", 8), ("configurable", 8), ("tool", 2))
    return tuple(f"{group}_{kind}_{number}" for group, count in groups for number in range(count))


class UniversalRobots:
    """Words of and about Universal Robots."""

    title = "Universal Robots"
    ports = PortRules(
        allowed={
            "in": say("ports.pins_in"),
            "out": say("ports.pins_out"),
        },
        names={"in": _ports("in"), "out": _ports("out")},
    )

    def describer(self, chain: Chain) -> Describe:
        """Return for example 'shoulder left, elbow up, wrist out'."""
        arm = offset_wrist(chain)
        if arm is None:
            return Plain().describer(chain)
        return partial(_describe, arm)

    def printer(self, chain: Chain) -> Print:  # noqa: ARG002
        """Print p[x, y, z, rx, ry, rz]: metres and a rotation vector in radians."""
        return lambda T, _: PrintedPose("UR pose", f"p[{', '.join(map(_fixed, ur_from_transform(T)))}]")


def _describe(arm: OffsetWrist, q: Array) -> str:
    posture = arm.posture(q)
    return say(
        "branch.shoulder_elbow_wrist",
        shoulder=say("branch.left" if posture.shoulder > -ZERO else "branch.right"),
        elbow=say("branch.up" if posture.elbow > -ZERO else "branch.down"),
        wrist=say("branch.out" if posture.wrist > -ZERO else "branch.in"),
    )


def _fixed(value: float) -> str:
    text = f"{value:.5f}"
    return "0.00000" if text == "-0.00000" else text
