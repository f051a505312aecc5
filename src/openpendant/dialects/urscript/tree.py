"""The tree of a script. Lines and columns are where each part starts, and count for nothing when trees are compared."""

from dataclasses import dataclass
from typing import Literal

from openpendant.dialects.core import SourceNode

from .values import Value


@dataclass(slots=True)
class Literal_(SourceNode):  # noqa: N801 - `Literal` is typing's
    """A number, a string, True, False or None."""

    value: Value


@dataclass(slots=True)
class Name(SourceNode):
    """A variable."""

    name: str


@dataclass(slots=True)
class List(SourceNode):
    """`[a, b, c]`"""

    items: list["Expression"]


@dataclass(slots=True)
class PoseOf(SourceNode):
    """`p[x, y, z, rx, ry, rz]`"""

    items: list["Expression"]


@dataclass(slots=True)
class At(SourceNode):
    """`list[i]` or `matrix[i, j]`"""

    of: "Expression"
    indices: list["Expression"]


@dataclass(slots=True)
class Member(SourceNode):
    """`record.name`"""

    of: "Expression"
    name: str


@dataclass(slots=True)
class CallFunction(SourceNode):
    """`f(a, name=b)`"""

    name: str
    arguments: list["Expression"]
    named: list[tuple[str, "Expression"]]


@dataclass(slots=True)
class CallMethod(SourceNode):
    """`list.append(a)`"""

    of: "Expression"
    name: str
    arguments: list["Expression"]


@dataclass(slots=True)
class Binary(SourceNode):
    """`a + b`, also comparisons and `and`, `or`, `xor`."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(slots=True)
class Negative(SourceNode):
    """`-a`"""

    of: "Expression"


@dataclass(slots=True)
class Not(SourceNode):
    """`not a`"""

    of: "Expression"


@dataclass(slots=True)
class RunThread(SourceNode):
    """`run worker()`: starts a thread; the value is its handle."""

    call: CallFunction


Expression = (
    Literal_ | Name | List | PoseOf | At | Member | CallFunction | CallMethod | Binary | Negative | Not | RunThread
)


@dataclass(slots=True)
class Assign(SourceNode):
    """`x = value`, `global x = value`, `x[i] = value`, `x.member = value`."""

    scope: Literal["", "global", "local"]
    target: Name | At | Member
    value: Expression


@dataclass(slots=True)
class Do(SourceNode):
    """An expression for its effect."""

    expression: Expression


@dataclass(slots=True)
class IfStatement(SourceNode):
    """`if … elif … else … end`"""

    branches: list[tuple[Expression, "Block"]]
    otherwise: "Block"


@dataclass(slots=True)
class WhileStatement(SourceNode):
    """`while … end`"""

    condition: Expression
    body: "Block"


@dataclass(slots=True)
class Break(SourceNode):
    """`break`"""


@dataclass(slots=True)
class Continue(SourceNode):
    """`continue`"""


@dataclass(slots=True)
class Return(SourceNode):
    """`return value`"""

    value: Expression | None


@dataclass(slots=True)
class HaltStatement(SourceNode):
    """`halt`: ends the whole program."""


@dataclass(slots=True)
class PauseStatement(SourceNode):
    """`pause`: the program waits for the operator."""


@dataclass(slots=True)
class Critical(SourceNode):
    """`enter_critical` and `exit_critical`."""

    enters: bool


@dataclass(slots=True)
class Kill(SourceNode):
    """`kill handle`"""

    handle: Expression


@dataclass(slots=True)
class Join(SourceNode):
    """`join handle`"""

    handle: Expression


@dataclass(slots=True)
class Label(SourceNode):
    """`$ 12 "Wait"`: PolyScope's mark of the node that runs."""

    number: int
    title: str


@dataclass(slots=True)
class Function(SourceNode):
    """`def`, `sec` or `thread`."""

    kind: Literal["def", "sec", "thread"]
    name: str
    parameters: list[tuple[str, Expression | None]]
    body: "Block"


Statement = (
    Assign
    | Do
    | IfStatement
    | WhileStatement
    | Break
    | Continue
    | Return
    | HaltStatement
    | PauseStatement
    | Critical
    | Kill
    | Join
    | Label
    | Function
)
Block = list[Statement]
