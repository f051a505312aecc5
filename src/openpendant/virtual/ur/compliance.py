"""Compliance: force mode and freedrive, in which the arm gives way."""

import math

import numpy as np
from numpy.typing import NDArray

from .installation import Installation
from .kernels.arm import frames, tool_jacobian, transform_of
from .model import UrModel

Array = NDArray[np.float64]
YIELD_RAD_S_NM = 0.12
"""Joint velocity for each Nm of a hand's push in freedrive."""
YIELD_M_S_N = 0.004
YIELD_RAD_S_NM_TOOL = 0.2
"""Tool velocity for each N (Nm) that force mode lacks."""


class Compliance:
    """What the arm yields to. All velocities come out for one tick; the mover keeps them within the limits."""

    def __init__(self, model: UrModel, installation: Installation) -> None:
        self._dh = model.dh()
        self._installation = installation
        self.freedrive = False
        self.free_axes: tuple[float, ...] = (1.0,) * 6
        self.feature: tuple[float, ...] | None = None
        self.force_mode = False
        self._frame = np.eye(3)
        self._moving_frame = False
        self._selection = np.zeros(6)
        self._wrench = np.zeros(6)
        self._limits = np.zeros(6)
        self.damping = 0.005
        self.gain_scaling = 1.0
        self._T, self._J, self._tip = np.empty((7, 3, 4)), np.empty((6, 6)), np.empty((3, 4))

    @property
    def wrench(self) -> tuple[float, ...]:
        """What force mode aims for; zeros outside of it."""
        return tuple(self._wrench.tolist()) if self.force_mode else (0.0,) * 6

    def begin_force_mode(self, frame: Array, selection: Array, wrench: Array, kind: int, limits: Array) -> None:
        """Give way along the selected axes of a frame until the wrench is felt there."""
        T = np.empty((3, 4))
        transform_of(frame, T)
        self._frame = T[:, :3].copy()
        self._moving_frame = kind == 1
        self._selection, self._wrench, self._limits = selection.copy(), wrench.copy(), np.abs(limits)
        self.force_mode = True

    def end_force_mode(self) -> None:
        """Be stiff again."""
        self.force_mode = False

    def end_all(self) -> None:
        """Be stiff again in every respect: the program has ended."""
        self.force_mode = self.freedrive = False
        self.free_axes, self.feature = (1.0,) * 6, None

    def force_twist(self) -> Array:
        """Return the tool's twist (base axes) that force mode asks for now."""
        R = self._frame
        felt = self._installation.world[3:9] - self._installation.world[9:15]
        local = np.concatenate([R.T @ felt[:3], R.T @ felt[3:]])
        lack = (self._wrench + local) * self._selection
        yields = np.array([YIELD_M_S_N] * 3 + [YIELD_RAD_S_NM_TOOL] * 3) * self.gain_scaling
        speed = np.clip(lack * yields, -self._limits, self._limits)
        return np.concatenate([R @ speed[:3], R @ speed[3:]])

    def hand_velocity(self, q: Array, axes: tuple[float, ...] | None = None) -> Array:
        """Return the joint velocities by which the arm gives way to the push at its tool in freedrive."""
        push = self._installation.world[3:9]
        frames(self._dh, q, self._T)
        tool_jacobian(self._T, self._installation.tool, self._J, self._tip)
        if axes is not None and not all(axes):
            R = self._tip[:, :3] if self.feature is None else _rotation(self.feature)
            free = np.array(axes, dtype=np.float64) != 0.0
            push = np.concatenate([R @ ((R.T @ push[:3]) * free[:3]), R @ ((R.T @ push[3:]) * free[3:])])
        velocity = YIELD_RAD_S_NM * (self._J.T @ push)
        largest = float(np.abs(velocity).max())
        return velocity if largest <= 1.0 or math.isnan(largest) else velocity / largest


def _rotation(pose: tuple[float, ...]) -> Array:
    T = np.empty((3, 4))
    transform_of(np.array(pose, dtype=np.float64), T)
    return T[:, :3].copy()
