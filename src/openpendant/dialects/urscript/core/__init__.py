"""Functions that every controller has and that need no robot: mathematics, lists, strings, poses, waiting."""

from .numbers import NUMBER_FUNCTIONS
from .poses import POSE_FUNCTIONS
from .sequences import SEQUENCE_FUNCTIONS, ask, change, make_list_of, make_struct
from .strings import STRING_FUNCTIONS
from .timing import SLEEP_CODE, timing_functions

__all__ = [
    "NUMBER_FUNCTIONS",
    "POSE_FUNCTIONS",
    "SEQUENCE_FUNCTIONS",
    "SLEEP_CODE",
    "STRING_FUNCTIONS",
    "ask",
    "change",
    "make_list_of",
    "make_struct",
    "timing_functions",
]
