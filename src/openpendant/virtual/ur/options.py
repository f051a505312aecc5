"""UrOptions: how a virtual controller differs from the next, apart from its arm."""

import math
from dataclasses import dataclass, field

from openpendant.errors import InputError
from openpendant.virtual.arm import Tracking

from .versions import DEFAULT_VERSION, Version, build_date, check_version


@dataclass(frozen=True)
class UrOptions:
    """Versions, durations and limits. The durations are short: a real controller takes tens of seconds to wake up."""

    version: Version = DEFAULT_VERSION
    """PolyScope; what the controller has depends on it (see `versions`), and clients choose their features by it."""
    serial: str = "20225300001"
    power: bool = False
    """Whether it starts with power on and brakes released."""
    power_on_s: float = 0.3
    brake_release_s: float = 0.3
    power_off_s: float = 0.1
    unlock_after_s: float = 0.5
    """Time after which a protective stop can be unlocked (5 s on a real controller)."""
    tool_speed_m_s: float = 3.0
    """Faster than this the tool's point may not be: else a protective stop."""
    collision_period_s: float = 0.02
    """How often a moving arm is compared with its cell."""
    remote_control: bool = True
    tracking: Tracking = field(default_factory=Tracking)

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name in ("power_on_s", "brake_release_s", "power_off_s", "unlock_after_s"):
            value = getattr(self, name)
            if not 0.0 <= value < math.inf:
                raise InputError(f"{name} is {value}; it must be finite and not negative")
        for name in ("tool_speed_m_s", "collision_period_s"):
            value = getattr(self, name)
            if not 0.0 < value < math.inf:
                raise InputError(f"{name} is {value}; it must be positive and finite")
        if not self.serial.isdigit():
            raise InputError(f"serial is {self.serial!r}; clients expect digits only")
        check_version(self.version)

    @property
    def build_date(self) -> str:
        """Of the software, as a string."""
        return build_date(self.version)
