"""Machine: runs one program, stepped frame by frame."""

from collections.abc import Callable, Mapping
from typing import Literal

from .builtin import Builtin
from .failures import RuntimeErrorReport
from .program import Program
from .values import Value

__all__ = ["FRAME_S", "Machine", "State"]

FRAME_S = 0.002
"""The controller's period: every thread gets one time slice in each."""

State = Literal["running", "finished", "failed", "stopped"]


class Machine:
    """Runs one program.

    Attributes:
        state: "running" until the main program ends ("finished"), fails ("failed") or is stopped ("stopped").
        error: Why it failed; None before.
    """

    state: State
    error: RuntimeErrorReport | None

    def __init__(
        self,
        program: Program,
        builtins: Mapping[str, Builtin],
        *,
        clock: Callable[[], float],
        budget_per_frame: int = 1000,
    ) -> None:
        """Make a machine; nothing runs before `frame`.

        Args:
            program: From `parse`.
            builtins: The host's functions by name (see `builtin_table`). They go before the core's own of the same
                name.
            clock: Seconds of the controller's own clock, for timers and the like.
            budget_per_frame: Loop passes and calls that all threads together may make in a frame.

        Raises:
            ScriptError: The program calls a function that does not exist, or with wrong arguments.
        """

    def frame(self) -> None:
        """Run every thread for one 2 ms frame. Does nothing once the program is over."""

    @property
    def line(self) -> int:
        """Line of the script at which the main program is now, from 1; 0 once it is over."""
        return 0

    @property
    def label(self) -> str:
        """Title of the program-tree node that runs now, as a `$ 12 "Wait"` line told it; empty without."""
        return ""

    @property
    def variables(self) -> Mapping[str, Value]:
        """The program's global variables by name, as they are now."""
        return {}

    def stop(self) -> None:
        """End every thread now; waiting builtins get GeneratorExit so that they can let go of what they hold."""
