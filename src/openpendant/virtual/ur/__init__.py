"""The virtual controller of a Universal Robots arm: modes, safety, motion, IO, registers, dashboard, programs."""

from .controller import UrController
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
from .sockets_port import ClosedSockets, ScriptSockets, SocketState

__all__ = [
    "ClosedSockets",
    "ErrorCode",
    "Key",
    "MessageLog",
    "Popup",
    "ProgramLabel",
    "RuntimeException",
    "SafetyModeChange",
    "ScriptSockets",
    "SocketState",
    "Text",
    "UrController",
    "UrMessage",
]
