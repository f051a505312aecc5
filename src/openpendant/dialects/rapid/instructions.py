"""Instructions and functions whose work needs no host: one Python argument for each parameter, None where absent."""

from collections.abc import Callable
from typing import Any

from .pose_functions import POSE_FUNCTIONS
from .raw_bytes import RAW_FUNCTIONS
from .text_functions import NUMBER_FUNCTIONS, TEXT_FUNCTIONS

PURE: dict[str, Callable[..., Any]] = {**TEXT_FUNCTIONS, **NUMBER_FUNCTIONS, **POSE_FUNCTIONS, **RAW_FUNCTIONS}
