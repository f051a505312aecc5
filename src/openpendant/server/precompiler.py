"""Precompiler: compiles what robots and cells need before somebody waits for it."""

import logging
import subprocess
import sys
import threading

from openpendant.errors import RobotFileError, UnknownNameError
from openpendant.robots import Robot, load, names
from openpendant.runtime import is_compiled

OUT_OF_REACH_M = 100.0
WARM_CELLS = """import os, sys, threading
if hasattr(os, "nice"):
    os.nice(10)

def end_with_server():
    sys.stdin.read()
    os._exit(1)

threading.Thread(target=end_with_server, daemon=True).start()
from openpendant.runtime import compile_kernels
compile_kernels()
os._exit(0)
"""
log = logging.getLogger("openpendant.server")


class Precompiler:
    """Solves one question per arm in a background thread, so that the first drag is as quick as the rest."""

    def __init__(self) -> None:
        self.ready = False

    def start(self) -> threading.Thread:
        """Begin, and return the thread; `ready` is set when it is done."""
        thread = threading.Thread(target=self._compile_all, name="compile kinematics", daemon=True)
        thread.start()
        return thread

    def _compile_all(self) -> None:
        for name in names():
            try:
                compile_for_robot(load(name))
            except (RobotFileError, UnknownNameError) as error:
                # A broken entry, or one that was removed meanwhile, must not keep the others from being warmed.
                log.warning("left out: %s", error)
        self.ready = True
        if not is_compiled():
            compile_for_cells()


def compile_for_cells() -> None:
    """Compile what cells need, in a separate process that lets all others go first, and ends with this one."""
    # Were the output of the server also its own, who reads that would wait for the compiler. Its input ends with us.
    process = subprocess.Popen(
        [sys.executable, "-c", WARM_CELLS],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        complaint = process.stderr.read() if process.stderr is not None else ""
    if process.returncode != 0:
        log.warning("could not compile ahead: %s", complaint.strip().splitlines()[-1:])


def compile_for_robot(robot: Robot) -> None:
    """Run every calculation of a drag once, for each arm in its first posture."""
    for name, arm in robot.arms.items():
        q = robot.posture(arm=name)
        T = arm.fk(q)
        arm.ik(T, seed=q)
        arm.follow(T, q)
        T[:3, 3] += OUT_OF_REACH_M
        arm.ik(T, seed=q)
        arm.follow(T, q)
        arm.manipulability(q)
        arm.singularities(q)
