"""Runner: steps through a program on robots, in counted ticks; the same steps in virtual and in real time."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import KinematicRobot
from openpendant.errors import InputError
from openpendant.motion import Blocked, Trajectory
from openpendant.programs.document import Program, SetOutput, SpeedOverride, Tool, Wait, WaitInput, evaluate, find_step
from openpendant.programs.sequence import (
    BreakTurn,
    Cut,
    LoopPass,
    MoveChain,
    Passing,
    ProgramArm,
    ProgramArms,
    Resumption,
    SequenceFault,
    Sequencer,
    SignalCondition,
    StepTurn,
    Unmade,
    plan_chain,
)
from openpendant.said import say
from openpendant.scene import Cell, CollisionWorld, Scene

from .events import EventKind, RunEvent
from .kinematic_port import as_port
from .parts import PartsState
from .robot_port import RobotPort
from .run_over import RunOver, RunStatus, Ticks
from .run_place import Breakpoints, Interruption, RunPlace, leg_begin
from .tool_steps import ToolSteps

Array = NDArray[np.float64]
LEAST_SPEED = 0.01
"""The least override of speeds."""


class Runner:
    """Runs one program. Every call takes effect at the next tick; whoever owns it calls `tick` in its own time.

    Simulated robots of this process count its ticks as their time; `CellRuntime` runs programs on others.
    """

    def __init__(
        self,
        cell: Cell,
        program: Program,
        robots: Mapping[str, KinematicRobot | RobotPort],
        *,
        programs: Mapping[str, Program] | None = None,
        folder: Path | str | None = None,
        world: CollisionWorld | None = None,
        loop: bool = False,
        restore_each_loop: bool = True,
    ) -> None:
        """Get ready.

        Args:
            cell: Without fault.
            program: Of the cell; check it before.
            robots: Simulated robots, or the ports of others, by the names of the cell's robots.
            programs: Others by name, for calls.
            folder: The cell's folder, where mesh files are looked for.
            world: Of the same cell, made before; saves laying it out again. Parts and fingers begin as its scene says.
            loop: Whether it begins again when it ends.
            restore_each_loop: Whether parts return to where the cell says at each loop.

        Raises:
            InputError: A robot has no controller, or one that is not simulated.
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
        """How often the program has begun again."""
        self._world = CollisionWorld(self.scene) if world is None else world
        self._programs = {**(programs or {}), program.name: program}
        self._robots = {name: as_port(robot) for name, robot in robots.items()}
        for name in {one.robot for one in self._programs.values()}:
            if name not in self._robots:
                raise InputError(f"robot {name!r} has no controller; known: {', '.join(self._robots) or 'none'}")
        self.props = PartsState(self.scene, self._world, self._record_event)
        self._settings = ProgramArms(self.scene, self._programs)
        self._place = RunPlace()
        self._sequencer = Sequencer(
            self._settings,
            self._q,
            self._decide,
            alone=lambda: self._single,
            breaks=self._place.breaks,
            places=True,
        )
        self._tools = ToolSteps(self.scene, self.props, self._robots, self._record_event)
        self._speed = 1.0
        self._ticks = 0
        self._round_tick = 0
        self._waits = False
        self._tick_s = min(robot.tick_s for robot in self._robots.values())
        self._pause = self._single = self._stop = False
        self._work: Ticks | None = None

    @property
    def programs(self) -> Mapping[str, Program]:
        """The program and those that it may call, by name."""
        return self._programs

    @property
    def waits(self) -> bool:
        """Whether it is paused, or its program waits for a time, an input or a tool that may still confirm."""
        return self.status == "paused" or self._waits

    @property
    def time_s(self) -> float:
        """Counted ticks since the start, seconds."""
        return self._ticks * self._tick_s

    @property
    def step_in(self) -> str:
        """The program whose step it is: this one, or one that it calls."""
        return self._place.step[0] or self.program.name

    @property
    def variables(self) -> Mapping[str, float]:
        """Variables of the program whose step it is, as they are by now."""
        return self._place.variables

    @property
    def interruption(self) -> Interruption | None:
        """Where it was when it ended before its end; None: it is done, or had not begun a step."""
        return None if self.status == "done" else self._place.interruption(self._sequencer.override)

    def set_breakpoints(self, breakpoints: Breakpoints) -> None:
        """Have the run pause before some steps, by program and id, and before no others.

        The arm comes to rest where the step before ends. Of moves that are joined by zones and under way, it comes to
        rest soon after the step begins.

        Args:
            breakpoints: Names of programs with ids of steps.
        """
        self._place.breakpoints = breakpoints

    @property
    def tick_s(self) -> float:
        """Between two ticks, seconds."""
        return self._tick_s

    def start(self, at: str | Resumption | None = None) -> None:
        """Begin, from the first step or from another one.

        Args:
            at: The id of the step to begin with, or where an earlier run was interrupted; None: the first.

        Raises:
            InputError: It is already running.
            UnknownNameError: No step has that id.
        """
        if self.status in ("running", "paused"):
            raise InputError(say("run.is_running"))
        if isinstance(at, str):
            find_step(self.program, at)
        self._place.start(at)
        self._work = self._run(at)
        self._pause = self._single = self._stop = False
        self.status, self.message = "running", ""
        begin = at.place.step if isinstance(at, Resumption) else at
        self._record_event("start", f"{self.program.name} starts" + ("" if begin is None else f" at step {begin}"))

    def pause(self) -> None:
        """Come to rest on the path, or hold where it waits."""
        self._pause = True

    def resume(self) -> None:
        """Resume after a pause, along the same path."""
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

        Args:
            fraction: Share of the programmed speeds, 0.01 to 1.

        Raises:
            InputError: The fraction is out of range.
        """
        if not LEAST_SPEED <= fraction <= 1.0:
            raise InputError(say("run.override", override=fraction, least=f"{LEAST_SPEED:g}"))
        if fraction == self._speed:
            return
        self._speed = float(fraction)
        self._record_event("speed", f"speeds at {100.0 * fraction:g} %")

    def _wake(self) -> None:
        if self.status == "paused":
            self.status = "running"

    def tick(self) -> RunStatus:
        """Let one tick pass, and return how the run stands."""
        if self._work is not None and self.status in ("running", "paused"):
            try:
                next(self._work)
            except StopIteration:
                self._end("done", say("run.done", program=self.program.name))
            except RunOver as over:
                self._end(over.status, over.message)
            except InputError as error:
                self._end("failed", error.said)
        for robot in self._robots.values():
            robot.pass_tick()
        self._ticks += 1
        self.props.pass_time(self._tick_s)
        return self.status

    def run_to_end(self, limit_s: float = 3600.0) -> RunStatus:
        """Tick in virtual time until it is done, has failed, pauses, or its time is up; return how it stands then.

        Args:
            limit_s: How much of its own time may pass, seconds.

        Raises:
            ControllerError: A controller refuses a command; a fault of the program ends the run as 'failed' instead.
        """
        if self.status == "ready":
            self.start()
        end = self._ticks + round(limit_s / self._tick_s)
        while self.status == "running" and self._ticks < end:
            self.tick()
        return self.status

    def _end(self, status: RunStatus, message: str) -> None:
        self.status, self.message, self._work, self.step_id = status, message, None, None
        self._waits = False
        self._record_event("failed" if status == "failed" else "end", message)

    def _record_event(self, kind: EventKind, message: str, leaf: StepTurn | None = None) -> None:
        where = (None, "") if leaf is None else (leaf.id, leaf.program)
        self.events.append(
            RunEvent(time_s=round(self.time_s, 9), kind=kind, message=str(message), step=where[0], program=where[1])
        )

    def _run(self, at: str | Resumption | None) -> Ticks:
        while True:
            yield from self._pass(at)
            if not self.loop:
                return
            at = None
            self._next_round()
            if self.restore_each_loop:
                self.props.restore()
            yield from self._breathe()

    def _next_round(self) -> None:
        self.rounds += 1
        self._record_event("loop", f"round {self.rounds + 1}")

    def _pass(self, at: str | Resumption | None) -> Ticks:
        for item in self._sequencer.sequence(self.program, start_at=at):
            match item:
                case MoveChain():
                    yield from self._move(item)
                case StepTurn():
                    yield from self._leaf(item)
                case BreakTurn():
                    yield from self._break(item)
                case LoopPass(turn=turn, waiting=waiting):
                    if not waiting:
                        self._place.reach(turn, self._settings.of(turn.program).key)
                    if turn.endless and turn.number > 0:
                        self._next_round()
                    if turn.number > 0 and not waiting:
                        yield from self._breathe()
                case Unmade(leaf=leaf, why=why):
                    raise RunOver("failed", say("run.cannot_be_made", step=leaf.id, why=why.reason))
                case SequenceFault(error=error):
                    raise error
                case Passing() | SignalCondition() | Cut():
                    pass

    def _break(self, turn: BreakTurn) -> Ticks:
        """Pause before a step that has a breakpoint."""
        if self._place.pauses(turn):
            self._place.reach(turn, self._settings.of(turn.program).key)
            self.step_id, self._pause = turn.step, True
            self.message = say("run.at_breakpoint")
            yield from self._hold()
            self.message = ""

    def _breathe(self) -> Ticks:
        """Let time pass in a round in which nothing took any, so that it can be paused and stopped."""
        yield from self._hold()
        if self._ticks == self._round_tick:
            yield
        self._round_tick = self._ticks

    def _decide(self, ask: SignalCondition, variables: Mapping[str, float]) -> bool:
        state = self._robots[self._programs[ask.program].robot].state
        return bool(evaluate(ask.expression, {**state.inputs, **state.outputs, **variables}))

    def _move(self, chain: MoveChain) -> Ticks:
        """Make the moves of a chain."""
        self._place.reach(chain.legs[0].leaf, chain.setting.key)
        planned = plan_chain(chain)
        if isinstance(planned, Blocked):
            step = chain.legs[planned.move].leaf.id
            raise RunOver("failed", say("run.cannot_be_made", step=step, why=planned.reason))
        yield from self._hold()
        yield from self._follow(planned, chain)

    def _follow(self, trajectory: Trajectory, chain: MoveChain) -> Ticks:
        placed, legs = chain.setting.placed, chain.legs
        begins = {span.move: trajectory.place_at(span.start_s) for span in trajectory.spans}
        ends = {span.move: trajectory.place_at(span.end_s) for span in trajectory.spans}
        # The last move ends with the chain: what follows it is not known before, to a run that is stopped there.
        ends[len(legs) - 1] = float("inf")
        q_begins = {span.move: trajectory.at(span.start_s).q for span in trajectory.spans}
        ride = self._robots[placed.robot].play(trajectory, placed.arm, self._speed)
        begun = ended = 0
        braking = False
        while True:
            place = float("inf") if ride.done else ride.place + 1e-9
            while ended < len(legs) or begun < len(legs):
                if begun <= ended and begun < len(legs) and begins.get(begun, 0.0) <= place:
                    leaf = legs[begun].leaf
                    # A breakpoint that was set after the chain was planned: it comes to rest as soon as it can.
                    new = begun > 0 and leaf.id != legs[begun - 1].leaf.id
                    self._pause = self._pause or (new and self._place.breaks(leaf.program, leaf.id))
                    self._place.reach(leaf, placed.key, leg_begin(chain, begun, q_begins[begun]))
                    self._begin(leaf)
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
                    raise RunOver("stopped", say("run.stopped_in_step", step=str(self.step_id)))
            elif self._pause or braking:
                # A brake is finished before it continues, also where the pause is over by then.
                braking = True
                ride.stop()
                if ride.at_rest:
                    yield from self._hold()
                    ride.resume()
                    braking = False
            ride.set_speed(self._speed)
            yield
        if self._single:
            self._pause = True

    def _hold(self) -> Ticks:
        """Wait while paused."""
        if self._stop:
            raise RunOver("stopped", say("run.stopped"))
        if not self._pause:
            return
        self.status = "paused"
        self._record_event("pause", "paused" if self.step_id is None else f"paused at step {self.step_id}")
        while self._pause:
            yield
            if self._stop:
                raise RunOver("stopped", say("run.stopped"))
        self.status = "running"
        self._record_event("resume", "resumed")

    def _begin(self, leaf: StepTurn) -> None:
        self.step_id = leaf.id
        self._record_event("step", "begins", leaf)

    def _finish(self, leaf: StepTurn) -> None:
        self._record_event("step done", "is done", leaf)

    def _leaf(self, leaf: StepTurn) -> Ticks:
        """Make a step for which the arm is at rest."""
        self._place.reach(leaf, self._settings.of(leaf.program).key)
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
                    yield from self._tools.make(step, leaf, self._settings.of(leaf.program), self._hold, self._wait_on)
            self._waits = False
            self._finish(leaf)
        if self._single:
            self._pause = True

    def _instant(self, leaf: StepTurn) -> None:
        """Make a step that takes no time."""
        match leaf.step:
            case SetOutput(signal=signal, value=value):
                self._robots[self._programs[leaf.program].robot].set_output(signal, value)
                self._record_event("output", f"{signal} {'on' if value else 'off'}", leaf)
            case SpeedOverride(percent=percent):
                # Speeds are planned ahead of the moves; where a run is stopped, what was reached counts.
                self._sequencer.override = percent / 100.0
                self._record_event("step done", f"speeds at {percent:g} %", leaf)
            case _:
                self._place.set_variable(leaf)
                self._record_event("step done", "is done", leaf)

    def _wait(self, ticks: int) -> Ticks:
        for _ in range(ticks):
            yield from self._hold()
            yield

    def _wait_input(self, step: WaitInput, leaf: StepTurn) -> Ticks:
        robot = self._robots[self._programs[leaf.program].robot]
        left = None if step.timeout_s is None else round(step.timeout_s / self._tick_s)
        self.message = say("run.waits_on" if step.value else "run.waits_off", signal=step.signal)
        while robot.state.inputs.get(step.signal) != step.value:
            yield from self._hold()
            if left == 0:
                late_s = step.timeout_s or 0.0
                raise RunOver("failed", say("run.did_not_come", step=step.id, signal=step.signal, within_s=late_s))
            left = None if left is None else left - 1
            yield
        self.message = ""

    def _wait_on(self, waits: bool) -> None:
        self._waits = waits

    def _q(self, setting: ProgramArm) -> Array:
        return np.array(self._robots[setting.placed.robot].state.q[setting.placed.arm])
