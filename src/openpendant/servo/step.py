"""ServoStep: what a servo answers each tick."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ServoStep:
    """The setpoint of one tick, with its velocity and acceleration. Arrays are fresh."""

    q: NDArray[np.float64]
    qd: NDArray[np.float64]
    qdd: NDArray[np.float64]
    why: tuple[str, ...]
    """Why the arm does not do all that is wanted: `joint_3 at its limit`, `near table`, `singular`, `stale`, … Empty:
    it does."""
    moving: bool
    """False: at rest."""
