"""SampleGuard: which samples count. Whatever a device says, a mapping sees numbers, and time that goes forward."""

import math
from typing import Literal

from .device import DeviceSample

SILENCE_NS = 250_000_000
"""After a longer silence a person has to press again: what the hand did meanwhile is not known."""
UNIT = 1e-3
"""How far the length of a quaternion may be from 1."""

Verdict = Literal["taken", "old", "lost"]
"""It counts; it is no newer than the last one and is left out; the device is gone, or says what cannot be."""


class SampleGuard:
    """Looks at the samples of one device, in the order in which they come."""

    def __init__(self) -> None:
        """Begin before the first sample."""
        self._last_ns: int | None = None

    def look(self, sample: DeviceSample) -> Verdict:
        """Return whether a sample counts."""
        last, stamp = self._last_ns, sample.stamp_ns
        if not _sound(sample):
            self._last_ns = stamp if last is None else max(last, stamp)
            return "lost"
        if last is None:
            self._last_ns = stamp
            return "taken"
        if stamp <= last:
            if last - stamp <= SILENCE_NS:
                return "old"
            # A clock that jumped back far is another clock: begin again with it.
            self._last_ns = stamp
            return "lost"
        self._last_ns = stamp
        return "lost" if stamp - last > SILENCE_NS else "taken"


def _sound(sample: DeviceSample) -> bool:
    if not sample.present or not all(math.isfinite(value) for value in sample.values.values()):
        return False
    pose = sample.pose
    if pose is None:
        return True
    finite = all(math.isfinite(value) for value in (*pose.xyz, *pose.wxyz))
    return finite and abs(math.hypot(*pose.wxyz) - 1.0) < UNIT
