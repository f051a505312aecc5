"""RapidProgram: the modules of the tasks, and how they run: program pointer, cycles, start and stop."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from openpendant.dialects.rapid import (
    HostRoutine,
    RapidError,
    RapidFailure,
    RapidMachine,
    RapidModule,
    parse_data,
    parse_module,
    value_like,
    write_module,
    write_value,
)

from .controller_log import POINTER_RESET, STARTED, STOPPED, ControllerLog
from .refusal import ControllerRefusal, NotThere

Cycle = Literal["once", "forever"]
EMPTY = "MODULE MainModule\n  PROC main()\n  ENDPROC\nENDMODULE\n"
"""The content of a task without a loaded module."""


@dataclass
class ProgramTask:
    """A task of the configuration.

    Attributes:
        name: As "T_ROB1".
        motion: Whether it moves a mechanical unit.
        active: Whether it takes part when programs start.
        modules: By name in lower case.
    """

    name: str
    motion: bool = True
    active: bool = True
    modules: dict[str, RapidModule] = field(default_factory=dict[str, RapidModule])


class RapidProgram:
    """What runs on a controller. `step` once per tick.

    Attributes:
        tasks: By name.
        cycle: How often main runs after the next start from there.
    """

    def __init__(
        self,
        tasks: Iterable[ProgramTask],
        log: ControllerLog,
        clock: Callable[[], float],
        signals: Sequence[str],
        *,
        budget: int,
    ) -> None:
        """Begin with an empty program.

        Args:
            tasks: Of the configuration.
            log: Takes starts, stops and errors.
            clock: Returns seconds of the controller.
            signals: Names that programs may use.
            budget: Statements in a tick.
        """
        self.tasks = {task.name: task for task in tasks}
        for task in self.tasks.values():
            task.modules = task.modules or {"mainmodule": parse_module(EMPTY, "MainModule")}
        self.cycle: Cycle = "forever"
        self._log, self._clock, self._signals, self._budget = log, clock, tuple(signals), budget
        self._hosts: Mapping[str, HostRoutine] = {}
        self._kept: dict[str, Any] = {}
        self._machine: RapidMachine | None = None
        self._fault: RapidError | None = None
        self._at_main = True
        self._halted = False

    def install(self, hosts: Mapping[str, HostRoutine]) -> None:
        """Give programs the instructions of the controller, and link what is loaded."""
        self._hosts = hosts
        self.reset_pointers(tell=False)

    # Running

    @property
    def running(self) -> bool:
        """Whether programs run."""
        return self._machine is not None and self._machine.state == "running"

    @property
    def linked(self) -> bool:
        """Whether what is loaded can run."""
        return self._machine is not None

    @property
    def at_main(self) -> bool:
        """Whether the program pointers stand at main."""
        return self._at_main

    @property
    def halted(self) -> bool:
        """Whether programs have been stopped where they are, so that the arms rest on their paths."""
        return self._halted

    def place(self, task: str) -> tuple[str, str, int]:
        """Return module, routine and line of a program pointer; empty and 0: there is none.

        Raises:
            NotThere: There is no such task.
        """
        self._task(task)
        running = None if self._machine is None else self._machine.tasks.get(task)
        return ("", "", 0) if running is None else running.place

    def start(self, cycle: str) -> None:
        """Run from the program pointers.

        Args:
            cycle: "once", "forever" or "asis"; counts from main only.

        Raises:
            ControllerRefusal: Programs run already, have faults, or no pointer.
        """
        if cycle not in ("once", "forever", "asis"):
            raise ControllerRefusal(f"cycle {cycle[:20]!r}; once, forever and asis are allowed")
        if self.running:
            raise ControllerRefusal("programs are running")
        if cycle == "once" or cycle == "forever":
            self.cycle = cycle
        if self._at_main:
            self._link()
        machine = self._machine
        if machine is None:
            raise ControllerRefusal(f"the program cannot run: {self._fault}")
        if machine.state != "stopped":
            raise ControllerRefusal("there is no program pointer; reset it to main first")
        self._at_main, self._halted = False, False
        machine.start()
        self._log.write(1, *STARTED)

    def stop(self) -> None:
        """Stop all tasks where they are."""
        if self._machine is not None and self._machine.state == "running":
            self._machine.stop()
            self._halted = True
            self._log.write(1, *STOPPED)

    def reset_pointers(self, *, tell: bool = True) -> None:
        """Put all program pointers at main; variables get their initial values, persistents keep theirs.

        Raises:
            ControllerRefusal: Programs run.
        """
        if self.running:
            raise ControllerRefusal("programs are running")
        self._link()
        if tell:
            self._log.write(1, *POINTER_RESET)

    def step(self) -> None:
        """Let programs run for a tick."""
        machine = self._machine
        if machine is None or machine.state != "running":
            return
        machine.step()
        if not self.running:
            self._ended(machine)

    def _ended(self, machine: RapidMachine) -> None:
        """Say why programs run no more. After the last cycle the pointers are at main again; else the arms stand."""
        report = machine.report
        if report is not None:
            place = f"{report.task}/{report.module}/{report.routine}, line {report.line}"
            self._log.write(3, report.kind.number, report.kind.title, f"{place}: {report.message}")
        self._log.write(1, *STOPPED)
        if machine.state == "finished":
            self._link()
        else:
            self._halted = True

    def close(self) -> None:
        """End everything; persistents are kept for the next program."""
        if self._machine is not None:
            self._kept |= self._machine.persistents
            self._machine.close()
            self._machine = None

    # Modules

    def load(self, task: str, text: str, name: str, *, replace: bool) -> str:
        """Load a module; return its name.

        Raises:
            NotThere: There is no such task.
            ControllerRefusal: Programs run, the module has faults, or is there already.
        """
        into = self._task(task)
        if self.running:
            raise ControllerRefusal("programs are running")
        try:
            module = parse_module(text, name)
        except RapidError as error:
            self._log.write(3, error.kind.number, error.kind.title, str(error))
            raise ControllerRefusal(str(error)) from None
        key = module.name.lower()
        if key in into.modules and not replace:
            raise ControllerRefusal(f"module {module.name} is loaded already")
        before = dict(into.modules)
        if before.keys() == {"mainmodule"} and is_empty(before["mainmodule"]):
            into.modules.clear()
        into.modules[key] = module
        self._link()
        if self._fault is not None:
            self._log.write(3, self._fault.kind.number, self._fault.kind.title, str(self._fault))
        return module.name

    def unload(self, task: str, name: str) -> None:
        """Forget a module.

        Raises:
            NotThere: There is no such task or module.
            ControllerRefusal: Programs run.
        """
        found = self._task(task)
        if self.running:
            raise ControllerRefusal("programs are running")
        if found.modules.pop(name.lower(), None) is None:
            raise NotThere(f"no module {name[:40]!r} in {task}")
        self._link()

    def activate(self, name: str, *, active: bool) -> None:
        """Let a task take part when programs start, or not.

        Raises:
            NotThere: There is no such task.
            ControllerRefusal: Programs run.
        """
        task = self._task(name)
        if self.running:
            raise ControllerRefusal("programs are running")
        if task.active != active:
            task.active = active
            self._link()

    # Data

    def value(self, path: Sequence[str]) -> Any:
        """Return the value of data, by task, perhaps module, and name.

        Raises:
            NotThere: There is none.
        """
        machine, task, module, name = self._data(path)
        try:
            return machine.read(task, name, module)
        except RapidFailure as failure:
            raise NotThere(str(failure)) from None

    def read(self, path: Sequence[str]) -> str:
        """Return the value of data as RAPID writes it.

        Raises:
            NotThere: There is none.
        """
        return write_value(self.value(path))

    def write(self, path: Sequence[str], text: str) -> None:
        """Change data.

        Raises:
            NotThere: There is none.
            ControllerRefusal: It is a constant, or the text no value of its type.
        """
        before = self.value(path)
        machine, task, module, name = self._data(path)
        try:
            value = value_like(parse_data(text), before)
            if value is None:
                raise ControllerRefusal(f"{text[:40]!r} is not a value of the type of {name}")
            machine.write(task, name, value, module)
        except (RapidError, RapidFailure) as failure:
            raise ControllerRefusal(str(failure)) from None

    def type_of(self, path: Sequence[str]) -> str:
        """Return the name of the type of a task's persistent data; empty: there is none of that name."""
        task, name = path[0], path[-1].lower()
        return next((kind for _, own, kind in self.persistents(task) if own.lower() == name), "")

    def persistents(self, task: str) -> tuple[tuple[str, str, str], ...]:
        """Return module, name and type of a task's persistent data.

        Raises:
            NotThere: There is no such task.
        """
        self._task(task)
        running = None if self._machine is None else self._machine.tasks.get(task)
        if running is None:
            return ()
        symbols = running.checked.symbols
        return tuple(
            (symbols.modules[one.module].module.name if one.module in symbols.modules else "", one.name, one.type.name)
            for one in symbols.data
            if one.kind == "PERS"
        )

    def _data(self, path: Sequence[str]) -> tuple[RapidMachine, str, str, str]:
        if not 2 <= len(path) <= 3:
            raise NotThere(f"{'/'.join(path)[:80]!r}; use task/name or task/module/name")
        task, module, name = (path[0], "", path[1]) if len(path) == 2 else (path[0], path[1], path[2])
        self._task(task)
        machine = self._machine
        if machine is None or task not in machine.tasks:
            raise NotThere(f"no program is linked in {task}")
        return machine, task, module, name

    def _task(self, name: str) -> ProgramTask:
        if name not in self.tasks:
            raise NotThere(f"no task {name[:40]!r}; known: {', '.join(self.tasks)}")
        return self.tasks[name]

    def _link(self) -> None:
        """Make a machine with all program pointers at main; where that fails there is none, and why is kept."""
        self.close()
        self._at_main, self._halted, self._fault = True, False, None
        active = {name: tuple(one.modules.values()) for name, one in self.tasks.items() if one.active}
        try:
            self._machine = RapidMachine(
                active,
                self._hosts,
                clock=self._clock,
                budget=self._budget,
                forever=self.cycle == "forever",
                signals=self._signals,
                persistents=self._kept,
            )
            self._machine.stop()
        except RapidError as error:
            self._fault = error


def is_empty(module: RapidModule) -> bool:
    """Return whether a module is the one that a task begins with."""
    return write_module(module) == write_module(parse_module(EMPTY))
