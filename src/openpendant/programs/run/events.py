"""RunEvent: one line of the log of a run."""

from typing import Literal

import msgspec

EventKind = Literal[
    "start",
    "step",
    "step done",
    "tool",
    "output",
    "part",
    "pause",
    "resume",
    "speed",
    "loop",
    "end",
    "failed",
]


class RunEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happened in a run."""

    time_s: float
    """Since the run's first tick."""
    kind: EventKind
    message: str
    step: str | None = None
    program: str = ""
