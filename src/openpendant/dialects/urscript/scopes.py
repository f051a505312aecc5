"""Which variable and which function a name means, and which functions can wait.

The rules are the manual's ("Scoping rules"): variables of the program's own level are global, `global x` makes one
anywhere, and any other variable of a function belongs to that function alone, whatever functions are inside it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .builtin import Builtin
from .program import ScriptProgram
from .tree import (
    Assign,
    At,
    Binary,
    Block,
    CallFunction,
    CallMethod,
    Do,
    Expression,
    Function,
    IfStatement,
    Join,
    Kill,
    List,
    Literal_,
    Member,
    Name,
    Negative,
    Not,
    PauseStatement,
    PoseOf,
    Return,
    RunThread,
    Statement,
    WhileStatement,
)

STATEMENTS_BETWEEN_CHECKS = 10
"""Number of statements in a row that run between checks of the budget, in functions that can wait."""
LONGEST_PLAIN = 25
"""Statements of a function that never looks at it."""
HEAVIEST_PLAIN = 100
"""A function that calls more than this number of others, directly or not, must be able to yield."""


@dataclass(eq=False)
class Unit:
    """The main program, a function or a thread.

    Attributes:
        waits: Whether it can give back its frame; it is then a generator.
        circle: Units that call each other round and round have the same number; -1: it never calls itself.
    """

    name: str
    index: int
    function: Function | None
    body: Block
    parent: "Unit | None"
    functions: dict[str, "Unit"] = field(default_factory=dict[str, "Unit"])
    locals: set[str] = field(default_factory=set[str])
    free: set[str] = field(default_factory=set[str])
    calls: list["Unit"] = field(default_factory=list["Unit"])
    waits: bool = False
    circle: int = -1
    weight: int = 1

    def find(self, name: str) -> "Unit | None":
        """Return the function that `name` means here."""
        unit: Unit | None = self
        while unit is not None:
            if name in unit.functions:
                return unit.functions[name]
            unit = unit.parent
        return None

    @property
    def python_name(self) -> str:
        """Name of its Python function."""
        return f"f{self.index}"


@dataclass(frozen=True)
class Scopes:
    """The units of a program, the main one first, and its global variables."""

    units: list[Unit]
    globals: set[str]


def find_scopes(program: ScriptProgram, builtins: Mapping[str, Builtin]) -> Scopes:
    """Return what the names of a program mean."""
    main = Unit(program.name, 0, None, program.body, None, waits=True)
    units = [main]
    found: set[str] = set()
    at = 0
    while at < len(units):
        unit = units[at]
        at += 1
        for statement in statements(unit.body):
            if isinstance(statement, Function):
                inner = Unit(statement.name, len(units), statement, statement.body, unit)
                inner.waits = statement.kind == "thread"
                inner.locals.update(name for name, _ in statement.parameters)
                unit.functions[statement.name] = inner
                units.append(inner)
            elif isinstance(statement, Assign):
                name = root_of(statement.target)
                if unit is main or statement.scope == "global":
                    found.add(name)
                elif statement.scope == "local":
                    unit.locals.add(name)
                else:
                    unit.free.add(name)
    for unit in units:
        unit.locals |= unit.free - found
    for unit in units:
        _find_calls(unit, builtins)
    _find_circles(units)
    return Scopes(units, found)


def root_of(target: Expression) -> str:
    """Return the variable that an assignment changes."""
    while isinstance(target, At | Member):
        target = target.of
    assert isinstance(target, Name)  # noqa: S101 - the parser lets nothing else through
    return target.name


def statements(block: Block) -> Iterator[Statement]:
    """Yield every statement of a unit; functions inside it are named but not entered."""
    for statement in block:
        yield statement
        if isinstance(statement, IfStatement):
            for _, body in statement.branches:
                yield from statements(body)
            yield from statements(statement.otherwise)
        elif isinstance(statement, WhileStatement):
            yield from statements(statement.body)


def expressions_of(statement: Statement) -> list[Expression]:
    """Return the expressions of a statement itself."""
    match statement:
        case Assign():
            return [statement.target, statement.value]
        case Do():
            return [statement.expression]
        case IfStatement():
            return [condition for condition, _ in statement.branches]
        case WhileStatement():
            return [statement.condition]
        case Return():
            return [] if statement.value is None else [statement.value]
        case Kill() | Join():
            return [statement.handle]
        case Function():
            return [default for _, default in statement.parameters if default is not None]
        case _:
            return []


def parts(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and everything in it."""
    waiting = [expression]
    while waiting:
        one = waiting.pop()
        yield one
        match one:
            case List() | PoseOf():
                waiting += one.items
            case At():
                waiting += [one.of, *one.indices]
            case Member() | Negative() | Not():
                waiting.append(one.of)
            case CallFunction():
                waiting += [*one.arguments, *(value for _, value in one.named)]
            case CallMethod():
                waiting += [one.of, *one.arguments]
            case Binary():
                waiting += [one.left, one.right]
            case RunThread():
                waiting += [*one.call.arguments, *(value for _, value in one.call.named)]
            case Literal_() | Name():
                pass


def _find_calls(unit: Unit, builtins: Mapping[str, Builtin]) -> None:
    """Note whom a unit calls, and whether it must be able to wait by itself."""
    count = 0
    for statement in statements(unit.body):
        count += 1
        if isinstance(statement, WhileStatement | Join | PauseStatement):
            unit.waits = True
        for expression in expressions_of(statement):
            for part in parts(expression):
                if isinstance(part, RunThread):
                    target = unit.find(part.call.name)
                    if target is not None:
                        target.waits = True  # it becomes a thread's body
                elif isinstance(part, CallFunction):
                    target = unit.find(part.name)
                    if target is not None:
                        unit.calls.append(target)
                    elif part.name == "sync" or (part.name in builtins and builtins[part.name].blocking):
                        unit.waits = True
    if count > LONGEST_PLAIN:
        unit.waits = True


def _find_circles(units: list[Unit]) -> None:
    """Find the units that call themselves (Tarjan, without recursion), and spread `waits` from callee to caller."""
    order: list[Unit] = []
    number: dict[Unit, int] = {}
    low: dict[Unit, int] = {}
    stack: list[Unit] = []
    inside: set[Unit] = set()
    circles = 0
    for start in units:
        if start in number:
            continue
        number[start] = low[start] = len(number)
        stack.append(start)
        inside.add(start)
        work: list[tuple[Unit, Iterator[Unit]]] = [(start, iter(start.calls))]
        while work:
            unit, calls = work[-1]
            following = next(calls, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == number[unit]:
                    members = [stack.pop()]
                    while members[-1] is not unit:
                        members.append(stack.pop())
                    inside.difference_update(members)
                    if len(members) > 1 or unit in unit.calls:
                        for one in members:
                            one.circle, one.waits = circles, True
                        circles += 1
                    order += members
            elif following not in number:
                number[following] = low[following] = len(number)
                stack.append(following)
                inside.add(following)
                work.append((following, iter(following.calls)))
            elif following in inside:
                low[unit] = min(low[unit], number[following])
    for unit in order:  # callees first
        if any(one.waits for one in unit.calls):
            unit.waits = True
        unit.weight = 1 + sum(one.weight for one in unit.calls if not one.waits)
        if unit.weight > HEAVIEST_PLAIN:
            unit.waits = True
