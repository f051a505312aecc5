"""Primary, secondary and real-time interface of Universal Robots controllers (ports 30001, 30002, 30003).

Out: a version message, then robot states (sub-packages, ten a second) and robot messages; on 30003 one packet of
doubles per tick. In: scripts. Records encode to and decode from bytes; `MessageFramer` and `ScriptSplitter` cut
streams. Layouts of PolyScope 5.10 and later.
"""

from .framer import MAX_MESSAGE_SIZE, MessageFramer, encode_message
from .layout import FieldValue, Layout
from .masterboard import Euromap67, MasterboardInfo
from .messages import (
    MESSAGE_KINDS,
    NO_TIME,
    ROBOT_MESSAGE,
    ErrorCodeMessage,
    KeyMessage,
    MessageSource,
    PopupMessage,
    ProgramLabelMessage,
    ProgramTextMessage,
    ReportLevel,
    RequestType,
    RequestValueMessage,
    RobotMessage,
    RuntimeExceptionMessage,
    SafetyModeMessage,
    UnknownRobotMessage,
    VersionMessage,
    decode_robot_message,
)
from .real_time import REAL_TIME_FIELDS, REAL_TIME_SIZE, REAL_TIME_WIDTH, decode_real_time, encode_real_time
from .robot_state import ROBOT_STATE, STATE_PACKAGES, decode_robot_state, encode_robot_state
from .scripts import ScriptSplitter
from .state import (
    AdditionalInfo,
    CalibrationInfo,
    CartesianInfo,
    ConfigurationInfo,
    ForceModeInfo,
    JointData,
    KinematicsInfo,
    RobotModeInfo,
    SafetyInfo,
    SingularityInfo,
    StatePackage,
    ToolCommunicationInfo,
    ToolData,
    ToolModeInfo,
    UnknownPackage,
    Vector3,
    Vector6,
    Words6,
)

__all__ = [
    "MAX_MESSAGE_SIZE",
    "MESSAGE_KINDS",
    "NO_TIME",
    "REAL_TIME_FIELDS",
    "REAL_TIME_SIZE",
    "REAL_TIME_WIDTH",
    "ROBOT_MESSAGE",
    "ROBOT_STATE",
    "STATE_PACKAGES",
    "AdditionalInfo",
    "CalibrationInfo",
    "CartesianInfo",
    "ConfigurationInfo",
    "ErrorCodeMessage",
    "Euromap67",
    "FieldValue",
    "ForceModeInfo",
    "JointData",
    "JointInfo",
    "KeyMessage",
    "KinematicsInfo",
    "Layout",
    "MasterboardInfo",
    "MessageFramer",
    "MessageSource",
    "PopupMessage",
    "ProgramLabelMessage",
    "ProgramTextMessage",
    "ReportLevel",
    "RequestType",
    "RequestValueMessage",
    "RobotMessage",
    "RobotModeInfo",
    "RuntimeExceptionMessage",
    "SafetyInfo",
    "SafetyModeMessage",
    "ScriptSplitter",
    "SingularityInfo",
    "StatePackage",
    "TextMessage",
    "ToolCommunicationInfo",
    "ToolData",
    "ToolInfo",
    "ToolModeInfo",
    "UnknownPackage",
    "UnknownRobotMessage",
    "Vector3",
    "Vector6",
    "VersionMessage",
    "Words6",
    "decode_real_time",
    "decode_robot_message",
    "decode_robot_state",
    "encode_message",
    "encode_real_time",
    "encode_robot_state",
]

# Old names, for one version.
JointInfo = JointData
ToolInfo = ToolData
TextMessage = ProgramTextMessage
