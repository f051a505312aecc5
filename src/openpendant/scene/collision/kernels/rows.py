"""Rows: how bodies and joints are laid out for the kernels.

A body is convex: its core (a set of corners, a box, or a cylinder about z) widened by a radius. Sphere and capsule
are cores of one and two corners.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Marks = NDArray[np.uint8]

KIND_CORNERS = 0
KIND_BOX = 1
KIND_CYLINDER = 2

# Floats of a body.
PLACE = 0
"""9 R and 3 p: the body's own frame in the joint that carries it, or in the world."""
HALF = 12
"""3: half edges of a box; radius, radius, half length of a cylinder."""
RADIUS = 15
"""By how much the core is widened."""
BALL = 16
"""Radius of a ball about the origin of the body's frame that holds it."""
BOUND = 17
"""3: half edges of a box about that origin that holds it."""
SPINE = 20
"""3 + 3 + 1: a capsule that holds it, in its own frame."""
MARGIN = 27
BODY_FLOATS = 28

# Ints of a body.
KIND = 0
FIRST = 1
COUNT = 2
OWNER = 3
JOINT = 4
"""Row of the joint that carries it; -1: the world."""
BODY_INTS = 5


# Marks of pairs of owners.
RANKED = 0
SKIPPED = 1
UNRANKED = 2


class Tables(NamedTuple):
    """Everything the kernels need of a scene."""

    corners: Floats
    """(C, 3): corners of all bodies, each in its own frame."""
    joint_floats: Floats
    """(J, 17): 9 R and 3 p from the joint before (the first of an arm: from the world), 3 axis, 1 if it slides, and how
    far what it carries can reach from its axis."""
    joint_ints: Ints
    """(J, 3): row of the joint before or -1, index in q, arm."""
    moving: Floats
    """(S, BODY_FLOATS)."""
    moving_ints: Ints
    """(S, BODY_INTS)."""
    standing: Floats
    """(O, BODY_FLOATS)."""
    standing_ints: Ints
    """(O, BODY_INTS)."""
    pairs: Ints
    """(P, 3): rows of moving bodies that must keep apart, and 1 where their distance counts as clearance."""
    skip: Marks
    """(owners of moving, owners of standing): `SKIPPED` where they may touch, `UNRANKED` where their distance does not
    count as clearance."""
    boxes: Floats
    """(N, 6): the tree's boxes, low and high corner."""
    links: Ints
    """(N, 2): the tree's children, or -1 and the row of a standing body."""
    widest: Floats
    """(1,): the widest margin of all standing bodies."""
