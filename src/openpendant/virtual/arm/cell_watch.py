"""CellWatch: whether arms touch something in their cell, or each other."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from openpendant.scene import PlacedArm, Scene

Array = NDArray[np.float64]
STEP_RAD = 0.02
"""Between two looks the way is divided into steps no longer than this."""
DEEPER_M = 0.002
"""An arm that already touches may move; touching deeper by this is another collision."""


@dataclass(frozen=True, eq=False)
class ArmCell:
    """The cell that a virtual robot stands in."""

    scene: "Scene"
    robot: str | None = None
    """Which robot of the cell it is; None: the first of its model."""

    @staticmethod
    def load(folder: Path | str, robot: str | None = None) -> "ArmCell":
        """Read the cell in a folder, or a demo cell by name.

        Raises:
            CellFileError: The file cannot be used.
        """
        # The scene room brings heavy libraries; a controller without a cell starts without them.
        from openpendant.scene import Scene, demo_names, load_cell, load_demo

        if str(folder) in demo_names() and not Path(folder).is_dir():
            return ArmCell(Scene(load_demo(str(folder)).cell), robot)
        document = load_cell(folder)
        return ArmCell(Scene(document.cell, Path(folder)), robot)

    def joints(self, model: str) -> dict[str, Array]:
        """Return the joints by arm with which the robot starts in the cell.

        Raises:
            InputError: The cell has no such robot.
        """
        return {arm.arm: arm.q_start for arm in _find_arms(self, model, None)}

    @staticmethod
    def alone(model: str) -> "ArmCell":
        """Return a robot of the catalogue with nothing around it: its arms can only touch each other."""
        from openpendant.scene import Cell, CellRobot, Scene

        return ArmCell(Scene(Cell(name=model, robots=(CellRobot(name=model, model=model),))), model)


@dataclass(frozen=True)
class Touch:
    """Something has touched something."""

    a: str
    b: str
    depth_m: float
    felt: tuple[tuple[str, int], ...]
    """Which arms feel it, and in which of their joints; that of `a` first."""

    def __str__(self) -> str:
        """Say what touches what."""
        return f"{self.a} touches {self.b}"


class CellWatch:
    """Looks along the way that the joints really took; nothing is jumped over."""

    def __init__(
        self, cell: ArmCell, model: str, q_start: NDArray[np.float64], arms: Sequence[str] | None = None
    ) -> None:
        """Lay out the cell around arms at q_start.

        Args:
            cell: The cell.
            model: Name of the robot in the catalogue.
            q_start: Joints of the arms, one behind the other.
            arms: Names of the arms that are watched, in this order; None: all of the robot, in the order of its facts.

        Raises:
            InputError: The cell has no such robot, or it is another model.
        """
        from openpendant.scene import CollisionWorld

        self._placed = _find_arms(cell, model, arms)
        self._keys = [arm.key for arm in self._placed]
        self._world: CollisionWorld = CollisionWorld(cell.scene)
        self._touches: Callable[[Array], bool] = self._world.checker(self._keys)
        self._last = np.array(q_start, dtype=np.float64)
        self._depth: float | None = None

    def touched(self, q: Array) -> Touch | None:
        """Return what has touched what since the last look, or None.

        Args:
            q: Joints of all watched arms, one behind the other, where they are now.
        """
        here = np.array(q)
        before, self._last = self._last, here
        way = here - before
        count = int(np.ceil(float(np.abs(way).max()) / STEP_RAD))
        for n in range(1, count):
            found = self._new_touch(before + way * (n / count))
            if found is not None:
                return found
        return self._new_touch(here)

    def _new_touch(self, q: Array) -> Touch | None:
        if not self._touches(q):
            self._depth = None
            return None
        # The cell may keep a margin; a real arm stops when it touches.
        deepest = max(self._world.contacts(self._by_arm(q)), key=lambda one: one.depth_m, default=None)
        if deepest is None:
            self._depth = None
            return None
        if self._depth is not None and deepest.depth_m < self._depth + DEEPER_M:
            return None
        self._depth = deepest.depth_m
        felt = (*self._who_feels(deepest.a), *self._who_feels(deepest.b))
        return Touch(deepest.a, deepest.b, deepest.depth_m, felt)

    def _by_arm(self, q: Array) -> dict[str, Array]:
        joints: dict[str, Array] = {}
        at = 0
        for arm in self._placed:
            own = arm.kinematics
            # A lag may carry a joint a trifle beyond its limit.
            joints[arm.key] = np.clip(q[at : at + own.dof], own.limits_lower, own.limits_upper)
            at += own.dof
        return joints

    def _who_feels(self, body: str) -> Iterator[tuple[str, int]]:
        robot, _, link = body.rpartition("/")
        for arm in self._placed:
            if robot != arm.robot:
                continue
            facts, tree = arm.model.arm_facts(arm.arm), arm.model.tree
            own = [edge.name for edge in tree.path(tree.root, link) or () if edge.name in facts.joints]
            if link in (*arm.tool_links, arm.tool.name if arm.tool else ""):
                yield arm.arm, arm.kinematics.dof - 1
            elif own:
                yield arm.arm, facts.joints.index(own[-1])


def _find_arms(cell: ArmCell, model: str, arms: Sequence[str] | None) -> "list[PlacedArm]":
    scene, name = cell.scene, cell.robot
    if name is None:
        name = next((robot.name for robot in scene.cell.robots if robot.model == model), None)
        if name is None:
            raise InputError(f"cell {scene.cell.name!r} has no {model}")
    own = [arm for arm in scene.arms.values() if arm.robot == name]
    if not own:
        raise UnknownNameError("robot in this cell", name, sorted({arm.robot for arm in scene.arms.values()}))
    found = own[0].model.name
    if found != model:
        raise InputError(f"robot {name!r} of cell {scene.cell.name!r} is a {found}, not a {model}")
    return own if arms is None else [scene.arm(f"{name}/{arm}") for arm in arms]
