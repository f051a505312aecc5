"""A cell with a wall: a program that crosses over it runs once, but its end has no straight way back to its begin."""

from openpendant.messages import Pose
from openpendant.programs import MoveAxis, Program
from openpendant.scene import BoxShape, Cell, CellObject, CellRobot

ROBOT = "abb"
LEFT = (-1.2, 0.3, 0.0, 0.0, 0.5, 0.0)
ABOVE_LEFT = (-1.2, -0.9, -0.3, 0.0, 0.5, 0.0)
ABOVE_RIGHT = (1.2, -0.9, -0.3, 0.0, 0.5, 0.0)
RIGHT = (1.2, 0.3, 0.0, 0.0, 0.5, 0.0)

WALLED = Cell(
    name="walled",
    robots=(CellRobot(name=ROBOT, model="irb120", joints={"arm": LEFT}),),
    objects=(
        CellObject(
            name="wall",
            shape=BoxShape(size=(0.5, 0.02, 0.7)),
            pose=Pose(xyz=(0.55, 0.0, 0.35), wxyz=(1.0, 0.0, 0.0, 0.0)),
        ),
    ),
)


def crossing(name: str, *joints: tuple[float, ...]) -> Program:
    """Return a program through joints, its steps named s1, s2, ..."""
    return Program(
        name=name,
        robot=ROBOT,
        steps=tuple(MoveAxis(id=f"s{number}", q=q, speed="50%") for number, q in enumerate(joints, 1)),
    )


OVER = crossing("over", LEFT, ABOVE_LEFT, ABOVE_RIGHT, RIGHT)
"""Over the wall, and not back: its second round goes through it."""
OVER_AND_BACK = crossing("over_and_back", LEFT, ABOVE_LEFT, ABOVE_RIGHT, RIGHT, ABOVE_RIGHT, ABOVE_LEFT)
