"""The 26 points of a welding test on a real RX90L, as its controller read them.

Flange `tool0` in the V+ world (at the shoulder), millimetres. The other column of the printed table, from a virtual
twin, agrees to a few millimetres but for row 3, whose x is printed with the wrong sign there; the controller's own
reading is used. Orientations were not published: here the flange looks 45° down, away from the robot towards -Y, in all
points (y p r = -90°, 135°, 0°).
"""

import math

import numpy as np

from openpendant.messages import Pose
from openpendant.programs import GoTo, Program
from openpendant.scene import Cell, CellFrame, CellPoint, CellRobot
from openpendant.spatial import matrix_from_zyz, quaternion_from_matrix

POINTS_MM = (
    (0.01, 0.0, 809.95),
    (-325.36, -429.35, 809.92),
    (-225.02, -612.53, 430.04),
    (-355.77, -781.37, -0.11),
    (-506.90, -781.25, -105.1),
    (-517.19, -907.96, -105.11),
    (-517.18, -907.96, -175.11),
    (-517.29, -858.53, -175.13),
    (-517.29, -804.35, -175.13),
    (-517.27, -757.48, -175.11),
    (-517.15, -713.87, -175.09),
    (-517.29, -667.21, -175.14),
    (-517.29, -619.88, -175.12),
    (-517.30, -590.43, -175.13),
    (-577.22, -398.87, -175.08),
    (-577.34, -494.07, -175.10),
    (-434.07, -493.92, -175.09),
    (-381.36, -494.19, -175.12),
    (-136.61, -494.04, -175.09),
    (73.98, -493.83, -174.94),
    (121.82, -493.73, -175.04),
    (166.21, -493.78, -175.14),
    (306.74, -492.05, -175.02),
    (264.65, -432.15, -190.13),
    (264.64, -584.07, -190.10),
    (264.64, -648.67, -190.12),
)
YPR_DEG = (-90.0, 135.0, 0.0)
SHOULDER_M = 0.42


def welding_cell() -> Cell:
    R = matrix_from_zyz(*(math.radians(angle) for angle in YPR_DEG))
    w, x, y, z = (float(value) for value in quaternion_from_matrix(np.asarray(R)))
    points = tuple(
        CellPoint(
            name=f"weld {number}",
            frame="shoulder",
            pose=Pose(xyz=(0.001 * px, 0.001 * py, 0.001 * pz), wxyz=(w, x, y, z)),
        )
        for number, (px, py, pz) in enumerate(POINTS_MM, 1)
    )
    return Cell(
        name="welding",
        robots=(CellRobot(name="rx90l", model="rx90l", tools={"arm": None}),),
        frames=(
            CellFrame(
                name="shoulder", parent="rx90l", pose=Pose(xyz=(0.0, 0.0, SHOULDER_M), wxyz=(1.0, 0.0, 0.0, 0.0))
            ),
        ),
        points=points,
    )


def welding_program() -> Program:
    """Joint moves, as the test was made, with small zones where the torch goes along an edge."""
    steps = tuple(
        GoTo(id=f"w{number}", to=f"weld {number}", speed="20%", zone="z5" if 8 <= number <= 13 else "fine")
        for number in range(1, len(POINTS_MM) + 1)
    )
    return Program(name="weld_26", title="26 points of a welding test", robot="rx90l", steps=steps)
