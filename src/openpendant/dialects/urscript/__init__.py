"""URScript: parse a script, check it, run it frame by frame.

In: the text of a script, and the functions of a host (`Builtin`): motion, registers, sockets, pendant.
Out: a `Program`; a `Machine` that runs it in frames of 2 ms and never takes longer than its budget.
"""

from .builtin import REQUIRED, Builtin, Parameter, Wait, builtin_table
from .core.timing import FRAME_S
from .failures import RUNAWAY, RuntimeErrorReport, ScriptError, ScriptFailure
from .machine import Machine, State
from .parser import parse
from .program import Kind, Program
from .values import Growing, Pose, Struct, Value, say

__all__ = [
    "FRAME_S",
    "REQUIRED",
    "RUNAWAY",
    "Builtin",
    "Growing",
    "Kind",
    "Machine",
    "Parameter",
    "Pose",
    "Program",
    "RuntimeErrorReport",
    "ScriptError",
    "ScriptFailure",
    "State",
    "Struct",
    "Value",
    "Wait",
    "builtin_table",
    "parse",
    "say",
]
