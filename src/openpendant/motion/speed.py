"""Speed: how fast a move may be, as people state it; the table of RAPID's speeddata."""

import math
from dataclasses import dataclass
from types import MappingProxyType

from openpendant.errors import InputError, UnknownNameError
from openpendant.said import say

# ABB, Technical reference manual RAPID instructions, functions and data types, "speeddata": predefined
# v5 … v7000 (mm/s at the TCP), each with 500 °/s reorientation. `vmax` is the robot's own maximum.
_NAMED_MM_S = (
    *(5, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 500, 600, 800),
    *(1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 7000),
)
_NAMED_TURN_RAD_S = math.radians(500.0)


@dataclass(frozen=True)
class Speed:
    """What a move may not exceed; what is not stated does not bind, and joint limits always do."""

    tool_m_s: float = math.inf
    """Of the tool's point, metres per second."""
    turn_rad_s: float = math.inf
    """Of the tool's orientation, radians per second."""
    joint_fraction: float = 1.0
    """Of every joint's largest velocity, 0 to 1: the percent on a pendant."""

    def __post_init__(self) -> None:
        """Refuse what is not a speed."""
        for name, value in (("tool_m_s", self.tool_m_s), ("turn_rad_s", self.turn_rad_s)):
            if not value > 0.0:
                raise InputError(f"{name} is {value}; a speed must be positive")
        if not 0.0 < self.joint_fraction <= 1.0:
            raise InputError(f"joint_fraction is {self.joint_fraction}; allowed: above 0 up to 1 (100 %)")

    @classmethod
    def from_mm_s(cls, tool_mm_s: float, turn_deg_s: float = 500.0) -> "Speed":
        """Return a speed stated in millimetres and degrees per second."""
        return cls(tool_m_s=tool_mm_s / 1000.0, turn_rad_s=math.radians(turn_deg_s))

    @classmethod
    def from_percent(cls, percent: float) -> "Speed":
        """Return a speed stated in percent of every joint's largest velocity."""
        return cls(joint_fraction=percent / 100.0)


SPEEDS = MappingProxyType(
    {f"v{mm_s}": Speed(mm_s / 1000.0, _NAMED_TURN_RAD_S) for mm_s in _NAMED_MM_S} | {"vmax": Speed()}
)
"""RAPID's predefined speeds by name, v5 … v7000 and vmax."""


def find_speed(name: str) -> Speed:
    """Return the speed that is called `v400`, `vmax` or `30%`.

    Raises:
        UnknownNameError: No speed is called so.
        InputError: A percentage outside 0 … 100.
    """
    if name in SPEEDS:
        return SPEEDS[name]
    if name.endswith("%"):
        try:
            return Speed.from_percent(float(name[:-1]))
        except ValueError:
            raise InputError(say("speed.percent", text=name)) from None
    raise UnknownNameError("speed", name, SPEEDS)
