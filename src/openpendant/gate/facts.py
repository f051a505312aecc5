"""GateFacts: what the gate must know of an arm."""

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.kinematics import Chain
from openpendant.motion import JointLimits, joint_limits
from openpendant.robots import Robot
from openpendant.scene import CollisionWorld, spaces_of_arm
from openpendant.spatial import check_transform, make_transform, matrix_from_rpy

from .spaces import Space

Array = NDArray[np.float64]

REDUCED_SPEED_M_S = 0.25
"""The speed of tool and elbow while people are near or a program runs for the first time (ISO 10218-1, 5.6.2)."""
REDUCED_SETPOINTS_M_S = 0.23
"""What setpoints and uploaded programs keep to, so that the arm that follows them keeps to the above: blends, the
controller's own tracking and late ticks made a UR3e 6 % faster than what it was sent."""
REST_OF_LINK_M = 0.15
"""Where bodies are not known: how far a link reaches beyond its joint."""


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
    """Of the tool's point and of the centres of all joints, the elbow among them."""
    spaces: tuple[Space, ...] = ()
    """Where the tool's point may be, and where not."""
    margin_m: float = 0.001
    """How near anything may come."""
    following_rad: float = 0.05
    """How far the measured joints may lie outside of where they were sent in `following_s` before their state."""
    following_s: float = 0.1
    """A streamed virtual UR3e is 0.045 s behind at any speed, a UR10e was measured 0.034 s behind."""
    tcps: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    """(K, 3): further points on the flange that keep to speed and spaces like the tool's point, metres."""

    def __post_init__(self) -> None:
        """Freeze and check."""
        n = self.chain.dof
        tcps = np.array(self.tcps, dtype=np.float64)
        if tcps.ndim != 2 or tcps.shape[1] != 3 or not np.isfinite(tcps).all():
            raise InputError(f"TCPs {tcps.tolist()}; allowed: rows of three finite numbers")
        radii = np.array(self.radii, dtype=np.float64)
        if self.limits.dof != n or radii.shape != (n,) or not (radii >= 0.0).all():
            raise InputError(f"limits of {self.limits.dof} joints and radii {radii.tolist()} for a chain of {n} joints")
        if not self.tool_speed_m_s > 0.0:
            raise InputError(f"tool speed {self.tool_speed_m_s}; it must be above 0 m/s")
        if not self.margin_m >= 0.0:
            raise InputError(f"margin {self.margin_m}; it must not be below 0 m")
        radii.setflags(write=False)
        tcps.setflags(write=False)
        T = check_transform(self.T_flange_tool, "tool").copy()
        T.setflags(write=False)
        object.__setattr__(self, "radii", radii)
        object.__setattr__(self, "tcps", tcps)
        object.__setattr__(self, "T_flange_tool", T)

    def with_tcps(self, tcps: ArrayLike) -> "GateFacts":
        """Return the same with other TCPs beside the tool's own.

        Args:
            tcps: (K, 3): metres on the flange.

        Raises:
            InputError: They are no rows of three finite numbers.
        """
        rows = np.array(tcps, dtype=np.float64)
        return replace(self, tcps=rows if rows.size else np.zeros((0, 3)))


def facts_of(
    robot: Robot,
    arm: str | None = None,
    *,
    T_flange_tool: ArrayLike | None = None,
    tool_speed_m_s: float = math.inf,
    spaces: tuple[Space, ...] = (),
) -> GateFacts:
    """Return the facts of an arm of the catalogue.

    Args:
        robot: Of the catalogue.
        arm: Name of the arm; None: the first.
        T_flange_tool: (4, 4): the tool's point on the flange, metres; None: of the tool that the catalogue gives it.
        tool_speed_m_s: Limit for the tool's point and the centres of all joints.
        spaces: Where the tool's point may be, and where not.

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
    return GateFacts(found.chain, joint_limits(robot, arm), T, radii, tool_speed_m_s, spaces)


def facts_in_cell(world: CollisionWorld, arm: str | None = None, *, tool_speed_m_s: float = math.inf) -> GateFacts:
    """Return the facts of an arm where it stands in a cell; spaces are those of the cell.

    Args:
        world: The cell.
        arm: As robot/arm, or the robot if it has one arm; None: the first.
        tool_speed_m_s: Limit for the tool's point and the centres of all joints.

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
    spaces = tuple(
        Space(-box.half, box.half, box.T_base_box, box.kind, box.name) for box in spaces_of_arm(world.scene, placed.key)
    )
    return GateFacts(placed.kinematics.chain, limits, placed.T_flange_tcp, radii, tool_speed_m_s, spaces)
