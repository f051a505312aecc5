"""warm_up: compile everything that cells need, once; the compiled kernels stay on the disk.

Without it, whoever is first to check a program or to start a robot waits for the compiler.
"""

import hashlib
import os
import sys
from functools import lru_cache
from pathlib import Path

import numba

from openpendant.programs import check_program, open_project
from openpendant.robots import cache_folder
from openpendant.scene import load_demo

from .runtime import CellRuntime

__all__ = ["is_warm", "warm_up"]

PACKAGE = Path(__file__).parents[1]
DEMOS = ("pick_and_place", "bench")


def is_warm() -> bool:
    """Return whether `warm_up` was run with the kernels as they are now."""
    return _mark().exists()


def warm_up() -> None:
    """Check the programs of demo cells, and start and end their robots, so that all kernels are compiled."""
    for demo in DEMOS:
        document = load_demo(demo)
        cell, folder = document.cell, document.folder
        if folder is not None:
            programs = {name: one.program for name, one in open_project(folder).programs.items()}
            for program in programs.values():
                check_program(cell, program, programs=programs, folder=folder)
        with CellRuntime(cell, folder=folder, name="warm"):
            pass
    _mark().touch()


@lru_cache(maxsize=1)
def _mark() -> Path:
    """Return the file whose presence says that the kernels are compiled; beside the package, where numba's are."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sorted(PACKAGE.rglob("kernels/*.py")):
        digest.update(path.read_bytes())
    beside = PACKAGE / "__pycache__"
    folder = beside if os.access(beside, os.W_OK) else cache_folder()
    return folder / f"warm-{digest.hexdigest()[:16]}"


if __name__ == "__main__":
    warm_up()
