"""How far the virtual arm goes after a stop, beside the maker's own figures."""

from collections.abc import Callable

import numpy as np
import pytest
from ur_brain import READY, make_brain, until

from openpendant.virtual.ur import RuntimeState, UrController

MAKER = {0: (0.18, 0.159), 1: (0.20, 0.154), 2: (0.15, 0.092)}
"""UR3/CB3 manual, A.1: stopping distance (rad) and time (s) of base, shoulder and elbow, category 0, 183 °/s."""
MAKERS_SPEED = np.radians(183.0)
TOP = np.pi
WITHIN = 1.05
STOPS: dict[str, Callable[[UrController], object]] = {
    "dashboard": lambda brain: brain.dashboard("stop"),
    "another script": lambda brain: brain.run_script("def other():\n  sync()\nend\n"),
    "stopj": lambda brain: brain.run_script("def other():\n  stopj(40)\nend\n"),
    "protective": lambda brain: brain.trigger_protective_stop("test"),
    "emergency": lambda brain: brain.press_emergency_stop(),
    "watchdog": lambda _: None,
}


def swing(joint: int, acceleration: float, speed: float = TOP) -> UrController:
    """An arm whose one joint is at a speed, under a watchdog that nobody feeds after this tick."""
    brain = make_brain(tool_speed_m_s=20.0)
    far = np.array(READY)
    far[joint] += 4.0 if joint == 0 else -4.0
    joints = ", ".join(map(str, far))
    watch = 'rtde_set_watchdog("input_int_register_24", 2.5, "STOP")'
    brain.run_script(f"def swing():\n  {watch}\n  movej([{joints}], a={acceleration}, v={speed})\nend\n")

    def fast() -> bool:
        brain.write_input("input_int_register_24", 1)
        return abs(brain.read("target_qd")[joint]) > 0.99 * speed

    until(brain, fast, 4000)
    return brain


@pytest.mark.parametrize("joint", MAKER)
@pytest.mark.parametrize("how", STOPS)
def test_a_stop_from_full_speed_is_as_long_as_the_maker_measured(joint: int, how: str) -> None:
    brain = swing(joint, 12.0)
    STOPS[how](brain)
    if how == "watchdog":
        until(brain, lambda: brain.read("runtime_state") != RuntimeState.PLAYING, 210)
    q, start = np.array(brain.read("actual_q")), brain.ticks
    until(brain, lambda: max(np.abs(brain.read("target_qd"))) == 0.0, 500)
    seconds = (brain.ticks - start) * 0.002
    until(brain, lambda: max(np.abs(brain.read("actual_qd"))) < 0.001, 500)
    distance = abs(brain.read("actual_q")[joint] - q[joint])
    longest_m, longest_s = MAKER[joint]
    share = TOP / MAKERS_SPEED
    assert distance <= WITHIN * longest_m
    assert seconds <= WITHIN * longest_s
    assert distance >= 0.85 * longest_m * share**2, "no arm stops much shorter than the maker's"


@pytest.mark.parametrize("how", STOPS)
def test_a_gentle_move_is_stopped_no_more_gently(how: str) -> None:
    brain = swing(0, 1.5, 1.5)
    STOPS[how](brain)
    if how == "watchdog":
        until(brain, lambda: brain.read("runtime_state") != RuntimeState.PLAYING, 210)
    q = brain.read("actual_q")[0]
    until(brain, lambda: max(np.abs(brain.read("actual_qd"))) < 0.001, 2000)
    # At half the speed a quarter of the distance, and as much again as the arm needs to begin.
    assert abs(brain.read("actual_q")[0] - q) <= 0.18 * (1.5 / MAKERS_SPEED) ** 2 + 1.5 * 0.02


def test_a_pause_stays_gentle() -> None:
    brain = swing(0, 1.5, 1.5)
    q = brain.read("actual_q")[0]
    brain.dashboard("pause")

    def paused() -> bool:
        brain.write_input("input_int_register_24", 1)
        return brain.read("runtime_state") == RuntimeState.PAUSED

    until(brain, paused, 2000)
    assert abs(brain.read("actual_q")[0] - q) >= 0.5 * 1.5**2 / (2.0 * 1.5)
