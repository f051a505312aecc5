"""Following: the joints along a piece of the tool's path, by continuity."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm
from openpendant.spatial import inverse

from .blocked import BlockKind
from .inverse import HAIR, FlangeInverse, Track
from .kernels.follow import longest_steps, rough_cells
from .kernels.zones import turns_past
from .limits import TOUCH
from .pieces import ToolPiece

Array = NDArray[np.float64]

LONGEST_S = 0.012
"""Longest step between two points of the joint path, in seconds at the joints' largest velocity."""
SHARPEST = 0.1
"""Largest bend between two steps, radians in joint space."""
SHORTEST = 1e-9
"""Part of a piece below which it is not divided further."""
JUMP_M = 1e-5
"""A joint that needs more than the longest step over this way of the tool jumps: the tool would stand still for it."""


@dataclass(frozen=True, eq=False)
class FollowedPiece:
    """Joints along a piece: Q (N, n) at w (N,)."""

    w: Array
    Q: Array


@dataclass(frozen=True, eq=False)
class FollowFault:
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
        self.inverse = FlangeInverse(arm, self.weight)

    def follow(
        self, piece: ToolPiece, w: Array, q0: Array, q_free: tuple[float, float] | None = None
    ) -> FollowedPiece | FollowFault:
        """Return the joints along a piece, from q0 at w[0], at w and as many points between as it takes.

        Args:
            piece: Of the tool's path.
            w: (N,) rising.
            q0: (n,) joints at w[0].
            q_free: For arms with a redundancy joint: its values at w[0] and w[-1].
        """
        track = self.inverse.track(q0, w[0], w[-1], q_free)
        track.fill(w, piece.at(w, self.T_tool_flange))
        softened = False
        while True:
            count = track.choose()
            if not softened and count == len(track.w) and self.inverse.closed:
                softened = True
                if self._soften(track):
                    count = track.choose()
            if count < len(track.w):
                return self._refine_fault(piece, track.w, track.Q, count)
            parts = np.empty(count - 1, dtype=np.int64)
            if rough_cells(track.Q, self.weight, LONGEST_S, SHARPEST, parts) == 0:
                missed = [
                    i for i in np.flatnonzero(np.diff(track.branch)).tolist() if not self._passes(piece, track, i)
                ]
                if not missed:
                    return self._limited(track.w, track.Q)
                parts[missed] = 2
            fault = self._jump(track, parts)
            if fault is not None:
                return fault
            parts[np.diff(track.w) < SHORTEST * piece.length] = 1
            if (parts == 1).all():
                return self._limited(track.w, track.Q)
            track.divide(parts, lambda w: piece.at(w, self.T_tool_flange))
            softened = False

    def _jump(self, track: Track, parts: NDArray[np.int64]) -> FollowFault | None:
        """Return where a joint must move far while the tool hardly moves, None where none must."""
        tiny = np.flatnonzero((parts > 1) & (np.diff(track.w) < JUMP_M))
        steps = np.abs(track.Q[tiny + 1] - track.Q[tiny]) * self.weight
        if steps.max(initial=0.0) <= LONGEST_S:
            return None
        k = int(np.argmax(steps.max(axis=1)))
        at = int(tiny[k])
        limited = self._limited(track.w[: at + 1], track.Q[: at + 1])
        if isinstance(limited, FollowFault):
            return limited
        return FollowFault("jump", float(track.w[at]), track.Q[at].copy(), int(np.argmax(steps[k])))

    def _passes(self, piece: ToolPiece, track: Track, i: int) -> bool:
        """Return whether the change of branch in cell i goes through a singular posture, or only close past it.

        Close past it, the branches do not meet: the joints would leave the tool's path by more than `HAIR`.
        """
        a, b = float(track.w[i]), float(track.w[i + 1])
        q_a, q_b = track.Q[i], track.Q[i + 1]
        for _ in range(40):
            if float(np.abs(q_b - q_a).max()) < HAIR:
                break
            middle = 0.5 * (a + b)
            mean = 0.5 * (q_a + q_b)
            T = piece.at(np.array([middle]), self.T_tool_flange)
            q = self.inverse.near(T, mean[None])
            if q is None or float(np.max(np.abs(q[0] - mean) * self.weight)) > LONGEST_S:
                return self.inverse.soft(T[0], mean) is not None
            if float(np.abs(q[0] - q_a).max()) < float(np.abs(q[0] - q_b).max()):
                a, q_a = middle, q[0]
            else:
                b, q_b = middle, q[0]
        return float(np.abs(q_b - q_a).max()) < 2.0 * HAIR

    def _soften(self, track: Track) -> bool:
        """Solve poses very close to a singular posture exactly there; return whether there were any.

        A line that passes a singularity at a distance of rounding would turn a joint by half a turn on the spot;
        going straight through is off by less than `HAIR`.
        """
        steps = np.empty(len(track.Q) - 1)
        if longest_steps(track.Q, self.weight, steps) <= 5.0 * LONGEST_S:
            return False
        found = False
        for i in (np.flatnonzero(steps > 5.0 * LONGEST_S) + 1).tolist():
            q = self.inverse.soft(track.T[i], track.Q[i - 1])
            if q is not None and float(np.max(np.abs(q - track.Q[i - 1]) * self.weight)) < 0.5 * steps[i - 1]:
                track.replace(i, q)
                found = True
        return found

    def tool_poses(self, Q: Array) -> Array:
        """Return T_base_tool (N, 4, 4) of joints (N, n)."""
        return self.arm.fk(Q, check_limits=False) @ self.T_flange_tool

    def near(self, piece: ToolPiece, w: Array, Q_near: Array) -> Array | None:
        """Return the joints at each w on the branch nearest to a row of Q_near; None if there is none."""
        return self.inverse.near(piece.at(w, self.T_tool_flange), Q_near)

    def _limited(self, w: Array, Q: Array) -> FollowedPiece | FollowFault:
        i, joint = turns_past(w, Q, self.arm.limits_lower, self.arm.limits_upper, TOUCH)
        return FollowedPiece(w, Q) if i < 0 else FollowFault("limit", float(w[i]), Q[max(i - 1, 0)].copy(), joint)

    def _refine_fault(self, piece: ToolPiece, w: Array, Q: Array, count: int) -> FollowFault:
        """Return where exactly the arm's reach ends between the last good and the first bad point."""
        if count == 0:
            return FollowFault("unreachable", float(w[0]), Q[0])
        limited = self._limited(w[:count], Q[:count])
        if isinstance(limited, FollowFault):
            return limited
        good, bad, q = float(w[count - 1]), float(w[count]), Q[count - 1]
        for _ in range(30):
            middle = 0.5 * (good + bad)
            found = self.inverse.near(piece.at(np.array([middle]), self.T_tool_flange), q[None])
            if found is None:
                bad = middle
            else:
                good, q = middle, found[0]
        return FollowFault("unreachable", good, q.copy())
