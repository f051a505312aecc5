"""Robot, safety and runtime modes of the virtual controller, with their bits, transition by transition."""

import numpy as np
import pytest
from ur_brain import QUIET, make_brain, start, tick, until

from openpendant.errors import InputError
from openpendant.virtual.ur import (
    ErrorCode,
    JointMode,
    RobotMode,
    RuntimeState,
    SafetyMode,
    SafetyModeChange,
    ToolMode,
    UrController,
    UrOptions,
    ur_model,
)

MOVE = "movej([1.5, -1.4, 1.7, -1.9, -1.57, 0], a=2, v=1)"


def modes_until(brain: UrController, mode: RobotMode) -> list[RobotMode]:
    seen = [RobotMode(brain.read("robot_mode"))]
    while seen[-1] != mode:
        brain.tick()
        now = RobotMode(brain.read("robot_mode"))
        if now != seen[-1]:
            seen.append(now)
        assert brain.ticks < 2000
    return seen


def test_power_on_stops_at_idle_with_brakes_closed():
    brain = make_brain(power=False)
    assert brain.read("robot_mode") == RobotMode.POWER_OFF
    assert brain.read("joint_mode") == (JointMode.POWER_OFF,) * 6
    assert brain.read("robot_status_bits") == 0
    assert brain.dashboard("power on") == "Powering on"
    seen = modes_until(brain, RobotMode.IDLE)
    assert seen == [RobotMode.BOOTING, RobotMode.POWER_ON, RobotMode.IDLE]
    tick(brain, 500)
    assert brain.read("robot_mode") == RobotMode.IDLE
    assert brain.read("joint_mode") == (JointMode.IDLE,) * 6
    assert brain.read("robot_status_bits") == 0b1
    assert brain.read("tool_mode") == ToolMode.IDLE


def test_brake_release_powers_on_first():
    brain = make_brain(power=False)
    assert brain.dashboard("brake release") == "Brake releasing"
    seen = modes_until(brain, RobotMode.RUNNING)
    assert seen == [RobotMode.BOOTING, RobotMode.POWER_ON, RobotMode.IDLE, RobotMode.RUNNING]
    assert brain.read("joint_mode") == (JointMode.RUNNING,) * 6
    assert brain.ticks == 300


def test_power_off_ends_the_program_and_closes_the_brakes():
    brain = make_brain()
    start(brain, MOVE)
    tick(brain, 200)
    assert brain.dashboard("power off") == "Powering off"
    tick(brain, 51)
    assert brain.read("robot_mode") == RobotMode.POWER_OFF
    assert brain.read("runtime_state") == RuntimeState.STOPPED
    held = brain.read("actual_q")
    tick(brain, 100)
    assert brain.read("actual_q") == held
    assert brain.read("actual_qd") == (0.0,) * 6


def test_an_arm_that_is_off_does_not_start_programs():
    brain = make_brain(power=False)
    start(brain, MOVE)
    tick(brain, 5)
    assert brain.read("runtime_state") == RuntimeState.STOPPED
    assert any(isinstance(message, ErrorCode) for message in brain.messages())


def test_timestamp_counts_ticks_without_drift():
    brain = make_brain()
    stamps = []
    for _ in range(10_000):
        brain.tick()
        stamps.append(brain.read("timestamp"))
    assert stamps == [n / 500 for n in range(1, 10_001)]
    assert brain.read("control_step") == 10_000


def test_protective_stop_brakes_pauses_and_latches():
    brain = make_brain()
    start(brain, MOVE)
    tick(brain, 300)
    brain.messages()
    brain.trigger_protective_stop("a test")
    tick(brain, 1)
    assert brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP
    assert brain.read("safety_status_bits") == 1 << 2 | 1 << 10
    assert brain.dashboard("safetymode") == "Safetymode: PROTECTIVE_STOP"
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.PAUSED, 300)
    held = brain.read("target_q")
    tick(brain, 500)
    assert brain.read("target_q") == held
    kinds = [type(message) for message in brain.messages()]
    assert ErrorCode in kinds
    assert SafetyModeChange in kinds


def test_a_protective_stop_is_unlocked_in_its_own_time_and_the_move_goes_on():
    brain = make_brain(unlock_after_s=0.5)
    start(brain, MOVE)
    tick(brain, 300)
    brain.trigger_protective_stop("a test")
    tick(brain, 10)
    assert brain.dashboard("unlock protective stop").startswith("Cannot unlock protective stop until 5s")
    assert not brain.play()
    tick(brain, 250)
    assert brain.dashboard("unlock protective stop") == "Protective stop releasing"
    assert brain.read("safety_mode") == SafetyMode.NORMAL
    assert brain.read("safety_status_bits") == 1
    tick(brain, 100)
    assert brain.read("runtime_state") == RuntimeState.PAUSED
    assert brain.dashboard("play") == "Starting program"
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    assert np.allclose(brain.read("target_q"), [1.5, -1.4, 1.7, -1.9, -1.57, 0], atol=1e-9)


def test_emergency_stop_cuts_power_after_a_controlled_stop():
    brain = make_brain()
    start(brain, MOVE)
    tick(brain, 400)
    moving = np.array(brain.read("target_qd"))
    brain.press_emergency_stop()
    tick(brain, 2)
    assert brain.read("robot_mode") == RobotMode.RUNNING
    bits = brain.read("safety_status_bits")
    assert bits == 1 << 6 | 1 << 7 | 1 << 10
    until(brain, lambda: brain.read("robot_mode") == RobotMode.POWER_OFF, 500)
    assert np.abs(moving).max() > 0.5
    assert np.abs(brain.read("target_qd")).max() == 0.0
    assert brain.read("runtime_state") == RuntimeState.STOPPED
    assert brain.read("safety_mode") == SafetyMode.ROBOT_EMERGENCY_STOP
    assert brain.dashboard("power on") == "Failed to execute: power on"
    assert brain.dashboard("brake release") == "Failed to execute: brake release"
    brain.release_emergency_stop()
    assert brain.read("safety_mode") == SafetyMode.NORMAL
    assert brain.read("robot_mode") == RobotMode.POWER_OFF
    brain.brake_release()
    modes_until(brain, RobotMode.RUNNING)
    start(brain, "movej([0.2, -1.4, 1.7, -1.9, -1.57, 0])")
    tick(brain, 10)
    assert brain.read("runtime_state") == RuntimeState.PLAYING


@pytest.mark.parametrize(
    ("trigger", "mode", "bit"),
    [("trigger_violation", SafetyMode.VIOLATION, 8), ("trigger_fault", SafetyMode.FAULT, 9)],
)
def test_violations_and_faults_need_a_restart_of_safety(trigger: str, mode: SafetyMode, bit: int):
    brain = make_brain()
    getattr(brain, trigger)("a test")
    until(brain, lambda: brain.read("robot_mode") == RobotMode.POWER_OFF, 500)
    assert brain.read("safety_mode") == mode
    assert brain.read("safety_status_bits") == 1 << bit | 1 << 10
    assert brain.dashboard("power on") == "Failed to execute: power on"
    assert brain.dashboard("restart safety") == "Restarting safety"
    assert brain.read("safety_mode") == SafetyMode.NORMAL
    assert brain.read("robot_mode") == RobotMode.POWER_OFF


def test_an_open_safeguard_holds_the_arm_until_it_is_closed():
    brain = make_brain()
    start(brain, MOVE)
    tick(brain, 200)
    brain.set_input("safeguard", value=True)
    tick(brain, 200)
    assert brain.read("safety_mode") == SafetyMode.SAFEGUARD_STOP
    assert brain.read("safety_status_bits") == 1 << 4 | 1 << 10
    assert np.abs(brain.read("target_qd")).max() == 0.0
    assert not brain.play()
    brain.set_input("safeguard", value=False)
    assert brain.play()
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    assert np.allclose(brain.read("target_q")[0], 1.5)
    brain.set_input("reduced", value=True)
    assert brain.read("safety_status_bits") == 1 << 1


def test_runtime_states_of_play_pause_and_stop():
    brain = make_brain()
    start(brain, MOVE)
    tick(brain, 1)
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    assert brain.read("robot_status_bits") == 0b11
    tick(brain, 300)
    assert brain.dashboard("pause") == "Pausing program"
    tick(brain, 1)
    assert brain.read("runtime_state") == RuntimeState.PAUSING
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.PAUSED, 500)
    assert brain.read("speed_scaling") == 0.0
    assert brain.dashboard("pause") == "Failed to execute: pause"
    assert brain.dashboard("play") == "Starting program"
    assert brain.read("runtime_state") == RuntimeState.RESUMING
    tick(brain, 100)
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    assert np.abs(brain.read("target_qd")).max() > 0.1
    assert brain.dashboard("stop") == "Stopped"
    assert brain.read("runtime_state") == RuntimeState.STOPPING
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED, 500)
    assert np.abs(brain.read("target_qd")).max() == 0.0


def test_bad_options_and_starts_are_refused():
    with pytest.raises(InputError, match="serial"):
        UrOptions(serial="abc")
    with pytest.raises(InputError, match="power_on_s"):
        UrOptions(power_on_s=float("nan"))
    with pytest.raises(InputError, match="tool_speed_m_s"):
        UrOptions(tool_speed_m_s=0.0, tracking=QUIET)
    with pytest.raises(InputError, match="no Universal Robots arm named 'ur4e'"):
        ur_model("ur4e")
    with pytest.raises(InputError, match="Elbow"):
        make_brain(start_q=(0.0, 0.0, 7.0, 0.0, 0.0, 0.0))
    with pytest.raises(InputError):
        make_brain(start_q=(0.0, float("nan"), 0.0, 0.0, 0.0, 0.0))
    brain = make_brain()
    with pytest.raises(InputError, match="speed slider"):
        brain.set_speed_slider(1.5)
    with pytest.raises(InputError, match="switched on"):
        brain.place_arm([0.0] * 6)
    with pytest.raises(InputError, match="no input named"):
        brain.set_input("standard_digital", value=True)
