"""ScriptProgram: a parsed script, ready for any number of machines."""

from dataclasses import dataclass, field
from typing import Any, Literal

from .tree import Block, Statement

Kind = Literal["def", "sec", "loose"]
"""A program that takes the robot (`def`), one that runs beside it (`sec`), or lines without either (`loose`)."""


@dataclass(frozen=True, eq=False)
class ScriptProgram:
    """A parsed script.

    Attributes:
        name: Name of the `def` or `sec`; of a loose one, the name given to `parse`.
        kind: How it runs.
        text: The script as it arrived.
        source: What error messages call the script.
        body: Its statements.
        line: Where it starts, from 1.
    """

    name: str
    kind: Kind
    text: str
    source: str = "script"
    body: Block = field(default_factory=list[Statement])
    line: int = 1
    generated: dict[Any, Any] = field(default_factory=dict[Any, Any], repr=False)
    """Code that was made of it, by the builtins it was made for (see `generate`)."""
