"""The virtual controller of a Universal Robots arm: modes, safety, motion, IO, registers, dashboard, programs.

    brain = UrController(ur_model("ur3e"), options=UrOptions(power=True))
    brain.run_script("movej([0, -1.57, 1.57, -1.57, -1.57, 0])")
    while brain.read("runtime_state") == RuntimeState.PLAYING:
        brain.tick()

In: scripts, dashboard lines, RTDE inputs, a person's hands. Out: RTDE variables, primary packages, messages. No socket
and no clock: one `tick()` is 2 ms. Metres, radians; poses in the controller's own base.
"""

from .body import Deviation
from .cell_watch import UrCell
from .controller import UrController
from .lag import Tracking
from .messages import (
    ErrorCode,
    Key,
    MessageLog,
    Popup,
    ProgramLabel,
    RuntimeException,
    SafetyModeChange,
    Text,
    UrMessage,
)
from .model import MODELS, Calibration, UrModel, ur_model
from .modes import JointMode, RobotMode, RobotStatusBit, RuntimeState, SafetyMode, SafetyStatusBit, ToolMode
from .options import UrOptions
from .sockets_port import ClosedSockets, ScriptSockets, SocketState

__all__ = [
    "MODELS",
    "Calibration",
    "ClosedSockets",
    "Deviation",
    "ErrorCode",
    "JointMode",
    "Key",
    "MessageLog",
    "Popup",
    "ProgramLabel",
    "RobotMode",
    "RobotStatusBit",
    "RuntimeException",
    "RuntimeState",
    "SafetyMode",
    "SafetyModeChange",
    "SafetyStatusBit",
    "ScriptSockets",
    "SocketState",
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
