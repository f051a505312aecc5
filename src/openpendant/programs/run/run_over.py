"""RunOver: raised where a run ends before its program does; not an error of ours."""

from collections.abc import Generator
from typing import Literal

RunStatus = Literal["ready", "running", "paused", "done", "failed", "stopped"]
Ticks = Generator[None, None, None]
"""Work of a run that continues at the next tick."""


class RunOver(Exception):  # noqa: N818
    """The run ends here."""

    def __init__(self, status: RunStatus, message: str) -> None:
        """End as `status`; `message` says why."""
        super().__init__(message)
        self.status: RunStatus = status
        self.message = message
