"""Reaches: the reach outlines of the robots' arms, computed when first asked for."""

import asyncio
import math
from weakref import WeakKeyDictionary

from openpendant.kinematics import Arm
from openpendant.kinematics.reach import reach_profile
from openpendant.messages import Reach
from openpendant.robots import Robot

from .poses import pose_from_transform
from .threads import run_in_thread

TURN = math.pi
"""A first axis that turns without end is drawn as one full turn."""


class Reaches:
    """One outline per arm. Requests wait while it is computed, the event loop does not."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Arm, Reach] = WeakKeyDictionary()
        self._computing = asyncio.Lock()

    async def of(self, robot: Robot, arm_name: str | None) -> Reach:
        """Return the reach of an arm (the first where None); raises UnknownNameError, InputError."""
        arm = robot.arm(arm_name)
        async with self._computing:
            if arm not in self._known:
                self._known[arm] = await run_in_thread(lambda: compute_reach(robot, arm))
            return self._known[arm]


def compute_reach(robot: Robot, arm: Arm) -> Reach:
    """Return the reach of one arm; takes about a second."""
    profile, T_base_axis = reach_profile(arm.chain)
    first = int(arm.chain.order[0])
    lower, upper = float(arm.chain.lower[first]), float(arm.chain.upper[first])
    return Reach(
        robot=robot.name,
        arm=arm.name,
        origin=pose_from_transform(T_base_axis),
        profile=[(float(radius), float(height)) for radius, height in profile],
        turn=(max(lower, -TURN), min(upper, TURN)),
    )
