"""The messages between server and its clients: one definition, TypeScript generated from it.

In: nothing but values. Out: `msgspec` structs; JSON on REST and websocket alike.
"""

from .access import Me, NewPairing, NewSession, Pairing, Role, SessionInfo, SignedIn
from .calibration import FrameFound, FrameTouches, TcpFound, TcpTouches
from .intent import Axis, Intent, IntentFrame, JointIntent, PoseIntent, TwistIntent
from .library import DemoInfo, ExportedFile, MeshInfo, NewProject, ProjectInfo, Removed
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
    "Axis",
    "Branch",
    "DemoInfo",
    "ExportedFile",
    "Failed",
    "ForwardAnswer",
    "FrameFound",
    "FrameInfo",
    "FrameTouches",
    "Health",
    "Intent",
    "IntentFrame",
    "InverseAnswer",
    "JointInfo",
    "JointIntent",
    "Me",
    "MeshInfo",
    "NewPairing",
    "NewProject",
    "NewSession",
    "Pairing",
    "PlatformInfo",
    "Pose",
    "PoseIntent",
    "PostureInfo",
    "Problem",
    "ProjectInfo",
    "Question",
    "Reach",
    "Removed",
    "RobotInfo",
    "RobotSummary",
    "Role",
    "SessionInfo",
    "SignedIn",
    "Singularity",
    "SourceInfo",
    "TcpFound",
    "TcpTouches",
    "ToolInfo",
    "TwistIntent",
    "VendorPose",
    "Wire",
]
