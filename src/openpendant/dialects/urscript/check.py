"""check_script: what is wrong with a script before it runs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from .builtin import REQUIRED, Builtin, Parameter
from .catalogue import catalogue
from .failures import ScriptError
from .parser import parse
from .program import ScriptProgram
from .scopes import Scopes, Unit, expressions_of, find_scopes, parts, statements
from .tree import Assign, CallFunction, Expression, Function, Name, RunThread


@dataclass(frozen=True, slots=True)
class ScriptProblem:
    """A fault of a script: line and column (from 1), and a message."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        """Return it in one line."""
        return f"line {self.line}, column {self.column}: {self.message}"


def check_script(text: str, *, name: str = "script", more: Iterable[Builtin] = ()) -> list[ScriptProblem]:
    """Return what is wrong with a script: syntax, names that mean nothing, wrong arguments. Empty: nothing.

    Args:
        text: The script.
        name: What messages call it.
        more: Functions beside the documented ones (of a URCap, say).
    """
    try:
        program = parse(text, name)
    except ScriptError as wrong:
        return [ScriptProblem(wrong.line, wrong.column, wrong.fault)]
    return check_program(program, more=more)


def check_program(program: ScriptProgram, *, more: Iterable[Builtin] = ()) -> list[ScriptProblem]:
    """Return what is wrong with a parsed program, in the order of its lines."""
    known = {**catalogue(), **{one.name: one.parameters for one in more}}
    scopes = find_scopes(program, {})
    found: list[ScriptProblem] = []
    for unit in scopes.units:
        for statement in statements(unit.body):
            if isinstance(statement, Function):
                _check_function(unit, statement, found)
            for expression in expressions_of(statement):
                written = statement.target if isinstance(statement, Assign) else None
                found += _check_expression(expression, unit, scopes, known, written)
    return sorted(set(found), key=lambda one: (one.line, one.column))


def _check_function(unit: Unit, function: Function, found: list[ScriptProblem]) -> None:
    inner = unit.functions.get(function.name)
    if inner is not None and inner.function is not function:
        again = f"{function.name} is defined a second time below; that one counts everywhere"
        found.append(ScriptProblem(function.line, function.column, again))
    if function.kind == "sec":
        found.append(
            ScriptProblem(function.line, function.column, "a secondary program cannot be inside another program")
        )


def _check_expression(
    expression: Expression,
    unit: Unit,
    scopes: Scopes,
    known: Mapping[str, tuple[Parameter, ...]],
    written: Expression | None,
) -> Iterator[ScriptProblem]:
    for part in parts(expression):
        if isinstance(part, Name):
            if part is not written and part.name not in unit.locals and part.name not in scopes.globals:
                near = _near(part.name, [*unit.locals, *scopes.globals])
                yield ScriptProblem(part.line, part.column, f"name '{part.name}' is not defined{near}")
        elif isinstance(part, RunThread):
            target = unit.find(part.call.name)
            if target is None:
                yield ScriptProblem(part.line, part.column, f"no thread is named '{part.call.name}'")
            else:
                yield from _check_call(part.call, _parameters(target))
        elif isinstance(part, CallFunction):
            target = unit.find(part.name)
            if target is not None:
                yield from _check_call(part, _parameters(target))
            elif part.name in known:
                yield from _check_call(part, known[part.name])
            elif part.name != "struct":
                near = _near(part.name, known)
                yield ScriptProblem(part.line, part.column, f"no function is named '{part.name}'{near}")


def _parameters(unit: Unit) -> tuple[Parameter, ...]:
    given = [] if unit.function is None else unit.function.parameters
    return tuple(Parameter(name, REQUIRED if default is None else None) for name, default in given)


def _check_call(call: CallFunction, parameters: tuple[Parameter, ...]) -> Iterator[ScriptProblem]:
    names = [one.name for one in parameters]
    shown = f"{call.name}({', '.join(names)})"
    if len(call.arguments) > len(parameters):
        message = f"{len(call.arguments)} arguments for {shown}"
        yield ScriptProblem(call.line, call.column, message)
        return
    given = set(names[: len(call.arguments)])
    for keyword, value in call.named:
        if keyword not in names:
            message = f"{call.name} has no parameter '{keyword}'{_near(keyword, names)}: {shown}"
            yield ScriptProblem(value.line, value.column, message)
        elif keyword in given:
            yield ScriptProblem(value.line, value.column, f"'{keyword}' is given twice to {shown}")
        given.add(keyword)
    missing = [one.name for one in parameters if one.default is REQUIRED and one.name not in given]
    if missing:
        yield ScriptProblem(call.line, call.column, f"missing {', '.join(missing)} in a call of {shown}")


def _near(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return f"; did you mean '{close[0]}'?" if close else ""
