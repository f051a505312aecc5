"""compile_kernels: have every kernel compiled, or loaded from the disk cache, before somebody waits for it."""

import math

import numpy as np

from openpendant.spatial import make_transform, rotation_x

from .arm import Arm
from .chain import Chain

HALF = 0.5 * math.pi

Place = tuple[float, float, float, float]

# One arm of each kind, as x, y, z and roll of each joint in the one before; all axes along z.
SPHERICAL: list[Place] = [
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.3, -HALF),
    (0.3, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, -HALF),
    (0.0, 0.0, 0.3, HALF),
    (0.0, 0.0, 0.0, -HALF),
]
PARALLEL: list[Place] = [
    (0.0, 0.0, 0.1, 0.0),
    (0.0, 0.0, 0.0, HALF),
    (0.2, 0.0, 0.0, 0.0),
    (0.2, 0.0, 0.1, 0.0),
    (0.0, -0.1, 0.0, HALF),
    (0.0, 0.1, 0.0, -HALF),
]
SEVEN: list[Place] = [*SPHERICAL[:2], (0.05, 0.1, 0.0, HALF), *SPHERICAL[2:]]


def compile_kernels() -> None:
    """Call every kernel once. Takes some twenty seconds the first time on a machine, then under a second."""
    for places in (SPHERICAL, PARALLEL, SEVEN):
        arm = Arm("arm", _chain(places), base="base", flange="flange", redundancy=0 if len(places) > 6 else None)
        q = np.full(arm.dof, 0.4)
        T = arm.fk(q)
        arm.fk_all(q)
        arm.jacobian(q)
        arm.ik_array(arm.fk([q, q]), q)
        arm.ik(T, seed=q)
        arm.follow(T, q)
        if arm.dof > 6:
            arm.ik(T, seed=q, redundancy=0.4)
            arm.ik(T, seed=q, arm_angle=0.4)
        T[:3, 3] *= 10.0
        arm.ik(T, seed=q)


def _chain(places: list[Place]) -> Chain:
    n = len(places)
    return Chain(
        names=tuple(f"joint {i}" for i in range(n)),
        order=np.arange(n),
        T_parent_joint=np.array([make_transform(rotation_x(roll), (x, y, z)) for x, y, z, roll in places]),
        axis=np.array([(0.0, 0.0, 1.0)] * n),
        prismatic=np.zeros(n, dtype=np.bool_),
        T_last_flange=make_transform(None, (0.0, 0.0, 0.1)),
        lower=np.full(n, -3.0),
        upper=np.full(n, 3.0),
    )
