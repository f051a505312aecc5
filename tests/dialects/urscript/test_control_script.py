"""The script that ur_rtde uploads runs as it arrives."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from control_script import control_script

from openpendant.dialects.urscript import (
    Builtin,
    Machine,
    Value,
    builtin_table,
    catalogue,
    check_script,
    documented,
    parse,
    write_script,
)

WAITS = {"movej": 5, "servoj": 1, "speedj": 4, "stopj": 3, "stopl": 3}
"""Frames that the recording builtins take."""
MOVEJ, SPEEDJ, SERVOJ, SERVO_STOP, STOP = 1, 9, 11, 16, 255


class Host:
    """Registers, and a list of what was called."""

    def __init__(self) -> None:
        self.inputs: list[Any] = [0] * 24
        self.floats = [0.0] * 24
        self.outputs: list[Value] = [0] * 24
        self.called: list[tuple[Any, ...]] = []
        self.machine = Machine(parse(control_script()), self.builtins(), clock=lambda: 0.0)

    def builtins(self) -> dict[str, Builtin]:
        made = [documented(name, self._recorder(name), blocking=name in WAITS) for name in catalogue()]
        registers = {
            "read_input_integer_register": self.inputs.__getitem__,
            "read_input_float_register": self.floats.__getitem__,
            "write_output_integer_register": self.outputs.__setitem__,
        }
        core = ("sync", "sleep", "get_steptime", "norm", *(name for name in catalogue() if name.startswith("pose_")))
        return builtin_table(
            *(one for one in made if one.name not in registers and one.name not in core),
            *(documented(name, call) for name, call in registers.items()),
        )

    def _recorder(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Value) -> int:
            self.called.append((name, *arguments))
            return 0

        def wait(*arguments: Value) -> Iterator[None]:
            self.called.append((name, *arguments))
            for _ in range(WAITS[name]):
                yield

        return wait if name in WAITS else call

    def until(self, answer: int, frames: int = 50) -> int:
        for count in range(frames):
            if self.outputs[0] == answer:
                return count
            self.machine.frame()
            assert self.machine.error is None, self.machine.error
        raise AssertionError(f"register 0 is {self.outputs[0]}, not {answer}, after {frames} frames")

    def calls(self, name: str) -> list[tuple[Any, ...]]:
        return [one for one in self.called if one[0] == name]


@pytest.fixture
def host() -> Host:
    host = Host()
    host.until(1)
    return host


def test_the_script_is_what_the_notes_say():
    text = control_script()
    assert text.startswith("def rtde_control():")
    assert "reg_offset_float = #" in text  # an expression that goes on after a comment


def test_it_checks_clean():
    assert check_script(control_script()) == []


def test_printed_and_parsed_again_it_is_the_same():
    program = parse(control_script())
    assert parse(write_script(program)).body == program.body


def test_idle_it_waits_in_its_loop(host: Host):
    before = len(host.called)
    for _ in range(100):
        host.machine.frame()
    assert host.machine.state == "running"
    assert len(host.called) == before
    assert control_script().splitlines()[host.machine.line - 1].strip() == "sync()"


def test_a_move_by_registers(host: Host):
    host.floats[:8] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0, 1.2]
    host.inputs[0] = MOVEJ
    assert host.until(2) >= WAITS["movej"]
    assert host.calls("movej") == [("movej", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6), 1.2, 1.0, 0, 0)]
    host.inputs[0] = 0
    host.until(1)


def test_a_move_beside_the_script_can_be_killed(host: Host):
    host.inputs[0:2] = [MOVEJ, 1]
    host.until(2)
    assert host.machine.threads == ("", "move_thread")
    host.inputs[0] = 0
    host.until(1)
    host.inputs[0:2] = [34, 0]
    host.until(2)
    assert host.machine.threads == ("",)
    assert len(host.calls("stopj")) == 1


def test_a_stream_of_servoj(host: Host):
    host.floats[6:11] = [0.0, 0.0, 0.002, 0.1, 300.0]
    host.inputs[0] = SERVOJ
    for step in range(200):
        host.floats[0] = 0.001 * step
        host.machine.frame()
    sent = [one[1][0] for one in host.calls("servoj")]
    assert host.machine.threads == ("", "servo_thread")
    assert len(sent) >= 198
    assert sent == sorted(sent)
    assert sent[-1] >= 0.001 * 197
    host.inputs[0] = 0
    host.until(1)
    host.inputs[0] = SERVO_STOP
    host.floats[0] = 2.0
    host.until(2)
    assert host.machine.threads == ("",)
    assert host.calls("stopl") == [("stopl", 2.0, None)]


def test_speed_without_a_time_runs_too_far_behind():
    # On a real arm this ends in a protective stop (C271A1): the thread's loop never waits.
    host = Host()
    host.machine.stop()
    WAITS["speedj"] = 0
    try:
        host = Host()
        host.until(1)
        host.inputs[0] = SPEEDJ
        for _ in range(400):
            host.machine.frame()
    finally:
        WAITS["speedj"] = 4
    assert host.machine.error is not None
    assert host.machine.error.message == "Low level real-time thread: Runtime is too much behind."
    assert host.machine.error.thread == "speed_thread"


def test_the_stop_command_ends_it(host: Host):
    host.inputs[0] = STOP
    for _ in range(3):
        host.machine.frame()
    assert host.machine.state == "finished"
    assert host.called[-1][1] == "RTDE Control Script Terminated"
