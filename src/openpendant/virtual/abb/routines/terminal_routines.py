"""The operator in programs: TPWrite, TPReadFK, TPReadNum, ErrWrite, and what the panel says."""

from collections.abc import Callable, Mapping
from typing import Any

from openpendant.dialects.rapid import (
    HostRoutine,
    HostWait,
    RapidFailure,
    TaskCaller,
    error_number,
    host_routine,
    write_value,
)
from openpendant.virtual.abb.controller_log import WRITTEN_BY_PROGRAM, ControllerLog
from openpendant.virtual.abb.panel import ControllerPanel
from openpendant.virtual.abb.terminal import OperatorQuestion, OperatorTerminal

Given = Mapping[str, Any]
OPERATING_MODES = {"AUTO": 1.0, "MANR": 2.0, "MANF": 3.0}
"""OP_AUTO, OP_MAN_PROG, OP_MAN_TEST"""
BREAKS = {"DIBreak": "ERR_TP_DIBREAK", "DOBreak": "ERR_TP_DOBREAK"}
"""Which signals take a question back."""
CONTINUOUS = 1.0
"""RUN_CONT_CYCLE"""


def terminal_routines(
    terminal: OperatorTerminal,
    log: ControllerLog,
    panel: ControllerPanel,
    clock: Callable[[], float],
    read: Callable[[str], float],
) -> tuple[HostRoutine, ...]:
    """Return the routines around a terminal, an event log and a panel; `read` returns signals."""

    def write(_task: TaskCaller, given: Given) -> None:
        extra = [write_value(given[name]) for name in ("Num", "Bool", "Pos", "Orient", "Dnum") if name in given]
        terminal.write(given["String"] + "".join(extra))

    def broken_off(given: Given, until: float | None) -> str:
        """Return the error with which a question ends before it is answered; empty: it continues."""
        for argument, error in BREAKS.items():
            if argument in given and read(given[argument]) == 1.0:
                return error
        return "ERR_TP_MAXTIME" if until is not None and clock() >= until - 1e-9 else ""

    def wait(question: OperatorQuestion, given: Given) -> HostWait:
        until = clock() + given["MaxTime"] if "MaxTime" in given else None
        flag = given.get("BreakFlag")
        if flag is not None:
            flag.set(0.0)
        try:
            while question.reply is None:
                error = broken_off(given, until)
                if error:
                    if flag is None:
                        raise RapidFailure(error, "the operator did not answer before the question was taken back")
                    flag.set(float(error_number(error)))
                    return
                yield
        finally:
            terminal.forget(question)
        given["TPAnswer"].set(question.reply)

    def read_key(_task: TaskCaller, given: Given) -> HostWait:
        keys = tuple(given[f"TPFK{place}"] for place in range(1, 6))
        yield from wait(terminal.ask(given["TPText"], keys), given)

    def read_number(_task: TaskCaller, given: Given) -> HostWait:
        yield from wait(terminal.ask(given["TPText"]), given)

    def write_error(_task: TaskCaller, given: Given) -> None:
        level = 2 if "W" in given else 1 if "I" in given else 3
        lines = [given["Reason"], *(given[name] for name in ("RL2", "RL3", "RL4") if name in given)]
        code = WRITTEN_BY_PROGRAM[3 - level]
        log.write(level, code, given["Header"], "\n".join(lines), (given["Header"], *lines))

    return (
        host_routine("TPWrite", write),
        host_routine("TPErase", lambda _task, _given: terminal.erase()),
        host_routine("TPShow", lambda _task, _given: None),
        host_routine("TPReadFK", read_key, waits=True),
        host_routine("TPReadNum", read_number, waits=True),
        host_routine("ErrWrite", write_error),
        host_routine("OpMode", lambda _task, _given: OPERATING_MODES[panel.mode]),
        host_routine("RunMode", lambda _task, _given: CONTINUOUS),
        host_routine("CSpeedOverride", lambda _task, _given: panel.speed_percent),
    )
