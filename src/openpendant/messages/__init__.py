"""The messages between server and its clients: one definition, TypeScript generated from it.

In: nothing but values. Out: `msgspec` structs; JSON on REST and websocket alike.
"""

from .access import Me, NewPairing, NewSession, Pairing, Role, SessionInfo, SignedIn
from .calibration import FrameFound, FrameTouches, TcpFound, TcpTouches
from .intent import Axis, Intent, IntentFrame, JointIntent, PoseIntent, TwistIntent
from .kinds import ControllerEventKind, Deed, EventKind, Mode, ProbeCode, RobotEventKind, Safety
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
from .said import SaidMessage, decode_said, encode_said, speak_plainly, split_said
from .service import Health, Problem
from .wire import Wire

__all__ = [
    "Answer",
    "ArmInfo",
    "AskForward",
    "AskInverse",
    "Axis",
    "Branch",
    "ControllerEventKind",
    "Deed",
    "DemoInfo",
    "EventKind",
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
    "Mode",
    "NewPairing",
    "NewProject",
    "NewSession",
    "Pairing",
    "PlatformInfo",
    "Pose",
    "PoseIntent",
    "PostureInfo",
    "ProbeCode",
    "Problem",
    "ProjectInfo",
    "Question",
    "Reach",
    "Removed",
    "RobotEventKind",
    "RobotInfo",
    "RobotSummary",
    "Role",
    "Safety",
    "SaidMessage",
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
    "decode_said",
    "encode_said",
    "speak_plainly",
    "split_said",
]
