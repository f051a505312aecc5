"""JobWatch: one job of programs on a controller, from its texts to its end."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers.jobs import Progress, VendorTasks, VendorText, texts_of
from openpendant.errors import InputError
from openpendant.protocols.rapid_server import ServerFlag
from openpendant.said import say

from .arm import AbbArm
from .controller_watch import ERROR_LEVEL, LoggedEvent, Panel
from .modules import JOB_MODULE, PreparedModule, prepare_module

Array = NDArray[np.float64]
STILL_S = 2.0
"""What makes no progress for this time is given up, as every run."""
READ_BYTES_S = 50_000.0
"""A controller loads and links at least so much of a text in a second; it has this time before it must start."""
COMPLAINT_WITHIN_NS = 400_000_000
"""How long to wait after its end for the event log."""
MOVE = re.compile(r"\s*Move(AbsJ|J|L|C)\b", re.IGNORECASE)
MOVED_RAD = 1e-4
DONE = (ServerFlag.DONE_1, ServerFlag.DONE_2)


class JobWatch:
    """Follows the programs of one job by what the controller says."""

    def __init__(self, job: VendorText | VendorTasks, arms: Sequence[AbbArm]) -> None:
        """Get ready; raises InputError where a program cannot run here."""
        self.name = job.name
        self.modules: dict[str, PreparedModule] = {}
        """By task."""
        self.arms: tuple[str, ...] = ()
        """That it moves."""
        self.stopping = ""
        """Why it was stopped, or given up."""
        self.started = False
        """Whether its programs run."""
        self.ended = ""
        """Why it has ended before all was done; empty: it has not."""
        self.done = False
        self._complaints: list[str] = []
        self._moves: dict[str, frozenset[int]] = {}
        self._lines: dict[str, int] = {}
        self._since_ns = self._moved_ns = self._over_ns = 0
        self._seen: tuple[bytes, ...] = ()
        self._facts = tuple(arms)
        for one in texts_of(job):
            arm = self._arm_of(one)
            self.modules[arm.task] = prepare_module(one)
            self.arms = (*self.arms, arm.name)
            self._moves[arm.task] = frozenset(n for n, line in enumerate(one.text.splitlines(), 1) if MOVE.match(line))
            self._lines[arm.task] = 0
        self._start_s = STILL_S + sum(len(one.text) for one in self.modules.values()) / READ_BYTES_S

    @property
    def over(self) -> bool:
        """Whether nothing more will be done."""
        return self.done or self.ended != ""

    @property
    def total(self) -> int:
        """Lines of its texts."""
        return sum(one.lines for one in self.modules.values())

    @property
    def progress(self) -> Progress:
        """The lines it is at."""
        if self.done:
            return Progress(self.total, self.total)
        return Progress(min(sum(self._lines.values()), self.total - 1), self.total, self.ended)

    @property
    def complaints(self) -> str:
        """What the event log says against it; empty: nothing."""
        return "; ".join(self._complaints)

    @property
    def orders(self) -> tuple[bool, ...]:
        """For each arm of the controller: whether it has a program."""
        return tuple(one.task in self.modules for one in self._facts)

    def begin(self, now_ns: int) -> None:
        """Note that it is on its way to the controller."""
        self._since_ns = now_ns

    def start(self, now_ns: int) -> None:
        """Note that its programs run."""
        self.started, self._moved_ns, self._since_ns = True, now_ns, now_ns
        self._complaints.clear()

    def end(self, why: str) -> None:
        """Note that nothing more is done."""
        if not self.over:
            self.ended = why or say("link.ended_early")

    def note(self, entry: LoggedEvent) -> None:
        """Note what the event log says against it."""
        if entry.level >= ERROR_LEVEL:
            task = next((one for one in self.modules if one in (*entry.arguments, *entry.text.split("/"))), "")
            module = self.modules.get(task) or next(iter(self.modules.values()))
            self._complaints.append(module.words(entry.message))

    def overdue(self, now_ns: int) -> str:
        """Return why a job that has not started is to be given up; empty: it may still."""
        if self.started or now_ns - self._since_ns <= self._start_s * 1e9:
            return ""
        why = say("link.not_started")
        return say("run.job_no_progress_why", job=self.name, still_s=round(self._start_s, 1), why=why)

    def see(self, flags: ServerFlag) -> None:
        """Take in which programs have come to their end."""
        wanted = [flag for flag, order in zip(DONE, self.orders, strict=False) if order]
        self.done = self.done or (self.started and all(flag in flags for flag in wanted))

    def poll(self, panel: Panel, q: Mapping[str, Array], now_ns: int) -> str:
        """Take in the controller's state while it runs; return why it is to be given up, empty: it continues."""
        for task in self.modules:
            line = panel.lines.get(task, 0)
            if line > 0 and panel.modules.get(task, "").lower() == JOB_MODULE.lower():
                self._lines[task] = max(self._lines[task], min(line, self.modules[task].lines))
        if panel.execution == "stopped" and panel.execution_ns > self._since_ns and self.started:
            self._over_ns = self._over_ns or now_ns
            if self._complaints or now_ns - self._over_ns > COMPLAINT_WITHIN_NS:
                self.end(self.complaints or say("link.ended_early"))
            return ""
        self._over_ns = 0
        return "" if self._gets_on(panel, q, now_ns) else say("run.job_no_progress", job=self.name, still_s=STILL_S)

    def _gets_on(self, panel: Panel, q: Mapping[str, Array], now_ns: int) -> bool:
        """Return whether it has not stood still in a move for too long; elsewhere it may wait without limit."""
        seen = tuple(np.round(one / MOVED_RAD).tobytes() for one in q.values())
        moving = any(
            panel.lines.get(task, 0) in moves and panel.modules.get(task, "").lower() == JOB_MODULE.lower()
            for task, moves in self._moves.items()
        )
        if not moving or panel.speed <= 0.0 or seen != self._seen:
            self._seen, self._moved_ns = seen, now_ns
        return now_ns - self._moved_ns <= STILL_S * 1e9

    def _arm_of(self, text: VendorText) -> AbbArm:
        """Return the arm that a text moves: by its task, or its name, or the first."""
        for one in self._facts:
            if (text.task == one.task) if text.task else (text.arm in ("", one.name)):
                return one
        known = ", ".join(one.task for one in self._facts)
        raise InputError(say("robot.no_task", task=text.task or text.arm, known=known))
