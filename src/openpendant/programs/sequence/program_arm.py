"""ProgramArm: the arm of a program where it stands, and where the program's points are for it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import UnknownNameError
from openpendant.kinematics import Unreachable
from openpendant.messages import Pose
from openpendant.motion import JointLimits, joint_limits
from openpendant.programs.document import GoTo, InlinePoint, Program, Target
from openpendant.scene import CellPoint, PlacedArm, Scene, transform_of
from openpendant.spatial import inverse, pose_difference, translation

from .step_order import Offs

Array = NDArray[np.float64]

SAME_PLACE_M = 1e-6
SAME_TURN_RAD = 1e-6
NO_OFFSET: Offs = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class ProgramArm:
    """An arm in a cell, and what it needs to find its way."""

    scene: Scene
    placed: PlacedArm
    limits: JointLimits

    @property
    def key(self) -> str:
        """robot/arm."""
        return self.placed.key

    def T_flange_tool(self, tool: str = "") -> Array:
        """Return the TCP of a tool of the cell on the flange; of what the arm carries where the name is empty.

        Raises:
            UnknownNameError: The cell has no such tool.
        """
        if not tool:
            return self.placed.T_flange_tcp
        for one in self.scene.cell.tools:
            if one.name == tool:
                return transform_of(one.tcp)
        raise UnknownNameError("tool in this cell", tool, (one.name for one in self.scene.cell.tools))

    def point(self, target: Target) -> tuple[str, Pose, tuple[float, ...] | None]:
        """Return frame, pose in it, and taught joints of a point; joints only where they are of this arm.

        Raises:
            UnknownNameError: The cell has no such point.
        """
        if isinstance(target, InlinePoint):
            return target.frame, target.pose, target.q
        for one in self.scene.cell.points:
            if one.name == target:
                return one.frame, one.pose, one.q if self._is_mine(one) else None
        raise UnknownNameError("point in this cell", target, (one.name for one in self.scene.cell.points))

    def T_base(self, target: Target, offset: Offs = NO_OFFSET, axes: str = "frame") -> Array:
        """Return where a point is in the arm's base, (4, 4), moved by an offset in metres."""
        frame, pose, _ = self.point(target)
        T_frame_point = transform_of(pose)
        if offset != NO_OFFSET:
            by = translation(*offset)
            T_frame_point = T_frame_point @ by if axes == "tool" else by @ T_frame_point
        return inverse(self.placed.T_world_base) @ self.scene.frames[frame] @ T_frame_point

    def joints_for(self, step: GoTo, T: Array, q_now: Array) -> Array | Unreachable:
        """Return the joints that bring the step's tool to T in the arm's base.

        Those nearest to the joints that the point was taught with, or else nearest to where the arm is.
        """
        _, _, taught = self.point(step.to)
        T_flange = T @ inverse(self.T_flange_tool(step.tool))
        arm = self.placed.kinematics
        seed = q_now if taught is None else np.array(taught, dtype=np.float64)
        if taught is not None:
            away_m, turned_rad = pose_difference(arm.fk(seed), T_flange)
            if away_m < SAME_PLACE_M and turned_rad < SAME_TURN_RAD:
                return seed
        result = arm.ik(T_flange, seed=seed, variants=True)
        if result.unreachable is not None:
            return result.unreachable
        return np.array(result.solutions[0].q)

    def redundancy_of(self, target: Target) -> float | None:
        """Return where the redundancy joint shall be at a point: where it was taught, for arms that have one."""
        index = self.placed.kinematics.redundancy
        taught = self.point(target)[2]
        return None if index is None or taught is None else taught[index]

    def _is_mine(self, point: CellPoint) -> bool:
        first = next(arm.arm for arm in self.scene.arms.values() if arm.robot == self.placed.robot)
        return point.robot == self.placed.robot and (point.arm or first) == self.placed.arm


def find_program_arm(scene: Scene, program: Program) -> ProgramArm:
    """Return the setting of a program's arm.

    Raises:
        InputError: The cell has no such arm, or its facts lack a velocity.
    """
    arms = [arm for arm in scene.arms.values() if arm.robot == program.robot]
    placed = next((arm for arm in arms if program.arm in ("", arm.arm)), None)
    if placed is None:
        raise UnknownNameError("arm in this cell", f"{program.robot}/{program.arm}", scene.arms)
    return ProgramArm(scene, placed, joint_limits(placed.model, placed.arm))


class ProgramArms:
    """The settings of programs that call each other, each found when it is first needed."""

    def __init__(self, scene: Scene, programs: Mapping[str, Program]) -> None:
        """Find nothing yet; `programs` are by name."""
        self.scene, self.programs = scene, programs
        self._found: dict[str, ProgramArm] = {}

    def of(self, program: str) -> ProgramArm:
        """Return the setting of the program with that name. Raises as `find_program_arm`."""
        found = self._found.get(program)
        if found is None:
            found = self._found[program] = find_program_arm(self.scene, self.programs[program])
        return found
