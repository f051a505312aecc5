"""Write a program in Python: points in a frame, a pallet by counting, and what follows when a point is renamed."""

from openpendant.messages import Pose
from openpendant.programs import (
    CellProject,
    GoTo,
    Offset,
    Program,
    Repeat,
    SetVariable,
    check_program,
    print_program,
)
from openpendant.scene import BoxShape, Cell, CellDocument, CellFrame, CellObject, CellPoint, CellRobot, Rename

LEVEL, DOWN = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)
cell = Cell(
    name="pallet",
    robots=(CellRobot(name="robot", model="irb120"),),
    frames=(CellFrame(name="pallet", pose=Pose(xyz=(0.3, -0.1, 0.05), wxyz=LEVEL)),),
    objects=(
        CellObject(name="board", shape=BoxShape(size=(0.3, 0.4, 0.03)), pose=Pose(xyz=(0.4, 0.0, 0.03), wxyz=LEVEL)),
    ),
    points=(CellPoint(name="corner", frame="pallet", pose=Pose(xyz=(0.0, 0.0, 0.05), wxyz=DOWN)),),
)
along = Offset(by=(0.0, "0.06 * row", 0.08))
down = Offset(by=(0.0, "0.06 * row", 0.0))
visit = Program(
    name="visit",
    robot="robot",
    variables={"row": 0.0},
    steps=(
        Repeat(
            id="rows",
            times=4,
            steps=(
                GoTo(id="above", to="corner", offset=along, speed="v800", zone="z20"),
                GoTo(id="touch", to="corner", how="line", offset=down, speed="v100"),
                GoTo(id="leave", to="corner", how="line", offset=along, speed="v400", zone="z20"),
                SetVariable(id="next", name="row", value="row + 1"),
            ),
        ),
    ),
)
project = CellProject(CellDocument(cell), {"visit": visit})
project.apply(Rename(name="corner", new_name="first place"))
print(print_program(project.program("visit").program))
print(check_program(project.cell, project.program("visit").program).summary)
