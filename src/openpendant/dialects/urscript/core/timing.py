"""Time and chance: sleep, get_steptime, time, random."""

import math
from collections.abc import Callable
from random import Random

from openpendant.dialects.urscript.builtin import Builtin, Parameter, Wait
from openpendant.dialects.urscript.failures import ScriptFailure
from openpendant.dialects.urscript.values import Struct

from .numbers import number

FRAME_S = 0.002
"""The controller's period: every thread gets one time slice in each."""
LONGEST_SLEEP_S = 1e9


def _sleep(t: object) -> Wait:
    seconds = number(t, "sleep")
    if math.isnan(seconds):
        raise ScriptFailure("Runtime error: sleep(nan) has no value")
    # A sleep takes whole frames; the tiny number keeps 0.002 from becoming two.
    for _ in range(math.ceil(min(seconds, LONGEST_SLEEP_S) / FRAME_S - 1e-6)):
        yield


SLEEP_CODE = _sleep.__code__
"""Marks a thread that sleeps, unlike one that waits for something else."""


def timing_functions(clock: Callable[[], float]) -> tuple[Builtin, ...]:
    """Return the functions of time, by a controller's clock in seconds. Chance is the same in every run."""
    chance = Random(0)  # noqa: S311 - for programs, not for secrets

    def time(mode: object) -> Struct:
        if mode not in (0, 2):
            raise ScriptFailure(f"Runtime error: time: mode {mode} is not 0 or 2")
        now_ns = round(clock() * 1e9)
        return Struct(sec=now_ns // 1_000_000_000, nanosec=now_ns % 1_000_000_000)

    return (
        Builtin("sleep", (Parameter("t"),), _sleep, blocking=True),
        Builtin("get_steptime", (), lambda: FRAME_S),
        Builtin("time", (Parameter("mode", 0),), time),
        Builtin("random", (), chance.random),
    )
