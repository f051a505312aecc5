"""Controllers: the one interface to robots, real and virtual, and the kinematic robot that needs neither.

In: plain jobs and setpoints. Out: stamped states and events. Radians, metres, integer nanoseconds.
Drivers have rooms of their own: `openpendant.controllers.ur`.
"""

from .braking import brake_along, brake_joints, stop_time_s
from .jobs import Job, Progress, SampledPath, VendorText
from .plant import TICK_NS, Fingers, Plant, PlantArm
from .port import Controller
from .states import Capabilities, ControllerEvent, EventKind, Mode, RobotState, Safety, StopKind
from .tools import ToolStroke, ToolWiring

__all__ = [
    "TICK_NS",
    "Capabilities",
    "Controller",
    "ControllerEvent",
    "EventKind",
    "Fingers",
    "Job",
    "Mode",
    "Plant",
    "PlantArm",
    "Progress",
    "RobotState",
    "Safety",
    "SampledPath",
    "StopKind",
    "ToolStroke",
    "ToolWiring",
    "VendorText",
    "brake_along",
    "brake_joints",
    "stop_time_s",
]
