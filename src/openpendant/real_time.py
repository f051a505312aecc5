"""request_real_time: let a control loop run before everything else on a busy machine, where the system allows it.

Linux gives real-time scheduling to root and to users with `rtprio` in their limits. Elsewhere a loop runs as any
other process does; it keeps its times as well as the machine lets it.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

PRIORITY = 10
"""Of 1 to 99: before everything ordinary, behind the kernel's own threads."""


def request_real_time() -> bool:
    """Ask for real-time scheduling of all threads that this process has by now.

    Threads and processes that it starts later are ordinary: one that loads libraries for half a second would hold up
    loops of the same priority.

    Returns:
        Whether it was granted.
    """
    if sys.platform != "linux":
        return False
    try:
        for thread in Path("/proc/self/task").iterdir():
            with suppress(ProcessLookupError):
                # In turns, so that two loops on one core both have their ticks.
                policy = os.SCHED_RR | os.SCHED_RESET_ON_FORK
                os.sched_setscheduler(int(thread.name), policy, os.sched_param(PRIORITY))
    except OSError:
        return False
    return True
