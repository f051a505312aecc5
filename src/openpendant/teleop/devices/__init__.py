"""Devices and mappings: from what a hand does to what an arm shall do. No robots, no clocks, no libraries of devices.

In: samples, each with its own time stamp. Out: wishes; whatever a device says, they are finite, within bounds, and hold
only while the dead-man switch does.
"""

from .curve import StickCurve
from .dead_man import DeadMan
from .device import DeviceSample, TeleopDevice
from .hand_mapping import HandMapping, HandSettings
from .mapping import ControlPress, DeviceMapping, HandWish
from .sample_guard import SampleGuard
from .twist_mapping import PAD, AxisBinding, TwistMapping, TwistSettings

__all__ = [
    "PAD",
    "AxisBinding",
    "ControlPress",
    "DeadMan",
    "DeviceMapping",
    "DeviceSample",
    "HandMapping",
    "HandSettings",
    "HandWish",
    "SampleGuard",
    "StickCurve",
    "TeleopDevice",
    "TwistMapping",
    "TwistSettings",
]
