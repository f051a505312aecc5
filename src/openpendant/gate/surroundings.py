"""Surroundings: what the gate asks about what stands near an arm."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from openpendant.said import say
from openpendant.scene import ArmProbe, CollisionWorld

Array = NDArray[np.float64]

SAME_PLACE_RAD = 0.05


class Surroundings(Protocol):
    """Answers what is near an arm. Both calls are made at every tick and must be quick."""

    def distance(self, arm: str, q: Array, within_m: float) -> tuple[float, str]:
        """Return the least distance of the arm to anything else, less the margin of that, and both names.

        Infinite and empty where nothing is within `within_m`. The arm's own links do not count here.
        """
        ...

    def touches(self, arm: str, Q: Array) -> str:
        """Return what would touch first at configurations (N, n), own links included, as text; empty: nothing."""
        ...

    def depths(self, arm: str, q: Array) -> Mapping[str, float]:
        """Return what overlaps at a configuration, as text, own links included, and how deep, metres.

        It is asked only while something touches, and need not be quick.
        """
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
        self._texts: dict[str, tuple[Array, str]] = {}
        arms = [arm for arm in world.scene.arms.values() if arm.robot == self._robot]
        self._probes = {arm.arm: ArmProbe(world, arm.key) for arm in arms}
        self.place(dict(self._others))

    def place(self, joints: Mapping[str, Array]) -> None:
        """Say where arms (robot/arm) are now."""
        for key, q in joints.items():
            arm = self._world.scene.arm(key)
            self._others[arm.key] = np.clip(q, arm.kinematics.limits_lower, arm.kinematics.limits_upper)
        for probe in self._probes.values():
            probe.place(self._others)

    def distance(self, arm: str, q: Array, within_m: float) -> tuple[float, str]:
        """Return the least distance to anything else, less its margin."""
        probe = self._probes[arm]
        found = probe.distance(q, within_m)
        if found >= within_m:
            return np.inf, ""
        one, other, margin = probe.pair
        return found - margin, f"{one} is {1000.0 * found:.1f} mm from {other}"

    def touches(self, arm: str, Q: Array) -> str:
        """Return what would touch, as text."""
        probe = self._probes[arm]
        hit = probe.touching(Q)
        if hit < 0:
            return ""
        q, (q_before, words) = Q[hit], self._texts.get(arm, (Q[hit] + np.inf, ""))
        # Which pair it is takes longer to find out than whether: about the same place, the answer is about the same.
        if not float(np.abs(q - q_before).max()) < SAME_PLACE_RAD:
            found = self._world.collides({probe.key: q}, others=self._except(probe.key))
            words = say("hold.something_touches") if found is None else found.said
            self._texts[arm] = (np.array(q), words)
        return words

    def depths(self, arm: str, q: Array) -> Mapping[str, float]:
        """Return what overlaps, and how deep."""
        key = self._probes[arm].key
        found = self._world.contacts({key: q}, others=self._except(key))
        return {say("check.touches", a=one.a, b=one.b): one.depth_m for one in found}

    def _except(self, key: str) -> Mapping[str, Array] | None:
        others = {other: q for other, q in self._others.items() if other != key}
        return others or None
