"""The messages between server and its clients: one definition, TypeScript generated from it.

In: nothing but values. Out: `msgspec` structs; JSON on REST and websocket alike.
"""

from .access import Me, NewPairing, NewSession, Pairing, Role, SessionInfo, SignedIn
from .calibration import FrameFound, FrameTouches, TcpFound, TcpTouches
from .controller import ControllerCapabilities, RobotButton, RobotWindow
from .greeting import PROTOCOL, Greeting
from .intent import Axis, Intent, IntentFrame, JointIntent, PoseIntent, TwistIntent
from .kinds import ControllerEventKind, Deed, EventKind, Mode, OperatingMode, RobotEventKind, Safety
from .library import DemoInfo, ExportedFile, MeshInfo, NewProject, ProjectInfo, Removed
from .live import (
    Branch,
    Failed,
    ForwardReply,
    ForwardRequest,
    InverseReply,
    InverseRequest,
    KinematicsReply,
    KinematicsRequest,
    Singularity,
    VendorPose,
)
from .pose import Pose
from .robots import (
    ArmInfo,
    FrameInfo,
    JointInfo,
    PlatformInfo,
    PortsInfo,
    PostureInfo,
    Reach,
    RobotInfo,
    RobotSummary,
    SourceInfo,
    ToolInfo,
)
from .said import (
    SaidMessage,
    decode_said,
    decode_said_list,
    encode_said,
    speak_plainly,
    split_said,
    split_said_list,
)
from .samples import ArmSamples, SampleBatch, SampleRequest, SetpointOrigin
from .service import Health, Problem
from .snap import SnapBox, SnapRequest, SnapTouch
from .tools import ToolKind, ToolMeasure, ToolOrder
from .wire import Wire

__all__ = [
    "PROTOCOL",
    "ArmInfo",
    "ArmSamples",
    "Axis",
    "Branch",
    "ControllerCapabilities",
    "ControllerEventKind",
    "Deed",
    "DemoInfo",
    "EventKind",
    "ExportedFile",
    "Failed",
    "ForwardReply",
    "ForwardRequest",
    "FrameFound",
    "FrameInfo",
    "FrameTouches",
    "Greeting",
    "Health",
    "Intent",
    "IntentFrame",
    "InverseReply",
    "InverseRequest",
    "JointInfo",
    "JointIntent",
    "KinematicsReply",
    "KinematicsRequest",
    "Me",
    "MeshInfo",
    "Mode",
    "NewPairing",
    "NewProject",
    "NewSession",
    "OperatingMode",
    "Pairing",
    "PlatformInfo",
    "PortsInfo",
    "Pose",
    "PoseIntent",
    "PostureInfo",
    "Problem",
    "ProjectInfo",
    "Reach",
    "Removed",
    "RobotButton",
    "RobotEventKind",
    "RobotInfo",
    "RobotSummary",
    "RobotWindow",
    "Role",
    "Safety",
    "SaidMessage",
    "SampleBatch",
    "SampleRequest",
    "SessionInfo",
    "SetpointOrigin",
    "SignedIn",
    "Singularity",
    "SnapBox",
    "SnapRequest",
    "SnapTouch",
    "SourceInfo",
    "TcpFound",
    "TcpTouches",
    "ToolInfo",
    "ToolKind",
    "ToolMeasure",
    "ToolOrder",
    "TwistIntent",
    "VendorPose",
    "Wire",
    "decode_said",
    "decode_said_list",
    "encode_said",
    "speak_plainly",
    "split_said",
    "split_said_list",
]
