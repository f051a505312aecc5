"""PartsState: the parts of a cell while a program runs: in hands, falling, at rest, and back where they began."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.programs.sequence import GRAVITY_M_S2, FallenPart, ToolResult
from openpendant.scene import CollisionWorld, Scene
from openpendant.scene.collision import FLOOR

from .events import EventKind

Array = NDArray[np.float64]

RETURN_S = 2.0
"""Time after which a part on the floor returns to where the cell says."""


@dataclass(eq=False)
class _Falling:
    """A part on its way down, or on the floor until it returns."""

    fallen: FallenPart
    T_start: Array
    passed_s: float = 0.0
    landed: bool = False


class PartsState:
    """Parts and what becomes of them."""

    def __init__(self, scene: Scene, world: CollisionWorld, emit: Callable[[EventKind, str], None]) -> None:
        """Begin with everything where the scene says."""
        self._first = scene
        self.scene = scene
        """As it is now; parts that fall are already where they will rest, see `pose`."""
        self._worlds = world
        self._emit = emit
        self._falling: dict[str, _Falling] = {}

    @property
    def world(self) -> CollisionWorld:
        """The world of the scene now."""
        if self._worlds.scene is not self.scene:
            self._worlds = self._worlds.for_scene(self.scene)
        return self._worlds

    def pose(self, part: str, q: dict[str, Array] | None = None) -> Array:
        """Return where a part is in the world now, also while it falls or is carried.

        Args:
            part: Its name.
            q: Joints by robot/arm, for a part that is carried.
        """
        fall = self._falling.get(part)
        if fall is None or fall.landed:
            return self.scene.T_world(part, q)
        T = fall.T_start.copy()
        T[2, 3] -= min(fall.fallen.height_m, 0.5 * GRAVITY_M_S2 * fall.passed_s**2)
        return T

    def grasp(self, worked: ToolResult) -> None:
        """A tool has closed."""
        self.scene = worked.scene
        if worked.taken is not None:
            self._falling.pop(worked.taken, None)

    def release(self, worked: ToolResult) -> None:
        """A tool opens: what it held begins to fall."""
        self.scene = worked.scene
        for fallen in worked.fallen:
            self._falling[fallen.part] = _Falling(fallen, worked.before.T_world(fallen.part))

    def restore(self) -> None:
        """Put all parts back where the cell says, out of every hand."""
        moved = {*self.scene.poses, *self.scene.carried}
        if moved:
            self._emit("part", f"{', '.join(sorted(moved))} back where they began")
        self._falling.clear()
        self.scene = self.scene.restored()

    def pass_time(self, seconds: float) -> None:
        """Let parts fall, and return from the floor."""
        for part, fall in list(self._falling.items()):
            fall.passed_s += seconds
            if not fall.landed and fall.passed_s >= fall.fallen.duration_s:
                fall.landed = True
                self._emit("part", f"{part} comes to rest on {fall.fallen.on}")
            if not fall.landed:
                continue
            if not self._on_floor(fall.fallen):
                del self._falling[part]
            elif fall.passed_s >= fall.fallen.duration_s + RETURN_S:
                del self._falling[part]
                self.scene = self.scene.restored([part])
                self._emit("part", f"{part} back from the floor to where it began")

    def _on_floor(self, fallen: FallenPart) -> bool:
        return fallen.on.lower() == FLOOR
