"""`openpendant fk`: where the tool is for given joints."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from .joints import (
    ArmOption,
    BaseOption,
    Chosen,
    DegOption,
    FrameOption,
    JsonOption,
    RobotArgument,
    choose,
    parse_joints,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("fk")(fk)


def fk(
    robot: RobotArgument,
    q: Annotated[list[str], typer.Argument(metavar="Q1,…,QN", help="Joints in the vendor's own counting of axes.")],
    arm: ArmOption = None,
    base: BaseOption = None,
    frame: FrameOption = None,
    deg: DegOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show where the flange (or another frame) is for given joints: forward kinematics.

    Joints are in radians (metres for sliding ones); the pose is in metres.
    """
    chosen = choose(robot, arm, base, frame)
    joints = parse_joints(chosen.arm, q, "q", degrees=deg)
    T = chosen.arm.fk(joints, frame=chosen.frame, base=chosen.base)
    if as_json:
        print(json.dumps({"robot": chosen.robot.name, "base": chosen.base, "frame": chosen.frame, "T": T.tolist()}))
        return
    show_pose(chosen, joints, T)


def show_pose(chosen: Chosen, q: "NDArray[np.float64]", T: "NDArray[np.float64]") -> None:
    """Print the pose in the forms people use, and how well the arm stands there."""
    import numpy as np

    from openpendant.spatial import quaternion_from_matrix, rpy_from_matrix

    from .screen import console, facts_table, heading

    arm, out = chosen.arm, console()
    printed = chosen.robot.print_pose(q, arm.name, chosen.frame)
    table = facts_table()
    table.add_row("position", "x {:.6f}  y {:.6f}  z {:.6f} m".format(*T[:3, 3]))
    table.add_row("quaternion", "w {:.6f}  x {:.6f}  y {:.6f}  z {:.6f}".format(*quaternion_from_matrix(T[:3, :3])))
    # Rounded and freed of the sign of zero, which means nothing to a person.
    rpy_deg = np.round(np.rad2deg(rpy_from_matrix(T[:3, :3])), 3) + 0.0
    table.add_row("roll, pitch, yaw", "{:.3f}°  {:.3f}°  {:.3f}°".format(*rpy_deg))
    table.add_row(printed.title, printed.text)
    table.add_row("configuration", arm.describe(q))
    table.add_row("manipulability", f"{arm.manipulability(q):.5f}")
    for one in arm.singularities(q):
        unit = "" if one.unit == "1" else f" {one.unit}"
        table.add_row(f"{one.name} singularity", f"{one.distance:.3f}{unit} away{' (near)' if one.near else ''}")
    out.print(heading(chosen.robot.title, f"{chosen.frame} in {chosen.base}"))
    out.print(table)
