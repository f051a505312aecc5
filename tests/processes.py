"""What the system tells about processes."""

from contextlib import suppress
from pathlib import Path

__all__ = ["children_of"]


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started and that still run, whichever of its threads did."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        # A thread may end while they are counted; its children then belong to another one.
        with suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, (task / "children").read_text().split())
    return found
