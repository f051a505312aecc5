"""Joints: where all arms are and what they were sent, from the binary messages of a server."""

import math
import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class JointStamps:
    """When the state of an arm was measured: seconds of the server's monotonic clock; None: unknown."""

    state_s: float | None
    """When the measured joints were received from the controller."""
    sent_s: float | None
    """When the newest setpoint was sent."""
    intent_s: float | None
    """When the sample of the intent was taken that it follows."""
    obeyed_s: float | None
    """When the first setpoint was sent that follows this intent."""


@dataclass(frozen=True)
class Joints:
    """Where all arms are, by the newest frame received."""

    time_s: float
    """When the oldest of what is in it was reported, of the server's monotonic clock."""
    measured: dict[str, tuple[float, ...]]
    """By robot/arm, radians or metres; NaN: not known."""
    sent: dict[str, tuple[float, ...]]
    """The newest setpoint that was really sent, of arms that still have to keep to one: not of one that its controller
    has stopped or runs a program on."""
    stamps: dict[str, JointStamps]
    """By robot/arm."""


def unpack_joints(frame: bytes, layout: tuple[tuple[str, int], ...]) -> Joints | None:
    """Return the joints in a binary message; None: it does not belong to this layout.

    Args:
        frame: Little-endian doubles, as described in `messages.operation`.
        layout: Arms (robot/arm) in their order, with their number of joints.
    """
    if not layout or len(frame) != 8 * (1 + sum(4 + 2 * dof for _, dof in layout)):
        return None
    values = struct.unpack(f"<{len(frame) // 8}d", frame)
    measured: dict[str, tuple[float, ...]] = {}
    sent: dict[str, tuple[float, ...]] = {}
    stamps: dict[str, JointStamps] = {}
    at = 1
    for key, dof in layout:
        stamps[key] = JointStamps(*(None if math.isnan(stamp) else stamp for stamp in values[at : at + 4]))
        measured[key] = values[at + 4 : at + 4 + dof]
        setpoint = values[at + 4 + dof : at + 4 + 2 * dof]
        if not any(map(math.isnan, setpoint)):
            sent[key] = setpoint
        at += 4 + 2 * dof
    return Joints(values[0], measured, sent, stamps)
