"""servoj, servol, servoc, speedj, speedl, stopj, stopl: motion that a program steers from tick to tick."""

import math

import numpy as np
import pytest
from ur_brain import READY, Tracer, failure, in_limits, make_brain, run, start, tick, until, words

from openpendant.virtual.ur import ErrorCode, RuntimeState, SafetyMode, UrController


def test_speedj_ramps_with_its_acceleration_and_keeps_the_speed():
    brain = make_brain()
    start(brain, "speedj([0.5, 0, 0, 0, 0, -0.25], 1.0, 2.0)\nstopj(2.0)")
    trace = Tracer(brain)
    trace.tick(250)
    assert brain.read("target_qd")[0] == pytest.approx(0.5 - 0.007, abs=0.01)
    trace.tick(50)
    assert brain.read("target_qd") == pytest.approx((0.5, 0, 0, 0, 0, -0.25), abs=1e-9)
    trace.until_stopped()
    in_limits(trace)
    velocity, acceleration, _ = trace.derivatives()
    assert acceleration[0] == pytest.approx(2.0, rel=0.02)
    # Both joints ramp in the same time.
    assert velocity[5] == pytest.approx(0.5 * velocity[0], rel=1e-6)
    assert trace.q[-1, 0] - READY[0] == pytest.approx(0.5 * 2.0 - 0.5 * 0.5 * 0.5 + 0.25 * 0.25, abs=0.01)


def test_speedj_without_time_returns_at_speed_and_runs_on_until_the_program_ends():
    brain = make_brain()
    start(brain, "speedj([0.3, 0, 0, 0, 0, 0], 1.0)\nset_standard_digital_out(0, True)\nsleep(1.0)")
    reached = until(brain, lambda: brain.read("actual_digital_output_bits") == 1)
    assert reached * 0.002 == pytest.approx(0.3, abs=0.02)
    tick(brain, 300)
    assert brain.read("target_qd")[0] == pytest.approx(0.3)
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    assert np.abs(brain.read("target_qd")).max() == 0.0


def test_a_speed_that_nobody_renews_ends_by_itself():
    brain = make_brain()
    start(brain, "speedj([0.3, 0, 0, 0, 0, 0], 2.0, 0.5)\nsleep(2.0)")
    tick(brain, 245)
    assert brain.read("target_qd")[0] == pytest.approx(0.3)
    tick(brain, 60)
    assert brain.read("target_qd")[0] == 0.0
    assert brain.read("runtime_state") == RuntimeState.PLAYING


def test_speedl_moves_the_tool_straight():
    brain = make_brain()
    before = np.array(brain.read("target_TCP_pose"))
    start(brain, "speedl([0, 0.05, 0.1, 0, 0, 0], 0.5, 1.0)\nstopl(0.5)")
    trace = Tracer(brain)
    trace.tick(400)
    assert brain.read("target_TCP_speed")[:3] == pytest.approx((0, 0.05, 0.1), abs=2e-4)
    trace.until_stopped()
    in_limits(trace)
    way = trace.xyz - before[:3]
    assert np.abs(way[:, 0]).max() < 3e-4
    assert way[200:, 1] / way[200:, 2] == pytest.approx(0.5, abs=0.005)
    assert np.abs(np.diff(trace.tool_speed) / 0.002).max() == pytest.approx(0.5, rel=0.1)
    # A rotation by half a turn has two vectors.
    assert np.abs(brain.read("target_TCP_pose")[3:]) == pytest.approx(np.abs(before[3:]), abs=1e-5)


def test_speedl_turns_about_base_axes():
    brain = make_brain()
    place = brain.read("target_TCP_pose")[:3]
    start(brain, "speedl([0, 0, 0, 0, 0, 0.3], 1.0, 1.0, aRot=2.0)")
    tick(brain, 300)
    assert brain.read("target_TCP_speed")[3:] == pytest.approx((0, 0, 0.3), abs=1e-3)
    assert math.dist(brain.read("target_TCP_pose")[:3], place) < 1e-3


@pytest.mark.parametrize("speed", [0.2, 1.5, 3.0])
@pytest.mark.parametrize(("ahead", "gain"), [(0.1, 300), (0.03, 2000), (0.03, 1200), (0.2, 100)])
def test_servoj_follows_by_gain_and_lookahead(ahead: float, gain: float, speed: float):
    """q'' = gain (q* - q - lookahead q'): at constant speed, whichever it is, it is late by the lookahead time.

    A UR10e that was streamed servoj(q, 0, 0, 0.002, 0.03, 1200) was 34 ms late, 4 to 6 ms of them transport
    (Universal_Robots_Client_Library, issue 86).
    """
    brain = make_brain()
    program = f"""
    q = get_target_joint_positions()
    qd = 0
    while q[0] < 4.5:
      qd = qd + 0.01
      if qd > {speed}:
        qd = {speed}
      end
      q[0] = q[0] + qd * 0.002
      servoj(q, t=0.002, lookahead_time={ahead}, gain={gain})
    end
    write_output_float_register(0, q[0])
    write_output_float_register(1, get_target_joint_positions()[0])
    """
    start(brain, program)
    trace = Tracer(brain)
    trace.tick(2)
    trace.until_stopped()
    in_limits(trace)
    asked, made = brain.read("output_double_register_0"), brain.read("output_double_register_1")
    # The smoothing and one tick come on top.
    assert (asked - made) / speed == pytest.approx(ahead + 0.005, abs=0.004)


def test_servoj_settles_on_its_setpoint():
    brain = make_brain()
    goal = (np.array(READY) + 0.1).tolist()
    run(brain, f"servoj({goal}, t=1.5, lookahead_time=0.1, gain=300)")
    assert brain.read("target_q") == pytest.approx(goal, abs=1e-4)


def test_a_far_setpoint_is_reached_without_exceeding_anything():
    brain = make_brain()
    goal = (np.add(READY, [2.0, -1.0, 0.5, 2.0, 1.0, 3.0])).tolist()
    start(brain, f"servoj({goal}, t=3.0, lookahead_time=0.03, gain=2000)")
    trace = Tracer(brain)
    trace.tick(2)
    trace.until_stopped()
    in_limits(trace)
    assert trace.q[-1] == pytest.approx(goal, abs=1e-3)
    assert trace.q.max(axis=0) == pytest.approx(np.maximum(goal, READY), abs=0.05)


def test_servol_and_servoc_reach_poses():
    brain = make_brain()
    x, y, z = brain.read("target_TCP_pose")[:3]
    run(brain, "p = pose_add(get_target_tcp_pose(), p[0, 0.02, 0, 0, 0, 0])\nservol(p, t=1.5, gain=300)")
    assert brain.read("target_TCP_pose")[:3] == pytest.approx((x, y + 0.02, z), abs=1e-4)
    start(brain, "servoc(pose_add(get_target_tcp_pose(), p[0, 0.1, 0, 0, 0, 0]), a=0.5, v=0.1)")
    trace = Tracer(brain)
    trace.tick(2)
    trace.until_stopped()
    in_limits(trace)
    assert trace.xyz[-1] == pytest.approx([x, y + 0.12, z], abs=5e-4)
    assert trace.tool_speed.max() == pytest.approx(0.1, rel=0.05)


def test_a_killed_thread_lets_the_arm_brake():
    brain = make_brain()
    start(
        brain,
        """
        thread mover():
          movej([2, -1.4, 1.7, -1.9, -1.57, 0], a=3, v=1)
        end
        t = run mover()
        sleep(1.0)
        kill t
        sleep(1.0)
        textmsg(get_target_joint_speeds())
        movej([0, -1.4, 1.7, -1.9, -1.57, 0], a=3, v=1)
        """,
    )
    trace = Tracer(brain)
    trace.tick(2)
    trace.until_stopped()
    in_limits(trace)
    assert words(list(brain.messages())) == ["[0, 0, 0, 0, 0, 0]"]
    assert 0.5 < trace.q[:, 0].max() < 1.5
    assert trace.q[-1, 0] == pytest.approx(0.0, abs=1e-9)


def test_only_one_thread_moves_the_arm():
    brain = make_brain()
    said = failure(
        brain,
        """
        thread other():
          movej([2, -1.4, 1.7, -1.9, -1.57, 0])
        end
        t = run other()
        sleep(0.1)
        movej([0, -1.4, 1.7, -1.9, -1.57, 0])
        """,
    )
    assert said == "Another thread is already controlling the robot"
    until(brain, lambda: np.abs(brain.read("target_qd")).max() == 0.0, 500)


def test_a_move_after_a_speed_brakes_first():
    brain = make_brain()
    start(brain, f"speedj([1, 0, 0, 0, 0, 0], 3, 0.5)\nmovej({list(READY)}, a=2)")
    trace = Tracer(brain)
    trace.tick(2)
    trace.until_stopped()
    in_limits(trace)
    assert trace.q[-1] == pytest.approx(READY, abs=1e-12)


def until_protective(brain: UrController, most: int = 5_000) -> ErrorCode:
    until(brain, lambda: brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP, most)
    return next(message for message in brain.messages() if isinstance(message, ErrorCode))


def test_a_joint_driven_into_its_limit_stops_before_it():
    start_q = [6.0, *READY[1:]]
    brain = make_brain(start_q=start_q)
    start(brain, "while True:\n  speedj([1, 0, 0, 0, 0, 0], 2, 0.02)\nend")
    trace = Tracer(brain)
    trace.until(lambda: brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP, 2000)
    told = next(message for message in brain.messages() if isinstance(message, ErrorCode))
    assert (told.title, told.text) == ("C150A0", "Protective Stop: Position close to joint limits")
    trace.tick(300)
    in_limits(trace)
    assert math.tau - 0.1 < trace.q[-1, 0] < math.tau


def test_more_speed_than_a_joint_has_is_a_protective_stop():
    brain = make_brain()
    start(brain, "speedj([0, 0, 4, 0, 0, 0], 2, 1)")
    told = until_protective(brain)
    assert told.title == "C191A34"
    assert "Elbow" in told.text


def test_a_setpoint_beyond_a_limit_is_a_protective_stop():
    brain = make_brain()
    start(brain, "servoj([7, -1.4, 1.7, -1.9, -1.57, 0])")
    assert until_protective(brain).title == "C150A0"


def test_a_singularity_in_the_way_of_the_tool_is_a_protective_stop():
    brain = make_brain()
    start(brain, "speedl([-0.3, 0, 0, 0, 0, 0], 2, 5)")
    trace = Tracer(brain)
    trace.until(lambda: brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP, 3000)
    trace.tick(200)
    in_limits(trace)
    assert next(m for m in brain.messages() if isinstance(m, ErrorCode)).title == "C154A0"


def test_a_tool_that_is_too_fast_is_a_protective_stop():
    brain = make_brain(tool_speed_m_s=0.3, start_q=(0.0, -0.2, 0.2, -0.2, 0.0, 0.0))
    start(brain, "speedj([2, 0, 0, 0, 0, 0], 5, 1)")
    assert until_protective(brain).title == "C191A3"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("speedj([1, 2], 1, 1)", "6"),
        ("speedj([0, 0, 0, 0, 0, 0], -1, 1)", "above 0"),
        ("speedj([0, 0, 0, 0, 0, 0], 0)", "above 0"),
        ("speedl([0, 0, 0, 0, 0, 0], -1, 1)", "above 0"),
        ("servoj([0, 0, 0, 0, 0])", "6"),
        ("servol(p[9, 9, 9, 0, 0, 0])", "inverse kinematics"),
        ("stopj(0)", "above 0"),
        ("stopl(0)", "above 0"),
        ("servoc(p[0.1, 0.1, 0.1, 0, 0, 0], v=0)", "above 0"),
    ],
)
def test_bad_streams_are_runtime_errors(call: str, said: str):
    assert said in failure(make_brain(), call)
