"""RunOptions: how a program is to run."""

from dataclasses import dataclass
from typing import Literal

from openpendant.errors import InputError
from openpendant.programs.run import Breakpoints
from openpendant.programs.sequence import Resumption
from openpendant.said import say

RunMode = Literal["streamed", "uploaded"]


@dataclass(frozen=True)
class RunOptions:
    """How a program is to run."""

    mode: RunMode | None = None
    """None: streamed where all its robots take setpoints, else uploaded."""
    reduced: bool | None = None
    """Whether the tool stays under 250 mm/s also where a robot itself does not see to it; None: no."""
    loop: bool = False
    """Whether it begins again when it ends (streamed only)."""
    start_at: str | Resumption | None = None
    """The id of the step to begin with, or where an earlier run was interrupted (streamed only); None: the first."""
    single: bool = False
    """Whether it pauses after its first step (streamed only)."""
    breakpoints: Breakpoints = frozenset()
    """Steps before which it pauses, by program and id (streamed only)."""

    def check(self, mode: RunMode | None = None) -> None:
        """Raise InputError where the mode is invalid, or does not allow another option.

        Args:
            mode: How it will run; None: as it is to.
        """
        if self.mode not in ("streamed", "uploaded", None):
            raise InputError(f"mode is {self.mode!r}; allowed: 'streamed', 'uploaded' or None")
        if (mode or self.mode) != "uploaded":
            return
        if self.loop or self.single or self.start_at is not None:
            raise InputError(say("run.whole_only"))
        if self.breakpoints:
            raise InputError(say("run.no_breakpoints"))
