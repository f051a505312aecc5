"""write_script: a tree back to text, four blanks for each level."""

from .parser import BINDS, NOT_BINDS, SIGN_BINDS
from .program import ScriptProgram
from .tree import (
    Assign,
    At,
    Binary,
    Block,
    Break,
    CallFunction,
    CallMethod,
    Continue,
    Critical,
    Do,
    Expression,
    Function,
    HaltStatement,
    IfStatement,
    Join,
    Kill,
    Label,
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

TIGHTEST = 10


def write_script(program: ScriptProgram) -> str:
    """Return a program as text that parses to the same tree. Comments are gone."""
    if program.kind == "loose":
        return "".join(f"{line}\n" for line in _block(program.body, ""))
    lines = [f"{program.kind} {program.name}():", *_block(program.body, "    "), "end"]
    return "".join(f"{line}\n" for line in lines)


def _block(block: Block, indent: str) -> list[str]:
    lines: list[str] = []
    for statement in block:
        lines += [f"{indent}{line}" for line in _statement(statement)]
    return lines


def _statement(statement: Statement) -> list[str]:
    match statement:
        case Assign():
            scope = f"{statement.scope} " if statement.scope else ""
            return [f"{scope}{write_expression(statement.target)} = {write_expression(statement.value)}"]
        case Do():
            return [write_expression(statement.expression)]
        case IfStatement():
            lines: list[str] = []
            for word, (condition, body) in zip(
                ["if", *["elif"] * len(statement.branches)], statement.branches, strict=False
            ):
                lines += [f"{word} {write_expression(condition)}:", *_block(body, "    ")]
            if statement.otherwise:
                lines += ["else:", *_block(statement.otherwise, "    ")]
            return [*lines, "end"]
        case WhileStatement():
            return [f"while {write_expression(statement.condition)}:", *_block(statement.body, "    "), "end"]
        case Return():
            return ["return" if statement.value is None else f"return {write_expression(statement.value)}"]
        case Break():
            return ["break"]
        case Continue():
            return ["continue"]
        case HaltStatement():
            return ["halt"]
        case PauseStatement():
            return ["pause"]
        case Critical():
            return ["enter_critical" if statement.enters else "exit_critical"]
        case Kill():
            return [f"kill {write_expression(statement.handle)}"]
        case Join():
            return [f"join {write_expression(statement.handle)}"]
        case Label():
            return [f"$ {statement.number} {_string(statement.title)}"]
        case Function():
            parameters = ", ".join(
                name if default is None else f"{name}={write_expression(default)}"
                for name, default in statement.parameters
            )
            head = f"{statement.kind} {statement.name}({parameters}):"
            return [head, *_block(statement.body, "    "), "end"]


def write_expression(expression: Expression, least: int = 0) -> str:
    """Return an expression as text, in brackets where it binds less tightly than `least`."""
    text, binds = _expression(expression)
    return f"({text})" if binds < least else text


def _expression(expression: Expression) -> tuple[str, int]:
    match expression:
        case Literal_():
            return _literal(expression.value), TIGHTEST
        case Name():
            return expression.name, TIGHTEST
        case List():
            return f"[{_several(expression.items)}]", TIGHTEST
        case PoseOf():
            return f"p[{_several(expression.items)}]", TIGHTEST
        case At():
            return f"{write_expression(expression.of, TIGHTEST)}[{_several(expression.indices)}]", TIGHTEST
        case Member():
            return f"{_owner(expression.of)}.{expression.name}", TIGHTEST
        case CallMethod():
            return f"{_owner(expression.of)}.{expression.name}({_several(expression.arguments)})", TIGHTEST
        case CallFunction():
            return _call(expression), TIGHTEST
        case RunThread():
            return f"run {_call(expression.call)}", SIGN_BINDS
        case Negative():
            return f"-{write_expression(expression.of, SIGN_BINDS)}", SIGN_BINDS
        case Not():
            return f"not {write_expression(expression.of, NOT_BINDS)}", NOT_BINDS
        case Binary():
            binds = BINDS[expression.operator]
            right_first = expression.operator == "^"
            left = write_expression(expression.left, binds + right_first)
            right = write_expression(expression.right, binds + (not right_first))
            return f"{left} {expression.operator} {right}", binds


def _owner(of: Expression) -> str:
    text = write_expression(of, TIGHTEST)
    return f"({text})" if isinstance(of, Literal_) else text


def _call(call: CallFunction) -> str:
    named = [f"{name}={write_expression(value)}" for name, value in call.named]
    return f"{call.name}({', '.join([*map(write_expression, call.arguments), *named])})"


def _several(items: list[Expression]) -> str:
    return ", ".join(map(write_expression, items))


def _literal(value: object) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float):
        text = repr(value)
        return "1e999" if text == "inf" else text
    return str(value)


def _string(text: str) -> str:
    marks = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}
    return f'"{"".join(marks.get(one, one) for one in text)}"'
