"""A program that makes no progress for two seconds is given up with its reason, and does not begin or go on later."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from lockstep import Lockstep
from uploading import START, Uploads, swing

from openpendant.controllers import VendorText
from openpendant.controllers.ur.decoded_state import Reading
from openpendant.virtual.ur import RuntimeState
from unsafe import promise

STILL_S = 2.0
SLACK_S = 0.03
"""A state on its way, and ticks of both sides."""
STOP_S = 0.6
"""A stop is repeated until the program is seen not to play, and its echo is waited for."""
STUBBORN_CHILD = "import os\nwhile os.read(0, 65536):\n    pass\n"
"""Stands for a process with ur_rtde that does not leave the robot when it is told to."""
OTHER = "def other():\n  while True:\n    sync()\n  end\nend\n"
WAITS = """\
def waits():
  sleep(3.0)
  while get_standard_digital_in(0) != True:
    sync()
  end
  movej([{far}], a=6.0, v=1.5)
end
"""


@pytest.fixture(scope="module")
def pair() -> Iterator[Uploads]:
    made = Uploads()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def ready(pair: Uploads) -> None:
    pair.brain.set_speed_slider(1.0)
    pair.brain.stop()
    pair.driver.stop()
    pair.get_ready()


def fails(pair: Uploads, within_s: float) -> tuple[float, str]:
    """Return after how long the program has failed, and why."""
    took = pair.until(lambda: pair.driver.progress("arm").over, "end", within_s)
    assert not pair.driver.progress("arm").finished
    return took, pair.driver.progress("arm").ended


def stays(pair: Uploads, seconds: float, within_rad: float = 1e-3) -> None:
    """Nothing of ours moves the arm."""
    q = pair.q
    for _ in range(round(seconds * 50)):
        pair.tick(10)
        promise(np.abs(pair.q - q).max() <= within_rad, "it moves")


def test_a_program_that_finds_another_one_playing_never_begins(pair: Uploads) -> None:
    pair.brain.run_script(OTHER)
    pair.until(lambda: pair.driver._reading.runtime == RuntimeState.PLAYING, "the other program")
    pair.driver.run(swing())
    took, why = fails(pair, 10.0)
    assert STILL_S - SLACK_S <= took <= STILL_S + SLACK_S
    assert why == "swing made no progress for 2 s: another program is running on the controller"
    assert [one.message for one in pair.driver.events() if one.kind == "job failed"] == [why]
    assert pair.brain.read("runtime_state") == RuntimeState.PLAYING, "the other one is not ours to stop"
    pair.brain.stop()
    stays(pair, 4.0)
    assert pair.rests
    pair.start(swing())
    pair.driver.stop()
    pair.until(lambda: pair.rests, "rest")


def test_a_program_for_which_the_robot_is_not_released_never_begins() -> None:
    pair = Lockstep("127.0.12.44", STUBBORN_CHILD)
    try:
        pair.driver.run(swing())
        took, why = fails(pair, 10.0)
        assert STILL_S - SLACK_S <= took <= STILL_S + SLACK_S
        assert why == "swing made no progress for 2 s: the control program has not ended"
        stays(pair, 4.0)
        assert pair.rests
    finally:
        pair.close()


def test_a_program_that_the_controller_does_not_start_does_not_start_later(pair: Uploads) -> None:
    pair.driver.run(swing())
    pair.fault("silence", (30001,), seconds=6.0)
    took, why = fails(pair, 10.0)
    # The stop of a program that was never seen to play takes a second.
    assert took <= STILL_S + 0.1 + 1.0 + SLACK_S
    assert why == "swing made no progress for 2 s: the controller did not start it"
    # Its text comes after the silence, with a stop behind it and without a heartbeat.
    stays(pair, 6.0, within_rad=6.0 * SLACK_S**2)
    assert pair.rests


def test_a_program_that_stands_still_in_a_move_is_stopped(pair: Uploads) -> None:
    pair.start(swing())
    pair.brain.set_speed_slider(0.0)
    pair.until(lambda: pair.speed == 0.0, "standstill")
    took, why = fails(pair, 10.0)
    assert STILL_S - SLACK_S <= took <= STILL_S + STOP_S
    assert why == "swing made no progress for 2 s"
    assert pair.rests
    pair.brain.set_speed_slider(1.0)
    stays(pair, 3.0)


def test_a_controller_that_cannot_be_stopped_does_not_keep_the_job(
    pair: Uploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.start(swing())
    pair.brain.set_speed_slider(0.0)
    pair.until(lambda: pair.speed == 0.0, "standstill")
    # It tells that it plays on, whatever it is sent.
    update, then = pair.driver._slot.update, pair.driver._reading

    def deaf(reading: Reading, now_ns: int) -> None:
        update(replace(reading, runtime=then.runtime, line=then.line), now_ns)

    monkeypatch.setattr(pair.driver._slot, "update", deaf)
    took, why = fails(pair, 10.0)
    assert took <= 2.0 * STILL_S + 2.0 * SLACK_S
    assert why == "swing made no progress for 2 s"
    assert not pair.driver._slot.free, "it is still being stopped"
    monkeypatch.undo()
    pair.until(lambda: pair.driver._slot.free, "the stop")


def test_a_program_that_waits_or_is_paused_goes_on(pair: Uploads) -> None:
    far = list(START)
    far[0] += 0.8
    pair.brain.set_input("standard_digital_0", False)  # noqa: FBT003
    pair.driver.run(VendorText("urscript", "waits", WAITS.format(far=", ".join(map(str, far)))))
    pair.tick(500 * 7)
    assert not pair.driver.progress("arm").over
    pair.brain.set_input("standard_digital_0", True)  # noqa: FBT003
    pair.until(lambda: pair.speed > 0.5, "motion")
    pair.brain.pause()
    pair.until(lambda: pair.speed == 0.0, "the pause")
    pair.tick(500 * 3)
    assert not pair.driver.progress("arm").over
    pair.brain.play()
    pair.until(lambda: pair.driver.progress("arm").over, "the end")
    assert pair.driver.progress("arm").finished
    pair.driver.run(VendorText("urscript", "back", f"def back():\n  movej({list(START)}, a=6.0, v=1.5)\nend\n"))
    pair.until(lambda: pair.driver.progress("arm").over, "home")
