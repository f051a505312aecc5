"""RAPID: parse modules, print them, check the modules of a task together, run tasks step by step.

In: the texts of modules, and the instructions of a host (`HostRoutine`): motion, signals, sockets, files, pendant.
Out: a `RapidModule` for each text, `RapidProblem`s with the numbers of the event log.
"""

from .catalogue import catalogue
from .check import CheckedTask, check_modules, check_texts
from .error_numbers import error_number
from .events import EventKind
from .faults import RapidError, RapidFailure, RapidProblem, RapidReport
from .host import HostRoutine, HostWait, TaskCaller, host_routine, host_table
from .machine import MachineState, RapidMachine, StepMode
from .parser import parse_data, parse_module
from .persistents import persistent_keys
from .printer import write_constant, write_expression, write_module
from .rename import rename_program
from .symbols import InstalledNames
from .text_functions import value_like
from .text_functions import written as write_value
from .tree import RapidModule
from .types import DeviceSlot
from .values import Reference

__all__ = [
    "CheckedTask",
    "DeviceSlot",
    "EventKind",
    "HostRoutine",
    "HostWait",
    "InstalledNames",
    "MachineState",
    "RapidError",
    "RapidFailure",
    "RapidMachine",
    "RapidModule",
    "RapidProblem",
    "RapidReport",
    "Reference",
    "StepMode",
    "TaskCaller",
    "catalogue",
    "check_modules",
    "check_texts",
    "error_number",
    "host_routine",
    "host_table",
    "parse_data",
    "parse_module",
    "persistent_keys",
    "rename_program",
    "value_like",
    "write_constant",
    "write_expression",
    "write_module",
    "write_value",
]
