"""jit: compile a kernel of this folder."""

from pathlib import Path

from openpendant.compiling import make_jit

__all__ = ["jit"]

jit = make_jit(Path(__file__).parent)
