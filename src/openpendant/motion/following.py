"""Following: the joints along a piece of the tool's path, by continuity."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm
from openpendant.spatial import inverse

from .blocked import BlockKind
from .inverse import Inverse
from .kernels.follow import rough_cells
from .pieces import ToolPiece

__all__ = ["Fault", "Followed", "Follower"]

Array = NDArray[np.float64]

LONGEST_S = 0.012
"""Longest step between two points of the joint path, in seconds at the joints' largest velocity."""
SHARPEST = 0.1
"""Largest bend between two steps, radians in joint space."""
SHORTEST = 1e-9
"""Where a step of this part of the piece is still too long, a joint jumps."""


@dataclass(frozen=True, eq=False)
class Followed:
    """Joints along a piece: Q (N, n) at w (N,)."""

    w: Array
    Q: Array


@dataclass(frozen=True, eq=False)
class Fault:
    """Where and why a piece cannot be followed."""

    kind: BlockKind
    w: float
    q: Array
    """The last joints before the fault."""
    joint: int | None = None


class Follower:
    """Follows pieces with one arm and tool."""

    def __init__(self, arm: Arm, velocity: Array, T_flange_tool: Array) -> None:
        """Follow with `arm`; a step counts by the time that each joint needs for it at its largest velocity."""
        self.arm = arm
        self.weight = 1.0 / velocity
        self.T_flange_tool = T_flange_tool
        self.T_tool_flange = inverse(T_flange_tool)
        self.inverse = Inverse(arm, self.weight)

    def follow(
        self, piece: ToolPiece, w: Array, q0: Array, q_free: tuple[float, float] | None = None
    ) -> Followed | Fault:
        """Return the joints along a piece, from q0 at w[0], at w and as many points between as it takes.

        Args:
            piece: Of the tool's path.
            w: (N,) rising.
            q0: (n,) joints at w[0].
            q_free: For arms with a redundancy joint: its values at w[0] and w[-1].
        """
        track = self.inverse.track(q0, w[0], w[-1], q_free)
        track.insert(np.arange(len(w)), w, piece.at(w, self.T_tool_flange))
        while True:
            count = track.choose()
            if count < len(track.w):
                return self._refine_fault(piece, track.w, track.Q, count)
            split = np.empty(count - 1, dtype=np.bool_)
            if rough_cells(track.Q, self.weight, LONGEST_S, SHARPEST, split) == 0:
                return self._limited(track.w, track.Q)
            where = np.flatnonzero(split)
            small = track.w[where + 1] - track.w[where] < SHORTEST * piece.length
            if small.any():
                jump = where[small]
                steps = np.abs(track.Q[jump + 1] - track.Q[jump]) * self.weight
                if steps.max() > LONGEST_S:
                    k = int(np.argmax(steps.max(axis=1)))
                    at = int(jump[k])
                    return Fault("jump", float(track.w[at]), track.Q[at].copy(), int(np.argmax(steps[k])))
                where = where[~small]
                if len(where) == 0:
                    return self._limited(track.w, track.Q)
            track.renew(where + 1)
            middle = 0.5 * (track.w[where] + track.w[where + 1])
            track.insert(where + 1, middle, piece.at(middle, self.T_tool_flange))

    def tool_poses(self, Q: Array) -> Array:
        """Return T_base_tool (N, 4, 4) of joints (N, n)."""
        return self.arm.fk(Q, check_limits=False) @ self.T_flange_tool

    def near(self, piece: ToolPiece, w: Array, Q_near: Array) -> Array | None:
        """Return the joints at each w on the branch nearest to a row of Q_near; None where there is none."""
        return self.inverse.near(piece.at(w, self.T_tool_flange), Q_near)

    def _limited(self, w: Array, Q: Array) -> Followed | Fault:
        low, high = self.arm.limits_lower - 1e-9, self.arm.limits_upper + 1e-9
        out = (low > Q) | (high < Q)
        if out.any():
            i = int(np.argmax(out.any(axis=1)))
            return Fault("limit", float(w[i]), Q[max(i - 1, 0)].copy(), int(np.argmax(out[i])))
        return Followed(w, Q)

    def _refine_fault(self, piece: ToolPiece, w: Array, Q: Array, count: int) -> Fault:
        """Return where exactly the arm's reach ends between the last good and the first bad point."""
        if count == 0:
            return Fault("unreachable", float(w[0]), Q[0])
        limited = self._limited(w[:count], Q[:count])
        if isinstance(limited, Fault):
            return limited
        good, bad, q = float(w[count - 1]), float(w[count]), Q[count - 1]
        for _ in range(30):
            middle = 0.5 * (good + bad)
            found = self.inverse.near(piece.at(np.array([middle]), self.T_tool_flange), q[None])
            if found is None:
                bad = middle
            else:
                good, q = middle, found[0]
        return Fault("unreachable", good, q.copy())
