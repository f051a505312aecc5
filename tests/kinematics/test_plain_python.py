"""Without the compiler everything still works, slowly."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np
import arms
from openpendant.kinematics import Arm, arm_angle, forward, make_solver
from openpendant.kinematics.kernels import forward as kernels

assert type(kernels.forward).__name__ == "function", "the kernels are compiled"
for name, chain in arms.ALL.items():
    arm = Arm(name, chain, base="base_link", flange="tool0", redundancy=6 if chain.dof == 7 else None)
    q = np.clip(np.array([0.3, -0.4, 0.5, 0.6, 0.7, 0.8, 0.9][: chain.dof]), chain.lower, chain.upper)
    T = arm.fk(q)
    Q, mask = arm.ik_array(T, q)
    assert np.abs(forward(chain, Q[mask]) - T).max() < 1e-9
    assert np.abs(arm.ik_array([T, T], q)[0][1][mask] - Q[mask]).max() == 0.0
    assert arm.singularities(q) and arm.manipulability(q) > 0.0 and arm.fk_all(q) and arm.jacobian(q).any()
    far = T.copy()
    far[:3, 3] *= 4.0
    if name == "irb120":
        assert arm.ik(T, seed=q).nearest.distance_rad < 1e-6
        assert arm.ik(far, seed=q).unreachable.kind == "far"
        # At every kind of singularity, where a division by nothing would raise.
        for singular in (np.zeros(6), [0.2, 0.1, -np.arctan2(302, 70), 0.1, 0.2, 0.3]):
            assert arm.ik_array(arm.fk(singular), singular)[1].any()
        assert not arm.ik_array(far)[1].any()
    if name == "rx90l":
        ready = np.radians([0, -90, 90, 0, 0, 0])
        assert arm.ik_array(arm.fk(ready), ready)[1].any()
    if name == "ur3e":
        assert arm.ik_array(arm.fk(np.zeros(6)))[1].any()
    if name == "yumi_left":
        assert arm.ik(T, seed=q, redundancy=float(q[6])).nearest.distance_rad < 1e-6
        assert isinstance(arm_angle(arm, q), float)
print("closed")
"""


def test_every_call_works_with_the_compiler_switched_off() -> None:
    here = Path(__file__).parent
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(here), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "closed"
