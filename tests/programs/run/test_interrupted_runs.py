"""Breakpoints, and runs that continue where they were stopped: nothing is left out, nothing is made twice."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from small_cells import BENCH, PICK, bench_world, spot

from openpendant.controllers import KinematicRobot
from openpendant.errors import InputError
from openpendant.programs import (
    Call,
    Comment,
    GoTo,
    Group,
    If,
    MoveAxis,
    PickPart,
    PlacePart,
    Program,
    Repeat,
    Runner,
    SetOutput,
    SetVariable,
    SpeedOverride,
    Wait,
    While,
    check_program,
    make_kinematic_robots,
)
from openpendant.programs.sequence import Resumption, place_fits
from openpendant.scene import CollisionWorld

Array = NDArray[np.float64]
NEAR_RAD = 1e-3
OTHER = Program(
    name="other",
    robot="abb",
    variables={"k": 3.0},
    steps=(
        Repeat(
            id="turns", times=2, steps=(SetVariable(id="less", name="k", value="k - 1"), Wait(id="rest", seconds=0.02))
        ),
        MoveAxis(id="swing", q=(0.2, 0.1, 0.0, 0.0, 0.6, 0.0), speed="100%"),
    ),
)
MANY = Program(
    name="many",
    robot="abb",
    variables={"n": 0.0, "row": 0.0},
    steps=(
        GoTo(id="home", to="home", speed="v500", zone="z20"),
        Repeat(
            id="rows",
            times=2,
            steps=(
                GoTo(id="left", to=spot(0.35, 0.1, 0.2), how="line", speed="v500", zone="z20"),
                SetOutput(id="lamp", signal="lamp"),
                GoTo(id="right", to=spot(0.35, -0.1, 0.2), how="line", speed="v500", zone="z20"),
                SetVariable(id="row on", name="row", value="row + 1"),
                While(
                    id="count",
                    condition="n < 2 * row",
                    steps=(SetVariable(id="n on", name="n", value="n + 1"), Wait(id="short", seconds=0.01)),
                ),
                SpeedOverride(id="slow", percent=50),
                Call(id="call", program="other"),
                If(
                    id="odd",
                    condition="row == 1",
                    steps=(GoTo(id="once", to="home", zone="z10", speed="v300"),),
                    otherwise=(Wait(id="twice", seconds=0.05),),
                ),
                GoTo(id="bow", to=spot(0.35, 0.1, 0.2), via=spot(0.4, 0.0, 0.25), how="arc", speed="v300"),
            ),
        ),
        Group(id="group", title="g", steps=(Comment(id="say", text="last"), GoTo(id="end", to="home", speed="v500"))),
    ),
)
HANDLED = Program(
    name="handled",
    robot="abb",
    steps=(
        GoTo(id="home", to="home", speed="v500"),
        PickPart(id="take", part="cube", at="grasp"),
        PlacePart(id="put", part="cube", at="put"),
        GoTo(id="end", to="home", speed="v500"),
    ),
)


def make(what: Program, world: CollisionWorld | None = None, plants: dict[str, KinematicRobot] | None = None) -> Runner:
    world = bench_world() if world is None else world
    plants = dict(make_kinematic_robots(world.scene)) if plants is None else plants
    return Runner(BENCH, what, plants, programs={"other": OTHER}, world=world)


def joints(runner: Runner) -> Array:
    return np.array(runner._robots["abb"].state.q["arm"])  # pyright: ignore[reportPrivateUsage]


def made(runner: Runner) -> list[tuple[str, str | None]]:
    """The steps that were made to their end, in order."""
    return [(event.program, event.step) for event in runner.events if event.kind == "step done"]


def pauses(runner: Runner, most: int = 40_000) -> Iterator[str | None]:
    """Let it run, and yield the step before each of its pauses, after which it goes on."""
    runner.start()
    for _ in range(most):
        if runner.tick() == "paused":
            yield runner.step_id
            runner.resume()
        elif runner.status != "running":
            return


def interrupted(runner: Runner, ticks: int, plants: dict[str, KinematicRobot]) -> Runner:
    """Stop a run after some ticks, and return the one that continues it."""
    for _ in range(ticks):
        runner.tick()
    runner.stop()
    while runner.status == "running":
        runner.tick()
    if runner.status == "done":
        return runner
    found = runner.interruption
    again = make(runner.program, CollisionWorld(runner.props.scene), plants)
    again.start(None if found is None else found.resumption(joints(runner), joints(runner), NEAR_RAD))
    return again


def test_it_pauses_before_each_step_with_a_breakpoint_and_nowhere_else() -> None:
    runner = make(MANY)
    runner.set_breakpoints(frozenset({("many", "right"), ("many", "odd"), ("other", "less"), ("many", "group")}))
    row = ["right", "less", "less", "odd"]
    assert list(pauses(runner)) == [*row, *row, "group"]
    assert runner.status == "done"
    plain = make(MANY)
    assert plain.run_to_end() == "done"
    assert made(runner) == made(plain)


def test_the_arm_rests_where_the_step_before_ends_although_its_zone_is_round() -> None:
    fine = make(
        Program(name="fine", robot="abb", steps=(MANY.steps[0], GoTo(id="a", to=spot(0.35, 0.1, 0.2), speed="v500")))
    )
    fine.run_to_end()
    runner = make(
        Program(
            name="round",
            robot="abb",
            steps=(
                MANY.steps[0],
                GoTo(id="a", to=spot(0.35, 0.1, 0.2), speed="v500", zone="z50"),
                GoTo(id="b", to=spot(0.35, -0.1, 0.2), speed="v500"),
            ),
        )
    )
    runner.set_breakpoints(frozenset({("round", "b")}))
    assert next(pauses(runner)) == "b"
    assert joints(runner) == pytest.approx(joints(fine), abs=1e-9)
    assert runner.message.code == "run.at_breakpoint"  # type: ignore[attr-defined]


def test_a_breakpoint_that_is_set_while_the_arm_moves_counts_at_once() -> None:
    runner = make(MANY)
    runner.start()
    while runner.step_id != "left":
        runner.tick()
    runner.set_breakpoints(frozenset({("many", "right")}))
    while runner.tick() == "running":
        pass
    assert (runner.status, runner.step_id) == ("paused", "right")
    runner.set_breakpoints(frozenset())
    runner.resume()
    assert runner.run_to_end() == "done"


def test_a_breakpoint_that_is_taken_away_on_the_way_does_not_count() -> None:
    runner = make(MANY)
    runner.set_breakpoints(frozenset({("many", "right")}))
    runner.start()
    while runner.step_id != "left":
        runner.tick()
    runner.set_breakpoints(frozenset())
    assert runner.run_to_end() == "done"


def test_a_run_that_begins_at_a_breakpoint_begins() -> None:
    runner = make(MANY)
    runner.set_breakpoints(frozenset({("many", "group")}))
    runner.start("group")
    assert runner.run_to_end() == "done"


def test_variables_are_as_they_are_where_the_arm_is() -> None:
    runner = make(MANY)
    runner.set_breakpoints(frozenset({("other", "turns"), ("many", "count")}))
    seen = [(step, dict(runner.variables)) for step in pauses(runner)]
    assert seen == [
        ("count", {"n": 0.0, "row": 1.0}),
        ("turns", {"k": 3.0}),
        ("count", {"n": 2.0, "row": 2.0}),
        ("turns", {"k": 3.0}),
    ]


@cache
def whole_run() -> Runner:
    whole = make(MANY)
    assert whole.run_to_end() == "done"
    return whole


@pytest.mark.parametrize("seed", range(8))
def test_a_run_that_is_stopped_anywhere_continues_there(seed: int) -> None:
    whole = whole_run()
    stops = np.random.default_rng(seed).integers(1, round(whole.time_s / whole.tick_s / 2), 3)
    plants = dict(make_kinematic_robots(bench_world().scene))
    runner = make(MANY, plants=plants)
    done: list[tuple[str, str | None]] = []
    runner.start()
    for ticks in stops:
        again = interrupted(runner, int(ticks), plants)
        if again is runner:
            break
        done += made(runner)
        runner = again
    assert runner.run_to_end() == "done", runner.message
    steps = [*done, *made(runner)]
    # An arc is made again as a whole: the way back to its begin is part of it.
    once = [one for i, one in enumerate(steps) if one != ("many", "bow") or steps[i - 1] != one]
    assert once == made(whole), stops
    assert joints(runner) == pytest.approx(joints(whole), abs=1e-6)
    assert dict(runner.variables) == dict(whole.variables)


@pytest.mark.parametrize("share", np.linspace(0.04, 0.96, 8))
def test_a_pick_continues_with_the_part_in_the_hand(share: float) -> None:
    whole = make(HANDLED)
    assert whole.run_to_end() == "done"
    plants = dict(make_kinematic_robots(bench_world().scene))
    runner = make(HANDLED, plants=plants)
    runner.start()
    again = interrupted(runner, round(share * whole.time_s / whole.tick_s), plants)
    assert again.run_to_end() == "done", again.message
    grips = [event.message for one in (runner, again) for event in one.events if event.kind == "tool"]
    assert grips == ["the tool of abb/arm is open already", "grasped cube", "let go of cube"]
    assert again.props.pose("cube")[:2, 3] == pytest.approx((0.35, -0.1), abs=2e-3)


def test_an_arm_that_was_moved_away_goes_back_first_and_the_check_sees_it() -> None:
    plants = dict(make_kinematic_robots(bench_world().scene))
    runner = make(PICK, plants=plants)
    runner.start()
    while runner.time_s < 0.4:
        runner.tick()
    runner.stop()
    while runner.status == "running":
        runner.tick()
    rest, found = joints(runner).copy(), runner.interruption
    assert found is not None
    aside = make(
        Program(name="aside", robot="abb", steps=(MoveAxis(q=(1.2, 0.0, 0.0, 0.0, 0.5, 0.0), speed="100%"),)),
        plants=plants,
    )
    assert aside.run_to_end() == "done"
    where = found.resumption(rest, joints(aside), NEAR_RAD)
    assert where.q_back == pytest.approx(rest)
    again = make(PICK, CollisionWorld(runner.props.scene), plants)
    again.start(where)
    nearest = np.inf
    while again.tick() == "running":
        nearest = min(nearest, float(np.abs(joints(again) - rest).max()))
    assert again.status == "done"
    assert nearest < 1e-6
    report = check_program(
        BENCH, PICK, start={"abb/arm": (1.2, 0.0, 0.0, 0.0, 0.5, 0.0)}, start_at=where, scene=runner.props.scene
    )
    assert report.clear, report.summary
    assert report.duration_s == pytest.approx(again.time_s, abs=0.1)


def test_what_was_edited_away_is_not_continued() -> None:
    runner = make(MANY)
    runner.set_breakpoints(frozenset({("other", "rest")}))
    next(pauses(runner))
    runner.stop()
    while runner.tick() == "running" or runner.status == "paused":
        pass
    found = runner.interruption
    assert found is not None
    programs = {"many": MANY, "other": OTHER}
    assert place_fits(found.place, programs)
    for edited in (
        {**programs, "other": Program(name="other", robot="abb", variables={"k": 3.0}, steps=OTHER.steps[1:])},
        {**programs, "other": Program(name="other", robot="abb", steps=OTHER.steps)},
        {"many": MANY},
        {**programs, "many": Program(name="many", robot="abb", variables=MANY.variables, steps=MANY.steps[:1])},
    ):
        assert not place_fits(found.place, edited)
    with pytest.raises(InputError, match="was edited where it was stopped"):
        check_program(
            BENCH,
            Program(name="many", robot="abb", variables=MANY.variables, steps=MANY.steps[:1]),
            programs={"other": OTHER},
            start_at=Resumption(found.place),
        )
