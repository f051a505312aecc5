"""corner_triangles: all that any way of rounding a corner may touch."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.kinematics import Arm
from openpendant.spatial import check_transform, matrix_from_rotation_vector, rotation_vector_from_matrix

from .followed_piece import Follower
from .trajectory import Corner, Trajectory

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CornerTriangle:
    """Joints over the triangle between entering a corner, its programmed point, and leaving it.

    Row 0 is the way over the programmed point, the last row the shortest way from entering to leaving; the rows
    between fill the triangle. Whatever shape a controller gives to the corner lies in it.
    """

    move: int
    """Index of the move that ends in the corner."""
    space: Literal["tool", "joint"]
    """Where the triangle is flat: in the tool's space, or in joint space beside a joint move."""
    Q: Array
    """(rows, columns, n)."""


def corner_triangles(
    arm: Arm, trajectory: Trajectory, T_flange_tool: ArrayLike | None = None, *, rows: int = 5, columns: int = 13
) -> tuple[CornerTriangle, ...]:
    """Return the triangles of all rounded corners of a trajectory.

    Args:
        arm: The arm that the trajectory was planned for.
        trajectory: As `plan` returned it.
        T_flange_tool: The tool that it was planned with.
        rows: From the sharp corner to the shortest way; at least 2.
        columns: Along the corner; at least 3, odd.
    """
    T_tool = np.eye(4) if T_flange_tool is None else check_transform(T_flange_tool, "T_flange_tool")
    follower = Follower(arm, trajectory.limits.velocity, T_tool)
    return tuple(
        CornerTriangle(
            corner.move, "tool" if corner.space == "tool" else "joint", _fill(corner, follower, rows, columns)
        )
        for corner in trajectory.corners
        if corner.space != "stop"
    )


def _fill(corner: Corner, follower: Follower, rows: int, columns: int) -> Array:
    ends = np.array([corner.q_enter, corner.q_corner, corner.q_leave])
    x = np.linspace(0.0, 1.0, columns)
    # Barycentric weights: along the two sides for the sharp way, along the third side for the shortest.
    sharp = np.column_stack(
        [np.maximum(1.0 - 2.0 * x, 0.0), 1.0 - np.abs(2.0 * x - 1.0), np.maximum(2.0 * x - 1.0, 0.0)]
    )
    short = np.column_stack([1.0 - x, np.zeros(columns), x])
    f = np.linspace(0.0, 1.0, rows)[:, None, None]
    weights = ((1.0 - f) * sharp + f * short).reshape(-1, 3)
    Q = weights @ ends
    if corner.space == "tool":
        T = follower.tool_poses(ends)
        turns = np.array([rotation_vector_from_matrix(T[1, :3, :3].T @ one[:3, :3]) for one in T])
        poses = np.tile(np.eye(4), (len(weights), 1, 1))
        poses[:, :3, 3] = weights @ T[:, :3, 3]
        poses[:, :3, :3] = [T[1, :3, :3] @ matrix_from_rotation_vector(turn) for turn in weights @ turns]
        found = follower.inverse.near(poses @ follower.T_tool_flange, Q)
        Q = Q if found is None else found
    return Q.reshape(rows, columns, -1)
