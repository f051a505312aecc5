"""Awake: keeps the processors from sleeping while robots run in real time.

The host of a virtual machine wakes a processor that sleeps late where it has others to serve: on two shared cores,
alternating every 20 s, 47 pauses of 30 ms and more were counted with sleeping processors and 14 with processors that
never sleep. A process of idle priority on each of them runs only when nobody else wants to. Linux shares processors
between sessions first, so each has a session of its own, of the least weight: in that of the tests they took a third of
what Chromium needed. Even so they took a seventh of each processor from tests that run behind, so they rest for as long
as others keep their processor awake.
"""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

NAP_S, SPIN_S = 0.02, 1.0
"""So long a spinner sleeps to see whether others leave its processor idle, and so long it spins once they do."""
SPINNER = f"""
import os, pathlib, sys, time
os.sched_setaffinity(0, {{int(sys.argv[1])}})
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
weight = pathlib.Path("/proc/self/autogroup")
if weight.exists():
    weight.write_text("19")

def idle():
    with open("/proc/stat") as file:
        mine = next(line.split() for line in file if line.startswith("cpu" + sys.argv[1] + " "))
    return int(mine[4]) + int(mine[5])

while os.getppid() == int(sys.argv[2]):
    before = idle()
    time.sleep({NAP_S})
    if idle() > before:
        end = time.monotonic() + {SPIN_S}
        while time.monotonic() < end:
            pass
"""


class KeepAwake:
    """The plugin, in the process that hands out the tests."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Iterator[None]:
        """Spin while tests run."""
        spinners = [
            subprocess.Popen([sys.executable, "-c", SPINNER, str(processor), str(os.getpid())], start_new_session=True)
            for processor in os.sched_getaffinity(0)
        ]
        try:
            return (yield)
        finally:
            for one in spinners:
                one.kill()
                one.wait()
