"""jit: compile a kernel of this folder."""

from pathlib import Path

from openpendant.jit import make_jit

HERE = Path(__file__).parent
CALLED = HERE.parents[2] / "kinematics" / "kernels"

jit = make_jit(HERE, CALLED, fuse=True)
