"""URScript: parse a script, check it, run it frame by frame.

In: the text of a script, and the functions of a host (`Builtin`): motion, registers, sockets, pendant.
Out: a `Program`; a `Machine` that runs it in frames of 2 ms and never takes longer than its budget.
"""

from .builtin import REQUIRED, Builtin, Parameter, Wait, builtin_table
from .failures import RuntimeErrorReport, ScriptError, ScriptFailure
from .machine import FRAME_S, Machine, State
from .program import Kind, Program
from .values import Pose, Struct, Value

__all__ = [
    "FRAME_S",
    "REQUIRED",
    "Builtin",
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
]
