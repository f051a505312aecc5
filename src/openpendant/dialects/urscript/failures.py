"""What can go wrong with a script: before it runs (ScriptError) and while it runs (ScriptFailure)."""

from collections.abc import Callable

from openpendant.dialects.core import RunReport, SourceFault
from openpendant.errors import OpenPendantError

RUNAWAY = "Low level real-time thread: Runtime is too much behind."
"""What a controller says (C271A1) of a thread that never gives back its time, and of a secondary program that waits."""


class ScriptError(SourceFault, OpenPendantError):
    """A script cannot be used. Carries where the fault is.

    Attributes:
        line: Line of the script, from 1.
        column: Column in that line, from 1.
        fault: What is wrong, without the place.
        name: Name of the script or file.
        key: What the controller itself sends in its runtime exception message, as
            `compile_error_name_not_found:foo:` or `syntax_error_on_line:3:end:`.
    """

    def __init__(self, line: int, column: int, message: str, name: str = "script", key: str = "") -> None:
        """Say what is wrong at `line` and `column` (both from 1) of the script `name`."""
        self.key = key or f"syntax_error_on_line:{line}::"
        super().__init__(line, column, message, name)

    def __reduce__(self) -> tuple[Callable[..., "ScriptError"], tuple[int, int, str, str, str]]:
        """Rebuild from its parts, so that it crosses between processes."""
        return type(self), (self.line, self.column, self.fault, self.name, self.key)


class ScriptFailure(OpenPendantError):  # noqa: N818 - not a fault of ours: the running script fails
    """Raised by a builtin to stop the program with a runtime error; the message goes to the pendant."""


RuntimeErrorReport = RunReport
"""Why a running program failed."""
