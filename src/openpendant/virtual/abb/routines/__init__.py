"""The instructions and functions that a controller gives to RAPID programs beside those of the language.

In: the parts of a controller. Out: tables of `HostRoutine`s for `RapidMachine`.
"""

from .binary_routines import binary_routines
from .calendar_routines import calendar_routines
from .datagram_routines import datagram_routines
from .egm_move_routines import EgmMoveRoutines
from .egm_routines import EgmRoutines
from .file_routines import FileRoutines
from .motion_routines import MotionRoutines
from .motion_settings import SettingRoutines
from .path_faults import kind_of
from .path_triggers import PathTriggers
from .signal_routines import SignalRoutines
from .socket_routines import SocketRoutines
from .stop_routines import StopRoutines
from .synced_moves import SyncedMoves
from .system_routines import system_routines
from .task_units import TaskUnits
from .terminal_routines import terminal_routines
from .turns import Turns

__all__ = [
    "EgmMoveRoutines",
    "EgmRoutines",
    "FileRoutines",
    "MotionRoutines",
    "PathTriggers",
    "SettingRoutines",
    "SignalRoutines",
    "SocketRoutines",
    "StopRoutines",
    "SyncedMoves",
    "TaskUnits",
    "Turns",
    "binary_routines",
    "calendar_routines",
    "datagram_routines",
    "kind_of",
    "system_routines",
    "terminal_routines",
]
