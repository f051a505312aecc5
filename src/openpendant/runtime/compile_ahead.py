"""compile_kernels: compile everything that cells need, once; the compiled kernels stay on the disk.

Without it, whoever is first to check a program or to start a robot waits for the compiler.
"""

import hashlib
import os
import sys
from functools import lru_cache
from pathlib import Path

import numba
import numpy as np

from openpendant.motion import MoveJoint, Zone, joint_limits, plan
from openpendant.programs import check_program, open_project
from openpendant.scene import PlacedArm, Scene, encode_cell, load_demo
from openpendant.user_folders import cache_folder

from .cell_runtime import CellRuntime
from .robot_builder import build_robot
from .settings import RobotSettings

PACKAGE = Path(__file__).parents[1]
DEMOS = ("pick_and_place", "bench")


def is_compiled() -> bool:
    """Return whether `compile_kernels` was run with the kernels as they are now."""
    return _mark().exists()


def compile_kernels() -> None:
    """Check the programs of demo cells, and start and end their robots, so that all kernels are compiled."""
    for demo in DEMOS:
        opened = load_demo(demo)
        cell, folder = opened.cell, opened.folder
        if folder is not None:
            programs = {name: one.program for name, one in open_project(folder).programs.items()}
            for program in programs.values():
                check_program(cell, program, programs=programs, folder=folder)
        for robot in cell.robots:
            # Nothing waits for it here: a process that compiles for minutes on a busy machine counts as hung.
            place = None if folder is None else str(folder)
            document = encode_cell(cell).decode()
            build_robot(RobotSettings(cell=cell.name, document=document, folder=place, robot=robot.name, endpoint=""))
        _plan_corner(next(iter(Scene(cell, folder).arms.values())))
        with CellRuntime(cell, folder=folder, name="warm"):
            pass
    _mark().touch()


def _plan_corner(arm: PlacedArm) -> None:
    """Plan a way with a corner that is rounded; the programs of the demo cells have none."""
    limits, q = joint_limits(arm.model, arm.arm), arm.q_start
    way = np.where(q - limits.lower < limits.upper - q, 0.2, -0.2)
    back = way * (np.arange(len(q)) % 2)
    plan(arm.kinematics, limits, q, [MoveJoint(q + way, zone=Zone(0.05)), MoveJoint(q + back)])


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
    compile_kernels()
