"""Freedrive, teach mode, force mode, contact: the arm gives way, and says so."""

import numpy as np
import pytest
from ur_brain import READY, Tracer, failure, make_brain, run, start, tick, until, words

from openpendant.protocols.ur_primary import AdditionalInfo, RobotModeInfo
from openpendant.virtual.ur import RuntimeState


def test_a_hand_moves_the_arm_while_the_button_is_held():
    brain = make_brain()
    brain.push_tool([0, 15, 0, 0, 0, 0])
    tick(brain, 100)
    assert brain.read("target_q") == pytest.approx(READY)
    brain.hold_freedrive(held=True)
    assert brain.read("robot_status_bits") == 0b101
    trace = Tracer(brain)
    trace.tick(300)
    assert trace.xyz[-1, 1] - trace.xyz[0, 1] > 0.02
    brain.hold_freedrive(held=False)
    trace.tick(200)
    held = brain.read("target_q")
    trace.tick(100)
    assert brain.read("target_q") == held
    assert brain.read("robot_status_bits") == 0b001


def test_freedrive_of_a_program_frees_the_axes_it_names():
    brain = make_brain()
    start(brain, "freedrive_mode(freeAxes=[0, 1, 0, 0, 0, 0])\nsleep(1.0)\nend_freedrive_mode()\nsleep(0.5)")
    tick(brain, 5)
    mode = next(package for package in brain.primary_state() if isinstance(package, RobotModeInfo))
    assert mode.control_mode == 1
    assert next(p for p in brain.primary_state() if isinstance(p, AdditionalInfo)).freedrive_enabled
    brain.push_tool([20, 0, 0, 0, 0, 0])
    tick(brain, 100)
    assert brain.read("target_q") == pytest.approx(READY)
    brain.push_tool([20, 20, 0, 0, 0, 0])
    tick(brain, 200)
    assert np.abs(np.subtract(brain.read("target_q"), READY)).max() > 0.02
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    held = brain.read("target_q")
    tick(brain, 200)
    assert brain.read("target_q") == held


def test_teach_mode_and_the_status_of_freedrive():
    brain = make_brain()
    brain.push_tool([0, 15, 0, 0, 0, 0])
    told = run(brain, "teach_mode()\nsleep(0.3)\nend_teach_mode()\ntextmsg(get_freedrive_status())")
    assert words(told) == ["0"]
    assert np.abs(np.subtract(brain.read("target_q"), READY)).max() > 0.01


def test_force_mode_presses_along_its_axes_within_its_speed():
    brain = make_brain()
    start(
        brain,
        """
        force_mode_set_damping(0.1)
        force_mode_set_gain_scaling(1.0)
        force_mode(p[0,0,0,0,0,0], [0,0,1,0,0,0], [0,0,-20,0,0,0], 2, [0.1,0.1,0.03,0.2,0.2,0.2])
        sleep(1.5)
        end_force_mode()
        sleep(0.3)
        """,
    )
    trace = Tracer(brain)
    trace.tick(600)
    mode = next(package for package in brain.primary_state() if isinstance(package, RobotModeInfo))
    assert mode.control_mode == 2
    assert brain.read("target_TCP_speed")[2] == pytest.approx(-0.03, abs=1e-3)
    # Something pushes back: with as much force it stands still.
    brain.push_tool([0, 0, 20, 0, 0, 0])
    trace.tick(100)
    assert brain.read("target_TCP_speed")[2] == pytest.approx(0.0, abs=1e-6)
    trace.until_stopped()
    assert np.abs(trace.xyz[:, :2] - trace.xyz[0, :2]).max() < 1e-3
    assert trace.xyz[-1, 2] < trace.xyz[0, 2] - 0.02


def test_a_move_in_force_mode_is_still_made():
    brain = make_brain()
    x, y, z = brain.read("target_TCP_pose")[:3]
    run(
        brain,
        """
        force_mode(p[0,0,0,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0,0], 2, [0.1,0.1,0.1,0.2,0.2,0.2])
        movel(pose_add(get_target_tcp_pose(), p[0, 0.05, 0, 0, 0, 0]))
        end_force_mode()
        """,
    )
    assert brain.read("target_TCP_pose")[:3] == pytest.approx((x, y + 0.05, z), abs=1e-6)


def test_contact_is_told_in_ticks_and_the_way_back_is_remembered():
    brain = make_brain()
    start(
        brain,
        """
        steps = 0
        while steps == 0:
          speedl([0, 0, -0.05, 0, 0, 0], 0.5, 0.002)
          steps = tool_contact(direction=get_target_tcp_speed())
        end
        q = get_actual_joint_positions_history(steps)
        stopl(3)
        movel(q)
        textmsg(steps)
        """,
    )
    tick(brain, 400)
    assert brain.read("runtime_state") == RuntimeState.PLAYING
    touched = np.array(brain.read("actual_q"))
    brain.push_tool([0, 0, 12, 0, 0, 0])
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    assert int(words(list(brain.messages()))[0]) >= 1
    assert brain.read("target_q") == pytest.approx(touched, abs=2e-3)


def test_force_and_steadiness():
    brain = make_brain()
    brain.push_tool([3, 4, 0, 0, 0, 0])
    tick(brain, 1)
    told = run(brain, "textmsg(is_steady())\ntextmsg(force())\ntextmsg(get_tcp_force())")
    assert words(told) == ["True", "5", "[3, 4, 0, 0, 0, 0]"]
    start(
        brain, "thread go():\n  movej([1, -1.4, 1.7, -1.9, -1.57, 0])\nend\nrun go()\nsleep(0.5)\ntextmsg(is_steady())"
    )
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    assert words(list(brain.messages())) == ["False"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("force_mode(p[0,0,0,0,0,0], [1], [0,0,0,0,0,0], 2, [0,0,0,0,0,0])", "selection_vector"),
        ("force_mode(p[0,0,0,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0,0], 9, [0,0,0,0,0,0])", "1, 2 or 3"),
        ("freedrive_mode(freeAxes=[1, 1])", "freeAxes"),
        ("set_payload(50)", "payload"),
        ("set_tcp([1, 2])", "set_tcp"),
        ("set_gravity([0, 0])", "set_gravity"),
        ("get_joint_temp(6)", "0 to 5"),
        ("get_actual_joint_positions_history(-1)", "below 0"),
    ],
)
def test_bad_arguments_are_runtime_errors(call: str, said: str):
    assert said in failure(make_brain(), call)
