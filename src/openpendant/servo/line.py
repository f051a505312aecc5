"""Line: where a jog that keeps its direction began, and whether the tool is still on its way."""

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

OFF_M = 0.002
"""The tool's point has left its line when it is farther away than this. A jog that nothing holds stays within 1 mm,
also past a singularity of the wrist."""
OFF_RAD = 0.05
"""So has a tool that shall turn about one axis and has turned this far about others."""
ACROSS = 0.1
"""Where something holds the arm, it slides as soon as this part of its velocity is across its line: it then has a whole
stopping distance in which it leaves the line by this part of it."""
STANDS_S = 0.3
"""A tool that is asked to move and stands for this long will not move."""
STANDS_SHARE = 0.02
"""It stands when it does less than this part of what is asked."""


class Line:
    """The straight line, or the axis of rotation, of one jog."""

    def __init__(self) -> None:
        self._asked = np.zeros(7)
        self._p, self._R = np.zeros(3), np.eye(3)
        self._along, self._about = np.zeros(3), np.zeros(3)
        self._stood_s = 0.0
        self.begun = False

    def end(self) -> None:
        """Watch nothing."""
        self.begun = False

    def restart(self, T: Array, twist: Array, *, in_tool: bool) -> None:
        """Begin again where the tool is, if another direction is asked for than before.

        Args:
            T: (3, 4): the tool in the world.
            twist: (6,): the velocity asked; its size does not matter.
            in_tool: Whether it is given in the tool's axes, else in those of the world.
        """
        asked = np.concatenate([_unit(twist[:3]), _unit(twist[3:]), [float(in_tool)]])
        if self.begun and np.abs(asked - self._asked).max() < 1e-9:
            return
        self._asked, self._p, self._R = asked, T[:, 3].copy(), T[:, :3].copy()
        turn = self._R if in_tool else np.eye(3)
        self._along, self._about = turn @ asked[:3], turn @ asked[3:6]
        self._stood_s, self.begun = 0.0, True

    def is_left(self, T: Array, going: Array, done: float, dt: float, *, blocked: bool) -> bool:
        """Return whether the tool leaves its line, or stands although it is asked to move.

        Args:
            T: (3, 4): the tool in the world.
            going: (6,): the velocity that it takes up now, in the world.
            done: Which part of what is asked it does, 0 to 1.
            dt: Seconds since the last call.
            blocked: Whether a limit, an obstacle or the edge of its reach holds it.
        """
        self._stood_s = self._stood_s + dt if done < STANDS_SHARE else 0.0
        if self._stood_s > STANDS_S:
            return True
        if blocked and (_slides(going[:3], self._along, 0.002) or _slides(going[3:], self._about, 0.01)):
            return True
        away = T[:, 3] - self._p
        if float(np.linalg.norm(away - self._along * (self._along @ away))) > OFF_M:
            return True
        if not self._about.any() or self._along.any():
            return False
        # The axis itself is what a rotation about it leaves alone, on any number of turns.
        axis = T[:, :3] @ (self._R.T @ self._about)
        return float(self._about @ axis) < math.cos(OFF_RAD)


def _slides(v: Array, way: Array, noise: float) -> bool:
    """Return whether a velocity departs from the direction that is asked; where none is asked, never."""
    if not way.any():
        return False
    across = float(np.linalg.norm(v - way * float(way @ v)))
    return across > noise + ACROSS * float(np.linalg.norm(v))


def _unit(v: Array) -> Array:
    size = float(np.linalg.norm(v))
    return v / size if size > 0.0 else np.zeros(3)
