"""The virtual controller of ABB's arms: RAPID, Robot Web Services, an event log, signals, disks and a pendant.

In: requests on its ports, orders at its pendant. Out: what an IRC5 answers, and an arm that moves as its program says.
`AbbController` is the controller without sockets and clocks; `build_controller` makes one, `AbbHost` gives it both.
"""

from .assembly import build_controller, tasks_of, units_of
from .controller import TICKS_PER_S, AbbController
from .controller_log import ControllerLog, LogEntry
from .files import ControllerFiles
from .host import AbbHost
from .panel import ControllerPanel
from .program import RapidProgram
from .program_modules import LoadedModule, ProgramTask
from .refusal import ControllerRefusal, NotThere
from .robotware import ALL_OPTIONS, RobotWareOption, options_without
from .rws_port import RWS_PORTS, rws_port_at
from .setup import GRIPPER, AbbSetup, TaskSetup
from .signals import SignalSetup, SignalTable
from .unit import MechanicalUnit

__all__ = [
    "ALL_OPTIONS",
    "GRIPPER",
    "RWS_PORTS",
    "TICKS_PER_S",
    "AbbController",
    "AbbHost",
    "AbbSetup",
    "ControllerFiles",
    "ControllerLog",
    "ControllerPanel",
    "ControllerRefusal",
    "LoadedModule",
    "LogEntry",
    "MechanicalUnit",
    "NotThere",
    "ProgramTask",
    "RapidProgram",
    "RobotWareOption",
    "SignalSetup",
    "SignalTable",
    "TaskSetup",
    "build_controller",
    "options_without",
    "rws_port_at",
    "tasks_of",
    "units_of",
]
