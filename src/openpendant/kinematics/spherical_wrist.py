"""SphericalWristSolver: closed form for arms whose last three axes meet in one point."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .axes import EXACT, AxisLines, axis_lines, rotation_about
from .chain import Chain
from .closed_form import ClosedForm
from .kernels import spherical
from .plane import SHORTEST_LINK, arm_plane, direction, signed_angle

Array = NDArray[np.float64]


class SphericalWristSolver(ClosedForm):
    """Eight branches: 4 shoulder + 2 elbow + wrist. Axes 2 ∥ 3, 1 ⊥ 2; 4 ⊥ 5 ⊥ 6 meet in the wrist centre."""

    title = "closed form, spherical wrist"

    @classmethod
    def fit(cls, chain: Chain, tolerance: float = EXACT) -> "SphericalWristSolver | None":
        """Return the solver for `chain`, or None where its geometry is another."""
        if chain.dof != 6 or chain.prismatic.any():
            return None
        constants = _constants(chain, axis_lines(chain, tolerance))
        return None if constants is None else cls(chain, constants, spherical.solve, spherical.solve_batch)

    def _elbow(self, t3: float) -> float:
        g = self._constants
        return g[60] * t3 - g[55] + g[56]

    def _wrist(self, q5: Array) -> Array:
        return q5 - self._constants[59]

    @property
    def _links(self) -> tuple[float, float, float, float]:
        g = self._constants
        return g[51], g[52], g[53], g[54]


def _constants(chain: Chain, lines: AxisLines) -> Array | None:
    plane = arm_plane(lines)
    center = lines.meeting(3, 4)
    other = lines.meeting(4, 5)
    if plane is None or center is None or other is None or not (lines.square(3, 4) and lines.square(4, 5)):
        return None
    if np.abs(center - other).max() > lines.tolerance:
        return None
    own_center = plane.own(center)
    link_2 = plane.joint_3 - (plane.radius, 0.0, 0.0)
    length_2, direction_2 = direction(link_2)
    length_3, direction_3 = direction(own_center - plane.joint_3)
    if length_3 < SHORTEST_LINK:
        return None
    u4, u5, u6 = lines.direction[3:6]
    in_line = signed_angle(u6, u4, u5)
    B = np.column_stack([np.cross(u5, u4), u5, u4])
    R_flange = lines.T_base_flange[:3, :3]
    g = np.zeros(spherical.CONSTANTS)
    g[18:27] = plane.R_base_own.T.ravel()
    g[27:30] = plane.origin
    g[30:33] = R_flange.T @ (center - lines.T_base_flange[:3, 3])
    g[33:42] = (R_flange.T @ rotation_about(u5, -in_line) @ B).ravel()
    g[42:51] = (B.T @ plane.R_base_own).ravel()
    g[51:57] = (plane.radius, own_center[1], length_2, length_3, direction_2, direction_3)
    g[57:61] = (math.cos(direction_3), math.sin(direction_3), in_line, plane.sign_3)
    g[0:18] = joint_rows(chain)
    return g


def joint_rows(chain: Chain) -> ArrayLike:
    """Return index in q, lower and upper limit of each joint in the chain's order, flat."""
    order = chain.order
    return np.column_stack([order.astype(np.float64), chain.lower[order], chain.upper[order]]).ravel()
