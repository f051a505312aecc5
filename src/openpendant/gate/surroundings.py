"""Surroundings: what the gate asks about what stands near an arm."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from openpendant.scene import CollisionWorld

__all__ = ["CellSurroundings", "Surroundings"]

Array = NDArray[np.float64]


class Surroundings(Protocol):
    """Answers what is near an arm. Both calls are made at every tick and must be quick."""

    def distance(self, arm: str, q: Array, within_m: float) -> tuple[float, str]:
        """Return the least distance of the arm to anything else, less the margin of that, and both names in words.

        Infinite and empty where nothing is within `within_m`. The arm's own links do not count here.
        """
        ...

    def touches(self, arm: str, Q: Array) -> str:
        """Return in words what would touch first at configurations (N, n), own links included; empty: nothing."""
        ...

    def depth(self, arm: str, q: Array) -> float:
        """Return how deep anything overlaps at a configuration, own links included, metres; need not be quick."""
        ...


class CellSurroundings:
    """The surroundings of a robot in a cell."""

    def __init__(self, world: CollisionWorld, robot: str) -> None:
        """Look at `robot` (its name in the cell); all other arms stand at their start until they are placed."""
        self._robot = robot
        self._others: dict[str, Array] = {}
        self.set_world(world)

    def set_world(self, world: CollisionWorld) -> None:
        """Look at another world of the same cell: parts have been taken or put down."""
        self._world = world
        self._keys = {arm.arm: arm.key for arm in world.scene.arms.values() if arm.robot == self._robot}
        self._limits = {key: arm.kinematics.check_q for key, arm in world.scene.arms.items()}

    def place(self, joints: Mapping[str, Array]) -> None:
        """Say where arms (robot/arm) are now."""
        for key, q in joints.items():
            arm = self._world.scene.arm(key)
            self._others[arm.key] = np.clip(q, arm.kinematics.limits_lower, arm.kinematics.limits_upper)

    def distance(self, arm: str, q: Array, within_m: float) -> tuple[float, str]:
        """Return the least distance to anything else, less its margin."""
        key = self._keys[arm]
        found = self._world.distance({key: q}, within=within_m, others=self._except(key))
        return found.distance_m - found.margin_m, str(found) if np.isfinite(found.distance_m) else ""

    def touches(self, arm: str, Q: Array) -> str:
        """Return in words what would touch."""
        key = self._keys[arm]
        others = self._except(key)
        hits = np.flatnonzero(self._world.touches_many(Q, key, others=others))
        if len(hits) == 0:
            return ""
        found = self._world.collides({key: Q[int(hits[0])]}, others=others)
        return "something touches" if found is None else str(found)

    def depth(self, arm: str, q: Array) -> float:
        """Return how deep anything overlaps."""
        key = self._keys[arm]
        return max((one.depth_m for one in self._world.contacts({key: q}, others=self._except(key))), default=0.0)

    def _except(self, key: str) -> Mapping[str, Array] | None:
        others = {other: q for other, q in self._others.items() if other != key}
        return others or None
