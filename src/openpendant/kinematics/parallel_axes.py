"""ParallelAxesSolver: closed form for arms with three parallel axes in the middle, like Universal Robots'."""

import math

import numpy as np
from numpy.typing import NDArray

from .axes import EXACT, AxisLines, axis_lines, rotation_about
from .chain import Chain
from .closed_form import ClosedForm
from .kernels import parallel
from .plane import SHORTEST_LINK, arm_plane, direction, signed_angle
from .spherical_wrist import joint_rows

Array = NDArray[np.float64]


class ParallelAxesSolver(ClosedForm):
    """Eight branches: 4 shoulder + 2 elbow + wrist. Axes 2 ∥ 3 ∥ 4, 1 ⊥ 2, 5 ⊥ 4, 6 ⊥ 5 and meets it."""

    title = "closed form, three parallel axes"

    @classmethod
    def fit(cls, chain: Chain, tolerance: float = EXACT) -> "ParallelAxesSolver | None":
        """Return the solver for `chain`, or None where its geometry is another."""
        if chain.dof != 6 or chain.prismatic.any():
            return None
        constants = _constants(chain, axis_lines(chain, tolerance))
        return None if constants is None else cls(chain, constants, parallel.solve, parallel.solve_batch)

    def _elbow(self, t3: float) -> float:
        g = self._constants
        return g[52] * t3 - g[47] + g[48]

    def _wrist(self, q5: Array) -> Array:
        return q5 - self._constants[51]

    @property
    def _links(self) -> tuple[float, float, float, float]:
        g = self._constants
        return g[42], g[43], g[44], g[45]

    def _spans(self, T: Array, point: Array, x: float, u: Array) -> list[float]:
        """See `ClosedForm`: link 3 hangs between the two links and the meeting point, in two ways."""
        g = self._constants
        t1 = math.atan2(point[1], point[0]) - math.atan2(g[43], x)
        c, s = math.cos(t1), math.sin(t1)
        M = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ g[18:27].reshape(3, 3) @ T[:3, :3]
        M = M @ g[33:42].reshape(3, 3)
        t6 = math.atan2(M[1, 2], M[1, 0])
        turn = np.array([-math.sin(t6), 0.0, math.cos(t6)])
        direction_4 = math.atan2(float(M[0] @ turn), float(M[2] @ turn)) - g[50] + g[49]
        link = g[46] * np.array([math.cos(direction_4), math.sin(direction_4)])
        return [float(np.linalg.norm(u - link)), float(np.linalg.norm(u + link))]


def _constants(chain: Chain, lines: AxisLines) -> Array | None:
    plane = arm_plane(lines)
    point = lines.meeting(4, 5)
    if plane is None or point is None:
        return None
    if not (lines.parallel(1, 3) and lines.square(3, 4) and lines.square(4, 5)):
        return None
    joint_4 = plane.own(lines.point[3])
    length_2, direction_2 = direction(plane.joint_3 - (plane.radius, 0.0, 0.0))
    length_3, direction_3 = direction(joint_4 - plane.joint_3)
    length_4, direction_4 = direction(plane.own(point) - joint_4)
    if length_3 < SHORTEST_LINK:
        return None
    y = plane.R_base_own[:, 1]
    u5, u6 = lines.direction[4:6]
    zero_5 = signed_angle(u6, y, u5)
    own_5 = plane.R_base_own.T @ u5
    tilt = math.atan2(own_5[0], own_5[2])
    R_flange = lines.T_base_flange[:3, :3]
    g = np.zeros(parallel.CONSTANTS)
    g[18:27] = plane.R_base_own.T.ravel()
    g[27:30] = plane.origin
    g[30:33] = R_flange.T @ (point - lines.T_base_flange[:3, 3])
    turn = rotation_about(np.array([0.0, 1.0, 0.0]), tilt)
    g[33:42] = (R_flange.T @ rotation_about(u5, -zero_5) @ plane.R_base_own @ turn).ravel()
    g[42:47] = (plane.radius, plane.own(point)[1], length_2, length_3, length_4)
    g[47:52] = (direction_2, direction_3, direction_4, tilt, zero_5)
    g[52:54] = (plane.sign_3, 1.0 if lines.direction[3] @ y > 0.0 else -1.0)
    g[54:56] = (math.cos(direction_4 - tilt), math.sin(direction_4 - tilt))
    g[0:18] = joint_rows(chain)
    return g
