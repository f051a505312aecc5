"""The tree of a script. Lines and columns are where each part starts, and count for nothing when trees are compared."""

from dataclasses import dataclass, field
from typing import Literal

from .values import Value

__all__ = [
    "Assign",
    "At",
    "Binary",
    "Block",
    "Break",
    "CallFunction",
    "CallMethod",
    "Continue",
    "Critical",
    "Do",
    "Expression",
    "Function",
    "Halt",
    "If",
    "Join",
    "Kill",
    "Label",
    "List",
    "Literal_",
    "Member",
    "Name",
    "Negative",
    "Not",
    "Pause",
    "PoseOf",
    "Return",
    "Run",
    "Statement",
    "While",
]


@dataclass(slots=True)
class _Node:
    line: int = field(compare=False, kw_only=True)
    column: int = field(compare=False, kw_only=True)


@dataclass(slots=True)
class Literal_(_Node):  # noqa: N801 - `Literal` is typing's
    """A number, a string, True, False or None."""

    value: Value


@dataclass(slots=True)
class Name(_Node):
    """A variable."""

    name: str


@dataclass(slots=True)
class List(_Node):
    """`[a, b, c]`"""

    items: list["Expression"]


@dataclass(slots=True)
class PoseOf(_Node):
    """`p[x, y, z, rx, ry, rz]`"""

    items: list["Expression"]


@dataclass(slots=True)
class At(_Node):
    """`list[i]` or `matrix[i, j]`"""

    of: "Expression"
    indices: list["Expression"]


@dataclass(slots=True)
class Member(_Node):
    """`record.name`"""

    of: "Expression"
    name: str


@dataclass(slots=True)
class CallFunction(_Node):
    """`f(a, name=b)`"""

    name: str
    arguments: list["Expression"]
    named: list[tuple[str, "Expression"]]


@dataclass(slots=True)
class CallMethod(_Node):
    """`list.append(a)`"""

    of: "Expression"
    name: str
    arguments: list["Expression"]


@dataclass(slots=True)
class Binary(_Node):
    """`a + b`, also comparisons and `and`, `or`, `xor`."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(slots=True)
class Negative(_Node):
    """`-a`"""

    of: "Expression"


@dataclass(slots=True)
class Not(_Node):
    """`not a`"""

    of: "Expression"


@dataclass(slots=True)
class Run(_Node):
    """`run worker()`: starts a thread; the value is its handle."""

    call: CallFunction


Expression = Literal_ | Name | List | PoseOf | At | Member | CallFunction | CallMethod | Binary | Negative | Not | Run


@dataclass(slots=True)
class Assign(_Node):
    """`x = value`, `global x = value`, `x[i] = value`, `x.member = value`."""

    scope: Literal["", "global", "local"]
    target: Name | At | Member
    value: Expression


@dataclass(slots=True)
class Do(_Node):
    """An expression for its effect."""

    expression: Expression


@dataclass(slots=True)
class If(_Node):
    """`if … elif … else … end`"""

    branches: list[tuple[Expression, "Block"]]
    otherwise: "Block"


@dataclass(slots=True)
class While(_Node):
    """`while … end`"""

    condition: Expression
    body: "Block"


@dataclass(slots=True)
class Break(_Node):
    """`break`"""


@dataclass(slots=True)
class Continue(_Node):
    """`continue`"""


@dataclass(slots=True)
class Return(_Node):
    """`return value`"""

    value: Expression | None


@dataclass(slots=True)
class Halt(_Node):
    """`halt`: ends the whole program."""


@dataclass(slots=True)
class Pause(_Node):
    """`pause`: the program waits for the operator."""


@dataclass(slots=True)
class Critical(_Node):
    """`enter_critical` and `exit_critical`."""

    enters: bool


@dataclass(slots=True)
class Kill(_Node):
    """`kill handle`"""

    handle: Expression


@dataclass(slots=True)
class Join(_Node):
    """`join handle`"""

    handle: Expression


@dataclass(slots=True)
class Label(_Node):
    """`$ 12 "Wait"`: PolyScope's mark of the node that runs."""

    number: int
    title: str


@dataclass(slots=True)
class Function(_Node):
    """`def`, `sec` or `thread`."""

    kind: Literal["def", "sec", "thread"]
    name: str
    parameters: list[tuple[str, Expression | None]]
    body: "Block"


Statement = (
    Assign | Do | If | While | Break | Continue | Return | Halt | Pause | Critical | Kill | Join | Label | Function
)
Block = list[Statement]
