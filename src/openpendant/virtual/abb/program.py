"""RapidProgram: how the programs of a controller run: program pointers, cycles, start and stop."""

from collections.abc import Mapping

from openpendant.dialects.rapid import RapidMachine, StepMode

from .controller_log import POINTER_RESET, STARTED, STOPPED
from .program_data import ProgramData
from .refusal import ControllerRefusal

MODES: Mapping[str, StepMode | None] = {"continue": None, "stepin": "in", "stepover": "over"}
"""How programs start, in the words of Robot Web Services."""


class RapidProgram(ProgramData):
    """What runs on a controller. `step` once per tick."""

    _mode: StepMode | None = None

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

    def started(self, task: str) -> bool:
        """Return whether a task runs now; after its last cycle it waits for the others."""
        running = self._machine.tasks.get(task) if self._machine is not None and self.running else None
        return running is not None and not running.finished

    def start(self, cycle: str, mode: str = "continue") -> None:
        """Run from the program pointers.

        Args:
            cycle: "once", "forever" or "asis"; counts from main only.
            mode: "continue", or "stepin" or "stepover" for one statement of each task.

        Raises:
            ControllerRefusal: Programs run already, have faults, or no pointer.
        """
        if cycle not in ("once", "forever", "asis"):
            raise ControllerRefusal(f"cycle {cycle[:20]!r}; once, forever and asis are allowed")
        if mode not in MODES:
            raise ControllerRefusal(f"mode {mode[:20]!r}; {', '.join(MODES)} are allowed")
        self._require_stopped()
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
        self._mode = MODES[mode]
        machine.start(self._mode)
        self._log.write(1, *STARTED)

    @property
    def stepping(self) -> bool:
        """Whether it runs for one statement only."""
        return self._mode is not None

    def stop(self) -> None:
        """Stop all tasks where they are."""
        if self._machine is not None and self._machine.state == "running":
            self._machine.stop()
            self._halted = True
            self._log.write(1, *STOPPED)

    def reset_pointers(self) -> None:
        """Put all program pointers at main; variables get their initial values, persistents keep theirs.

        Raises:
            ControllerRefusal: Programs run.
        """
        self._require_stopped()
        self._link()
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
            place = (report.task, report.module, report.routine, str(report.line))
            named = (report.error, str(report.number)) if report.number else ()
            self._log.write(3, report.kind.number, report.kind.title, report.text, (*place, *named))
        self._log.write(1, *STOPPED)
        if machine.state == "finished":
            self._link()
        else:
            # After a step the arms finish their last moves.
            self._halted = machine.stopped_by != "step"
