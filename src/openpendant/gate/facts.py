"""GateFacts: what the gate must know of an arm."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.kinematics import Chain
from openpendant.motion import JointLimits, joint_limits
from openpendant.robots import Robot
from openpendant.scene import CollisionWorld
from openpendant.spatial import check_transform, make_transform, matrix_from_rpy

__all__ = ["REDUCED_SPEED_M_S", "GateFacts", "Space", "facts_in_cell", "facts_of"]

Array = NDArray[np.float64]

REDUCED_SPEED_M_S = 0.25
"""The speed of the tool while people are near or a program runs for the first time (ISO 10218-1, 5.6.2)."""
REST_OF_LINK_M = 0.15
"""Where bodies are not known: how far a link reaches beyond its joint."""


@dataclass(frozen=True, eq=False)
class Space:
    """A box that the tool's point may not leave."""

    low: NDArray[np.float64]
    """(3,): corner, metres."""
    high: NDArray[np.float64]
    T_base_space: NDArray[np.float64]
    """(4, 4): the box's axes in the base of the arm."""

    def __post_init__(self) -> None:
        """Freeze and check; raises InputError where it is no box."""
        low, high = (np.array(corner, dtype=np.float64) for corner in (self.low, self.high))
        if low.shape != (3,) or high.shape != (3,) or not (low < high).all():
            raise InputError(f"a space from {low.tolist()} to {high.tolist()}; allowed are two corners, low and high")
        T = check_transform(self.T_base_space, "frame of the space").copy()
        for name, value in (("low", low), ("high", high), ("T_base_space", T)):
            value.setflags(write=False)
            object.__setattr__(self, name, value)

    def outside_m(self, p_base: Array) -> float:
        """Return how far a point is outside, 0 inside."""
        p = self.T_base_space[:3, :3].T @ (p_base - self.T_base_space[:3, 3])
        return float(np.linalg.norm(np.maximum(np.maximum(self.low - p, p - self.high), 0.0)))


@dataclass(frozen=True, eq=False)
class GateFacts:
    """What the gate must know of an arm. Arrays are read-only."""

    chain: Chain
    limits: JointLimits
    T_flange_tool: NDArray[np.float64]
    """(4, 4): the tool's point."""
    radii: NDArray[np.float64]
    """(n,): radius of a ball about each joint's frame, in the chain's order, that holds what it carries directly."""
    tool_speed_m_s: float = math.inf
    space: Space | None = None
    margin_m: float = 0.001
    """How near anything may come."""
    following_rad: float = 0.2
    """How far the measured joints may lie from what was sent, beside what they travel in `following_s`."""
    following_s: float = 0.2

    def __post_init__(self) -> None:
        """Freeze and check."""
        n = self.chain.dof
        radii = np.array(self.radii, dtype=np.float64)
        if self.limits.dof != n or radii.shape != (n,) or not (radii >= 0.0).all():
            raise InputError(f"limits of {self.limits.dof} joints and radii {radii.tolist()} for a chain of {n} joints")
        if not self.tool_speed_m_s > 0.0:
            raise InputError(f"tool speed {self.tool_speed_m_s}; it must be above 0 m/s")
        if not self.margin_m >= 0.0:
            raise InputError(f"margin {self.margin_m}; it must not be below 0 m")
        radii.setflags(write=False)
        T = check_transform(self.T_flange_tool, "tool").copy()
        T.setflags(write=False)
        object.__setattr__(self, "radii", radii)
        object.__setattr__(self, "T_flange_tool", T)


def facts_of(
    robot: Robot,
    arm: str | None = None,
    *,
    T_flange_tool: ArrayLike | None = None,
    tool_speed_m_s: float = math.inf,
    space: Space | None = None,
) -> GateFacts:
    """Return the facts of an arm of the catalogue, with the tool the catalogue gives it.

    Raises:
        InputError: The robot has no such arm.
    """
    found = robot.arm(arm)
    tool = robot.tool(arm)
    T = np.eye(4)
    if T_flange_tool is not None:
        T = check_transform(T_flange_tool, "tool")
    elif tool is not None:
        T = make_transform(matrix_from_rpy(*np.radians(tool.tcp_rpy_deg)), tool.tcp_xyz_m)
    radii = np.full(found.dof, REST_OF_LINK_M)
    return GateFacts(found.chain, joint_limits(robot, arm), T, radii, tool_speed_m_s, space)


def facts_in_cell(
    world: CollisionWorld, arm: str | None = None, *, tool_speed_m_s: float = math.inf, space: Space | None = None
) -> GateFacts:
    """Return the facts of an arm where it stands in a cell (robot/arm, or the robot where it has one arm).

    Raises:
        UnknownNameError: The cell has no such arm.
    """
    placed = world.scene.arm(arm)
    radii = np.zeros(placed.kinematics.dof)
    for body in world.layout.moving_bodies:
        if body.arm == placed.key:
            reach = float(np.linalg.norm(body.body.T[:3, 3]) + np.linalg.norm(body.body.bound()))
            radii[body.joint] = max(radii[body.joint], reach)
    limits = joint_limits(placed.model, placed.arm)
    return GateFacts(placed.kinematics.chain, limits, placed.T_flange_tcp, radii, tool_speed_m_s, space)
