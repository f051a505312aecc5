"""simulate_program: a program from start to end, sampled: what a timeline shows and scrubs through."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.controllers import KinematicRobot
from openpendant.errors import InputError
from openpendant.programs.document import Program, WaitInput, all_steps
from openpendant.scene import Cell, CollisionWorld, Scene

from .kinematic_robots import make_kinematic_robots
from .runner import Runner, RunStatus

Array = NDArray[np.float64]
DT_S = 0.02
LONGEST_S = 600.0
FAR_M = 0.5
"""Distances are reported up to here."""


@dataclass(frozen=True)
class SimulatedStep:
    """One turn of a step."""

    program: str
    step: str
    start_s: float
    end_s: float


@dataclass(frozen=True, eq=False)
class Simulation:
    """What happens when a program runs on the kinematic robot, sampled; arms by robot/arm. SI and radians."""

    t: Array
    """(N,) seconds."""
    q: Mapping[str, Array]
    """(N, n)."""
    openings: Mapping[str, Array]
    """(N,) how far each finger is open, metres; arms with fingers alone."""
    tools: Mapping[str, Array]
    """(N, 3) the tool's point in the world."""
    speeds: Mapping[str, Array]
    """(N,) speed of the tool's point, metres per second."""
    distance_m: Array
    """(N,) least distance of anything that moves to anything else, up to half a metre."""
    parts: Mapping[str, Array]
    """(N, 4, 4) poses in the world of the parts that are moved."""
    steps: tuple[SimulatedStep, ...]
    status: RunStatus
    message: str
    """Why it did not come to its end."""


def simulate_program(
    cell: Cell,
    program: Program,
    *,
    programs: Mapping[str, Program] | None = None,
    folder: Path | str | None = None,
    start: Mapping[str, ArrayLike] | None = None,
    dt_s: float = DT_S,
    longest_s: float = LONGEST_S,
    world: CollisionWorld | None = None,
) -> Simulation:
    """Return a program as it runs, up to its end, its first failing step, or `longest_s`.

    Pure: the same arguments give the same simulation. Inputs that are waited for come at once; a program that loops for
    ever is simulated for one round.

    Args:
        cell: Without fault.
        program: Of the cell.
        programs: Others by name, for calls.
        folder: The cell's folder, where mesh files are looked for.
        start: Joints (n,) by robot/arm, radians (metres where a joint slides); others start as the cell says.
        dt_s: Between two samples, seconds; rounded to a multiple of the kinematic robot's tick of 4 ms.
        longest_s: Of its own time, seconds.
        world: Of the same cell, made before; saves laying it out again.

    Raises:
        UnknownNameError: The cell has no arm that `start` names.
        InputError: `dt_s` is not positive, the start is beyond a limit, or the cell has no such robot with arms.
    """
    if not dt_s > 0.0:
        raise InputError(f"dt_s is {dt_s}; it must be a positive number of seconds")
    if world is None:
        world = CollisionWorld(Scene(cell, None if folder is None else Path(folder)))
    plants = make_kinematic_robots(world.scene, start=dict(start or {}))
    runner = Runner(cell, program, plants, programs=programs, folder=folder, world=world)
    return _Recorder(runner, plants, world.scene, max(1, round(dt_s / runner.tick_s))).record(longest_s)


class _Recorder:
    """Ticks a run and writes down what happens."""

    def __init__(self, runner: Runner, plants: Mapping[str, KinematicRobot], scene: Scene, every: int) -> None:
        self.runner, self.plants, self.scene, self.every = runner, plants, scene, every
        self.arms = {key: arm for key, arm in scene.arms.items() if arm.robot in plants}
        self.awaited = {
            (name, step.id): step
            for name, one in runner.programs.items()
            for _, step in all_steps(one)
            if isinstance(step, WaitInput)
        }
        self.graspable = [one.name for one in scene.cell.objects if one.graspable]
        self.t: list[float] = []
        self.q: dict[str, list[Array]] = {key: [] for key in self.arms}
        self.openings: dict[str, list[float]] = {key: [] for key, arm in self.arms.items() if arm.fingers}
        self.distances: list[float] = []
        self.parts: dict[str, list[Array]] = {name: [] for name in self.graspable}
        self.open_steps: dict[tuple[str, str], float] = {}
        self.steps: list[SimulatedStep] = []
        self.seen = 0

    def record(self, longest_s: float) -> Simulation:
        """Run to the end and return what was written down."""
        runner = self.runner
        runner.start()
        self._sample()
        count = 0
        while runner.status == "running" and runner.time_s < longest_s and runner.rounds == 0:
            runner.tick()
            self._follow_events()
            count += 1
            if count % self.every == 0:
                self._sample()
        if count % self.every:
            self._sample()
        return self._finish()

    def _follow_events(self) -> None:
        for event in self.runner.events[self.seen :]:
            if event.step is None:
                continue
            key = (event.program, event.step)
            if event.kind == "step":
                self.open_steps[key] = event.time_s
                if key in self.awaited:
                    step = self.awaited[key]
                    self.plants[self.runner.programs[event.program].robot].set_input(step.signal, step.value)
            elif event.kind == "step done":
                self.steps.append(SimulatedStep(*key, self.open_steps.pop(key, event.time_s), event.time_s))
        self.seen = len(self.runner.events)

    def _sample(self) -> None:
        self.t.append(self.runner.time_s)
        q: dict[str, Array] = {}
        for key, arm in self.arms.items():
            state = self.plants[arm.robot].state
            q[key] = state.q[arm.arm]
            self.q[key].append(q[key])
            if key in self.openings:
                self.openings[key].append(state.openings[arm.arm])
        self.distances.append(min(self.runner.props.world.distance(q, within=FAR_M).distance_m, FAR_M))
        for name in self.graspable:
            self.parts[name].append(self.runner.props.pose(name, q))

    def _finish(self) -> Simulation:
        t = np.array(self.t)
        q = {key: np.array(rows) for key, rows in self.q.items()}
        tools = {key: self._tool_points(key, rows) for key, rows in q.items()}
        parts = {name: np.array(poses) for name, poses in self.parts.items()}
        open_steps = (SimulatedStep(*key, begun, float(t[-1])) for key, begun in self.open_steps.items())
        return Simulation(
            t,
            q,
            {key: np.array(values) for key, values in self.openings.items()},
            tools,
            {key: _speeds(t, points) for key, points in tools.items()},
            np.array(self.distances),
            {name: T for name, T in parts.items() if np.abs(T - T[0]).max() > 1e-9},
            (*self.steps, *open_steps),
            self.runner.status,
            self.runner.message,
        )

    def _tool_points(self, key: str, q: Array) -> Array:
        arm = self.arms[key]
        T = arm.T_world_base @ arm.kinematics.fk(q, check_limits=False) @ arm.T_flange_tcp
        return np.ascontiguousarray(T[:, :3, 3])


def _speeds(t: Array, points: Array) -> Array:
    """Return the speed at each sample, by the chord on both sides of it."""
    if len(t) < 2:
        return np.zeros(len(t))
    step = np.linalg.norm(np.diff(points, axis=0), axis=1) / np.diff(t)
    return np.concatenate([step[:1], 0.5 * (step[1:] + step[:-1]), step[-1:]])
