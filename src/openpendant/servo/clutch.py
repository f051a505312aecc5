"""Clutch: maps the motion of a hand to that of a tool, without a jump when it is closed or changed."""

import numpy as np
from numpy.typing import NDArray

from openpendant.messages import Axis, PoseIntent, TwistIntent
from openpendant.spatial import matrix_from_quaternion, matrix_from_rotation_vector, rotation_vector_from_matrix

from .hand import Hand

Array = NDArray[np.float64]
AXES: tuple[Axis, ...] = ("x", "y", "z", "rx", "ry", "rz")


def free_axes(locked: tuple[Axis, ...]) -> Array:
    """Return (6,) 1 for each axis that is free and 0 for each that is locked."""
    return np.array([0.0 if axis in locked else 1.0 for axis in AXES])


class Clutch:
    """Holds where hand and tool were when the clutch was closed."""

    def __init__(self, T_world_base: Array, memory_s: float) -> None:
        """Open; the base stands at `T_world_base`."""
        self.hand = Hand(memory_s)
        self._T_world_base = T_world_base
        self._R_world_base = np.ascontiguousarray(T_world_base[:3, :3])
        self._axes, self._free = np.eye(3), np.ones(6)
        self._how: tuple[object, ...] | None = None
        self._anchor: tuple[Array, Array, Array, Array] | None = None

    def open(self) -> None:
        """Let go."""
        self.hand.forget()
        self._how = self._anchor = None

    def axes(self, intent: TwistIntent | PoseIntent, R_world_tool: Array) -> Array:
        """Return the (3, 3) axes of the intent's frame in the world."""
        if intent.frame == "world":
            return np.eye(3)
        if intent.frame == "base":
            return self._R_world_base
        if intent.frame == "tool":
            return R_world_tool
        return matrix_from_quaternion(intent.view)

    def follow(self, intent: PoseIntent, p_tool: Array, R_tool: Array, goal: Array) -> None:
        """Take a sample of the hand and write the tool's goal.

        Args:
            intent: The sample.
            p_tool: Where the tool's goal is now (or its reference, when the clutch is just being closed).
            R_tool: Its rotation.
            goal: As `kernels.reference.demand` reads it: pose and velocity are written.
        """
        p, R = np.array(intent.pose.xyz), matrix_from_quaternion(intent.pose.wxyz)
        if not intent.relative:
            if intent.frame == "base":
                p, R = self._T_world_base[:3, :3] @ p + self._T_world_base[:3, 3], self._R_world_base @ R
            free = free_axes(intent.locked)
            self.hand.add_sample(p, R, intent.stamp_ns)
            self._write(goal, self.hand.p, self.hand.R, self.hand.v, self.hand.w)
            if not free.all():
                # A locked axis stays where the tool is.
                axes = self.axes(intent, R_tool)
                way = axes @ (free[:3] * (axes.T @ (self.hand.p - p_tool)))
                twist = axes @ (free[3:] * (axes.T @ rotation_vector_from_matrix(self.hand.R @ R_tool.T)))
                v, w = (axes @ (f * (axes.T @ x)) for f, x in ((free[:3], self.hand.v), (free[3:], self.hand.w)))
                self._write(goal, p_tool + way, matrix_from_rotation_vector(twist) @ R_tool, v, w)
            return
        self.hand.add_sample(p, R, intent.stamp_ns)
        how = (intent.frame, intent.view, intent.scale, intent.locked)
        if self._anchor is None or how != self._how:
            # Anything else than the hand's own way would make the tool jump: begin from where both are.
            axes = np.array(self.axes(intent, R_tool))
            self._how, self._anchor = how, (self.hand.p, self.hand.R, np.array(p_tool), np.array(R_tool))
            self._axes, self._free = axes, free_axes(intent.locked)
        p0, R0, p0_tool, R0_tool = self._anchor
        axes, free, scale = self._axes, self._free, intent.scale
        way = scale * (free[:3] * (self.hand.p - p0))
        twist = free[3:] * rotation_vector_from_matrix(self.hand.R @ R0.T)
        self._write(
            goal,
            p0_tool + axes @ way,
            matrix_from_rotation_vector(axes @ twist) @ R0_tool,
            axes @ (scale * free[:3] * self.hand.v),
            axes @ (free[3:] * self.hand.w),
        )

    @staticmethod
    def _write(goal: Array, p: Array, R: Array, v: Array, w: Array) -> None:
        goal[0] = 1.0
        goal[8:11], goal[11:20], goal[20:23], goal[23:26] = p, R.ravel(), v, w
