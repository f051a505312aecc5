"""Stalls: moments in which the host of a virtual machine kept its processors for itself.

The host may do so for tenths of a second. A robot whose state is stale after 0.25 s then stops, as it should, and a
test that wants it to move on measures nothing. On each processor a process that does nothing but sleep, with real-time
priority where that is allowed, sees such moments, so that the cause of a failure is known and not guessed: it is named
in the report. With `--void-stalls`, for tests of robots in real time, such a test may be void: see `void_stalls.py`.
"""

import math
import os
import subprocess
import sys
import threading
from bisect import bisect_right
from dataclasses import dataclass

STILL_S, WITHIN_S = 0.2, 0.5
"""What no test in real time allows for: so much time lost on one processor, within so much. A sample is stale after 0.1
to 0.3 s, a state after 0.25 s."""
NAP_S, LATE_S = 0.02, 0.02
"""A sleeper wakes so often; being later than this is told."""
TOLD_S = 0.1
"""A sleeper that is not late says so as often."""
SLEEPER = f"""
import os, sys, time
os.sched_setaffinity(0, {{int(sys.argv[1])}})
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(90))
    print("first", flush=True)
except PermissionError:
    print("not first", flush=True)

def stolen():
    with open("/proc/stat") as file:
        mine = next(line.split() for line in file if line.startswith("cpu" + sys.argv[1] + " "))
    return int(mine[8]) / os.sysconf("SC_CLK_TCK")

def tell(at, late):
    # In one write: Python without a buffer would write each value alone, and be ended between them.
    os.write(1, f"{{at}} {{late}} {{stolen()}}\\n".encode())

last = told = time.monotonic()
tell(told, 0.0)
while True:
    time.sleep({NAP_S})
    now = time.monotonic()
    late = now - last - {NAP_S}
    if late > {LATE_S} or now - told > {TOLD_S}:
        tell(now, late)
        told = now
    last = now
"""


@dataclass(frozen=True)
class Stall:
    """Time that one processor lost."""

    lost_s: float
    end: float
    """When it was over, on the monotonic clock."""
    shown: bool
    """Whether it was the host's doing: nothing of ours goes before the sleeper, or the kernel counted it as stolen."""


class Sleeper:
    """Sees when one processor stands still, from a process of its own."""

    def __init__(self, processor: int) -> None:
        """Start to watch."""
        self._told: list[tuple[float, float, float]] = []
        self._news = threading.Condition()
        self._until = 0.0
        command = [sys.executable, "-c", SLEEPER, str(processor)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.first = self._process.stdout.readline() == "first\n"
        """Whether it has a priority before that of every process of ours."""
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        """The process that sleeps."""
        return self._process.pid

    def close(self) -> None:
        """Stop watching."""
        self._process.kill()
        self._process.wait()

    def worst(self, began: float, ended: float, *, wait: bool = True) -> Stall | None:
        """Return the worst stall between two moments of the monotonic clock; None: there was none.

        Args:
            began: The earlier one; the stall ended after it.
            ended: The later one, not after now; the stall began before it.
            wait: Whether to wait until the sleeper has told of all that time.
        """
        if wait:
            with self._news:
                # A stall that ends just now is written a little later, on a busy machine a good deal later.
                heard = self._news.wait_for(lambda: self._until > ended + TOLD_S, 30.0)
                assert heard, "the process that sleeps is gone"
        told = self._told[bisect_right(self._told, (began, math.inf)) :]
        late = [(end, late_s) for end, late_s, _ in told if late_s > LATE_S and end - late_s < ended]
        sums = [(sum(one for at, one in late if end - WITHIN_S < at <= end), end) for end, _ in late]
        lost_s, end = max(sums, default=(0.0, 0.0))
        if lost_s < STILL_S:
            return None
        stolen_s = self._stolen_s(end + 2.0 * TOLD_S) - self._stolen_s(end - WITHIN_S - lost_s)
        return Stall(lost_s, end, self.first or stolen_s >= 0.5 * lost_s)

    def _stolen_s(self, at: float) -> float:
        """Return what the kernel had counted as stolen by a moment, since whenever."""
        told = self._told[: max(1, bisect_right(self._told, (at, math.inf)))]
        return told[-1][2]

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                end, late_s, stolen_s = map(float, line.split())
                self._told.append((end, late_s, stolen_s))
                with self._news:
                    self._until = end
                    self._news.notify_all()


class Stalls:
    """Sees when any processor stands still: what runs on it then is not moved to another one."""

    def __init__(self) -> None:
        """Start to watch."""
        self.sleepers = [Sleeper(processor) for processor in sorted(os.sched_getaffinity(0))]

    def close(self) -> None:
        """Stop watching."""
        for one in self.sleepers:
            one.close()

    def worst(self, began: float, ended: float, *, wait: bool = True) -> Stall | None:
        """Return the worst stall of any processor, as `Sleeper.worst`; those that are shown come first."""
        found = [one.worst(began, ended, wait=wait) for one in self.sleepers]
        return max((one for one in found if one is not None), key=lambda one: (one.shown, one.lost_s), default=None)
