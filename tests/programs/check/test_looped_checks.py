"""Programs that begin again when they end: every round is checked, also the way back to the first step."""

import msgspec
import pytest
from small_cells import BENCH, PICK, bench_world, program, spot

from openpendant.programs import (
    GoTo,
    If,
    MoveAxis,
    Repeat,
    Report,
    SetOutput,
    SetVariable,
    SpeedOverride,
    check_program,
)
from openpendant.programs.check import explorer as exploring
from walled_cell import ABOVE_RIGHT, LEFT, OVER, OVER_AND_BACK, RIGHT, ROBOT, WALLED

LOW = spot(0.35, -0.1, -0.05)
"""Inside the table."""


def verdicts(report: Report) -> dict[str, str]:
    return {one.id: one.verdict for one in report.steps}


def test_the_way_back_to_the_first_step_is_checked():
    assert check_program(WALLED, OVER).clear
    report = check_program(WALLED, OVER, loop=True)
    assert not report.clear
    assert (report.first_failing, report.first_failing_round) == ("s1", 2)
    assert report.summary.startswith("step 1 fails in round 2: abb/link_4 touches wall ")


def test_a_loop_that_comes_back_is_clear_and_has_a_cycle_time():
    once = check_program(WALLED, OVER_AND_BACK)
    report = check_program(WALLED, OVER_AND_BACK, loop=True)
    assert report.clear, report.summary
    assert once.cycle_s is None
    assert report.duration_s == pytest.approx(once.duration_s)
    assert report.cycle_s is not None
    # It begins at its first step and ends above it: later rounds also come down.
    assert report.cycle_s > once.duration_s + 0.1
    assert {one.visits for one in report.steps} == {2}
    assert report.fingerprint != once.fingerprint


def test_steps_before_the_one_that_it_begins_with_are_checked_in_the_second_round():
    start = {f"{ROBOT}/arm": RIGHT}
    once = check_program(WALLED, OVER, start=start, start_at="s4")
    assert once.clear, once.summary
    assert verdicts(once)["s1"] == "not reached"
    report = check_program(WALLED, OVER, start=start, start_at="s4", loop=True)
    assert (report.first_failing, report.first_failing_round) == ("s1", 2)
    back = check_program(WALLED, OVER_AND_BACK, start=start, start_at="s4", loop=True)
    assert back.clear, back.summary
    assert set(verdicts(back).values()) == {"clear"}


def test_a_loop_inside_that_a_run_begins_in_the_middle_of_is_checked_from_its_begin():
    # The arm stands at s3 already: the next round begins with everything as the first did, which began later.
    steps = (
        MoveAxis(id="s1", q=LEFT, speed="50%"),
        MoveAxis(id="s2", q=ABOVE_RIGHT, speed="50%"),
        MoveAxis(id="s3", q=RIGHT, speed="50%"),
    )
    endless = msgspec.structs.replace(OVER, steps=(Repeat(id="r", times=None, steps=steps),))
    report = check_program(WALLED, endless, start={f"{ROBOT}/arm": RIGHT}, start_at="s3")
    assert not report.clear
    assert report.first_failing == "s1"


def test_parts_are_put_back_in_each_round():
    report = check_program(BENCH, PICK, world=bench_world(), loop=True)
    assert report.clear, report.summary
    found = {finding.message for one in report.steps for finding in one.findings}
    assert "the tool closes on nothing" not in found


def test_what_one_round_leaves_behind_counts_in_the_next():
    # Variables begin again, signals and the speed override do not.
    lamp = (
        If(id="i", condition="lamp", steps=(GoTo(id="low", to=LOW),), otherwise=(GoTo(id="a", to="above"),)),
        SetOutput(id="o", signal="lamp"),
        GoTo(id="h", to="home"),
    )
    assert check_program(BENCH, program(*lamp), world=bench_world()).clear
    report = check_program(BENCH, program(*lamp), world=bench_world(), loop=True)
    assert (report.first_failing, report.first_failing_round) == ("low", 2)
    side = (
        If(id="i", condition="side < 1", steps=(GoTo(id="a", to="above"),), otherwise=(GoTo(id="low", to=LOW),)),
        SetVariable(id="s", name="side", value="1 - side"),
    )
    assert check_program(BENCH, program(*side, variables={"side": 0.0}), world=bench_world(), loop=True).clear
    slower = program(GoTo(id="a", to="above"), GoTo(id="h", to="home"), SpeedOverride(id="v", percent=50.0))
    report = check_program(BENCH, slower, world=bench_world(), loop=True)
    assert report.cycle_s is not None
    assert report.cycle_s > 1.5 * report.duration_s


def test_a_loop_in_which_nothing_happens_ends_its_check():
    report = check_program(BENCH, program(SetOutput(id="o", signal="lamp")), world=bench_world(), loop=True)
    assert report.clear, report.summary


def test_rounds_that_were_not_looked_at_are_not_clear(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exploring, "MOST_STEPS", 3)
    report = check_program(WALLED, OVER_AND_BACK, loop=True)
    assert not report.clear
    assert report.summary.startswith("not checked beyond 3 executed steps")
