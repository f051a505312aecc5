"""jit: compile a kernel of this folder; inlined: the same, into each kernel that calls it."""

from pathlib import Path

from openpendant.jit import make_jit

HERE = Path(__file__).parent

jit = make_jit(HERE, fuse=True)
inlined = make_jit(HERE, fuse=True, inline=True)
