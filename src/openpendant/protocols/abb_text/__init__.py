"""Text messages by which a PC has an ABB arm check and make moves, one connection each (TCP port 5000).

`parse_request` and `encode_request` are the two ends of a request, `encode_joints`, `parse_reply` of its reply. Angles
are degrees and places millimetres, as on the wire; the stream of joints (UDP port 7000) has the form of the reply.
"""

from .replies import (
    DONE,
    FAILED,
    INITIALISED,
    PAUSED,
    RESUMED,
    JointReply,
    ProgressReply,
    Reply,
    encode_joints,
    encode_reply,
    parse_reply,
)
from .requests import (
    LONGEST,
    PRECISIONS,
    SPEEDS,
    CheckJoints,
    CheckPose,
    Initialise,
    MoveToJoints,
    MoveToPose,
    PauseMotionRequest,
    Request,
    ResumeMotionRequest,
    SetToolRequest,
    TargetPose,
    encode_request,
    parse_request,
)

__all__ = [
    "DONE",
    "FAILED",
    "INITIALISED",
    "LONGEST",
    "PAUSED",
    "PRECISIONS",
    "RESUMED",
    "SPEEDS",
    "CheckJoints",
    "CheckPose",
    "Initialise",
    "JointReply",
    "MoveToJoints",
    "MoveToPose",
    "PauseMotionRequest",
    "ProgressReply",
    "Reply",
    "Request",
    "ResumeMotionRequest",
    "SetToolRequest",
    "TargetPose",
    "encode_joints",
    "encode_reply",
    "encode_request",
    "parse_reply",
    "parse_request",
]
