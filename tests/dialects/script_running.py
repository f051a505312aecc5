"""Runs scripts on a machine whose only window is `textmsg`."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from openpendant.dialects.urscript import Builtin, Machine, Value, builtin_table, documented, format_value, parse


@dataclass
class Ran:
    machine: Machine
    said: list[str]
    frames: int
    values: list[Value] = field(default_factory=list)

    @property
    def error(self) -> str:
        assert self.machine.error is not None, f"no failure: {self.machine.state}, said {self.said}"
        return self.machine.error.message

    @property
    def line(self) -> int:
        assert self.machine.error is not None
        return self.machine.error.line


def run(text: str, *, frames: int = 2000, more: Iterable[Builtin] = (), budget: int = 1000, runaway: int = 250) -> Ran:
    """Run a script to its end, at most `frames` frames."""
    said: list[str] = []
    values: list[Value] = []

    def textmsg(s1: Value, s2: Value) -> None:
        said.append(format_value(s1) + format_value(s2))
        values.append(s1)

    count = 0
    builtins = builtin_table(documented("textmsg", textmsg), *more)
    machine = Machine(
        parse(text),
        builtins,
        clock=lambda: count * 0.002,
        budget_per_frame=budget,
        runaway_frames=runaway,
    )
    while machine.state == "running" and count < frames:
        machine.frame()
        count += 1
    return Ran(machine, said, count, values)


def value_of(expression: str) -> Value:
    """Return the value of an expression in a script."""
    ran = run(f"def program():\n  textmsg({expression})\nend")
    assert ran.machine.state == "finished", ran.machine.error
    return ran.values[0]


def failure_of(statement: str) -> str:
    """Return why a statement fails."""
    return run(f"def program():\n  {statement}\nend").error
