"""What was requested before a STOP is void, wherever it is; what is told about a STOP is measured."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from loop_bench import ME, Bench

from openpendant.controllers import RobotState
from openpendant.messages import JointIntent, bus
from openpendant.runtime.arm_executor import ArmExecutor
from openpendant.runtime.bus_codec import encode_matrix, encode_trajectory
from openpendant.runtime.stop_meter import REST_NS, StopMeter


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
        bus.Upload(
            job="late",
            arm=bench.arm,
            dialect="rapid",
            name="late.mod",
            text="MODULE late\nENDMODULE\n",
            corridor=bus.CorridorMessage(points=encode_matrix(np.array([bench.q, q])), tolerance_rad=0.05),
            q_start=tuple(bench.q.tolist()),
            **me,
        ),
        bus.EngageArm(job="late", arm=bench.arm, **me),
        bus.ResumeMotion(**me),
        bus.SetPace(pace=0.5, **me),
        bus.MoveTool(arm=bench.arm, opening_m=0.0, closes=True, **me),
        bus.SetDigital(name="x", value=True, **me),
        bus.ReduceSpeed(reduced=False, **me),
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


def test_a_limit_of_speed_is_not_lifted_after_a_stop_but_may_be_set(bench: Bench) -> None:
    before = bench.loop.stops
    assert bench.ask(bus.ReduceSpeed(holder=ME, reduced=True, stops=before)) == bus.Accepted()
    bench.ask(bus.Halt(who="somebody"))
    late = bench.ask(bus.ReduceSpeed(holder=ME, reduced=False, stops=before))
    assert isinstance(late, bus.Denied)
    assert late.kind == "stopped"
    assert bench.loop.report(bench.now).reduced
    assert bench.ask(bus.ReduceSpeed(holder=ME, reduced=False, stops=bench.loop.stops)) == bus.Accepted()
    bench.ask(bus.Halt(who="somebody"))
    assert bench.ask(bus.ReduceSpeed(holder=ME, reduced=True, stops=before)) == bus.Accepted()
    assert bench.loop.report(bench.now).reduced


def test_a_paused_path_is_not_resumed_after_a_stop(bench: Bench) -> None:
    bench.follow(bench.path(away(bench, 0.6)))
    bench.ticks(30)
    stops = bench.loop.stops
    bench.ask(bus.PauseMotion(holder=ME))
    assert bench.until("paused") == "paused"
    bench.ask(bus.Halt(who="somebody"))
    answer = bench.ask(bus.ResumeMotion(holder=ME, stops=stops))
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
    bench.ticks(REST_NS // bench.tick_ns + 3)
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
    bench.ask(bus.EngageArm(holder=ME, job="servo", arm=bench.arm, stops=bench.loop.stops))
    for _ in range(40):
        jog = JointIntent(source=ME, arm=bench.arm, stamp_ns=bench.now, velocity=(0.5, 0.0, 0.0, 0.0, 0.0, 0.0))
        bench.loop.intend(jog, bench.now)
        bench.ticks(4)
    bench.ask(bus.Halt(who="somebody"))
    assert bench.until("stopped", most=500) == "stopped"
    bench.ticks(REST_NS // bench.tick_ns + 3)
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


def test_an_arm_that_does_not_obey_a_stop_is_stopped_by_its_controller(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, kinds = bench.loop.controller, []
    told, stop = type(plant).state.fget, plant.stop

    def state(self) -> RobotState:
        """Whatever it was told, the arm creeps on, until its controller stops it."""
        now = told(self)
        if "now" in kinds:
            return now
        creeping = np.full_like(now.qd[bench.arm], 0.1)
        return replace(now, qd={bench.arm: creeping}, moving={bench.arm: True})

    monkeypatch.setattr(type(plant), "state", property(state))
    monkeypatch.setattr(plant, "stop", lambda kind="path": (kinds.append(kind), stop(kind))[1])
    bench.ticks(1)
    bench.ask(bus.Halt(who="somebody"))
    asked = bench.now
    while "now" not in kinds:
        bench.ticks(1)
        assert bench.now - asked < 1.1e9
    bench.ticks(15)
    measure = bench.loop.meter.last
    assert measure is not None
    assert (measure.how, measure.stops) == ("by the controller", 1)
    assert bench.now - asked > 0.9e9, "a stop along the path must have its time"


def test_a_lost_lease_is_measured_too(bench: Bench) -> None:
    bench.follow(bench.path(away(bench, 1.0)))
    bench.ticks(60)
    bench.loop.lose(ME)
    assert bench.until("stopped") == "stopped"
    bench.ticks(REST_NS // bench.tick_ns + 3)
    kinds = [event.kind for event in bench.loop.drain_events()]
    assert kinds.index("lease lost") < kinds.index("stopped")


def test_an_arm_that_turns_around_does_not_rest_yet() -> None:
    """Setpoints rest, and the joints come back from an overshoot: for a moment they have no speed."""
    turning = SimpleNamespace(
        parts=SimpleNamespace(name="arm"), p_tool=np.zeros(3), moves=True, rests=False, outcome="stopped", idles=False
    )
    drive, meter, tick_ns = cast(ArmExecutor, turning), StopMeter(), 4_000_000
    meter.begin(drive, 0, "along the path")
    now = 0
    for moves in (True, True, False, True, False):
        now += tick_ns
        turning.moves, turning.rests = moves, not moves
        assert meter.tick(now, 1, fresh=True) is None
    moved_ns, found = now - tick_ns, None
    while found is None:
        now += tick_ns
        found = meter.tick(now, 1, fresh=True)
    assert found.rest_s == pytest.approx(moved_ns * 1e-9)
    assert REST_NS <= now - moved_ns < REST_NS + 3 * tick_ns


def test_what_begins_after_a_stop_is_no_part_of_it(bench: Bench) -> None:
    there = bench.q + np.array([0.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    bench.follow(bench.path(there))
    bench.ticks(40)
    bench.ask(bus.Halt(who="somebody"))
    assert bench.until("stopped") == "stopped"
    while not bench.drive.rests:
        bench.ticks(1)
    bench.follow(bench.path(there))
    bench.ticks(3)
    measure = bench.loop.report(bench.now).stopped
    assert measure is not None
    assert measure.stops == bench.loop.stops
    assert bench.drive.outcome == "running"
