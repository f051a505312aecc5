"""Child: a process that is kept alive: started, watched, and restarted after a pause that grows."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Protocol

from openpendant.errors import OpenPendantError
from openpendant.messages import RobotEventKind
from openpendant.said import say

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0
STACKS_SIGNAL = signal.SIGUSR1
"""On this a process prints the stacks of all its threads."""
STACKS_S = 0.1
"""The time it has for that."""
HEALTHY_S = 10.0
"""After this time a process counts as healthy, and the next pause is short again."""


class StartedProcess(Protocol):
    """A process that was started."""

    @property
    def pid(self) -> int:
        """Its id."""
        ...

    def poll(self) -> int | None:
        """Return its exit status, None while it lives."""
        ...

    def kill(self, *, hung: bool = False) -> None:
        """End it at once and forget it; where it hung, let it say first where."""
        ...

    def end(self) -> None:
        """Ask it to end, and wait for that."""
        ...


class Child:
    """Keeps one process alive. `poll` is called every few hundredths of a second; clocks are passed in."""

    def __init__(
        self, name: str, start: Callable[[], StartedProcess], tell: Callable[[RobotEventKind, str], None]
    ) -> None:
        """Start it at the first poll.

        Args:
            name: For the log.
            start: Starts the process; may raise OpenPendantError.
            tell: Called with the kind and message of an event.
        """
        self.name = name
        self.process: StartedProcess | None = None
        self.starts = self.ends = 0
        self.fault = ""
        """Why it last ended, or could not be started."""
        self._start, self._log_event = start, tell
        self._since_s = 0.0
        self._pause_s = FIRST_PAUSE_S
        self._next_s = 0.0

    @property
    def alive(self) -> bool:
        """Whether it lives."""
        return self.process is not None and self.process.poll() is None

    def poll(self, now_s: float, last_report_s: float, silent_s: float, build_s: float) -> None:
        """See how it is.

        Args:
            now_s: Monotonic time.
            last_report_s: When it, or one before it, reported last.
            silent_s: A silence as long as this counts as hung, and it is ended.
            build_s: Time until its first report.
        """
        process = self.process
        if process is not None:
            status = process.poll()
            if status is not None:
                self._ended(now_s, say("process.ended_with", what=self.name, status=status), hung=False)
            elif now_s - max(last_report_s, self._since_s) > (
                limit := silent_s if last_report_s > self._since_s else build_s
            ):
                self._ended(now_s, say("process.was_silent", what=self.name, silent_s=limit), hung=True)
            elif now_s - self._since_s > HEALTHY_S:
                self._pause_s = FIRST_PAUSE_S
            return
        if now_s >= self._next_s:
            self._begin(now_s)

    def close(self) -> None:
        """End it."""
        process, self.process = self.process, None
        if process is not None:
            process.end()

    def _begin(self, now_s: float) -> None:
        try:
            self.process = self._start()
        except OpenPendantError as error:
            self.ends += 1
            self.fault = say("process.cannot_start", what=self.name, why=error.said)
            self._log_event("start failed", self.fault)
            self._again_later(now_s)
            return
        self.starts += 1
        self._since_s = now_s
        self._log_event("process started", say("process.started", what=self.name, pid=self.process.pid))

    def _ended(self, now_s: float, words: str, *, hung: bool) -> None:
        if self.process is not None:
            self.process.kill(hung=hung)
            self.process = None
        self.ends += 1
        self.fault = words
        self._log_event("process ended", words)
        self._again_later(now_s)

    def _again_later(self, now_s: float) -> None:
        self._next_s = now_s + self._pause_s
        self._pause_s = min(LONGEST_PAUSE_S, 2.0 * self._pause_s)


class SubprocessChild:
    """A subprocess with a pipe to its input, which ends it when it closes."""

    def __init__(self, words: list[str], first_line: bytes) -> None:
        """Start it and send its first line."""
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE)
        with contextlib.suppress(BrokenPipeError):
            if self.process.stdin is not None:
                self.process.stdin.write(first_line + b"\n")
                self.process.stdin.flush()

    @property
    def pid(self) -> int:
        """Its id."""
        return self.process.pid

    def poll(self) -> int | None:
        """Return its exit status, None while it lives."""
        return self.process.poll()

    def kill(self, *, hung: bool = False) -> None:
        """End it at once; where it hung, its stacks are printed first."""
        if hung:
            self.process.send_signal(STACKS_SIGNAL)
            time.sleep(STACKS_S)
        self.process.kill()
        self._wait(None)

    def end(self, within_s: float = 8.0) -> None:
        """Close its input, so that it comes to rest and ends; kill it where it does not."""
        self._close_input()
        try:
            self._wait(within_s)
        except subprocess.TimeoutExpired:
            self.kill()

    def _wait(self, within_s: float | None) -> None:
        self.process.wait(within_s)
        self._close_input()

    def _close_input(self) -> None:
        if self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
