"""Clock: the time of a client of a cell: now, waiting for a change, and work that is done again and again."""

import threading
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Gives a client its time."""

    def now_ns(self) -> int:
        """Return the monotonic time that all processes of the machine share."""
        ...

    def wait(self, changed: threading.Condition, within_s: float) -> None:
        """Wait until a condition that is held is notified, at most this long."""
        ...

    def every(self, period_s: float, work: Callable[[], bool], name: str) -> Callable[[], None]:
        """Do work at once and then every `period_s` seconds until it returns False; return what ends it early."""
        ...


class SystemClock:
    """The machine's monotonic clock; work is done in threads."""

    def now_ns(self) -> int:
        """Return the machine's monotonic time."""
        return time.monotonic_ns()

    def wait(self, changed: threading.Condition, within_s: float) -> None:
        """Wait until a condition that is held is notified, or the time is over."""
        changed.wait(within_s)

    def every(self, period_s: float, work: Callable[[], bool], name: str) -> Callable[[], None]:
        """Do work in a separate thread; the function that is returned ends it and waits for that."""
        ended = threading.Event()

        def run() -> None:
            due = time.monotonic()
            while work():
                due = max(due + period_s, time.monotonic())
                if ended.wait(due - time.monotonic()):
                    return

        thread = threading.Thread(target=run, name=name, daemon=True)
        thread.start()

        def end() -> None:
            ended.set()
            if thread is not threading.current_thread():
                thread.join()

        return end
