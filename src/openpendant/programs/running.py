"""Runner: steps through a program on controllers, in counted ticks; the same steps in virtual and in real time."""

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import Controller
from openpendant.errors import InputError
from openpendant.motion import Blocked, Trajectory
from openpendant.said import say, state_word
from openpendant.scene import Cell, CollisionWorld, PlacedArm, Scene

from .actions import SetOutput, SpeedOverride, Tool, Wait, WaitInput
from .events import EventKind, RunEvent
from .expressions import evaluate
from .planning import Chain, plan_chain
from .program import Program
from .props import Props
from .riding import MakeRide, begin_ride
from .sequence import Cut, Fault, LoopPass, Passing, Sequencer, Unmade
from .setting import Setting, Settings
from .tooling import closed_tools, work_tool
from .tree import find_step
from .walking import Ask, Leaf
from .wiring import tool_stroke

__all__ = ["RunStatus", "Runner"]

Array = NDArray[np.float64]
RunStatus = Literal["ready", "running", "paused", "done", "failed", "stopped"]
Ticks = Generator[None, None, None]
NANO = 1e-9
LEAST_SPEED = 0.01
"""The least override of speeds."""


class _Over(Exception):  # noqa: N818
    """The run ends here; not an error of ours."""

    def __init__(self, status: RunStatus, message: str) -> None:
        super().__init__(message)
        self.status: RunStatus = status


class Runner:
    """Runs one program. Every call takes effect at the next tick; whoever owns it calls `tick` in its own time."""

    def __init__(
        self,
        cell: Cell,
        program: Program,
        controllers: Mapping[str, Controller],
        *,
        programs: Mapping[str, Program] | None = None,
        folder: Path | str | None = None,
        world: CollisionWorld | None = None,
        loop: bool = False,
        restore_each_loop: bool = True,
        make_ride: MakeRide = begin_ride,
    ) -> None:
        """Get ready.

        Args:
            cell: Without fault.
            program: Of the cell; check it before.
            controllers: By the names of the cell's robots.
            programs: Others by name, for calls.
            folder: The cell's folder, where mesh files are looked for.
            world: Of the same cell, made before; saves laying it out again. Parts and fingers begin as its scene says.
            loop: Whether it begins anew when it ends.
            restore_each_loop: Whether parts return to where the cell says at each loop.
            make_ride: How a trajectory is sent to an arm; default: tick by tick, from here.

        Raises:
            InputError: A robot has no controller.
        """
        self.scene = Scene(cell, None if folder is None else Path(folder)) if world is None else world.scene
        self.program = program
        self.loop = loop
        self.restore_each_loop = restore_each_loop
        self.status: RunStatus = "ready"
        self.message = ""
        """Why it failed, or waits."""
        self.events: list[RunEvent] = []
        self.step_id: str | None = None
        """The step whose turn it is."""
        self.rounds = 0
        """How often the program has begun anew."""
        self._make_ride = make_ride
        self._world = CollisionWorld(self.scene) if world is None else world
        self._programs = {**(programs or {}), program.name: program}
        self._controllers = dict(controllers)
        for name in {one.robot for one in self._programs.values()}:
            if name not in self._controllers:
                raise InputError(
                    f"robot {name!r} has no controller; there are {', '.join(self._controllers) or 'none'}"
                )
        self.props = Props(self.scene, self._world, self._tell)
        self._settings = Settings(self.scene, self._programs)
        self._sequencer = Sequencer(self._settings, self._q, self._answer, alone=lambda: self._single)
        self._closed = closed_tools(self.scene)
        self._speed = 1.0
        self._ticks = 0
        self._round_tick = 0
        self._waits = False
        self._tick_s = min(one.capabilities.tick_ns for one in self._controllers.values()) * NANO
        self._pause = self._single = self._stop = False
        self._work: Ticks | None = None

    @property
    def programs(self) -> Mapping[str, Program]:
        """The program and those that it may call, by name."""
        return self._programs

    @property
    def waits(self) -> bool:
        """Whether it is paused, or its program waits for a time or an input."""
        return self.status == "paused" or self._waits

    @property
    def time_s(self) -> float:
        """Counted ticks since the start, seconds."""
        return self._ticks * self._tick_s

    @property
    def tick_s(self) -> float:
        """Between two ticks, seconds."""
        return self._tick_s

    def start(self, at: str | None = None) -> None:
        """Begin, from the first step or from the step with the id `at`.

        Raises:
            InputError: It runs already.
            UnknownNameError: No step has that id.
        """
        if self.status in ("running", "paused"):
            raise InputError("the program runs already; stop it first")
        if at is not None:
            find_step(self.program, at)
        self._work = self._run(at)
        self._pause = self._single = self._stop = False
        self.status, self.message = "running", ""
        self._tell("start", f"{self.program.name} starts" + ("" if at is None else f" at step {at}"))

    def pause(self) -> None:
        """Come to rest on the path, or hold where it waits."""
        self._pause = True

    def resume(self) -> None:
        """Go on after a pause, along the same path."""
        self._pause = self._single = False
        self._wake()

    def step(self) -> None:
        """Make one step and pause; begins the program where it is not running.

        Of moves that are joined by zones and under way, the arm comes to rest soon after the one that it makes.
        """
        if self.status not in ("running", "paused"):
            self.start()
        self._single, self._pause = True, False
        self._wake()

    def stop(self) -> None:
        """Come to rest on the path and end."""
        self._stop = True

    def set_speed(self, fraction: float) -> None:
        """Set the override of all speeds, also of the move under way.

        Raises:
            InputError: Not 0.01 to 1.
        """
        if not LEAST_SPEED <= fraction <= 1.0:
            raise InputError(f"speed override {fraction}; allowed is {LEAST_SPEED:g} to 1")
        if fraction == self._speed:
            return
        self._speed = float(fraction)
        self._tell("speed", f"speeds at {100.0 * fraction:g} %")

    def _wake(self) -> None:
        if self.status == "paused":
            self.status = "running"

    def restore_parts(self) -> None:
        """Put all parts back where the cell says."""
        self.props.restore()

    def tick(self) -> RunStatus:
        """Let one tick pass, and return how the run stands."""
        if self._work is not None and self.status in ("running", "paused"):
            try:
                next(self._work)
            except StopIteration:
                self._end("done", say("run.done", program=self.program.name))
            except _Over as over:
                self._end(over.status, str(over))
            except InputError as error:
                self._end("failed", str(error))
        for controller in self._controllers.values():
            advance = getattr(controller, "advance", None)
            if advance is not None:
                advance(1)
        self._ticks += 1
        self.props.pass_time(self._tick_s)
        return self.status

    def run_to_end(self, limit_s: float = 3600.0) -> RunStatus:
        """Tick in virtual time until it is done, has failed, pauses, or `limit_s` of its time have passed."""
        if self.status == "ready":
            self.start()
        end = self._ticks + round(limit_s / self._tick_s)
        while self.status == "running" and self._ticks < end:
            self.tick()
        return self.status

    def _end(self, status: RunStatus, message: str) -> None:
        self.status, self.message, self._work, self.step_id = status, message, None, None
        self._waits = False
        self._tell("failed" if status == "failed" else "end", message)

    def _tell(self, kind: EventKind, message: str, leaf: Leaf | None = None) -> None:
        where = (None, "") if leaf is None else (leaf.step.id, leaf.program)
        self.events.append(
            RunEvent(time_s=round(self.time_s, 9), kind=kind, message=str(message), step=where[0], program=where[1])
        )

    def _run(self, at: str | None) -> Ticks:
        while True:
            yield from self._pass(at)
            if not self.loop:
                return
            at = None
            self._again()
            yield from self._breathe()

    def _again(self) -> None:
        self.rounds += 1
        self._tell("loop", f"round {self.rounds + 1}")
        if self.restore_each_loop:
            self.props.restore()

    def _pass(self, at: str | None) -> Ticks:
        for item in self._sequencer.sequence(self.program, start_at=at):
            match item:
                case Chain():
                    yield from self._move(item)
                case Leaf():
                    yield from self._leaf(item)
                case LoopPass(turn=turn, waiting=waiting):
                    if turn.endless and turn.number > 0:
                        self._again()
                    if turn.number > 0 and not waiting:
                        yield from self._breathe()
                case Unmade(leaf=leaf, why=why):
                    raise _Over("failed", say("run.cannot_be_made", step=leaf.step.id, why=why.reason))
                case Fault(error=error):
                    raise error
                case Passing() | Ask() | Cut():
                    pass

    def _breathe(self) -> Ticks:
        """Let time pass in a round in which nothing took any, so that it can be paused and stopped."""
        yield from self._hold()
        if self._ticks == self._round_tick:
            yield
        self._round_tick = self._ticks

    def _answer(self, ask: Ask, variables: Mapping[str, float]) -> bool:
        state = self._controllers[self._programs[ask.program].robot].state
        return bool(evaluate(ask.expression, {**state.inputs, **state.outputs, **variables}))

    def _move(self, chain: Chain) -> Ticks:
        """Make the moves of a chain."""
        planned = plan_chain(chain)
        if isinstance(planned, Blocked):
            step = chain.legs[planned.move].leaf.step.id
            raise _Over("failed", say("run.cannot_be_made", step=step, why=planned.reason))
        yield from self._hold()
        yield from self._ride(planned, chain)

    def _ride(self, trajectory: Trajectory, chain: Chain) -> Ticks:
        placed, legs = chain.setting.placed, chain.legs
        begins = {span.move: trajectory.place_at(span.start_s) for span in trajectory.spans}
        ends = {span.move: trajectory.place_at(span.end_s) for span in trajectory.spans}
        ride = self._make_ride(trajectory, self._controllers[placed.robot], placed.arm, self._speed)
        begun = ended = 0
        braking = False
        while True:
            place = float("inf") if ride.done else ride.place + 1e-9
            while ended < len(legs) or begun < len(legs):
                if begun <= ended and begun < len(legs) and begins.get(begun, 0.0) <= place:
                    self._begin(legs[begun].leaf)
                    begun += 1
                elif ended < begun and ends.get(ended, 0.0) <= place:
                    self._finish(legs[ended].leaf)
                    for leaf in chain.after[ended]:
                        self._instant(leaf)
                    ended += 1
                    self._pause = self._pause or (self._single and ended < len(legs))
                else:
                    break
            if ride.done:
                break
            if self._stop:
                ride.stop()
                if ride.at_rest:
                    raise _Over("stopped", say("run.stopped_in_step", step=str(self.step_id)))
            elif self._pause or braking:
                # A brake is finished before it goes on, also where the pause is over by then.
                braking = True
                ride.stop()
                if ride.at_rest:
                    yield from self._hold()
                    ride.go_on()
                    braking = False
            ride.set_speed(self._speed)
            yield
        if self._single:
            self._pause = True

    def _hold(self) -> Ticks:
        """Wait as long as there is a pause."""
        if self._stop:
            raise _Over("stopped", say("run.stopped"))
        if not self._pause:
            return
        self.status = "paused"
        self._tell("pause", "paused" if self.step_id is None else f"paused at step {self.step_id}")
        while self._pause:
            yield
            if self._stop:
                raise _Over("stopped", say("run.stopped"))
        self.status = "running"
        self._tell("resume", "goes on")

    def _begin(self, leaf: Leaf) -> None:
        self.step_id = leaf.step.id
        self._tell("step", "begins", leaf)

    def _finish(self, leaf: Leaf) -> None:
        self._tell("step done", "is done", leaf)

    def _leaf(self, leaf: Leaf) -> Ticks:
        """Make a step for which the arm is at rest."""
        yield from self._hold()
        step = leaf.step
        if not isinstance(step, Wait | WaitInput | Tool):
            self._instant(leaf)
        else:
            self._begin(leaf)
            self._waits = not isinstance(step, Tool)
            match step:
                case Wait(seconds=seconds):
                    yield from self._wait(round(seconds / self._tick_s))
                case WaitInput():
                    yield from self._wait_input(step, leaf)
                case Tool():
                    yield from self._tool(step, leaf)
            self._waits = False
            self._finish(leaf)
        if self._single:
            self._pause = True

    def _instant(self, leaf: Leaf) -> None:
        """Make a step that takes no time."""
        match leaf.step:
            case SetOutput(signal=signal, value=value):
                self._controllers[self._programs[leaf.program].robot].set_output(signal, value)
                self._tell("output", f"{signal} {'on' if value else 'off'}", leaf)
            case SpeedOverride(percent=percent):
                # Speeds are planned ahead of the moves; where a run is stopped, what was reached counts.
                self._sequencer.override = percent / 100.0
                self._tell("step done", f"speeds at {percent:g} %", leaf)
            case _:
                self._tell("step done", "is done", leaf)

    def _wait(self, ticks: int) -> Ticks:
        for _ in range(ticks):
            yield from self._hold()
            yield

    def _wait_input(self, step: WaitInput, leaf: Leaf) -> Ticks:
        controller = self._controllers[self._programs[leaf.program].robot]
        left = None if step.timeout_s is None else round(step.timeout_s / self._tick_s)
        self.message = say("run.waits_on" if step.value else "run.waits_off", signal=step.signal)
        while controller.state.inputs.get(step.signal) != step.value:
            yield from self._hold()
            if left == 0:
                late_s = step.timeout_s or 0.0
                raise _Over("failed", say("run.did_not_come", step=step.id, signal=step.signal, within_s=late_s))
            left = None if left is None else left - 1
            yield
        self.message = ""

    def _tool(self, step: Tool, leaf: Leaf) -> Ticks:
        setting = self._settings.of(leaf.program)
        key, placed = setting.key, setting.placed
        closes = step.state == "close"
        stroke = tool_stroke(placed, step.state)
        already = f"the tool of {key} is {'closed' if closes else 'open'} already"
        if closes == (key in self._closed):
            # The simulation need not know how the tool of a robot is: its outputs are set all the same.
            if stroke is not None:
                yield from self._stroke(step, placed, self.props.scene.opening(key))
            self._tell("tool", already, leaf)
            return
        (self._closed.add if closes else self._closed.discard)(key)
        worked = work_tool(self.props.world, placed, self._q(setting), step.state)
        if not closes:
            self.props.let_go(worked)
        yield from self._stroke(step, placed, worked.scene.opening(key))
        if closes:
            self.props.take(worked)
            self._tell("tool", f"grasped {worked.taken}" if worked.taken else "closed on nothing", leaf)
        else:
            names = ", ".join(fallen.part for fallen in worked.fallen)
            self._tell("tool", f"let go of {names}" if names else "opened", leaf)

    def _stroke(self, step: Tool, placed: PlacedArm, opening_m: float) -> Ticks:
        """Open or close a tool; return when it has."""
        controller, stroke = self._controllers[placed.robot], tool_stroke(placed, step.state)
        controller.tool(placed.arm, opening_m, closes=step.state == "close")
        if stroke is None and not placed.fingers:
            return
        yield
        while controller.state.tool_moving[placed.arm]:
            yield from self._hold()
            yield
        missing = () if stroke is None else stroke.unconfirmed(controller.state.inputs)
        if stroke is not None and missing:
            raise _Over(
                "failed",
                say(
                    "run.tool_did_not",
                    step=step.id,
                    state=state_word(step.state),
                    signals=", ".join(missing),
                    within_s=stroke.timeout_s,
                ),
            )

    def _q(self, setting: Setting) -> Array:
        return np.array(self._controllers[setting.placed.robot].state.q[setting.placed.arm])
