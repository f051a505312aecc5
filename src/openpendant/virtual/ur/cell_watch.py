"""CellWatch: whether the arm touches something in its cell."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

from .model import UrModel

if TYPE_CHECKING:
    from openpendant.scene import Scene

__all__ = ["CellWatch", "UrCell"]

Array = NDArray[np.float64]
STEP_RAD = 0.02
"""Between two looks the way is divided into steps no longer than this."""
DEEPER_M = 0.002
"""An arm that already touches may move; touching deeper by this is another collision."""
LINKS = ("shoulder", "upper_arm", "forearm", "wrist_1", "wrist_2")


@dataclass(frozen=True, eq=False)
class UrCell:
    """The cell that an arm stands in."""

    scene: "Scene"
    robot: str | None = None
    """Which robot of the cell it is; None: the first of its model."""

    @staticmethod
    def load(folder: Path | str, robot: str | None = None) -> "UrCell":
        """Read the cell in a folder, or a demo cell by name.

        Raises:
            CellFileError: The file cannot be used.
        """
        # The scene room brings heavy libraries; a controller without a cell starts without them.
        from openpendant.scene import Scene, demo_names, load_cell, load_demo

        if str(folder) in demo_names() and not Path(folder).is_dir():
            return UrCell(Scene(load_demo(str(folder)).cell), robot)
        document = load_cell(folder)
        return UrCell(Scene(document.cell, Path(folder)), robot)


class CellWatch:
    """Looks along the way that the joints really took; nothing is jumped over."""

    def __init__(self, cell: UrCell, model: UrModel, q_start: NDArray[np.float64]) -> None:
        """Lay out the cell around an arm at q_start.

        Raises:
            InputError: The cell has no such robot, or it is another model.
        """
        from openpendant.scene import CollisionWorld

        scene = cell.scene
        name = cell.robot
        if name is None:
            name = next((robot.name for robot in scene.cell.robots if robot.model == model.name), None)
            if name is None:
                raise InputError(f"cell {scene.cell.name!r} has no {model.name}")
        placed = scene.arm(name)
        if placed.model.name != model.name:
            raise InputError(f"robot {name!r} of cell {scene.cell.name!r} is a {placed.model.name}, not a {model.name}")
        self._key = placed.key
        self._world: CollisionWorld = CollisionWorld(scene)
        self._touches: Callable[[Array], bool] = self._world.checker(placed.key)
        self._last = q_start.copy()
        self._depth: float | None = None

    def touched(self, q: Array) -> tuple[int, str] | None:
        """Return the joint that feels it and what touches what, or None.

        Args:
            q: (6,) where the arm is now.
        """
        here = np.array(q)
        before, self._last = self._last, here
        way = here - before
        count = int(np.ceil(float(np.abs(way).max()) / STEP_RAD))
        for n in range(1, count):
            found = self._look(before + way * (n / count))
            if found is not None:
                return found
        return self._look(here)

    def _look(self, q: Array) -> tuple[int, str] | None:
        if not self._touches(q):
            self._depth = None
            return None
        # The cell may keep a margin; a real arm stops when it touches.
        deepest = max(self._world.contacts({self._key: q}), key=lambda one: one.depth_m, default=None)
        if deepest is None:
            self._depth = None
            return None
        if self._depth is not None and deepest.depth_m < self._depth + DEEPER_M:
            return None
        self._depth = deepest.depth_m
        return _joint_of(deepest.a), f"{deepest.a} touches {deepest.b}"


def _joint_of(body: str) -> int:
    link = body.rpartition("/")[2]
    return next((joint for joint, name in enumerate(LINKS) if link.startswith(name)), 5)
