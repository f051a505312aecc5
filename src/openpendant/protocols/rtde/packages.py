"""The packages of RTDE, one record per package and direction, with their bytes.

"Request" travels from client to controller, "reply" from controller to client. Payloads are big-endian
(RTDE guide, "Package types"). `encode` gives a whole package with its header, `decode` takes a payload.
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Self

from openpendant.protocols.error import ProtocolError

HEADER = struct.Struct(">HB")
HEADER_SIZE = HEADER.size
MAX_PACKAGE_SIZE = 0xFFFF


class PackageType(IntEnum):
    """The letter that identifies the kind of a package."""

    REQUEST_PROTOCOL_VERSION = ord("V")
    GET_CONTROLLER_VERSION = ord("v")
    TEXT_MESSAGE = ord("M")
    DATA = ord("U")
    SETUP_OUTPUTS = ord("O")
    SETUP_INPUTS = ord("I")
    START = ord("S")
    PAUSE = ord("P")


class MessageLevel(IntEnum):
    """How bad the news of a text message is."""

    EXCEPTION = 0
    ERROR = 1
    WARNING = 2
    INFO = 3


def encode_package(kind: PackageType, payload: bytes = b"") -> bytes:
    """Return a package: its size in bytes (uint16, header included), its type, its payload.

    Raises:
        ProtocolError: The payload is too long for a uint16 size.
    """
    size = HEADER_SIZE + len(payload)
    if size > MAX_PACKAGE_SIZE:
        raise ProtocolError(f"an RTDE package of {size} bytes; at most {MAX_PACKAGE_SIZE} fit")
    return HEADER.pack(size, kind) + payload


def split_list(payload: bytes) -> tuple[str, ...]:
    """Return the entries of a comma list. A trailing comma adds no entry, as some clients send one."""
    text = payload.decode("ascii", "replace")
    if not text:
        return ()
    entries = text.split(",")
    if not entries[-1]:
        entries.pop()
    return tuple(entries)


def _join(entries: Iterable[str]) -> bytes:
    return ",".join(entries).encode("ascii", "replace")


def _unpack(what: str, layout: struct.Struct, payload: bytes) -> tuple[int, ...]:
    if len(payload) != layout.size:
        raise ProtocolError(f"{what} with a payload of {len(payload)} bytes; it has {layout.size}")
    return layout.unpack(payload)


@dataclass(frozen=True, slots=True)
class _Empty:
    """A package that says all with its type."""

    KIND: ClassVar[PackageType]

    def encode(self) -> bytes:
        """Return the whole package."""
        return encode_package(self.KIND)


@dataclass(frozen=True, slots=True)
class _AcceptedPackage:
    """An answer of one byte: 1 accepted, 0 refused."""

    accepted: bool
    KIND: ClassVar[PackageType]
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct(">B")

    def encode(self) -> bytes:
        """Return the whole package."""
        return encode_package(self.KIND, self._LAYOUT.pack(self.accepted))

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Read a payload; raises ProtocolError on a wrong length."""
        (accepted,) = _unpack(cls.__name__, cls._LAYOUT, payload)
        return cls(accepted != 0)


class GetVersionRequest(_Empty):
    """Ask which controller software this is."""

    KIND = PackageType.GET_CONTROLLER_VERSION


class StartRequest(_Empty):
    """Ask for the data to flow."""

    KIND = PackageType.START


class PauseRequest(_Empty):
    """Ask for the data to stop."""

    KIND = PackageType.PAUSE


class ProtocolVersionReply(_AcceptedPackage):
    """Whether the controller will speak the version asked for."""

    KIND = PackageType.REQUEST_PROTOCOL_VERSION


class StartReply(_AcceptedPackage):
    """Whether data will flow."""

    KIND = PackageType.START


class PauseReply(_AcceptedPackage):
    """Whether data have stopped."""

    KIND = PackageType.PAUSE


@dataclass(frozen=True, slots=True)
class ProtocolVersionRequest:
    """Ask to speak this protocol version (1 or 2)."""

    version: int
    KIND: ClassVar[PackageType] = PackageType.REQUEST_PROTOCOL_VERSION
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct(">H")

    def encode(self) -> bytes:
        """Return the whole package."""
        return encode_package(self.KIND, self._LAYOUT.pack(self.version))

    @classmethod
    def decode(cls, payload: bytes) -> "ProtocolVersionRequest":
        """Read a payload; raises ProtocolError on a wrong length."""
        (version,) = _unpack("a request for a protocol version", cls._LAYOUT, payload)
        return cls(version)


@dataclass(frozen=True, slots=True, order=True)
class ControllerVersion:
    """The controller's software version, and the reply to `GetVersionRequest`."""

    major: int
    minor: int
    bugfix: int
    build: int
    KIND: ClassVar[PackageType] = PackageType.GET_CONTROLLER_VERSION
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct(">4I")

    def encode(self) -> bytes:
        """Return the whole package."""
        return encode_package(self.KIND, self._LAYOUT.pack(self.major, self.minor, self.bugfix, self.build))

    @classmethod
    def decode(cls, payload: bytes) -> "ControllerVersion":
        """Read a payload; raises ProtocolError on a wrong length."""
        return cls(*_unpack("a controller version", cls._LAYOUT, payload))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.bugfix}.{self.build}"


@dataclass(frozen=True, slots=True)
class SetupOutputsRequest:
    """Request these variables, in this order, at a rate in Hz.

    Protocol 1 has no frequency: None there (the controller then sends at 125 Hz).
    """

    names: tuple[str, ...]
    frequency_hz: float | None
    KIND: ClassVar[PackageType] = PackageType.SETUP_OUTPUTS
    _FREQUENCY: ClassVar[struct.Struct] = struct.Struct(">d")

    def encode(self) -> bytes:
        """Return the whole package."""
        head = b"" if self.frequency_hz is None else self._FREQUENCY.pack(self.frequency_hz)
        return encode_package(self.KIND, head + _join(self.names))

    @classmethod
    def decode(cls, payload: bytes, protocol: int = 2) -> "SetupOutputsRequest":
        """Read a payload; raises ProtocolError when it is too short for a frequency."""
        if protocol == 1:
            return cls(split_list(payload), None)
        if len(payload) < cls._FREQUENCY.size:
            raise ProtocolError(f"a set-up of outputs with {len(payload)} bytes; the frequency alone has 8")
        (frequency_hz,) = cls._FREQUENCY.unpack_from(payload)
        return cls(split_list(payload[cls._FREQUENCY.size :]), frequency_hz)


@dataclass(frozen=True, slots=True)
class SetupOutputsReply:
    """The type of each variable asked for, or NOT_FOUND. Recipe 0: refused; None: protocol 1 has no id."""

    recipe_id: int | None
    types: tuple[str, ...]
    KIND: ClassVar[PackageType] = PackageType.SETUP_OUTPUTS

    def encode(self) -> bytes:
        """Return the whole package."""
        head = b"" if self.recipe_id is None else bytes((self.recipe_id,))
        return encode_package(self.KIND, head + _join(self.types))

    @classmethod
    def decode(cls, payload: bytes, protocol: int = 2) -> "SetupOutputsReply":
        """Read a payload; raises ProtocolError when it is empty."""
        if protocol == 1:
            return cls(None, split_list(payload))
        if not payload:
            raise ProtocolError("an empty reply to a set-up of outputs; it has a recipe id and a list")
        return cls(payload[0], split_list(payload[1:]))


@dataclass(frozen=True, slots=True)
class SetupInputsRequest:
    """Say which variables packages of one recipe will write, in this order."""

    names: tuple[str, ...]
    KIND: ClassVar[PackageType] = PackageType.SETUP_INPUTS

    def encode(self) -> bytes:
        """Return the whole package."""
        return encode_package(self.KIND, _join(self.names))

    @classmethod
    def decode(cls, payload: bytes) -> "SetupInputsRequest":
        """Read a payload."""
        return cls(split_list(payload))


@dataclass(frozen=True, slots=True)
class SetupInputsReply:
    """The type of each input, or NOT_FOUND, or IN_USE. Recipe 0: refused."""

    recipe_id: int
    types: tuple[str, ...]
    KIND: ClassVar[PackageType] = PackageType.SETUP_INPUTS

    def encode(self) -> bytes:
        """Return the whole package."""
        return encode_package(self.KIND, bytes((self.recipe_id,)) + _join(self.types))

    @classmethod
    def decode(cls, payload: bytes) -> "SetupInputsReply":
        """Read a payload; raises ProtocolError when it is empty."""
        if not payload:
            raise ProtocolError("an empty reply to a set-up of inputs; it has a recipe id and a list")
        return cls(payload[0], split_list(payload[1:]))


@dataclass(frozen=True, slots=True)
class TextMessage:
    """Words from one end to the other."""

    text: str
    source: str
    level: MessageLevel
    KIND: ClassVar[PackageType] = PackageType.TEXT_MESSAGE

    def encode(self, protocol: int = 2) -> bytes:
        """Return the whole package. Text and source are cut to 255 bytes, the most that a length byte can express."""
        text, source = _cut(self.text), _cut(self.source)
        if protocol == 1:
            return encode_package(self.KIND, bytes((self.level,)) + text)
        lengths = (bytes((len(text),)), bytes((len(source),)))
        return encode_package(self.KIND, lengths[0] + text + lengths[1] + source + bytes((self.level,)))

    @classmethod
    def decode(cls, payload: bytes, protocol: int = 2) -> "TextMessage":
        """Read a payload; raises ProtocolError when its parts do not add up or the level is unknown."""
        if protocol == 1:
            if not payload:
                raise ProtocolError("an empty text message; it has a level")
            return cls(payload[1:].decode("utf-8", "replace"), "", _level(payload[0]))
        text, rest = _counted(payload)
        source, rest = _counted(rest)
        if len(rest) != 1:
            raise ProtocolError(f"a text message with {len(rest)} bytes after its source; it has one, the level")
        return cls(text, source, _level(rest[0]))


def _cut(text: str) -> bytes:
    # Cut between characters: half of one would not decode.
    return text.encode()[:255].decode("utf-8", "ignore").encode()


def _counted(payload: bytes) -> tuple[str, bytes]:
    if not payload or len(payload) < 1 + payload[0]:
        raise ProtocolError("a text message that ends inside its text")
    end = 1 + payload[0]
    return payload[1:end].decode("utf-8", "replace"), payload[end:]


def _level(number: int) -> MessageLevel:
    try:
        return MessageLevel(number)
    except ValueError:
        raise ProtocolError(f"a text message of level {number}; levels are 0 to 3") from None
