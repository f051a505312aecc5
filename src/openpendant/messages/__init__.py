"""The messages between server and its clients: one definition, TypeScript generated from it.

In: nothing but values. Out: `msgspec` structs; JSON on REST and websocket alike.
"""

from .live import (
    Answer,
    AskForward,
    AskInverse,
    Branch,
    Failed,
    ForwardAnswer,
    InverseAnswer,
    Question,
    Singularity,
    VendorPose,
)
from .pose import Pose
from .robots import (
    ArmInfo,
    FrameInfo,
    JointInfo,
    PlatformInfo,
    PostureInfo,
    Reach,
    RobotInfo,
    RobotSummary,
    SourceInfo,
    ToolInfo,
)
from .service import Health, Problem
from .wire import Wire

__all__ = [
    "Answer",
    "ArmInfo",
    "AskForward",
    "AskInverse",
    "Branch",
    "Failed",
    "ForwardAnswer",
    "FrameInfo",
    "Health",
    "InverseAnswer",
    "JointInfo",
    "PlatformInfo",
    "Pose",
    "PostureInfo",
    "Problem",
    "Question",
    "Reach",
    "RobotInfo",
    "RobotSummary",
    "Singularity",
    "SourceInfo",
    "ToolInfo",
    "VendorPose",
    "Wire",
]
