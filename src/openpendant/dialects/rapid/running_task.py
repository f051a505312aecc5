"""RunningTask: one task of a machine, its program pointer, its data and its interrupts."""

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import Any

from .check import CheckedTask
from .code_names import NAMES
from .code_writer import RoutineCode, TaskCode
from .error_numbers import ERROR_NAMES
from .events import DIVISION, EXECUTION, RETRIES, UNHANDLED
from .faults import RapidFailure, RapidReport
from .interrupts import TaskInterrupts
from .late_call import late_arguments
from .symbols import RoutineSymbol
from .values import Reference

DEEPEST_CALL = 200
"""Calls inside calls."""
NORMAL = ""


@dataclass(eq=False, slots=True)
class RoutineFrame:
    """A routine that runs: its place and its data."""

    routine: RoutineCode
    values: list[Any]
    goes_to: int = -1
    pointer: int = 0
    waiting: Generator[None, None, Any] | None = None
    waits_into: int = -1
    failed_at: int = -1
    retries: int = 0
    trap: bool = False
    interrupted: float = 0.0


@dataclass(eq=False)
class RunningTask:
    """A task.

    Attributes:
        name: As "T_ROB1".
        data: Its data by slot.
        persistents: Its persistent data by slot; each in a box that tasks may share.
        errno: ERRNO.
        intno: INTNO.
        interrupts: Its interrupts and their traps.
        settle: Waits until its arm has come to rest.
    """

    name: str
    checked: CheckedTask
    made: TaskCode
    clock: Callable[[], float]
    most_retries: int
    settle: Callable[["RunningTask"], Generator[None, None, None]]
    data: list[Any] = field(default_factory=list[Any])
    persistents: dict[int, list[Any]] = field(default_factory=dict[int, list[Any]])
    errno: float = 0.0
    intno: float = 0.0
    result: Any = None
    frames: list[RoutineFrame] = field(default_factory=list[RoutineFrame])
    finished: bool = False
    report: RapidReport | None = None
    cause: BaseException | None = None

    def __post_init__(self) -> None:
        """Make the code callable."""
        self.interrupts = TaskInterrupts(self.clock)
        self.space: dict[str, Any] = {"T": self, "G": self.data, "P": self.persistents, **NAMES, **self.made.constants}
        self.space |= {name: one.call for name, one in self.made.hosts.items()}
        exec(self.made.code, self.space)  # noqa: S102 - our own code, with none of Python's builtins
        self.code = [self.space[f"i{place}"] for place in range(self.made.count)]

    # What instructions ask for

    @property
    def line(self) -> int:
        """Line of the module at the program pointer; 0: the task is not in a routine."""
        if not self.frames:
            return 0
        frame = self.frames[-1]
        return frame.routine.lines[min(frame.pointer, len(frame.routine.lines) - 1)]

    @property
    def place(self) -> tuple[str, str, int]:
        """Module, routine and line of the program pointer."""
        if not self.frames:
            return "", "", 0
        symbol = self.frames[-1].routine.symbol
        module = self.checked.symbols.modules[symbol.module].module
        return module.name, symbol.name, self.line

    def interrupt(self, number: int) -> None:
        """Order an interrupt: its trap runs before the next statement, or after the trap that runs now."""
        self.interrupts.order(number)

    def interrupt_until(self, number: int, end: Callable[[], None]) -> None:
        """Call `end` when the interrupt is deleted: so that its source can forget it."""
        if number not in self.interrupts.traps:
            end()
            raise RapidFailure("ERR_UNKINO", f"interrupt {number} is connected to no trap")
        self.interrupts.until_forgotten(number, end)

    def connect(self, routine: int, old: float) -> float:
        """Connect a new interrupt to a trap; return its number."""
        return self.interrupts.connect(self.made.routines[routine], old)

    def reset_retries(self) -> None:
        """Count retries from the beginning."""
        for frame in self.frames:
            frame.retries = 0

    def late(self, name: str) -> int:
        """Return the routine of a name that the program has made."""
        module = self.frames[-1].routine.symbol.module
        found = self.checked.symbols.find(name.rpartition(":")[2], module)
        if not isinstance(found, RoutineSymbol) or found.kind != "PROC" or found.builtin:
            raise RapidFailure("ERR_REFUNKPRC", f"unknown procedure {name}")
        return found.index

    def deadline(self, seconds: float | None) -> float:
        """Return when a wait is over."""
        return math.inf if seconds is None else self.clock() + seconds

    def settled(self) -> Generator[None, None, None]:
        """Wait until the arm has come to rest."""
        return self.settle(self)

    def wait_more(self, until: float, flag: Reference | None) -> Generator[None, None, float | None]:
        """Wait for the next look at a condition; the value None ends the wait."""
        if self.clock() >= until - 1e-9:
            if flag is None:
                raise RapidFailure("ERR_WAIT_MAXTIME", "the condition did not come true in time")
            flag.set(True)
            return None
        yield
        return until

    # Running

    def start(self, routine: RoutineCode) -> None:
        """Put the program pointer at the beginning of a routine."""
        self.close()
        self.frames = [RoutineFrame(routine, [None] * routine.symbol.slots)]

    def close(self) -> None:
        """End what waits; host routines get GeneratorExit."""
        frames, self.frames = self.frames, []
        for frame in reversed(frames):
            if frame.waiting is not None:
                frame.waiting.close()

    def run(self, left: int) -> tuple[int, str]:
        """Make at most some steps; return those that are left, and a word of control for the machine."""
        while left > 0 and self.frames:
            if self.interrupts.due and not any(frame.trap for frame in self.frames):
                self._enter_trap()
            frame = self.frames[-1]
            if frame.waiting is not None:
                try:
                    frame.waiting.send(None)
                except StopIteration as over:
                    frame.waiting = None
                    if frame.waits_into >= 0:
                        frame.values[frame.waits_into] = over.value
                    frame.pointer += 1
                    left -= 1
                except Exception as wrong:
                    frame.waiting = None
                    self._failed(wrong)
                else:
                    return left, NORMAL
                continue
            left, found = self._run_frame(frame, left)
            word = self._after(frame, found) if found is not None else NORMAL
            if word:
                return left, word
        return left, NORMAL

    def _run_frame(self, frame: RoutineFrame, left: int) -> tuple[int, Any]:
        code, first, values, costs = self.code, frame.routine.first, frame.values, frame.routine.costs
        pointer = frame.pointer
        try:
            while left > 0:
                left -= costs[pointer]
                following = code[first + pointer](values)
                if following is None:
                    pointer += 1
                elif following.__class__ is int:
                    pointer = following
                else:
                    frame.pointer = pointer
                    return left, following
        except Exception as wrong:
            frame.pointer = pointer
            self._failed(wrong)
            return left, None
        frame.pointer = pointer
        return left, None

    def _after(self, frame: RoutineFrame, found: Any) -> str:
        """Do what an instruction has asked for; return a word of control for the machine."""
        if isinstance(found, tuple):
            routine, what, goes_to = found  # type: ignore[misc]
            if routine is None:
                frame.waiting, frame.waits_into = what, goes_to
            else:
                try:
                    self._call(self.made.routines[routine], what, goes_to)  # type: ignore[index]
                except RapidFailure as wrong:
                    self._failed(wrong)
            return NORMAL
        match found:
            case "return":
                self._return()
            case "reraise":
                self._propagate()
            case "retry":
                self._retry(frame)
            case "trynext":
                frame.pointer = frame.routine.nexts[frame.failed_at]
                frame.failed_at, frame.retries = -1, 0
            case _:
                # stop, break, exit, cycle: the next statement follows when the program is started again.
                frame.pointer += 1
                return str(found)
        return NORMAL

    def _call(self, routine: RoutineCode, arguments: list[Any], goes_to: int) -> None:
        if len(self.frames) >= DEEPEST_CALL:
            raise RapidFailure("", f"more than {DEEPEST_CALL} calls inside each other")
        if goes_to == -2:
            arguments, goes_to = late_arguments(routine.symbol, arguments), -1
        values = [*arguments, *[None] * (routine.symbol.slots - len(arguments))]
        self.frames.append(RoutineFrame(routine, values, goes_to))

    def _return(self) -> None:
        frame = self.frames.pop()
        if frame.trap:
            self.intno = frame.interrupted
            return
        if self.frames:
            caller = self.frames[-1]
            if frame.goes_to >= 0:
                caller.values[frame.goes_to] = self.result
            caller.pointer += 1
        self.result = None

    def _retry(self, frame: RoutineFrame) -> None:
        frame.retries += 1
        if frame.retries > self.most_retries:
            message = f"more than {self.most_retries} retries"
            self._failed(RapidFailure("ERR_EXCRTYMAX", message, kind=RETRIES))
            return
        frame.pointer = frame.routine.starts[frame.failed_at]
        frame.failed_at = -1

    def _enter_trap(self) -> None:
        number, routine = self.interrupts.next()
        frame = RoutineFrame(routine, [None] * routine.symbol.slots, trap=True, interrupted=self.intno)
        self.intno = float(number)
        self.frames.append(frame)

    # Errors

    def _failed(self, wrong: Exception) -> None:
        failure = _as_failure(wrong)
        module, routine, line = self.place
        report = RapidReport(
            self.name, module, routine, line, failure.error, failure.kind, str(failure), failure.number
        )
        if not failure.number:
            self._stop_with(report, wrong)
            return
        self.errno = float(failure.number)
        self._handle(report, wrong)

    def _propagate(self) -> None:
        name = ERROR_NAMES.get(int(self.errno), "")
        module, routine, line = self.place
        message = f"{name or f'error number {int(self.errno)}'} is raised by an error handler"
        report = RapidReport(self.name, module, routine, line, name, UNHANDLED, message, int(self.errno))
        self._leave()
        self._handle(report, None)

    def _leave(self) -> None:
        frame = self.frames.pop()
        if frame.waiting is not None:
            frame.waiting.close()
        if frame.trap:
            # A trap has no caller: its errors end the program.
            self.close()

    def _handle(self, report: RapidReport, wrong: Exception | None) -> None:
        while self.frames:
            frame = self.frames[-1]
            handler = frame.routine.handler
            if 0 <= frame.pointer < handler:
                if frame.failed_at != frame.pointer and frame.failed_at >= 0:
                    frame.retries = 0
                frame.failed_at = frame.pointer
                frame.pointer = handler
                return
            self._leave()
        kind = report.kind if report.kind is not EXECUTION else UNHANDLED
        self._stop_with(replace(report, kind=kind), wrong)

    def _stop_with(self, report: RapidReport, wrong: Exception | None) -> None:
        self.report, self.cause = report, wrong
        self.close()


def _as_failure(wrong: Exception) -> RapidFailure:
    if isinstance(wrong, RapidFailure):
        return wrong
    if isinstance(wrong, ZeroDivisionError):
        return RapidFailure("ERR_DIVZERO", "division by zero", kind=DIVISION)
    if isinstance(wrong, OverflowError):
        return RapidFailure("ERR_OVERFLOW", "the number is too large")
    return RapidFailure("", f"{type(wrong).__name__}: {wrong}")
