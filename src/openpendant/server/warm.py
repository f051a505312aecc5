"""Warmth: compiles the kinematics before somebody waits for them."""

import logging
import threading

from openpendant.errors import RobotFileError
from openpendant.robots import Robot, load, names

__all__ = ["Warmth", "warm"]

log = logging.getLogger("openpendant.server")


class Warmth:
    """Solves one question per arm in a background thread, so that the first drag is as quick as the rest."""

    def __init__(self) -> None:
        self.ready = False

    def start(self) -> None:
        """Begin; `ready` tells when it is done."""
        threading.Thread(target=self._warm_all, name="warm kinematics", daemon=True).start()

    def _warm_all(self) -> None:
        for name in names():
            try:
                warm(load(name))
            except RobotFileError as error:
                # A broken entry must not keep the others from being warmed.
                log.warning("left out: %s", error)
        self.ready = True


def warm(robot: Robot) -> None:
    """Run every calculation of a drag once, for each arm in its first posture."""
    for name, arm in robot.arms.items():
        q = robot.posture(arm=name)
        arm.ik(arm.fk(q), seed=q)
        arm.manipulability(q)
        arm.singularities(q)
