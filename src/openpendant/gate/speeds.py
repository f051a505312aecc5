"""fastest_speeds: how fast tool and elbow of an arm go."""

import numpy as np
from numpy.typing import NDArray

from .facts import GateFacts
from .kernels.shape import Shape, fastest_along

Array = NDArray[np.float64]


def shape_of(facts: GateFacts) -> Shape:
    """Return an arm as the kernels see it."""
    chain = facts.chain
    flange = chain.T_last_flange
    tool = (flange @ facts.T_flange_tool)[:3, 3].copy()
    others = np.ascontiguousarray(facts.tcps @ flange[:3, :3].T + flange[:3, 3])
    return Shape(chain.T_parent_joint, chain.axis, chain.prismatic, chain.order, tool, others, facts.radii)


def fastest_speeds(facts: GateFacts, Q: Array, QD: Array) -> Array:
    """Return (N,) the speed of the fastest of the tool's point, other TCPs, and all joints' centres, m/s.

    Args:
        facts: Of the arm.
        Q: (N, n) joints.
        QD: (N, n) their velocities.
    """
    speeds = np.empty(len(Q))
    # Copies: arrays that are read-only are another type to the compiler.
    fastest_along(shape_of(facts), np.array(Q, order="C"), np.array(QD, order="C"), speeds)
    return speeds
