"""ProjectEdits: what scripts do most to a project, in plain verbs; each is one edit and one undo.

Metres, radians. A place is `xyz` with either `rpy` (roll, pitch, yaw as URDF means them) or `wxyz`; without both it is
not turned.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from openpendant.errors import InputError
from openpendant.messages import Pose
from openpendant.programs import Program, ProgramCommand
from openpendant.projects import AddProgram, EditCell, EditProgram, ProjectEdit, RemoveProgram
from openpendant.scene import (
    Add,
    BoxShape,
    Cell,
    CellFrame,
    CellItem,
    CellObject,
    CellPoint,
    CellRobot,
    Command,
    Move,
    Remove,
    Replace,
    Scene,
    Section,
    pose_of,
)
from openpendant.scene.document import SECTIONS
from openpendant.spatial import inverse, make_transform, matrix_from_quaternion, matrix_from_rpy

from .joints import Joints

ORIGIN = (0.0, 0.0, 0.0)
Numbers = Sequence[float]


class ProjectEdits(ABC):
    """Edits of an open project."""

    @property
    @abstractmethod
    def cell(self) -> Cell:
        """The cell as it is now."""

    @abstractmethod
    def apply(self, edit: ProjectEdit) -> int:
        """Make an edit; return the number of its patch."""

    @abstractmethod
    def measured_joints(self) -> Joints:
        """Return where all arms of running robots are."""

    def edit_cell(self, command: Command) -> int:
        """Apply a command to the cell.

        Args:
            command: What to change; metres, radians, wxyz.

        Returns:
            The number of its patch.

        Raises:
            InputError: It does not fit; the message is the server's.
            LinkError: The server does not answer.
        """
        return self.apply(EditCell(command=command))

    def edit_program(self, program: str, command: ProgramCommand) -> int:
        """Apply a command to a program.

        Args:
            program: Name of the program.
            command: What to change.

        Returns:
            The number of its patch.

        Raises:
            InputError: There is no such program, or the command does not fit.
            LinkError: The server does not answer.
        """
        return self.apply(EditProgram(program=program, command=command))

    def add_program(self, program: Program) -> int:
        """Add a program.

        Args:
            program: With a name that the project does not have yet.

        Returns:
            The number of its patch.

        Raises:
            InputError: Its name is taken, or it has a fault.
            LinkError: The server does not answer.
        """
        return self.apply(AddProgram(program=program))

    def remove_program(self, name: str) -> int:
        """Remove a program.

        Args:
            name: Name of the program.

        Returns:
            The number of its patch.

        Raises:
            InputError: There is no such program, or another one calls it.
            LinkError: The server does not answer.
        """
        return self.apply(RemoveProgram(name=name))

    def add_robot(
        self,
        model: str,
        name: str = "",
        *,
        xyz: Numbers = ORIGIN,
        rpy: Numbers | None = None,
        wxyz: Numbers | None = None,
    ) -> str:
        """Add a robot of the catalogue; return its name.

        Args:
            model: Its name in the catalogue.
            name: What it is called in the cell; empty: like its model, numbered if that is taken.
            xyz: Where its root link stands, metres.
            rpy: Roll, pitch, yaw, radians.
            wxyz: The same as a quaternion.

        Raises:
            InputError: There is no such robot, or the name is taken.
            LinkError: The server does not answer.
        """
        return self._add(
            "robots", CellRobot(name=name or self._free(model), model=model, pose=make_pose(xyz, rpy, wxyz))
        )

    def add_box(
        self,
        name: str,
        size: Numbers,
        *,
        xyz: Numbers = ORIGIN,
        rpy: Numbers | None = None,
        wxyz: Numbers | None = None,
        frame: str = "world",
        graspable: bool = False,
        color: str = "#b9bec6",
    ) -> str:
        """Add a box: an obstacle, or a part that tools pick up.

        Args:
            name: Its name.
            size: Lengths of its edges along x, y, z, metres.
            xyz: Where its middle is, metres.
            rpy: Roll, pitch, yaw, radians.
            wxyz: The same as a quaternion.
            frame: What its place is given in: `world`, a frame, or a robot.
            graspable: Whether it is a part.
            color: As `#rrggbb`.

        Raises:
            InputError: The name is taken, or a value is not allowed.
            LinkError: The server does not answer.
        """
        x, y, z = _three(size, "size")
        box = CellObject(
            name=name,
            shape=BoxShape(size=(x, y, z)),
            pose=make_pose(xyz, rpy, wxyz),
            frame=frame,
            graspable=graspable,
            color=color,
        )
        return self._add("objects", box)

    def add_frame(
        self,
        name: str,
        *,
        xyz: Numbers = ORIGIN,
        rpy: Numbers | None = None,
        wxyz: Numbers | None = None,
        parent: str = "world",
    ) -> str:
        """Add a frame inside another one; arguments as `add_box`, raises as `add_box`."""
        return self._add("frames", CellFrame(name=name, parent=parent, pose=make_pose(xyz, rpy, wxyz)))

    def add_point(
        self,
        name: str,
        *,
        xyz: Numbers,
        rpy: Numbers | None = None,
        wxyz: Numbers | None = None,
        frame: str = "world",
        robot: str = "",
    ) -> str:
        """Add a point where a tool's TCP can be sent; arguments and errors as `add_box`.

        `robot` is the one it is made for; empty: any.
        """
        return self._add("points", CellPoint(name=name, pose=make_pose(xyz, rpy, wxyz), frame=frame, robot=robot))

    def teach(self, name: str, robot: str, *, arm: str = "", q: Numbers | None = None) -> Pose:
        """Store where the TCP of an arm is as a point of the world, with its joints; return that pose.

        Args:
            name: Of the point; one of that name is updated.
            robot: Name of the robot in the cell.
            arm: Which of its arms; empty: the first.
            q: Joints in the maker's order, radians; None: where the running robot stands now.

        Raises:
            InputError: There is no such robot or arm, no robot runs, or the joints do not fit.
            LinkError: The server does not answer.
        """
        scene = Scene(self.cell)
        placed = scene.arm(f"{robot}/{arm}" if arm else self._first_arm(scene, robot))
        joints = self.measured_joints().measured[placed.key] if q is None else q
        T_world_tcp = placed.T_world_tcp(joints)
        before = next((one for one in self.cell.points if one.name == name), None)
        frame = "world" if before is None else before.frame
        point = CellPoint(
            name=name,
            pose=pose_of(inverse(scene.frames[frame]) @ T_world_tcp),
            frame=frame,
            robot=robot,
            arm=placed.arm,
            q=tuple(float(value) for value in joints),
            group="" if before is None else before.group,
        )
        if before is None:
            self._add("points", point)
        else:
            self.apply(EditCell(command=Replace(name=name, item=point)))
        return pose_of(T_world_tcp)

    @staticmethod
    def _first_arm(scene: Scene, robot: str) -> str:
        return next((key for key, one in scene.arms.items() if one.robot == robot), robot)

    def move(self, name: str, *, xyz: Numbers, rpy: Numbers | None = None, wxyz: Numbers | None = None) -> int:
        """Move a thing of the cell to a place in its frame; arguments and errors as `add_box`."""
        return self.apply(EditCell(command=Move(name=name, pose=make_pose(xyz, rpy, wxyz))))

    def remove(self, name: str, *, with_dependents: bool = False) -> int:
        """Remove a thing of the cell.

        Args:
            name: Its name.
            with_dependents: Whether what refers to it in the cell goes too.

        Raises:
            InputError: There is no such thing, or something needs it; says what.
            LinkError: The server does not answer.
        """
        return self.apply(EditCell(command=Remove(name=name, with_dependents=with_dependents)))

    def _add(self, section: Section, item: CellItem) -> str:
        self.apply(EditCell(command=Add(section=section, item=item)))
        return item.name

    def _free(self, wanted: str) -> str:
        """Return a name that is not taken: "ur3e", "ur3e 2"."""
        taken = {one.name for section in SECTIONS for one in getattr(self.cell, section)}
        numbered = (f"{wanted} {number}" for number in range(2, 10_000))
        return next(name for name in (wanted, *numbered) if name not in taken)


def make_pose(xyz: Numbers = ORIGIN, rpy: Numbers | None = None, wxyz: Numbers | None = None) -> Pose:
    """Return a pose from a position and either kind of rotation.

    Args:
        xyz: Metres.
        rpy: Roll, pitch, yaw, radians: R = Rz(yaw) Ry(pitch) Rx(roll).
        wxyz: A unit quaternion; not together with `rpy`.

    Raises:
        InputError: Both rotations are given, or the numbers are not three (four).
    """
    if rpy is not None and wxyz is not None:
        raise InputError("both rpy and wxyz are given; give one of them")
    place = _three(xyz, "xyz")
    if wxyz is not None:
        return pose_of(make_transform(matrix_from_quaternion(wxyz), place))
    return pose_of(make_transform(matrix_from_rpy(*_three(ORIGIN if rpy is None else rpy, "rpy")), place))


def describe_project(name: str, cell: Cell, programs: Mapping[str, Program]) -> str:
    """Return what is in a project, in a line."""
    counts = (("robots", cell.robots), ("objects", cell.objects), ("points", cell.points))
    things = ", ".join(f"{len(items)} {kind}" for kind, items in counts)
    return f"<project {name}: {things}; programs: {', '.join(programs) or 'none'}>"


def _three(numbers: Numbers, what: str) -> tuple[float, float, float]:
    if len(numbers) != 3:
        raise InputError(f"{what} has {len(numbers)} numbers; it needs 3")
    x, y, z = (float(value) for value in numbers)
    return x, y, z
