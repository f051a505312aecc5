"""request_real_time: let a control loop run before everything else on a busy machine, where the system allows it.

Linux gives real-time scheduling to root and to users with `rtprio` in their limits. Elsewhere a loop runs as any
other process does; it keeps its times as well as the machine lets it.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["leave_real_time", "request_real_time"]

PRIORITY = 10
"""Of 1 to 99: before everything ordinary, behind the kernel's own threads."""


def request_real_time() -> bool:
    """Ask for real-time scheduling of all threads of this process; threads and processes it starts later have it too.

    Returns:
        Whether it was granted.
    """
    if sys.platform != "linux":
        return False
    try:
        for thread in Path("/proc/self/task").iterdir():
            with suppress(ProcessLookupError):
                # In turns, so that two loops on one core both have their ticks.
                os.sched_setscheduler(int(thread.name), os.SCHED_RR, os.sched_param(PRIORITY))
    except OSError:
        return False
    return True


def leave_real_time() -> None:
    """Run as ordinary processes do: for long work in a process that a control loop has started."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
