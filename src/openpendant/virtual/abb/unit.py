"""MechanicalUnit: an arm as ABB's controllers name and measure it: degrees, millimetres, tool0, confdata."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.rapid import RapidFailure
from openpendant.robots.conventions import find_confdata
from openpendant.spatial import inverse, make_transform, matrix_from_quaternion, quaternion_from_matrix
from openpendant.virtual.arm import PathMove, VirtualArm

Array = NDArray[np.float64]
NO_AXIS = 9e9
"""What stands for axes that do not exist."""
NO_EXTERNAL = (NO_AXIS,) * 6
AXES = 6
WOBJ0 = (False, True, "", ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)), ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
TOOL0 = (True, ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)), (0.001, (0.0, 0.0, 0.001), (1.0, 0.0, 0.0, 0.0), 0.0, 0.0, 0.0))
SETTLED_RAD, SETTLED_RAD_S = 5e-5, 1e-3
"""An arm that is nearer to its target and slower is in position: 0.03 mm at half a metre. ABB publishes no figures."""
BORDER_RAD = math.radians(0.5)
"""So near to another posture an arm is in both: targets are written with few digits."""
FARTHEST_MM, MOST_TURN = 1e6, 10.0
"""Larger numbers of a pose are none."""
_QUATERNION_OFF = 1e-3


@dataclass(eq=False)
class MechanicalUnit:
    """A six-axis arm without external axes.

    Attributes:
        name: As "ROB_1".
        task: Whose motion instructions move it.
        arm: What moves.
    """

    name: str
    task: str
    arm: VirtualArm

    def __post_init__(self) -> None:
        """Begin where the arm stands."""
        self._confdata = find_confdata(self.arm.model.arm.chain)
        self.ahead = self.arm.plant.q.copy()
        """Joints at the end of the last move that was asked for."""
        self.cleared = 0
        """How often its moves were cleared."""
        self.lost = 0
        """How often its brakes have made it forget its moves."""

    @property
    def in_position(self) -> bool:
        """Whether all that was asked for is done and the joints have come to rest there."""
        arm = self.arm
        off = np.abs(arm.plant.q - arm.mover.target).max()
        return arm.still and not arm.queue.ahead and off < SETTLED_RAD and np.abs(arm.plant.qd).max() < SETTLED_RAD_S

    # What is measured

    @property
    def jointtarget(self) -> tuple[Any, ...]:
        """Where the arm is, as RAPID's jointtarget."""
        return self.jointtarget_of(self.arm.plant.q)

    def robtarget(self, tool: Any, wobj: Any) -> tuple[Any, ...]:
        """Where the tool is, as RAPID's robtarget."""
        return self.robtarget_of(self.arm.plant.q, tool, wobj)

    def jointtarget_of(self, q: Array) -> tuple[Any, ...]:
        """Return joints as RAPID's jointtarget."""
        return tuple(float(value) for value in np.degrees(q)), NO_EXTERNAL

    def robtarget_of(self, q: Array, tool: Any, wobj: Any) -> tuple[Any, ...]:
        """Return the pose of a tool at joints, with its configuration."""
        T = inverse(frame_of_wobj(wobj)) @ self.arm.model.arm.fk(q, check_limits=False) @ frame_of_tool(tool)
        turn = tuple(float(one) for one in quaternion_from_matrix(T[:3, :3]))
        configuration = self.configuration(q)
        place = tuple(float(one) for one in 1000.0 * T[:3, 3])
        return place, turn, tuple(map(float, configuration)), NO_EXTERNAL

    def configuration(self, q: Array) -> tuple[int, ...]:
        """Return the confdata of joints."""
        return (0, 0, 0, 0) if self._confdata is None else tuple(self._confdata(q))

    def has_configuration(self, q: Array, robtarget: Any) -> bool:
        """Return whether joints are in the configuration of a robtarget, as ConfL takes it.

        Axes 1, 4 and 6 may be in the quarter beside theirs, as with `Offs` over a border. At the border of two
        postures (cfx) an arm is in both.
        """
        if self._confdata is None:
            return True
        *quarters, posture = (int(one) for one in robtarget[2])
        found = self._confdata(q)
        postures = {found[3]}
        for axis in range(len(q)):
            for side in (-BORDER_RAD, BORDER_RAD):
                aside = q.copy()
                aside[axis] += side
                postures.add(self._confdata(aside)[3])
        return posture in postures and all(abs(a - b) <= 1 for a, b in zip(quarters, found[:3], strict=True))

    # Where to go

    def joints_of(self, jointtarget: Any) -> Array:
        """Return joints of a jointtarget.

        Raises:
            RapidFailure: ERR_ROBLIMIT: a joint is beyond its limits.
        """
        q = np.radians(np.array(jointtarget[0][: self.arm.model.limits.dof], dtype=np.float64))
        arm = self.arm.model.arm
        for axis, (value, lower, upper) in enumerate(zip(q, arm.limits_lower, arm.limits_upper, strict=True), 1):
            if not lower - 1e-9 <= value <= upper + 1e-9:
                raise RapidFailure(
                    "ERR_ROBLIMIT",
                    f"axis {axis} at {math.degrees(value):.1f}° is outside "
                    f"{math.degrees(lower):.0f}° to {math.degrees(upper):.0f}°",
                )
        return q

    def pose_of(self, robtarget: Any, tool: Any, wobj: Any) -> Array:
        """Return T_base_flange of a robtarget."""
        return self.tool_pose_of(robtarget, wobj) @ inverse(frame_of_tool(tool))

    def tool_pose_of(self, robtarget: Any, wobj: Any) -> Array:
        """Return T_base_tool of a robtarget."""
        return frame_of_wobj(wobj) @ frame_of((robtarget[0], robtarget[1]))

    def solve(self, robtarget: Any, tool: Any, wobj: Any, *, configuration: bool, near: Array) -> Array:
        """Return joints for a robtarget.

        Args:
            robtarget: The target.
            tool: tooldata.
            wobj: wobjdata.
            configuration: Whether its confdata has to be kept.
            near: Joints that decide between several.

        Raises:
            RapidFailure: ERR_OUTSIDE_REACH, or ERR_ROBLIMIT where only the limits are in the way.
        """
        found = self.arm.model.arm.ik(self.pose_of(robtarget, tool, wobj), seed=near, variants=True)
        if found.unreachable is not None:
            error = "ERR_ROBLIMIT" if found.unreachable.kind == "limit" else "ERR_OUTSIDE_REACH"
            raise RapidFailure(error, found.unreachable.reason)
        if not configuration or self._confdata is None:
            return found.solutions[0].q
        wanted = tuple(int(one) for one in robtarget[2])
        for solution in found.solutions:
            if self._confdata(solution.q) == wanted:
                return solution.q
        raise RapidFailure("ERR_ROBLIMIT", f"no joints with configuration {list(wanted)} reach the pose")

    def add(self, move: PathMove, q_end: Array) -> int:
        """Ask for a move that ends at joints; return how many moves are finished when it is."""
        self.arm.queue.add(move)
        self.ahead = q_end
        return self.arm.queue.finished + self.arm.queue.ahead

    def settle(self) -> None:
        """Forget what was asked for: the next move begins where the arm is."""
        self.arm.queue.clear()
        self.ahead = self.arm.plant.q.copy()
        self.cleared += 1

    def brake(self) -> None:
        """Let the brakes stop the arm, which forgets its moves."""
        self.arm.close_brakes()
        self.ahead = self.arm.plant.q.copy()
        self.lost += 1


def frame_of(pose: Sequence[Any]) -> Array:
    """Return the transform of RAPID's pose: mm and a quaternion, which is normalised.

    Raises:
        RapidFailure: ERR_ILLQUAT: not a quaternion; ERR_ARGVALERR: not finite, or too far away.
    """
    place, turn = np.array(pose[0], dtype=np.float64), np.array(pose[1], dtype=np.float64)
    if not (np.abs(place).max() <= FARTHEST_MM and np.abs(turn).max() <= MOST_TURN):
        raise RapidFailure("ERR_ARGVALERR", f"pose {pose[0]}, {pose[1]}; {FARTHEST_MM:g} mm at most are allowed")
    size = float(np.linalg.norm(turn))
    if not abs(size - 1.0) <= _QUATERNION_OFF:
        raise RapidFailure("ERR_ILLQUAT", f"an orientation of length {size:.4f}; 1 is allowed")
    return make_transform(matrix_from_quaternion(turn / size), place / 1000.0)


def frame_of_tool(tool: Any) -> Array:
    """Return T_flange_tool of tooldata."""
    return frame_of(tool[1])


def frame_of_wobj(wobj: Any) -> Array:
    """Return T_base_object of wobjdata; the arm stands at the origin of the world."""
    return frame_of(wobj[3]) @ frame_of(wobj[4])
