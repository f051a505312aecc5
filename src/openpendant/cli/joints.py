"""What `fk` and `ik` share: which robot, arm and frames are meant, and joints as people type them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from .numbers import parse_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from openpendant.kinematics import Arm
    from openpendant.robots import Robot

RobotArgument = Annotated[str, typer.Argument(metavar="ROBOT", help="Name in the catalogue; see `openpendant robots`.")]
ArmOption = Annotated[str | None, typer.Option("--arm", help="Arm of the robot.", show_default="the first")]
BaseOption = Annotated[
    str | None, typer.Option("--base", help="Reference frame of the pose.", show_default="the arm's own base")
]
FrameOption = Annotated[
    str | None, typer.Option("--frame", help="Frame whose pose is given or shown.", show_default="the flange")
]
DegOption = Annotated[
    bool, typer.Option("--deg", help="Use degrees for joints, in input and output; JSON stays in radians.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]


@dataclass(frozen=True)
class ChosenArm:
    """The arm that is meant, and between which frames."""

    robot: "Robot"
    arm: "Arm"
    base: str
    frame: str
    home: "NDArray[np.float64]"
    """The arm's first posture."""


def choose(robot_name: str, arm_name: str | None, base: str | None, frame: str | None) -> ChosenArm:
    """Return the arm and frames that are meant; raises UnknownNameError, with suggestions."""
    # The numerics are loaded here, not with the program: `--help` and `--version` stay quick.
    from openpendant.robots import load

    robot = load(robot_name)
    arm = robot.arm(arm_name)
    return ChosenArm(robot, arm, base or arm.base, frame or arm.flange, robot.posture(arm=arm.name))


def parse_joints(arm: "Arm", words: Sequence[str], what: str, *, degrees: bool) -> "NDArray[np.float64]":
    """Return joints in radians (or metres); raises InputError on wrong count or range."""
    import numpy as np

    q = np.array(parse_numbers(words, what, arm.dof, ", ".join(arm.joint_titles)))
    return arm.check_q(np.where(turning(arm), np.deg2rad(q), q) if degrees else q)


def joints_as_text(arm: "Arm", q: "NDArray[np.float64]", *, degrees: bool) -> list[str]:
    """Return joints for a table: degrees with two decimals or radians with four, metres with four."""
    import numpy as np

    # Rounded, plus zero: that turns -0.00 into 0.00.
    return [
        f"{round(float(np.rad2deg(value)), 2) + 0.0:.2f}" if degrees and turns else f"{round(value, 4) + 0.0:.4f}"
        for value, turns in zip(q, turning(arm), strict=True)
    ]


def turning(arm: "Arm") -> "NDArray[np.bool_]":
    """Return for each joint, in the order of q, whether it turns."""
    import numpy as np

    turns = np.empty(arm.dof, np.bool_)
    turns[arm.chain.order] = ~arm.chain.prismatic
    return turns
