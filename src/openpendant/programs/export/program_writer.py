"""ProgramWriter: a program as text, step by step; what RAPID, URScript and V+ share. A language says how each reads."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from openpendant.controllers import VendorText
from openpendant.programs.document import (
    Action,
    Call,
    Comment,
    Expression,
    GoTo,
    Group,
    If,
    MoveAxis,
    PickPart,
    PlacePart,
    Program,
    Repeat,
    SetOutput,
    SetVariable,
    SpeedOverride,
    Tool,
    Wait,
    WaitInput,
    While,
    parse_expression,
    sentence,
)
from openpendant.programs.sequence import plain_steps_of

from .namer import Namer
from .source import Lines, Source, Style, number, write_expression, write_value


@dataclass(frozen=True)
class Statements:
    """Statements of a language that are the same in every program, with {} for what is in them."""

    comment: str
    """What a comment begins with."""
    wait: str
    """For seconds."""
    assign: str
    """A variable; its value."""
    call: str
    """A program."""
    loop: str
    """While a condition holds."""
    end_loop: str
    condition: str
    otherwise: str
    end_condition: str


class ProgramWriter(ABC):
    """Writes one program and those that it calls in one language."""

    style: Style
    statements: Statements

    def __init__(self, source: Source, names: Namer) -> None:
        """Begin; the order in which names are asked for decides who gets a number.

        Args:
            source: What is written.
            names: The names that the language allows.
        """
        self.source, self.names = source, names
        self.variables: dict[tuple[str, str], str] = {}
        """By program and the variable's name there."""

    @abstractmethod
    def text(self) -> VendorText:
        """Return the whole text."""

    @abstractmethod
    def move(self, out: Lines, program: Program, step: GoTo | MoveAxis) -> None:
        """Write a move."""

    @abstractmethod
    def work_tool(self, out: Lines, state: Literal["open", "close"]) -> None:
        """Write that the tool opens or closes."""

    @abstractmethod
    def set_output(self, out: Lines, signal: str, value: bool) -> None:
        """Write that an output of the cell is set."""

    @abstractmethod
    def wait_input(self, out: Lines, step: WaitInput) -> None:
        """Write that an input is waited for."""

    @abstractmethod
    def set_override(self, out: Lines, percent: float) -> None:
        """Write that all speeds are slowed down from here on."""

    @abstractmethod
    def count_loop(self, out: Lines, program: Program, times: int, steps: tuple[Action, ...]) -> None:
        """Write steps that are made a number of times, with `write_block`."""

    @abstractmethod
    def read_signal(self, signal: str) -> str:
        """Return a signal of the cell as a part of a condition."""

    @abstractmethod
    def forget(self) -> None:
        """Take nothing for known that the text before has set: here it may be come to from elsewhere."""

    def name_variables(self) -> None:
        """Give every variable of the programs its name."""
        self.variables = {
            (program.name, name): self.names.name(name, f"variable of {program.name}")
            for program in self.source.all
            for name in program.variables
        }

    def write_steps(self, out: Lines, program: Program, steps: tuple[Action, ...]) -> None:
        """Write steps one below the other; those that are off as comments."""
        for step in steps:
            if step.enabled:
                self._step(out, program, step)
            else:
                out.note(self.statements.comment, f"(off) {sentence(step)}")

    def write_block(self, out: Lines, program: Program, steps: tuple[Action, ...]) -> None:
        """Write the steps of a block, which may be entered and left with anything in force."""
        self.forget()
        self.write_steps(out.inside(), program, steps)
        self.forget()

    def writer(self, program: Program) -> Callable[[Expression], str]:
        """Return what writes expressions of a program."""
        return lambda expression: write_expression(expression, self.style, lambda name: self._name(program, name))

    def _step(self, out: Lines, program: Program, step: Action) -> None:
        words = self.statements
        match step:
            case GoTo() | MoveAxis():
                self.move(out, program, step)
            case Wait(seconds=seconds):
                out.add(words.wait.format(number(seconds, 3)))
            case Tool(state=state):
                self.work_tool(out, state)
            case PickPart() | PlacePart():
                out.note(words.comment, sentence(step))
                self.write_steps(out, program, plain_steps_of(self.source.setting, step))
            case SetOutput(signal=signal, value=value):
                self.set_output(out, signal, value)
            case WaitInput():
                self.wait_input(out, step)
            case SpeedOverride(percent=percent):
                self.set_override(out, percent)
            case SetVariable(name=name, value=value):
                text = write_value(value, self.writer(program), 1.0, 6)
                out.add(words.assign.format(self.variables[program.name, name], text))
            case Comment(text=text):
                out.note(words.comment, text)
            case Call(program=called):
                out.add(words.call.format(self.names.name(called, "program")))
                self.forget()
            case Group(title=title, steps=steps):
                out.note(words.comment, title)
                self.write_steps(out, program, steps)
            case Repeat(times=times, steps=steps):
                if times is None:
                    self._loop(out, program, self.style.true, steps)
                else:
                    self.count_loop(out, program, times, steps)
            case While(condition=condition, steps=steps):
                self._loop(out, program, self._condition(program, condition), steps)
            case If():
                self._if(out, program, step)

    def _loop(self, out: Lines, program: Program, condition: str, steps: tuple[Action, ...]) -> None:
        out.add(self.statements.loop.format(condition))
        self.write_block(out, program, steps)
        out.add(self.statements.end_loop)

    def _if(self, out: Lines, program: Program, step: If) -> None:
        out.add(self.statements.condition.format(self._condition(program, step.condition)))
        self.write_block(out, program, step.steps)
        if step.otherwise:
            out.add(self.statements.otherwise)
            self.write_block(out, program, step.otherwise)
        out.add(self.statements.end_condition)

    def _condition(self, program: Program, text: str) -> str:
        return self.writer(program)(parse_expression(text))

    def _name(self, program: Program, name: str) -> str:
        variable = self.variables.get((program.name, name))
        return self.read_signal(name) if variable is None else variable
