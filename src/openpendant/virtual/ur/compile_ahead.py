"""compile_kernels: load or compile every kernel before a tick could have to wait for it."""

import numpy as np

from openpendant.virtual.arm import ArmModel, compile_arm_kernels

from .compliance import Compliance
from .installation import Installation
from .kernels.arm import pose_of, rotation_vector
from .model import UrModel

_warm: set[str] = set()


def compile_kernels(model: UrModel, built: ArmModel) -> None:
    """Move an arm of no consequence in every way there is; once for each kind of solver and process.

    Takes a quarter of a second from numba's cache, and half a minute the first time on a machine.
    """
    title = built.arm.solver.title
    if title in _warm:
        return
    _warm.add(title)
    q = np.radians([0.0, -80.0, 100.0, -110.0, -90.0, 0.0])
    compile_arm_kernels(built, q)
    installation = Installation(model)
    installation.set_tcp(installation.tcp)
    Compliance(model, installation).hand_velocity(q)
    T = built.arm.fk(q)
    pose_of(np.ascontiguousarray(T[:3]), np.empty(6))
    rotation_vector(np.ascontiguousarray(T[:3, :3]), np.empty(3))
