"""check_program: every kind of answer, in words, with names and places."""

import pickle

import msgspec
import pytest
from small_cells import BENCH, HOME_Q, PICK, at, bench_world, program, spot

from openpendant.errors import InputError
from openpendant.programs import (
    Call,
    GoTo,
    If,
    MoveAxis,
    Offset,
    Program,
    Repeat,
    Report,
    SetOutput,
    SetVariable,
    SpeedOverride,
    StepReport,
    Tool,
    Wait,
    WaitInput,
    While,
    check_program,
    check_sequence,
)
from openpendant.programs.check import explorer as exploring
from openpendant.scene import BoxShape, CellObject, CellRobot

LOW = spot(0.35, -0.1, -0.05)
"""Inside the table."""


def check(*steps: object, **fields: object) -> Report:
    return check_program(BENCH, program(*steps, **fields), world=bench_world())


def step(report: Report, step_id: str) -> StepReport:
    return next(one for one in report.steps if one.id == step_id)


def kinds(report: Report, step_id: str) -> set[str]:
    return {finding.kind for finding in step(report, step_id).findings}


def test_a_good_program_is_clear_with_time_way_and_what_is_near():
    report = check_program(BENCH, PICK, world=bench_world())
    assert report.clear, report.summary
    assert report.first_failing is None
    assert report.duration_s == pytest.approx(sum(one.duration_s for one in report.steps))
    assert report.length_m == pytest.approx(sum(one.length_m for one in report.steps))
    assert report.busy_s == {"abb/arm": pytest.approx(report.duration_s)}
    # The cube is put down from 3 mm: the finger's 135 mm reach lower than that nowhere.
    assert report.clearance is not None
    assert 0.001 < report.clearance.distance_m < 0.006
    assert step(report, "t3").length_m == pytest.approx(0.135, abs=0.02)
    assert report.summary.startswith("clear: runs in ")


def test_the_report_is_plain_pure_and_crosses_processes():
    first = check_program(BENCH, PICK, world=bench_world())
    again = check_program(BENCH, pickle.loads(pickle.dumps(PICK)))
    assert first == again
    assert pickle.loads(pickle.dumps(first)) == first
    assert msgspec.json.decode(msgspec.json.encode(first), type=Report) == first
    moved = check_program(BENCH, PICK, world=bench_world(), start={"abb": (0.1, *HOME_Q[1:])})
    assert moved.fingerprint != first.fingerprint


def test_a_point_out_of_reach_says_so_and_the_rest_is_still_checked():
    report = check(GoTo(to="home"), GoTo(to="far"), GoTo(to="under"), GoTo(to="home"))
    assert not report.clear
    assert report.first_failing == "t2"
    assert kinds(report, "t2") == {"unreachable"}
    assert kinds(report, "t3") == {"collision"}
    assert step(report, "t4").visits == 1
    assert report.summary.startswith("step 2 fails: ")


def test_a_collision_names_both_things_and_the_place():
    report = check(GoTo(to="home"), GoTo(to="under", how="line"))
    finding = next(one for one in step(report, "t2").findings if one.fails)
    assert finding.kind == "collision"
    assert finding.near is not None
    assert finding.near.b == "table"
    assert finding.near.a.startswith("abb/gripper_finger")
    # The finger tips are 10 mm beyond the TCP, so they touch when it is 10 mm above the table.
    assert finding.fraction == pytest.approx((0.25 - 0.010) / 0.30, abs=0.01)
    assert finding.near.point_b[2] == pytest.approx(0.4, abs=1e-3)
    assert "touches table" in finding.message


def test_a_joint_that_runs_into_its_limit_on_a_line_is_named():
    start = MoveAxis(q=(2.8, *HOME_Q[1:]), speed="50%")
    inline = spot(-0.35, -0.1, 0.3, (0.0, 1.0, 0.0, 0.0))
    report = check(start, GoTo(to=inline, how="line"))
    finding = next(one for one in step(report, "t2").findings if one.fails)
    assert (finding.kind, finding.joint) == ("limit", "Axis 1")
    assert finding.fraction == pytest.approx(0.17, abs=0.03)


def test_a_line_through_the_wrist_singularity_says_singular():
    # At all joints zero axes 4 and 6 are in line; a sideways line from there makes axis 4 jump.
    straight = MoveAxis(q=(0.0,) * 6, speed="50%")
    forward = (0.5**0.5, 0.0, 0.5**0.5, 0.0)
    inline = spot(0.499, 0.15, 0.63, forward)
    report = check(straight, GoTo(to=inline, how="line", speed="v1000"))
    finding = next(one for one in step(report, "t2").findings if one.fails)
    assert (finding.kind, finding.joint) == ("singular", "Axis 4")


def test_zones_without_room_and_speeds_never_reached_are_remarks():
    near = spot(0.35, 0.004, 0.25)
    report = check(
        GoTo(to="home"),
        GoTo(to=near, how="line", zone="z50", speed="v2000"),
        GoTo(to="above", how="line", zone="z20"),
        Wait(seconds=0.5),
    )
    assert report.clear
    assert kinds(report, "t2") == {"zone cut", "speed never reached"}
    assert step(report, "t2").verdict == "remark"
    assert "its zone is not used: the next step needs the arm at rest" in step(report, "t3").findings[0].message
    assert step(report, "t4").duration_s == pytest.approx(0.5)


def test_the_whole_corner_is_checked_not_only_our_blend():
    # A chip lies where the left finger stands at the sharp corner; our own round blend passes it by.
    sharp = spot(0.35, 0.0, 0.25)
    steps = (
        GoTo(to=spot(0.35, -0.2, 0.25)),
        GoTo(to=sharp, how="line", zone="z100"),
        GoTo(to=spot(0.15, 0.0, 0.25), how="line"),
    )
    chip = CellObject(
        name="chip", shape=BoxShape(size=(0.004, 0.004, 0.004)), pose=at(0.352, 0.033, 0.245), frame="abb"
    )
    cell = msgspec.structs.replace(BENCH, objects=(*BENCH.objects, chip))
    assert check_program(BENCH, program(*steps)).clear
    report = check_program(cell, program(*steps))
    assert not report.clear
    assert report.first_failing == "t2"
    message = next(one.message for one in step(report, "t2").findings if one.fails)
    assert "chip" in message
    assert "in a blend inside its zone" in message


def test_alternatives_are_offered_and_hold_what_they_promise():
    # A post stands where a finger would come; turned about its own axis, the tool has room.
    post = CellObject(name="post", shape=BoxShape(size=(0.012, 0.012, 0.18)), pose=at(0.35, 0.032, 0.09), frame="abb")
    cell = msgspec.structs.replace(BENCH, objects=(*BENCH.objects, post))
    blocked = program(GoTo(to=spot(0.35, 0.0, 0.15)))
    report = check_program(cell, blocked)
    assert not report.clear
    offered = step(report, "t1").alternatives
    assert offered
    for one in offered:
        assert one.q is not None
        other = check_program(cell, program(MoveAxis(q=one.q)), alternatives=False)
        assert other.clear, one.message


def test_a_way_round_is_offered_where_the_direct_one_is_blocked():
    wall = CellObject(name="wall", shape=BoxShape(size=(0.4, 0.02, 0.35)), pose=at(0.45, 0.0, 0.175), frame="abb")
    cell = msgspec.structs.replace(BENCH, objects=(*BENCH.objects, wall))
    low = {"abb": (0.7, 0.6, 0.2, 0.0, 0.8, 0.0)}
    blocked = check_program(cell, program(MoveAxis(q=(-0.7, 0.6, 0.2, 0.0, 0.8, 0.0))), start=low)
    assert not blocked.clear
    (way,) = [one for one in step(blocked, "t1").alternatives if one.kind == "way round"]
    round_it = program(*(MoveAxis(q=q) for q in way.way))
    assert check_program(cell, round_it, start=low).clear


def test_a_program_that_depends_on_its_start_says_why():
    assert check(MoveAxis(q=HOME_Q), GoTo(to="above")).start.depends is False
    line = check(GoTo(to="home", how="line"))
    assert line.start.depends
    assert "straight line from wherever the arm stands" in line.start.reason


def test_a_start_that_touches_something_fails_before_the_first_step():
    low = CellRobot(name="abb", model="irb120", pose=at(0.0, 0.0, 0.4), joints={"arm": (0.0, 1.2, 0.4, 0.0, 0.0, 0.0)})
    report = check_program(msgspec.structs.replace(BENCH, robots=(low,)), PICK)
    assert not report.clear
    assert "at the start," in report.summary
    assert all(one.visits == 0 for one in report.steps)


def test_both_answers_of_an_input_are_checked():
    report = check(
        GoTo(to="home"),
        If(id="if", condition="ready", steps=(GoTo(id="yes", to="far"),), otherwise=(GoTo(id="no", to="above"),)),
        GoTo(to="beside"),
    )
    assert report.paths == 2
    assert report.first_failing == "yes"
    assert step(report, "no").verdict == "clear"
    # Times are told for the inputs as they are at first.
    assert step(report, "yes").duration_s == 0.0


def test_conditions_over_inputs_and_numbers_are_worked_out_together():
    body = (
        If(id="if", condition="ready or row = 1", steps=(GoTo(id="yes", to="above"),), otherwise=()),
        SetVariable(id="s", name="row", value="row + 1"),
    )
    report = check(GoTo(to="home"), Repeat(id="r", times=2, steps=body), variables={"row": 0.0})
    # With the inputs as they are at first, only the second round goes there.
    assert step(report, "yes").duration_s > 0.0
    assert report.duration_s == pytest.approx(step(report, "t1").duration_s + step(report, "yes").duration_s)


def test_a_loop_on_an_input_is_checked_until_nothing_new_comes():
    loop = While(id="w", condition="not 'part here'", steps=(GoTo(id="a", to="above"), GoTo(id="b", to="beside")))
    report = check(GoTo(to="home"), loop, GoTo(to="home"))
    assert report.clear
    assert 2 <= report.paths <= 6
    assert step(report, "a").visits >= 2


def test_counters_are_followed_exactly():
    report = check(
        While(
            id="w",
            condition="row < 3",
            steps=(GoTo(id="g", to="above"), SetVariable(id="s", name="row", value="row + 1")),
        ),
        variables={"row": 0.0},
    )
    assert report.paths == 1
    assert step(report, "g").visits == 3


def test_a_loop_without_end_or_motion_is_found():
    report = check(
        While(id="w", condition="row < 3", steps=(SetOutput(id="o", signal="lamp"),)), variables={"row": 0.0}
    )
    assert not report.clear
    assert "never moves, waits or ends" in report.summary
    (finding,) = report.failing[0].findings
    assert finding.said is not None
    assert finding.said.values == {"step": "o", "program": "test"}


def test_a_program_that_goes_round_for_ever_has_a_cycle_time():
    body = (GoTo(id="a", to="above", zone="z20"), GoTo(id="b", to="beside"))
    report = check(GoTo(to="home"), Repeat(id="r", times=None, steps=body))
    assert report.clear
    assert report.cycle_s is not None
    assert report.duration_s > step(report, "t1").duration_s
    there = check(GoTo(to="beside"), *body)
    assert report.cycle_s == pytest.approx(sum(step(there, one).duration_s for one in ("a", "b")), abs=0.01)


def test_a_loop_for_ever_is_followed_until_it_repeats():
    grows = (
        GoTo(id="g", to="above", offset=Offset(by=(0.0, "far", 0.0))),
        SetVariable(id="s", name="far", value="far + 0.03"),
    )
    report = check(GoTo(to="home"), Repeat(id="r", times=None, steps=grows), variables={"far": 0.0})
    assert not report.clear
    assert report.first_failing == "g"
    assert step(report, "g").visits > 3
    # Every other round goes where the table is in the way.
    changes = (
        If(id="i", condition="side < 1", steps=(GoTo(id="a", to="above"),), otherwise=(GoTo(id="b", to=LOW),)),
        SetVariable(id="s", name="side", value="1 - side"),
    )
    report = check(GoTo(to="home"), Repeat(id="r", times=None, steps=changes), variables={"side": 0.0})
    assert report.first_failing == "b"


def test_a_loop_for_ever_finds_parts_where_the_round_before_has_put_them():
    once = check_program(BENCH, PICK, world=bench_world())
    assert once.clear, once.summary
    report = check_program(BENCH, program(Repeat(id="r", times=None, steps=PICK.steps)), world=bench_world())
    assert not report.clear
    # The first round takes the cube away; the second closes on nothing and meets the cube where it was put.
    assert report.first_failing == PICK.steps[6].id
    assert "cube" in report.summary
    assert "tool" in kinds(report, PICK.steps[3].id)


def test_a_loop_for_ever_that_brings_its_parts_back_is_clear():
    back = (
        GoTo(id="b1", to="beside", speed="v500"),
        GoTo(id="b2", to="put", how="line", speed="v100"),
        Tool(id="b3", state="close"),
        GoTo(id="b4", to="beside", how="line"),
        GoTo(id="b5", to="above", speed="v500"),
        # Held 3 mm lower than at first: it was put down from there.
        GoTo(id="b6", to="grasp", how="line", speed="v100", offset=Offset(by=(0.0, 0.0, 0.006))),
        Tool(id="b7", state="open"),
        GoTo(id="b8", to="above", how="line"),
    )
    loop = Repeat(id="r", times=None, steps=(*PICK.steps, *back))
    report = check_program(BENCH, program(loop), world=bench_world())
    assert report.clear, report.summary
    assert report.cycle_s is not None
    assert step(report, "b3").visits <= 4


def test_a_loop_for_ever_that_counts_pieces_is_clear():
    body = (GoTo(id="a", to="above"), GoTo(id="b", to="beside"), SetVariable(id="s", name="n", value="n + 1"))
    report = check(GoTo(to="home"), Repeat(id="r", times=None, steps=body), variables={"n": 0.0})
    assert report.clear, report.summary
    assert step(report, "a").visits == 2


def test_a_loop_on_an_input_that_is_on_is_left_and_repeated():
    body = (GoTo(id="a", to="above"), GoTo(id="b", to="beside"))
    loop = While(id="w", condition="ready", steps=body)
    report = check(GoTo(to="home"), loop, GoTo(id="end", to="home"))
    assert report.clear, report.summary
    on = check_program(
        BENCH, program(GoTo(to="home"), loop, GoTo(id="end", to="home")), world=bench_world(), inputs={"ready": True}
    )
    assert on.clear, on.summary
    assert {one.id: one.verdict for one in on.steps}["end"] == "clear"


def test_what_was_not_looked_at_is_not_clear(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exploring, "MOST_STEPS", 50)
    body = (GoTo(id="a", to="above"), GoTo(id="b", to="beside"))
    report = check(GoTo(to="home"), Repeat(id="r", times=100, steps=body), GoTo(id="end", to=LOW))
    assert not report.clear
    assert report.failing == ()
    assert report.summary.startswith("not checked beyond 50 executed steps, ")
    assert step(report, "end").verdict == "not reached"


def test_slower_speeds_take_longer():
    times = [check(SpeedOverride(percent=p), GoTo(to="home"), GoTo(to="above")).duration_s for p in (100.0, 60.0, 20.0)]
    assert times == sorted(times)
    assert times[2] > 2.0 * times[0]


def test_a_tool_step_to_the_state_it_has_takes_no_time():
    report = check(GoTo(to="home"), Tool(state="open"), Tool(state="close"), Tool(state="close"))
    assert step(report, "t2").duration_s == 0.0
    # 25 mm at 100 mm/s, both fingers alike.
    assert step(report, "t3").duration_s == pytest.approx(0.25)
    assert kinds(report, "t3") == {"tool"}
    assert step(report, "t4").duration_s == 0.0


def test_a_carried_part_is_checked_too():
    steps = (
        GoTo(to="above"),
        GoTo(to="grasp", how="line"),
        Tool(state="close"),
        GoTo(to="above", how="line"),
        GoTo(to=spot(0.35, -0.1, 0.011)),
    )
    report = check(*steps)
    assert report.first_failing == "t5"
    near = next(one.near for one in step(report, "t5").findings if one.fails)
    assert near is not None
    assert {near.a, near.b} == {"cube", "table"}


def test_calls_and_sequences_add_up():
    first = program(GoTo(to="home"), GoTo(to="above"), name="first")
    second = program(GoTo(to="beside"), name="second")
    known = {"first": first, "second": second}
    report = check_sequence(BENCH, ["first", "second", "first"], known, world=bench_world())
    assert report.clear
    numbers = {one.number for one in report.steps}
    assert {"1", "2", "3", "first:1", "first:2", "second:1"} == numbers
    assert sum(one.duration_s for one in report.steps) == pytest.approx(report.duration_s)
    called = check_program(BENCH, program(Call(program="first")), programs=known, world=bench_world())
    assert called.duration_s == pytest.approx(check_program(BENCH, first, world=bench_world()).duration_s)
    with pytest.raises(InputError, match="at least one"):
        check_sequence(BENCH, [], known)
    with pytest.raises(InputError, match="no program named 'third'"):
        check_sequence(BENCH, ["third"], known)


def test_waiting_for_inputs_is_told_not_counted():
    report = check(GoTo(to="home"), WaitInput(signal="ready"))
    assert "time spent waiting for inputs is not counted" in report.notes


def test_bad_arguments_are_refused():
    with pytest.raises(InputError, match="no point named"):
        check(GoTo(to="nowhere"))
    with pytest.raises(InputError, match="allowed:"):
        check_program(BENCH, PICK, world=bench_world(), start={"abb": (9.0,) * 6})
    with pytest.raises(InputError):
        check_program(BENCH, Program(name="x", robot="nobody"), world=bench_world())
