"""The runner on the plant: in counted ticks, along the checked path, with parts that are taken and fall."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from small_cells import BENCH, HOME_Q, PICK, bench_world, program

from openpendant.controllers import KinematicRobot
from openpendant.errors import InputError, UnknownNameError
from openpendant.motion import joint_limits
from openpendant.programs import (
    GoTo,
    If,
    MoveAxis,
    Program,
    Repeat,
    Runner,
    SetOutput,
    SetVariable,
    SpeedOverride,
    Tool,
    Wait,
    WaitInput,
    While,
    check_program,
    make_kinematic_robots,
)
from openpendant.robots import load
from openpendant.said import Said

Array = NDArray[np.float64]
TICK_S = 0.004


def make(what: Program, **options: object) -> tuple[Runner, KinematicRobot]:
    plants = make_kinematic_robots(bench_world().scene)
    return Runner(BENCH, what, plants, world=bench_world(), **options), plants["abb"]  # type: ignore[arg-type]


def record(
    runner: Runner, plant: KinematicRobot, meanwhile: Callable[[Runner], None] | None = None, most: int = 20_000
) -> Array:
    """Tick to the end and return the joints at every tick; `meanwhile` may press buttons."""
    rows = [plant.state.q["arm"]]
    if runner.status == "ready":
        runner.start()
    while runner.status in ("running", "paused") and len(rows) < most:
        if meanwhile is not None:
            meanwhile(runner)
        runner.tick()
        rows.append(plant.state.q["arm"])
    return np.array(rows)


def assert_within_limits(Q: Array, slack: float = 1.02) -> None:
    """Velocity and acceleration from tick to tick; the second difference sees a little beyond the limit."""
    limits = joint_limits(load("irb120"))
    assert (np.abs(np.diff(Q, axis=0)) / TICK_S <= limits.velocity * slack).all()
    assert (np.abs(np.diff(Q, n=2, axis=0)) / TICK_S**2 <= limits.acceleration * slack).all()


def told(runner: Runner, kind: str) -> list[str]:
    return [event.message for event in runner.events if event.kind == kind]


def test_it_does_what_was_checked_in_the_time_that_was_told():
    runner, plant = make(PICK)
    Q = record(runner, plant)
    assert runner.status == "done"
    report = check_program(BENCH, PICK, world=bench_world())
    # Each chain of moves and each tool step ends at the next tick.
    assert report.duration_s <= runner.time_s <= report.duration_s + 10 * TICK_S
    assert_within_limits(Q)
    assert Q[-1] == pytest.approx(HOME_Q, abs=1e-9)
    assert told(runner, "tool") == ["grasped cube", "let go of cube"]
    assert told(runner, "part") == ["cube comes to rest on table"]
    T = runner.props.pose("cube")
    assert T[:3, 3] == pytest.approx((0.35, -0.1, 0.415), abs=1e-3)


def test_virtual_time_is_the_same_every_time():
    runs = [make(PICK) for _ in range(2)]
    first, second = (record(*one) for one in runs)
    assert first.tobytes() == second.tobytes()
    assert runs[0][0].events == runs[1][0].events


def test_steps_are_told_in_order_with_their_times():
    runner, plant = make(PICK)
    record(runner, plant)
    began = [event.step for event in runner.events if event.kind == "step"]
    assert began == [step.id for step in PICK.steps]
    times = [event.time_s for event in runner.events]
    assert times == sorted(times)


def test_a_pause_comes_to_rest_on_the_path_and_goes_on_along_it():
    straight, plant = make(PICK)
    path = record(straight, plant)
    runner, plant = make(PICK)
    held: list[int] = []

    def press(one: Runner) -> None:
        if one.time_s == pytest.approx(0.4) or one.time_s == pytest.approx(1.2):
            one.pause()
        if one.status == "paused":
            held.append(1)
            if len(held) % 50 == 0:
                one.resume()

    Q = record(runner, plant, press)
    assert runner.status == "done"
    assert len(held) >= 100
    assert told(runner, "pause")
    assert_within_limits(Q)
    assert Q[-1] == pytest.approx(path[-1], abs=1e-9)
    # Every place of the interrupted run lies on the path of the other one, whose ticks are at most 20 mrad apart.
    for q in Q[::5]:
        assert float(np.linalg.norm(path - q, axis=1).min()) < 0.02
    assert told(runner, "tool") == ["grasped cube", "let go of cube"]


@pytest.mark.parametrize("ticks", [1, 8, 15, 25])
def test_a_pause_that_is_over_before_the_arm_rests_does_not_hang(ticks: int):
    runner, plant = make(PICK)

    def press(one: Runner) -> None:
        if one.time_s == pytest.approx(0.4):
            one.pause()
        if one.time_s == pytest.approx(0.4 + ticks * TICK_S):
            one.resume()

    Q = record(runner, plant, press)
    assert runner.status == "done"
    assert_within_limits(Q)


@pytest.mark.parametrize("nested", [False, True])
def test_a_loop_in_which_nothing_takes_time_can_be_stopped(nested: bool):
    beep = SetOutput(id="beep", signal="lamp")
    steps = (Repeat(id="ever", times=None, steps=(beep,)),) if nested else (beep,)
    runner, _ = make(Program(name="beeps", robot="abb", steps=steps), loop=not nested)
    runner.start()
    for _ in range(50):
        runner.tick()
    assert runner.status == "running"
    assert runner.time_s == pytest.approx(50 * TICK_S)
    runner.stop()
    runner.tick()
    assert runner.status == "stopped"


@pytest.mark.parametrize("fraction", [0.0, 0.005, 1.5, float("nan")])
def test_an_override_below_a_hundredth_is_refused(fraction: float):
    runner, _ = make(PICK)
    with pytest.raises(InputError, match=r"allowed: 0\.01 to 1"):
        runner.set_speed(fraction)


def test_a_stop_ends_on_the_path():
    runner, plant = make(PICK)
    Q = record(runner, plant, lambda one: one.stop() if one.time_s >= 0.6 else None)
    assert runner.status == "stopped"
    assert_within_limits(Q)
    assert plant.state.qd["arm"] == pytest.approx(np.zeros(6), abs=1e-6)


def test_single_steps_pause_after_each():
    runner, plant = make(PICK)
    done = []
    for _ in range(40):
        runner.step()
        while runner.status == "running":
            runner.tick()
        done.append([event.step for event in runner.events if event.kind == "step done"])
        if runner.status != "paused":
            break
    assert runner.status == "done"
    counts = [len(one) for one in done]
    assert counts[:10] == list(range(1, 11))
    assert plant.state.q["arm"] == pytest.approx(HOME_Q, abs=1e-9)


def test_it_can_begin_at_any_step():
    inner = program(
        GoTo(to="home"),
        Repeat(id="r", times=2, steps=(GoTo(id="a", to="above"), GoTo(id="b", to="beside"))),
        GoTo(id="end", to="home"),
    )
    runner, _ = make(inner)
    runner.start("b")
    runner.run_to_end()
    assert [event.step for event in runner.events if event.kind == "step"] == ["b", "a", "b", "end"]
    other, _ = make(inner)
    with pytest.raises(UnknownNameError, match="no step"):
        other.start("nothing")
    other.start()
    with pytest.raises(InputError, match="is already running"):
        other.start()


def test_a_loop_puts_the_parts_back():
    runner, _ = make(PICK, loop=True)
    runner.start()
    while runner.rounds < 2:
        runner.tick()
    assert told(runner, "tool") == ["grasped cube", "let go of cube"] * 2
    assert told(runner, "loop") == ["round 2", "round 3"]
    assert any("back where they began" in message for message in told(runner, "part"))
    runner.loop = False
    assert runner.run_to_end() == "done"


def test_a_repeat_without_an_end_leaves_the_parts_where_they_are():
    runner, _ = make(program(Repeat(id="r", times=None, steps=PICK.steps)))
    runner.start()
    while runner.rounds < 2:
        runner.tick()
    assert told(runner, "tool")[:2] == ["grasped cube", "let go of cube"]
    assert told(runner, "tool").count("grasped cube") == 1, "there is one cube, and nobody has brought it back"
    assert not any("back where they began" in message for message in told(runner, "part"))


def test_a_part_on_the_floor_returns_after_two_seconds():
    drop = program(
        GoTo(to="above"),
        GoTo(to="grasp", how="line"),
        Tool(state="close"),
        GoTo(to="above", how="line"),
        MoveAxis(id="side", q=(1.5, *HOME_Q[1:]), speed="80%"),
        Tool(state="open"),
        Wait(seconds=3.0),
    )
    runner, _ = make(drop)
    runner.run_to_end()
    assert runner.status == "done"
    lands = next(event for event in runner.events if event.message == "cube comes to rest on floor")
    back = next(event for event in runner.events if "back from the floor" in event.message)
    assert back.time_s - lands.time_s == pytest.approx(2.0, abs=2 * TICK_S)
    assert runner.props.pose("cube")[:3, 3] == pytest.approx((0.35, 0.1, 0.415))


def test_a_falling_part_falls():
    lift = program(
        GoTo(to="above"),
        GoTo(to="grasp", how="line"),
        Tool(state="close"),
        GoTo(to="above", how="line"),
        Tool(state="open"),
        Wait(seconds=0.5),
    )
    runner, _ = make(lift)
    runner.start()
    heights = []
    while runner.status == "running":
        runner.tick()
        if runner.step_id in ("t5", "t6"):
            heights.append(float(runner.props.pose("cube")[2, 3]))
    falls = np.diff(heights)
    assert (falls <= 1e-12).all()
    assert heights[0] - heights[-1] > 0.1
    # Faster and faster, as things fall.
    assert falls[20] < falls[5] < 0.0


def test_the_speed_can_be_changed_on_the_way():
    full, plant = make(PICK)
    path = record(full, plant)
    runner, plant = make(PICK)

    def press(one: Runner) -> None:
        if one.time_s == pytest.approx(0.3):
            one.set_speed(0.3)
        if one.time_s == pytest.approx(2.0):
            one.set_speed(0.9)

    Q = record(runner, plant, press)
    assert runner.status == "done"
    assert runner.time_s > full.time_s
    assert_within_limits(Q)
    assert Q[-1] == pytest.approx(path[-1], abs=1e-9)
    with pytest.raises(InputError, match=r"allowed: 0\.01 to 1"):
        runner.set_speed(1.5)


def test_a_speed_override_step_slows_what_follows():
    slow, _ = make(program(GoTo(to="home"), SpeedOverride(percent=30.0), GoTo(to="above")))
    fast, _ = make(program(GoTo(to="home"), SpeedOverride(percent=100.0), GoTo(to="above")))
    assert slow.run_to_end() == fast.run_to_end() == "done"
    assert slow.time_s > 1.5 * fast.time_s


def test_inputs_decide_and_outputs_are_set():
    what = program(
        WaitInput(signal="ready", timeout_s=2.0),
        If(
            id="if",
            condition="'part here' and count < 2",
            steps=(SetOutput(id="on", signal="lamp"),),
            otherwise=(Wait(id="else", seconds=0.1),),
        ),
        SetVariable(name="count", value="count + 1"),
        While(id="w", condition="count < 3", steps=(SetVariable(id="s", name="count", value="count + 1"),)),
        variables={"count": 0.0},
    )
    runner, plant = make(what)

    def press(one: Runner) -> None:
        if one.time_s == pytest.approx(1.0):
            plant.set_input("part here", value=True)
            plant.set_input("ready", value=True)

    record(runner, plant, press)
    assert runner.status == "done"
    assert plant.state.outputs["lamp"] is True
    assert runner.time_s == pytest.approx(1.0, abs=3 * TICK_S)
    late, _ = make(what)
    assert late.run_to_end() == "failed"
    assert "ready did not come within 2 s" in late.message


def test_an_output_on_the_way_is_set_without_a_stop_when_its_turn_comes():
    what = program(
        GoTo(to="home"),
        GoTo(id="round", to="above", zone="z50", speed="v1000"),
        SetOutput(id="lamp", signal="lamp"),
        GoTo(id="on", to="beside", speed="v1000"),
    )
    runner, plant = make(what)
    Q = record(runner, plant)
    at = next(event.time_s for event in runner.events if event.kind == "output")
    speeds = np.abs(np.diff(Q, axis=0)).max(axis=1) / TICK_S
    tick = round(at / TICK_S)
    assert speeds[tick - 3 : tick + 3].min() > 0.05
    assert [e.step for e in runner.events if e.step in ("round", "lamp")][-1] == "lamp"


def test_a_move_that_cannot_be_made_ends_the_run_with_its_reason():
    runner, _ = make(program(GoTo(to="home"), GoTo(to="far")))
    assert runner.run_to_end() == "failed"
    assert runner.message.startswith("step t2 cannot be executed")
    assert isinstance(runner.message, Said)
    assert (runner.message.code, runner.message.values["step"]) == ("run.cannot_be_made", "t2")
    lost = make_kinematic_robots(bench_world().scene)
    lost.pop("abb")
    with pytest.raises(InputError, match="has no controller"):
        Runner(BENCH, PICK, lost, world=bench_world())


def test_moves_before_a_fault_are_made_as_they_were_checked():
    made = program(
        GoTo(to="home"),
        GoTo(to="above", zone="z20"),
        SetVariable(name="share", value="1 / share"),
        variables={"share": 0.0},
    )
    report = check_program(BENCH, made, world=bench_world())
    assert [step.visits for step in report.steps] == [1, 1, 0]
    assert report.summary.endswith("'1 / share' divides 1 by zero")
    runner, plant = make(made)
    Q = record(runner, plant)
    assert (runner.status, runner.message) == ("failed", "'1 / share' divides 1 by zero")
    assert [event.step for event in runner.events if event.kind == "step done"] == ["t1", "t2"]
    assert runner.time_s == pytest.approx(report.duration_s, abs=10 * TICK_S)
    assert_within_limits(Q)


def test_a_step_in_the_middle_of_joined_moves_ends_soon_after_it():
    joined = program(
        GoTo(id="a", to="above", zone="z50", speed="20%"),
        GoTo(id="b", to="beside", zone="z50", speed="20%"),
        GoTo(id="c", to="home", speed="20%"),
    )
    runner, plant = make(joined)
    Q = record(runner, plant, lambda one: one.step() if one.status == "running" and one.step_id == "a" else None, 2000)
    assert runner.status == "paused"
    assert [event.step for event in runner.events if event.kind == "step done"] == ["a"]
    assert runner.step_id == "b"
    runner.resume()
    assert runner.run_to_end() == "done"
    assert_within_limits(Q)


def test_it_begins_with_what_is_in_the_hand():
    first, plant = make(PICK)
    record(first, plant, lambda one: one.stop() if one.step_id == "t6" else None)
    assert first.status == "stopped"
    left = first.props.scene
    assert left.in_hand("abb/arm") == ("cube",)
    report = check_program(BENCH, PICK, start={"abb/arm": plant.state.q["arm"]}, start_at="t7", scene=left)
    assert report.clear
    assert report.steps[0].verdict == "not reached"
    assert report.fingerprint != check_program(BENCH, PICK, start={"abb/arm": plant.state.q["arm"]}).fingerprint
    second = Runner(BENCH, PICK, {"abb": plant}, world=bench_world().for_scene(left))
    second.start("t7")
    second.run_to_end()
    assert told(second, "tool") == ["let go of cube"]
    with pytest.raises(UnknownNameError, match="no step"):
        check_program(BENCH, PICK, start_at="nothing")
