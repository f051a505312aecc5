"""Robot state messages (type 16): a handful of sub-packages behind one header."""

from collections.abc import Iterable
from types import MappingProxyType

from openpendant.protocols.error import ProtocolError

from .framer import HEADER, encode_message
from .masterboard import MasterboardInfo
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
)

ROBOT_STATE = 16
"""Message type of a robot state."""

STATE_PACKAGES = MappingProxyType(
    {
        package.TYPE: package
        for package in (
            RobotModeInfo,
            JointData,
            ToolData,
            MasterboardInfo,
            CartesianInfo,
            KinematicsInfo,
            ConfigurationInfo,
            ForceModeInfo,
            AdditionalInfo,
            CalibrationInfo,
            SafetyInfo,
            ToolCommunicationInfo,
            ToolModeInfo,
            SingularityInfo,
        )
    }
)
"""Record of each sub-package by its type on the wire."""


def encode_robot_state(packages: Iterable[StatePackage | UnknownPackage]) -> bytes:
    """Return a whole robot state message of these sub-packages, in this order."""
    return encode_message(ROBOT_STATE, b"".join(package.encode() for package in packages))


def decode_robot_state(payload: bytes) -> tuple[StatePackage | UnknownPackage, ...]:
    """Read the bytes after a robot state's 5-byte header.

    Raises:
        ProtocolError: Sizes do not add up, or a sub-package is too short for its type.
    """
    packages: list[StatePackage | UnknownPackage] = []
    start = 0
    while start < len(payload):
        if len(payload) - start < HEADER.size:
            raise ProtocolError(f"a robot state with {len(payload) - start} stray bytes at its end")
        size, kind = HEADER.unpack_from(payload, start)
        if not HEADER.size <= size <= len(payload) - start:
            raise ProtocolError(f"a sub-package of {size} bytes; {len(payload) - start} are left in the message")
        body = payload[start + HEADER.size : start + size]
        known = STATE_PACKAGES.get(kind)
        packages.append(UnknownPackage(kind, body) if known is None else known.decode(body))
        start += size
    return tuple(packages)
