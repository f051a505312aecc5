"""generate: a program's tree to Python, which runs some hundred times faster than walking the tree.

Functions that can wait become generators: each `yield` gives back the rest of the frame. Every loop pass and every call
takes from the meter, by the length of the code in it; a thread whose share is used up yields. Names of the script get
prefixes (`g_` global, `l_` local, `b_` builtin), so none can meet a word of Python.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from openpendant.dialects.core import CHARACTERS_PER_STEP, CodeText

from .builtin import REQUIRED, Builtin
from .expressions import ExpressionWriter
from .failures import ScriptError
from .program import ScriptProgram
from .scopes import STATEMENTS_BETWEEN_CHECKS, Unit, find_scopes, root_of
from .tree import (
    Assign,
    Block,
    Break,
    Continue,
    Critical,
    Do,
    Function,
    HaltStatement,
    IfStatement,
    Join,
    Kill,
    Label,
    Name,
    PauseStatement,
    Return,
    Statement,
    WhileStatement,
)

CODE_NAME = "<urscript>"
"""File name of the code in tracebacks."""


@dataclass(frozen=True)
class Generated:
    """A program as Python.

    Attributes:
        code: Defines the functions `f0` (the main program), `f1`, …
        lines: Line of the script for each line of the Python text; the first is for line 0.
        builtins: Names of the builtins it calls.
        defaults: Which defaults of builtins it needs: name in the code, builtin, number of the parameter.
        constants: Values that the code uses by name.
    """

    code: CodeType
    lines: list[int]
    builtins: set[str]
    defaults: set[tuple[str, str, int]]
    constants: dict[str, Any]
    text: str = field(repr=False, default="")


def generate(program: ScriptProgram, builtins: Mapping[str, Builtin]) -> Generated:
    """Return a program as Python code. Remembered in the program, for hosts with the same builtins.

    Raises:
        ScriptError: It uses a name that means nothing, or is nested too deeply.
    """
    key = signature(builtins)
    known = program.generated.get(key)
    if known is None:
        known = program.generated[key] = _Writer(program, builtins).generated()
    return known


def signature(builtins: Mapping[str, Builtin]) -> tuple[tuple[object, ...], ...]:
    """Return what generated code depends on in its builtins."""
    return tuple(
        (one.name, one.blocking, one.rest, isinstance(one.cost, int) and one.cost, *(p.name for p in one.parameters))
        for one in builtins.values()
    )


class _Writer:
    """Writes the Python text of one program."""

    def __init__(self, program: ScriptProgram, builtins: Mapping[str, Builtin]) -> None:
        self.program = program
        self.scopes = find_scopes(program, builtins)
        self.expressions = ExpressionWriter(program, self.scopes, builtins)
        self.code = CodeText(program.line)
        self.unit: Unit = self.scopes.units[0]
        self.since_check = 0
        self.cost = 0
        self.has_pause = "pause" in builtins

    def generated(self) -> Generated:
        """Return the whole."""
        for unit in self.scopes.units:
            self._unit(unit)
        code = self.code.compile(CODE_NAME)
        if isinstance(code, int):
            raise ScriptError(code or self.program.line, 1, "nested too deeply", self.program.source)
        used = self.expressions
        return Generated(code, self.code.lines, used.used, used.defaults, used.constants, "\n".join(self.code.text))

    def _add(self, depth: int, text: str) -> None:
        self.code.add(depth, text)
        self.cost += len(text) + self.expressions.reset_cost() * CHARACTERS_PER_STEP

    def _check(self, depth: int, *, may_yield: bool = True) -> int:
        """Take from the meter; return the place where the price is to be filled in."""
        place = len(self.code.text)
        self._add(depth, "C.left -= 1")
        if may_yield:
            self._add(depth, "if C.left < 0: yield")
            self.since_check = 0
        return place

    def _price(self, place: int, cost: int) -> None:
        line = self.code.text[place]
        self.code.text[place] = f"{line[: len(line) - 1]}{1 + cost // CHARACTERS_PER_STEP}"

    def _unit(self, unit: Unit) -> None:
        self.unit = unit
        self.since_check = 0
        writer = self.expressions
        writer.enter(unit)
        function = unit.function
        self.code.line = self.program.line if function is None else function.line
        names = [] if function is None else [f"l_{name}" for name, _ in function.parameters]
        if unit.circle >= 0:
            names.insert(0, "depth")
        self._add(0, f"def {unit.python_name}({', '.join(names)}):")
        head = len(self.code.text)
        self._add(1, "pass")
        if unit.waits:
            self._add(1, "if False: yield")
        if unit.circle >= 0:
            self._add(1, f"if depth > C.deepest: fail_deep({unit.name!r})")
        self.cost = 0
        place = None if function is None else self._check(1, may_yield=unit.waits)
        self._block(1, unit.body)
        if place is not None:
            self._price(place, self.cost)
        changed = sorted(writer.changed)
        if changed:
            self.code.text[head] = f" global {', '.join(changed)}"

    def _block(self, depth: int, block: Block) -> None:
        if not block:
            self._add(depth, "pass")
        for statement in block:
            self.code.line = statement.line
            self.since_check += 1
            if self.since_check > STATEMENTS_BETWEEN_CHECKS and self.unit.waits:
                self._check(depth)
            self._statement(depth, statement)

    def _statement(self, depth: int, statement: Statement) -> None:
        write = self.expressions.write
        match statement:
            case Do():
                self._add(depth, write(statement.expression))
            case Assign():
                self._assign(depth, statement)
            case IfStatement():
                self._if(depth, statement)
            case WhileStatement():
                self._add(depth, f"while {self.expressions.condition(statement.condition)}:")
                before = self.cost
                place = self._check(depth + 1)
                self._block(depth + 1, statement.body)
                self._price(place, self.cost - before)
                self.cost = before
            case Break():
                self._add(depth, "break")
            case Continue():
                self._add(depth, "continue")
            case Return():
                value = "None" if statement.value is None else write(statement.value)
                self._add(depth, f"return {value}")
            case HaltStatement():
                self._add(depth, "halt()")
            case PauseStatement():
                call = self.expressions.builtin_call("pause", [], []) if self.has_pause else "(yield)"
                self._add(depth, call)
            case Critical():
                self._add(depth, "enter_critical()" if statement.enters else "exit_critical()")
            case Kill():
                self._add(depth, f"kill({write(statement.handle)})")
            case Join():
                self._add(depth, f"yield from join({write(statement.handle)})")
            case Label():
                self._add(depth, f"label({statement.number}, {statement.title!r})")
            case Function():
                self._add(depth, "pass")

    def _if(self, depth: int, statement: IfStatement) -> None:
        word, dearest = "if", 0
        branches = [*statement.branches, *([(None, statement.otherwise)] if statement.otherwise else [])]
        for condition, body in branches:
            if condition is None:
                self._add(depth, "else:")
            else:
                self.code.line = condition.line
                self._add(depth, f"{word} {self.expressions.condition(condition)}:")
            before = self.cost
            self._block(depth + 1, body)
            dearest = max(dearest, self.cost - before)
            self.cost = before
            word = "elif"
        self.cost += dearest

    def _assign(self, depth: int, statement: Assign) -> None:
        writer = self.expressions
        value = writer.write(statement.value)
        if isinstance(statement.target, Name):
            target = writer.target(statement.target.name, forced_global=statement.scope == "global")
            self._add(depth, f"{target} = {value}")
            return
        target = writer.target(root_of(statement.target))
        keys = writer.path(statement.target)
        self._add(depth, f"{target} = put({target}, {value}, {', '.join(keys)})")


def default_of(builtin: Builtin, index: int) -> Any:
    """Return the default of a builtin's parameter, which it has."""
    default = builtin.parameters[index].default
    assert default is not REQUIRED  # noqa: S101 - generated code reads it only if it exists
    return default
