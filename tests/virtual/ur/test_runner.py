"""Programs on the virtual controller: trees, popups, messages, errors with lines, secondary programs, sockets."""

from pathlib import Path

import numpy as np
import pytest
from ur_brain import READY, Tracer, failure, make_brain, run, start, tick, until, words

from openpendant.virtual.ur import (
    Key,
    Popup,
    ProgramLabel,
    RuntimeException,
    RuntimeState,
    SafetyMode,
    SocketState,
    Text,
)

JOINT_CONTROL = """BeforeStart:
  tmp := [0,0,0,0,0,0]
  write_output_integer_register(0,0)
  rtde_set_watchdog("input_int_register_0", 1, "IGNORE")
  popup("Start python connection, then press continue", title="Hello", warning=False, error=False, blocking=True)
RobotProgram:
  movej([0,-1.6,0,-1.6,0,0])
  write_output_integer_register(0,1)
  sync()
  Loop:
    speedj(tmp, 1.5, 0.008)
Thread_1:
  Loop:
    tmp[0] = read_input_float_register(0)
    tmp[1] = read_input_float_register(1)
    tmp[2] = read_input_float_register(2)
    tmp[3] = read_input_float_register(3)
    tmp[4] = read_input_float_register(4)
    tmp[5] = read_input_float_register(5)
    sync()
"""


def test_the_velocity_loop_of_an_earlier_system(tmp_path: Path):
    """A tree with a popup, a handshake and speedj from registers; a client closes the loop over registers."""
    (tmp_path / "joint_control.urp").write_text(JOINT_CONTROL)
    brain = make_brain(programs=tmp_path)
    assert brain.load_program("joint_control.urp") is None
    assert brain.play()
    tick(brain, 500)
    assert brain.popup is not None
    assert brain.popup.text == "Start python connection, then press continue"
    assert brain.read("output_int_register_0") == 0
    assert brain.read("target_q") == pytest.approx(READY)
    assert brain.confirm_popup()
    until(brain, lambda: brain.read("output_int_register_0") == 1)
    assert brain.read("target_q") == pytest.approx([0, -1.6, 0, -1.6, 0, 0], abs=1e-9)
    trace = Tracer(brain)
    write = brain.compile_writer([f"input_double_register_{n}" for n in range(6)])
    goal = np.array([1.0, -2.0, 0.3, -1.6, 0.2, -0.5])
    for _ in range(2500):
        error = goal - brain.read("actual_q")
        write(np.clip(2.0 * error, -0.8, 0.8).tolist())
        trace.tick()
    assert brain.read("actual_q") == pytest.approx(goal, abs=0.005)
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    # A minute without a word from the client changes nothing: the watchdog says IGNORE.
    write([0.0] * 6)
    tick(brain, 3000)
    held = brain.read("target_q")
    tick(brain, 1000)
    assert brain.read("target_q") == pytest.approx(held, abs=1e-9)
    assert brain.read("runtime_state") == RuntimeState.PLAYING


def test_a_blocking_popup_waits_and_another_does_not():
    brain = make_brain()
    start(
        brain, 'popup("one", title="T", warning=True)\nset_standard_digital_out(0, True)\npopup("two", blocking=True)'
    )
    tick(brain, 100)
    assert brain.read("actual_digital_output_bits") == 1
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    shown = [message for message in brain.messages() if isinstance(message, Popup)]
    assert [(one.text, one.title, one.warning, one.blocking) for one in shown] == [
        ("one", "T", True, False),
        ("two", "Popup", False, True),
    ]
    assert brain.dashboard("close popup") == "closing popup"
    tick(brain, 3)
    assert brain.read("runtime_state") == RuntimeState.STOPPED
    assert brain.popup is None
    assert not brain.confirm_popup()
    assert not brain.refuse_popup()


def test_refusing_a_popup_stops_the_program():
    brain = make_brain()
    start(brain, 'popup("go on?", blocking=True)\nset_standard_digital_out(0, True)')
    tick(brain, 50)
    assert brain.refuse_popup()
    tick(brain, 50)
    assert brain.read("runtime_state") == RuntimeState.STOPPED
    assert brain.read("actual_digital_output_bits") == 0


def test_messages_of_a_program():
    brain = make_brain()
    told = run(brain, 'textmsg("hello ", 3)\ntextmsg(p[1,2,3,0,0,0])\ntextmsg([True, 1.5])')
    keys = [message.title for message in told if isinstance(message, Key)]
    assert keys == ["PROGRAM_XXX_STARTED", "PROGRAM_XXX_STOPPED"]
    assert words(told) == ["hello 3", "p[1, 2, 3, 0, 0, 0]", "[True, 1.5]"]
    brain.run_script('def labelled():\n  $ 1 "Robot Program"\n  sleep(0.01)\nend\n')
    tick(brain, 50)
    assert [(m.program, m.text) for m in brain.messages() if isinstance(m, ProgramLabel)] == [(1, "Robot Program")]


def test_runtime_errors_tell_the_line_and_brake_the_arm():
    brain = make_brain()
    brain.run_script(
        "def wrong():\n  thread go():\n    movej([2, -1.4, 1.7, -1.9, -1.57, 0])\n  end\n  t = run go()\n"
        "  sleep(0.8)\n  x = [1, 2]\n  y = x[5]\nend\n"
    )
    trace = Tracer(brain)
    trace.until(lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    error = next(message for message in brain.messages() if isinstance(message, RuntimeException))
    assert error.line == 8
    assert np.abs(brain.read("target_qd")).max() == 0.0
    assert 0.1 < brain.read("target_q")[0] < 1.9


def test_a_tree_tells_the_line_of_its_file(tmp_path: Path):
    path = tmp_path / "tree.txt"
    path.write_text("BeforeStart:\n  a := 1\nRobotProgram:\n  sleep(0.05)\n  b := [1][7]\n")
    brain = make_brain()
    assert brain.load_program(path) is None
    brain.play()
    tick(brain, 10)
    assert brain.read("script_control_line") == 4
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    assert next(m for m in brain.messages() if isinstance(m, RuntimeException)).line == 5
    assert brain.read("script_control_line") == 0


@pytest.mark.parametrize(
    "text", ["def broken(:\nend\n", "def f():\n  no_such_function()\nend\n", "movej(\n", "\x00\xff"]
)
def test_scripts_that_are_none_change_nothing(text: str):
    brain = make_brain()
    start(brain, "sleep(10)")
    tick(brain, 5)
    brain.messages()
    brain.run_script(text)
    tick(brain, 5)
    assert any(isinstance(message, RuntimeException) for message in brain.messages())
    assert brain.read("runtime_state") == RuntimeState.PLAYING


def test_a_new_script_replaces_the_old_one_and_a_secondary_does_not():
    brain = make_brain()
    start(brain, "while True:\n  sync()\nend")
    tick(brain, 5)
    brain.run_script("sec beside():\n  set_standard_digital_out(2, True)\nend\n")
    tick(brain, 2)
    assert brain.read("actual_digital_output_bits") == 0b100
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    brain.messages()
    brain.run_script("set_standard_digital_out(3, True)")
    assert [m.title for m in brain.messages() if isinstance(m, Key)] == ["PROGRAM_XXX_STOPPED", "PROGRAM_XXX_STARTED"]
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED, 10)
    assert brain.read("actual_digital_output_bits") == 0b1100


def test_a_secondary_program_runs_on_an_arm_that_is_off():
    brain = make_brain(power=False)
    brain.run_script("sec beside():\n  set_standard_digital_out(2, True)\nend\n")
    tick(brain, 2)
    assert brain.read("actual_digital_output_bits") == 0b100


def test_an_endless_loop_does_not_hang_the_controller():
    brain = make_brain()
    start(brain, "while True:\n  x = 1\nend")
    tick(brain, 600)
    assert brain.read("runtime_state") == RuntimeState.STOPPED
    assert any(isinstance(message, RuntimeException) for message in brain.messages())


def test_halt_and_protective_stop_from_a_program():
    brain = make_brain()
    run(brain, "set_standard_digital_out(0, True)\nhalt\nset_standard_digital_out(1, True)")
    assert brain.read("actual_digital_output_bits") == 1
    start(brain, "protective_stop()\nsleep(1)")
    tick(brain, 3)
    assert brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP


def test_powerdown_switches_off():
    brain = make_brain()
    start(brain, "powerdown()")
    tick(brain, 5)
    assert brain.shut_down


class TalkingSockets:
    """The other end of a program's sockets, in memory."""

    def __init__(self) -> None:
        self.opened: list[tuple[str, int, str]] = []
        self.sent = b""
        self.waiting = b""
        self.now: SocketState = "closed"

    def open(self, address: str, port: int, name: str) -> None:
        self.opened.append((address, port, name))
        self.now = "connecting"

    def state(self, name: str) -> SocketState:
        return self.now

    def send(self, name: str, payload: bytes) -> bool:
        self.sent += payload
        return self.now == "open"

    def peek(self, name: str) -> bytes:
        return self.waiting

    def drop(self, name: str, count: int) -> None:
        self.waiting = self.waiting[count:]

    def close(self, name: str) -> None:
        self.now = "closed"

    def close_all(self) -> None:
        self.now = "closed"


def test_sockets_of_programs():
    sockets = TalkingSockets()
    brain = make_brain(sockets=sockets)
    start(
        brain,
        """
        textmsg(socket_open("10.0.0.1", 5000, "cam"))
        textmsg(socket_send_line("go", "cam"))
        socket_send_string("ab", "cam")
        socket_send_byte(67, "cam")
        socket_send_int(258, "cam")
        socket_set_var("SPEED", 7, "cam")
        textmsg(socket_read_line("cam"))
        textmsg(socket_read_ascii_float(2, "cam"))
        textmsg(socket_read_byte_list(3, "cam"))
        textmsg(socket_read_binary_integer(1, "cam"))
        textmsg(socket_read_string("cam", prefix="<", suffix=">"))
        textmsg(socket_get_var("POS", "cam"))
        textmsg(socket_read_line("cam", 0.1))
        socket_close("cam")
        """,
    )
    tick(brain, 50)
    assert sockets.opened == [("10.0.0.1", 5000, "cam")]
    sockets.now = "open"
    tick(brain, 5)
    assert sockets.sent == b"go\nabC\x00\x00\x01\x02SET SPEED 7\n"
    sockets.waiting = b"first line\r\n(1.5, -2e1)\x01\x02\x03\x00\x00\x01\x00noise<mark>"
    until(brain, lambda: b"GET POS\n" in sockets.sent, 200)
    sockets.waiting = b"POS 42\n"
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED, 500)
    assert [m.text for m in brain.messages() if isinstance(m, Text)] == [
        "True",
        "True",
        "first line",
        "[2, 1.5, -20]",
        "[3, 1, 2, 3]",
        "[1, 256]",
        "mark",
        "42",
        "",
    ]
    assert sockets.now == "closed"


def test_without_a_network_nothing_connects():
    assert words(run(make_brain(), 'textmsg(socket_open("127.0.0.1", 80))\ntextmsg(socket_send_line("x"))')) == [
        "False",
        "False",
    ]
    assert "1 to 65535" in failure(make_brain(), 'socket_open("127.0.0.1", 0)')
    assert "1 to 30" in failure(make_brain(), "socket_read_byte_list(31)")
