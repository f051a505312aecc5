"""Controllers: the one interface to robots, real and virtual, and the kinematic robot that needs neither.

In: plain jobs and setpoints. Out: stamped states and events. Radians, metres, integer nanoseconds.
"""

from .plant import TICK_NS, Fingers, Plant, PlantArm
from .port import (
    Capabilities,
    Controller,
    ControllerEvent,
    Job,
    Progress,
    RobotState,
    SampledPath,
    StopKind,
    VendorText,
)

__all__ = [
    "TICK_NS",
    "Capabilities",
    "Controller",
    "ControllerEvent",
    "Fingers",
    "Job",
    "Plant",
    "PlantArm",
    "Progress",
    "RobotState",
    "SampledPath",
    "StopKind",
    "VendorText",
]
