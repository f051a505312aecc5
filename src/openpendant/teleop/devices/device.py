"""TeleopDevice: something in a person's hand that is read again and again; it knows no robot."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from openpendant.messages import Pose


@dataclass(frozen=True)
class DeviceSample:
    """What a device was seen to do at one moment."""

    stamp_ns: int
    """When it was read, on the clock that was given to `read`."""
    present: bool
    """Whether the device is there and can be trusted: plugged in, tracked. False lets go of everything; what is held
    then counts only after it was let go and pressed again."""
    values: Mapping[str, float] = field(default_factory=dict[str, float])
    """By control, -1 to 1; triggers and buttons 0 to 1. What is not named is 0. Up, right and forward are positive."""
    pose: Pose | None = None
    """Where a tracked hand is in the world of the cell; None for devices that are not tracked."""

    def value(self, control: str) -> float:
        """Return a control's value within -1 and 1; 0 where it is not named or not finite."""
        value = self.values.get(control, 0.0)
        return min(1.0, max(-1.0, value)) if math.isfinite(value) else 0.0


class TeleopDevice(Protocol):
    """A gamepad, a tracked hand, a board of switches."""

    @property
    def title(self) -> str:
        """As its maker calls it."""
        ...

    @property
    def controls(self) -> tuple[str, ...]:
        """Every control that it may name in a sample, by its place: "left stick x", "a"."""
        ...

    def read(self, now_ns: int) -> DeviceSample:
        """Return what it does now; a device that is gone says so by `present`, and does not raise.

        Args:
            now_ns: The stamp of the sample.
        """
        ...

    def close(self) -> None:
        """Read it no more."""
        ...
