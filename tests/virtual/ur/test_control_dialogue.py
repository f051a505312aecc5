"""The dialogue of the maker's client library with its control program, both sides ours, tick by tick."""

import numpy as np
import pytest
from control_client import (
    CANCEL,
    CANCELED,
    DONE,
    FAILED,
    IDLE,
    MOVE_C,
    MOVE_C_JOINT,
    MOVE_J,
    MOVE_J_POSE,
    MOVE_L,
    MOVE_L_JOINT,
    MOVE_P,
    OPTIMOVE_J,
    OPTIMOVE_L,
    POSE,
    SERVO,
    SPEED,
    START,
    STOPPED,
    STREAM,
    TOOL_SPEED,
    ControlClient,
)
from ur_brain import READY, Array, tick, until, words

from openpendant.protocols.ur_primary import RobotModeInfo
from openpendant.virtual.ur import MODELS, ErrorCode, RobotMode, RuntimeException, RuntimeState, SafetyMode

UP = np.array([0, 0, 0.05, 0, 0, 0])


@pytest.fixture
def client() -> ControlClient:
    client = ControlClient()
    client.upload()
    return client


def pose_of(client: ControlClient) -> Array:
    return np.array(client.brain.read("target_TCP_pose"))


def stream_servo(client: ControlClient, ticks: int, since: int = 0) -> None:
    for n in range(since, since + ticks):
        client.send(SERVO, READY + wave(n * 0.002))
        client.trace.tick()


def wave(t: Array | float) -> Array:
    return np.multiply.outer(0.2 * np.sin(2.0 * np.asarray(t)), np.array([1.0, -0.3, 0.4, 0.5, 0.2, 1.0]))


def test_the_program_starts_and_waits_for_its_client(client: ControlClient):
    tick(client.brain, 2000)
    assert client.running
    assert not [one for one in client.brain.messages() if isinstance(one, RuntimeException)]


def test_without_a_client_it_asks_and_tries_again():
    client = ControlClient()
    client.net.listening = False
    client.brain.run_script(client.program)
    until(client.brain, lambda: client.brain.popup is not None)
    client.net.listening = True
    client.brain.confirm_popup()
    client.trace.until(lambda: STREAM in client.net.connected, 100)


def test_setpoints_are_streamed_at_500_hz(client: ControlClient):
    stream_servo(client, 2000)
    assert client.brain.read("output_int_register_20") == 0, "every cycle had its setpoint"
    # The look-ahead of 30 ms, the mean over eight cycles, and the cycle in which the setpoint arrives.
    times = np.arange(500, 2000) * 0.002
    assert np.abs(client.trace.q[-1500:] - READY - wave(times - 0.036)).max() < 0.002


def test_a_setpoint_that_is_missing_is_guessed(client: ControlClient):
    for n in range(1000):
        if n % 5:
            client.send(SERVO, READY + wave(n * 0.002))
        client.trace.tick()
    assert 190 <= client.brain.read("output_int_register_20") <= 200
    times = np.arange(500, 1000) * 0.002
    assert np.abs(client.trace.q[-500:] - READY - wave(times - 0.036)).max() < 0.01


def test_poses_are_streamed(client: ControlClient):
    start = pose_of(client)
    for n in range(1200):
        client.send(POSE, start + UP * min(1.0, n / 1000))
        client.trace.tick()
    assert pose_of(client) == pytest.approx(start + UP, abs=2e-4)


def test_velocities_of_joints_and_of_the_tool_are_streamed(client: ControlClient):
    for _ in range(300):
        client.send(SPEED, [0.3, 0, 0, 0, 0, -0.2])
        client.trace.tick()
    assert client.brain.read("target_qd") == pytest.approx([0.3, 0, 0, 0, 0, -0.2], abs=1e-6)
    for _ in range(300):
        client.send(TOOL_SPEED, [0, 0, 0.05, 0, 0, 0])
        client.trace.tick()
    assert client.brain.read("target_TCP_speed") == pytest.approx([0, 0, 0.05, 0, 0, 0], abs=1e-3)
    client.send(IDLE, timeout_ms=1000)
    tick(client.brain, 200)
    assert np.abs(client.brain.read("target_qd")).max() == 0.0
    assert client.running


def test_a_trajectory_of_splines_is_followed_and_nothing_trips(client: ControlClient):
    """Ten splines a second along a wave whose fastest joint is at 95 % of its speed."""
    top = 0.95 * MODELS["ur3e"].velocity[0]
    rate = top / 0.8
    shape = np.array([0.8, 0.1, -0.1, 0.2, 0.1, 0.3])

    def at(t: Array) -> tuple[Array, Array, Array]:
        # From rest: one minus cosine, and back to rest after a whole turn.
        phase = rate * t
        return tuple(
            np.multiply.outer(one, shape) for one in (1 - np.cos(phase), rate * np.sin(phase), rate**2 * np.cos(phase))
        )  # type: ignore[return-value]

    count = 20
    times = np.linspace(0.0, 2 * np.pi / rate, count + 1)
    Q, Qd, Qdd = at(times)
    Qdd[0] = Qdd[-1] = 0.0
    client.forward(START, count)
    for n in range(1, count + 1):
        client.spline(READY + Q[n], Qd[n], Qdd[n], times[n] - times[n - 1])
    assert client.wait_for_outcome() == DONE
    assert client.brain.read("safety_mode") == SafetyMode.NORMAL
    assert not [one for one in client.brain.messages() if isinstance(one, ErrorCode)]
    velocity, _, _ = client.trace.derivatives()
    assert velocity[0] == pytest.approx(top, rel=0.02)
    tick(client.brain, 50)
    assert client.brain.read("target_q") == pytest.approx(READY, abs=0.002)


@pytest.mark.parametrize("slider", [1.0, 0.25])
def test_a_spline_may_end_with_a_velocity(client: ControlClient, slider: float):
    client.brain.set_speed_slider(slider)
    tick(client.brain, 400)
    qd = np.array([0.5, 0.4, 0.3, 0.2, 0.1, 1.0]) * 0.273
    client.forward(START, 1)
    client.spline(READY, qd, (0.0,) * 6, 2.0)
    assert client.wait_for_outcome() == DONE
    assert client.brain.read("safety_mode") == SafetyMode.NORMAL
    assert client.running
    tick(client.brain, 100)
    assert client.brain.read("target_q") == pytest.approx(READY, abs=0.02)
    assert np.abs(client.brain.read("target_qd")).max() == 0.0


def test_a_spline_that_holds_takes_its_time(client: ControlClient):
    client.forward(START, 5)
    for _ in range(5):
        client.spline(READY, (0.0,) * 6, (0.0,) * 6, 0.1)
    began = client.brain.ticks
    assert client.wait_for_outcome() == DONE
    assert client.brain.ticks - began == pytest.approx(250, abs=20)
    assert client.brain.read("target_q") == pytest.approx(READY, abs=1e-6)


def test_moves_of_every_kind_to_joints_and_poses(client: ControlClient):
    home = pose_of(client)
    pace = (0.5, 1.2)
    aside = np.add(READY, [0.2, 0.05, -0.05, 0.0, 0.1, 0.1])
    near = np.array(READY)
    client.forward(START, 11)
    client.point(MOVE_J, aside, third=pace, radius_m=0.01)
    client.point(MOVE_J_POSE, home + UP, third=pace)
    client.point(MOVE_J_POSE, home, near, (*pace, 1.0))
    client.point(MOVE_L, home + UP, third=(0.2, 1.0), radius_m=0.01)
    client.point(MOVE_L_JOINT, READY, third=(0.2, 1.0))
    client.point(MOVE_P, home + UP, third=(0.2, 1.0))
    client.point(MOVE_C, home, np.add(home, [0.02, 0, 0.02, 0, 0, 0]), (0.2, 1.0, 0.0))
    client.point(MOVE_C_JOINT, aside, np.add(READY, [0.1, 0.1, -0.1, 0, 0.05, 0.05]), (0.2, 1.0, 0.0))
    client.point(OPTIMOVE_J, READY, third=(0.5, 0.5), radius_m=0.01)
    client.point(OPTIMOVE_L, home + UP, third=(0.2, 0.3))
    client.point(MOVE_J, READY, third=pace, time_s=2.0)
    assert client.wait_for_outcome() == DONE
    assert client.brain.read("target_q") == pytest.approx(READY, abs=1e-6)


def test_an_older_controller_has_no_optimized_moves():
    client = ControlClient(version=(5, 20, 0, 0))
    client.upload()
    client.forward(START, 1)
    client.point(OPTIMOVE_J, READY, third=(0.5, 0.5))
    assert client.wait_for_outcome() == FAILED


def test_a_trajectory_is_canceled_and_another_one_follows(client: ControlClient):
    for _ in range(2):
        client.forward(START, 500)
        for n in range(500):
            client.spline(np.add(READY, 0.005 * n), (0.05,) * 6, (0.0,) * 6, 0.1)
        for _ in range(100):
            client.trace.tick()
        assert np.abs(client.brain.read("target_qd")).max() > 0.03
        client.forward(CANCEL)
        client.trace.until(lambda: bool(client.net.from_robot[50003]), 500)
        assert client.outcomes() == [CANCELED]
        tick(client.brain, 100)
        assert np.abs(client.brain.read("target_qd")).max() == 0.0
        assert client.running


def test_another_mode_cancels_a_trajectory(client: ControlClient):
    client.forward(START, 3)
    for n in range(3):
        client.point(MOVE_J, np.add(READY, 0.3 * (n + 1)), third=(0.3, 1.0))
    for _ in range(300):
        client.trace.tick()
    client.send(IDLE, timeout_ms=1000)
    client.trace.until(lambda: bool(client.net.from_robot[50003]), 500)
    assert client.outcomes() == [CANCELED]


def test_a_trajectory_that_runs_dry_has_failed(client: ControlClient):
    client.forward(START, 2)
    client.spline(np.add(READY, 0.1), (0.0,) * 6, (0.0,) * 6, 0.5)
    assert client.wait_for_outcome() == FAILED
    assert client.running


def test_a_silent_client_ends_the_program_and_stops_the_arm(client: ControlClient):
    stream_servo(client, 500)
    client.send(SERVO, READY + wave(1.0), timeout_ms=60)
    moved = client.trace.until_stopped()
    assert 30 <= moved < 300
    assert np.abs(client.brain.read("target_qd")).max() == 0.0
    assert "The client is silent" in words(list(client.brain.messages()))
    assert not client.net.connected


@pytest.mark.parametrize("how", ["mode", "command", "dashboard"])
def test_the_program_is_stopped(client: ControlClient, how: str):
    stream_servo(client, 500)
    if how == "mode":
        client.send(STOPPED)
    elif how == "command":
        client.brain.run_script("stop program\n")
    else:
        client.brain.dashboard("stop")
    client.trace.until_stopped()
    assert np.abs(client.brain.read("target_qd")).max() == 0.0
    assert not client.net.connected
    assert not [one for one in client.brain.messages() if isinstance(one, RuntimeException)]


@pytest.mark.parametrize("again", [False, True])
def test_it_recovers_from_a_protective_stop(client: ControlClient, *, again: bool):
    stream_servo(client, 500)
    client.brain.trigger_protective_stop("for the test")
    stream_servo(client, 20, 500)
    assert client.brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP
    until(client.brain, lambda: client.brain.read("runtime_state") == RuntimeState.PAUSED, 500)
    # Too early: it is released when it can be.
    client.brain.run_script("set unlock protective stop\n")
    assert client.brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP
    until(client.brain, lambda: client.brain.read("safety_mode") == SafetyMode.NORMAL, 500)
    if again:
        client.brain.run_script("stop program\n")
        client.trace.until_stopped()
        client.upload()
    else:
        client.net.to_robot[STREAM].clear()
        assert client.brain.play()
    here = np.array(client.brain.read("target_q"))
    for n in range(500):
        client.send(SERVO, here + (READY - here) * min(1.0, n / 400))
        client.trace.tick()
    assert client.running
    assert client.brain.read("safety_mode") == SafetyMode.NORMAL
    assert client.brain.read("target_q") == pytest.approx(READY, abs=0.002)


def test_freedrive(client: ControlClient):
    client.freedrive(1)
    client.trace.tick(5)
    before = pose_of(client)
    client.brain.push_tool([0, 15, 0, 0, 0, 0])
    for n in range(500):
        if n % 20 == 0:
            client.freedrive(0)
        client.trace.tick()
    client.brain.push_tool([0.0] * 6)
    assert pose_of(client)[1] - before[1] > 0.01
    client.freedrive(-1, timeout_ms=1000)
    client.trace.tick(100)
    held = client.brain.read("target_q")
    client.brain.push_tool([0, 15, 0, 0, 0, 0])
    client.trace.tick(100)
    assert client.brain.read("target_q") == held
    assert client.running


def test_a_silent_client_ends_freedrive(client: ControlClient):
    client.freedrive(1, timeout_ms=50)
    client.trace.until_stopped()
    held = client.brain.read("target_q")
    client.brain.push_tool([0, 15, 0, 0, 0, 0])
    client.trace.tick(100)
    assert client.brain.read("target_q") == held


def test_the_tool_stops_at_a_contact_and_goes_back_to_it(client: ControlClient):
    client.command(5)
    for n in range(1500):
        client.send(TOOL_SPEED, [0, 0, -0.03, 0, 0, 0])
        client.trace.tick()
        if n == 500:
            client.brain.push_tool([0, 0, 20, 0, 0, 0])
            touched = pose_of(client)[2]
        if client.net.from_robot[50004]:
            break
    assert client.answers() == [0]
    assert pose_of(client)[2] == pytest.approx(touched, abs=0.002)
    client.brain.push_tool([0.0] * 6)
    # Until the client has ended it, the program takes no other mode.
    client.send(SPEED, [0.2, 0, 0, 0, 0, 0], timeout_ms=1000)
    client.trace.tick(50)
    assert np.abs(client.brain.read("target_qd")).max() == 0.0
    client.command(6)
    client.trace.tick(5)
    for _ in range(200):
        client.send(SPEED, [0.2, 0, 0, 0, 0, 0])
        client.trace.tick()
    assert client.brain.read("target_qd")[0] == pytest.approx(0.2, abs=1e-6)
    assert client.answers() == []


def test_a_contact_that_does_not_come_is_called_off(client: ControlClient):
    client.command(5)
    for n in range(200):
        client.send(TOOL_SPEED, [0, 0, 0.01, 0, 0, 0])
        if n == 100:
            client.command(6)
        client.trace.tick()
    assert client.answers() == [1]


def test_commands_beside_the_stream(client: ControlClient):
    stream_servo(client, 50)
    client.command(0)
    client.command(1, [1.2, 0.0, 0.01, 0.05])
    client.command(2, [24.0])
    client.command(9, [0.0, 0.0, 9.7])
    client.command(10, [0.0, 0.0, 0.1, 0.0, 0.0, 0.0])
    stream_servo(client, 50, 50)
    read = client.brain.read
    assert (read("payload"), read("payload_cog"), read("tool_output_voltage")) == (1.2, (0.0, 0.01, 0.05), 24)
    assert read("target_gravity") == (0.0, 0.0, 9.7)
    assert read("tcp_offset") == (0.0, 0.0, 0.1, 0.0, 0.0, 0.0)
    assert read("output_int_register_20") == 0
    # Task frame, compliant along z, 5 N upwards, type 2, limits, damping, gain.
    force = [*(0.0,) * 6, 0, 0, 1, 0, 0, 0, 0, 0, 5.0, 0, 0, 0, 2.0, 0.1, 0.1, 0.1, 0.5, 0.5, 0.5, 0.01, 0.5]
    client.send(IDLE, timeout_ms=1000)
    client.trace.tick(100)
    client.command(3, force)
    client.trace.tick(100)
    assert next(one for one in client.brain.primary_state() if isinstance(one, RobotModeInfo)).control_mode == 2
    assert client.brain.read("target_TCP_speed")[2] > 0.005
    client.command(4)
    client.trace.tick(100)
    assert np.abs(client.brain.read("target_qd")).max() == 0.0
    assert client.running


def test_power_comes_over_the_script_port_and_the_program_waits_for_it():
    client = ControlClient(power=False)
    for command, mode in (("power on", RobotMode.IDLE), ("power off", RobotMode.POWER_OFF)):
        client.brain.run_script(f"{command}\n")
        until(client.brain, lambda mode=mode: client.brain.read("robot_mode") == mode, 1000)
    client.brain.run_script("set robotmode run\n")
    client.brain.run_script(client.program)
    assert client.brain.read("runtime_state") == RuntimeState.STOPPED
    client.trace.until(lambda: bool(client.net.connected), 1000)
    assert client.brain.read("robot_mode") == RobotMode.RUNNING
    assert [one.title for one in client.brain.messages() if isinstance(one, ErrorCode)] == [
        *("C100A2", "C100A4", "C100A5"),
        *("C100A4", "C100A3"),
        *("C100A2", "C100A4", "C100A5", "C100A7"),
    ]
