"""The loop of a robot in virtual time: whatever happens, it stops within its limits and says why."""

from dataclasses import replace

import numpy as np
import pytest
from loop_bench import ME, Bench, box

from openpendant.controllers import KinematicRobot, Progress
from openpendant.messages import JointIntent, TwistIntent, bus
from openpendant.runtime import Corridor

SLACK = 1.01
"""Rounding and sampling."""


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    assert isinstance(made.take(), bus.Accepted)
    return made


def test_a_path_is_followed_to_its_end(bench: Bench) -> None:
    path = bench.path(bench.q + 0.4)
    assert bench.follow(path) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done"
    assert np.abs(bench.q - path.q_end).max() < 1e-9
    velocity, acceleration = bench.worst()
    assert velocity <= 1.0 + 1e-6
    assert acceleration <= 1.01
    assert [event.kind for event in bench.loop.drain_events()][-2:] == ["job started", "job done"]


def test_nothing_moves_without_a_lease() -> None:
    bench = Bench()
    refused = bench.follow(bench.path(bench.q + 0.1))
    assert isinstance(refused, bus.Denied)
    assert refused.kind == "lease"
    bench.take()
    other = bench.ask(bus.LeaseRequest(holder="other", name="Other", hold_s=0.5))
    assert isinstance(other, bus.Denied)
    assert "Me has control" in other.reason


def test_a_path_from_elsewhere_is_refused(bench: Bench) -> None:
    refused = bench.follow(bench.path(bench.q + 0.4, bench.q + 0.02))
    assert isinstance(refused, bus.Denied)
    assert "0.0200 rad away" in refused.reason
    assert refused.kind == "state"


def test_a_path_that_begins_a_little_beside_is_led_over(bench: Bench) -> None:
    path = bench.path(bench.q + 0.05, bench.q + 0.004)
    assert bench.follow(path) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done"
    assert np.abs(bench.q - path.q_end).max() < 1e-9
    assert bench.worst()[1] <= 1.01


def test_pause_and_resume_stay_on_the_path(bench: Bench) -> None:
    path = bench.path(bench.q + 0.6)
    bench.follow(path)
    bench.ticks(30)
    assert bench.ask(bus.PauseMotion(holder=ME)) == bus.Accepted()
    assert bench.until("paused", "held") == "paused"
    bench.ticks(100)
    assert bench.rests()
    share = (bench.q - path.q_start) / (path.q_end - path.q_start)
    assert np.ptp(share) < 1e-6
    assert 0.02 < share[0] < 0.98
    assert bench.ask(bus.ResumeMotion(holder=ME)) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done"
    assert np.abs(bench.q - path.q_end).max() < 1e-9
    assert bench.worst()[1] <= SLACK


@pytest.mark.parametrize("how", ["halt", "gone", "drop", "take over"])
@pytest.mark.parametrize("after", [3, 25, 60])
def test_every_loss_of_control_is_a_controlled_stop(bench: Bench, how: str, after: int) -> None:
    path = bench.path(bench.q + np.array([0.9, -0.5, 0.4, 0.3, 0.2, 0.1]))
    bench.follow(path)
    bench.ticks(after)
    assert bench.drive.outcome == "running"
    if how == "halt":
        bench.ask(bus.Halt(who="somebody"))
    elif how == "gone":
        bench.loop.lose(ME)
    elif how == "drop":
        bench.ask(bus.DropLease(holder=ME))
    else:
        assert bench.take(holder="boss", name="Boss", take_over=True) == bus.Accepted()
    assert bench.until("stopped", "held", "done") == "stopped"
    bench.ticks(60)
    assert bench.rests()
    assert bench.worst()[0] <= 1.0 + 1e-6
    assert bench.worst()[1] <= SLACK
    share = (bench.q - path.q_start) / (path.q_end - path.q_start)
    assert np.ptp(share) < 1e-3, "the stop leaves the path"
    report = bench.loop.report(bench.now)
    assert not report.arms[bench.arm].moving


def test_a_lease_that_runs_out_stops_a_long_path(bench: Bench) -> None:
    bench.follow(bench.path(bench.q + 0.6), pace=0.1)
    bench.ticks(50)
    bench.renewing = False
    assert bench.until("stopped") == "stopped"
    assert "nothing received from Me" in bench.drive.reason
    assert bench.loop.report(bench.now).holder == ""
    refused = bench.follow(bench.path(bench.q + 0.1))
    assert isinstance(refused, bus.Denied)
    bench.renewing = True
    assert bench.take() == bus.Accepted()
    assert bench.follow(bench.path(bench.q + 0.1)) == bus.Accepted()
    assert bench.until("done") == "done"


def test_a_loop_that_stood_still_does_not_go_on(bench: Bench) -> None:
    bench.follow(bench.path(bench.q + 1.0))
    bench.ticks(40)
    bench.now += 900_000_000
    bench.ticks(1)
    assert bench.drive.outcome == "held"
    assert "was blocked for 0.90 s" in bench.drive.reason
    bench.ticks(200)
    assert bench.rests()
    assert bench.take() == bus.Accepted()
    assert bench.follow(bench.path(bench.q - 0.2)) == bus.Accepted()
    assert bench.until("done") == "done"


@pytest.mark.parametrize("late_ms", [80, 300, 600])
def test_a_late_tick_goes_on_from_rest(bench: Bench, late_ms: int) -> None:
    path = bench.path(bench.q + 0.8)
    bench.follow(path)
    bench.ticks(40)
    bench.now += late_ms * 1_000_000
    bench.ticks(1)
    begin = len(bench.Q)
    assert bench.drive.outcome == "running"
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    assert np.abs(bench.q - path.q_end).max() < 1e-9
    velocity, acceleration = bench.worst(begin)
    assert velocity <= 1.0 + 1e-6
    assert acceleration <= 1.01
    assert "stumbled" in [event.kind for event in bench.loop.drain_events()]


@pytest.mark.parametrize(("silent", "outcome"), [(3, "done"), (80, "failed")])
def test_a_controller_was_not_silent_while_the_loop_could_not_hear_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, silent: int, outcome: str
) -> None:
    bench.follow(bench.path(bench.q + 0.8))
    bench.ticks(40)
    bench.now += 400_000_000
    with monkeypatch.context() as patch:
        # What the controller has sent meanwhile comes some ticks after the loop goes on.
        patch.setattr(bench.loop.controller, "poll", lambda now_ns: None)
        bench.ticks(silent)
    assert bench.until("done", "held", "failed") == outcome, bench.drive.reason


@pytest.mark.parametrize(("silent", "outcome"), [(3, "done"), (80, "stopped")])
def test_a_holder_was_not_silent_while_the_loop_could_not_hear_it(bench: Bench, silent: int, outcome: str) -> None:
    bench.follow(bench.path(bench.q + 0.8))
    bench.ticks(40)
    bench.now += 600_000_000
    # What the holder has said meanwhile comes some ticks after the loop goes on.
    bench.renewing = False
    bench.ticks(silent)
    bench.renewing = True
    assert bench.until("done", "held", "failed", "stopped") == outcome, bench.drive.reason


@pytest.mark.parametrize("braking", [0, 1, 8])
def test_a_late_tick_while_it_brakes_is_a_pause_where_it_is(bench: Bench, braking: int) -> None:
    path = bench.path(bench.q + 0.8)
    bench.follow(path)
    bench.ticks(40)
    assert bench.ask(bus.PauseMotion(holder=ME)) == bus.Accepted()
    bench.ticks(braking)
    before = bench.q
    bench.now += 80_000_000
    assert bench.until("paused", "held", "failed") == "paused", bench.drive.reason
    assert np.abs(bench.q - before).max() < 0.01
    begin = len(bench.Q)
    assert bench.ask(bus.ResumeMotion(holder=ME)) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    assert np.abs(bench.q - path.q_end).max() < 1e-9
    assert bench.worst(begin)[0] <= 1.0 + 1e-6


def test_a_lost_robot_is_told_and_comes_back(bench: Bench) -> None:
    plant = bench.loop.controller
    assert isinstance(plant, KinematicRobot)
    bench.follow(bench.path(bench.q + 1.0))
    bench.ticks(40)
    plant.close()
    bench.ticks(1)
    assert bench.drive.outcome == "failed"
    report = bench.loop.report(bench.now)
    assert not report.connected
    assert not report.ready
    assert report.reason == "no contact with the controller"
    refused = bench.follow(bench.path(bench.q + 0.1))
    assert isinstance(refused, bus.Denied)
    plant.connect()
    bench.ticks(2)
    assert bench.loop.report(bench.now).ready
    assert bench.follow(bench.path(bench.q + 0.1)) == bus.Accepted()
    assert bench.until("done") == "done"


def test_something_in_the_way_holds_a_path() -> None:
    bench = Bench("ur3e", box("wall", (0.8, 0.02, 0.8), (0.0, 0.3, 0.4)))
    bench.take()
    q = bench.q.copy()
    q[0] += 2.5
    bench.follow(bench.path(q))
    assert bench.until("held", "done") == "held"
    assert "wall" in bench.drive.reason
    nearest = bench.near()
    for _ in range(50):
        bench.ticks(1)
        nearest = min(nearest, bench.near())
    assert bench.rests()
    assert 0.0 < nearest < 0.2, "it stops before the wall, and not far from it"
    assert bench.worst()[1] <= SLACK


def test_the_velocity_law_reaches_its_target(bench: Bench) -> None:
    q = bench.q + np.array([1.0, -0.4, 0.3, -0.2, 0.1, 0.01])
    command = bus.Approach(
        holder=ME, job="law", arm=bench.arm, q=tuple(q.tolist()), gain=2.0, exponent=0.6, tolerance_rad=0.002
    )
    begin = len(bench.Q)
    assert bench.ask(command) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done"
    assert np.abs(bench.q - q).max() < 0.002
    assert bench.worst()[1] <= 1.01
    # Half way the first joint goes as fast as the law says: gain * (0.5 / pi) ** 0.6.
    way = np.array(bench.Q[begin:])[:, 0]
    at = int(np.argmin(np.abs(way - (q[0] - 0.5))))
    speed = (way[at + 1] - way[at - 1]) / (2 * bench.tick_ns * 1e-9)
    assert speed == pytest.approx(2.0 * (0.5 / np.pi) ** 0.6, rel=0.05)


@pytest.mark.parametrize(
    ("field", "value"), [("gain", 0.0), ("gain", float("nan")), ("exponent", 5.0), ("tolerance_rad", -1.0)]
)
def test_a_law_that_is_none_is_refused(bench: Bench, field: str, value: float) -> None:
    values = {"gain": 1.0, "exponent": 0.6, "tolerance_rad": 0.01, field: value}
    answer = bench.ask(bus.Approach(holder=ME, job="law", arm=bench.arm, q=tuple(bench.q.tolist()), **values))
    assert isinstance(answer, bus.Denied)
    assert answer.kind == "input"
    assert field in answer.reason


def test_intents_move_an_arm_that_is_engaged_and_silence_stops_it(bench: Bench) -> None:
    start = bench.q.copy()
    jog = {"source": ME, "arm": bench.arm, "velocity": (0.3, 0.0, 0.0, 0.0, 0.0, 0.0)}
    bench.loop.intend(JointIntent(stamp_ns=bench.now, **jog), bench.now)
    bench.ticks(10)
    assert np.abs(bench.q - start).max() == 0.0, "it moved before it was engaged"
    assert bench.ask(bus.EngageArm(holder=ME, job="servo", arm=bench.arm)) == bus.Accepted()
    for _ in range(30):
        bench.loop.intend(JointIntent(stamp_ns=bench.now, **jog), bench.now)
        bench.loop.intend(TwistIntent(source="stranger", stamp_ns=bench.now, linear=(1.0, 0.0, 0.0)), bench.now)
        bench.ticks(8)
    assert bench.drive.outcome == "running", bench.drive.reason
    moved = bench.q - start
    assert 0.2 < moved[0] < 0.31
    assert np.abs(moved[1:]).max() < 1e-3
    bench.ticks(100)
    assert bench.rests()
    assert bench.worst()[1] <= 1.01
    bench.ask(bus.Halt(who="x"))
    assert bench.until("stopped", most=300) == "stopped"


def test_a_hand_slides_along_what_is_in_the_way() -> None:
    bench = Bench(
        "ur3e", box("shelf", (0.4, 0.8, 0.02), (-0.45, 0.0, 0.1)), box("other", (0.4, 0.8, 0.02), (0.45, 0.0, 0.1))
    )
    bench.take()
    fk = bench.drive.parts.kinematics.fk
    start = fk(bench.q)[:3, 3]
    assert bench.ask(bus.EngageArm(holder=ME, job="servo", arm=bench.arm)) == bus.Accepted()
    nearest = np.inf
    for _ in range(150):
        down = TwistIntent(source=ME, stamp_ns=bench.now, linear=(0.0, 0.05, -0.2))
        bench.loop.intend(down, bench.now)
        bench.ticks(8)
        nearest = min(nearest, bench.near())
    assert bench.drive.outcome == "running", bench.drive.reason
    assert 0.0 < nearest < 0.05, "it went into the shelf, or stopped far above it"
    moved = fk(bench.q)[:3, 3] - start
    assert moved[1] > 0.03, "it halts instead of sliding"
    assert bench.worst()[1] <= 1.01


def test_the_other_arm_of_a_robot_goes_on() -> None:
    bench = Bench("yumi")
    names = list(bench.loop.drives)
    bench.take()
    for name in names:
        bench.arm = name
        bench.follow(bench.path(bench.q + 0.05), job=name)
    bench.arm = names[0]
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    bench.arm = names[1]
    bench.ticks(400)
    assert bench.drive.outcome == "done", bench.drive.reason


def test_what_is_no_trajectory_is_refused(bench: Bench) -> None:
    import msgspec

    from openpendant.runtime.bus_codec import encode_trajectory

    good = encode_trajectory(bench.path(bench.q + 0.3))
    nan = np.full(good.cells[0], np.nan).tobytes()
    for bad in (
        msgspec.structs.replace(good, cells=(good.cells[0], nan)),
        msgspec.structs.replace(good, knots=((1,), bytes(8))),
        msgspec.structs.replace(good, law=(good.law[0], good.law[1][:-8])),
        msgspec.structs.replace(good, breaks=(good.breaks[0], good.breaks[1][::-1])),
        msgspec.structs.replace(good, breaks=(good.breaks[0], (np.frombuffer(good.breaks[1]) / 9.0).tobytes())),
    ):
        answer = bench.ask(bus.Follow(holder=ME, job="x", arm=bench.arm, trajectory=bad))
        assert isinstance(answer, bus.Denied)
        assert answer.kind == "input"
    bench.ticks(10)
    assert bench.rests()


def test_each_further_stop_of_an_uploaded_program_reaches_the_controller(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, stops = bench.loop.controller, []
    monkeypatch.setattr(plant, "run", lambda _job: None)
    monkeypatch.setattr(plant, "progress", lambda _arm: Progress(1, 9))
    monkeypatch.setattr(plant, "stop", stops.append)
    start = tuple(bench.q.tolist())
    corridor = Corridor(bench.q[None, :], 0.1).encode()
    upload = bus.Upload(
        holder=ME, job="up", arm=bench.arm, dialect="urscript", name="x", text="", corridor=corridor, q_start=start
    )
    assert bench.ask(upload) == bus.Accepted()
    for count in range(1, 4):
        bench.ask(bus.Halt(who="somebody"))
        assert len(stops) >= count
        bench.ticks(20)
        assert bench.drive.outcome == "running", "it still plays"


@pytest.mark.parametrize(("state_s", "stale_s"), [(0.0, 0.25), (0.02, 0.25), (0.25, 0.75)])
def test_a_state_is_old_after_three_of_the_controllers_own_periods(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, state_s: float, stale_s: float
) -> None:
    """A controller that speaks every 0.25 s is not lost between two states; one of every tick is after 0.25 s."""
    plant = bench.loop.controller
    told = replace(plant.capabilities, state_ns=round(state_s * 1e9))
    monkeypatch.setattr(KinematicRobot, "capabilities", property(lambda _: told))
    bench.ticks(1)
    heard_ns, newest = bench.now, plant.state
    monkeypatch.setattr(KinematicRobot, "state", property(lambda _: newest))
    while bench.loop.report(bench.now).connected:
        bench.ticks(1)
    assert stale_s <= (bench.now - heard_ns) * 1e-9 < stale_s + 2.0 * plant.tick_ns * 1e-9 + 1e-9
    report = bench.loop.report(bench.now)
    assert report.said is not None
    assert report.said.code == "robot.no_contact"
