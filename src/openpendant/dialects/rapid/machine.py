"""RapidMachine: runs the tasks of a controller, stepped with a budget."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, Literal

from openpendant.dialects.core import share_of

from .check import check_modules
from .code_writer import write_code
from .constant_order import constants_first
from .events import PROGRAM
from .faults import RapidError, RapidFailure, RapidReport
from .host import HostRoutine
from .persistents import PersistentBoxes
from .printer import write_constant
from .running_task import RunningTask
from .statement_step import StatementStep
from .symbols import NOTHING_INSTALLED, DataSymbol, InstalledNames, RoutineSymbol
from .task_routines import machine_routines
from .tree import RapidModule
from .values import copied

MachineState = Literal["running", "stopped", "finished", "failed"]
StepMode = Literal["in", "over"]
SMALLEST_SHARE = 20
"""Steps of a task, however many tasks there are."""
RETRIES = 4
"""What controllers allow where nothing else is configured."""


class RapidMachine:
    """Runs tasks; nothing runs before `step`.

    Attributes:
        state: "stopped" by Stop, Break or `stop` (`start` resumes at the program pointer), "finished" after the last
            cycle or EXIT, "failed" after an error.
        report: Why it failed; None before.
        cause: The exception behind `report`, for whoever looks for a fault in a host.
        stopped_by: What has stopped it: the instructions "stop" and "break", or a "step"; empty: nothing of these.
        cycles: How often the main routines have come to their end.
    """

    def __init__(
        self,
        tasks: Mapping[str, Sequence[RapidModule]],
        hosts: Mapping[str, HostRoutine],
        *,
        clock: Callable[[], float],
        budget: int = 2000,
        forever: bool = False,
        signals: Iterable[str] | None = None,
        installed: Mapping[str, InstalledNames] | None = None,
        persistents: Mapping[str, Any] | None = None,
        retries: int = RETRIES,
        entry: str = "main",
    ) -> None:
        """Check and load tasks, with the program pointers at `main`.

        Args:
            tasks: Modules by name of task.
            hosts: The host's routines (see `host_table`); they go before the machine's own.
            clock: Seconds of the controller's clock.
            budget: Statements that all tasks together may make in a step.
            forever: Whether main begins again when it ends (cyclic execution).
            signals: Names of the controller's signals; None: any unknown name may be one.
            installed: What the controller's configuration adds and lacks, by name of task.
            persistents: Values of persistent data from an earlier run, as `persistents` returned them; those that do
                not fit the type of their data do not count.
            retries: How often an error handler may retry a statement.
            entry: Name of the routine where tasks begin.

        Raises:
            RapidError: A task has faults (the message has the first one), or no main routine.
        """
        self.clock = clock
        self.state: MachineState = "running"
        self.report: RapidReport | None = None
        self.cause: BaseException | None = None
        self.stopped_by = ""
        self.cycles = 0
        self.booked = 0
        self._steps: dict[str, StatementStep] | None = None
        self._budget = budget
        self._forever = forever
        self._entry = entry.lower()
        self._boxes = PersistentBoxes(persistents or {})
        self._arrivals: dict[tuple[str, str], int] = {}
        known = {**machine_routines(self), **hosts}
        self._rest = known.get("waitrob")
        self.tasks: dict[str, RunningTask] = {}
        for name, modules in tasks.items():
            checked = check_modules(modules, signals=signals, installed=(installed or {}).get(name, NOTHING_INSTALLED))
            if checked.problems:
                first = checked.problems[0]
                raise RapidError(first.line, first.column, first.message, first.file, first.kind)
            task = RunningTask(name, checked, write_code(checked, known), clock, retries, self.settle)
            self._load(task)
            self.tasks[name] = task
            task.start(self._main_of(task))

    def _load(self, task: RunningTask) -> None:
        symbols = task.checked.symbols.data
        task.data += [None] * len(symbols)
        made: dict[int, str] = task.made.initial

        def value_of(symbol: DataSymbol) -> Any:
            value = task.space[made[symbol.slot]]()
            if symbol.type.name == "syncident":
                value.held = symbol.name.lower()
            return value

        for symbol in constants_first(task.checked):
            if symbol.kind == "PERS":
                task.persistents[symbol.slot] = self._boxes.box(task.name, symbol, lambda one=symbol: value_of(one))
            else:
                task.data[symbol.slot] = value_of(symbol)

    def _main_of(self, task: RunningTask) -> Any:
        found = task.checked.symbols.globals.get(self._entry)
        if not isinstance(found, RoutineSymbol) or found.kind != "PROC" or found.parameters:
            file = task.checked.modules[0].file if task.checked.modules else task.name
            raise RapidError(1, 1, f"task {task.name} has no routine {self._entry}()", file, PROGRAM)
        return task.made.routines[found.index]

    # Running

    def step(self) -> None:
        """Let every task run within the budget. Does nothing unless the state is "running"."""
        if self.state != "running":
            return
        active = [task for task in self.tasks.values() if not task.finished]
        share = share_of(self._budget, max(len(active), 1), SMALLEST_SHARE)
        for task in active:
            try:
                task.interrupts.poll()
            except RapidFailure as wrong:
                self._fail(RapidReport(task.name, *task.place, wrong.error, wrong.kind, str(wrong)), wrong)
                return
            word = task.run(share)[1] if self._steps is None else self._step_in(task, share)
            if task.report is not None:
                self._fail(task.report, task.cause)
                return
            if word and self._control(task, word):
                return
            if not task.frames and not task.finished:
                self._cycle(task)
        if all(task.finished for task in self.tasks.values()):
            self.state = "finished"
        elif self._steps is not None and not self._steps:
            self.state, self.stopped_by = "stopped", "step"

    def _step_in(self, task: RunningTask, most: int) -> str:
        """Continue the one statement of a task; return a word of control, as `RunningTask.run`."""
        steps = self._steps or {}
        step = steps.get(task.name)
        while step is not None and most > 0:
            most -= 1
            step.update(task)
            _, word = task.run(1)
            if word or task.report is not None or step.done(task):
                steps.pop(task.name)
                return word
            if task.frames[-1].waiting is not None:
                return ""
        return ""

    def _control(self, task: RunningTask, word: str) -> bool:
        """Obey Stop, Break, EXIT or ExitCycle; return whether the machine stands."""
        if word == "cycle":
            self._cycle(task)
            return False
        if word == "exit":
            self._end("finished")
            return True
        self.state, self.stopped_by = "stopped", word
        return True

    def _cycle(self, task: RunningTask) -> None:
        self.cycles += 1
        if self._forever:
            task.start(self._main_of(task))
        else:
            task.close()
            task.finished = True

    def _fail(self, report: RapidReport, cause: BaseException | None) -> None:
        self.report, self.cause = report, cause
        self._end("failed")

    def _end(self, state: MachineState) -> None:
        self.state = state
        for task in self.tasks.values():
            task.close()
            task.interrupts.forget_all()

    def stop(self) -> None:
        """Stop all tasks where they are; `start` continues."""
        if self.state == "running":
            self.state, self.stopped_by = "stopped", ""

    def start(self, steps: StepMode | None = None) -> None:
        """Continue after a stop, for one statement of each task where `steps` says so; then it is stopped again.

        Args:
            steps: "in": a routine that is called is stepped through; "over": the whole call is a statement.
        """
        if self.state == "stopped":
            self.state, self.stopped_by, self._steps = "running", "", None
            if steps is not None:
                active = [task for task in self.tasks.values() if not task.finished]
                self._steps = {one.name: StatementStep(steps == "in", len(one.frames)) for one in active}

    def to_main(self) -> None:
        """Put all program pointers at main, and forget interrupts; data keeps its values."""
        for task in self.tasks.values():
            task.interrupts.forget_all()
            task.report, task.cause, task.finished = None, None, False
            task.start(self._main_of(task))
        self._arrivals.clear()
        self._steps = None
        self.report, self.cause, self.stopped_by, self.state = None, None, "", "running"

    def close(self) -> None:
        """End everything; routines of the host that wait get GeneratorExit."""
        if self.state in ("running", "stopped"):
            self._end("finished")

    def meet(self, name: str, names: Sequence[str], meeting: str, seconds: float | None) -> Generator[None, None, None]:
        """Wait until all tasks of a list have come to a meeting as often as this one."""
        unknown = [one for one in names if one not in self.tasks]
        if unknown:
            raise RapidFailure("ERR_TASKNAME", f"no task is named {unknown[0]}")
        until = None if seconds is None else self.clock() + seconds
        count = self._arrivals[name, meeting] = self._arrivals.get((name, meeting), 0) + 1
        while any(self._arrivals.get((one, meeting), 0) < count for one in names):
            if until is not None and self.clock() >= until - 1e-9:
                self._arrivals[name, meeting] -= 1
                raise RapidFailure("ERR_WAITSYNCTASK", f"the tasks did not meet at {meeting} in time")
            yield

    def settle(self, task: RunningTask) -> Generator[None, None, None]:
        """Wait until the arm of a task has come to rest, as the host's WaitRob does it."""
        if self._rest is not None:
            found = self._rest.call(task, {"InPos": True})
            if self._rest.waits:
                yield from found

    # Data

    @property
    def persistents(self) -> dict[str, Any]:
        """Values of all persistent data, for the next run."""
        return self._boxes.values

    def read(self, task: str, name: str, module: str = "") -> Any:
        """Return the value of a module's data.

        Raises:
            RapidFailure: There is none of that name.
        """
        symbol = self._symbol(task, name, module)
        one = self.tasks[task]
        return copied(one.persistents[symbol.slot][0] if symbol.kind == "PERS" else one.data[symbol.slot])

    def write(self, task: str, name: str, value: Any, module: str = "") -> None:
        """Change a module's data; the value must have the form of the old one.

        Raises:
            RapidFailure: There is none of that name, or it is a constant.
        """
        symbol = self._symbol(task, name, module)
        if symbol.kind == "CONST":
            raise RapidFailure("ERR_SYM_ACCESS", f"{name} is a constant")
        one = self.tasks[task]
        if symbol.kind == "PERS":
            one.persistents[symbol.slot][0] = value
        else:
            one.data[symbol.slot] = value

    def _symbol(self, task: str, name: str, module: str) -> DataSymbol:
        found = self.tasks[task].checked.symbols.find(name, module.lower())
        if not isinstance(found, DataSymbol) or found.slot < 0:
            raise RapidFailure("ERR_REFUNKDAT", f"unknown data {write_constant(name)} in {task}")
        return found
