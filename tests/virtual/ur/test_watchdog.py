"""rtde_set_watchdog: ignore, pause and stop act as named, in counted ticks."""

import numpy as np
import pytest
from ur_brain import failure, make_brain, start, tick, until

from openpendant.virtual.ur import RuntimeState, Text

MOVING = """
rtde_set_watchdog("input_int_register_0", {frequency}, "{action}")
while True:
  speedj([0.2, 0, 0, 0, 0, 0], 2, 0.02)
end
"""


def fed(brain, ticks: int, every: int) -> None:
    write = brain.compile_writer(["input_int_register_0"])
    for n in range(ticks):
        if n % every == 0:
            write((0,))
        brain.tick()


def test_an_input_that_comes_in_time_changes_nothing():
    brain = make_brain()
    start(brain, MOVING.format(frequency=10, action="stop"))
    fed(brain, 1000, 50)
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    assert brain.watchdogs_missed == 0


def test_ignore_does_nothing_for_a_minute():
    brain = make_brain()
    start(brain, MOVING.format(frequency=1, action="IGNORE"))
    tick(brain, 5_000)
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    assert brain.read("target_qd")[0] == pytest.approx(0.2)
    assert brain.watchdogs_missed == 1


def test_stop_ends_the_program_when_the_time_is_over():
    brain = make_brain()
    start(brain, MOVING.format(frequency=10, action="stop"))
    fed(brain, 200, 25)
    # The last write was in tick 176: 50 ticks and one of grace later it bites.
    gone = until(brain, lambda: brain.read("runtime_state") != RuntimeState.PLAYING, 100)
    assert brain.ticks == 176 - 1 + 52
    assert gone == 27
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED, 200)
    assert np.abs(brain.read("target_qd")).max() == 0.0
    assert any("input_int_register_0" in m.text for m in brain.messages() if isinstance(m, Text))


def test_pause_holds_the_program_until_play():
    brain = make_brain()
    start(brain, MOVING.format(frequency=10, action="PAUSE"))
    tick(brain, 60)
    assert brain.read("runtime_state") in (RuntimeState.PAUSING, RuntimeState.PAUSED)
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.PAUSED, 200)
    held = brain.read("target_q")
    tick(brain, 200)
    assert brain.read("target_q") == held
    assert brain.play()
    fed(brain, 300, 10)
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    assert brain.read("target_q")[0] > held[0] + 0.05


def test_only_the_watched_input_counts_and_watchdogs_end_with_the_program():
    brain = make_brain()
    start(brain, MOVING.format(frequency=50, action="stop"))
    write = brain.compile_writer(["input_int_register_1"])
    for _ in range(20):
        write((1,))
        brain.tick()
    assert brain.read("runtime_state") == RuntimeState.STOPPED or brain.read("target_qd")[0] < 0.2
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED, 200)
    start(brain, "sleep(2)")
    tick(brain, 500)
    assert brain.read("runtime_state") == RuntimeState.PLAYING


def test_pause_is_the_default_action():
    brain = make_brain()
    start(brain, 'rtde_set_watchdog("input_double_register_20", 100)\nsleep(10)')
    tick(brain, 10)
    assert brain.read("runtime_state") == RuntimeState.PAUSED


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('rtde_set_watchdog("input_int_register_0", 0, "stop")', "frequency"),
        ('rtde_set_watchdog("input_int_register_0", 1, "explode")', "ignore, pause, stop"),
        ('rtde_set_watchdog("actual_q", 1, "stop")', "actual_q"),
        ('rtde_set_watchdog("nothing", 1, "stop")', "nothing"),
    ],
)
def test_nonsense_is_a_runtime_error(call: str, words: str):
    assert words in failure(make_brain(), call)
