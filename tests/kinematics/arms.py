"""The arms under test, written from published numbers, independent of the catalogue."""

import math

import numpy as np

from openpendant.kinematics import Chain

DEG = math.pi / 180.0
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def rx(a):
    return np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])


def ry(a):
    return np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])


def rz(a):
    return np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])


def place(xyz=(0.0, 0.0, 0.0), rpy=(0.0, 0.0, 0.0)):
    T = np.eye(4)
    T[:3, :3] = rz(rpy[2]) @ ry(rpy[1]) @ rx(rpy[0])
    T[:3, 3] = xyz
    return T


def chain(names, placements, axes, limits_deg, flange, order=None):
    n = len(names)
    lower, upper = np.array(limits_deg, dtype=float).T * DEG
    return Chain(
        names=tuple(names),
        order=np.arange(n) if order is None else np.array(order),
        T_parent_joint=np.array(placements),
        axis=np.array(axes),
        prismatic=np.zeros(n, dtype=bool),
        T_last_flange=flange,
        lower=lower,
        upper=upper,
    )


HALF = math.pi / 2.0
SIX = [f"joint_{i}" for i in range(1, 7)]

# ABB IRB 120-3/0.58: joint placements of ros-industrial/abb_experimental, limits of the product manual.
IRB120 = chain(
    SIX,
    [
        place(),
        place((0, 0, 0.29)),
        place((0, 0, 0.27)),
        place((0, 0, 0.07)),
        place((0.302, 0, 0)),
        place((0.072, 0, 0)),
    ],
    [Z, Y, Y, X, Y, X],
    [(-165, 165), (-110, 110), (-110, 70), (-160, 160), (-120, 120), (-400, 400)],
    place(rpy=(0, HALF, 0)),
)


def rx90(d4):
    """The V+ product Rz(J1) Ry(J2+90) Tz(a3) Ry(J3-90) Rz(J4) Tz(d4) Ry(J5) Rz(J6) Tz(0.085)."""
    return chain(
        [f"J{i}" for i in range(1, 7)],
        [
            place(),
            place(rpy=(0, HALF, 0)),
            place((0, 0, 0.45), rpy=(0, -HALF, 0)),
            place(),
            place((0, 0, d4)),
            place(),
        ],
        [Z, Y, Y, Z, Y, Z],
        [(-160, 160), (-227.5, 47.5), (-52.5, 232.5), (-270, 270), (-105, 120), (-270, 270)],
        place((0, 0, 0.085)),
    )


RX90L = rx90(0.65)
RX90 = rx90(0.45)

# UR3e from the vendor's DH table: a, d, alpha.
UR3E_DH = [
    (0.0, 0.15185, HALF),
    (-0.24355, 0.0, 0.0),
    (-0.2132, 0.0, 0.0),
    (0.0, 0.13105, HALF),
    (0.0, 0.08535, -HALF),
    (0.0, 0.0921, 0.0),
]


def _ur3e():
    after = [place((a, 0, d), rpy=(alpha, 0, 0)) for a, d, alpha in UR3E_DH]
    limits = [(-360, 360), (-360, 360), (-180, 180), (-360, 360), (-360, 360), (-math.inf, math.inf)]
    names = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]
    return chain(names, [np.eye(4), *after[:5]], [Z] * 6, limits, after[5])


UR3E = _ur3e()


def _yumi(side):
    left = side == "l"
    first = (
        place((0.05355, 0.0725, 0.41492), (0.9781, -0.5716, 2.318))
        if left
        else place((0.05355, -0.0725, 0.41492), (-0.9795, -0.5682, -2.3155))
    )
    rest = [
        place((0.03, 0, 0.1), (HALF, 0, 0)),
        place((-0.03, 0.17283, 0), (-HALF, 0, 0)),
        place((-0.04188, 0, 0.07873), (HALF, -HALF, 0)),
        place((0.0405, 0.16461, 0), (-HALF, 0, 0)),
        place((-0.027, 0, 0.10039), (HALF, 0, 0)),
        place((0.027, 0.029, 0), (-HALF, 0, 0)),
    ]
    limits = [
        (-168.5, 168.5),
        (-143.5, 43.5),
        (-123.5, 80),
        (-290, 290),
        (-88, 138),
        (-229, 229),
        (-168.5, 168.5),
    ]
    names = [f"yumi_joint_{i}_{side}" for i in range(1, 8)]
    return chain(names, [first, *rest], [Z] * 7, limits, np.eye(4), order=[0, 1, 6, 2, 3, 4, 5])


YUMI_LEFT = _yumi("l")
YUMI_RIGHT = _yumi("r")

ALL = {"irb120": IRB120, "rx90l": RX90L, "ur3e": UR3E, "yumi_left": YUMI_LEFT, "yumi_right": YUMI_RIGHT}
