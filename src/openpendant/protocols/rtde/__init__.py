"""RTDE, Universal Robots' real-time data exchange (port 30004): packages, recipes, sessions.

Bytes go into a `ServerSession` (the controller's side) or a `ClientSession`; events come out. `VARIABLES` lists
what an e-Series controller offers. Values are what the wire carries: metres, radians, seconds, bits.
"""

from .client import (
    ClientEvent,
    ClientSession,
    InputsAgreed,
    OutputsAgreed,
    PauseReplied,
    ProtocolReplied,
    RecipeRefused,
    StartReplied,
    StateReceived,
    VersionReceived,
)
from .events import Closed, Event, InputsReceived, InputsSetUp, OutputsSetUp, Paused, Started, TextReceived
from .framer import Framer
from .packages import (
    HEADER_SIZE,
    MAX_PACKAGE_SIZE,
    ControllerVersion,
    GetVersionRequest,
    MessageLevel,
    PackageType,
    PauseReply,
    PauseRequest,
    ProtocolVersionReply,
    ProtocolVersionRequest,
    SetupInputsReply,
    SetupInputsRequest,
    SetupOutputsReply,
    SetupOutputsRequest,
    StartReply,
    StartRequest,
    TextMessage,
    encode_package,
    split_list,
)
from .recipes import Recipe
from .registry import InputRegistry
from .session import DEFAULT_VERSION, MAX_FREQUENCY_HZ, MAX_NAMES_SIZE, MIN_FREQUENCY_HZ, PROTOCOLS, ServerSession
from .variables import VARIABLES, Direction, Variable
from .wire_types import IN_USE, NOT_FOUND, WIRE_TYPES, Value, WireType

__all__ = [
    "DEFAULT_VERSION",
    "HEADER_SIZE",
    "IN_USE",
    "MAX_FREQUENCY_HZ",
    "MAX_NAMES_SIZE",
    "MAX_PACKAGE_SIZE",
    "MIN_FREQUENCY_HZ",
    "NOT_FOUND",
    "PROTOCOLS",
    "VARIABLES",
    "WIRE_TYPES",
    "ClientEvent",
    "ClientSession",
    "Closed",
    "ControllerVersion",
    "Direction",
    "Event",
    "Framer",
    "GetVersionRequest",
    "InputRegistry",
    "InputsAgreed",
    "InputsReceived",
    "InputsSetUp",
    "MessageLevel",
    "OutputsAgreed",
    "OutputsSetUp",
    "PackageType",
    "PauseReplied",
    "PauseReply",
    "PauseRequest",
    "Paused",
    "ProtocolReplied",
    "ProtocolVersionReply",
    "ProtocolVersionRequest",
    "Recipe",
    "RecipeRefused",
    "ServerSession",
    "SetupInputsReply",
    "SetupInputsRequest",
    "SetupOutputsReply",
    "SetupOutputsRequest",
    "StartReplied",
    "StartReply",
    "StartRequest",
    "Started",
    "StateReceived",
    "TextMessage",
    "TextReceived",
    "Value",
    "Variable",
    "VersionReceived",
    "WireType",
    "encode_package",
    "split_list",
]
