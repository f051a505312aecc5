"""Controllers: the one interface to robots, real and virtual, and the kinematic robot that needs neither.

In: plain jobs and setpoints. Out: stamped states and events. Radians, metres, integer nanoseconds.
Drivers have rooms of their own; `openpendant.makers` says which robot has which.
"""

from openpendant.messages import Mode, OperatingMode, Safety

from .address import Address, Way, parse_address
from .dialler import ByteLink, DatagramLink, Dialler
from .jobs import Job, Progress, SampledPath, VendorTasks, VendorText, only_text, texts_of
from .kinematic_robot import TICK_NS, Fingers, KinematicArm, KinematicRobot
from .port import Controller
from .probed import Probed
from .socket_dialler import SocketDialler
from .states import Capabilities, ControllerEvent, EventKind, OpenWindow, RobotState, StopKind
from .stop_motion import brake_along, brake_joints, stop_time_s
from .tools import ToolStroke, ToolWiring

__all__ = [
    "TICK_NS",
    "Address",
    "ByteLink",
    "Capabilities",
    "Controller",
    "ControllerEvent",
    "DatagramLink",
    "Dialler",
    "EventKind",
    "Fingers",
    "Job",
    "KinematicArm",
    "KinematicRobot",
    "Mode",
    "OpenWindow",
    "OperatingMode",
    "Plant",
    "PlantArm",
    "Probed",
    "Progress",
    "RobotState",
    "Safety",
    "SampledPath",
    "SocketDialler",
    "StopKind",
    "ToolStroke",
    "ToolWiring",
    "VendorTasks",
    "VendorText",
    "Way",
    "brake_along",
    "brake_joints",
    "only_text",
    "parse_address",
    "stop_time_s",
    "texts_of",
]

# Old names, for one version.
Plant = KinematicRobot
PlantArm = KinematicArm
