"""What the system tells about processes."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

__all__ = ["children_of", "commands_of"]


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started and that still run, whichever of its threads did."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        # A thread may end while they are counted; its children then belong to another one.
        with suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, (task / "children").read_text().split())
    return found


def commands_of(pids: Iterable[int]) -> dict[int, str]:
    """Return what those of the processes that still run were started with.

    One that has ended stays in /proc until its parent, or process 1, asks how: seconds where that one is busy.
    """
    found: dict[int, str] = {}
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            if state not in "ZX":
                found[pid] = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return found
