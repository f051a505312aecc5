"""Pulse: a stamp that the event loop sets ten times a second, so that threads can detect a loop that hangs."""

import asyncio
import logging
import sys
import threading
import time
import traceback
from types import FrameType

BEAT_S = 0.1
LATE_S = 0.4
"""A loop that has not beaten for this time is logged, with what it was doing: robots stop after twice that."""
log = logging.getLogger("openpendant.server")


class Pulse:
    """Shows that the event loop is alive. Robots keep moving only while it beats."""

    def __init__(self) -> None:
        """Count as alive now; `start` begins to beat."""
        self._stamp_ns = time.monotonic_ns()
        self._task: asyncio.Task[None] | None = None
        self._closed = threading.Event()

    def start(self) -> None:
        """Beat, in the event loop that runs now, until `close`."""
        self._task = asyncio.get_running_loop().create_task(self._beat())
        # Asked for in the thread itself: of one that has ended, this clock only raises.
        clock = time.pthread_getcpuclockid(threading.get_ident()) if hasattr(time, "pthread_getcpuclockid") else None
        arguments = (threading.get_ident(), clock)
        threading.Thread(target=self._watch, args=arguments, name="openpendant-pulse", daemon=True).start()

    def close(self) -> None:
        """Beat no longer: whatever is still held by this process comes to rest."""
        self._closed.set()
        if self._task is not None:
            self._task.cancel()

    def last_ns(self) -> int:
        """Return when the event loop was last seen alive, monotonic nanoseconds. From any thread."""
        return self._stamp_ns

    async def _beat(self) -> None:
        while True:
            self._stamp_ns = time.monotonic_ns()
            await asyncio.sleep(BEAT_S)

    def _watch(self, loop: int, clock: int | None) -> None:
        """Log each time that the loop stands still, and whether it was busy, waited, or was given no processor."""
        seen_ns, used = 0, (0.0, 0.0)
        while not self._closed.wait(BEAT_S):
            stamp_ns = self._stamp_ns
            if stamp_ns != seen_ns:
                seen_ns, used = stamp_ns, _used_s(clock)
            elif time.monotonic_ns() - stamp_ns > LATE_S * 1e9:
                doing = _stack(sys._current_frames().get(loop))  # pyright: ignore[reportPrivateUsage]
                while self._stamp_ns == stamp_ns and not self._closed.wait(BEAT_S / 4):
                    pass
                still_s = (time.monotonic_ns() - stamp_ns) * 1e-9
                thread_s, process_s = (now - then for now, then in zip(_used_s(clock), used, strict=True))
                log.warning(
                    "the event loop stood still for %.2f s; its thread computed %.2f s, the process %.2f s:\n%s",
                    *(still_s, thread_s, process_s, doing),
                )


def _used_s(clock: int | None) -> tuple[float, float]:
    """Return the processor time that a thread and the whole process have had, seconds."""
    try:
        return 0.0 if clock is None else time.clock_gettime(clock), time.process_time()
    except OSError:
        return 0.0, time.process_time()


def _stack(frame: FrameType | None) -> str:
    return "".join(traceback.format_stack(frame)) if frame is not None else "it has ended"
