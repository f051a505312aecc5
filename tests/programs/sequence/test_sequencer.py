"""One sequence for check and run: the chains that the check saw are the chains that the run plays."""

from random import Random
from unittest.mock import patch

import msgspec
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from small_cells import BENCH, HOME_Q, at

from openpendant.controllers import KinematicRobot
from openpendant.motion import Trajectory
from openpendant.programs import (
    Action,
    Call,
    Comment,
    GoTo,
    Group,
    If,
    MoveAxis,
    Offset,
    Program,
    Repeat,
    SetOutput,
    SetVariable,
    SpeedOverride,
    Tool,
    Wait,
    WaitInput,
    While,
    all_steps,
    make_kinematic_robots,
)
from openpendant.programs.check import explorer as exploring
from openpendant.programs.check.explorer import Explorer, Options
from openpendant.programs.run import KinematicPort, Runner
from openpendant.scene import CellRobot, CellTool, CollisionWorld, Scene

CELL = msgspec.structs.replace(
    BENCH,
    robots=(*BENCH.robots, CellRobot(name="ur", model="ur3e", pose=at(0.0, 1.5, 0.4))),
    tools=(*BENCH.tools, CellTool(name="long", tcp=at(0.0, 0.0, 0.2))),
)
WORLD = CollisionWorld(Scene(CELL))
UR_Q = (0.2, -1.6, 1.5, -1.4, -1.5, 0.1)
TICK_NS = 40_000_000
MOST_TICKS = 4000
MOST_STEPS = 150
Chains = list[tuple[str, Trajectory]]


class Writer:
    """Writes random programs; half of their steps are moves, most of them with a zone."""

    def __init__(self, random: Random) -> None:
        self.random, self.count = random, 0

    def program(self, name: str, robot: str, steps: int, calls: tuple[str, ...]) -> Program:
        made = tuple(self.step(robot, 2, calls) for _ in range(steps))
        return Program(name=name, robot=robot, variables={"n": 0.0}, steps=made)

    def step(self, robot: str, depth: int, calls: tuple[str, ...]) -> Action:
        self.count += 1
        name = f"s{self.count}"
        if depth == 0 or self.random.random() < 0.6:
            made = self.move(robot)
        else:
            made = self.random.choice((self.still, self.block))(robot, depth - 1, calls)
        return msgspec.structs.replace(made, id=name, enabled=self.random.random() < 0.92)

    def move(self, robot: str) -> Action:
        pick = self.random.choice
        zone = pick(("fine", "z5", "z20", "z50"))
        if robot == "ur" or self.random.random() < 0.3:
            by = round(self.random.uniform(-0.2, 0.2), 3)
            return MoveAxis(q=tuple(q + by for q in (HOME_Q if robot == "abb" else UR_Q)), zone=zone)
        offset = pick((None, None, Offset(by=(0.0, 0.0, 0.02)), Offset(by=(0.0, 0.0, "n * 0.01"), axes="tool")))
        to, tool = pick(("home", "above", "beside")), pick(("", "", "long"))
        return GoTo(
            to=to, how=pick(("joint", "line")), speed=pick(("v500", "v1000")), zone=zone, offset=offset, tool=tool
        )

    def still(self, robot: str, depth: int, calls: tuple[str, ...]) -> Action:
        pick = self.random.choice
        kinds: list[Action] = [
            Wait(seconds=pick((0.0, 0.08))),
            SpeedOverride(percent=pick((40.0, 100.0))),
            SetVariable(name="n", value=pick((0.0, 1.0, "1 - n"))),
            Comment(text="a remark"),
            *(Call(program=name) for name in calls),
        ]
        if robot == "abb":
            kinds += [
                Tool(state=pick(("open", "close"))),
                SetOutput(signal="lamp", value=pick((False, True))),
                WaitInput(signal="ready", value=pick((False, True))),
            ]
        return pick(kinds)

    def block(self, robot: str, depth: int, calls: tuple[str, ...]) -> Action:
        def steps() -> tuple[Action, ...]:
            return tuple(self.step(robot, depth, calls) for _ in range(self.random.randrange(4)))

        pick = self.random.choice
        condition = pick(("n < 1", "n > 0") if robot == "ur" else ("n < 1", "n > 0", "ready", "not ready", "lamp"))
        return pick(
            (
                Group(title="group", steps=steps()),
                Repeat(times=pick((1, 2, 3, None)), steps=steps()),
                While(condition=condition, steps=steps()),
                If(condition=condition, steps=steps(), otherwise=steps()),
            )
        )


def random_programs(seed: int) -> tuple[Program, dict[str, Program]]:
    """Return a program and those that it may call, of which one moves another robot."""
    writer = Writer(Random(seed))
    others = {"far": writer.program("far", "ur", 1, ()), "near": writer.program("near", "abb", 2, ("far",))}
    return writer.program("main", "abb", 8, ("near", "far")), others


def may_be_endless(main: Program, others: dict[str, Program]) -> bool:
    steps = [step for one in (main, *others.values()) for _, step in all_steps(one)]
    return any(isinstance(step, While) or (isinstance(step, Repeat) and step.times is None) for step in steps)


def seen_by_check(main: Program, others: dict[str, Program]) -> tuple[Chains, bool] | None:
    """Return the chains with inputs as the cell says, and whether more may follow; None: it is not clear."""
    scene, options = WORLD.scene, Options({}, alternatives=False)
    q_start = {key: np.array(arm.q_start) for key, arm in scene.arms.items()}
    explorer = Explorer(scene, main, {**others, main.name: main}, q_start, None, options)
    with patch.object(exploring, "MOST_PATHS", 1), patch.object(exploring, "MOST_STEPS", MOST_STEPS):
        report = explorer.report("")
    if report.first_failing is not None or any("executed steps" in one for one in report.unchecked):
        return None
    seen = [(stretch.chain.setting.key, stretch.trajectory) for stretch in explorer.visits.stretches]
    return seen, may_be_endless(main, others)


class JumpingPlant(KinematicRobot):
    """A plant whose arms are at once where a trajectory ends: how chains are made does not matter here."""

    def jump(self, arm: str, q: NDArray[np.float64]) -> None:
        self._arms[arm].q = self._arms[arm].q_before = q


class Arrived:
    """A trajectory that is made within a tick; keeps `programs.run.Playback`."""

    at_rest = done = False
    place = 0.0

    def stop(self) -> None: ...

    def resume(self) -> None: ...

    def set_speed(self, speed: float) -> None:  # Called at every tick.
        self.at_rest = self.done = True


class JumpingPort(KinematicPort):
    """Notes each trajectory that an arm is sent, and has it made at once."""

    def __init__(self, name: str, plant: JumpingPlant, played: Chains) -> None:
        super().__init__(plant)
        self.name, self.plant, self.played = name, plant, played

    def play(self, trajectory: Trajectory, arm: str, speed: float) -> Arrived:
        self.played.append((f"{self.name}/{arm}", trajectory))
        self.plant.jump(arm, trajectory.q_end)
        return Arrived()


def played_by_run(main: Program, others: dict[str, Program], enough: float) -> tuple[Chains, str]:
    """Return what a run sends to the arms until it ends, or `enough` chains are sent; inputs that it waits for come."""
    made = make_kinematic_robots(WORLD.scene, tick_ns=TICK_NS)
    plants = {name: JumpingPlant(one.arms, one.inputs, one.outputs, one.tick_ns) for name, one in made.items()}
    played: Chains = []
    ports = {name: JumpingPort(name, plant, played) for name, plant in plants.items()}
    runner = Runner(CELL, main, ports, programs=others, world=WORLD)
    awaited = {
        (name, step.id): step
        for name, one in runner.programs.items()
        for _, step in all_steps(one)
        if isinstance(step, WaitInput)
    }
    runner.start()
    for _ in range(MOST_TICKS):
        if runner.status != "running" or len(played) >= enough:
            break
        told = len(runner.events)
        runner.tick()
        for event in runner.events[told:]:
            wait = awaited.get((event.program, event.step or ""))
            if event.kind == "step" and wait is not None:
                plants["abb"].set_input(wait.signal, wait.value)
    return played, runner.status


def compare(seed: int) -> int:
    """Run what was checked; return how many chains were the same. 0: it is not clear."""
    main, others = random_programs(seed)
    found = seen_by_check(main, others)
    if found is None:
        return 0
    seen, endless = found
    played, status = played_by_run(main, others, len(seen) if endless else np.inf)
    assert status == "done" or (endless and len(played) >= len(seen))
    played = played if status == "done" else played[: len(seen)]  # Rounds of an endless loop that was checked.
    assert [arm for arm, _ in played] == [arm for arm, _ in seen]
    for (_, sent), (_, checked) in zip(played, seen, strict=True):
        assert [span.move for span in sent.spans] == [span.move for span in checked.spans]
        assert np.array_equal(sent.cells, checked.cells)
        assert np.array_equal(sent.law, checked.law)
    return len(seen)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_the_run_plays_the_chains_that_the_check_saw(seed: int):
    compare(seed)


def test_the_random_programs_have_chains():
    assert sum(compare(seed) > 2 for seed in range(8)) >= 4
