"""CraneBrain: a crane of one boom or more, without sockets or clock; one `tick` is 4 ms."""

from dataclasses import dataclass, field

import numpy as np

from .convention import BOOMS, INPUTS, OUTPUTS
from .language import Line, parse
from .protocol import TICK_NS, CraneState

DT = TICK_NS * 1e-9
FASTEST = np.array([1.0, 0.8])
"""Of the joints of a boom, rad/s."""
BRAKE_TICKS = 25
"""In which what moves under a program comes to rest."""


@dataclass
class Task:
    """A program under way."""

    lines: tuple[Line, ...]
    joints: slice
    """Of the boom that it moves."""
    at: int = 0
    ticks: int = 0
    start: np.ndarray = field(default_factory=lambda: np.zeros(2))


class CraneBrain:
    """Follows setpoints, or runs one program for each of its tasks."""

    def __init__(self, q: tuple[float, ...], key: str = "auto") -> None:
        self.q = self.before = np.array(q, dtype=float)
        self.target = self.q.copy()
        self.mode, self.key = "ready", key
        self.inputs = dict.fromkeys(INPUTS, False)
        self.outputs = dict.fromkeys(OUTPUTS, False)
        self._fastest = np.tile(FASTEST, len(self.q) // 2)
        self._met = False
        self.window = ""
        self.tick_count = self.runs = 0
        self.loaded: dict[str, tuple[Line, ...]] = {}
        self.tasks: dict[str, Task] = {}
        self.ended = "-"
        self.braking: np.ndarray | None = None

    @property
    def running(self) -> bool:
        return bool(self.tasks) and self.ended == "-"

    def load(self, task: str, text: str) -> None:
        """Keep a program for a task; raises CraneScriptError."""
        self.loaded[task] = parse(text)

    def start(self) -> None:
        """Start what was loaded, all tasks in one tick."""
        self.tasks = {name: Task(lines, joints_of(name)) for name, lines in self.loaded.items()}
        self.loaded, self.ended, self.braking = {}, "-", None
        self.runs += 1

    def halt(self, why: str = "stopped") -> None:
        """End what runs; the joints come to rest with a ramp."""
        if self.running:
            self.ended, self.window = why.replace(" ", "_"), ""
            velocity = (self.q - self.before) / DT
            self.braking = velocity[None, :] * np.linspace(1.0, 0.0, BRAKE_TICKS)[:, None] * DT

    def answer(self) -> None:
        """Close the window."""
        self.window = ""

    def switch(self, on: bool) -> None:
        """Switch the motors."""
        if not on:
            self.halt("motors off")
        self.mode = "ready" if on else "off"

    def turn_key(self) -> None:
        """Turn the key to where it does not stand."""
        self.key = "hand" if self.key == "auto" else "auto"

    def tick(self) -> None:
        """Let 4 ms pass."""
        self.tick_count += 1
        self.before = self.q
        if self.mode != "ready":
            self.target = self.q
        elif self.braking is not None:
            self.q = self.q + self.braking[0]
            self.braking = self.braking[1:] if len(self.braking) > 1 else None
            self.target = self.q
        elif self.running:
            left = [
                task for task in self.tasks.values() if any(line.command == "meet" for line in task.lines[task.at :])
            ]
            self._met = all(task.lines[task.at].command == "meet" for task in left)
            for task in self.tasks.values():
                self._run(task)
            self.target = self.q
            if all(task.at == len(task.lines) for task in self.tasks.values()):
                self.ended = "."
        else:
            step = 1.5 * self._fastest * DT
            self.q = self.q + np.clip(self.target - self.q, -step, step)
        self.inputs["loaded"] = self.outputs["magnet"]

    def state(self) -> CraneState:
        """Return what its clients are told."""
        qd = (self.q - self.before) / DT
        done, total = (sum(values) for values in zip(*self._progress(), strict=True)) if self.tasks else (0, 0)
        bits = [sum(on << bit for bit, on in enumerate(ports.values())) for ports in (self.inputs, self.outputs)]
        q, v = (tuple(map(float, values)) for values in (self.q, qd))
        return CraneState(self.tick_count, q, v, self.mode, self.key, *bits, self.runs, done, total, self.ended)

    def _progress(self) -> list[tuple[int, int]]:
        return [(task.at, len(task.lines)) for task in self.tasks.values()]

    def _run(self, task: Task) -> None:
        """Run at most one line of a task in this tick."""
        if task.at == len(task.lines):
            return
        line = task.lines[task.at]
        if task.ticks == 0:
            task.start = self.q[task.joints]
            self.window = " ".join(line.words) if line.command == "say" else self.window
        task.ticks += 1
        if self._over(task, line):
            task.at, task.ticks = task.at + 1, 0

    def _over(self, task: Task, line: Line) -> bool:
        match line.command:
            case "go":
                *goal, speed = line.numbers
                way = np.array(goal) - task.start
                # Smooth: x²(3 - 2x), whose peak is one and a half times the mean.
                ticks = max(1.0, 1.5 * float(np.abs(way).max()) / speed / DT)
                x = min(1.0, task.ticks / ticks)
                self.q = self.q.copy()
                self.q[task.joints] = task.start + way * x * x * (3.0 - 2.0 * x)
                return x >= 1.0
            case "meet":
                return self._met
            case "wait":
                return task.ticks * DT >= line.numbers[0]
            case "set":
                self.outputs[line.words[0]] = line.words[1] == "1"
            case "until":
                return self.inputs[line.words[0]] == (line.words[1] == "1")
            case "say":
                return self.window == ""
        return True


def joints_of(task: str) -> slice:
    """Return the joints of the boom that a task moves; a task that is called like none moves the first."""
    first = 2 * BOOMS.index(task) if task in BOOMS else 0
    return slice(first, first + 2)
