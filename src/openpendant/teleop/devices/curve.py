"""StickCurve: nothing near the middle of a stick, fine beside it, everything at the end."""

import math
from dataclasses import dataclass

from openpendant.errors import InputError

MOST_DEAD = 0.9
POWERS = (0.5, 4.0)


@dataclass(frozen=True)
class StickCurve:
    """From a deflection to a share of the speed: odd, monotonic, 0 in the dead zone, ±1 at the ends."""

    dead: float = 0.12
    """Up to here nothing happens, 0 to 0.9: sticks of some years rest up to a tenth beside their middle."""
    power: float = 2.0
    """1: straight; more: finer near the middle. 0.5 to 4."""

    def __post_init__(self) -> None:
        """Refuse what makes no curve.

        Raises:
            InputError: A number is out of range; names it.
        """
        if not 0.0 <= self.dead <= MOST_DEAD:
            raise InputError(f"the dead zone is {self.dead}; allowed: 0 to {MOST_DEAD}")
        least, most = POWERS
        if not least <= self.power <= most:
            raise InputError(f"the power of the curve is {self.power}; allowed: {least} to {most}")

    def share(self, deflection: float) -> float:
        """Return the share of the speed for a deflection of -1 to 1."""
        size = min(1.0, abs(deflection))
        if size <= self.dead:
            return 0.0
        return math.copysign(((size - self.dead) / (1.0 - self.dead)) ** self.power, deflection)


BUTTON = StickCurve(dead=0.5, power=1.0)
"""Of a button, or a D-pad."""
STICK = StickCurve()
