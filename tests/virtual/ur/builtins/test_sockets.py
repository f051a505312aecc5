"""Sockets of URScript programs: to a server of ours, to nobody, and never in the controller's way."""

import socket
import struct
from collections.abc import Iterator

import pytest
from waiting import wait_until

from openpendant.virtual.launch import VirtualHandle, start_virtual

PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", "127.0.10.20") as robot:
        yield robot


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        yield server


def run(robot: VirtualHandle, *lines: str) -> None:
    body = "\n".join(f"  {line}" for line in lines)
    robot.control("script", text=f"def talk():\n{body}\nend\n")


def port_of(server: socket.socket) -> int:
    return int(server.getsockname()[1])


def accept(server: socket.socket) -> socket.socket:
    own, _ = server.accept()
    own.settimeout(PATIENCE_S)
    return own


def read(robot: VirtualHandle, name: str) -> float:
    return float(robot.read(name)[name])


def test_strings_go_and_come(robot: VirtualHandle, server: socket.socket):
    run(
        robot,
        f'ok = socket_open("127.0.0.1", {port_of(server)}, "srv")',
        "write_output_boolean_register(64, ok)",
        'socket_send_line("hello", "srv")',
        'answer = socket_read_line("srv", 10)',
        'socket_send_string(answer + "!", "srv")',
        'socket_close("srv")',
    )
    with accept(server) as peer, peer.makefile("rb") as lines:
        assert lines.readline() == b"hello\n"
        peer.sendall(b"world\n")
        assert lines.read() == b"world!"


def test_numbers_go_and_come(robot: VirtualHandle, server: socket.socket):
    run(
        robot,
        f'socket_open("localhost", {port_of(server)})',
        "socket_send_int(-5)",
        "socket_send_byte(65)",
        "v = socket_read_ascii_float(3, timeout=10)",
        "write_output_float_register(10, v[0])",
        "write_output_float_register(11, v[3])",
        "b = socket_read_byte_list(2, timeout=10)",
        "write_output_integer_register(10, b[2])",
        "i = socket_read_binary_integer(1, timeout=10)",
        "write_output_integer_register(11, i[1])",
    )
    with accept(server) as peer:
        got = b""
        while len(got) < 5:
            got += peer.recv(16)
        assert got == struct.pack(">i", -5) + b"A"
        peer.sendall(b"(1.5, 2.5, 3.5)")
        wait_until(lambda: read(robot, "output_double_register_11") == 3.5, "the floats")
        assert read(robot, "output_double_register_10") == 3.0
        peer.sendall(b"\x01\x02")
        wait_until(lambda: read(robot, "output_int_register_10") == 2, "the bytes")
        peer.sendall(struct.pack(">i", -77))
        wait_until(lambda: read(robot, "output_int_register_11") == -77, "the integer")


def test_nobody_there_is_false_and_does_not_hold_up_time(robot: VirtualHandle):
    before = robot.state()["time_s"]
    run(
        robot,
        "write_output_integer_register(12, 1)",
        'ok = socket_open("127.0.0.1", 9, "none")',
        "if ok:",
        "  write_output_integer_register(12, 2)",
        "else:",
        "  write_output_integer_register(12, 3)",
        "end",
    )
    wait_until(lambda: read(robot, "output_int_register_12") == 3, "the refusal")
    assert robot.state()["time_s"] - before < 10.0


def test_a_silent_server_times_out(robot: VirtualHandle, server: socket.socket):
    run(
        robot,
        f'socket_open("127.0.0.1", {port_of(server)}, "quiet")',
        'v = socket_read_ascii_float(2, "quiet", 0.1)',
        "write_output_integer_register(13, v[0] + 50)",
        's = socket_read_string("quiet", timeout=0.1)',
        "write_output_integer_register(14, str_len(s) + 60)",
    )
    with accept(server):
        wait_until(lambda: read(robot, "output_int_register_13") == 50, "no floats")
        wait_until(lambda: read(robot, "output_int_register_14") == 60, "an empty string")


def test_a_stopped_program_lets_go_of_its_sockets(robot: VirtualHandle, server: socket.socket):
    run(robot, f'socket_open("127.0.0.1", {port_of(server)})', "while True:", "  sync()", "end")
    with accept(server) as peer:
        robot.press("stop")
        assert peer.recv(1) == b""
