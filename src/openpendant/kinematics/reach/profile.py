"""The outline of what an arm can reach, found by letting a set of known postures grow.

The flange of an arm turns about its first axis, so what it reaches is described by one profile:
(radius, height) about that axis. The profile plane is divided into cells. Random postures mark
the first cells; then postures at the border of the marked region are varied a little, again and
again, until no new cell is found. That finds the border also where random postures are rare
(arm stretched, joint at its limit), and needs nothing but forward kinematics.
"""

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.kinematics import Chain, forward
from openpendant.spatial import inverse

from .picture import border_of, largest_region, outline_of

Array = NDArray[np.float64]
CELLS = 200
"""Cells along the largest radius: a cell is then 4 to 8 mm for arms of 0.6 to 1.2 m."""
FIRST_SAMPLES = 40_000
VARIATIONS = 24
MARGIN = 3
MAX_ROUNDS = 200
SEED = 20240229


def reach_profile(chain: Chain) -> tuple[Array, Array]:
    """Return the profile of the flange's reach, and the frame it is given in.

    Args:
        chain: An arm whose first joint turns.

    Returns:
        (N, 2) closed polygon of (radius, height) in metres, and T_base_axis (4, 4): the frame whose
        z is the first axis and whose origin is on it. Accurate to about a cell.

    Raises:
        InputError: The first joint slides, so that the reach is not a body of revolution.
    """
    if chain.prismatic[0]:
        raise InputError(f"first joint {chain.names[chain.order[0]]!r} slides; a reach outline needs one that turns")
    T_base_axis = _axis_frame(chain)
    grown = _Growth(chain, inverse(T_base_axis))
    grown.start()
    for _ in range(MAX_ROUNDS):
        if not grown.advance():
            break
    return grown.outline(), T_base_axis


def _axis_frame(chain: Chain) -> Array:
    """Return the frame of the first joint, turned so that its z is the axis."""
    z = chain.axis[0]
    helper = np.array([1.0, 0.0, 0.0]) if abs(z[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    x = helper - z * (helper @ z)
    x /= np.linalg.norm(x)
    T_joint_axis = np.eye(4)
    T_joint_axis[:3, :3] = np.column_stack((x, np.cross(z, x), z))
    return chain.T_parent_joint[0] @ T_joint_axis


class _Growth:
    """The marked cells, and for each the posture that marked it."""

    def __init__(self, chain: Chain, T_axis_base: Array) -> None:
        self.chain = chain
        self.T_axis_base = T_axis_base
        self.random = np.random.default_rng(SEED)
        turns = ~chain.prismatic[np.argsort(chain.order)]
        self.lower = np.where(np.isfinite(chain.lower), chain.lower, np.where(turns, -np.pi, -1.0))
        self.upper = np.where(np.isfinite(chain.upper), chain.upper, np.where(turns, np.pi, 1.0))
        self.size = 0.0
        self.middle = 0.0
        self.marked = np.zeros((0, 0), np.bool_)
        self.posture = np.zeros((0, 0, chain.dof))

    def start(self) -> None:
        """Mark cells by random postures, and choose the cells' size by them."""
        q = self.random.uniform(self.lower, self.upper, (FIRST_SAMPLES, self.chain.dof))
        points = self._points(q)
        self.middle = float(points[:, 1].min() + points[:, 1].max()) / 2
        # Random postures come short of the border; the grid leaves room for what is found later.
        span = 1.3 * max(float(points[:, 0].max()), float(np.ptp(points[:, 1])) / 2, 1e-3)
        self.size = span / CELLS
        self.marked = np.zeros((CELLS, 2 * CELLS), np.bool_)
        self.posture = np.zeros((CELLS, 2 * CELLS, self.chain.dof))
        self._mark(q, points)

    def advance(self) -> bool:
        """Vary the postures at the border; return False when that found nothing new."""
        at_border = self.posture[border_of(self.marked)]
        # Large steps find the way, small ones feel out the border.
        scale = 10.0 ** self.random.uniform(-2.5, -0.3, (VARIATIONS, len(at_border), 1))
        step = scale * self.random.standard_normal((VARIATIONS, *at_border.shape))
        q = np.clip(at_border + step * (self.upper - self.lower) / 4, self.lower, self.upper).reshape(
            -1, self.chain.dof
        )
        return self._mark(q, self._points(q))

    def outline(self) -> Array:
        """Return the border of the largest marked region, without its holes."""
        region = largest_region(self.marked)
        # The first row is repeated beyond the axis and cut there, so that the outline does not round off at it.
        extended = np.pad(np.pad(region, ((MARGIN, 0), (0, 0)), mode="edge"), 1)
        contour = outline_of(extended, 0.3)
        radius = (contour[:, 0] - 1 - MARGIN + 0.5) * self.size
        height = (contour[:, 1] - 1 - CELLS + 0.5) * self.size + self.middle
        return _without_repeats(np.column_stack((np.maximum(radius, 0.0), height)))

    def _points(self, q: Array) -> Array:
        """Return (radius, height) of the flange about the first axis."""
        xyz = forward(self.chain, q)[:, :3, 3] @ self.T_axis_base[:3, :3].T + self.T_axis_base[:3, 3]
        return np.column_stack((np.hypot(xyz[:, 0], xyz[:, 1]), xyz[:, 2]))

    def _mark(self, q: Array, points: Array) -> bool:
        """Mark the cells of `points`; return True where one is new."""
        i = (points[:, 0] / self.size).astype(np.int64)
        j = ((points[:, 1] - self.middle) / self.size + CELLS).astype(np.int64)
        fits = (i < CELLS) & (j >= 0) & (j < 2 * CELLS)
        i, j, q = i[fits], j[fits], q[fits]
        new = ~self.marked[i, j]
        self.posture[i[new], j[new]] = q[new]
        self.marked[i[new], j[new]] = True
        return bool(new.any())


def _without_repeats(polygon: Array) -> Array:
    """Drop points that lie on the one before: the last, and what fell onto the axis from beyond it."""
    step = np.linalg.norm(polygon - np.roll(polygon, 1, axis=0), axis=1)
    return polygon[step > 1e-9]
