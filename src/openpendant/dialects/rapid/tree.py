"""The tree of a module. Lines and columns are where each part starts, and count for nothing when trees are compared."""

from dataclasses import dataclass, field
from typing import Literal

from openpendant.dialects.core import SourceNode


@dataclass(slots=True)
class Constant(SourceNode):
    """A number, a string, TRUE or FALSE."""

    value: float | str | bool


@dataclass(slots=True)
class DataName(SourceNode):
    """A name that stands for data."""

    name: str


@dataclass(slots=True)
class Aggregate(SourceNode):
    """`[a, b, c]`: a record or an array."""

    items: list["RapidExpression"]


@dataclass(slots=True)
class ComponentOf(SourceNode):
    """`record.component`"""

    of: "RapidExpression"
    name: str


@dataclass(slots=True)
class ElementOf(SourceNode):
    """`array{i, j}`"""

    of: "RapidExpression"
    indices: list["RapidExpression"]


@dataclass(slots=True)
class RapidArgument(SourceNode):
    r"""An argument: `value`, `\Name:=value`, `\Switch`, `\Name?parameter`.

    Attributes:
        name: Of an optional argument; empty: a required one.
        value: None: a switch.
        handed_on: Whether it is given only where the caller's own optional parameter `value` was given.
    """

    name: str
    value: "RapidExpression | None"
    handed_on: bool = False


@dataclass(slots=True)
class FunctionCall(SourceNode):
    """`Function(arguments)`"""

    name: str
    arguments: list[RapidArgument]


@dataclass(slots=True)
class Signed(SourceNode):
    """`-a` and `+a`"""

    sign: Literal["-", "+"]
    of: "RapidExpression"


@dataclass(slots=True)
class Negated(SourceNode):
    """`NOT a`"""

    of: "RapidExpression"


@dataclass(slots=True)
class BinaryOperation(SourceNode):
    """`a + b`; also comparisons, DIV, MOD, AND, OR, XOR."""

    operator: str
    left: "RapidExpression"
    right: "RapidExpression"


@dataclass(slots=True)
class Placeholder(SourceNode):
    """`<EXP>` or `<SMT>`: something that is not written yet."""

    text: str


RapidExpression = (
    Constant
    | DataName
    | Aggregate
    | ComponentOf
    | ElementOf
    | FunctionCall
    | Signed
    | Negated
    | BinaryOperation
    | Placeholder
)


@dataclass(slots=True)
class CommentLine(SourceNode):
    """`! text`"""

    text: str


@dataclass(slots=True)
class Assignment(SourceNode):
    """`target := value;`"""

    target: DataName | ComponentOf | ElementOf | Placeholder
    value: RapidExpression


@dataclass(slots=True)
class ProcedureCall(SourceNode):
    """`name arguments;` or `%expression% arguments;`: the name is found while the program runs."""

    name: "str | RapidExpression"
    arguments: list[RapidArgument]


@dataclass(slots=True)
class IfChoice(SourceNode):
    """`IF … THEN … ELSEIF … ELSE … ENDIF`; compact: `IF condition statement;`."""

    branches: list[tuple[RapidExpression, "RapidBlock"]]
    otherwise: "RapidBlock | None"
    compact: bool = False


@dataclass(slots=True)
class ForLoop(SourceNode):
    """`FOR i FROM a TO b STEP c DO … ENDFOR`"""

    variable: str
    start: RapidExpression
    end: RapidExpression
    step: RapidExpression | None
    body: "RapidBlock"


@dataclass(slots=True)
class WhileLoop(SourceNode):
    """`WHILE condition DO … ENDWHILE`"""

    condition: RapidExpression
    body: "RapidBlock"


@dataclass(slots=True)
class TestChoice(SourceNode):
    """`TEST value CASE a, b: … DEFAULT: … ENDTEST`"""

    subject: RapidExpression
    cases: list[tuple[list[RapidExpression], "RapidBlock"]]
    default: "RapidBlock | None"


@dataclass(slots=True)
class GotoLabel(SourceNode):
    """`GOTO label;`"""

    label: str


@dataclass(slots=True)
class LabelMark(SourceNode):
    """`label:`"""

    label: str


@dataclass(slots=True)
class ReturnValue(SourceNode):
    """`RETURN value;`"""

    value: RapidExpression | None


@dataclass(slots=True)
class RaiseError(SourceNode):
    """`RAISE number;`, in an error handler also `RAISE;`."""

    number: RapidExpression | None


@dataclass(slots=True)
class HandlerExit(SourceNode):
    """`RETRY;` and `TRYNEXT;`"""

    word: Literal["RETRY", "TRYNEXT"]


@dataclass(slots=True)
class ExitProgram(SourceNode):
    """`EXIT;`"""


@dataclass(slots=True)
class ConnectTrap(SourceNode):
    """`CONNECT interrupt WITH trap;`"""

    target: RapidExpression
    trap: str


RapidStatement = (
    CommentLine
    | Assignment
    | ProcedureCall
    | IfChoice
    | ForLoop
    | WhileLoop
    | TestChoice
    | GotoLabel
    | LabelMark
    | ReturnValue
    | RaiseError
    | HandlerExit
    | ExitProgram
    | ConnectTrap
    | Placeholder
)
RapidBlock = list[RapidStatement]


@dataclass(slots=True)
class DataDeclaration(SourceNode):
    """`LOCAL VAR num a{3} := [1, 2, 3];`

    Attributes:
        scope: "LOCAL", "TASK" or "".
        kind: How it is kept.
        dimensions: Of an array.
    """

    scope: Literal["", "LOCAL", "TASK"]
    kind: Literal["CONST", "VAR", "PERS"]
    type_name: str
    name: str
    dimensions: list[RapidExpression]
    value: RapidExpression | None


@dataclass(slots=True)
class RecordDeclaration(SourceNode):
    """`RECORD name num x; … ENDRECORD`; components are pairs of type and name."""

    scope: Literal["", "LOCAL", "TASK"]
    name: str
    components: list[tuple[str, str]]


@dataclass(slots=True)
class AliasDeclaration(SourceNode):
    """`ALIAS num level;`"""

    scope: Literal["", "LOCAL", "TASK"]
    type_name: str
    name: str


@dataclass(slots=True)
class ParameterDeclaration(SourceNode):
    r"""A parameter.

    Attributes:
        mode: "" is by value; the others are by reference.
        dimensions: Number of dimensions of an array (`{*,*}` is 2).
        optional: Whether it is written with a backslash.
        instead: Whether it excludes the one before it (`\num V | num T`).
    """

    mode: Literal["", "INOUT", "VAR", "PERS"]
    type_name: str
    name: str
    dimensions: int = 0
    optional: bool = False
    instead: bool = False


@dataclass(slots=True)
class ErrorSection(SourceNode):
    """`ERROR (numbers) statements`; without numbers it is for every error."""

    numbers: list[RapidExpression]
    body: RapidBlock


@dataclass(slots=True)
class RoutineDeclaration(SourceNode):
    """`PROC`, `FUNC` or `TRAP`.

    Attributes:
        returns: Type of a function's value; empty for others.
        data: Its own data.
        backward: Statements for running backwards; kept, never run.
        undo: Statements for a program pointer that is moved away; kept, never run.
        end_line: Line of its end.
    """

    scope: Literal["", "LOCAL", "TASK"]
    kind: Literal["PROC", "FUNC", "TRAP"]
    returns: str
    name: str
    parameters: list[ParameterDeclaration]
    data: list["DataDeclaration | CommentLine"]
    body: RapidBlock
    errors: list[ErrorSection] = field(default_factory=list[ErrorSection])
    backward: RapidBlock | None = None
    undo: RapidBlock | None = None
    end_line: int = field(compare=False, default=0)


RapidDeclaration = DataDeclaration | RecordDeclaration | AliasDeclaration | RoutineDeclaration | CommentLine


@dataclass(slots=True)
class RapidModule(SourceNode):
    """A module.

    Attributes:
        attributes: As "SYSMODULE", in capitals.
        file: What messages call the file it comes from.
    """

    name: str
    attributes: list[str]
    declarations: list[RapidDeclaration]
    file: str = field(compare=False, default="module")
