"""After compile_kernels nobody waits for the compiler."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np
from numba.core import event
import arms
from openpendant.kinematics import Arm, Attachment, arm_angle, compile_kernels

compile_kernels()
with event.install_recorder("numba:compile") as recorder:
    for name, chain in arms.ALL.items():
        seven = chain.dof == 7
        frames = {"elbow": Attachment(2, np.eye(4))}
        arm = Arm(name, chain, base="base", flange="flange", frames=frames, redundancy=6 if seven else None)
        q = np.clip(np.full(chain.dof, 0.3), chain.lower, chain.upper)
        T = arm.fk(q)
        arm.fk([q]), arm.fk(q, "elbow"), arm.fk_all(q), arm.jacobian(q), arm.manipulability(q), arm.singularities(q)
        arm.ik_array(T), arm.ik_array([T]), arm.ik(T), arm.follow(T, q)
        arm.ik(T, seed=arm.ik(T, seed=q).nearest.q, variants=True)
        if seven:
            arm.ik(T, redundancy=0.3), arm.ik(T, arm_angle=arm_angle(arm, q))
        T[:3, 3] *= 10.0
        assert arm.ik(T).unreachable and arm.ik(T, seed=q).unreachable and not arm.follow(T, q).reached
print(len(recorder.buffer), "compiled")
"""


def test_nothing_is_compiled_after_warm_up() -> None:
    here = Path(__file__).parent
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(here), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "0 compiled"
