"""Robot messages (message type 20): events for the clients of the primary interface.

The version message opens every connection, on the secondary interface too. All share a head: uint64 time
stamp, int8 source, uint8 kind (Client interfaces, "Messages sent to primary clients").
"""

import struct
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import Any, ClassVar, Self

from openpendant.errors import InputError
from openpendant.protocols.error import ProtocolError

from .framer import encode_message

ROBOT_MESSAGE = 20
"""Message type of a robot message."""

NO_TIME = 0xFFFF_FFFF_FFFF_FFFF
"""Time stamp of a message that has none."""

_HEAD = struct.Struct(">QbB")


class MessageSource(IntEnum):
    """Who speaks: joints are 0 to 5."""

    TOOL = 6
    CONTROLLER = 7
    RTDE = 8
    ROBOT_INTERFACE = -2
    REAL_TIME_MACHINE = -3
    SIMULATED_ROBOT = -4
    GUI = -5
    SAFETY = 101


class ReportLevel(IntEnum):
    """How bad an error code is."""

    DEBUG = 0
    INFO = 1
    WARNING = 2
    VIOLATION = 3
    FAULT = 4


class RequestType(IntEnum):
    """Which kind of answer a popup or a request waits for."""

    BOOLEAN = 0
    INTEGER = 1
    FLOAT = 2
    STRING = 3
    POSE = 4
    JOINTS = 5
    WAYPOINT = 6
    EXPRESSION = 7
    NONE = 8


@dataclass(frozen=True, slots=True)
class RobotMessage(ABC):
    """What every robot message has. `timestamp_us`: controller time in microseconds, or NO_TIME."""

    timestamp_us: int
    source: int
    KIND: ClassVar[int]

    def encode(self) -> bytes:
        """Return the whole message. Raises InputError when a value does not fit its field."""
        try:
            return encode_message(ROBOT_MESSAGE, _HEAD.pack(self.timestamp_us, self.source, self.KIND) + self._body())
        except struct.error as fault:
            raise InputError(f"{self!r}: {fault}") from None

    @classmethod
    def decode(cls, timestamp_us: int, source: int, body: bytes) -> Self:
        """Read the bytes after the head. Raises ProtocolError when there are too few."""
        try:
            return cls(timestamp_us, source, *cls._parts(body))
        except (struct.error, IndexError):
            raise ProtocolError(f"a {cls.__name__} that ends too early: {len(body)} bytes") from None

    @abstractmethod
    def _body(self) -> bytes: ...

    @classmethod
    @abstractmethod
    def _parts(cls, body: bytes) -> tuple[Any, ...]: ...


@dataclass(frozen=True, slots=True)
class ProgramTextMessage(RobotMessage):
    """Words of a program (`textmsg`)."""

    text: str
    KIND: ClassVar[int] = 0

    def _body(self) -> bytes:
        return self.text.encode()

    @classmethod
    def _parts(cls, body: bytes) -> tuple[str]:
        return (_text(body),)


@dataclass(frozen=True, slots=True)
class ProgramLabelMessage(RobotMessage):
    """The program reached this label."""

    id: int
    text: str
    KIND: ClassVar[int] = 1

    def _body(self) -> bytes:
        return struct.pack(">i", self.id) + self.text.encode()

    @classmethod
    def _parts(cls, body: bytes) -> tuple[int, str]:
        return struct.unpack_from(">i", body)[0], _text(body[4:])


@dataclass(frozen=True, slots=True)
class PopupMessage(RobotMessage):
    """A window for the person at the pendant."""

    request_id: int
    request_type: int
    warning: bool
    error: bool
    blocking: bool
    title: str
    text: str
    KIND: ClassVar[int] = 2
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct(">II???")

    def _body(self) -> bytes:
        head = self._LAYOUT.pack(self.request_id, self.request_type, self.warning, self.error, self.blocking)
        return head + _counted(self.title) + self.text.encode()

    @classmethod
    def _parts(cls, body: bytes) -> tuple[Any, ...]:
        title, text = _titled(body[cls._LAYOUT.size :])
        return *cls._LAYOUT.unpack_from(body), title, text


@dataclass(frozen=True, slots=True)
class VersionMessage(RobotMessage):
    """The controller's software. First message of every connection."""

    project: str
    major: int
    minor: int
    bugfix: int
    build: int
    build_date: str
    KIND: ClassVar[int] = 3
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct(">BBii")

    def _body(self) -> bytes:
        numbers = self._LAYOUT.pack(self.major, self.minor, self.bugfix, self.build)
        return _counted(self.project) + numbers + self.build_date.encode()

    @classmethod
    def _parts(cls, body: bytes) -> tuple[Any, ...]:
        end = 1 + body[0]
        return _text(body[1:end]), *cls._LAYOUT.unpack_from(body, end), _text(body[end + cls._LAYOUT.size :])


@dataclass(frozen=True, slots=True)
class SafetyModeMessage(RobotMessage):
    """The safety system changed its mode."""

    code: int
    argument: int
    safety_mode: int
    report_data_type: int = 0
    report_data: int = 0
    KIND: ClassVar[int] = 5
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct(">iiBII")

    def _body(self) -> bytes:
        return self._LAYOUT.pack(self.code, self.argument, self.safety_mode, self.report_data_type, self.report_data)

    @classmethod
    def _parts(cls, body: bytes) -> tuple[Any, ...]:
        return cls._LAYOUT.unpack_from(body)


@dataclass(frozen=True, slots=True)
class ErrorCodeMessage(RobotMessage):
    """An error of the maker's list, shown as C<code>A<argument>."""

    code: int
    argument: int
    level: int
    data_type: int = 0
    data: int = 0
    text: str = ""
    KIND: ClassVar[int] = 6
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct(">iiiII")

    def _body(self) -> bytes:
        return self._LAYOUT.pack(self.code, self.argument, self.level, self.data_type, self.data) + self.text.encode()

    @classmethod
    def _parts(cls, body: bytes) -> tuple[Any, ...]:
        return *cls._LAYOUT.unpack_from(body), _text(body[cls._LAYOUT.size :])


@dataclass(frozen=True, slots=True)
class KeyMessage(RobotMessage):
    """A turn of a program's life: title as PROGRAM_XXX_STARTED or PROGRAM_XXX_STOPPED, text its name."""

    code: int
    argument: int
    title: str
    text: str
    KIND: ClassVar[int] = 7

    def _body(self) -> bytes:
        return struct.pack(">ii", self.code, self.argument) + _counted(self.title) + self.text.encode()

    @classmethod
    def _parts(cls, body: bytes) -> tuple[Any, ...]:
        return *struct.unpack_from(">ii", body), *_titled(body[8:])


@dataclass(frozen=True, slots=True)
class RequestValueMessage(RobotMessage):
    """A program asks the person at the pendant for a value."""

    request_id: int
    request_type: int
    text: str
    KIND: ClassVar[int] = 9

    def _body(self) -> bytes:
        return struct.pack(">II", self.request_id, self.request_type) + self.text.encode()

    @classmethod
    def _parts(cls, body: bytes) -> tuple[Any, ...]:
        return *struct.unpack_from(">II", body), _text(body[8:])


@dataclass(frozen=True, slots=True)
class RuntimeExceptionMessage(RobotMessage):
    """A program failed at this line and column of its text."""

    line: int
    column: int
    text: str
    KIND: ClassVar[int] = 10

    def _body(self) -> bytes:
        return struct.pack(">ii", self.line, self.column) + self.text.encode()

    @classmethod
    def _parts(cls, body: bytes) -> tuple[Any, ...]:
        return *struct.unpack_from(">ii", body), _text(body[8:])


@dataclass(frozen=True, slots=True)
class UnknownRobotMessage:
    """A robot message of a kind that is not listed here."""

    timestamp_us: int
    source: int
    kind: int
    body: bytes = field(repr=False)

    def encode(self) -> bytes:
        """Return the whole message."""
        return encode_message(ROBOT_MESSAGE, _HEAD.pack(self.timestamp_us, self.source, self.kind) + self.body)


MESSAGE_KINDS = MappingProxyType(
    {
        message.KIND: message
        for message in (
            ProgramTextMessage,
            ProgramLabelMessage,
            PopupMessage,
            VersionMessage,
            SafetyModeMessage,
            ErrorCodeMessage,
            KeyMessage,
            RequestValueMessage,
            RuntimeExceptionMessage,
        )
    }
)
"""Record of each robot message by its kind on the wire."""


def decode_robot_message(payload: bytes) -> RobotMessage | UnknownRobotMessage:
    """Read the bytes after a robot message's 5-byte header.

    Raises:
        ProtocolError: The message ends too early.
    """
    if len(payload) < _HEAD.size:
        raise ProtocolError(f"a robot message of {len(payload)} bytes; its head alone has {_HEAD.size}")
    timestamp_us, source, kind = _HEAD.unpack_from(payload)
    body = payload[_HEAD.size :]
    known = MESSAGE_KINDS.get(kind)
    if known is None:
        return UnknownRobotMessage(timestamp_us, source, kind, body)
    return known.decode(timestamp_us, source, body)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _counted(text: str) -> bytes:
    # The length is one byte; cut between characters, half of one would not decode.
    raw = text.encode()[:255].decode("utf-8", "ignore").encode()
    return bytes((len(raw),)) + raw


def _titled(raw: bytes) -> tuple[str, str]:
    end = 1 + raw[0]
    return _text(raw[1:end]), _text(raw[end:])
