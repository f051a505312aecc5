"""URScript: parse a script, check it, run it frame by frame.

In: the text of a script, and the functions of a host (`Builtin`): motion, registers, sockets, pendant.
Out: a `ScriptProgram`; a `Machine` that runs it in frames of 2 ms and never takes longer than its budget.
"""

from .builtin import REQUIRED, Builtin, Parameter, Wait, builtin_table
from .catalogue import catalogue, documented
from .check import ScriptProblem, check_program, check_script
from .core.timing import FRAME_S
from .failures import RUNAWAY, RuntimeErrorReport, ScriptError, ScriptFailure
from .machine import Machine, State
from .parser import parse
from .printer import write_script
from .program import Kind, ScriptProgram
from .tree_file import ProgramTree, load_program, parse_tree
from .values import Growing, ScriptPose, Struct, Value, format_value
from .values import format_value as say

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
    "ProgramTree",
    "RuntimeErrorReport",
    "ScriptError",
    "ScriptFailure",
    "ScriptPose",
    "ScriptProblem",
    "ScriptProgram",
    "State",
    "Struct",
    "Value",
    "Wait",
    "builtin_table",
    "catalogue",
    "check_program",
    "check_script",
    "documented",
    "format_value",
    "load_program",
    "parse",
    "parse_tree",
    "say",
    "write_script",
]

# Old names, for one version.
Pose = ScriptPose
