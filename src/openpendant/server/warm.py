"""Warmth: compiles what robots and cells need before somebody waits for it."""

import logging
import subprocess
import sys
import threading

from openpendant.cell import is_warm
from openpendant.errors import RobotFileError, UnknownNameError
from openpendant.robots import Robot, load, names

__all__ = ["Warmth", "warm", "warm_cells"]

OUT_OF_REACH_M = 100.0
WARM_CELLS = """import os
if hasattr(os, "nice"):
    os.nice(10)
from openpendant.cell import warm_up
warm_up()
"""
log = logging.getLogger("openpendant.server")


class Warmth:
    """Solves one question per arm in a background thread, so that the first drag is as quick as the rest."""

    def __init__(self) -> None:
        self.ready = False

    def start(self) -> threading.Thread:
        """Begin, and return the thread; `ready` tells when it is done."""
        thread = threading.Thread(target=self._warm_all, name="warm kinematics", daemon=True)
        thread.start()
        return thread

    def _warm_all(self) -> None:
        for name in names():
            try:
                warm(load(name))
            except (RobotFileError, UnknownNameError) as error:
                # A broken entry, or one that was removed meanwhile, must not keep the others from being warmed.
                log.warning("left out: %s", error)
        self.ready = True
        if not is_warm():
            warm_cells()


def warm_cells() -> None:
    """Compile what cells need, in a process of its own that lets all others go first."""
    done = subprocess.run([sys.executable, "-c", WARM_CELLS], stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        log.warning("could not compile ahead: %s", done.stderr.strip().splitlines()[-1:])


def warm(robot: Robot) -> None:
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
