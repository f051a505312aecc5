"""show_progress: long work reports its progress to the process that waits for it."""

import time
from collections.abc import Callable

EVERY_S = 0.1


class ProgressSink:
    """Where progress goes in this process; in one that is no worker, nowhere."""

    def __init__(self) -> None:
        """Send it nowhere."""
        self.send: Callable[[], None] | None = None
        self._sent_s = 0.0

    def show(self) -> None:
        """Send it, at most ten times a second."""
        now = time.monotonic()
        if self.send is not None and now - self._sent_s >= EVERY_S:
            self._sent_s = now
            self.send()


SINK = ProgressSink()


def show_progress() -> None:
    """Report progress of the work in this worker. Costs next to nothing; call it often."""
    SINK.show()
