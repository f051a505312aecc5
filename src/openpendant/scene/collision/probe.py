"""ArmProbe: quick questions about one arm of a collision world, for loops that have no time for checks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .kernels.nearest import collide_many, nearest_at
from .tables import SLIDING

if TYPE_CHECKING:
    from .collision_world import CollisionWorld

Array = NDArray[np.float64]


class ArmProbe:
    """Answers for one arm of a world. Nothing is checked but what numpy itself refuses.

    All other arms stand at their start until `place` says otherwise.
    """

    def __init__(self, world: "CollisionWorld", arm: str | None = None) -> None:
        """Get ready for an arm (robot/arm, or the robot where it has one arm)."""
        self.key = world.scene.arm(arm).key
        layout = world.layout
        self._tables = layout.tables
        self._slices = layout.slices
        self._joints = layout.q_start
        self._part = layout.slices[self.key]
        self._active = np.array([placed.key == self.key for placed in layout.arms], dtype=np.uint8)
        self._found = np.full(3, -1, dtype=np.int64)
        self._axes = layout.new_axes()
        self._moving = [body.owner.removesuffix(SLIDING) for body in layout.moving_bodies]
        self._standing = [body.owner.removesuffix(SLIDING) for body in layout.standing_bodies]

    def place(self, joints: Mapping[str, Array]) -> None:
        """Say where other arms (robot/arm) are now."""
        for key, q in joints.items():
            if key != self.key:
                self._joints[self._slices[key]] = q

    def distance(self, q: Array, within: float) -> float:
        """Return the least distance of the arm to anything but its own links; infinite where none is within reach."""
        self._joints[self._part] = q
        near = nearest_at(self._tables, self._joints, self._active, within, True, self._found, self._axes)  # noqa: FBT003
        return float(near) if self._found[0] >= 0 else np.inf

    @property
    def pair(self) -> tuple[str, str, float]:
        """What `distance` found last: a link or part of the arm, what is near it, and how near that may come."""
        kind, own, other = self._found.tolist()
        if kind == 0:
            return self._moving[own], self._standing[other], float(self._tables.standing[other, -1])
        return self._moving[own], self._moving[other], 0.0

    def touching(self, Q: Array) -> int:
        """Return the first of some configurations (N, n) at which anything is nearer than its margin; -1: none."""
        rows = np.empty((len(Q), len(self._joints)))
        rows[:] = self._joints
        rows[:, self._part] = Q
        out = np.empty(len(rows), dtype=np.bool_)
        collide_many(self._tables, rows, self._active, out, self._axes)
        return int(out.argmax()) if True in out.tolist() else -1
