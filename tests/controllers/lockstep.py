"""A driver and a virtual controller that tick together, with real sockets between them.

The time of both is counted in ticks, so a busy machine makes a test slower but changes no figure of it. What needs no
sockets is faster in virtual time (`uploading.py`).
"""

import sys
import threading
import time
from collections.abc import Callable

from uploading import TICK_NS, Uploads

FASTER = 4.0
"""So many times faster than the clock on the wall, where the machine can."""
IDLE_CHILD = "import os\nwhile True:\n    came = os.read(0, 65536)\n    if not came or b'e' in came:\n        break\n"
"""Stands for the process with ur_rtde: it never gets control, and leaves when told to."""


class Lockstep(Uploads):
    """Robot and driver with sockets, and with a process that holds the robot."""

    def __init__(self, address: str, child: str | None = IDLE_CHILD) -> None:
        """Begin with power on; `child` stands for the process with ur_rtde, None: it is that process."""
        self.faster = FASTER
        super().__init__(
            in_process=False, host=address, control=None if child is None else (sys.executable, "-c", child)
        )

    def connect(self) -> None:
        self._with_host(self.driver.connect)
        self.now_ns = time.monotonic_ns()
        self._due = time.monotonic()

    def close(self) -> None:
        self._with_host(self.driver.close)
        self.host.close()

    def tick(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.host.step()
            self.now_ns += TICK_NS
            self.driver.poll(self.now_ns)
            self._due = max(self._due + TICK_NS * 1e-9 / self.faster, time.monotonic() - 0.05)
            time.sleep(max(0.0, self._due - time.monotonic()))

    def _with_host(self, work: Callable[[], None]) -> None:
        """Do something that waits for the controller's answers."""
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
                self.host.step()
                time.sleep(0.001)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            work()
        finally:
            ended.set()
            thread.join()
