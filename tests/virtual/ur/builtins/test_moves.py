"""movej, movel, movec, movep: where they go, how fast, round corners, and always within what the arm can do."""

import math
import random

import numpy as np
import pytest
from ur_brain import READY, Tracer, failure, in_limits, make_brain, run, start, tick, until, words

from openpendant.virtual.ur import RuntimeState, SafetyMode, UrController


def traced(brain: UrController, body: str) -> Tracer:
    start(brain, body)
    trace = Tracer(brain)
    trace.tick(2)
    trace.until_stopped()
    in_limits(trace)
    return trace


def test_movej_keeps_velocity_and_acceleration_of_the_leading_joint():
    brain = make_brain()
    goal = np.add(READY, [1.0, 0.2, -0.3, 0.0, 0.0, 0.5])
    trace = traced(brain, f"movej({goal.tolist()}, a=1.4, v=1.05)")
    velocity, acceleration, _ = trace.derivatives()
    assert brain.read("target_q") == pytest.approx(goal, abs=1e-12)
    assert velocity.max() == pytest.approx(min(1.05, math.sqrt(1.4 * 1.0)), rel=0.01)
    assert acceleration.max() == pytest.approx(1.4, rel=0.01)
    # Ramps of 0.75 s and 0.20 s between them, and the smoothing.
    assert len(trace.rows) * 0.002 == pytest.approx(1.0 / 1.05 + 1.05 / 1.4 + 0.02, abs=0.03)
    # All joints start and stop together, straight in joint space.
    way = (trace.q - trace.q[0]) / (goal - trace.q[0] + 1e-30)
    moving = np.abs(goal - trace.q[0]) > 1e-6
    assert np.ptp(way[:, moving], axis=1).max() < 1e-6


def test_movej_to_a_pose_takes_the_nearest_joints():
    brain = make_brain()
    told = run(brain, "p = get_target_tcp_pose()\np[2] = p[2] - 0.05\nmovej(p)\ntextmsg(p)")
    assert words(told)
    T = brain.read("target_TCP_pose")
    assert T[2] == pytest.approx(make_brain().read("target_TCP_pose")[2] - 0.05, abs=1e-9)
    assert np.abs(np.array(brain.read("target_q")) - READY).max() < 0.6


def test_movel_is_straight_with_the_asked_tool_speed_and_acceleration():
    brain = make_brain()
    before = np.array(brain.read("target_TCP_pose"))
    trace = traced(brain, "movel(pose_add(get_target_tcp_pose(), p[0.0, 0.15, -0.05, 0, 0, 0]), a=0.5, v=0.2)")
    goal = np.add(before[:3], [0.0, 0.15, -0.05])
    assert trace.xyz[-1] == pytest.approx(goal, abs=1e-8)
    along = (trace.xyz - before[:3]) @ (goal - before[:3]) / np.linalg.norm(goal - before[:3]) ** 2
    off = trace.xyz - before[:3] - np.outer(along, goal - before[:3])
    assert np.linalg.norm(off, axis=1).max() < 2e-5
    speed = trace.tool_speed
    assert speed.max() == pytest.approx(0.2, rel=0.005)
    assert np.abs(np.diff(speed) / 0.002).max() == pytest.approx(0.5, rel=0.05)
    assert np.array(brain.read("target_TCP_pose"))[3:] == pytest.approx(before[3:], abs=1e-7)


def test_movel_turns_and_moves_together():
    brain = make_brain()
    before = brain.read("target_TCP_pose")
    traced(brain, "movel(pose_trans(get_target_tcp_pose(), p[0.02, 0, 0, 0, 0, 0.6]), v=0.1)")
    after = brain.read("target_TCP_pose")
    assert math.dist(before[:3], after[:3]) == pytest.approx(0.02, abs=1e-8)
    assert brain.read("target_q")[5] == pytest.approx(READY[5] + 0.6, abs=0.2)


@pytest.mark.parametrize("seconds", [0.8, 2.0, 5.0])
@pytest.mark.parametrize("kind", ["movej", "movel"])
def test_a_time_rules_speed_and_acceleration(kind: str, seconds: float):
    brain = make_brain()
    goal = "p[0, 0.1, 0.05, 0, 0, 0]"
    call = f"{kind}(pose_add(get_target_tcp_pose(), {goal}), t={seconds})"
    trace = traced(brain, call)
    assert len(trace.rows) * 0.002 == pytest.approx(seconds, abs=0.05 + 0.02 * seconds)


def test_movec_goes_round():
    brain = make_brain()
    x, y, z = brain.read("target_TCP_pose")[:3]
    trace = traced(
        brain,
        """
        p = get_target_tcp_pose()
        movec(pose_add(p, p[0.04, 0.04, 0, 0, 0, 0]), pose_add(p, p[0, 0.08, 0, 0, 0, 0]), a=0.5, v=0.1)
        """,
    )
    centre = np.array([x, y + 0.04, z])
    assert np.linalg.norm(trace.xyz - centre, axis=1) == pytest.approx(0.04, abs=2e-5)
    assert trace.xyz[-1] == pytest.approx([x, y + 0.08, z], abs=1e-7)
    assert trace.xyz[:, 0].max() == pytest.approx(x + 0.04, abs=1e-4)


@pytest.mark.parametrize("kind", ["movel", "movep"])
@pytest.mark.parametrize("radius", [0.005, 0.02])
def test_a_blend_rounds_the_corner_within_its_radius_and_does_not_stop(kind: str, radius: float):
    brain = make_brain()
    x, y, z = brain.read("target_TCP_pose")[:3]
    trace = traced(
        brain,
        f"""
        p = get_target_tcp_pose()
        {kind}(pose_add(p, p[0, 0.1, 0, 0, 0, 0]), a=1.2, v=0.25, r={radius})
        {kind}(pose_add(p, p[0, 0.1, 0.1, 0, 0, 0]), a=1.2, v=0.25)
        """,
    )
    corner = np.array([x, y + 0.1, z])
    gaps = np.linalg.norm(trace.xyz - corner, axis=1)
    # It passes the corner inside of the radius, and does not touch it.
    assert 0.05 * radius < gaps.min() < radius
    # Outside of the radius it is on the programmed lines.
    outside = trace.xyz[gaps > radius * 1.02]
    off = np.minimum(
        np.hypot(outside[:, 0] - x, outside[:, 2] - z), np.hypot(outside[:, 0] - x, outside[:, 1] - y - 0.1)
    )
    assert off.max() < 5e-5
    middle = int(gaps.argmin())
    slowest = trace.tool_speed[middle - 60 : middle + 60].min()
    assert slowest > 0.05
    assert trace.xyz[-1] == pytest.approx([x, y + 0.1, z + 0.1], abs=1e-8)


@pytest.mark.parametrize(("speed", "slider"), [(0.03, 1.0), (0.25, 0.2), (0.5, 0.6)])
def test_blends_at_any_speed(speed: float, slider: float):
    brain = make_brain()
    brain.set_speed_slider(slider)
    x, y, z = brain.read("target_TCP_pose")[:3]
    trace = traced(
        brain,
        f"""
        p = get_target_tcp_pose()
        movel(pose_add(p, p[0, 0.06, 0, 0, 0, 0]), a=1.2, v={speed}, r=0.02)
        movel(pose_add(p, p[0, 0.06, 0.06, 0, 0, 0]), a=1.2, v={speed})
        """,
    )
    gaps = np.linalg.norm(trace.xyz - [x, y + 0.06, z], axis=1)
    assert 0.001 < gaps.min() < 0.02
    middle = int(gaps.argmin())
    assert trace.tool_speed[middle - 40 : middle + 40].min() > 0.3 * min(speed * slider, 0.1)
    assert trace.xyz[-1] == pytest.approx([x, y + 0.06, z + 0.06], abs=1e-8)


def test_there_and_back_with_a_radius_turns_round_in_it():
    brain = make_brain()
    y = brain.read("target_TCP_pose")[1]
    trace = traced(
        brain,
        """
        p = get_target_tcp_pose()
        i = 0
        while i < 3:
          movel(pose_add(p, p[0, 0.08, 0, 0, 0, 0]), v=0.3, r=0.01)
          movel(p, v=0.3, r=0.01)
          i = i + 1
        end
        movel(p, v=0.3)
        """,
    )
    turns = np.flatnonzero(np.diff(np.sign(np.diff(trace.xyz[:, 1]))) < 0)
    assert len(turns) == 3
    assert y + 0.069 < trace.xyz[:, 1].max() <= y + 0.08 + 1e-6
    assert trace.xyz[-1, 1] == pytest.approx(y, abs=1e-8)


def test_without_a_radius_it_stops_at_the_corner():
    brain = make_brain()
    y = brain.read("target_TCP_pose")[1]
    trace = traced(
        brain,
        """
        p = get_target_tcp_pose()
        movel(pose_add(p, p[0, 0.1, 0, 0, 0, 0]))
        movel(pose_add(p, p[0, 0.1, 0.1, 0, 0, 0]))
        """,
    )
    assert np.abs(trace.xyz[:, 1] - (y + 0.1)).min() < 1e-9
    speed = trace.tool_speed
    assert (speed[100:-100] < 1e-9).any()


def test_a_chain_of_blends_never_stops_between():
    brain = make_brain()
    corners = [(0.0, 0.06), (0.05, 0.06), (0.05, 0.0), (0.1, 0.0), (0.1, 0.06), (0.05, 0.06)]
    moves = "\n".join(f"movel(pose_add(p, p[0, {a}, {b}, 0, 0, 0]), a=1, v=0.15, r=0.008)" for a, b in corners)
    trace = traced(brain, f"p = get_target_tcp_pose()\n{moves}\nmovel(pose_add(p, p[0, 0, 0.1, 0, 0, 0]), v=0.15)")
    speed = trace.tool_speed
    awake = np.flatnonzero(speed > 0.01)
    assert speed[awake[0] : awake[-1]].min() > 0.01
    x, y, z = make_brain().read("target_TCP_pose")[:3]
    for a, b in corners:
        assert np.linalg.norm(trace.xyz - [x, y + a, z + b], axis=1).min() < 0.008


def test_movej_blends_too():
    brain = make_brain()
    a, b = np.add(READY, [0.4, 0, 0, 0, 0, 0]), np.add(READY, [0.4, 0.3, 0, 0, 0, 0])
    trace = traced(brain, f"movej({a.tolist()}, r=0.05)\nmovej({b.tolist()})")
    gap = np.abs(trace.q - a).max(axis=1).min()
    assert 1e-4 < gap < 0.3
    velocity = np.abs(np.diff(trace.q, axis=0)).max(axis=1) / 0.002
    middle = int(np.abs(trace.q - a).max(axis=1).argmin())
    assert velocity[middle - 50 : middle + 50].min() > 0.1
    assert trace.q[-1] == pytest.approx(b, abs=1e-12)


def test_the_program_goes_on_while_the_arm_still_blends():
    brain = make_brain()
    start(
        brain,
        """
        p = get_target_tcp_pose()
        movel(pose_add(p, p[0, 0.1, 0, 0, 0, 0]), r=0.02)
        set_standard_digital_out(0, True)
        movel(pose_add(p, p[0, 0.1, 0.1, 0, 0, 0]))
        """,
    )
    until(brain, lambda: brain.read("actual_digital_output_bits") == 1)
    assert np.linalg.norm(brain.read("target_TCP_speed")[:3]) > 0.1


def test_a_radius_with_nothing_after_it_still_arrives():
    brain = make_brain()
    y = brain.read("target_TCP_pose")[1]
    run(brain, "movel(pose_add(get_target_tcp_pose(), p[0, 0.1, 0, 0, 0, 0]), r=0.02)\nsleep(1.0)")
    assert brain.read("target_TCP_pose")[1] == pytest.approx(y + 0.1, abs=1e-8)


def test_the_speed_slider_slows_down_smoothly_and_back():
    brain = make_brain()
    start(brain, f"movej({(np.add(READY, [2.0, 0, 0, 0, 0, 0])).tolist()}, a=3, v=1.0)")
    trace = Tracer(brain)
    trace.tick(400)
    assert brain.read("target_qd")[0] == pytest.approx(1.0, rel=1e-3)
    brain.set_speed_slider(0.25)
    trace.tick(300)
    assert brain.read("target_qd")[0] == pytest.approx(0.25, rel=1e-3)
    assert brain.read("speed_scaling") == 0.25
    brain.set_speed_slider(1.0)
    trace.until_stopped()
    in_limits(trace)
    assert brain.read("target_q")[0] == pytest.approx(READY[0] + 2.0, abs=1e-12)


def test_a_pause_stops_on_the_path_and_goes_on_along_it():
    brain = make_brain()
    x, y, z = brain.read("target_TCP_pose")[:3]
    start(brain, "movel(pose_add(get_target_tcp_pose(), p[0, 0.15, 0, 0, 0, 0]), v=0.1)")
    trace = Tracer(brain)
    trace.tick(300)
    brain.pause()
    trace.until(lambda: brain.read("runtime_state") == RuntimeState.PAUSED, 300)
    trace.tick(100)
    assert trace.tool_speed[-50:].max() == 0.0
    brain.play()
    trace.until_stopped()
    in_limits(trace)
    assert np.abs(trace.xyz[:, [0, 2]] - [x, z]).max() < 2e-5
    assert trace.xyz[-1, 1] == pytest.approx(y + 0.15, abs=1e-8)


def test_set_tcp_moves_the_point_that_moves():
    brain = make_brain()
    run(brain, "set_tcp(p[0, 0, 0.1, 0, 0, 0])")
    tick(brain, 1)
    assert brain.read("tcp_offset") == (0.0, 0.0, 0.1, 0.0, 0.0, 0.0)
    before = np.array(brain.read("target_TCP_pose"))
    trace = traced(brain, "movel(pose_trans(get_target_tcp_pose(), p[0, 0, 0, 0.4, 0, 0]), v=0.1)")
    assert np.abs(trace.xyz - before[:3]).max() < 2e-5


@pytest.mark.parametrize(
    ("call", "words_"),
    [
        ("movej([1, 2, 3])", "6"),
        ("movej([0, 0, 0, 0, 0, 0], a=0)", "above 0"),
        ("movel(p[0.2, 0.2, 0.2, 0, 0, 0], v=-1)", "above 0"),
        ('movej("home")', "list of 6"),
        ("movej(p[5, 5, 5, 0, 0, 0])", "unable to find an inverse kinematics solution"),
    ],
)
def test_bad_moves_are_runtime_errors(call: str, words_: str):
    assert words_ in failure(make_brain(), call)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("movej([7, -1.4, 1.7, -1.9, -1.57, 0])", 150),
        ("movel(pose_add(get_target_tcp_pose(), p[-0.6, 0, 0, 0, 0, 0]))", 154),
    ],
)
def test_moves_that_cannot_be_are_protective_stops(call: str, code: int):
    brain = make_brain()
    start(brain, call)
    tick(brain, 5)
    assert brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP
    assert [message.code for message in brain.messages() if hasattr(message, "level")] == [code]
    assert brain.read("target_q") == pytest.approx(READY)


def random_program(seed: int) -> str:
    rng = random.Random(seed)
    lines = ["home = get_target_joint_positions()", "p = get_target_tcp_pose()"]
    for _ in range(5):
        a, v, r = rng.uniform(0.3, 30), rng.uniform(0.05, 8), rng.choice([0, 0, 0.01, 0.03])
        step = [round(rng.uniform(-0.06, 0.06), 4) for _ in range(3)]
        turn = [round(rng.uniform(-0.3, 0.3), 3) for _ in range(3)]
        speeds = [round(rng.uniform(-3, 3), 3) for _ in range(6)]
        ahead, gain = rng.uniform(0.03, 0.2), rng.randint(100, 2000)
        joints = [round(q + rng.uniform(-0.8, 0.8), 4) for q in READY]
        lines.append(
            rng.choice(
                [
                    f"movej({joints}, a={a:.3f}, v={v:.3f}, r={r})",
                    f"movel(pose_add(p, p{[*step, *turn]}), a={a:.3f}, v={v:.3f}, r={r})",
                    f"speedj({speeds}, {a:.3f}, {rng.uniform(0.01, 0.3):.3f})",
                    f"speedl({[*step, *turn]}, {a:.3f}, {rng.uniform(0.01, 0.4):.3f})",
                    f"stopj({a:.3f})",
                    f"stopl({a:.3f})",
                    f"servoj({joints}, t={rng.uniform(0.002, 0.4):.3f}, lookahead_time={ahead:.3f}, gain={gain})",
                    f"movej(home, a={a:.3f}, v={v:.3f})",
                    "sleep(0.05)",
                ]
            )
        )
    return "\n".join(lines)


def ride_out(seed: int) -> None:
    """Run a random program with random pauses, sliders and stops; every setpoint is within the limits."""
    brain = make_brain(unlock_after_s=0.0)
    rng = random.Random(1000 + seed)
    start(brain, random_program(seed))
    trace = Tracer(brain)
    for _ in range(40):
        trace.tick(rng.randint(1, 100))
        act = rng.random()
        if act < 0.15:
            brain.pause()
        elif act < 0.25:
            brain.set_speed_slider(rng.random())
        elif act < 0.28:
            brain.trigger_protective_stop("a test")
        elif act < 0.30:
            brain.stop()
        else:
            brain.unlock_protective_stop()
            brain.play()
    in_limits(trace)


@pytest.mark.parametrize("seed", range(12))
def test_no_setpoint_of_random_programs_exceeds_the_arm(seed: int):
    ride_out(seed)


@pytest.mark.soak
def test_no_setpoint_of_many_random_programs_exceeds_the_arm():
    for seed in range(100, 600):
        ride_out(seed)
