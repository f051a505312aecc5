"""`openpendant ik`: which joints bring the tool to a given pose."""

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from openpendant.errors import InputError

from .joints import (
    ArmOption,
    BaseOption,
    ChosenArm,
    DegOption,
    FrameOption,
    JsonOption,
    RobotArgument,
    choose,
    joints_as_text,
    parse_joints,
)
from .numbers import parse_numbers, parse_one

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from openpendant.kinematics import IkResult

NUMBERS = ("x", "y", "z", "qw", "qx", "qy", "qz")
ROUNDED = 1e-3
"""People type quaternions with three to five digits: so far may the norm be from 1."""


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("ik")(ik)


def ik(
    robot: RobotArgument,
    pose: Annotated[
        list[str], typer.Argument(metavar="X,Y,Z,QW,QX,QY,QZ", help="Position in metres and unit quaternion.")
    ],
    arm: ArmOption = None,
    base: BaseOption = None,
    frame: FrameOption = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="Q1,…,QN", help="List solutions nearest to these joints first.", show_default="home"),
    ] = None,
    variants: Annotated[
        bool, typer.Option("--variants", help="Also list the ±360° variants within the limits.")
    ] = False,
    redundancy: Annotated[
        str | None, typer.Option(metavar="ANGLE", help="For 7-axis arms: value of the redundancy axis.")
    ] = None,
    arm_angle: Annotated[
        str | None,
        typer.Option(
            metavar="ANGLE", help="For 7-axis arms: angle of the elbow about the line from shoulder to wrist."
        ),
    ] = None,
    deg: DegOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show every set of joints that brings the flange (or another frame) to a pose: inverse kinematics.

    Out of reach is an answer, not an error: no solutions, and the reason.
    """
    chosen = choose(robot, arm, base, frame)
    T = parse_pose(pose)
    result = chosen.arm.ik(
        T,
        seed=chosen.home if seed is None else parse_joints(chosen.arm, [seed], "seed", degrees=deg),
        frame=chosen.frame,
        base=chosen.base,
        variants=variants,
        redundancy=parse_angle(redundancy, "redundancy", degrees=deg),
        arm_angle=parse_angle(arm_angle, "arm angle", degrees=deg),
    )
    reason = None if result.unreachable is None else result.unreachable.reason
    if as_json:
        solutions = [
            {"q": solution.q.tolist(), "label": solution.label, "margin_rad": solution.margin_rad}
            for solution in result.solutions
        ]
        print(json.dumps({"solutions": solutions, "reason": reason}))
        return
    show_result(chosen, result, degrees=deg)


def parse_angle(text: str | None, what: str, *, degrees: bool) -> float | None:
    """Return an angle in radians, or None where none was typed; raises InputError."""
    if text is None:
        return None
    value = parse_one(text, what)
    return math.radians(value) if degrees else value


def parse_pose(words: Sequence[str]) -> "NDArray[np.float64]":
    """Return the (4, 4) transform of x, y, z, qw, qx, qy, qz; raises InputError where they are no pose."""
    import numpy as np

    from openpendant.spatial import make_transform, matrix_from_quaternion, normalise_quaternion

    values = parse_numbers(words, "pose", len(NUMBERS), ",".join(NUMBERS))
    norm = float(np.linalg.norm(values[3:]))
    if abs(norm - 1.0) > ROUNDED:
        raise InputError(f"quaternion {values[3:]} (w, x, y, z) has norm {norm:.6g}; a unit quaternion has norm 1")
    return make_transform(matrix_from_quaternion(normalise_quaternion(values[3:])), values[:3])


def show_result(chosen: ChosenArm, result: "IkResult", *, degrees: bool) -> None:
    """Print the branches as a table, or why there is none and what comes nearest."""
    from .screen import console, heading, row_table

    out, arm = console(), chosen.arm
    unit = "°" if degrees else "rad"
    title = f"{chosen.robot.title}, {chosen.frame} in {chosen.base}"
    margin = f"margin {unit}"
    columns = (*arm.joint_titles, margin)
    table = row_table("#", *columns, "configuration", right=("#", *columns))
    why = result.unreachable
    if why is None:
        count = len(result.solutions)
        found = "1 solution" if count == 1 else f"{count} solutions, nearest to the seed first"
        out.print(heading(title, f"{found}; joints in {unit}"))
        for number, one in enumerate(result.solutions, 1):
            left = f"{math.degrees(one.margin_rad):.1f}" if degrees else f"{one.margin_rad:.3f}"
            table.add_row(str(number), *joints_as_text(arm, one.q, degrees=degrees), left, one.label)
    else:
        out.print(heading(title, "cannot be reached"))
        out.print(why.reason, markup=False)
        out.print(f"Joints of the nearest reachable pose (in {unit}):", markup=False)
        table.add_row("", *joints_as_text(arm, why.q_nearest, degrees=degrees), "", arm.describe(why.q_nearest))
    out.print(table)
