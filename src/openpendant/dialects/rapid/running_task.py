"""RunningTask: one task of a machine, its program pointer, its data and its interrupts."""

import math
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .check import CheckedTask
from .code_writer import RoutineCode, TaskCode
from .error_numbers import ALL_ERRORS, ERROR_NAMES, FIRST_BOOKED
from .events import DIVISION, EXECUTION, RETRIES, UNHANDLED
from .faults import RapidFailure, RapidReport
from .instructions import PURE
from .symbols import RoutineSymbol
from .types import RapidType, initial_value
from .values import (
    Reference,
    added,
    changed,
    copied,
    crossed,
    divided,
    element,
    element_reference,
    joined,
    present,
    put_element,
    remainder,
    scaled,
    subtracted,
    turned,
)

DEEPEST_CALL = 200
"""Calls inside calls."""
MOST_PENDING = 100
"""Interrupts that wait."""
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
        traps: Which trap an interrupt is connected to.
    """

    name: str
    checked: CheckedTask
    made: TaskCode
    clock: Callable[[], float]
    most_retries: int
    data: list[Any] = field(default_factory=list[Any])
    persistents: dict[int, list[Any]] = field(default_factory=dict[int, list[Any]])
    errno: float = 0.0
    intno: float = 0.0
    result: Any = None
    frames: list[RoutineFrame] = field(default_factory=list[RoutineFrame])
    traps: dict[int, RoutineCode] = field(default_factory=dict[int, RoutineCode])
    pending: deque[int] = field(default_factory=deque[int])
    sleeping: set[int] = field(default_factory=set[int])
    disabled: bool = False
    timers: dict[int, tuple[float, float | None]] = field(default_factory=dict[int, tuple[float, float | None]])
    watched: dict[int, tuple[Reference, Any]] = field(default_factory=dict[int, tuple[Reference, Any]])
    finished: bool = False
    report: RapidReport | None = None
    cause: BaseException | None = None

    def __post_init__(self) -> None:
        """Make the code callable."""
        self.space: dict[str, Any] = {
            "__builtins__": {},
            "T": self,
            "G": self.data,
            "P": self.persistents,
            "Reference": Reference,
            "added": added,
            "changed": changed,
            "copied": copied,
            "crossed": crossed,
            "divided": divided,
            "element": element,
            "element_reference": element_reference,
            "joined": joined,
            "present": present,
            "put_element": put_element,
            "remainder": remainder,
            "scaled": scaled,
            "subtracted": subtracted,
            "turned": turned,
            "deeper": _deeper,
            "given": dict,
            "handles": _handles,
            "initial": _initial,
            "missing": _missing,
            "no_return": _no_return,
            "raise_number": _raise_number,
            **{f"p_{name}": call for name, call in PURE.items()},
            **{name: one.call for name, one in self.made.hosts.items()},
            **self.made.constants,
        }
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

    def connect(self, routine: int, old: float) -> float:
        """Connect a new interrupt to a trap; return its number."""
        if int(old) in self.traps:
            raise RapidFailure("ERR_ALRDYCNT", "the interrupt is connected to a trap already")
        number = 1 + max(self.traps, default=0)
        self.traps[number] = self.made.routines[routine]
        return float(number)

    def forget(self, number: int) -> None:
        """Delete an interrupt."""
        self.traps.pop(number, None)
        self.timers.pop(number, None)
        self.watched.pop(number, None)
        self.sleeping.discard(number)
        self.pending = deque(one for one in self.pending if one != number)

    def interrupt(self, number: int) -> None:
        """Order an interrupt: its trap runs before the next statement, or after the trap that runs now."""
        if number in self.traps and number not in self.sleeping:
            if len(self.pending) >= MOST_PENDING:
                raise RapidFailure("", "the interrupt queue is full")
            self.pending.append(number)

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

    def poll_interrupts(self) -> None:
        """Order the interrupts whose time has come, or whose persistent data has changed."""
        for number, (at, again) in list(self.timers.items()):
            if self.clock() >= at - 1e-9:
                if again is None:
                    del self.timers[number]
                else:
                    self.timers[number] = (max(at + again, self.clock()), again)
                self.interrupt(number)
        for number, (reference, old) in self.watched.items():
            now = reference.get()
            if now != old:
                self.watched[number] = (reference, now)
                self.interrupt(number)

    def run(self, left: int) -> tuple[int, str]:
        """Make at most some steps; return those that are left, and a word of control for the machine."""
        while left > 0 and self.frames:
            if self.pending and not self.disabled and not any(frame.trap for frame in self.frames):
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
            arguments, goes_to = _late_arguments(routine.symbol, arguments), -1
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
        number = self.pending.popleft()
        routine = self.traps[number]
        frame = RoutineFrame(routine, [None] * routine.symbol.slots, trap=True, interrupted=self.intno)
        self.intno = float(number)
        self.frames.append(frame)

    # Errors

    def _failed(self, wrong: Exception) -> None:
        failure = _as_failure(wrong)
        module, routine, line = self.place
        report = RapidReport(self.name, module, routine, line, failure.error, failure.kind, str(failure))
        if not failure.number:
            self._stop_with(report, wrong)
            return
        self.errno = float(failure.number)
        self._handle(report, wrong)

    def _propagate(self) -> None:
        name = ERROR_NAMES.get(int(self.errno), "")
        module, routine, line = self.place
        message = f"{name or f'error number {int(self.errno)}'} is raised by an error handler"
        report = RapidReport(self.name, module, routine, line, name, UNHANDLED, message)
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
        self._stop_with(
            RapidReport(report.task, report.module, report.routine, report.line, report.error, kind, report.message),
            wrong,
        )

    def _stop_with(self, report: RapidReport, wrong: Exception | None) -> None:
        self.report, self.cause = report, wrong
        self.close()


def _late_arguments(symbol: RoutineSymbol, arguments: Sequence[Any]) -> list[Any]:
    """Return the arguments of a call whose routine was not known before."""
    values: list[Any] = [None] * len(symbol.parameters)
    required = [place for place, one in enumerate(symbol.parameters) if not one.optional]
    taken = 0
    for name, value in arguments:
        if name:
            places = [place for place, one in enumerate(symbol.parameters) if one.name.lower() == name]
            if not places:
                raise RapidFailure("ERR_CALLPROC", f"{symbol.name} has no argument {name}")
            place = places[0]
        elif taken < len(required):
            place = required[taken]
            taken += 1
        else:
            raise RapidFailure("ERR_CALLPROC", f"{symbol.name} takes {len(required)} arguments")
        if symbol.parameters[place].by_reference:
            if not isinstance(value, Reference):
                raise RapidFailure("ERR_CALLPROC", f"{symbol.parameters[place].name} needs data, not a value")
            values[place] = value
        else:
            values[place] = copied(value.get()) if isinstance(value, Reference) else value
    if taken < len(required):
        raise RapidFailure("ERR_CALLPROC", f"{symbol.name} takes {len(required)} arguments")
    return values


def _as_failure(wrong: Exception) -> RapidFailure:
    if isinstance(wrong, RapidFailure):
        return wrong
    if isinstance(wrong, ZeroDivisionError):
        return RapidFailure("ERR_DIVZERO", "division by zero", kind=DIVISION)
    if isinstance(wrong, OverflowError):
        return RapidFailure("ERR_OVERFLOW", "the number is too large")
    return RapidFailure("", f"{type(wrong).__name__}: {wrong}")


def _initial(of: tuple[RapidType, tuple[int, ...]]) -> Any:
    return initial_value(*of)


def _deeper(reference: Reference, path: tuple[int, ...]) -> Reference:
    return Reference(reference.box, reference.place, (*reference.path, *path))


def _handles(numbers: Sequence[float], errno: float) -> bool:
    return errno in numbers or ALL_ERRORS in numbers


def _missing(name: str) -> None:
    raise RapidFailure("", f"this controller has no {name}")


def _no_return(name: str) -> None:
    raise RapidFailure("ERR_FNCNORET", f"the function {name} returns no value")


def _raise_number(number: float) -> None:
    known = ERROR_NAMES.get(int(number), "")
    if not known and not (1 <= number <= 90 or number > FIRST_BOOKED or number == -1):
        raise RapidFailure("ERR_ILLRAISE", f"{number:g} is not an error number: book it first")
    raise RapidFailure(known, known or f"error number {number:g}", number=int(number))
