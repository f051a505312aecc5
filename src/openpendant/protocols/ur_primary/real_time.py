"""The real-time interface (port 30003): one packet of doubles per tick.

PolyScope 5.10 and later send 1220 bytes: an int32 size and 152 doubles (Client interfaces, "RealTime 5.10").
Modes and bits travel as doubles too. Metres, radians, seconds, newtons, degrees Celsius.
"""

import struct
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from openpendant.errors import InputError
from openpendant.protocols.error import ProtocolError

REAL_TIME_FIELDS = MappingProxyType(
    {
        "time": 1,
        "q_target": 6,
        "qd_target": 6,
        "qdd_target": 6,
        "current_target": 6,
        "moment_target": 6,
        "q_actual": 6,
        "qd_actual": 6,
        "current_actual": 6,
        "current_control": 6,
        "tcp_pose_actual": 6,
        "tcp_speed_actual": 6,
        "tcp_force": 6,
        "tcp_pose_target": 6,
        "tcp_speed_target": 6,
        "digital_input_bits": 1,
        "motor_temperatures": 6,
        "controller_timer": 1,
        "test_value": 1,
        "robot_mode": 1,
        "joint_modes": 6,
        "safety_mode": 1,
        "reserved_1": 6,
        "tool_accelerometer": 3,
        "reserved_2": 6,
        "speed_scaling": 1,
        "linear_momentum_norm": 1,
        "reserved_3": 1,
        "reserved_4": 1,
        "main_voltage": 1,
        "robot_voltage": 1,
        "robot_current": 1,
        "joint_voltages": 6,
        "digital_output_bits": 1,
        "program_state": 1,
        "elbow_position": 3,
        "elbow_velocity": 3,
        "safety_status": 1,
        "reserved_5": 3,
        "payload_mass": 1,
        "payload_cog": 3,
        "payload_inertia": 6,
    }
)
"""How many doubles each field has, in wire order."""

REAL_TIME_WIDTH = sum(REAL_TIME_FIELDS.values())
_PACKET = struct.Struct(f">i{REAL_TIME_WIDTH}d")
REAL_TIME_SIZE = _PACKET.size
"""Bytes of one packet, its size field included."""


def encode_real_time(flat: Sequence[float]) -> bytes:
    """Return the packet of these numbers: the fields of REAL_TIME_FIELDS laid flat, in that order.

    Raises:
        InputError: There are not exactly REAL_TIME_WIDTH numbers.
    """
    try:
        return _PACKET.pack(REAL_TIME_SIZE, *flat)
    except (struct.error, OverflowError) as fault:
        raise InputError(f"{len(flat)} values for a real-time packet of {REAL_TIME_WIDTH} numbers: {fault}") from None


def decode_real_time(packet: bytes) -> Mapping[str, float | tuple[float, ...]]:
    """Return the fields of one whole packet by name.

    Raises:
        ProtocolError: The packet is shorter than a 5.10 packet, or its size field has another length.
    """
    if len(packet) < REAL_TIME_SIZE:
        raise ProtocolError(f"a real-time packet of {len(packet)} bytes; it has at least {REAL_TIME_SIZE}")
    size, *flat = _PACKET.unpack_from(packet)
    if size != len(packet):
        raise ProtocolError(f"a real-time packet of {len(packet)} bytes that says it has {size}")
    fields: dict[str, float | tuple[float, ...]] = {}
    start = 0
    for name, count in REAL_TIME_FIELDS.items():
        fields[name] = flat[start] if count == 1 else tuple(flat[start : start + count])
        start += count
    return MappingProxyType(fields)
