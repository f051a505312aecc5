"""ProgramModules: what is loaded into the tasks of a controller, linked to a machine that can run it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from openpendant.dialects.rapid import (
    HostRoutine,
    InstalledNames,
    RapidError,
    RapidMachine,
    RapidModule,
    parse_module,
    persistent_keys,
    write_module,
)

from .controller_log import ControllerLog
from .memory import KeptModule, ProgramMemory
from .refusal import ControllerRefusal, NotThere

Cycle = Literal["once", "forever"]
EMPTY = "MODULE MainModule\n  PROC main()\n  ENDPROC\nENDMODULE\n"
"""The content of a task without a loaded module."""


@dataclass(frozen=True)
class LoadedModule:
    """A module, with the text that it was loaded from and the name of its file."""

    tree: RapidModule
    text: str
    file: str

    @property
    def name(self) -> str:
        """Its name."""
        return self.tree.name

    @property
    def empty(self) -> bool:
        """Whether it is the one that a task begins with."""
        return write_module(self.tree) == write_module(parse_module(EMPTY))


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
    modules: dict[str, LoadedModule] = field(default_factory=dict[str, LoadedModule])


class ProgramModules:
    """The modules of all tasks. What is loaded is linked at once, with the program pointers at main.

    Attributes:
        tasks: By name.
        cycle: How often main runs after the next start from there.
        installed: What tasks know before any module is loaded.
    """

    def __init__(
        self,
        tasks: Iterable[ProgramTask],
        log: ControllerLog,
        clock: Callable[[], float],
        signals: Sequence[str],
        *,
        budget: int,
        installed: Mapping[str, InstalledNames] | None = None,
    ) -> None:
        """Begin with an empty program.

        Args:
            tasks: Of the configuration.
            log: Takes starts, stops and errors.
            clock: Returns seconds of the controller.
            signals: Names that programs may use.
            budget: Statements in a tick.
            installed: What the configuration adds to the names of a task, and what the controller lacks.
        """
        self.tasks = {task.name: task for task in tasks}
        for task in self.tasks.values():
            task.modules = task.modules or {"mainmodule": LoadedModule(parse_module(EMPTY), EMPTY, "MainModule")}
        self.cycle: Cycle = "forever"
        self._log, self._clock, self._signals, self._budget = log, clock, tuple(signals), budget
        self.installed: Mapping[str, InstalledNames] = installed or {}
        self._hosts: Mapping[str, HostRoutine] = {}
        self._kept: dict[str, Any] = {}
        self._machine: RapidMachine | None = None
        self._fault: RapidError | None = None
        self._at_main = True
        self._halted = False

    def give(self, hosts: Mapping[str, HostRoutine]) -> None:
        """Give programs the instructions of the controller, and link what is loaded."""
        self._hosts = hosts
        self._link()

    @property
    def running(self) -> bool:
        """Whether programs run."""
        return self._machine is not None and self._machine.state == "running"

    @property
    def linked(self) -> bool:
        """Whether what is loaded can run."""
        return self._machine is not None

    @property
    def fault(self) -> str:
        """Why what is loaded cannot run; empty: it can."""
        return "" if self._fault is None else str(self._fault)

    def load(self, task: str, text: str, name: str, *, replace: bool) -> str:
        """Load a module; return its name. Its persistent data gets the values of the text.

        Raises:
            NotThere: There is no such task.
            ControllerRefusal: Programs run, the module has faults, or is there already.
        """
        into = self._task(task)
        self._require_stopped()
        tree = self._parsed(text, name)
        key = tree.name.lower()
        if key in into.modules and not replace:
            raise ControllerRefusal(f"module {tree.name} is loaded already")
        if into.modules.keys() == {"mainmodule"} and into.modules["mainmodule"].empty:
            into.modules.clear()
        into.modules[key] = LoadedModule(tree, text, name)
        self._forget(persistent_keys(task, tree))
        self._link()
        if self._fault is not None:
            self._log.write(3, self._fault.kind.number, self._fault.kind.title, str(self._fault))
        return tree.name

    def replace(self, task: str, text: str, name: str) -> str:
        """Load a module instead of those that a task has, except system modules; return its name.

        Raises:
            NotThere: There is no such task.
            ControllerRefusal: Programs run, or the module has faults.
        """
        found = self._task(task)
        self._require_stopped()
        parsed = self._parsed(text, name)
        for key, one in list(found.modules.items()):
            if "SYSMODULE" not in one.tree.attributes and key != parsed.name.lower():
                self.unload(task, one.name)
        return self.load(task, text, name, replace=True)

    def unload(self, task: str, name: str) -> None:
        """Forget a module, with the values of its persistent data that no other has.

        Raises:
            NotThere: There is no such task or module.
            ControllerRefusal: Programs run.
        """
        found = self._task(task)
        self._require_stopped()
        gone = found.modules.pop(name.lower(), None)
        if gone is None:
            raise NotThere(f"no module {name[:40]!r} in {task}")
        left = [persistent_keys(one.name, each.tree) for one in self.tasks.values() for each in one.modules.values()]
        self._forget(persistent_keys(task, gone.tree).difference(*left))
        self._link()

    def activate(self, name: str, *, active: bool) -> None:
        """Let a task take part when programs start, or not.

        Raises:
            NotThere: There is no such task.
            ControllerRefusal: Programs run.
        """
        task = self._task(name)
        self._require_stopped()
        if task.active != active:
            task.active = active
            self._link()

    # While the controller is switched off

    @property
    def memory(self) -> ProgramMemory:
        """What survives without power."""
        kept = self._kept | ({} if self._machine is None else self._machine.persistents)
        modules = {
            task.name: [KeptModule(one.file, one.text) for one in task.modules.values()] for task in self.tasks.values()
        }
        return ProgramMemory(modules, kept)

    def recall(self, memory: ProgramMemory) -> None:
        """Take back what there was before; before `give`. Modules that cannot be read are left out."""
        for task in self.tasks.values():
            found = dict[str, LoadedModule]()
            for one in memory.modules.get(task.name, ()):
                try:
                    tree = parse_module(one.text, one.file)
                except RapidError as error:
                    self._log.write(3, error.kind.number, error.kind.title, str(error))
                    continue
                found[tree.name.lower()] = LoadedModule(tree, one.text, one.file)
            task.modules = found or task.modules
        self._kept = dict(memory.persistents)

    def close(self) -> None:
        """End everything; persistents are kept for the next program."""
        if self._machine is not None:
            self._kept |= self._machine.persistents
            self._machine.close()
            self._machine = None

    # Linking

    def _link(self) -> None:
        """Make a machine with all program pointers at main; where that fails there is none, and why is kept."""
        self.close()
        self._at_main, self._halted, self._fault = True, False, None
        active = {name: tuple(m.tree for m in one.modules.values()) for name, one in self.tasks.items() if one.active}
        try:
            self._machine = RapidMachine(
                active,
                self._hosts,
                clock=self._clock,
                budget=self._budget,
                forever=self.cycle == "forever",
                signals=self._signals,
                installed=self.installed,
                persistents=self._kept,
            )
            self._machine.stop()
        except RapidError as error:
            self._fault = error

    def _parsed(self, text: str, name: str) -> RapidModule:
        try:
            return parse_module(text, name)
        except RapidError as error:
            self._log.write(3, error.kind.number, error.kind.title, str(error))
            raise ControllerRefusal(str(error)) from None

    def _forget(self, persistents: Iterable[str]) -> None:
        self.close()
        for key in persistents:
            self._kept.pop(key, None)

    def _require_stopped(self) -> None:
        if self.running:
            raise ControllerRefusal("programs are running")

    def _task(self, name: str) -> ProgramTask:
        if name not in self.tasks:
            raise NotThere(f"no task {name[:40]!r}; known: {', '.join(self.tasks)}")
        return self.tasks[name]
