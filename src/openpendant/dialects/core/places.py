"""Where a part of a program stands in its text."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class SourceNode:
    """A part of a tree. Its place, from 1, counts for nothing when trees are compared."""

    line: int = field(compare=False, kw_only=True)
    column: int = field(compare=False, kw_only=True)


def column_of(text: str, start: int) -> int:
    """Return the column, from 1, of an offset in a text of lines."""
    return start - text.rfind("\n", 0, start)
