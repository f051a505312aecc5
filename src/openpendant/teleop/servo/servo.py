"""Servo: intents in, setpoints out."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.kinematics import Arm
from openpendant.messages import Intent
from openpendant.motion import JointLimits

from .obstacles import Obstacles
from .settings import ServoSettings
from .step import ServoStep

__all__ = ["Servo"]

Array = NDArray[np.float64]


class Servo:
    """One arm's servo: `reset`, then `take` intents when they come and `step` once every tick."""

    def __init__(
        self,
        arm: Arm,
        limits: JointLimits,
        dt: float,
        *,
        T_flange_tool: ArrayLike | None = None,
        T_world_base: ArrayLike | None = None,
        settings: ServoSettings | None = None,
    ) -> None:
        """Prepare a servo.

        Args:
            arm: The arm.
            limits: Of its joints; jerk must be finite.
            dt: Seconds between two setpoints.
            T_flange_tool: The tool's point; default: the flange.
            T_world_base: Where the arm's base stands; default: at the origin.
            settings: How it behaves.
        """
        raise NotImplementedError

    def reset(self, q: ArrayLike, qd: ArrayLike | None = None) -> None:
        """Begin anew from these joints (measured, or last sent); forgets intents."""
        raise NotImplementedError

    def take(self, intent: Intent, now_ns: int) -> None:
        """Take a new intent; raises InputError on nonsense, and then goes on as before."""
        raise NotImplementedError

    def stop(self) -> None:
        """Come to rest as fast as the limits allow; further intents of the same clutch are ignored until let go."""
        raise NotImplementedError

    def step(self, now_ns: int, obstacles: Obstacles | None = None) -> ServoStep:
        """Return the setpoint of the next tick."""
        raise NotImplementedError
