"""Runs, pauses, stops of anybody, take-overs, deaths and silences in any order: a stop stops, and every run ends.

In virtual time, with real loops, gates, links and runs; see `virtual_cell`.
"""

import contextlib
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from test_stops import FACTOR, own_stop

from openpendant.controllers import KinematicRobot
from openpendant.errors import OpenPendantError
from openpendant.messages import JointIntent, bus
from openpendant.motion import joint_limits
from openpendant.programs import MoveAxis, Program
from openpendant.robots import load
from openpendant.runtime import ProgramRun, StopOutcome
from virtual_cell import ARM, CALLS, HOME, ROBOT, SWINGS, TICK_NS, WAITS, VirtualCell

LIMITS = joint_limits(load("irb120"))
REST_NS = 200_000_000
"""From full speed the arm rests within 0.16 s by its stop limits; some ticks come on top, with which it is noticed."""
HELD_UP_NS = 700_000_000
"""The same where the robot's process was held up during its stop."""
STOPPING_NS = 8_000_000_000
"""A stop that does not reach its robot is repeated for 3 s, and waits 2 s for its rest."""
REST_RAD_S = 0.01
"""Slower than this an arm is said to be at rest."""
TICKS = st.integers(1, 120)
ASTRAY = (MoveAxis(id="astray", q=(0.0, 0.0, 0.0, 0.0, 0.9, 0.0)),)
"""Steps that turn a joint that nothing else here turns."""


def rest_ns(speed: float) -> int:
    """Return how long a stop from a joint's speed (rad/s) may take, by the stop limits in the arm's facts."""
    # One tick passes until it is noticed and one setpoint is on its way; meanwhile it may still speed up.
    v = min(speed + 2e-9 * TICK_NS * float(LIMITS.acceleration.max()), float(LIMITS.velocity.max()))
    longest = max(own_stop(v, *one) for one in zip(LIMITS.stop.deceleration, LIMITS.stop.jerk, strict=True))
    return min(int(FACTOR * longest * 1e9) + 3 * TICK_NS, REST_NS)


class RunMachine(RuleBasedStateMachine):
    """People, programs and faults about one robot."""

    @initialize()
    def begin(self) -> None:
        self.world = VirtualCell()
        self.world.each_tick.append(self.look)
        self.asked = self.world.now
        """When something was last requested that may move the arm."""
        self.stopped = 0
        """When the robot last obeyed a stop."""
        self.rest_ns = REST_NS
        """How long that stop may take."""
        self.loop, self.seen = self.world.loop, 0
        self.jogging = False
        self.silent = 0
        """Until when the robot may not have heard what it was told: it was cut off, frozen or dead."""
        self.held_up = 0
        """When its process was last frozen or dead."""
        self.lost = 0
        """When the controller was last out of reach."""
        self.begun = 0
        """When a job last began."""
        self.stopping: dict[ProgramRun, int] = {}
        self.open: list[int] = []
        """When the stops were sent whose outcome is not known yet: one that comes while the arm brakes is part of the
        first one, and so is the time that it is told."""

    def look(self) -> None:
        """At every tick: what a stop promises."""
        world, loop = self.world, self.world.loop
        if loop is not self.loop:
            self.loop, self.seen = loop, 0
        if world.robot is None or world.now < max(world.frozen_until, world.cut_until):
            self.silent = world.now
        if world.robot is None or world.now < world.frozen_until:
            self.held_up = world.now
        if not loop.controller.state.connected:
            self.lost = world.now
        told = loop.command(bus.EventsRequest(after=self.seen), world.now)
        assert isinstance(told, bus.LoggedEvents)
        for event in told.events:
            self.seen = event.number
            if event.kind == "halt":
                self.stopped, self.rest_ns = world.now, rest_ns(world.speed)
            elif event.kind == "job started":
                self.begun = world.now
                assert self.asked >= self.stopped, "something started that was requested before the stop"
        most_ns = HELD_UP_NS if self.held_up >= self.stopped else self.rest_ns
        assert abs(world.q[4] - HOME[4]) < 1e-6, "what was edited during the run moves the arm"
        if world.moving and self.held_up < world.now and self.lost:
            assert self.begun >= self.lost, "it goes on with what was under way when the controller was lost"
        if world.moving and self.stopped and world.now - self.stopped > most_ns:
            assert self.asked >= self.stopped, f"it moves {(world.now - self.stopped) * 1e-9:.3f} s after the stop"

    def attempt(self, act: Callable[[], object]) -> None:
        """Do what may be refused; only documented errors come."""
        with contextlib.suppress(OpenPendantError):
            act()

    @rule(program=st.sampled_from([SWINGS, WAITS, CALLS]), loop=st.booleans(), single=st.booleans())
    def run(self, program: Program, loop: bool, single: bool) -> None:
        if all(one.life.over for one in self.world.runs):
            self.asked = self.world.now
            self.attempt(lambda: self.world.run(program, loop=loop, single=single))

    @rule(program=st.sampled_from([SWINGS, WAITS]))
    def run_edited(self, program: Program) -> None:
        """A program that was edited after its check does not run."""
        if all(one.life.over for one in self.world.runs):
            edited = msgspec.structs.replace(program, steps=program.steps[:-1])
            with pytest.raises(OpenPendantError):
                self.world.run(edited, checked=program)

    @precondition(lambda self: self.going is not None)
    @rule(name=st.sampled_from(["swings", "waits", "calls"]))
    def edit_while_running(self, name: str) -> None:
        """A run keeps the programs as they were when it began."""
        self.world.known[name] = Program(name=name, robot=ROBOT, steps=ASTRAY)

    @property
    def going(self) -> ProgramRun | None:
        return self.world.runs[-1] if self.world.runs and not self.world.runs[-1].life.over else None

    @precondition(lambda self: self.going is not None)
    @rule(word=st.sampled_from(["pause", "resume", "step"]))
    def press(self, word: str) -> None:
        run = self.going
        assert run is not None
        self.attempt(getattr(run, word))

    @precondition(lambda self: self.going is not None)
    @rule(speed=st.sampled_from([0.001, 0.01, 0.1, 0.5, 1.0]))
    def set_speed(self, speed: float) -> None:
        run = self.going
        assert run is not None
        self.attempt(lambda: run.set_speed(speed))

    @precondition(lambda self: self.going is not None)
    @rule()
    def stop_run(self) -> None:
        run = self.going
        assert run is not None
        run.stop()

    @rule(who=st.sampled_from(["me", "you"]), now=st.booleans())
    def stop(self, who: str, now: bool) -> None:
        begin = self.world.now
        self.open.append(begin)
        self.check(begin, self.world.links[who].halt((ROBOT,), now=now)[ROBOT])
        self.open.remove(begin)

    @rule(who=st.sampled_from(["me", "you"]), ticks=TICKS)
    def stop_later(self, who: str, ticks: int) -> None:
        """Come in between, whatever is under way by then: a check, a command on its way, a wait for rest."""
        self.world.later(ticks, lambda: self.stop(who, now=False))

    def check(self, begin: int, told: StopOutcome) -> None:
        """What is told about a stop is true."""
        if not told.reached:
            assert self.world.robot is None or max(self.silent, self.lost) >= begin - TICK_NS, told
        elif told.rest_s is not None:
            assert self.stopped >= begin
            self.world.step()  # After the robot was held up, the last tick was a long one.
            assert self.world.speed < REST_RAD_S or self.asked >= self.stopped, told
            assert told.distance_m is not None
            assert 0.0 <= told.rest_s * 1e9 <= self.world.now - min(self.open) + 2 * TICK_NS

    @rule()
    def jog(self) -> None:
        if all(one.life.over for one in self.world.runs):
            self.asked = self.world.now
            self.attempt(lambda: self.world.arms["me"].engage())
            self.jogging = True

    @precondition(lambda self: self.jogging)
    @rule(speed=st.sampled_from([-0.5, 0.3, 1.0]), times=st.integers(1, 10))
    def push(self, speed: float, times: int) -> None:
        for _ in range(times):
            intent = JointIntent(
                source=self.world.arms["me"].client_id,
                arm=ARM,
                stamp_ns=self.world.now,
                velocity=(speed, 0.0, 0.0, 0.0, 0.0, 0.0),
            )
            self.attempt(lambda intent=intent: self.world.arms["me"].intend(intent))
            self.world.ticks(4)

    @rule()
    def take_over(self) -> None:
        self.attempt(lambda: self.world.arms["you"].acquire(take_over=True))

    @rule()
    def give_back(self) -> None:
        self.attempt(lambda: self.world.arms["you"].release())

    @rule(value=st.booleans())
    def switch_input(self, value: bool) -> None:
        plant = self.world.loop.controller
        assert isinstance(plant, KinematicRobot)
        plant.set_input("go", value)

    @rule(ticks=st.sampled_from([3, 20, 60, 200, 500]))
    def freeze(self, ticks: int) -> None:
        self.world.frozen_until = self.world.now + ticks * TICK_NS

    @rule(ticks=st.sampled_from([3, 20, 100, 600]))
    def cut(self, ticks: int) -> None:
        self.world.cut_until = self.world.now + ticks * TICK_NS

    @rule(ticks=st.sampled_from([3, 20, 100, 600]))
    def lose_controller(self, ticks: int) -> None:
        """The link between the robot's process and its controller is lost, and comes back."""
        world, plant = self.world, self.world.loop.controller
        plant.close()

        def connect() -> None:
            # It is the process that connects again: while it is frozen it cannot, and it has seen the loss before.
            if world.now <= world.frozen_until + TICK_NS:
                world.later(1, connect)
            else:
                plant.connect()

        world.later(ticks, connect)

    @rule()
    def kill(self) -> None:
        self.world.kill()

    @rule(ticks=TICKS)
    def let_pass(self, ticks: int) -> None:
        self.world.ticks(ticks)

    @invariant()
    def no_run_hangs(self) -> None:
        for run in self.world.runs if hasattr(self, "world") else ():
            if run.state == "stopping":
                since = self.stopping.setdefault(run, self.world.now)
                assert self.world.now - since < STOPPING_NS, "a run is being stopped for ever"
            if run.life.over:
                assert run.status in ("done", "failed", "stopped")
                assert run.message

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        world = self.world
        world.frozen_until = world.cut_until = 0
        world.ticks(2)
        world.loop.controller.connect()
        world.ticks(400)
        self.stop("you", now=False)
        world.ticks(400)
        for run in world.runs:
            assert run.life.over, f"a run is still {run.state}: {run.message}"
            if run.status == "done" and run is world.runs[-1] and run.program in (SWINGS, CALLS) and not self.jogging:
                assert np.abs(world.q - np.array(HOME)).max() < 0.01
        assert not world.moving
        assert not self.world.loop.drives[ARM].busy


def run_machine(examples: int, steps: int) -> None:
    run_state_machine_as_test(
        RunMachine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            suppress_health_check=list(HealthCheck),
            derandomize=examples <= 50,
            report_multiple_bugs=False,
        ),
    )


def test_a_stop_stops_and_every_run_ends() -> None:
    run_machine(40, 25)


@pytest.mark.soak
def test_a_stop_stops_and_every_run_ends_many_times() -> None:
    run_machine(2000, 60)
