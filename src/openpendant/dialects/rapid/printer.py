"""write_module: a tree back to text; parsed again it is the same tree."""

from collections.abc import Iterator

from .tree import (
    Aggregate,
    AliasDeclaration,
    Assignment,
    BinaryOperation,
    CommentLine,
    ComponentOf,
    ConnectTrap,
    Constant,
    DataDeclaration,
    DataName,
    ElementOf,
    ExitProgram,
    ForLoop,
    FunctionCall,
    GotoLabel,
    HandlerExit,
    IfChoice,
    LabelMark,
    Negated,
    ParameterDeclaration,
    Placeholder,
    ProcedureCall,
    RaiseError,
    RapidArgument,
    RapidBlock,
    RapidExpression,
    RapidModule,
    RapidStatement,
    RecordDeclaration,
    ReturnValue,
    RoutineDeclaration,
    Signed,
    TestChoice,
    WhileLoop,
)

STEP = "    "
LEVELS = {"OR": 1, "XOR": 1, "AND": 2, "=": 3, "<>": 3, "<": 3, ">": 3, "<=": 3, ">=": 3, "+": 4, "-": 4}
LEVELS |= {"*": 5, "/": 5, "DIV": 5, "MOD": 5}
PRIMARY = 6


def write_module(module: RapidModule) -> str:
    """Return the text of a module."""
    attributes = f"({','.join(module.attributes)})" if module.attributes else ""
    lines = [f"MODULE {module.name}{attributes}"]
    before: object = None
    for one in module.declarations:
        if isinstance(one, RoutineDeclaration) and not isinstance(before, CommentLine):
            lines.append("")
        lines += [STEP + line if line else "" for line in _declaration(one)]
        before = one
    return "\n".join([*lines, "ENDMODULE", ""])


def write_expression(expression: RapidExpression, level: int = 0) -> str:
    """Return the text of an expression; in parentheses where it binds more weakly than `level`."""
    match expression:
        case Constant():
            return write_constant(expression.value)
        case DataName():
            return expression.name
        case Placeholder():
            return expression.text
        case Aggregate():
            return f"[{','.join(map(write_expression, expression.items))}]"
        case ComponentOf():
            return f"{write_expression(expression.of, PRIMARY)}.{expression.name}"
        case ElementOf():
            return (
                f"{write_expression(expression.of, PRIMARY)}{{{','.join(map(write_expression, expression.indices))}}}"
            )
        case FunctionCall():
            return f"{expression.name}({_arguments(expression.arguments)})"
        case Negated():
            text, own = f"NOT {write_expression(expression.of, 2)}", 1
        case Signed():
            text, own = f"{expression.sign}{write_expression(expression.of, 5)}", 4
        case BinaryOperation():
            own = LEVELS[expression.operator]
            # Comparisons do not stand in a row; the others group from the left.
            left = write_expression(expression.left, own + (own == 3))
            right = write_expression(expression.right, own + 1)
            text = f"{left} {expression.operator} {right}"
    return f"({text})" if own < level else text


def write_constant(value: float | str | bool) -> str:
    """Return a number, string or truth as the language writes it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return f'"{"".join(map(_character, value))}"'
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    return repr(value).upper().replace(".0E", "E").removesuffix(".0")


def _character(character: str) -> str:
    if character == '"':
        return '""'
    if character == "\\":
        return "\\\\"
    return character if character >= " " else f"\\{ord(character):02X}"


def _arguments(arguments: list[RapidArgument]) -> str:
    text = ""
    for one in arguments:
        value = "" if one.value is None else write_expression(one.value)
        if not one.name:
            text += f", {value}" if text else value
        elif one.handed_on:
            text += f"\\{one.name}?{value}"
        else:
            text += f"\\{one.name}:={value}" if one.value is not None else f"\\{one.name}"
    return text


def write_header(routine: RoutineDeclaration) -> str:
    """Return the first line of a routine, without its scope."""
    if routine.kind == "TRAP":
        return f"TRAP {routine.name}"
    returns = f"{routine.returns} " if routine.returns else ""
    text = ""
    for one in routine.parameters:
        mark = ("|" if one.instead else "\\") if one.optional else ("," if text else "")
        text += f"{' ' if text else ''}{mark}" if one.optional else f"{mark}{' ' if text else ''}"
        text += f"{' ' if one.instead else ''}{_parameter(one)}"
    return f"{routine.kind} {returns}{routine.name}({text})"


def _parameter(one: ParameterDeclaration) -> str:
    array = f"{{{','.join('*' * one.dimensions)}}}" if one.dimensions else ""
    return f"{f'{one.mode} ' if one.mode else ''}{one.type_name} {one.name}{array}"


def _data(one: DataDeclaration | CommentLine) -> str:
    if isinstance(one, CommentLine):
        return f"!{one.text}"
    scope = f"{one.scope} " if one.scope else ""
    array = f"{{{','.join(map(write_expression, one.dimensions))}}}" if one.dimensions else ""
    value = "" if one.value is None else f" := {write_expression(one.value)}"
    return f"{scope}{one.kind} {one.type_name} {one.name}{array}{value};"


def _declaration(one: object) -> Iterator[str]:
    match one:
        case DataDeclaration() | CommentLine():
            yield _data(one)
        case AliasDeclaration():
            yield f"{f'{one.scope} ' if one.scope else ''}ALIAS {one.type_name} {one.name};"
        case RecordDeclaration():
            yield f"{f'{one.scope} ' if one.scope else ''}RECORD {one.name}"
            yield from (f"{STEP}{of} {name};" for of, name in one.components)
            yield "ENDRECORD"
        case RoutineDeclaration():
            yield f"{f'{one.scope} ' if one.scope else ''}{write_header(one)}"
            yield from (STEP + _data(data) for data in one.data)
            yield from _block(one.body)
            for section in one.errors:
                numbers = f" ({','.join(map(write_expression, section.numbers))})" if section.numbers else ""
                yield f"ERROR{numbers}"
                yield from _block(section.body)
            for word, block in (("BACKWARD", one.backward), ("UNDO", one.undo)):
                if block is not None:
                    yield word
                    yield from _block(block)
            yield f"END{one.kind}"
        case _:
            raise AssertionError(one)


def _block(block: RapidBlock) -> Iterator[str]:
    for one in block:
        yield from (STEP + line for line in _statement(one))


def _statement(one: RapidStatement) -> Iterator[str]:
    write = write_expression
    match one:
        case CommentLine():
            yield f"!{one.text}"
        case Placeholder():
            yield one.text
        case Assignment():
            yield f"{write(one.target)} := {write(one.value)};"
        case ProcedureCall():
            name = one.name if isinstance(one.name, str) else f"%{write(one.name)}%"
            arguments = _arguments(one.arguments)
            yield f"{name}{' ' if arguments else ''}{arguments};"
        case IfChoice(branches=[(condition, [only])], compact=True):
            yield f"IF {write(condition)} {next(_statement(only))}"
        case IfChoice():
            word = "IF"
            for condition, body in one.branches:
                yield f"{word} {write(condition)} THEN"
                yield from _block(body)
                word = "ELSEIF"
            if one.otherwise is not None:
                yield "ELSE"
                yield from _block(one.otherwise)
            yield "ENDIF"
        case ForLoop():
            step = "" if one.step is None else f" STEP {write(one.step)}"
            yield f"FOR {one.variable} FROM {write(one.start)} TO {write(one.end)}{step} DO"
            yield from _block(one.body)
            yield "ENDFOR"
        case WhileLoop():
            yield f"WHILE {write(one.condition)} DO"
            yield from _block(one.body)
            yield "ENDWHILE"
        case TestChoice():
            yield f"TEST {write(one.subject)}"
            for values, body in one.cases:
                yield f"CASE {', '.join(map(write, values))}:"
                yield from _block(body)
            if one.default is not None:
                yield "DEFAULT:"
                yield from _block(one.default)
            yield "ENDTEST"
        case GotoLabel():
            yield f"GOTO {one.label};"
        case LabelMark():
            yield f"{one.label}:"
        case ReturnValue():
            yield "RETURN;" if one.value is None else f"RETURN {write(one.value)};"
        case RaiseError():
            yield "RAISE;" if one.number is None else f"RAISE {write(one.number)};"
        case HandlerExit():
            yield f"{one.word};"
        case ExitProgram():
            yield "EXIT;"
        case ConnectTrap():
            yield f"CONNECT {write(one.target)} WITH {one.trap};"
