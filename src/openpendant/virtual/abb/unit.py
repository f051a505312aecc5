"""MechanicalUnit: an arm as ABB's controllers name and measure it: degrees, millimetres, tool0, confdata.

Arms of seven axes have axis 7 as the first external axis of a jointtarget. That of a robtarget is the arm angle as
`openpendant.kinematics.arm_angle` defines it, in degrees: ABB's own definition is not public, nor is their cfx.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.rapid import RapidFailure
from openpendant.errors import InputError
from openpendant.kinematics import IkResult, arm_angle
from openpendant.robots.conventions import Confdata, find_confdata
from openpendant.spatial import inverse, quaternion_from_matrix
from openpendant.virtual.arm import PathMove, VirtualArm, joints_near

from .frames import frame_of, frame_of_tool, frame_of_wobj

Array = NDArray[np.float64]
NO_AXIS = 9e9
"""What stands for axes that do not exist."""
LEAST_NO_AXIS = 8.9e9
"""From here on a number means it, too: with 32 bits, as in files, 9E9 is 8999999488."""
NO_EXTERNAL = (NO_AXIS,) * 6
AXES = 6, 7
"""How many an arm can have."""
SIX = 6
WOBJ0 = (False, True, "", ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)), ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
TOOL0 = (True, ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)), (0.001, (0.0, 0.0, 0.001), (1.0, 0.0, 0.0, 0.0), 0.0, 0.0, 0.0))
SETTLED_RAD, SETTLED_RAD_S = 5e-5, 1e-3
"""An arm that is nearer to its target and slower is in position: 0.03 mm at half a metre. ABB publishes no figures."""
BORDER_RAD = math.radians(0.5)
"""So near to another posture an arm is in both: targets are written with few digits."""
COUNTED = [0, 3, 5]
"""Axes whose quarter turns are cf1, cf4 and cf6."""
_QUARTER = math.pi / 2.0
_BORDER = 1e-6


@dataclass(eq=False)
class MechanicalUnit:
    """An arm of six or seven axes, without external ones.

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
        degrees = [float(value) for value in np.degrees(q)]
        return tuple(degrees[:SIX]), (*degrees[SIX:], *NO_EXTERNAL[len(q) - SIX :])

    def robtarget_of(self, q: Array, tool: Any, wobj: Any) -> tuple[Any, ...]:
        """Return the pose of a tool at joints, with its configuration."""
        T = inverse(frame_of_wobj(wobj)) @ self.arm.model.arm.fk(q, check_limits=False) @ self.T_flange_tool(tool)
        turn = tuple(float(one) for one in quaternion_from_matrix(T[:3, :3]))
        configuration = self.configuration(q)
        place = tuple(float(one) for one in 1000.0 * T[:3, 3])
        return place, turn, tuple(map(float, configuration)), (self._elbow(q), *NO_EXTERNAL[1:])

    def _elbow(self, q: Array) -> float:
        """Return the arm angle at joints, degrees; NO_AXIS: there is none, or it is not defined there."""
        arm = self.arm.model.arm
        try:
            # A lag may carry a joint a trifle beyond its limit.
            q = np.clip(q, arm.limits_lower, arm.limits_upper)
            return math.degrees(arm_angle(arm, q)) if len(q) > SIX else NO_AXIS
        except InputError:
            return NO_AXIS

    def configuration(self, q: Array) -> tuple[int, ...]:
        """Return the confdata of joints."""
        return (*map(_quarter, q[COUNTED]), 0) if self._confdata is None else tuple(self._confdata(q))

    def has_configuration(self, q: Array, robtarget: Any) -> bool:
        """Return whether joints are in the configuration of a robtarget, as ConfL takes it.

        Axes 1, 4 and 6 may be in the quarter beside theirs, as with `Offs` over a border. At the border of two
        postures (cfx) an arm is in both. Arms of seven axes are in any: their cfx is not published.
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

    def T_flange_tool(self, tool: Any) -> Array:
        """Return tooldata's tool in the arm's flange; tooldata gives it in the controller's."""
        return self.arm.model.T_flange_controller @ frame_of_tool(tool)

    def joints_of(self, jointtarget: Any) -> Array:
        """Return joints of a jointtarget.

        Raises:
            RapidFailure: ERR_ROBLIMIT: a joint is beyond its limits, or axis 7 is not given.
        """
        robot, external = jointtarget
        arm = self.arm.model.arm
        degrees = np.array((*robot, *external)[: arm.dof], dtype=np.float64)
        if (degrees[SIX:] >= LEAST_NO_AXIS).any():
            raise RapidFailure("ERR_ROBLIMIT", "axis 7 is not given: eax_a is 9E9")
        q = np.radians(degrees)
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
        return self.tool_pose_of(robtarget, wobj) @ inverse(self.T_flange_tool(tool))

    def tool_pose_of(self, robtarget: Any, wobj: Any) -> Array:
        """Return T_base_tool of a robtarget."""
        return frame_of_wobj(wobj) @ frame_of((robtarget[0], robtarget[1]))

    def solve(self, robtarget: Any, tool: Any, wobj: Any, *, configuration: bool, near: Array) -> Array:
        """Return joints for a robtarget.

        Args:
            robtarget: The target.
            tool: tooldata.
            wobj: wobjdata.
            configuration: Whether its confdata has to be kept, of seven axes its arm angle as far as it can be.
            near: Joints that decide between several.

        Raises:
            RapidFailure: ERR_OUTSIDE_REACH, or ERR_ROBLIMIT where only the limits are in the way.
        """
        arm, T = self.arm.model.arm, self.pose_of(robtarget, tool, wobj)
        if arm.dof > SIX:
            return self._solve_seven(T, robtarget[3][0] if configuration else None, near)
        if configuration and self._confdata is not None:
            wanted = [int(one) for one in robtarget[2]]
            for q in self._branches(T, wanted, near):
                if self._keeps(q, wanted, self._confdata):
                    return q
            _reached(arm.ik(T, seed=near, variants=True))
            raise RapidFailure("ERR_ROBLIMIT", f"no joints with configuration {wanted} reach the pose")
        return _reached(arm.ik(T, seed=near, variants=True)).solutions[0].q

    def _branches(self, T_base_flange: Array, wanted: list[int], near: Array) -> Iterator[Array]:
        """Return joints of every branch in the turns of a configuration, as far as the limits allow."""
        arm = self.arm.model.arm
        Q, mask = arm.ik_array(T_base_flange, near)
        for q in Q[mask]:
            for axis, quarter in zip(COUNTED, wanted, strict=False):
                q[axis] += math.tau * round(((quarter + 0.5) * _QUARTER - float(q[axis])) / math.tau)
            if ((arm.limits_lower - 1e-9 <= q) & (q <= arm.limits_upper + 1e-9)).all():
                yield q

    def _keeps(self, q: Array, wanted: list[int], confdata: Callable[[Array], Confdata]) -> bool:
        """Return whether joints have a configuration; on the border of two quarters they have both."""
        turns = zip(q[COUNTED], wanted, strict=False)
        if not all(quarter in (_quarter(one - _BORDER), _quarter(one + _BORDER)) for one, quarter in turns):
            return False
        # Rounded, since in a singular posture signs are those of rounding errors.
        return confdata(np.round(q, 6) + 0.0)[3] == wanted[3]

    def _solve_seven(self, T_base_flange: Array, elbow_deg: float | None, near: Array) -> Array:
        """Return joints with the arm angle where there are any, else with the nearest found; None: by small steps."""
        arm = self.arm.model.arm
        if elbow_deg is None:
            q = joints_near(arm, T_base_flange, near)
            if q is not None and ((arm.limits_lower <= q) & (q <= arm.limits_upper)).all():
                return q
        if elbow_deg is None or elbow_deg >= LEAST_NO_AXIS:
            return _reached(arm.ik(T_base_flange, seed=near, variants=True)).solutions[0].q
        angle = math.radians(math.remainder(elbow_deg, 360.0))
        held = arm.ik(T_base_flange, seed=near, variants=True, arm_angle=angle)
        if held.solutions:
            return held.solutions[0].q
        found = _reached(arm.ik(T_base_flange, seed=near, variants=True))
        aside = [abs(math.remainder(self._elbow(one.q) - elbow_deg, 360.0)) for one in found.solutions]
        return found.solutions[int(np.argmin(aside))].q

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

    def halt(self) -> None:
        """Stop at once on the path and forget it; the move at the program pointer is made after the next start."""
        self.arm.queue.clear()
        self.ahead = self.arm.plant.q.copy()
        self.lost += 1

    def brake(self) -> None:
        """Let the brakes stop the arm, which forgets its moves."""
        self.arm.close_brakes()
        self.ahead = self.arm.plant.q.copy()
        self.lost += 1


def _reached(found: IkResult) -> IkResult:
    if found.unreachable is not None:
        error = "ERR_ROBLIMIT" if found.unreachable.kind == "limit" else "ERR_OUTSIDE_REACH"
        raise RapidFailure(error, found.unreachable.reason)
    return found


def _quarter(angle: float) -> int:
    return math.floor(float(angle) / _QUARTER)
