"""Machine: runs one program, stepped frame by frame."""

from collections.abc import Callable, Generator, Mapping
from typing import Any, Literal, NoReturn

from openpendant.dialects.core import Meter, SteppedThread, line_of_thread, line_of_trace, share_of
from openpendant.errors import OpenPendantError

from .builtin import Builtin
from .core import (
    NUMBER_FUNCTIONS,
    POSE_FUNCTIONS,
    SEQUENCE_FUNCTIONS,
    SLEEP_CODE,
    STRING_FUNCTIONS,
    ask,
    change,
    make_list_of,
    make_struct,
    timing_functions,
)
from .failures import RUNAWAY, RuntimeErrorReport, ScriptFailure
from .generate import CODE_NAME, Generated, default_of, generate
from .operators import integer, make_operators, metered
from .program import ScriptProgram
from .values import Value

State = Literal["running", "finished", "failed", "stopped"]

SMALLEST_SHARE = 50
"""Steps of a thread in a frame, however many threads there are."""
MOST_THREADS = 100
DEEPEST_CALL = 60
"""Calls of a function by itself."""

KEEPING = (SLEEP_CODE,)
"""A sleeping thread keeps its critical section, as does one that has used up its share."""

_PURE = {one.name: one for one in (*NUMBER_FUNCTIONS, *SEQUENCE_FUNCTIONS, *STRING_FUNCTIONS, *POSE_FUNCTIONS)}


class _ProgramHalted(Exception):  # noqa: N818 - the program's own wish
    """The program ends itself."""


class _Killed(Exception):  # noqa: N818 - the thread's own wish
    """A thread kills itself."""


def with_core(builtins: Mapping[str, Builtin], clock: Callable[[], float]) -> dict[str, Builtin]:
    """Return all functions that a program can call: the core's, and the host's, which go before them."""
    return {**_PURE, **{one.name: one for one in timing_functions(clock)}, **builtins}


class Machine:
    """Runs one program.

    Attributes:
        program: What runs.
        state: "running" until the main program ends ("finished"), fails ("failed"), halts or is stopped ("stopped").
        error: Why it failed; None before.
        cause: The exception behind `error`, for whoever looks for a fault in a builtin.
        label: Number and title of the program-tree node that runs now, from a line such as `$ 12 "Wait"`.
    """

    def __init__(
        self,
        program: ScriptProgram,
        builtins: Mapping[str, Builtin],
        *,
        clock: Callable[[], float],
        budget_per_frame: int = 1000,
        runaway_frames: int = 250,
    ) -> None:
        """Make a machine; nothing runs before `frame`.

        Args:
            program: From `parse`.
            builtins: The host's functions by name (see `builtin_table`). They go before the core's own of the same
                name. A builtin `pause` is called at the statement `pause`; without one the thread waits a frame.
            clock: Seconds of the controller's own clock, for `time()`.
            budget_per_frame: Steps of about half a microsecond that all threads together may make in a frame; a
                short loop pass or call is one.
            runaway_frames: Number of frames in a row after which a thread that used up its share fails the program.

        Raises:
            ScriptError: The program uses a name that does not exist.
        """
        self.program = program
        self.state: State = "running"
        self.error: RuntimeErrorReport | None = None
        self.cause: BaseException | None = None
        self.label: tuple[int, str] = (0, "")
        self._budget = budget_per_frame
        self._runaway = 0 if program.kind == "sec" else runaway_frames
        self._meter = Meter(DEEPEST_CALL)
        every = with_core(builtins, clock)
        self._generated: Generated = generate(program, every)
        self._space = self._namespace(every)
        exec(self._generated.code, self._space)  # noqa: S102 - our own code, with none of Python's builtins
        self._main = SteppedThread(0, "", self._space["f0"]())
        self._threads = [self._main]
        self._current = self._main
        self._holder: SteppedThread | None = None
        self._spare = 0
        self._handles = 0

    def _namespace(self, builtins: Mapping[str, Builtin]) -> dict[str, Any]:
        made = self._generated
        space: dict[str, Any] = {
            "__builtins__": {},
            "C": self._meter,
            **make_operators(self._meter),
            "ask": metered(self._meter, ask),
            "change": metered(self._meter, change),
            "make_list_of": make_list_of,
            "make_struct": make_struct,
            "fail": _fail,
            "fail_deep": _fail_deep,
            "halt": _halt,
            "label": self._set_label,
            "spawn": self._spawn,
            "kill": self._kill,
            "join": self._join,
            "enter_critical": self._enter_critical,
            "exit_critical": self._exit_critical,
        }
        for name in made.builtins:
            call, cost = builtins[name].call, builtins[name].cost
            space[f"b_{name}"] = call if isinstance(cost, int) else metered(self._meter, call, cost)
        space.update({word: default_of(builtins[name], place) for word, name, place in made.defaults})
        space.update(made.constants)
        return space

    def frame(self) -> None:
        """Run every thread for one 2 ms frame. Does nothing once the program is over."""
        if self.state != "running":
            return
        meter = self._meter
        threads = self._threads
        share = share_of(self._budget, len(threads), SMALLEST_SHARE)
        # What waiting threads left over in the last frame goes to those that compute.
        extra, self._spare = self._spare // max(1, sum(one.behind > 0 for one in threads)), 0
        someone_ended = False
        for thread in threads:  # also those that are started meanwhile
            if not thread.alive or (self._holder is not None and self._holder is not thread):
                continue
            meter.left = share + extra if thread.behind else share
            self._current = thread
            try:
                thread.body.send(None)
            except StopIteration:
                self._end(thread)
                someone_ended = True
                if thread is self._main:
                    self._finish("finished")
                    return
            except _Killed:
                self._end(thread)
                someone_ended = True
            except _ProgramHalted:
                self._finish("stopped")
                return
            except Exception as wrong:
                self._fail(thread, wrong)
                return
            else:
                thread.behind = thread.behind + 1 if meter.left < 0 else 0
                self._spare += min(max(meter.left, 0), share)
                self._holder = thread if thread.critical and not _waits_for_host(thread.body) else None
                if thread.behind > self._runaway or self.program.kind == "sec":
                    self._fail(thread, ScriptFailure(RUNAWAY))
                    return
        if someone_ended or len(threads) > MOST_THREADS // 2:
            self._threads = [thread for thread in threads if thread.alive]

    @property
    def line(self) -> int:
        """Line of the script at which the main program is now, from 1; 0 once it is over."""
        return self._line_of(self._main)

    @property
    def variables(self) -> dict[str, Value]:
        """The program's global variables by name, as they are now."""
        return {name[2:]: value for name, value in self._space.items() if name.startswith("g_")}

    @property
    def threads(self) -> tuple[str, ...]:
        """Names of the running threads; the main program's is empty."""
        return tuple(thread.name for thread in self._threads if thread.alive)

    def stop(self) -> None:
        """End every thread now; waiting builtins get GeneratorExit so that they can release what they hold."""
        if self.state == "running":
            self._finish("stopped")

    def _line_of(self, thread: SteppedThread) -> int:
        return line_of_thread(thread.body, CODE_NAME, self._generated.lines)

    def _finish(self, state: State) -> None:
        self.state = state
        for thread in self._threads:
            if thread.alive:
                self._end(thread)
        self._threads = []

    def _end(self, thread: SteppedThread) -> None:
        thread.alive = False
        if self._holder is thread:
            self._holder = None
        thread.body.close()

    def _fail(self, thread: SteppedThread, wrong: Exception) -> None:
        line = line_of_trace(wrong.__traceback__, CODE_NAME, self._generated.lines)
        self.error = RuntimeErrorReport(line or self._line_of(thread), _error_text(wrong), thread.name)
        self.cause = wrong
        self._finish("failed")

    def _set_label(self, number: int, title: str) -> None:
        if self._current is self._main:
            self.label = (number, title)

    def _spawn(self, body: Generator[None, None, Any], name: str) -> int:
        if sum(thread.alive for thread in self._threads) >= MOST_THREADS:
            raise ScriptFailure(f"Runtime error: more than {MOST_THREADS} threads")
        self._handles += 1
        self._threads.append(SteppedThread(self._handles, name, body))
        return self._handles

    def _find(self, handle: object, what: str) -> SteppedThread | None:
        number = integer(handle, f"the handle of {what}")
        # The main program has no handle that a script could know; 0 is what scripts keep for "no thread".
        known = (one for one in self._threads if one is not self._main)
        return next((one for one in known if one.handle == number and one.alive), None)

    def _kill(self, handle: object) -> None:
        thread = self._find(handle, "kill")
        if thread is self._current:
            raise _Killed
        if thread is not None:
            self._end(thread)

    def _join(self, handle: object) -> Generator[None, None, None]:
        thread = self._find(handle, "join")
        if thread is self._current:
            raise ScriptFailure("Runtime error: a thread cannot join itself")
        while thread is not None and thread.alive:
            yield

    def _enter_critical(self) -> None:
        self._current.critical = True

    def _exit_critical(self) -> None:
        self._current.critical = False


def _waits_for_host(body: Any) -> bool:
    """Return whether a thread waits in a function of its host: the others then run, also beside its critical section.

    Control programs wait for a socket, and servo, inside critical sections, and their other threads continue meanwhile.
    """
    while body is not None and getattr(body, "gi_code", None) is not None:
        if body.gi_code.co_filename != CODE_NAME:
            return body.gi_code not in KEEPING
        body = body.gi_yieldfrom
    return False


def _fail(message: str) -> NoReturn:
    raise ScriptFailure(message)


def _fail_deep(name: str) -> NoReturn:
    raise ScriptFailure(f"Runtime error: {name} calls itself more than {DEEPEST_CALL} times")


def _halt() -> NoReturn:
    raise _ProgramHalted


def _error_text(wrong: Exception) -> str:
    """Return what the controller says of an exception."""
    if isinstance(wrong, NameError):
        name = str(wrong).split("'")[1] if "'" in str(wrong) else str(wrong)
        return f"Runtime error: name '{name[2:]}' is not defined"
    if isinstance(wrong, RecursionError):
        return "Runtime error: functions call each other too deeply"
    if isinstance(wrong, OpenPendantError):
        return str(wrong)
    if isinstance(wrong, TypeError):
        return f"Type error: {wrong}"
    return f"Runtime error: {wrong}"
