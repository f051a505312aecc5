"""Large scripts are compiled beside the ticks of the controller: nothing stands still, nothing is overtaken."""

import contextlib
import socket
import time
from collections.abc import Callable, Iterator

import pytest
from ur_brain import make_brain

from openpendant.virtual.ur import RuntimeException, RuntimeState
from openpendant.virtual.ur.host import PRIMARY_PORT, SECONDARY_PORT, UrHost

ADDRESS = "127.0.12.42"
MOVES = 3000
LONGEST_STEP_S = 0.25
"""The driver misses the controller after 0.35 s; compiled within a tick, this script took 1.8 s."""


@pytest.fixture
def host() -> Iterator[UrHost]:
    made = UrHost(ADDRESS, lambda sockets: make_brain(sockets=sockets))
    yield made
    made.close()


def large(name: str, last: str = "") -> bytes:
    rows = "".join(
        f"  movej([{0.1 + 1e-4 * n:.6f}, -1.400000, 1.700000, -1.900000, -1.570000, 0.000000], a=1.4, v=1.05)\n"
        for n in range(MOVES)
    )
    return f"def {name}():\n{rows}{last}end\n".encode()


def until(host: UrHost, there: Callable[[], bool]) -> float:
    """Step until something is there; return how long the longest step took, seconds."""
    longest, end = 0.0, time.monotonic() + 50.0
    while not there():
        assert time.monotonic() < end
        begun = time.monotonic()
        host.step()
        longest = max(longest, time.monotonic() - begun)
        time.sleep(0.001)
    return longest


def send(host: UrHost, sock: socket.socket, data: bytes) -> None:
    sock.settimeout(0.0)
    while data:
        with contextlib.suppress(BlockingIOError):
            data = data[sock.send(data) :]
        host.step()


def test_the_controller_ticks_on_while_it_compiles(host: UrHost) -> None:
    with socket.create_connection((ADDRESS, PRIMARY_PORT)) as sock:
        send(host, sock, large("long"))
        before = host.brain.ticks
        longest = until(host, lambda: host.brain.read("runtime_state") == RuntimeState.PLAYING)
    assert longest < LONGEST_STEP_S
    assert host.brain.ticks - before > 20, "it lived on meanwhile"
    until(host, lambda: max(map(abs, host.brain.read("target_qd"))) > 0.1)
    host.brain.stop()


def test_a_stop_behind_a_large_script_runs_after_it(host: UrHost) -> None:
    with socket.create_connection((ADDRESS, PRIMARY_PORT)) as sock:
        send(host, sock, large("long") + b"def stop():\n  write_output_integer_register(24, 7)\nend\n")
        until(host, lambda: host.brain.read("output_int_register_24") == 7)
    for _ in range(200):
        host.step()
    assert host.brain.read("runtime_state") == RuntimeState.STOPPED


def test_another_connection_does_not_wait_and_a_client_that_left_is_obeyed(host: UrHost) -> None:
    with socket.create_connection((ADDRESS, PRIMARY_PORT)) as sock:
        send(host, sock, large("long"))
        # A client that leaves with states unread resets the connection: what is still in the kernel would be lost.
        for _ in range(20):
            host.step()
    with socket.create_connection((ADDRESS, SECONDARY_PORT)) as sock:
        send(host, sock, b"def short():\n  write_output_integer_register(24, 8)\nend\n")
        for _ in range(5):
            host.step()
        assert host.brain.read("output_int_register_24") == 8
    until(host, lambda: host.brain.read("runtime_state") == RuntimeState.PLAYING)


def test_a_fault_in_a_large_script_is_told_with_its_line(host: UrHost) -> None:
    told: list[RuntimeException] = []
    note = host.operator.note
    host.operator.note = lambda messages: (note(messages), told.extend(messages))[0]
    with socket.create_connection((ADDRESS, PRIMARY_PORT)) as sock:
        send(host, sock, large("wrong", "  movej(nowhere)\n"))
        until(host, lambda: any(isinstance(one, RuntimeException) for one in told))
    fault = next(one for one in told if isinstance(one, RuntimeException))
    assert fault.line == MOVES + 2
    assert "nowhere" in fault.text
