"""The instructions and functions of the controller, by the headers that its manual gives them (headers.txt).

Those whose work is done in this room are in `instructions`; the others are the host's. A program may use them all: what
a host does not have fails when it is called.
"""

from functools import cache
from pathlib import Path

from .parser import parse_header
from .tree import RoutineDeclaration


@cache
def catalogue() -> dict[str, RoutineDeclaration]:
    """Return the headers of all instructions and functions, by their names in lower case."""
    text = Path(__file__).with_name("headers.txt").read_text(encoding="utf-8")
    found = [parse_header(line) for line in text.splitlines() if not line.startswith("!")]
    return {one.name.lower(): one for one in found}
