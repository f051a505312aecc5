"""The instructions and functions that a controller gives to RAPID programs beside those of the language.

In: the parts of a controller. Out: tables of `HostRoutine`s for `RapidMachine`.
"""

from .egm_routines import EgmRoutines
from .file_routines import FileRoutines
from .motion_routines import MotionRoutines
from .signal_routines import SignalRoutines
from .socket_routines import SocketRoutines
from .synced_moves import SyncedMoves
from .terminal_routines import terminal_routines
from .turns import Turns

__all__ = [
    "EgmRoutines",
    "FileRoutines",
    "MotionRoutines",
    "SignalRoutines",
    "SocketRoutines",
    "SyncedMoves",
    "Turns",
    "terminal_routines",
]
