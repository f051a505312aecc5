"""`openpendant fk`: where the tool is for given joints."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from .joints import (
    ArmOption,
    BaseOption,
    ChosenArm,
    DegOption,
    FrameOption,
    JsonOption,
    RobotArgument,
    choose,
    parse_joints,
)
from .platforms import platform_pose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("fk")(fk)


def fk(
    robot: RobotArgument,
    q: Annotated[list[str], typer.Argument(metavar="Q1,…,QN", help="Joint values in the vendor's axis order.")],
    arm: ArmOption = None,
    base: BaseOption = None,
    frame: FrameOption = None,
    deg: DegOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show where the flange (or another frame) is for given joints: forward kinematics.

    Joints are in radians (metres for sliding ones); the pose is in metres. A platform has x, y and heading.
    """
    # The numerics are loaded here, not with the program: `--help` and `--version` stay quick.
    from openpendant.robots import load

    found = load(robot)
    if found.facts.platform is not None and arm is None and not found.arms:
        base, frame, T = platform_pose(found, found.facts.platform, q, base, frame, degrees=deg)
        more = list[tuple[str, str]]()
    else:
        chosen = choose(robot, arm, base, frame)
        base, frame = chosen.base, chosen.frame
        joints = parse_joints(chosen.arm, q, "q", degrees=deg)
        T = chosen.arm.fk(joints, frame=frame, base=base)
        more = [] if as_json else standing(chosen, joints)
    if as_json:
        print(json.dumps({"robot": found.name, "base": base, "frame": frame, "T": T.tolist()}))
    else:
        show_pose(found.title, f"{frame} in {base}", T, more)


def standing(chosen: ChosenArm, q: "NDArray[np.float64]") -> list[tuple[str, str]]:
    """Return the pose as the vendor's controller prints it, and how well the arm stands there."""
    arm = chosen.arm
    printed = chosen.robot.print_pose(q, arm.name, chosen.frame)
    rows = [
        (printed.title, printed.text),
        ("configuration", arm.describe(q)),
        ("manipulability", f"{arm.manipulability(q):.5f}"),
    ]
    for one in arm.singularities(q):
        unit = "" if one.unit == "1" else f" {one.unit}"
        rows.append((f"{one.name} singularity", f"{one.distance:.3f}{unit} away{' (near)' if one.near else ''}"))
    return rows


def show_pose(title: str, note: str, T: "NDArray[np.float64]", more: list[tuple[str, str]]) -> None:
    """Print the pose in the forms people use, and what more there is to say."""
    import numpy as np

    from openpendant.spatial import quaternion_from_matrix, rpy_from_matrix

    from .screen import console, facts_table, heading

    out, table = console(), facts_table()
    table.add_row("position", "x {:.6f}  y {:.6f}  z {:.6f} m".format(*T[:3, 3]))
    table.add_row("quaternion", "w {:.6f}  x {:.6f}  y {:.6f}  z {:.6f}".format(*quaternion_from_matrix(T[:3, :3])))
    # Rounded and freed of the sign of zero, which means nothing to a person.
    rpy_deg = np.round(np.rad2deg(rpy_from_matrix(T[:3, :3])), 3) + 0.0
    table.add_row("roll, pitch, yaw", "{:.3f}°  {:.3f}°  {:.3f}°".format(*rpy_deg))
    for row in more:
        table.add_row(*row)
    out.print(heading(title, note))
    out.print(table)
