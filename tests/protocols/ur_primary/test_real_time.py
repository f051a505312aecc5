"""The packet of the real-time interface, byte for byte, and as a third-party client reads it."""

import struct

import pytest
from urx.urrtmon import URRTMonitor

from openpendant.errors import InputError
from openpendant.protocols import ProtocolError
from openpendant.protocols.ur_primary import (
    REAL_TIME_FIELDS,
    REAL_TIME_SIZE,
    REAL_TIME_WIDTH,
    decode_real_time,
    encode_real_time,
)

NUMBERS = [float(i) for i in range(1, REAL_TIME_WIDTH + 1)]
PACKET = encode_real_time(NUMBERS)

# Column of the first number of each field, counted from 1 as the maker's table does.
COLUMNS = {
    "time": 1,
    "q_target": 2,
    "qd_target": 8,
    "qdd_target": 14,
    "current_target": 20,
    "moment_target": 26,
    "q_actual": 32,
    "qd_actual": 38,
    "current_actual": 44,
    "current_control": 50,
    "tcp_pose_actual": 56,
    "tcp_speed_actual": 62,
    "tcp_force": 68,
    "tcp_pose_target": 74,
    "tcp_speed_target": 80,
    "digital_input_bits": 86,
    "motor_temperatures": 87,
    "controller_timer": 93,
    "test_value": 94,
    "robot_mode": 95,
    "joint_modes": 96,
    "safety_mode": 102,
    "tool_accelerometer": 109,
    "speed_scaling": 118,
    "linear_momentum_norm": 119,
    "main_voltage": 122,
    "robot_voltage": 123,
    "robot_current": 124,
    "joint_voltages": 125,
    "digital_output_bits": 131,
    "program_state": 132,
    "elbow_position": 133,
    "elbow_velocity": 136,
    "safety_status": 139,
    "payload_mass": 143,
    "payload_cog": 144,
    "payload_inertia": 147,
}


def test_the_packet_has_1220_bytes():
    assert (REAL_TIME_SIZE, REAL_TIME_WIDTH) == (1220, 152)
    assert bytes.fromhex("000004c4") + struct.pack(">152d", *range(1, 153)) == PACKET


def test_fields_lie_where_the_table_of_the_maker_has_them():
    fields = decode_real_time(PACKET)
    assert set(fields) == set(REAL_TIME_FIELDS)
    for name, column in COLUMNS.items():
        count = REAL_TIME_FIELDS[name]
        expected = tuple(float(column + i) for i in range(count))
        assert fields[name] == (expected if count > 1 else expected[0]), name
    assert set(REAL_TIME_FIELDS) - set(COLUMNS) == {f"reserved_{i}" for i in range(1, 6)}


def test_wrong_lengths_are_named():
    with pytest.raises(InputError, match="151 values"):
        encode_real_time(NUMBERS[1:])
    with pytest.raises(ProtocolError, match="1219 bytes; it has at least 1220"):
        decode_real_time(PACKET[:-1])
    with pytest.raises(ProtocolError, match="1221 bytes that says it has 1220"):
        decode_real_time(PACKET + b"\x00")


class Wire:
    """As much of a socket as urx reads from."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def recv(self, count: int) -> bytes:
        taken, self.data = self.data[:count], self.data[count:]
        return taken


@pytest.mark.filterwarnings("ignore:notifyAll:DeprecationWarning")
def test_urx_reads_the_packet():
    monitor = URRTMonitor("localhost")
    monitor._rtSock.close()
    monitor._rtSock = Wire(PACKET * 2)
    for _ in range(2):
        monitor._URRTMonitor__recv_rt_data()
    assert monitor._rtSock.data == b""
    fields = decode_real_time(PACKET)
    read = monitor.get_all_data(wait=False)
    assert read["ctrltimestamp"] == fields["time"]
    assert tuple(read["qActual"]) == fields["q_actual"]
    assert tuple(read["qTarget"]) == fields["q_target"]
    assert tuple(read["tcp_force"]) == fields["tcp_force"]
    assert tuple(read["tcp"]) == fields["tcp_pose_target"]
