"""A cell in virtual time and one thread: real loops, gates, plants, links and runs on a bus in memory.

Whoever waits lets time pass; what waits meanwhile is held up as a thread would be. So a stop can come between any two
samples on the bus, and every example is repeated exactly.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from unittest.mock import patch

import msgspec
import numpy as np

from openpendant.controllers import KinematicRobot
from openpendant.gate import Gate, GateFacts, facts_in_cell
from openpendant.programs import (
    Call,
    MoveAxis,
    Program,
    Report,
    SetOutput,
    Wait,
    WaitInput,
    called_by,
    check_program,
    fingerprint_of,
    make_kinematic_robots,
)
from openpendant.runtime import BusError, CellLink, ProgramRun, RemoteRobot, RobotLoop
from openpendant.runtime.arm_executor import ArmParts
from openpendant.runtime.process import RobotProcess
from openpendant.runtime.robot_builder import build_robot
from openpendant.runtime.settings import RobotSettings
from openpendant.scene import Cell, CellRobot, CollisionWorld, Scene, Signal, encode_cell

TICK_NS = 4_000_000
ROBOT, ARM = "robot", "arm"
CELL = Cell(
    name="virtual",
    robots=(CellRobot(name=ROBOT, model="irb120"),),
    signals=(Signal(name="go", kind="in"), Signal(name="lamp", kind="out")),
)
HOME = (0.0, 0.0, 0.0, 0.0, 0.5, 0.0)


def _fits(pattern: str, where: str) -> bool:
    parts, names = pattern.split("/"), where.split("/")
    return len(parts) == len(names) and all(part in ("*", name) for part, name in zip(parts, names, strict=True))


class MemoryBus:
    """One session; keeps the interface of `cell.Bus`."""

    endpoint = "memory"

    def __init__(self, world: "VirtualCell", name: str) -> None:
        self.name, self._world, self.closed = name, world, False
        self.listeners: list[tuple[str, Callable[[str, bytes], None]]] = []
        self.servers: dict[str, Callable[[bytes, Callable[[bytes], None]], None]] = {}
        self.alive: list[str] = []
        self.watchers: list[tuple[str, Callable[[str, bool], None]]] = []
        world.sessions.append(self)

    def publish(self, where: str, payload: bytes, *, newest: bool = True) -> None:
        for other in self._world.reached_from(self):
            for pattern, take in tuple(other.listeners):
                if _fits(pattern, where):
                    take(where, payload)

    def listen(self, where: str, take: Callable[[str, bytes], None]) -> Callable[[], None]:
        self.listeners.append((where, take))
        return lambda: self.listeners.remove((where, take))

    def serve(self, where: str, answer: Callable[[bytes, Callable[[bytes], None]], None]) -> None:
        self.servers[where] = answer

    def request(self, where: str, payload: bytes, deadline_s: float) -> bytes:
        answer = self.request_each((where,), payload, deadline_s)[where]
        if isinstance(answer, BusError):
            raise answer
        return answer

    def request_each(self, wheres: Iterable[str], payload: bytes, deadline_s: float) -> dict[str, bytes | BusError]:
        wheres = tuple(wheres)
        answers: dict[str, bytes | BusError] = {}
        end = self._world.now + int(deadline_s * 1e9)
        for where in wheres:
            served = [other for other in self._world.reached_from(self) if where in other.servers]
            for other in served:
                other.servers[where](payload, lambda reply, where=where: answers.setdefault(where, reply))
            if not served:
                answers[where] = BusError(f"nobody answers at {where}")
        while len(answers) < len(wheres) and self._world.now < end:
            self._world.step()
        return {where: answers.get(where, BusError(f"no answer from {where}")) for where in wheres}

    def show_alive(self, where: str) -> None:
        self.alive.append(where)
        self._world.tell_alive(where, alive=True)

    def watch_alive(self, where: str, take: Callable[[str, bool], None]) -> None:
        self.watchers.append((where, take))
        for other in self._world.sessions:
            for token in other.alive:
                if _fits(where, token):
                    take(token, True)  # noqa: FBT003 - as the bus calls it

    def close(self) -> None:
        self.closed = True
        if self in self._world.sessions:
            self._world.sessions.remove(self)
        for token in self.alive:
            self._world.tell_alive(token, alive=False)


@dataclass(eq=False)
class _Work:
    period: int
    work: Callable[[], bool]
    due: int
    busy: bool = False


@dataclass(eq=False)
class _Process:
    process: RobotProcess
    session: MemoryBus


@dataclass(eq=False)
class VirtualCell:
    """One robot, its process, two clients: 'me', who runs programs, and 'you'."""

    now: int = 10**9
    sessions: list[MemoryBus] = field(default_factory=list)
    frozen_until: int = 0
    cut_until: int = 0
    born: int = 0
    _works: list[_Work] = field(default_factory=list)
    _plans: list[tuple[int, Callable[[], None]]] = field(default_factory=list)
    each_tick: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.q = np.array(HOME)
        self.q_before = self.q
        self.robot: _Process | None = None
        self.scene = Scene(CELL)
        self.begin()

    def begin(self) -> None:
        """Start the robot's process, and let both clients join."""
        self.start_process()
        self.links = {name: CellLink(MemoryBus(self, name), CELL.name, name, 1.0, clock=self) for name in ("me", "you")}
        self.arms = {name: RemoteRobot(ROBOT, self.scene, link) for name, link in self.links.items()}
        self.ticks(10)

    # What `Clock` asks for.

    def now_ns(self) -> int:
        return self.now

    def wait(self, changed: threading.Condition, within_s: float) -> None:
        end = self.now + max(TICK_NS, int(min(within_s, 0.01) * 1e9))
        while self.now < end:
            self.step()

    def every(self, period_s: float, work: Callable[[], bool], name: str) -> Callable[[], None]:
        made = _Work(int(period_s * 1e9), work, self.now)
        self._works.append(made)
        return lambda: self._works.remove(made) if made in self._works else None

    # What happens.

    def step(self) -> None:
        """Let one tick pass for everybody who is not held up."""
        self.now += TICK_NS
        due = [plan for plan in self._plans if plan[0] <= self.now]
        self._plans = [plan for plan in self._plans if plan[0] > self.now]
        for _, act in due:
            act()
        if self.robot is None and self.now >= self.born:
            self.start_process()
        if self.robot is not None and self.now >= self.frozen_until:
            self.robot.process.step(self.now)
            self.q_before, self.q = self.q, np.array(self.loop.controller.state.q[ARM])
        for look in self.each_tick:
            look()
        for one in tuple(self._works):
            if not one.busy and one.due <= self.now and one in self._works:
                one.busy, one.due = True, max(one.due + one.period, self.now)
                try:
                    goes_on = one.work()
                finally:
                    one.busy = False
                if not goes_on and one in self._works:
                    self._works.remove(one)

    def ticks(self, count: int) -> None:
        end = self.now + count * TICK_NS
        while self.now < end:
            self.step()

    def later(self, ticks: int, act: Callable[[], None]) -> None:
        """Do something in so many ticks, whatever is under way then."""
        self._plans.append((self.now + ticks * TICK_NS, act))

    def reached_from(self, session: MemoryBus) -> list[MemoryBus]:
        """Return the other sessions that hear what a session says now."""
        if session.closed:
            return []
        cut = self.now < self.cut_until
        return [
            other
            for other in self.sessions
            if other is not session and not (cut and "me" in (other.name, session.name))
        ]

    def tell_alive(self, where: str, *, alive: bool) -> None:
        for session in tuple(self.sessions):
            for pattern, take in tuple(session.watchers):
                if _fits(pattern, where):
                    take(where, alive)

    def kill(self, again_ns: int = 300_000_000) -> None:
        """Let the robot's process die; another starts where the arm is, after so long."""
        if self.robot is not None:
            session, self.robot = self.robot.session, None
            session.close()
            self.born = self.now + again_ns

    def start_process(self) -> None:
        settings = RobotSettings(
            cell=CELL.name,
            document=encode_cell(CELL).decode(),
            robot=ROBOT,
            endpoint="tcp/127.0.0.1:1",
        )
        parts, facts = _parts()
        self.loop = RobotLoop(ROBOT, self.make_plant(), Gate({ARM: facts}, TICK_NS), [parts], stops=self.now)
        session = MemoryBus(self, ROBOT)
        process = RobotProcess(settings, self.loop, session, lambda _: None, lambda: False)
        self.robot = _Process(process, session)
        self.frozen_until = 0

    def make_plant(self) -> KinematicRobot:
        """Return the arm, where it is."""
        return make_kinematic_robots(Scene(CELL), start={f"{ROBOT}/{ARM}": tuple(self.q.tolist())})[ROBOT]

    @property
    def moving(self) -> bool:
        return bool(np.abs(self.q - self.q_before).max() > 1e-7)

    @property
    def speed(self) -> float:
        """Of the fastest joint in the last tick, rad/s."""
        return float(np.abs(self.q - self.q_before).max()) / (TICK_NS * 1e-9)

    def run(
        self, program: Program, *, loop: bool = False, single: bool = False, checked: Program | None = None
    ) -> ProgramRun:
        """Begin a run as `CellRuntime.start_run` does, with a report for where the arm stands, of what was checked."""
        link = self.links["me"]
        since = link.stop_counts()
        self.known = with_called(program)
        run = ProgramRun(CELL, program, self.known, {ROBOT: self.arms["me"]}, None, link, since)
        self.runs.append(run)
        try:
            run.wait_ready()
            q = {f"{ROBOT}/{ARM}": np.array(self.arms["me"].state.arms[ARM].q_rest)}
            with patch("openpendant.programs.run.runner.CollisionWorld", lambda _: empty_world()):
                run.start_streamed(report_at(checked or program, q), reduced=False, loop=loop, single=single)
        except Exception as error:
            run.fail(error)
            raise
        return run

    runs: list[ProgramRun] = field(default_factory=list)
    known: dict[str, Program] = field(default_factory=dict)
    """The programs that the last run was given; what is edited later is edited here."""


@cache
def empty_world() -> CollisionWorld:
    """Nothing stands in the cell: laid out once, not for every run."""
    return CollisionWorld(Scene(CELL))


@cache
def _parts() -> tuple[ArmParts, GateFacts]:
    settings = RobotSettings(
        cell=CELL.name, document=encode_cell(CELL).decode(), robot=ROBOT, endpoint="none", collisions=False
    )
    built = build_robot(settings, rehearsed=False)
    return built.loop.drives[ARM].parts, facts_in_cell(empty_world(), f"{ROBOT}/{ARM}")


@cache
def clear_report(name: str) -> Report:
    program = PROGRAMS[name]
    report = check_program(
        CELL, program, programs=with_called(program), start={f"{ROBOT}/{ARM}": HOME}, inputs={"go": True}
    )
    assert report.clear, report.summary
    return report


def with_called(program: Program) -> dict[str, Program]:
    """Return a program and those that it calls, by name."""
    return {program.name: program, **{name: PROGRAMS[name] for name in called_by(program)}}


def report_at(program: Program, q: dict[str, np.ndarray]) -> Report:
    report = clear_report(program.name)
    start = msgspec.structs.replace(report.start, q={key: tuple(joints.tolist()) for key, joints in q.items()})
    mark = fingerprint_of(CELL, with_called(program), q, start_at=None, scene=None)
    return msgspec.structs.replace(report, start=start, fingerprint=mark)


SWINGS = Program(
    name="swings",
    robot=ROBOT,
    steps=(
        MoveAxis(id="there", q=(0.5, 0.0, 0.0, 0.0, 0.5, 0.0), speed="60%"),
        SetOutput(id="on", signal="lamp"),
        MoveAxis(id="low", q=(0.5, 0.2, 0.0, 0.0, 0.5, 0.0), speed="100%"),
        Wait(id="wait", seconds=0.2),
        MoveAxis(id="back", q=HOME, speed="80%"),
        SetOutput(id="off", signal="lamp", value=False),
    ),
)
WAITS = Program(
    name="waits",
    robot=ROBOT,
    steps=(MoveAxis(id="a", q=(0.1, 0.0, 0.0, 0.0, 0.5, 0.0), speed="60%"), WaitInput(id="in", signal="go")),
)
CALLS = Program(
    name="calls",
    robot=ROBOT,
    steps=(
        MoveAxis(id="first", q=(0.2, 0.0, 0.0, 0.0, 0.5, 0.0), speed="60%"),
        Call(id="call", program="swings"),
        Call(id="again", program="swings"),
    ),
)
MOVES_LATER = Program(
    name="moves_later",
    robot=ROBOT,
    steps=(Wait(id="wait", seconds=2.0), MoveAxis(id="there", q=(0.5, 0.0, 0.0, 0.0, 0.5, 0.0), speed="60%")),
)
PROGRAMS = {one.name: one for one in (SWINGS, WAITS, CALLS, MOVES_LATER)}
