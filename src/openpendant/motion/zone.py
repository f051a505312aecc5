"""Zone: how near a move must come to its end before the next one may take over; RAPID's zonedata."""

import math
from dataclasses import dataclass
from types import MappingProxyType

from openpendant.errors import InputError, UnknownNameError

METRES_PER_RADIAN = 0.010 / math.radians(1.5)
"""How much reorientation counts as how much way. RAPID's zones keep this proportion: 10 mm goes with 1.5°."""


@dataclass(frozen=True)
class Zone:
    """The region around a programmed point inside which the corner may be rounded. Radius 0 is a stop."""

    radius_m: float
    """How far from the point the tool may leave its path."""
    turn_rad: float | None = None
    """How far from the programmed orientation; None: in RAPID's proportion to the radius."""

    def __post_init__(self) -> None:
        """Refuse what is not a zone; fill in the turn."""
        if not 0.0 <= self.radius_m < math.inf:
            raise InputError(f"zone radius is {self.radius_m} m; it must be finite and not negative")
        if self.turn_rad is None:
            object.__setattr__(self, "turn_rad", self.radius_m / METRES_PER_RADIAN)
        elif not 0.0 <= self.turn_rad < math.inf:
            raise InputError(f"zone turn is {self.turn_rad} rad; it must be finite and not negative")
        elif self.turn_rad == 0.0 < self.radius_m:
            raise InputError(
                "a zone with a radius needs a turn above 0, or the tool stops at every corner where it turns"
            )

    @property
    def fine(self) -> bool:
        """Whether the move comes to rest at its end."""
        return self.radius_m == 0.0

    @property
    def turn(self) -> float:
        """How far from the programmed orientation, radians."""
        return self.radius_m / METRES_PER_RADIAN if self.turn_rad is None else self.turn_rad


FINE = Zone(0.0)
"""Come to rest exactly at the point."""

# ABB, Technical reference manual RAPID instructions, functions and data types, "zonedata": predefined
# zones: pzone_tcp in mm (z0: 0.3) and zone_ori in degrees (z0: 0.03).
_NAMED: tuple[tuple[str, float, float], ...] = (
    ("z0", 0.3, 0.03),
    ("z1", 1.0, 0.1),
    ("z5", 5.0, 0.8),
    ("z10", 10.0, 1.5),
    ("z15", 15.0, 2.3),
    ("z20", 20.0, 3.0),
    ("z30", 30.0, 4.5),
    ("z40", 40.0, 6.0),
    ("z50", 50.0, 7.5),
    ("z60", 60.0, 9.0),
    ("z80", 80.0, 12.0),
    ("z100", 100.0, 15.0),
    ("z150", 150.0, 23.0),
    ("z200", 200.0, 30.0),
)

ZONES = MappingProxyType({"fine": FINE} | {name: Zone(mm / 1000.0, math.radians(deg)) for name, mm, deg in _NAMED})
"""RAPID's predefined zones by name: fine, z0 … z200."""


def find_zone(name: str) -> Zone:
    """Return the zone that is called `fine` or `z50`.

    Raises:
        UnknownNameError: No zone is called so.
    """
    if name not in ZONES:
        raise UnknownNameError("zone", name, ZONES)
    return ZONES[name]
