"""jit: compile a kernel of this folder."""

from pathlib import Path

from openpendant.jit import make_jit

jit = make_jit(Path(__file__).parent)
