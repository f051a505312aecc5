"""AbbArm: what a driver has to know of an arm before it talks to its controller."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.controllers.tools import ToolWiring
from openpendant.errors import InputError

AXES = 6, 7
STOP_RAD_S2 = 8.0
"""Deceleration of a stop along the path where nobody says what the joints can do (assumed)."""


@dataclass(frozen=True, eq=False)
class AbbArm:
    """One arm; joints in radians, in the maker's counting of axes."""

    name: str = "arm"
    """What it is called here."""
    task: str = "T_ROB1"
    """Of the controller, which moves it."""
    unit: str = "ROB_1"
    """Mechanical unit of the controller."""
    lower: ArrayLike = (-np.pi,) * 6
    """Limits of the joints; their number is that of the axes, 6 or 7."""
    upper: ArrayLike = (np.pi,) * 6
    velocity: ArrayLike = np.pi
    """Largest of the joints, rad/s."""
    stop_deceleration: ArrayLike = STOP_RAD_S2
    """Of a stop along the path, rad/s²: for each joint, or one for all."""
    tool: ToolWiring | None = None
    """How its tool is worked by signals; None: it is not wired."""

    def __post_init__(self) -> None:
        """Lay the limits out, one for each joint; raises InputError where they are not."""
        lower = _joints(self.lower)
        if lower.shape not in tuple((n,) for n in AXES):
            raise InputError(f"arm {self.name} has {lower.size} joints; allowed: {' or '.join(map(str, AXES))}")
        for name in ("lower", "upper", "velocity", "stop_deceleration"):
            value = np.array(np.broadcast_to(_joints(getattr(self, name)), lower.shape))
            if not np.isfinite(value).all() or (name in ("velocity", "stop_deceleration") and value.min() <= 0.0):
                raise InputError(f"{name} {value.tolist()} of arm {self.name}; allowed: finite, speeds above 0")
            value.setflags(write=False)
            object.__setattr__(self, name, value)

    @property
    def dof(self) -> int:
        """How many joints it has."""
        return len(_joints(self.lower))

    @property
    def limits(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The lower and the upper ones."""
        return _joints(self.lower), _joints(self.upper)

    @property
    def braking(self) -> NDArray[np.float64]:
        """The deceleration of a stop, rad/s², for each joint."""
        return _joints(self.stop_deceleration)

    @property
    def fastest_deg_s(self) -> float:
        """Of the fastest joint."""
        return float(np.degrees(_joints(self.velocity)).max())


def _joints(values: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)


ONE_ARM = (AbbArm(),)
