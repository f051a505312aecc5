"""What was requested before a STOP is void, wherever it is; what is told about a STOP is measured."""

import numpy as np
import pytest
from loop_bench import ME, Bench

from openpendant.cell.crossing import encode_trajectory
from openpendant.messages import JointIntent, bus


def away(bench: Bench, by: float) -> np.ndarray:
    """Joints with the base turned."""
    return bench.q + np.array([by, 0.0, 0.0, 0.0, 0.0, 0.0])


@pytest.fixture
def bench() -> Bench:
    made = Bench("irb120")
    assert isinstance(made.take(), bus.Accepted)
    return made


def late_commands(bench: Bench, stops: int) -> list[bus.Command]:
    """Commands that were requested at the count `stops`."""
    path = encode_trajectory(bench.path(away(bench, 0.3)))
    q = tuple(away(bench, 0.3).tolist())
    me = {"holder": ME, "stops": stops}
    return [
        bus.Follow(job="late", arm=bench.arm, trajectory=path, **me),
        bus.Approach(job="late", arm=bench.arm, q=q, gain=1.0, exponent=0.6, tolerance_rad=0.01, **me),
        bus.Engage(job="late", arm=bench.arm, **me),
        bus.Resume(**me),
        bus.SetPace(pace=0.5, **me),
        bus.MoveTool(arm=bench.arm, opening_m=0.0, closes=True, **me),
        bus.SetDigital(name="x", value=True, **me),
    ]


def test_what_was_requested_before_a_stop_is_refused_after_it(bench: Bench) -> None:
    before = bench.loop.report(bench.now).stops
    late = late_commands(bench, before)
    halted = bench.ask(bus.Halt(who="somebody"))
    assert halted == bus.Halted(stops=before + 1)
    assert bench.loop.report(bench.now).stops == before + 1
    q = bench.q.copy()
    for command in late:
        answer = bench.ask(command)
        assert isinstance(answer, bus.Denied), command
        assert answer.kind == "stopped"
        assert "after this was requested" in answer.reason
        bench.ticks(3)
    assert np.array_equal(bench.q, q)
    assert bench.follow(bench.path(away(bench, 0.1))) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done"


def test_a_paused_path_is_not_resumed_after_a_stop(bench: Bench) -> None:
    bench.follow(bench.path(away(bench, 0.6)))
    bench.ticks(30)
    stops = bench.loop.stops
    bench.ask(bus.Pause(holder=ME))
    assert bench.until("paused") == "paused"
    bench.ask(bus.Halt(who="somebody"))
    answer = bench.ask(bus.Resume(holder=ME, stops=stops))
    assert isinstance(answer, bus.Denied)
    assert answer.kind == "stopped"
    assert bench.drive.outcome == "stopped"


@pytest.mark.parametrize("after", [2, 20, 40, 60, 90])
def test_a_stop_is_measured_from_the_halt_to_rest(bench: Bench, after: int) -> None:
    bench.follow(bench.path(bench.q + np.array([1.2, 0.3, 0.1, 0.0, 0.0, 0.0])))
    bench.ticks(after)
    halted = bench.ask(bus.Halt(who="somebody"))
    assert isinstance(halted, bus.Halted)
    begin = len(bench.Q)
    assert bench.until("stopped") == "stopped"
    bench.ticks(3)
    measure = bench.loop.report(bench.now).stopped
    assert measure is not None
    assert measure.stops == halted.stops
    assert measure.how == "along the path"
    Q = np.array(bench.Q[begin - 1 :])
    resting = np.flatnonzero(np.abs(np.diff(Q, axis=0)).max(axis=1) > 0.01 * bench.tick_ns * 1e-9)
    seconds = (resting[-1] + 1 if len(resting) else 0) * bench.tick_ns * 1e-9
    assert measure.rest_s == pytest.approx(seconds, abs=3.5 * bench.tick_ns * 1e-9)
    tool = bench.drive.parts
    P = [T[:3, :3] @ tool.p_flange_tcp + T[:3, 3] for T in tool.kinematics.fk(Q)]
    way = float(np.linalg.norm(np.diff(P, axis=0), axis=1).sum())
    assert measure.distance_m == pytest.approx(way, abs=0.001)
    (event,) = [event for event in bench.loop.drain_events() if event.kind == "stopped"]
    assert event.message == f"stopped in {measure.rest_s:.2f} s, {1000 * measure.distance_m:.0f} mm (along the path)"


def test_a_stop_of_a_resting_robot_is_told_as_such(bench: Bench) -> None:
    halted = bench.ask(bus.Halt(who="somebody"))
    assert isinstance(halted, bus.Halted)
    measure = bench.loop.report(bench.now).stopped
    assert measure == bus.StopMeasure(stops=halted.stops, rest_s=0.0, distance_m=0.0, how="at rest")
    assert "stopped" not in [event.kind for event in bench.loop.drain_events()]


def test_a_stop_of_a_jog_goes_joint_by_joint(bench: Bench) -> None:
    bench.ask(bus.Engage(holder=ME, job="servo", arm=bench.arm, stops=bench.loop.stops))
    for _ in range(40):
        jog = JointIntent(source=ME, arm=bench.arm, stamp_ns=bench.now, velocity=(0.5, 0.0, 0.0, 0.0, 0.0, 0.0))
        bench.loop.intend(jog, bench.now)
        bench.ticks(4)
    bench.ask(bus.Halt(who="somebody"))
    assert bench.until("stopped", most=500) == "stopped"
    bench.ticks(3)
    measure = bench.loop.report(bench.now).stopped
    assert measure is not None
    assert measure.how == "joint by joint"
    assert measure.distance_m > 0.0


def test_a_stop_without_contact_says_that_nobody_was_told(bench: Bench) -> None:
    bench.follow(bench.path(away(bench, 1.0)))
    bench.ticks(40)
    bench.loop.controller.close()
    bench.ticks(1)
    halted = bench.ask(bus.Halt(who="somebody"))
    assert isinstance(halted, bus.Halted)
    assert halted.reason == "no contact with the controller"


def test_a_lost_lease_is_measured_too(bench: Bench) -> None:
    bench.follow(bench.path(away(bench, 1.0)))
    bench.ticks(60)
    bench.loop.lose(ME)
    assert bench.until("stopped") == "stopped"
    bench.ticks(3)
    kinds = [event.kind for event in bench.loop.drain_events()]
    assert kinds.index("lease lost") < kinds.index("stopped")
