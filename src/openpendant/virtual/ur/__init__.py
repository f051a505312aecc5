"""The virtual controller of a Universal Robots arm: modes, safety, motion, IO, registers, dashboard, programs.

    brain = UrController(ur_model("ur3e"), options=UrOptions(power=True))
    brain.run_script("movej([0, -1.57, 1.57, -1.57, -1.57, 0])")
    while brain.read("runtime_state") == RuntimeState.PLAYING:
        brain.tick()

In: scripts, dashboard lines, RTDE inputs, a person's hands. Out: RTDE variables, primary packages, messages. No socket
and no clock: one `tick()` is 2 ms. Metres, radians; poses in the controller's own base.
"""

from openpendant.virtual.arm import ArmCell as UrCell
from openpendant.virtual.arm import Tracking
from openpendant.virtual.wire import ClosedSockets, ProgramSockets, SocketState

from .body import Deviation
from .controller import UrController
from .messages import (
    ErrorCode,
    Key,
    MessageLog,
    Note,
    Popup,
    ProgramLabel,
    RuntimeException,
    SafetyModeChange,
    Text,
    UrMessage,
)
from .model import MODELS, SpecimenCalibration, UrModel, ur_model
from .modes import JointMode, RobotMode, RobotStatusBit, RuntimeState, SafetyMode, SafetyStatusBit, ToolMode
from .options import UrOptions

__all__ = [
    "MODELS",
    "ClosedSockets",
    "Deviation",
    "ErrorCode",
    "JointMode",
    "Key",
    "MessageLog",
    "Note",
    "Popup",
    "ProgramLabel",
    "ProgramSockets",
    "RobotMode",
    "RobotStatusBit",
    "RuntimeException",
    "RuntimeState",
    "SafetyMode",
    "SafetyModeChange",
    "SafetyStatusBit",
    "SocketState",
    "SpecimenCalibration",
    "Text",
    "ToolMode",
    "Tracking",
    "UrCell",
    "UrController",
    "UrMessage",
    "UrModel",
    "UrOptions",
    "ur_model",
]
